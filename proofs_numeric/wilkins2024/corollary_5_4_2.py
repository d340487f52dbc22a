"""Corollary 5.4.2: the least gaps of one row by adding the deltas and exactly, and their ratio."""

from collections.abc import Mapping
from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.box import points
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_4_1 import delta_added
from proofs_numeric.wilkins2024.theorem_5_4.calibrations import answers, infinite_unless, larger_is_delta, least_gap
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact, delta_gaussian, delta_infinite, distance

value, share, eta, rest, row, part_of_row, top, far = symbols("value share eta rest row part top far")
_noise_alone = delta_gaussian(c_u=1)
_left_of_row, _left = delta - _noise_alone, delta - delta_gaussian
ratio_of_gaps = quantile_complement(_left_of_row) / quantile_complement(delta)
"""(5.11): least gap by adding the deltas over the least gap by their maximum, at ``C_u = 1``."""
least_gap_adding = sigma * quantile_complement(_left_of_row)
"""Gap at which ``delta_infinite + delta_Gaussian = delta`` for one row (counts), (A.15)."""
least_gap_exact = sigma * quantile_complement(delta)
"""Gap at which ``delta_infinite = delta`` for one row (counts), (A.16)."""
ratio_any_rows = quantile(exp(1 / c_u * log(1 - delta + delta_gaussian))) / quantile(exp(1 / c_u * log(1 - delta)))
"""``Phi^-1((1 - delta + delta_G)^(1/C_u)) / Phi^-1((1 - delta)^(1/C_u))``: (5.11) at any C_u, as it would print."""
least_gap_adding_any_rows = least_gap(delta=_left)
"""Gap at which ``delta_infinite + delta_Gaussian = delta`` (counts): the exact least gap for what is left."""
_any_gaps_divided = least_gap_adding_any_rows / least_gap

_NOISE_SUFFICES = at_most(_noise_alone, delta)
_SOME_IS_LEFT_OF_ROW, _SOME_IS_LEFT = (at_most(noise, delta, strict=True) for noise in (_noise_alone, delta_gaussian))
_NO_ADDED_GAP, _NOTHING_LEFT = (
    infinite_unless(some, "delta is not above delta_Gaussian: the sum exceeds it at every threshold")
    for some in (_SOME_IS_LEFT_OF_ROW, _SOME_IS_LEFT)
)
_NO_EXACT_GAP = infinite_unless(
    _NOISE_SUFFICES, "delta is below delta_Gaussian: the noise alone exceeds it at every threshold"
)
_one_row_alone = delta_gaussian(c_u=1, mu_o=0)

# --- proofs: at any share of delta that delta_Gaussian takes ----------------------------------------------------------
_SHARE = Parameter("share", "delta_Gaussian/delta", upper=1, open_lower=True, open_upper=True)
_rest = delta - delta * share
_ONE_ROW: Mapping[str, int] = {"c_u": 1}
_PREMISE = Hypothesis()
_mu = distance(rows=c_u)


def _by_share(
    rows: Mapping[str, int],
    others: tuple[Parameter, ...],
    left: Expression,
    right: Expression,
    proof: Tactic,
    room: Tactic = _PREMISE,
) -> Substitute:
    """By the share, which is above 0 as the noise is, and below 1 as delta exceeds it."""
    noise = delta_gaussian(**rows)
    return Substitute(
        Box((*others, _SHARE)), {"share": noise / delta}, proof, left, right,
        {
            "share": product_of(1 / delta, (noise, positive(mu=_mu(**rows)))),
            "share <": product_of(1 / delta, (delta - noise, room)),
        },
    )  # fmt: skip


_q_of_rest, _q_of_all = quantile_complement(_rest), quantile_complement(delta)
_ratio_of_rest = _q_of_rest / _q_of_all
_BELOW_HALF = replace(DELTA, upper="1/2")

# --- proofs: at a row's tails, whose ratio is below one ---------------------------------------------------------------
_row_tail = -expm1(log1p(-delta) / c_u)
"""``1 - (1 - delta)^(1/C_u)``, a row's share of delta: its quantile is the least gap over sigma."""
_row_tail_of_rest = _row_tail(delta=_rest)
_excess = maximum(-_left, _row_tail - lift("1/2"))


def _more_than(first: Expression) -> Tactic:
    """What exceeds ``first`` by a member of the maximum that is below 0."""
    return Through(first - _excess, Hypothesis(), strict_first=True)


_row_tail_of_some = _row_tail(delta=rest)
_SOME = Substitute(
    Box((DELTA, C_U, replace(DELTA, name="rest"))), {"rest": _left}, product_of(1 / _row_tail, _row_tail_of_some),
    lift(0), _row_tail_of_some / _row_tail,
    {"rest": _more_than(lift(0)), "rest <": sum_of(1 - delta, (delta_gaussian, positive(mu=_mu)))},
)  # fmt: skip
_NOT_ALL = _by_share(
    {}, (DELTA, C_U), _row_tail_of_rest / _row_tail, lift(1),
    product_of(1 / _row_tail, (_row_tail - _row_tail_of_rest, Derivative("share", "lower"))), _more_than(lift(0)),
)  # fmt: skip

_q_of_row, _q_of_part = quantile_complement(row), quantile_complement(row * part_of_row)
_ratio_of_part = _q_of_part / _q_of_row


def _by_rows(left: Expression, right: Expression, proof: Tactic) -> Substitute:
    """By the tail of a row, below 1/2, and the part of it that is left for the threshold."""
    return Substitute(
        Box((replace(_BELOW_HALF, name="row"), replace(_SHARE, name="part"))),
        {"row": _row_tail, "part": _row_tail(delta=_left) / _row_tail}, proof, left, right,
        {"row <": _more_than(_row_tail), "part": _SOME, "part <": _NOT_ALL},
    )  # fmt: skip


_delta_of_rest = delta_infinite(gap=least_gap(delta=_rest)) + delta * share
_delta_of_row = delta_infinite(c_u=1, gap=sigma * quantile_complement(_rest)) + delta * share
_ETA = Parameter("eta", "delta - delta_Gaussian", unit="probability", upper="1/10", log=True, open_lower=True)
_tail = Phi(-far)
_noise_and_tail = _one_row_alone + _tail
_q_of_eta, _q_of_top, _q_of_both = map(quantile_complement, (eta, top, top + eta))
_UNBOUNDED = Substitute(
    Box((_ETA, Parameter("top", "delta_Gaussian", upper="2/5", open_lower=True, open_upper=True))),
    {"top": _one_row_alone, "eta": _tail}, product_of(_q_of_eta, 1 / _q_of_top, 1 / _q_of_both, _q_of_top - _q_of_both),
    _q_of_eta / _q_of_top, _q_of_eta / _q_of_both,
    {
        "top": positive(mu=_mu(c_u=1, mu_o=0)),
        "top <": Derivative("epsilon", "lower", at_end=Derivative("sigma", "lower")),
        "eta <": Derivative("far", "lower"),
    },
)  # fmt: skip
"""delta_Gaussian is below 2/5 at epsilon = 0 and sigma = 1, and falls."""

_ANY_SIGMA = Parameter("sigma", SIGMA.description, unit="counts", lower="1e-6", upper=10**6, log=True)
_RATIO_DOMAIN, _ANY_ROWS = Box((EPSILON, DELTA, _ANY_SIGMA, MU_O)), Box((EPSILON, DELTA, C_U, _ANY_SIGMA, MU_O))
_CORRECTED_DOMAIN = Box((EPSILON, _BELOW_HALF, SIGMA, MU_O), _SOME_IS_LEFT_OF_ROW, "delta_Gaussian < delta")
_RATIO_POINTS = points("epsilon delta sigma mu_o", (1, "0.45", 1, 0), ("0.349", "1e-5", 10, 0))
_ANY_ROWS_BOTH = Box(_ANY_ROWS.parameters, at_most(_excess, 0, strict=True), "delta_Gaussian < delta < 1 - 2^-C_u")
_ANY_ROWS_POINTS = points("epsilon delta c_u sigma mu_o", ("0.349", "1e-5", 51914, 2396, 0), (1, "0.7", 3, 3, 0))
"""The first is where the paper's curves are 1% apart."""

CLAIMS = (
    stated(
        "cor5.4.2", "Corollary 5.4.2", "Ratio of the least gaps for one row",
        r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)",
        Identity(
            least_gap_adding / least_gap_exact, ratio_of_gaps,
            proof=_by_share(_ONE_ROW, (_BELOW_HALF,), _ratio_of_rest, _ratio_of_rest, Symbolic()),
        ),
        equation="(5.11)", domain=_CORRECTED_DOMAIN, evaluates=ratio_of_gaps, quantity=QuantityKind.RATIO,
        note="Equality in (A.15) and (A.16), solved by the inverse tail and divided. Below delta_Gaussian no "
        "threshold meets delta either way, and from 1/2 on the exact least gap is not positive.",
        points=_RATIO_POINTS,
    ),
    refuted(
        "cor5.4.2.gt1", "Corollary 5.4.2", "The ratio is always greater than one, as printed",
        r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1", ratio_of_gaps > 1, by="cor5.4.2.gt1.corrected",
        domain=_RATIO_DOMAIN, note="For delta > 1/2 the exact least gap is negative.",
    ),
    own(
        "cor5.4.2.gt1.corrected", "Corollary 5.4.2", "The ratio is greater than one for delta < 1/2",
        r"\Phi^{-1}(1-\delta+\delta_G)/\Phi^{-1}(1-\delta)>1,\quad\delta_G<\delta<1/2", ratio_of_gaps > 1,
        proof=_by_share(
            _ONE_ROW, (_BELOW_HALF,), lift(1), _ratio_of_rest, product_of(1 / _q_of_all, _q_of_rest - _q_of_all),
        ),
        domain=_CORRECTED_DOMAIN,
        note="Q(delta - delta_Gaussian) > Q(delta) > 0, as 0 < delta - delta_Gaussian < delta < 1/2.",
        points=_RATIO_POINTS,
    ),
    stated(
        "cor5.4.2.unb", "Corollary 5.4.2", "The ratio can be arbitrarily large",
        r"\delta=\delta_G+\Phi(-w):\ \text{ratio}=Q(\delta-\delta_G)/Q(\delta)\ge w/Q(\delta_G),\ "
        r"Q(q)=\Phi^{-1}(1-q),\ w\text{ as large as one likes}",
        far / quantile_complement(_one_row_alone) <= quantile_complement(_tail) / quantile_complement(_noise_and_tail),
        proof=_UNBOUNDED,
        domain=(
            EPSILON, Parameter("sigma", SIGMA.description, unit="counts", lower=1, upper=1000, log=True),
            Parameter("far", "quantile w of what is left of delta", lower="13/10", searched=("13/10", 50)),
        ),
        note="sigma >= 1 keeps delta below 1/2.",
    ),
    stated(
        "A.15", "Proof of Corollary 5.4.2", "Least gap by adding the deltas, one row",
        r"\delta-\delta_G\ge1-\Phi((\tau^*-\tau)/\sigma)",
        Calibration(
            formula=least_gap_adding, achieved=delta_added(c_u=1, gap=value),
            by=Achieved("wilkins2024.thm4.1", {"c_u": integer_of(1), "gap": value}),
            achieved_at_least=delta_exact(c_u=1, gap=value), answered=_SOME_IS_LEFT_OF_ROW,
            proof=_by_share(_ONE_ROW, (DELTA, SIGMA), _delta_of_row, delta, Symbolic()),
        ),
        equation="(A.15)", domain=_RATIO_DOMAIN, special_value=_NO_ADDED_GAP, falls=("epsilon", "delta"),
        rises=("mu_o",), privacy=answers(_NO_ADDED_GAP, c_u=1, gap=least_gap_adding), points=_RATIO_POINTS,
    ),
    stated(
        "A.16", "Proof of Corollary 5.4.2", "Least gap by the exact delta, one row",
        r"\delta\ge1-\Phi((\tau^*-\tau)/\sigma)",
        Calibration(
            formula=least_gap_exact, achieved=delta_exact(c_u=1, gap=value),
            by=Achieved("wilkins2024.thm5.4", {"c_u": integer_of(1), "gap": value}), answered=_NOISE_SUFFICES,
            proof=larger_is_delta(_noise_alone),
        ),
        equation="(A.16)", domain=_RATIO_DOMAIN, special_value=_NO_EXACT_GAP, falls=("delta",),
        privacy=answers(_NO_EXACT_GAP, c_u=1, gap=least_gap_exact), points=_RATIO_POINTS,
    ),
    own(
        "cor5.4.2.any", "Corollary 5.4.2", "Ratio of the least gaps for any number of rows",
        r"\Phi^{-1}((1-\delta+\delta_G)^{1/C_u})/\Phi^{-1}((1-\delta)^{1/C_u})",
        Identity(_any_gaps_divided, ratio_any_rows, proof=_by_rows(_ratio_of_part, _ratio_of_part, Symbolic())),
        domain=_ANY_ROWS_BOTH, evaluates=ratio_any_rows, quantity=QuantityKind.RATIO,
        note="The paper has C_u = 1. The gaps are those of wilkins2024.cor5.4.2.any.added and wilkins2024.thm5.4.gap.",
        points=_ANY_ROWS_POINTS, float64_error="0.02",  # a double next to 1 loses digits of its quantile
    ),
    own(
        "cor5.4.2.any.gt1", "Corollary 5.4.2",
        "For any number of rows the ratio is greater than one for delta < 1 - 2^-C_u",
        r"\Phi^{-1}((1-\delta+\delta_G)^{1/C_u})/\Phi^{-1}((1-\delta)^{1/C_u})>1,\quad\delta_G<\delta<1-2^{-C_u}",
        Inequality(
            lift(1), _any_gaps_divided, Relation.LESS,
            proof=_by_rows(lift(1), _ratio_of_part, product_of(1 / _q_of_row, _q_of_part - _q_of_row)),
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
            formula=least_gap_adding_any_rows, achieved=delta_added(gap=value),
            by=Achieved("wilkins2024.thm4.1", {"gap": value}), achieved_at_least=delta_exact(gap=value),
            answered=_SOME_IS_LEFT, proof=_by_share({}, (DELTA, C_U, SIGMA), _delta_of_rest, delta, Symbolic()),
        ),
        domain=_ANY_ROWS, special_value=_NOTHING_LEFT, falls=("epsilon", "delta"), rises=("c_u", "mu_o"),
        privacy=answers(_NOTHING_LEFT, gap=least_gap_adding_any_rows), points=_ANY_ROWS_POINTS,
    ),
)  # fmt: skip
