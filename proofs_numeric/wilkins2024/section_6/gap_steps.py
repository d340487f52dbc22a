"""Proofs about the gaps of the case study: the less of delta is left for the threshold, the larger the least gap.

A gap is read at a row's tail ``1 - (1 - d)^(1/C_u)`` of what is left, ``d``; of two, the less is a part of the more.
"""

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.section_6.curves import *

ABOVE_LEAST = Parameter("sigma", "noise above the least possible", "counts", 2229, 10**6, log=True)


def _open(name: str, upper: str | int = 1) -> Parameter:
    return Parameter(name, "", upper=upper, open_lower=True, open_upper=True)


rest, share, row, far, u, v, delta_2, sigma_2, mu_o_2 = symbols("rest part row far u v delta_2 sigma_2 mu_o_2")
_MORE = -expm1(log1p(-rest) / c_u)
"""``1 - (1 - d)^(1/C_u)``."""
_LESS = _MORE(rest=rest * share)
_OF_STUDY = _MORE(c_u=C_U_STUDY)
_ZERO, _ONE = lift(0), lift(1)


def larger(
    left: Expression,
    right: Expression,
    proof: Tactic,
    some: tuple[tuple[Expression, Tactic], tuple[Expression, Tactic]],
    below_one: Tactic,
    grows: Tactic,
    parameters: tuple[Parameter, ...] = (),
) -> Substitute:
    """By the tails of all of delta, ``row``, of what is left of it, ``far``, and of less, which is a ``part`` of that.

    ``some``: less and more that is left, each with the proof that it is positive; ``below_one``: that the more is below
    one; ``grows``: that it is more.
    """
    (less, some_less), (more, some_more) = some
    range_of_more = {"rest": some_more, "rest <": below_one}
    halves = (Parameter("u", "", open_lower=True), Parameter("v", "", open_lower=True))
    positive = Substitute(Box(halves), {"u": less, "v": more}, Sign(), _ZERO, u / v, {"u": some_less, "v": some_more})
    below = Substitute(
        Box(halves), {"u": less, "v": more - less}, Sign(), u / (u + v), _ONE, {"u": some_less, "v": grows}
    )

    def alone(first: Expression, second: Expression) -> Substitute:
        box = Box((C_U, _open("rest")))
        return Substitute(box, {"c_u": lift(C_U_STUDY), "rest": more}, Sign(), first, second, range_of_more)

    def both(first: Expression, second: Expression, part: Part) -> Substitute:
        box, new = Box((C_U, _open("rest"), _open("part"))), {"c_u": lift(C_U_STUDY), "rest": more, "part": less / more}
        ranges = {**range_of_more, "part": positive, "part <": below}
        return Substitute(box, new, product_of(1 / _MORE, part), first, second, ranges)

    return Substitute(
        Box((*parameters, _open("row", "1/2"), _open("far"), _open("part"))),
        {
            "row": _OF_STUDY(rest=DELTA_STUDY), "far": _OF_STUDY(rest=more),
            "part": _OF_STUDY(rest=less) / _OF_STUDY(rest=more),
        },
        proof, left, right,
        {
            "far": alone(_ZERO, _MORE), "far <": alone(_MORE, _ONE), "part": both(_ZERO, _LESS / _MORE, Part(_LESS)),
            "part <": both(_LESS / _MORE, _ONE, Part(_MORE - _LESS, Derivative("part", "upper"))),
        },
    )  # fmt: skip


_ALL, _OF_MORE, _OF_LESS = map(quantile_complement, (row, far, far * share))
_LONGER = _OF_LESS - _OF_MORE
QUANTILE = Ordered(
    larger(_OF_MORE, _OF_LESS, product_of(_LONGER), ((delta, Sign()), (delta_2, Sign())), Sign(), Hypothesis())
)
"""z(d) falls strictly."""


# --- what the noise leaves --------------------------------------------------------------------------------------------
def _spent(mu: Expression) -> Expression:
    return profile(EPSILON_STUDY, mu)


def _spends_more(first: Expression, second: Expression, proof: Tactic) -> ByClaim:
    at = {"mu": first, "mu_2": second, "epsilon": lift(EPSILON_STUDY)}
    return ByClaim("wilkins2024.thm2.2.mono", at, {"mu < mu_2": proof})


def _some_left(mu: Expression, most: Expression, below: Tactic) -> tuple[Expression, Tactic]:
    """What is left at a distance, and that it is more than at the largest, where it is some."""
    more = _spent(most) - _spent(mu), _spends_more(mu, most, below)
    return DELTA_STUDY - _spent(mu), sum_of(DELTA_STUDY - _spent(most), more)


def _spends_some(mu: Expression) -> ByClaim:
    return positive(mu=mu, epsilon=lift(EPSILON_STUDY))


def _not_all(mu: Expression) -> Tactic:
    return sum_of(1 - DELTA_STUDY, (_spent(mu), _spends_some(mu)))


_LEAST_DISTANCE = lift("0.10224")
"""Below the distance at which the Gaussian mechanism meets (0.349, 1e-5), 0.102242..."""
_alone, _columns_alone = study_distance(mu_o=0), sqrt(C_U_STUDY) * mu_o
_quieter, _more_columns, _loudest = _alone(sigma=sigma_2), study_distance(mu_o=mu_o_2), _alone(sigma=2229)
FEASIBLE = at_most(study_distance, _LEAST_DISTANCE, strict=True)
_RATIO = product_of(1 / _ALL, _LONGER)
_FURTHER = Increasing("sqrt", _columns_alone * _columns_alone, study_distance * study_distance)
_WIDER = product_of(C_U_STUDY * (mu_o + mu_o_2), (mu_o_2 - mu_o, Hypothesis()))
STRICT = larger(
    _OF_MORE * sigma, _OF_LESS * sigma, product_of(sigma, _LONGER),
    (_some_left(_alone, _loudest, Sign()), (lift(DELTA_STUDY), Sign())), Sign(), _spends_some(_alone), (ABOVE_LEAST,),
)  # fmt: skip
"""The exact gap is the smaller: delta_Gaussian is positive, and below delta at the least sigma."""
CONVERGES = Ordered(
    larger(
        _OF_MORE / _ALL, _OF_LESS / _ALL, _RATIO,
        (_some_left(_alone, _loudest, Sign()), _some_left(_quieter, _loudest, Sign())), _not_all(_quieter),
        _spends_more(
            _quieter, _alone, product_of(sqrt(C_U_STUDY) / (sigma * sigma_2), (sigma_2 - sigma, Hypothesis()))
        ),
    )
)  # fmt: skip
"""The larger sigma leaves more."""
ABOVE_LIMIT = larger(
    _OF_MORE / _ALL, _OF_LESS / _ALL, _RATIO,
    (
        _some_left(study_distance, _LEAST_DISTANCE, Hypothesis()),
        _some_left(_columns_alone, _LEAST_DISTANCE, Through(study_distance, _FURTHER, Hypothesis())),
    ),
    _not_all(_columns_alone), _spends_more(_columns_alone, study_distance, _FURTHER),
)  # fmt: skip
"""The other columns alone leave more."""
COLUMNS = Ordered(
    larger(
        _OF_MORE * sigma - _ALL * sigma, _OF_LESS * sigma - _ALL * sigma, product_of(sigma, _LONGER),
        (
            _some_left(_more_columns, _LEAST_DISTANCE, Hypothesis()),
            _some_left(study_distance, _LEAST_DISTANCE, Hypothesis()),
        ),
        _not_all(study_distance),
        _spends_more(
            study_distance, _more_columns,
            Increasing("sqrt", study_distance * study_distance, _more_columns * _more_columns, _WIDER),
        ),
        (ABOVE_LEAST,),
    )
)  # fmt: skip
"""The larger mu_o leaves less."""
