"""Theorem 1: the Laplace mechanism."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import integral, laplace_tail
from proofs_numeric.rogers2024.laws import laplace_profile
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import LEVEL, SCALE, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.concentrated import dp_to_cdp_rho_upper
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import AtMost, DeltaBound
from proofs_numeric.statements.profiles import HalfLine, Shifted
from proofs_numeric.statements.tactics import (
    Both,
    Given,
    Maximum,
    Part,
    Rewrite,
    Sign,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
)

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


# With t = delta_1/b - epsilon >= 0 the first law is the denser one by e^epsilon just up to t/2 scales.


def _log_ratio(A: Arithmetic, y: Number, distance: Number) -> Any:
    """``|y - d| - |y|``."""
    return A.maximum(y - distance, distance - y) - A.maximum(y, -y)


def _below(A: Arithmetic, *, epsilon: Number, t: Number, u: Number) -> Any:
    return _log_ratio(A, A.number(t) / 2 - u, A.number(t) + epsilon) - epsilon


def _beyond(A: Arithmetic, *, epsilon: Number, t: Number, u: Number) -> Any:
    return _log_ratio(A, A.number(t) / 2 + u, A.number(t) + epsilon) - epsilon


def _anywhere(A: Arithmetic, *, epsilon: Number, y: Number, d: Number) -> Any:
    return _log_ratio(A, A.number(y), A.number(d)) - epsilon


def _excess(A: Arithmetic, *, epsilon: Number, t: Number) -> Any:
    """Of the half-line, at the distance t + epsilon."""
    return laplace_tail(A, -A.number(t) / 2) - A.exp(A.number(epsilon)) * laplace_tail(A, A.number(t) / 2 + epsilon)


def _told(A: Arithmetic, *, epsilon: Number, t: Number) -> Any:
    return A.maximum(0, -A.expm1(-A.number(t) / 2))


def _t(A: Arithmetic, *, epsilon: Number, delta_1: Number, b: Number, **_rest: Number) -> Any:
    return A.number(delta_1) / b - epsilon


def _u(A: Arithmetic, *, beyond: Number, b: Number, **_rest: Number) -> Any:
    return A.number(beyond) / b


def _y(A: Arithmetic, *, x: Number, b: Number, **_rest: Number) -> Any:
    return A.number(x) / b


def _distance(A: Arithmetic, *, delta_1: Number, b: Number, **_rest: Number) -> Any:
    return A.number(delta_1) / b


def _cut(A: Arithmetic, *, epsilon: Number, delta_1: Number, b: Number) -> Any:
    return (A.number(delta_1) - A.number(b) * epsilon) / 2


def _either(over: Formula, under: Formula, proofs: tuple[Tactic, Tactic]) -> Maximum:
    """The larger of ``over - under`` and its negative, each in its place."""
    ways = (lambda A, **at: over(A, **at) - under(A, **at), lambda A, **at: under(A, **at) - over(A, **at))
    return Maximum(tuple(Part(way, proof) for way, proof in zip(ways, proofs, strict=True)), inside=True)


_EPSILON, _T, _U, _D = (Parameter(name, "") for name in ("epsilon", "t", "u", "d"))
_Y = Parameter("y", "", lower="-infinity")
_y_itself, _d_itself, _level = (parameter_named(name) for name in ("y", "d", "epsilon"))
_WITHIN = AtMost(_d_itself, _level)
_TWICE_Y = Part(lambda A, *, y, **_rest: 2 * A.number(y), Given())
_LEFT_OF_D = Part(lambda A, *, d, epsilon, **_rest: A.number(epsilon) - d, Given())
_ANY_PLACE = _either(
    _y_itself,
    _d_itself,
    (
        _either(
            _y_itself,
            zero,
            (
                Sign(),
                Sum(
                    (
                        Part(lambda A, *, y, **_rest: -2 * A.number(y), Given()),
                        Part(lambda A, *, epsilon, d, **_rest: A.number(epsilon) + d),
                    )
                ),
            ),
        ),
        _either(_y_itself, zero, (Sum((_LEFT_OF_D, _TWICE_Y)), Given())),
    ),
)
_PLACES = Box((_EPSILON, _T, _U))
_NEW: dict[str, Formula] = {"t": _t, "u": _u}
_BEFORE = _either(lambda A, *, t, **_rest: A.number(t) / 2, lambda A, *, u, **_rest: A.number(u), (Sign(), Sign()))
_AFTER = _either(
    lambda A, *, u, **_rest: A.number(u), lambda A, *, t, epsilon, **_rest: A.number(t) / 2 + epsilon, (Sign(), Sign())
)
_OVER = Parameter("over", "what the level is above the distance")


def _of_t(A: Arithmetic, *, t: Number, **_rest: Number) -> Any:
    return -A.expm1(-A.number(t) / 2)


def _nothing(A: Arithmetic, *, over: Number) -> Any:
    return A.maximum(0, _of_t(A, t=-A.number(over)))


_EXCESS = Rewrite(Both(Symbolic(), Maximum((Part(zero), Part(_of_t, Symbolic())))), left=_of_t)
_NOTHING = Both(Symbolic(), Maximum((Part(zero), Part(lambda A, *, over: _of_t(A, t=-A.number(over))))))
_HALF_LINE = HalfLine(
    _cut,
    above=False,
    most=_distance,
    ratio=Substitute(
        Box((_EPSILON, _Y, _D)), {"y": _y, "d": _distance}, _ANY_PLACE, _anywhere, zero, given={_WITHIN: Given()}
    ),
    sides=(
        Substitute(_PLACES, _NEW, _BEFORE, zero, _below, {"t": Given()}),
        Substitute(_PLACES, _NEW, _AFTER, _beyond, zero, {"t": Given()}),
    ),
    value=Substitute(Box((_EPSILON, _T)), {"t": _t}, _EXCESS, _excess, _told, {"t": Given()}),
    nothing=Substitute(
        Box((_OVER,)), {"over": lambda A, **at: -_t(A, **at)}, _NOTHING, zero, _nothing, {"over": Given()}
    ),
)


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
            pairs=Shifted(zero, parameter_named("delta_1"), parameter_named("b"), laplace=True),
            proof=_HALF_LINE,
        ),
        domain=Box((LEVEL, SHIFT, replace(SCALE, lower="1e-3", upper=1000))),
        falls=("epsilon", "b"),
        rises=("delta_1",),
        privacy=COUNTS,
        note="One coordinate; the log ratio attains Delta_1/b, so the theorem is tight.",
        promise=laplace_promise,
    ),
)
