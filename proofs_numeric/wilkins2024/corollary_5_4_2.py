"""Corollary 5.4.2: the least gaps of one row by adding the deltas and exactly, and their ratio."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.enclosure import Order
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.special import normal_quantile, normal_quantile_complement
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, SpecialValue
from proofs_numeric.statements.constants import integer_of, one, parameter_named, zero
from proofs_numeric.statements.kinds import Achieved, AtMost, Calibration, Identity, Inequality, Relation
from proofs_numeric.statements.tactics import (
    Both,
    ByClaim,
    Derivative,
    Given,
    Maximum,
    Part,
    Product,
    Sign,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)
from proofs_numeric.wilkins2024.corollary_5_4_1.adding_the_deltas import add_the_deltas
from proofs_numeric.wilkins2024.neighbours import sparse_histogram_at
from proofs_numeric.wilkins2024.parameters import C_U, DELTA, EPSILON, MU_O, SIGMA, own, refuted, stated
from proofs_numeric.wilkins2024.profile_roots import target
from proofs_numeric.wilkins2024.theorem_5_4.calibrations import answer, certified_order, least_gap
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact, delta_gaussian, delta_infinite, distance


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


def ratio_any_rows(A: Arithmetic, *, epsilon: Number, delta: Number, c_u: int, sigma: Number, mu_o: Number) -> Number:
    """``Phi^-1((1 - delta + delta_G)^(1/C_u)) / Phi^-1((1 - delta)^(1/C_u))``: (5.11) at any C_u, as it would print."""
    kept = 1 - A.number(delta)
    added = kept + delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)
    root = A.number(1) / c_u
    return normal_quantile(A, A.exp(root * A.log(added))) / normal_quantile(A, A.exp(root * A.log(kept)))


def least_gap_adding_any_rows(
    A: Arithmetic, *, epsilon: Number, delta: Number, c_u: int, sigma: Number, mu_o: Number
) -> Number:
    """Gap at which ``delta_infinite + delta_Gaussian = delta`` (counts): the exact least gap for what is left."""
    excess = A.number(delta) - delta_gaussian(A, epsilon=epsilon, c_u=c_u, sigma=sigma, mu_o=mu_o)
    return least_gap(A, delta=excess, c_u=c_u, sigma=sigma)


def _any_gaps_divided(A: Arithmetic, *, delta: Number, c_u: int, sigma: Number, **rest: Any) -> Number:
    added = least_gap_adding_any_rows(A, delta=delta, c_u=c_u, sigma=sigma, **rest)
    return added / least_gap(A, delta=delta, c_u=c_u, sigma=sigma)


def _added_any_rows(A: Arithmetic, *, value: Number, delta: Number, **rest: Any) -> Any:
    return add_the_deltas(A, gap=value, **rest)


def _exact_any_rows(A: Arithmetic, *, value: Number, delta: Number, **rest: Any) -> Number:
    return delta_exact(A, gap=value, **rest)


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


def _no_added_gap(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if _order_of_delta(epsilon, delta, sigma, mu_o) is Order.GREATER:
        return None
    return SpecialValue("infinity", "delta is not above delta_Gaussian: the sum exceeds it at every threshold")


def _noise_alone(A: Arithmetic, *, delta: Number, **rest: Any) -> Any:
    return delta_gaussian(A, c_u=1, **rest)


_NOISE_SUFFICES = AtMost(_noise_alone, target)
_LARGER_IS_DELTA = Both(Maximum((Part(target, Symbolic()), Part(_noise_alone, Given()))), Sign())


def _no_exact_gap(*, epsilon: Value, delta: Value, sigma: Value, mu_o: Value) -> SpecialValue | None:
    if _NOISE_SUFFICES(epsilon=epsilon, delta=delta, sigma=sigma, mu_o=mu_o):
        return None
    return SpecialValue("infinity", "delta is below delta_Gaussian: the noise alone exceeds it at every threshold")


def _gaussian_of_rows(A: Arithmetic, *, delta: Number, **rows: Any) -> Any:
    return delta_gaussian(A, **rows)


_SOME_IS_LEFT = AtMost(_gaussian_of_rows, target, strict=True)


def _nothing_left(**parameters: Value) -> SpecialValue | None:
    if _SOME_IS_LEFT(**parameters):
        return None
    return SpecialValue("infinity", "delta is not above delta_Gaussian: the sum exceeds it at every threshold")


def _with_gap_of_any_rows(
    *, epsilon: Value, delta: Value, c_u: Value, sigma: Value, mu_o: Value = 0, **_others: Value
) -> Mapping[str, Value]:
    own = {"epsilon": epsilon, "delta": delta, "c_u": c_u, "sigma": sigma, "mu_o": mu_o}
    return {"gap": answer(least_gap_adding_any_rows, _nothing_left(**own), **own)}


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


def _ratio_near_gaussian(A: Arithmetic, *, epsilon: Number, sigma: Number, eta: Number) -> Number:
    top = delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=0)
    eta = A.number(eta)
    return normal_quantile_complement(A, eta) / normal_quantile_complement(A, top + eta)


def _ratio_lower(A: Arithmetic, *, epsilon: Number, sigma: Number, eta: Number) -> Number:
    top = delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=0)
    return normal_quantile_complement(A, A.number(eta)) / normal_quantile_complement(A, top)


# --- proofs: at any share of delta that delta_Gaussian takes ----------------------------------------------------------


def _quantile_at(x: Formula) -> Formula:
    return lambda A, **at: normal_quantile_complement(A, x(A, **at))


def _less(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) - second(A, **at)


def _per(x: Formula) -> Formula:
    return lambda A, **at: 1 / A.number(x(A, **at))


def _rows_distance(A: Arithmetic, *, sigma: Number, mu_o: Number = 0, c_u: Number = 1, **_rest: Any) -> Number:
    return distance(A, rows=c_u, sigma=sigma, mu_o=mu_o)


_POSITIVE = ByClaim("wilkins2024.thm2.2.positive", {"mu": _rows_distance})
_SHARE = Parameter("share", "delta_Gaussian/delta", upper=1, open_lower=True, open_upper=True)


def _rest(A: Arithmetic, *, delta: Number, share: Number, **_rows: Any) -> Number:
    return delta - A.number(delta) * share


_GIVEN = Given()


def _by_share(
    noise: Formula, others: tuple[Parameter, ...], left: Formula, right: Formula, proof: Tactic, room: Tactic = _GIVEN
) -> Substitute:
    """By the share, which is above 0 as the noise is, and below 1 as delta exceeds it."""
    return Substitute(
        Box((*others, _SHARE)),
        {"share": lambda A, **at: noise(A, **at) / target(A, **at)},
        proof,
        left,
        right,
        {
            "share": Product((Part(_per(target)), Part(noise, _POSITIVE))),
            "share <": Product((Part(_per(target)), Part(_less(target, noise), room))),
        },
    )


_Q_OF_REST, _Q_OF_ALL = _quantile_at(_rest), _quantile_at(target)


def _ratio_of_rest(A: Arithmetic, **at: Any) -> Any:
    return _Q_OF_REST(A, **at) / _Q_OF_ALL(A, **at)


_BELOW_HALF = Parameter(
    "delta", "target delta", unit="probability", upper="1/2", log=True, open_lower=True, open_upper=True
)
_GREATER = _by_share(
    _noise_alone,
    (_BELOW_HALF,),
    one,
    _ratio_of_rest,
    Product((Part(_per(_Q_OF_ALL)), Part(_less(_Q_OF_REST, _Q_OF_ALL)))),
)


# --- proofs: at a row's tails, whose ratio is below one ---------------------------------------------------------------


def _row_tail(A: Arithmetic, *, delta: Number, c_u: Number, **_rest: Any) -> Number:
    """``1 - (1 - delta)^(1/C_u)``, a row's share of delta: its quantile is the least gap over sigma."""
    return -A.expm1(A.log1p(-A.number(delta)) / c_u)


def _left(A: Arithmetic, **at: Any) -> Any:
    return target(A, **at) - _gaussian_of_rows(A, **at)


def _row_tail_of_left(A: Arithmetic, *, c_u: Number, **at: Any) -> Number:
    return _row_tail(A, delta=_left(A, c_u=c_u, **at), c_u=c_u)


def _row_tail_of_rest(A: Arithmetic, *, c_u: Number, **at: Any) -> Number:
    return _row_tail(A, delta=_rest(A, **at), c_u=c_u)


def _excess(A: Arithmetic, **at: Any) -> Number:
    return A.maximum(-_left(A, **at), _row_tail(A, **at) - A.number(Fraction(1, 2)))


_BOTH_POSITIVE = AtMost(_excess, zero, strict=True)


def _more_than(first: Formula) -> Tactic:
    """What exceeds ``first`` by a member of the maximum that is below 0."""
    return Through(lambda A, **at: first(A, **at) - _excess(A, **at), Given(), strict_first=True)


def _over(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) / second(A, **at)


_PER_ROW = Part(_per(_row_tail))
_SOME = Substitute(
    Box((DELTA, C_U, replace(DELTA, name="rest"))),
    {"rest": _left},
    Product((_PER_ROW, Part(lambda A, *, rest, c_u, **_at: _row_tail(A, delta=rest, c_u=c_u)))),
    zero,
    lambda A, *, rest, c_u, **at: _row_tail(A, delta=rest, c_u=c_u) / _row_tail(A, c_u=c_u, **at),
    {
        "rest": _more_than(zero),
        "rest <": Sum((Part(lambda A, *, delta, **_at: 1 - A.number(delta)), Part(_gaussian_of_rows, _POSITIVE))),
    },
)
_NOT_ALL = _by_share(
    _gaussian_of_rows,
    (DELTA, C_U),
    _over(_row_tail_of_rest, _row_tail),
    one,
    Product((_PER_ROW, Part(_less(_row_tail, _row_tail_of_rest), Derivative("share", "lower")))),
    _more_than(zero),
)

_Q_OF_ROW = _quantile_at(lambda A, *, row, **_part: A.number(row))
_Q_OF_PART = _quantile_at(lambda A, *, row, part: A.number(row) * part)
_ratio_of_part = _over(_Q_OF_PART, _Q_OF_ROW)


def _by_rows(left: Formula, right: Formula, proof: Tactic) -> Substitute:
    """By the tail of a row, below 1/2, and the part of it that is left for the threshold."""
    return Substitute(
        Box((replace(_BELOW_HALF, name="row"), replace(_SHARE, name="part"))),
        {"row": _row_tail, "part": _over(_row_tail_of_left, _row_tail)},
        proof,
        left,
        right,
        {"row <": _more_than(_row_tail), "part": _SOME, "part <": _NOT_ALL},
    )


def _delta_of_rest(A: Arithmetic, *, delta: Number, c_u: int, sigma: Number, share: Number) -> Number:
    gap = least_gap(A, delta=_rest(A, delta=delta, share=share), c_u=c_u, sigma=sigma)
    return delta_infinite(A, c_u=c_u, sigma=sigma, gap=gap) + A.number(delta) * share


def _delta_of_row(A: Arithmetic, *, delta: Number, sigma: Number, share: Number) -> Number:
    gap = A.number(sigma) * normal_quantile_complement(A, _rest(A, delta=delta, share=share))
    return delta_infinite(A, c_u=1, sigma=sigma, gap=gap) + A.number(delta) * share


_ADDED = _by_share(_gaussian_of_rows, (DELTA, C_U, SIGMA), _delta_of_rest, target, Symbolic())


def _top(A: Arithmetic, *, epsilon: Number, sigma: Number, **_eta: Any) -> Any:
    return delta_gaussian(A, epsilon=epsilon, c_u=1, sigma=sigma, mu_o=0)


_ETA = Parameter("eta", "delta - delta_Gaussian", unit="probability", upper="1/10", log=True, open_lower=True)
_Q_OF_ETA = _quantile_at(lambda A, *, eta, **_top: A.number(eta))
_Q_OF_TOP = _quantile_at(lambda A, *, top, **_eta: A.number(top))
_Q_OF_BOTH = _quantile_at(lambda A, *, top, eta: A.number(top) + eta)
_UNBOUNDED = Substitute(
    Box((_ETA, Parameter("top", "delta_Gaussian", upper="2/5", open_lower=True, open_upper=True))),
    {"top": _top},
    Product((Part(_Q_OF_ETA), Part(_per(_Q_OF_TOP)), Part(_per(_Q_OF_BOTH)), Part(_less(_Q_OF_TOP, _Q_OF_BOTH)))),
    lambda A, **at: _Q_OF_ETA(A, **at) / _Q_OF_TOP(A, **at),
    lambda A, **at: _Q_OF_ETA(A, **at) / _Q_OF_BOTH(A, **at),
    {"top": _POSITIVE, "top <": Derivative("epsilon", "lower", at_end=Derivative("sigma", "lower"))},
)
"""delta_Gaussian is below 2/5 at epsilon = 0 and sigma = 1, and falls."""

_RATIO_DOMAIN = Box(
    (EPSILON, DELTA, Parameter("sigma", SIGMA.description, unit="counts", lower="1e-6", upper=10**6, log=True), MU_O)
)

_CORRECTED_DOMAIN = Box(
    (EPSILON, _BELOW_HALF, SIGMA, MU_O), AtMost(_noise_alone, target, strict=True), "delta_Gaussian < delta"
)

_RATIO_POINTS: tuple[Mapping[str, Value], ...] = (
    {"epsilon": 1, "delta": Fraction("0.45"), "sigma": 1, "mu_o": 0},
    {"epsilon": Fraction("0.349"), "delta": Fraction("1e-5"), "sigma": 10, "mu_o": 0},
)

_ANY_ROWS = Box((*_RATIO_DOMAIN.parameters[:2], C_U, *_RATIO_DOMAIN.parameters[2:]))

_ANY_ROWS_BOTH = replace(_ANY_ROWS, constraint=_BOTH_POSITIVE, constraint_text="delta_Gaussian < delta < 1 - 2^-C_u")

_ANY_ROWS_POINTS: tuple[Mapping[str, Value], ...] = (
    {"epsilon": Fraction("0.349"), "delta": Fraction("1e-5"), "c_u": 51914, "sigma": 2396, "mu_o": 0},
    {"epsilon": 1, "delta": Fraction("0.7"), "c_u": 3, "sigma": 3, "mu_o": 0},
)
"""The first is where the paper's curves are 1% apart."""

CLAIMS = (
    stated(
        "cor5.4.2", "Corollary 5.4.2", "Ratio of the least gaps for one row",
        r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)",
        Identity(
            _gaps_divided, ratio_of_gaps,
            proof=_by_share(_noise_alone, (_BELOW_HALF,), _ratio_of_rest, _ratio_of_rest, Symbolic()),
        ),
        equation="(5.11)", domain=_CORRECTED_DOMAIN, evaluates=ratio_of_gaps, quantity=QuantityKind.RATIO,
        note="Equality in (A.15) and (A.16), solved by the inverse tail and divided. Below delta_Gaussian no "
        "threshold meets delta either way, and from 1/2 on the exact least gap is not positive.",
        points=_RATIO_POINTS,
    ),
    refuted(
        "cor5.4.2.gt1", "Corollary 5.4.2", "The ratio is always greater than one, as printed",
        r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1", Inequality(one, ratio_of_gaps, Relation.LESS),
        by="cor5.4.2.gt1.corrected", domain=_RATIO_DOMAIN, note="For delta > 1/2 the exact least gap is negative.",
    ),
    own(
        "cor5.4.2.gt1.corrected", "Corollary 5.4.2", "The ratio is greater than one for delta < 1/2",
        r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1,\quad\delta_G<\delta<1/2",
        Inequality(one, ratio_of_gaps, Relation.LESS, proof=_GREATER), domain=_CORRECTED_DOMAIN,
        note="Q(delta - delta_Gaussian) > Q(delta) > 0, as 0 < delta - delta_Gaussian < delta < 1/2.",
        points=_RATIO_POINTS,
    ),
    stated(
        "cor5.4.2.unb", "Corollary 5.4.2", "The ratio can be arbitrarily large",
        r"\delta=\delta_G+\eta:\ \text{ratio}\ge Q(\eta)/Q(\delta_G)\to\infty\ (\eta\to0),\ Q(q)=\Phi^{-1}(1-q)",
        Inequality(_ratio_lower, _ratio_near_gaussian, proof=_UNBOUNDED),
        domain=Box(
            (EPSILON, Parameter("sigma", SIGMA.description, unit="counts", lower=1, upper=1000, log=True), _ETA),
        ),
        note="sigma >= 1 keeps delta below 1/2.",
    ),
    stated(
        "A.15", "Proof of Corollary 5.4.2", "Least gap by adding the deltas, one row",
        r"\delta-\delta_G\ge1-\Phi((\tau^*-\tau)/\sigma)",
        Calibration(
            formula=least_gap_adding, achieved=_added,
            by=Achieved("wilkins2024.thm4.1", {"c_u": integer_of(1), "gap": parameter_named("value")}),
            achieved_at_least=_exact, answered=replace(_NOISE_SUFFICES, strict=True),
            proof=_by_share(_noise_alone, (DELTA, SIGMA), _delta_of_row, target, Symbolic()),
        ),
        equation="(A.15)", domain=_RATIO_DOMAIN, special_value=_no_added_gap, falls=("epsilon", "delta"),
        rises=("mu_o",), privacy=sparse_histogram_at(_with_added_gap), points=_RATIO_POINTS,
    ),
    stated(
        "A.16", "Proof of Corollary 5.4.2", "Least gap by the exact delta, one row",
        r"\delta\ge1-\Phi((\tau^*-\tau)/\sigma)",
        Calibration(
            formula=least_gap_exact, achieved=_exact,
            by=Achieved("wilkins2024.thm5.4", {"c_u": integer_of(1), "gap": parameter_named("value")}),
            answered=_NOISE_SUFFICES, proof=_LARGER_IS_DELTA,
        ),
        equation="(A.16)", domain=_RATIO_DOMAIN, special_value=_no_exact_gap, falls=("delta",),
        privacy=sparse_histogram_at(_with_exact_gap), points=_RATIO_POINTS,
    ),
    own(
        "cor5.4.2.any", "Corollary 5.4.2", "Ratio of the least gaps for any number of rows",
        r"\Phi^{-1}((1-\delta+\delta_G)^{1/C_u})/\Phi^{-1}((1-\delta)^{1/C_u})",
        Identity(_any_gaps_divided, ratio_any_rows, proof=_by_rows(_ratio_of_part, _ratio_of_part, Symbolic())),
        domain=_ANY_ROWS_BOTH, evaluates=ratio_any_rows, quantity=QuantityKind.RATIO,
        note="The paper has C_u = 1. The gaps are those of wilkins2024.cor5.4.2.any.added and wilkins2024.thm5.4.gap.",
        points=_ANY_ROWS_POINTS,
    ),
    own(
        "cor5.4.2.any.gt1", "Corollary 5.4.2",
        "For any number of rows the ratio is greater than one for delta < 1 - 2^-C_u",
        r"\Phi^{-1}((1-\delta+\delta_G)^{1/C_u})/\Phi^{-1}((1-\delta)^{1/C_u})>1,\quad\delta_G<\delta<1-2^{-C_u}",
        Inequality(
            one, _any_gaps_divided, Relation.LESS,
            proof=_by_rows(one, _ratio_of_part, Product((Part(_per(_Q_OF_ROW)), Part(_less(_Q_OF_PART, _Q_OF_ROW))))),
        ),
        domain=_ANY_ROWS_BOTH,
        note="delta_Gaussian > 0 leaves less for the threshold, and (1 - x)^(1/C_u) and Phi^-1 are monotone; the "
        "exact gap, the divisor, is positive for delta < 1 - 2^-C_u. The range grows with C_u: the paper's 1/2 is one "
        "row's.",
        points=_ANY_ROWS_POINTS,
    ),
    own(
        "cor5.4.2.any.added", "Proof of Corollary 5.4.2", "Least gap by adding the deltas, any number of rows",
        r"\tau^*-\tau=\sigma\Phi^{-1}((1-\delta+\delta_G)^{1/C_u})",
        Calibration(
            formula=least_gap_adding_any_rows, achieved=_added_any_rows,
            by=Achieved("wilkins2024.thm4.1", {"gap": parameter_named("value")}), achieved_at_least=_exact_any_rows,
            answered=_SOME_IS_LEFT, proof=_ADDED,
        ),
        domain=_ANY_ROWS, special_value=_nothing_left, falls=("epsilon", "delta"), rises=("c_u", "mu_o"),
        privacy=sparse_histogram_at(_with_gap_of_any_rows), points=_ANY_ROWS_POINTS,
    ),
)  # fmt: skip
