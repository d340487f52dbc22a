"""Proofs about the gaps of the case study: the less of delta is left for the threshold, the larger the least gap.

A gap is read at a row's tail ``1 - (1 - d)^(1/C_u)`` of what is left, ``d``; of two, the less is a part of the more.
"""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.special import gaussian_profile, normal_quantile_complement
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, parameter_named, zero
from proofs_numeric.statements.kinds import AtMost
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Given,
    Increasing,
    Ordered,
    Part,
    Product,
    Sign,
    Substitute,
    Sum,
    Tactic,
    Through,
)
from proofs_numeric.wilkins2024.parameters import C_U
from proofs_numeric.wilkins2024.section_6.curves import C_U_STUDY, DELTA_STUDY, EPSILON_STUDY
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import distance

ABOVE_LEAST = Parameter("sigma", "noise above the least possible", "counts", 2229, 10**6, log=True)


def _open(name: str, upper: str | int = 1) -> Parameter:
    return Parameter(name, "", upper=upper, open_lower=True, open_upper=True)


def _number(value: Any) -> Formula:
    return lambda A, **_at: A.number(value)


def _less(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) - second(A, **at)


def _over(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) / second(A, **at)


def _times(first: Formula, second: Formula) -> Formula:
    return lambda A, **at: first(A, **at) * second(A, **at)


def _tail(left: Formula) -> Formula:
    """``1 - (1 - d)^(1/C_u)``, for the goal's number of rows or that of the study."""
    return lambda A, **at: -A.expm1(A.log1p(-A.number(left(A, **at))) / at.get("c_u", C_U_STUDY))


def _quantile(of: Formula) -> Formula:
    return lambda A, **at: normal_quantile_complement(A, of(A, **at))


_DELTA, _ROWS = _number(DELTA_STUDY), {"c_u": _number(C_U_STUDY)}
_MORE, _LESS = _tail(parameter_named("rest")), _tail(_times(parameter_named("rest"), parameter_named("part")))


def larger(
    left: Formula,
    right: Formula,
    proof: Tactic,
    some: tuple[tuple[Formula, Tactic], tuple[Formula, Tactic]],
    below_one: Tactic,
    grows: Tactic,
    kept: tuple[Parameter, ...] = (),
) -> Substitute:
    """By the tails of all of delta, ``row``, of what is left of it, ``far``, and of less, which is a ``part`` of that.

    ``some``: less and more that is left, each with the proof that it is positive; ``below_one``: that the more is below
    one; ``grows``: that it is more.
    """
    (less, some_less), (more, some_more) = some
    range_of_more = {"rest": some_more, "rest <": below_one}
    halves = (Parameter("u", "", open_lower=True), Parameter("v", "", open_lower=True))
    positive = Substitute(
        Box(halves),
        {"u": less, "v": more},
        Sign(),
        zero,
        _over(parameter_named("u"), parameter_named("v")),
        {"u": some_less, "v": some_more},
    )
    below = Substitute(
        Box(halves),
        {"u": less, "v": _less(more, less)},
        Sign(),
        lambda A, *, u, v: u / (A.number(u) + v),
        one,
        {"u": some_less, "v": grows},
    )

    def alone(first: Formula, second: Formula) -> Substitute:
        box = Box((C_U, _open("rest")))
        return Substitute(box, {**_ROWS, "rest": more}, Sign(), first, second, range_of_more)

    def both(first: Formula, second: Formula, part: Part) -> Substitute:
        box, new = Box((C_U, _open("rest"), _open("part"))), {**_ROWS, "rest": more, "part": _over(less, more)}
        ranges = {**range_of_more, "part": positive, "part <": below}
        return Substitute(box, new, Product((Part(_over(one, _MORE)), part)), first, second, ranges)

    return Substitute(
        Box((*kept, _open("row", "1/2"), _open("far"), _open("part"))),
        {"row": _tail(_DELTA), "far": _tail(more), "part": _over(_tail(less), _tail(more))},
        proof,
        left,
        right,
        {
            "far": alone(zero, _MORE),
            "far <": alone(_MORE, one),
            "part": both(zero, _over(_LESS, _MORE), Part(_LESS)),
            "part <": both(_over(_LESS, _MORE), one, Part(_less(_MORE, _LESS), Derivative("part", "upper"))),
        },
    )


_ALL, _OF_MORE, _OF_LESS = (
    _quantile(of)
    for of in (parameter_named("row"), parameter_named("far"), _times(parameter_named("far"), parameter_named("part")))
)
_LONGER = Part(_less(_OF_LESS, _OF_MORE))
QUANTILE = Ordered(
    larger(
        _OF_MORE,
        _OF_LESS,
        Product((_LONGER,)),
        ((parameter_named("delta"), Sign()), (parameter_named("delta_2"), Sign())),
        Sign(),
        Given(),
    )
)
"""z(d) falls strictly."""


# --- what the noise leaves --------------------------------------------------------------------------------------------


def _distance(A: Arithmetic, *, sigma: Number, mu_o: Number = 0, **_rest: Any) -> Number:
    return distance(A, rows=C_U_STUDY, sigma=sigma, mu_o=mu_o)


def _columns_alone(A: Arithmetic, *, mu_o: Number, **_rest: Any) -> Number:
    return A.sqrt(A.number(C_U_STUDY)) * A.number(mu_o)


def _spent(mu: Formula) -> Formula:
    return lambda A, **at: gaussian_profile(A, A.number(EPSILON_STUDY), mu(A, **at))


def _left(mu: Formula) -> Formula:
    return _less(_DELTA, _spent(mu))


def _at_larger(formula: Formula, name: str) -> Formula:
    """The formula at the larger of two values of a parameter."""
    return lambda A, **at: formula(A, **{**at, name: at[f"{name}_2"]})


def _spends_more(first: Formula, second: Formula, proof: Tactic) -> ByClaim:
    at = {"mu": first, "mu_2": second, "epsilon": _number(EPSILON_STUDY)}
    return ByClaim("wilkins2024.thm2.2.mono", at, {"mu < mu_2": proof})


def _some_left(mu: Formula, most: Formula, below: Tactic) -> tuple[Formula, Tactic]:
    """What is left at a distance, and that it is more than at the largest, where it is some."""
    more = Part(_less(_spent(most), _spent(mu)), _spends_more(mu, most, below))
    return _left(mu), Sum((Part(_left(most)), more))


def _spends_some(mu: Formula) -> ByClaim:
    return ByClaim("wilkins2024.thm2.2.positive", {"mu": mu, "epsilon": _number(EPSILON_STUDY)})


def _not_all(mu: Formula) -> Tactic:
    return Sum((Part(_less(one, _DELTA)), Part(_spent(mu), _spends_some(mu))))


_LEAST_DISTANCE = _number("0.10224")
"""Below the distance at which the Gaussian mechanism meets (0.349, 1e-5), 0.102242..."""
FEASIBLE = AtMost(_distance, _LEAST_DISTANCE, strict=True)
_SIGMA, _RATIO = parameter_named("sigma"), Product((Part(_over(one, _ALL)), _LONGER))
_FURTHER = Increasing("sqrt", _times(_columns_alone, _columns_alone), _times(_distance, _distance))
_QUIETER, _MORE_COLUMNS = _at_larger(_distance, "sigma"), _at_larger(_distance, "mu_o")


def _loudest(A: Arithmetic, **_at: Any) -> Number:
    return distance(A, rows=C_U_STUDY, sigma=2229, mu_o=0)


def _wider(A: Arithmetic, *, mu_o: Number, mu_o_2: Number, **_at: Any) -> Number:
    return C_U_STUDY * (A.number(mu_o) + mu_o_2)


def _per_sigmas(A: Arithmetic, *, sigma: Number, sigma_2: Number) -> Number:
    return A.sqrt(A.number(C_U_STUDY)) / (A.number(sigma) * sigma_2)


def _step(name: str) -> Part:
    return Part(_less(parameter_named(f"{name}_2"), parameter_named(name)), Given())


STRICT = larger(
    _times(_OF_MORE, _SIGMA),
    _times(_OF_LESS, _SIGMA),
    Product((Part(_SIGMA), _LONGER)),
    (_some_left(_distance, _loudest, Sign()), (_DELTA, Sign())),
    Sign(),
    _spends_some(_distance),
    (ABOVE_LEAST,),
)
"""The exact gap is the smaller: delta_Gaussian is positive, and below delta at the least sigma."""
CONVERGES = Ordered(
    larger(
        _over(_OF_MORE, _ALL),
        _over(_OF_LESS, _ALL),
        _RATIO,
        (_some_left(_distance, _loudest, Sign()), _some_left(_QUIETER, _loudest, Sign())),
        _not_all(_QUIETER),
        _spends_more(_QUIETER, _distance, Product((Part(_per_sigmas), _step("sigma")))),
    )
)
"""The larger sigma leaves more."""
ABOVE_LIMIT = larger(
    _over(_OF_MORE, _ALL),
    _over(_OF_LESS, _ALL),
    _RATIO,
    (
        _some_left(_distance, _LEAST_DISTANCE, Given()),
        _some_left(_columns_alone, _LEAST_DISTANCE, Through(_distance, _FURTHER, Given())),
    ),
    _not_all(_columns_alone),
    _spends_more(_columns_alone, _distance, _FURTHER),
)
"""The other columns alone leave more."""
COLUMNS = Ordered(
    larger(
        _less(_times(_OF_MORE, _SIGMA), _times(_ALL, _SIGMA)),
        _less(_times(_OF_LESS, _SIGMA), _times(_ALL, _SIGMA)),
        Product((Part(_SIGMA), _LONGER)),
        (_some_left(_MORE_COLUMNS, _LEAST_DISTANCE, Given()), _some_left(_distance, _LEAST_DISTANCE, Given())),
        _not_all(_distance),
        _spends_more(
            _distance,
            _MORE_COLUMNS,
            Increasing(
                "sqrt",
                _times(_distance, _distance),
                _times(_MORE_COLUMNS, _MORE_COLUMNS),
                Product((Part(_wider), _step("mu_o"))),
            ),
        ),
        (ABOVE_LEAST,),
    )
)
"""The larger mu_o leaves less."""
