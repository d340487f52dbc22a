"""Theorem 2: pure privacy of the exponential mechanism."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.conversion import Promise
from proofs_numeric.rogers2024.definition import score_range
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_5 import em_rho_naive
from proofs_numeric.statements.box import points
from proofs_numeric.statements.concentrated import pure_delta

place, here, there, weight, other_place = symbols("place here there weight other_place")
PROMISE = Promise(em_rho_naive(epsilon=1 / beta))
"""Of 1/beta-DP, Theorem 3."""
pure_profile = algorithm(pure_delta)(promised=1 / beta)
"""Delta of 1/beta-DP at ``epsilon``: randomised response at the promised level."""


def two_outcomes(A: Arithmetic, *, epsilon: Number, beta: Number) -> Number:
    """The same from a pair of laws on two outcomes with odds ``e^(1/beta)``, outcome by outcome."""
    odds, ratio = A.exp(1 / A.number(beta)), A.exp(A.number(epsilon))
    left, right = (odds / (1 + odds), 1 / (1 + odds)), (1 / (1 + odds), odds / (1 + odds))
    return A.sum(A.maximum(0, p - ratio * q) for p, q in zip(left, right, strict=True))


def softmax(scores: tuple[int, ...], base: Fraction) -> list[Fraction]:
    """The exponential mechanism's law with ``e^(epsilon/range) = base`` rational."""
    weights = [base**score for score in scores]
    return [weight / sum(weights) for weight in weights]


_moved = 1 + place * expm1(epsilon)
"""By how much a weight moves, up to a factor that all have in common."""
_above = _moved * there - exp(epsilon) * here
"""``P(y) - e^epsilon P'(y)`` times both sums of weights, y of weight 1 there."""
_below = here - exp(epsilon) * _moved * there
"""``P'(y) - e^epsilon P(y)`` times the same."""
_PLACE = Parameter("place", "of the outcome's weight in [1, e^epsilon]", upper=1)
_ANY_OUTCOMES = Recurrence(
    state=Box(tuple(Parameter(name, "sum of the weights", open_lower=True) for name in ("here", "there"))),
    inputs=Box((Parameter("weight", "of another outcome"), Parameter("other_place", "of its weight", upper=1))),
    start={"here": _moved, "there": one},
    step={"here": here + weight * _moved(place=other_place), "there": there + weight},
    left=maximum(_above, _below), right=zero,
)  # fmt: skip


def em_instances(case: tuple[tuple[int, ...], tuple[int, ...]]) -> Iterator[Instance]:
    """Each outcome, with what its probabilities miss of purity times both sums of weights, its own 1 on the right."""
    base = Fraction(3, 2)
    left, right = case
    laws, ratio = (softmax(left, base), softmax(right, base)), base ** score_range(left, right)
    moved = [base ** (here - there) for here, there in zip(left, right, strict=True)]
    places = [(one / min(moved) - 1) / (ratio - 1) if ratio > 1 else Fraction(0) for one in moved]
    for picked, (p, q) in enumerate(zip(*laws, strict=True)):
        others = [other for other in range(len(left)) if other != picked]
        sums = [sum(base**score for score in scores) for scores in case]
        here, there = sums[0] / base ** right[picked] / min(moved), sums[1] / base ** right[picked]
        yield Instance(
            at={"epsilon": log(lift(ratio)), "place": lift(places[picked])},
            inputs=tuple({"weight": base ** (right[o] - right[picked]), "other_place": places[o]} for o in others),
            left=max(p - ratio * q, q - ratio * p) * here * there, right=Fraction(0),
        )  # fmt: skip


CLAIMS = (
    stated(
        "thm2.em_pure", "Theorem 2", "The exponential mechanism is epsilon-DP over a score of known range",
        r"\Pr[M(x) = y] \propto e^{\varepsilon q(x,y)/\Delta(q)} \text{ is } \varepsilon\text{-DP}",
        FiniteStatement(
            lambda size: product(product(range(size + 1), repeat=3), repeat=2), Instances(em_instances),
            {"quick": 2, "standard": 3, "deep": 4}, "largest score", every=_ANY_OUTCOMES,
            proof=largest_of((_above, Steps()), (_below, Steps())),
        ),
        domain=(replace(EPSILON, open_lower=False), _PLACE),
        note="Decided in rationals with e^(epsilon/Delta(q)) = 3/2; three outcomes.",
    ),
    own(
        "thm2.profile", "Theorem 2", "Privacy profile that Theorem 2 promises for counts",
        r"\delta(\varepsilon) \le (e^{1/\beta} - e^\varepsilon)_+/(e^{1/\beta} + 1)",
        DeltaBound(
            pure_profile, oracle=two_outcomes,
            oracle_points=points("epsilon beta", (0, 1), ("1/2", "3/4"), (1, "1/5"), (6, "1/5")),
        ),
        domain=(LEVEL, replace(BETA, lower="1e-2")), role=Role.UPPER, falls=("epsilon", "beta"),
        privacy=SELECTION, note="Scores are counts of range one, weights e^(count/beta).", promise=PROMISE,
    ),
)  # fmt: skip
