"""Sections 1 and 2: definitions, the Laplace and the Gaussian mechanism."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import sympy

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.special import gaussian_profile, integral
from proofs_numeric.rogers2024.laws import laplace_profile
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import ALPHA, LEVEL, SCALE, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.concentrated import Decomposition, dp_to_cdp_rho_upper, hockey_stick
from proofs_numeric.statements.kinds import Definition, DeltaBound, FiniteStatement, Identity, Inequality, Relation
from proofs_numeric.statements.proof import Proof, SymbolicIdentity

FiniteLaw = Mapping[str, Fraction]
MU = Parameter("mu", "sensitivity over sigma", lower="1e-6", upper=1000, log=True)
SHIFT = Parameter("delta_1", "l1-sensitivity", unit="counts", lower="1e-3", upper=1000, log=True, default=1)


# --- formulas ---------------------------------------------------------------------------------------------------------


def zero(A: Arithmetic, **_parameters: Any) -> Any:
    """The number 0."""
    return A.number(0)


def gaussian_delta(A: Arithmetic, *, epsilon: Any, mu: Any) -> Any:
    """Delta of the Gaussian mechanism at distance ``mu``."""
    return gaussian_profile(A, epsilon, mu)


def laplace_delta(A: Arithmetic, *, epsilon: Any, delta_1: Any, b: Any) -> Any:
    """Delta of one Laplace count that moves by ``delta_1``."""
    return laplace_profile(A, epsilon=epsilon, distance=A.number(delta_1) / b)


def laplace_promise(A: Arithmetic, *, delta_1: Any, b: Any) -> tuple[Any, Any]:
    """``(0, (D_1/b)^2/2)`` of the Laplace mechanism, Theorems 1 and 3."""
    return A.number(0), dp_to_cdp_rho_upper(A, epsilon=A.number(delta_1) / b)


def laplace_delta_by_quadrature(A: Arithmetic, *, epsilon: Any, delta_1: Any, b: Any) -> Any:
    """``integral of max(0, p - e^epsilon q)`` over the region where p wins: left of the shifted centre, plus a tail."""
    distance = A.number(delta_1) / b
    start = (distance + epsilon) / 2
    growth = A.exp(A.number(epsilon))

    def excess(B: Arithmetic, x: Any) -> Any:
        return (B.exp(x - distance) - growth * B.exp(-x)) / 2

    return A.maximum(0, integral(A, excess, start, distance)) + (1 - growth * A.exp(-distance)) / 2


def _log_ratio_slope(A: Arithmetic, *, x: Any, d: Any) -> Any:
    return sympy.diff((d - x) - x, x)


def _minus_two(A: Arithmetic, *, x: Any, d: Any) -> Any:
    return A.number(-2)


def _ray_value(A: Arithmetic, *, d: Any, epsilon: Any) -> Any:
    end = (d - epsilon) / 2
    return 1 - A.exp(-end) / 2 - A.exp(epsilon) * A.exp(end - d) / 2


def _ray_value_closed(A: Arithmetic, *, d: Any, epsilon: Any) -> Any:
    return -A.expm1((epsilon - d) / 2)


def gaussian_log_density(A: Arithmetic, *, x: Any, alpha: Any, mu: Any) -> Any:
    """``alpha log p + (1 - alpha) log q`` of N(0,1) and N(mu,1) without the common constant."""
    x, alpha, mu = A.number(x), A.number(alpha), A.number(mu)
    return -(alpha * x * x + (1 - alpha) * (x - mu) * (x - mu)) / 2


def gaussian_log_density_completed(A: Arithmetic, *, x: Any, alpha: Any, mu: Any) -> Any:
    """The square completed: a unit normal about ``(1 - alpha) mu`` times ``exp(alpha (alpha - 1) mu^2 / 2)``."""
    x, alpha, mu = A.number(x), A.number(alpha), A.number(mu)
    centre = x - (1 - alpha) * mu
    return -centre * centre / 2 + alpha * (alpha - 1) * mu * mu / 2


# --- finite cases -----------------------------------------------------------------------------------------------------


def is_dp(case: tuple[FiniteLaw, FiniteLaw, Fraction, Fraction]) -> bool:
    """(1) for the laws of one pair, both directions, with ``e^epsilon`` and delta exact."""
    left, right, ratio, delta = case
    return bool(max(hockey_stick(left, right, ratio), hockey_stick(right, left, ratio)) <= delta)


def law(**masses: int) -> dict[str, Fraction]:
    """A law from integer masses."""
    total = sum(masses.values())
    return {outcome: Fraction(mass, total) for outcome, mass in masses.items() if mass}


def lp_sensitivity(case: tuple[tuple[tuple[int, ...], tuple[int, ...]], int, int]) -> bool:
    """Whether a pair of statistic values respects the l_p bound given as its p-th power."""
    (left, right), p, bound_to_p = case
    return bool(sum(abs(x - y) ** p for x, y in zip(left, right, strict=True)) <= bound_to_p)


def noiseless_values_leak(count: int) -> bool:
    """Whether deciding by a noisy threshold and printing exact counts separates {a: N+1} from {a: N} fully.

    The new-label mass of that mechanism is at most delta; on these two counts both sides print with the same
    probability, but never the same value, so the hockey stick is the whole printing probability, here at least 3/4.
    """
    noise = law(low=1, zero=2, high=1)
    shifts = {"low": -1, "zero": 0, "high": 1}

    def output(true_count: int) -> dict[str, Fraction]:
        masses: dict[str, Fraction] = {}
        for name, mass in noise.items():
            outcome = str(true_count) if true_count + shifts[name] > count - 1 else "nothing"
            masses[outcome] = masses.get(outcome, Fraction(0)) + mass
        return masses

    new_label_mass = sum((m for name, m in noise.items() if 1 + shifts[name] > count - 1), Fraction(0))
    left, right = output(count + 1), output(count)
    return new_label_mass == 0 and all(hockey_stick(left, right, Fraction(r)) >= Fraction(3, 4) for r in (1, 10, 10**6))


def certificate_holds(case: tuple[Decomposition, Fraction, Fraction]) -> bool:
    """Definition 2.2 through a decomposition at orders 1, 2, 5 and 50."""
    decomposition, delta, rho = case
    return decomposition.certifies(delta, rho, (1, 2, 5, 50))


_HALVES, _SKEWED, _CERTAIN = law(y=1, n=1), law(y=3, n=2), law(y=1)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.def2.1",
        source=printed("Definition 2.1", "(1)"),
        title="Approximate differential privacy",
        statement=r"\Pr[A(x) \in S] \le e^\varepsilon \Pr[A(x') \in S] + \delta",
        kind=Definition(
            accepts=is_dp,
            members=(
                (_HALVES, _HALVES, Fraction(1), Fraction(0)),
                (_SKEWED, law(y=2, n=3), Fraction(3, 2), Fraction(0)),
                (_CERTAIN, law(y=9, n=1), Fraction(1), Fraction(1, 10)),
            ),
            non_members=(
                (_SKEWED, law(y=2, n=3), Fraction(7, 5), Fraction(0)),
                (law(y=9, n=1), _CERTAIN, Fraction(1000), Fraction(9, 100)),
            ),
        ),
        note="Each example is (law of x, law of x', e^epsilon, delta), checked in both directions.",
    ),
    Claim(
        id="rogers2024.intro.gauss_not_pure",
        source=printed("Section 1"),
        title="Fixed Gaussian noise is approximately but never purely private",
        statement=r"\delta(\varepsilon) > 0 \text{ for all } \varepsilon, \quad \mu = \Delta/\sigma > 0",
        kind=Inequality(zero, gaussian_delta, Relation.LESS),
        domain=Box((LEVEL, MU)),
        quantity=QuantityKind.DELTA,
        privacy=COUNTS,
        evaluates=gaussian_delta,
    ),
    Claim(
        id="rogers2024.intro.bad_outcomes_insufficient",
        source=printed("Section 1"),
        title="Bounding the mass of bad outcomes does not give approximate privacy",
        statement=(
            r"\exists A: \Pr[\text{new label}] \le \delta,\ H_\varepsilon(A(h) \| A(h')) \ge 3/4 \ \forall "
            r"\varepsilon"
        ),
        kind=FiniteStatement(
            cases=lambda size: range(3, size + 3),
            holds=noiseless_values_leak,
            sizes={"quick": 5, "standard": 20, "deep": 200},
            size_text="count N",
        ),
        note="Algorithm 1 that thresholds noisily and prints the exact count.",
    ),
    Claim(
        id="rogers2024.def.lp_sens",
        source=printed("Section 2"),
        title="l_p-sensitivity",
        statement=r"\Delta_p(f) = \max_{x \sim x'} \|f(x) - f(x')\|_p",
        kind=Definition(
            accepts=lp_sensitivity,
            members=((((1, 2), (0, 2)), 1, 1), (((3, 4), (0, 0)), 2, 25), (((5,), (5,)), 1, 0)),
            non_members=((((1, 2), (0, 0)), 1, 2), (((3, 4), (0, 0)), 2, 24)),
        ),
        note="Each example is ((f(x), f(x')), p, bound to the power p).",
    ),
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
            ),
            proof=Proof(
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
        quantity=QuantityKind.DELTA,
        privacy=COUNTS,
        note="One coordinate; the log ratio attains Delta_1/b, so the theorem is tight.",
        promise=laplace_promise,
    ),
    Claim(
        id="rogers2024.def2.2",
        source=printed("Definition 2.2"),
        title="Approximate concentrated differential privacy",
        statement=r"P = (1-\delta)P' + \delta P'',\ D_\alpha(P'\|Q') \le \alpha\rho,\ D_\alpha(Q'\|P') \le \alpha\rho",
        kind=Definition(
            accepts=certificate_holds,
            members=(
                (Decomposition(_SKEWED, _SKEWED, _SKEWED, _SKEWED), Fraction(0), Fraction(0)),
                (Decomposition(_HALVES, _SKEWED, _HALVES, _SKEWED), Fraction(0), Fraction(1, 20)),
                (Decomposition(law(y=9, new=1), _CERTAIN, _CERTAIN, _CERTAIN), Fraction(1, 10), Fraction(0)),
            ),
            non_members=(
                (Decomposition(law(y=9, new=1), _CERTAIN, _CERTAIN, _CERTAIN), Fraction(1, 20), Fraction(1)),
                (Decomposition(_HALVES, _SKEWED, _HALVES, _SKEWED), Fraction(0), Fraction(1, 100)),
            ),
        ),
        note="Each example is a decomposition (P, Q, P', Q') with delta and rho; alpha = 1 is Kullback-Leibler.",
    ),
    Claim(
        id="rogers2024.thm4.gauss",
        source=printed("Theorem 4"),
        title="The Gaussian mechanism is rho-CDP with sigma^2 = Delta_2^2 / (2 rho)",
        statement=r"p^\alpha q^{1-\alpha} = e^{\alpha(\alpha-1)\mu^2/2}\, \varphi(x - (1-\alpha)\mu)",
        kind=Identity(
            gaussian_log_density,
            gaussian_log_density_completed,
            Proof(
                (
                    SymbolicIdentity(
                        "completing the square",
                        gaussian_log_density,
                        gaussian_log_density_completed,
                        ("x", "alpha", "mu"),
                        argument="the integral of the right side is exp(alpha (alpha - 1) mu^2 / 2), so D_alpha = "
                        "alpha mu^2/2 = alpha rho with mu^2 = 2 rho",
                    ),
                )
            ),
        ),
        privacy=COUNTS,
        domain=Box(
            (
                Parameter("x", "outcome", lower="-infinity"),
                ALPHA,
                Parameter("mu", "distance", lower=0, upper=1000),
            )
        ),
        note="Equality: D_alpha = alpha rho at every order.",
    ),
)
