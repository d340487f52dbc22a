"""Theorem 5.4 solved for one parameter: least epsilon, least gap, least sigma."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.enclosure import Order, compare
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.gaussian import gaussian_epsilon, gaussian_mu
from proofs_numeric.arithmetic.special import gaussian_profile, normal_quantile_complement
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, QuantityKind, SpecialValue
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.derivation import Derivation, Unchecked
from proofs_numeric.statements.kinds import Achieved, AtMost, Calibration, Inequality
from proofs_numeric.statements.tactics import Both, Given, Maximum, Part, Product, Rewrite, Sign, Symbolic, Through
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM, sparse_histogram_at
from proofs_numeric.wilkins2024.parameters import C_U, DELTA, EPSILON, GAP, MU_O, SIGMA, ours
from proofs_numeric.wilkins2024.profile_roots import largest_distance, least_epsilon_at, target
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    INTEGER_TAU,
    delta_exact,
    delta_gaussian,
    delta_infinite,
    distance,
)

# --- calibrations -----------------------------------------------------------------------------------------------------


def least_gap(A: Arithmetic, *, delta: Number, c_u: Number, sigma: Number) -> Number:
    """Gap at which ``delta_infinite = delta``: ``sigma Phi^-1((1 - delta)^(1/C_u))``, stable for tiny delta."""
    return A.number(sigma) * normal_quantile_complement(A, -A.expm1(A.log1p(-A.number(delta)) / c_u))


def epsilon_of_delta(A: Arithmetic, *, delta: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number) -> Number:
    """Least ``epsilon >= 0`` with ``delta_exact <= delta``, where ``delta >= delta_infinite``; else infinite."""
    return gaussian_epsilon(A, delta=delta, mu=distance(A, rows=c_u, sigma=sigma, mu_o=mu_o))


def least_sigma(A: Arithmetic, *, epsilon: Number, delta: Number, c_u: Number, mu_o: Number) -> Number:
    """Least ``sigma`` for which some gap meets ``(epsilon, delta)``: that of the Gaussian mechanism.

    ``1/sigma^2 = mu^2/C_u - mu_o^2`` with ``f(mu, epsilon) = delta``; infinite where the other aggregates alone
    exceed delta.
    """
    mu, mu_o = gaussian_mu(A, epsilon=epsilon, delta=delta), A.number(mu_o)
    return 1 / A.sqrt(mu * mu / A.number(c_u) - mu_o * mu_o)


def _epsilon_achieved(
    A: Arithmetic, *, value: Number, delta: Number, c_u: Number, sigma: Number, gap: Number, mu_o: Number
) -> Number:
    return delta_exact(A, epsilon=value, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)


def _gap_achieved(
    A: Arithmetic, *, value: Number, epsilon: Number, delta: Number, c_u: Number, sigma: Number, mu_o: Number
) -> Number:
    return delta_exact(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=value, mu_o=mu_o)


def _gap_formula(A: Arithmetic, *, epsilon: Number, delta: Number, c_u: Number, sigma: Number, mu_o: Number) -> Number:
    return least_gap(A, delta=delta, c_u=c_u, sigma=sigma)


def _gap_at_value(A: Arithmetic, *, value: Number, delta: Number, c_u: Number, **_at: Number) -> Any:
    return least_gap(A, delta=delta, c_u=c_u, sigma=value)


def _sigma_achieved(
    A: Arithmetic, *, value: Number, epsilon: Number, delta: Number, c_u: Number, mu_o: Number
) -> Number:
    gap = least_gap(A, delta=delta, c_u=c_u, sigma=value)
    return delta_exact(A, epsilon=epsilon, c_u=c_u, sigma=value, gap=gap, mu_o=mu_o)


def answer(formula: Formula, nowhere: SpecialValue | None, **parameters: Value) -> Fraction:
    """Return what a calibration answers, to place counts by.

    Raises:
        ValueError: it has no number there, with the reason.

    """
    if nowhere is not None:
        raise ValueError(f"expected parameters with a finite answer, got {nowhere.value}: {nowhere.reason}")
    return Fraction(float(formula(Float64(), **parameters)))


def certified_order(left: Formula, right: Formula, parameters: Mapping[str, Value]) -> Order:
    """Certified order of two formulas over the same parameters."""
    return compare(left, right, parameters).order


def _noise_alone(A: Arithmetic, *, delta: Number, **rest: Any) -> Any:
    return delta_gaussian(A, **rest)


_NOISE_SUFFICES = AtMost(_noise_alone, target)
_LARGER_IS_DELTA = Both(Maximum((Part(target, Symbolic()), Part(_noise_alone, Given()))), Sign())
"""Of ``max(delta, delta_Gaussian) = delta``, where delta_Gaussian is at most delta."""


def _larger(A: Arithmetic, **at: Any) -> Number:
    return A.maximum(target(A, **at), _noise_alone(A, **at))


def _gaussian_infeasible(*, epsilon: Value, delta: Value, c_u: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if _NOISE_SUFFICES(epsilon=epsilon, delta=delta, c_u=c_u, sigma=sigma, mu_o=mu_o):
        return None
    reason = "delta is below delta_Gaussian: the noise alone exceeds it at every threshold; raise sigma or delta"
    return SpecialValue("infinity", reason)


def _infinite_alone(A: Arithmetic, *, c_u: Number, sigma: Number, gap: Number, **_rest: Any) -> Number:
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap)


_THRESHOLD_SUFFICES = AtMost(_infinite_alone, target)


def _threshold_infeasible(**parameters: Value) -> SpecialValue | None:
    if _THRESHOLD_SUFFICES(**parameters):
        return None
    reason = "delta is below delta_infinite: infinite privacy loss is likelier than that; raise the gap or delta"
    return SpecialValue("infinity", reason)


def _distance_of_rows(A: Arithmetic, *, c_u: Number, sigma: Number, mu_o: Number, **_rest: Any) -> Number:
    return distance(A, rows=c_u, sigma=sigma, mu_o=mu_o)


def _epsilon_least(A: Arithmetic, *, other: Number, **at: Any) -> Number:
    return epsilon_of_delta(A, **at)


def _other(A: Arithmetic, *, other: Number, **_at: Any) -> Number:
    return A.number(other)


def _exact_at_other(A: Arithmetic, *, other: Number, delta: Number, **at: Any) -> Number:
    return delta_exact(A, epsilon=other, **at)


def _noise_at_root(A: Arithmetic, *, root: Number, **at: Any) -> Any:
    return gaussian_profile(A, A.number(root), _distance_of_rows(A, **at))


def _aggregates_alone(A: Arithmetic, *, c_u: Number, mu_o: Number, **_rest: Any) -> Any:
    """Distance of the other aggregates, without the counts."""
    return A.sqrt(A.number(c_u)) * A.number(mu_o)


def _largest_distance(A: Arithmetic, *, epsilon: Number, delta: Number, **_rest: Any) -> Any:
    return gaussian_mu(A, epsilon=epsilon, delta=delta)


_AGGREGATES_SUFFICE = AtMost(_aggregates_alone, _largest_distance, strict=True)


def _aggregates_infeasible(**parameters: Value) -> SpecialValue | None:
    if parameters["mu_o"] == 0 or _AGGREGATES_SUFFICE(**parameters):
        return None
    reason = "the other aggregates alone reach delta: no noise on the counts suffices; add noise to the aggregates"
    return SpecialValue("infinity", reason)


def _with_gap(
    *, epsilon: Value, delta: Value, c_u: Value, sigma: Value, mu_o: Value = 0, **_others: Value
) -> Mapping[str, Value]:
    nowhere = _gaussian_infeasible(epsilon=epsilon, delta=delta, c_u=c_u, sigma=sigma, mu_o=mu_o)
    return {"gap": answer(least_gap, nowhere, delta=delta, c_u=c_u, sigma=sigma)}


def _with_sigma(*, epsilon: Value, delta: Value, c_u: Value, mu_o: Value = 0, **_others: Value) -> Mapping[str, Value]:
    nowhere = _aggregates_infeasible(epsilon=epsilon, delta=delta, c_u=c_u, mu_o=mu_o)
    sigma = answer(least_sigma, nowhere, epsilon=epsilon, delta=delta, c_u=c_u, mu_o=mu_o)
    return {"sigma": sigma, "gap": answer(least_gap, None, delta=delta, c_u=c_u, sigma=sigma)}


def _noise_of_root(A: Arithmetic, *, root: Number, epsilon: Number, **_at: Any) -> Any:
    return gaussian_profile(A, A.number(epsilon), A.exp(root))


def _larger_at_root(A: Arithmetic, **at: Any) -> Number:
    return A.maximum(target(A, **at), _noise_of_root(A, **at))


def _room(sign: int) -> Formula:
    """``e^root/sqrt(C_u) + sign mu_o``: what the other aggregates leave of a row's distance, and its conjugate."""
    return lambda A, *, root, c_u, mu_o, **_rest: A.exp(root) / A.sqrt(A.number(c_u)) + sign * A.number(mu_o)


def _room_of_rows(A: Arithmetic, *, root: Number, **at: Any) -> Any:
    return A.exp(root) - _aggregates_alone(A, **at)


def _per_root_row(A: Arithmetic, *, c_u: Number, **_rest: Any) -> Any:
    return 1 / A.sqrt(A.number(c_u))


_LEFT_FOR_COUNTS = Product(
    (Part(_room(-1), Product((Part(_per_root_row), Part(_room_of_rows, Given())))), Part(_room(1)))
)
"""Of ``mu^2/C_u - mu_o^2``, where ``sqrt(C_u) mu_o < mu``: it is positive."""
_LARGER_AT_ROOT = Both(Maximum((Part(target, Symbolic()), Part(_noise_of_root, Given()))), Sign())

CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.epsilon",
        source=ours("Theorem 5.4"),
        title="Least epsilon at a given delta",
        statement=r"\epsilon(\delta)=\inf\{\epsilon\ge0: f(\mu(C_u),\epsilon)\le\delta\}"
        r"\text{ if }\delta\ge\delta_\infty,\text{ else }\infty",
        kind=Calibration(
            formula=epsilon_of_delta,
            achieved=_epsilon_achieved,
            by=Achieved("wilkins2024.thm5.4", {"epsilon": parameter_named("value")}),
            tight=False,
            answered=_THRESHOLD_SUFFICES,
            proof=least_epsilon_at(
                _distance_of_rows, Maximum((Part(_infinite_alone, Given()), Part(_noise_at_root, Given())))
            ),
        ),
        domain=Box((DELTA, C_U, SIGMA, GAP, MU_O)),
        assumptions=(INTEGER_TAU,),
        quantity=QuantityKind.EPSILON,
        falls=("delta", "gap"),
        rises=("c_u", "mu_o"),
        moves={
            "gap": Derivation(
                (Unchecked("infinite below the least gap that suffices; above it the noise alone decides"),)
            )
        },
        privacy=SPARSE_HISTOGRAM,
        special_value=_threshold_infeasible,
        note="Equality holds where epsilon > 0; at epsilon = 0 the achieved delta may be smaller. Proved of the exact "
        "delta in O(1), which is wilkins2024.thm5.4.collapse.",
        points=(
            {"delta": Fraction("1e-5"), "c_u": 51914, "sigma": 2228, "gap": 14000, "mu_o": 0},
            {"delta": Fraction("1e-300"), "c_u": 1, "sigma": 1, "gap": 40, "mu_o": 0},
        ),
    ),
    Claim(
        id="wilkins2024.thm5.4.epsilon.least",
        source=ours("Theorem 5.4"),
        title="No smaller epsilon meets the delta",
        statement=r"\delta(e)\le\delta\Rightarrow\epsilon(\delta)\le e",
        kind=Inequality(
            _epsilon_least,
            _other,
            proof=replace(
                least_epsilon_at(_distance_of_rows, Given()),
                above=None,
                at_most=(_other, Through(_exact_at_other, second=Given())),
            ),
        ),
        domain=Box(
            (DELTA, C_U, SIGMA, GAP, MU_O, replace(EPSILON, name="other", description="an epsilon that meets delta")),
            AtMost(_exact_at_other, target),
            "the exact delta at other <= delta",
        ),
        points=(
            {
                "delta": Fraction("1e-5"),
                "c_u": 51914,
                "sigma": 2228,
                "gap": 14000,
                "mu_o": 0,
                "other": Fraction("0.35"),
            },
            {"delta": Fraction("1e-3"), "c_u": 10, "sigma": 3, "gap": 12, "mu_o": Fraction("0.25"), "other": 6},
        ),
    ),
    Claim(
        id="wilkins2024.thm5.4.gap",
        source=ours("Theorem 5.4"),
        title="Least threshold gap at a given (epsilon, delta)",
        statement=r"\tau^*-\tau=\sigma\Phi^{-1}((1-\delta)^{1/C_u})\text{ for }\delta\ge\delta_G,\text{ else }\infty",
        kind=Calibration(
            formula=_gap_formula,
            achieved=_gap_achieved,
            by=Achieved("wilkins2024.thm5.4", {"gap": parameter_named("value")}),
            answered=_NOISE_SUFFICES,
            proof=Rewrite(_LARGER_IS_DELTA, left=_larger),
        ),
        note="Proved of the exact delta in O(1), which is wilkins2024.thm5.4.collapse.",
        domain=Box((EPSILON, DELTA, C_U, SIGMA, MU_O)),
        assumptions=(INTEGER_TAU,),
        falls=("delta",),
        rises=("c_u",),
        privacy=sparse_histogram_at(_with_gap),
        special_value=_gaussian_infeasible,
        points=(
            {"epsilon": Fraction("0.349"), "delta": Fraction("1e-5"), "c_u": 51914, "sigma": 2400, "mu_o": 0},
            {"epsilon": 1, "delta": Fraction("1e-17"), "c_u": 1, "sigma": 10, "mu_o": 0},
            {"epsilon": 1, "delta": Fraction("1e-300"), "c_u": 10**9, "sigma": 10**6, "mu_o": 0},
        ),
    ),
    Claim(
        id="wilkins2024.thm5.4.sigma",
        source=ours("Theorem 5.4"),
        title="Least sigma at a given (epsilon, delta), the gap chosen with it",
        statement=r"\sigma^{-2}=\mu^2/C_u-\mu_o^2,\ f(\mu,\epsilon)=\delta,\ "
        r"\tau^*-\tau=\sigma\Phi^{-1}((1-\delta)^{1/C_u})",
        kind=Calibration(
            formula=least_sigma,
            achieved=_sigma_achieved,
            by=Achieved("wilkins2024.thm5.4", {"sigma": parameter_named("value"), "gap": _gap_at_value}, positive=True),
            answered=_AGGREGATES_SUFFICE,
            proof=replace(
                largest_distance(Rewrite(_LARGER_AT_ROOT, left=_larger_at_root)), defined=(_LEFT_FOR_COUNTS,)
            ),
        ),
        note="Proved of the exact delta in O(1), which is wilkins2024.thm5.4.collapse.",
        domain=Box((EPSILON, DELTA, C_U, MU_O)),
        assumptions=(INTEGER_TAU,),
        quantity=QuantityKind.SCALE,
        falls=("epsilon", "delta"),
        rises=("c_u", "mu_o"),
        privacy=sparse_histogram_at(_with_sigma),
        special_value=_aggregates_infeasible,
        points=(
            {"epsilon": Fraction("0.349"), "delta": Fraction("1e-5"), "c_u": 51914, "mu_o": 0},
            {"epsilon": 700, "delta": Fraction("1e-300"), "c_u": 10**9, "mu_o": 0},
        ),
    ),
)
