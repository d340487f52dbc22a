"""Theorem 1: the Laplace mechanism."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import integral
from proofs_numeric.rogers2024.laws import laplace_profile
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import LEVEL, SCALE, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.concentrated import dp_to_cdp_rho_upper
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity
from proofs_numeric.statements.kinds import DeltaBound

SHIFT = Parameter("delta_1", "l1-sensitivity", unit="counts", lower="1e-3", upper=1000, log=True, default=1)


def laplace_delta(A: Arithmetic, *, epsilon: Number, delta_1: Number, b: Number) -> Number:
    """Delta of one Laplace count that moves by ``delta_1``."""
    return laplace_profile(A, epsilon=epsilon, distance=A.number(delta_1) / b)


def laplace_promise(A: Arithmetic, *, delta_1: Number, b: Number) -> tuple[Any, Any]:
    """``(0, (D_1/b)^2/2)`` of the Laplace mechanism, Theorems 1 and 3."""
    return A.number(0), dp_to_cdp_rho_upper(A, epsilon=A.number(delta_1) / b)


def laplace_delta_by_quadrature(A: Arithmetic, *, epsilon: Number, delta_1: Number, b: Number) -> Number:
    """``integral of max(0, p - e^epsilon q)`` over the region where p wins: left of the shifted centre, plus a tail."""
    distance = A.number(delta_1) / b
    start = A.minimum((distance + epsilon) / 2, distance)
    growth = A.exp(A.number(epsilon))

    def excess(B: Arithmetic, x: Number) -> Number:
        return (B.exp(x - distance) - growth * B.exp(-x)) / 2

    return A.maximum(0, integral(A, excess, start, distance)) + A.maximum(0, 1 - growth * A.exp(-distance)) / 2


def _log_ratio_slope(A: Arithmetic, *, x: Number, d: Number) -> Any:
    import sympy

    return sympy.diff((d - x) - x, x)


def _minus_two(A: Arithmetic, *, x: Number, d: Number) -> Number:
    return A.number(-2)


def _ray_value(A: Arithmetic, *, d: Number, epsilon: Number) -> Number:
    end = (d - epsilon) / 2
    return 1 - A.exp(-end) / 2 - A.exp(epsilon) * A.exp(end - d) / 2


def _ray_value_closed(A: Arithmetic, *, d: Number, epsilon: Number) -> Number:
    return -A.expm1((epsilon - d) / 2)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm1.laplace",
        source=printed("Theorem 1"),
        title="The Laplace mechanism is epsilon-DP",
        statement=(
            r"H_\varepsilon = (1 - e^{(\varepsilon - \Delta_1/b)/2})_+, \text{ zero at } \varepsilon = "
            r"\Delta_1/b"
        ),
        kind=DeltaBound(
            laplace_delta,
            oracle=laplace_delta_by_quadrature,
            oracle_points=(
                {"epsilon": 0, "delta_1": 1, "b": 1},
                {"epsilon": "1/2", "delta_1": 1, "b": "1/2"},
                {"epsilon": 3, "delta_1": 7, "b": 2},
                {"epsilon": 4, "delta_1": 7, "b": 2},
            ),
            proof=Derivation(
                (
                    SymbolicIdentity(
                        "log ratio between the centres 0 and d",
                        _log_ratio_slope,
                        _minus_two,
                        ("x", "d"),
                        argument="|x - d| - |x| falls from d (left of both centres) to -d: every level set is a ray; "
                        "at epsilon >= d no set has a positive value",
                    ),
                    SymbolicIdentity(
                        "value of the ray that ends at (d - epsilon)/2",
                        _ray_value,
                        _ray_value_closed,
                        ("d", "epsilon"),
                        argument="P weighs 1 - e^-x/2 and Q e^(x-d)/2 on the ray, for 0 <= epsilon <= d",
                    ),
                )
            ),
        ),
        domain=Box((LEVEL, SHIFT, replace(SCALE, lower="1e-3", upper=1000))),
        falls=("epsilon", "b"),
        rises=("delta_1",),
        privacy=COUNTS,
        note="One coordinate; the log ratio attains Delta_1/b, so the theorem is tight.",
        promise=laplace_promise,
    ),
)
