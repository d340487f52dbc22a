"""Corollary 5.4.2: the least gaps of one row by adding the deltas and exactly, and their ratio."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.enclosure import Order
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, SpecialValue
from proofs_numeric.statements.derivation import Derivation
from proofs_numeric.statements.kinds import Calibration, Identity, Inequality, Relation
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.corollary_5_4_1.adding_the_deltas import add_the_deltas
from proofs_numeric.wilkins2024.neighbours import sparse_histogram_at
from proofs_numeric.wilkins2024.parameters import DELTA, EPSILON, MU_O, SIGMA, ours, printed
from proofs_numeric.wilkins2024.profile_steps import TAIL_STEP
from proofs_numeric.wilkins2024.theorem_5_4.calibrations import answer, certified_order
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import (
    A10_STEP,
    SECOND_AT_ZERO_STEP,
    THIRD_AT_ZERO_STEP,
    delta_exact,
    delta_gaussian,
)


def ratio_of_gaps(A: Arithmetic, *, epsilon: Number, delta: Number, sigma: Number, mu_o: Number) -> Number:
    """(5.11): least gap by adding the deltas over the least gap by their maximum, at ``C_u = 1``."""
    delta = A.number(delta)
    excess = delta - delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=mu_o)
    return normal_quantile_complement(A, excess) / normal_quantile_complement(A, delta)


def least_gap_adding(A: Arithmetic, *, epsilon: Number, delta: Number, sigma: Number, mu_o: Number) -> Number:
    """Gap at which ``delta_infinite + delta_Gaussian = delta`` for one row (counts), (A.15)."""
    excess = A.number(delta) - delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=mu_o)
    return A.number(sigma) * normal_quantile_complement(A, excess)


def least_gap_exact(A: Arithmetic, *, epsilon: Number, delta: Number, sigma: Number, mu_o: Number) -> Number:
    """Gap at which ``delta_infinite = delta`` for one row (counts), (A.16)."""
    return A.number(sigma) * normal_quantile_complement(A, A.number(delta))


def _gaps_divided(A: Arithmetic, **parameters: Any) -> Number:
    return least_gap_adding(A, **parameters) / least_gap_exact(A, **parameters)


def _added(A: Arithmetic, *, value: Number, epsilon: Number, delta: Number, sigma: Number, mu_o: Number) -> Any:
    return add_the_deltas(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=value, mu_o=mu_o)


def _exact(A: Arithmetic, *, value: Number, epsilon: Number, delta: Number, sigma: Number, mu_o: Number) -> Number:
    return delta_exact(A, epsilon=epsilon, c_u=1, sigma=sigma, gap=value, mu_o=mu_o)


def _order_of_delta(epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> Order:
    return certified_order(
        lambda A, **p: A.number(p["delta"]),
        lambda A, **p: delta_gaussian(A, epsilon=p["epsilon"], c_u=1, sigma=p["sigma"], mu_o=p["mu_o"]),
        {"epsilon": epsilon, "delta": delta, "sigma": sigma, "mu_o": mu_o},
    )


def _no_ratio(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if delta == Fraction(1, 2):
        return SpecialValue("undefined", "at delta = 1/2 the exact least gap is 0: (5.11) divides by zero")
    order = _order_of_delta(epsilon, delta, sigma, mu_o)
    if order is Order.LESS:
        return SpecialValue("undefined", "delta is below delta_Gaussian: no threshold meets it either way")
    if order is not Order.GREATER:
        return SpecialValue("infinity", "delta equals delta_Gaussian to 1024 bits: adding needs more")
    return None


def _no_added_gap(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if _order_of_delta(epsilon, delta, sigma, mu_o) is Order.GREATER:
        return None
    return SpecialValue("infinity", "delta is not above delta_Gaussian: the sum exceeds it at every threshold")


def _no_exact_gap(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if _order_of_delta(epsilon, delta, sigma, mu_o) is not Order.LESS:
        return None
    return SpecialValue("infinity", "delta is below delta_Gaussian: the noise alone exceeds it at every threshold")


def _with_added_gap(
    *, epsilon: Value, delta: Value, sigma: Value, mu_o: Value = 0, **_others: Value
) -> Mapping[str, Value]:
    own = {"epsilon": epsilon, "delta": delta, "sigma": sigma, "mu_o": mu_o}
    return {"c_u": 1, "gap": answer(least_gap_adding, _no_added_gap(**own), **own)}


def _with_exact_gap(
    *, epsilon: Value, delta: Value, sigma: Value, mu_o: Value = 0, **_others: Value
) -> Mapping[str, Value]:
    own = {"epsilon": epsilon, "delta": delta, "sigma": sigma, "mu_o": mu_o}
    return {"c_u": 1, "gap": answer(least_gap_exact, _no_exact_gap(**own), **own)}


def _one_of_ratio(A: Arithmetic, *, epsilon: Number, delta: Number, sigma: Number, mu_o: Number) -> Number:
    return A.number(1)


def _ratio_near_gaussian(A: Arithmetic, *, epsilon: Number, sigma: Number, eta: Number) -> Number:
    top = delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=0)
    eta = A.number(eta)
    return normal_quantile_complement(A, eta) / normal_quantile_complement(A, top + eta)


def _ratio_lower(A: Arithmetic, *, epsilon: Number, sigma: Number, eta: Number) -> Number:
    top = delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=0)
    return normal_quantile_complement(A, A.number(eta)) / normal_quantile_complement(A, top)


_RATIO_DOMAIN = Box(
    (EPSILON, DELTA, Parameter("sigma", SIGMA.description, unit="counts", lower="1e-6", upper=10**6, log=True), MU_O)
)

_BELOW_HALF = Parameter(
    "delta", "target delta", unit="probability", upper="1/2", log=True, open_lower=True, open_upper=True
)

_CORRECTED_DOMAIN = Box((EPSILON, _BELOW_HALF, SIGMA, MU_O))

_RATIO_POINTS: tuple[Mapping[str, Value], ...] = (
    {"epsilon": 1, "delta": Fraction("0.45"), "sigma": 1, "mu_o": 0},
    {"epsilon": Fraction("0.349"), "delta": Fraction("1e-5"), "sigma": 10, "mu_o": 0},
)

CLAIMS = (
    Claim(
        id="wilkins2024.cor5.4.2",
        source=printed("Corollary 5.4.2", "(5.11)"),
        title="Ratio of the least gaps for one row",
        statement=r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)",
        kind=Identity(
            _gaps_divided,
            ratio_of_gaps,
            proof=Derivation((TAIL_STEP, SECOND_AT_ZERO_STEP, THIRD_AT_ZERO_STEP)),
        ),
        domain=_RATIO_DOMAIN,
        evaluates=ratio_of_gaps,
        special_value=_no_ratio,
        quantity=QuantityKind.RATIO,
        note="Equality in (A.15) and (A.16), solved by the inverse tail and divided. The larger gap over the smaller "
        "one only for delta_Gaussian < delta < 1/2.",
        points=_RATIO_POINTS,
    ),
    Claim(
        id="wilkins2024.cor5.4.2.gt1",
        source=printed("Corollary 5.4.2"),
        title="The ratio is always greater than one, as printed",
        statement=r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1",
        kind=Inequality(_one_of_ratio, ratio_of_gaps, Relation.LESS),
        domain=_RATIO_DOMAIN,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.cor5.4.2.gt1.corrected",
        note="For delta > 1/2 the exact least gap is negative.",
    ),
    Claim(
        id="wilkins2024.cor5.4.2.gt1.corrected",
        source=ours("Corollary 5.4.2"),
        title="The ratio is greater than one for delta < 1/2",
        statement=r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1,\quad\delta_G<\delta<1/2",
        kind=Inequality(_one_of_ratio, ratio_of_gaps, Relation.LESS, proof=Derivation((TAIL_STEP, A10_STEP))),
        domain=_CORRECTED_DOMAIN,
        note="Q(delta - delta_Gaussian) > Q(delta) > 0, as 0 < delta - delta_Gaussian < delta < 1/2. Points with delta "
        "below delta_Gaussian have no ratio and are passed over.",
        points=_RATIO_POINTS,
    ),
    Claim(
        id="wilkins2024.cor5.4.2.unb",
        source=printed("Corollary 5.4.2"),
        title="The ratio can be arbitrarily large",
        statement=r"\delta=\delta_G+\eta:\ \text{ratio}\ge Q(\eta)/Q(\delta_G)\to\infty\ (\eta\to0),"
        r"\ Q(q)=\Phi^{-1}(1-q)",
        kind=Inequality(_ratio_lower, _ratio_near_gaussian, proof=Derivation((TAIL_STEP,))),
        domain=Box(
            (
                EPSILON,
                Parameter("sigma", SIGMA.description, unit="counts", lower=1, upper=1000, log=True),
                Parameter("eta", "delta - delta_Gaussian", unit="probability", upper="1/10", log=True, open_lower=True),
            )
        ),
        note="sigma >= 1 keeps delta below 1/2.",
    ),
    Claim(
        id="wilkins2024.A.15",
        source=printed("Proof of Corollary 5.4.2", "(A.15)"),
        title="Least gap by adding the deltas, one row",
        statement=r"\delta-\delta_G\ge1-\Phi((\tau^*-\tau)/\sigma)",
        kind=Calibration(formula=least_gap_adding, achieved=_added, achieved_at_least=_exact),
        domain=_RATIO_DOMAIN,
        special_value=_no_added_gap,
        quantity=QuantityKind.THRESHOLD,
        falls=("epsilon", "delta"),
        rises=("mu_o",),
        privacy=sparse_histogram_at(_with_added_gap),
        role=Role.CALIBRATION,
        points=_RATIO_POINTS,
    ),
    Claim(
        id="wilkins2024.A.16",
        source=printed("Proof of Corollary 5.4.2", "(A.16)"),
        title="Least gap by the exact delta, one row",
        statement=r"\delta\ge1-\Phi((\tau^*-\tau)/\sigma)",
        kind=Calibration(formula=least_gap_exact, achieved=_exact),
        domain=_RATIO_DOMAIN,
        special_value=_no_exact_gap,
        quantity=QuantityKind.THRESHOLD,
        falls=("delta",),
        privacy=sparse_histogram_at(_with_exact_gap),
        role=Role.CALIBRATION,
        points=_RATIO_POINTS,
    ),
)
