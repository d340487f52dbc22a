"""Theorem 9, the repaired proof as a certificate."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import permutations

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.rogers2024.parameters import EPSILON, ours
from proofs_numeric.rogers2024.peeling import BOTTOM, bottom_weight, good_parts, peel, weights_of
from proofs_numeric.rogers2024.theorem_9.statement import GumbelCase, gumbel_cases
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import one
from proofs_numeric.statements.derivation import Derivation, Premise, Unchecked
from proofs_numeric.statements.kinds import FiniteStatement, Identity, Inequality
from proofs_numeric.statements.tactics import Maximum, Part, Symbolic


def race(weights: Mapping[str, Fraction], k: int, beaten: frozenset[str]) -> dict[tuple[str, ...], Fraction]:
    """``Pr[list = y and bottom rings before every clock of beaten]`` by enumeration of all finishing orders.

    Independent exponential clocks with rates ``weights`` ring in the order y_1, y_2, ... with probability
    ``prod_j w_{y_j} / (rates not yet rung)``.
    """
    law: dict[tuple[str, ...], Fraction] = {}
    for order in permutations(weights):
        position = order.index(BOTTOM)
        if any(order.index(label) < position for label in beaten):
            continue
        probability, left = Fraction(1), sum(weights.values(), Fraction(0))
        for label in order:
            probability *= weights[label] / left
            left -= weights[label]
        printed = order[:position][:k]
        outcome = printed if len(printed) == k else (*printed, BOTTOM)
        law[outcome] = law.get(outcome, Fraction(0)) + probability
    return law


def race_conditions_to_peeling(case: GumbelCase) -> bool:
    """Given that bottom beats the own items, the list is a peeling with the rates merged into bottom's."""
    larger, smaller, k_bar, k, base, delta = case
    weights, merged, mass, *_other = good_parts(larger, smaller, k_bar=k_bar, base=base, delta=delta)
    rates = weights_of(larger, k_bar, base)
    own = frozenset(rates) - frozenset(weights)
    raced = race({**rates, BOTTOM: bottom_weight(larger, k_bar, base, delta)}, k, own)
    return raced == {y: mass * p for y, p in peel(weights, merged, k).items()}


def first_ring(A: Arithmetic, *, bottom: Number, own: Number, common: Number) -> Number:
    """``(w + C c)/(w + W_D + C)``: bottom rings first, or a common item does and bottom wins after it with ``c``."""
    bottom, own, common = A.number(bottom), A.number(own), A.number(common)
    wins = bottom_wins(A, bottom=bottom, own=own, common=common)
    return (bottom + common * wins) / (bottom + own + common)


def bottom_wins(A: Arithmetic, *, bottom: Number, own: Number, common: Number) -> Number:
    """``c = w/(w + W_D)``, whatever common items there are."""
    return A.number(bottom) / (A.number(bottom) + own)


def _mediant(A: Arithmetic, epsilon: Number, weight: Number, share: Number, share_2: Number) -> Number:
    """``(W' a + w' b)/(W' + w')`` over W', with a and b at shares of the range ``[1, e^epsilon]``."""
    growth, weight = A.expm1(A.number(epsilon)), A.number(weight)
    return (1 + share * growth + weight * (1 + share_2 * growth)) / (1 + weight)


def _of_largest(A: Arithmetic, *, epsilon: Number, **at: Number) -> Number:
    return _mediant(A, epsilon, **at) * A.exp(-A.number(epsilon))


def _of_least(A: Arithmetic, **at: Number) -> Number:
    return 1 / _mediant(A, **at)


def mediant_in_range(A: Arithmetic, **at: Number) -> Number:
    """The larger of ``(W + w)/(W' + w')/e^epsilon`` and of its reciprocal ``(W' + w')/(W + w)``."""
    return A.maximum(_of_largest(A, **at), _of_least(A, **at))


def _rate(name: str, meaning: str, *, positive: bool = False) -> Parameter:
    return Parameter(name, meaning, "rates", open_lower=positive, log=True)


def _share(name: str, meaning: str) -> Parameter:
    return Parameter(name, f"place of {meaning} in the range [1, e^epsilon]", upper=1)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm9.first_ring",
        source=ours("Theorem 9, repaired proof"),
        title="Whichever common item rings first, bottom beats the own items as often",
        statement=r"\frac{w + C c}{w + W_D + C} = c,\ c = \frac{w}{w + W_D}",
        kind=Identity(first_ring, bottom_wins, Symbolic()),
        domain=Box(
            (
                _rate("bottom", "w, the threshold's", positive=True),
                _rate("own", "W_D, of the items of one top only"),
                _rate("common", "C, of the items of both tops"),
            )
        ),
    ),
    Claim(
        id="rogers2024.thm9.mediant",
        source=ours("Theorem 9, repaired proof"),
        title="One more matched item keeps the merged rates within the range",
        statement=r"1 \le \tfrac{W}{W'}, \tfrac{w}{w'} \le e^\varepsilon "
        r"\Rightarrow 1 \le \tfrac{W + w}{W' + w'} \le e^\varepsilon",
        kind=Inequality(mediant_in_range, one, proof=Maximum((Part(_of_largest), Part(_of_least)))),
        domain=Box(
            (
                EPSILON,
                _rate("weight", "w'/W'"),
                _share("share", "W/W'"),
                _share("share_2", "w/w'"),
            )
        ),
    ),
    Claim(
        id="rogers2024.repair.race",
        source=ours("Theorem 9, repaired proof"),
        title="Conditioned exponential race",
        statement=r"P(\cdot \cap E_0) = \tfrac{w_\bot}{w_\bot + W_D}\,\text{peel}(C, w_\bot + W_D)",
        kind=FiniteStatement(
            gumbel_cases,
            race_conditions_to_peeling,
            {"quick": 1, "standard": 2, "deep": 3},
            "largest count on three labels",
            proof=Derivation(
                (
                    Premise(
                        "rogers2024.thm9.first_ring",
                        "by induction over the common items that ring: bottom beats the own items with probability c "
                        "whatever was printed before",
                    ),
                    Unchecked(
                        "a clock that has not rung starts afresh: each pick has its rate over all rates left, on "
                        "either side, and its last c is w/(w + W_D)"
                    ),
                )
            ),
        ),
        note="All finishing orders of the clocks enumerated in rationals; shares no code with the peeling law.",
    ),
)
