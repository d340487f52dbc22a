"""Theorem 9, the repaired proof as a certificate."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.enumeration import count_at, top
from proofs_numeric.rogers2024.parameters import own
from proofs_numeric.rogers2024.peeling import bottom_weight, good_parts, peel, weights_of
from proofs_numeric.rogers2024.theorem_9.any_size import RACE, rate_of_pick
from proofs_numeric.rogers2024.theorem_9.statement import GumbelCase, gumbel_cases, parameters_of
from proofs_numeric.rogers2024.thresholds import gumbel_threshold
from proofs_numeric.statements.instances import BOTTOM, ConditionedAt, LawInstances
from proofs_numeric.statements.races import Clocks


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


def race_and_peeling(case: GumbelCase) -> Iterator[ConditionedAt]:
    """Given that bottom beats the own items, the list is a peeling with the rates merged into bottom's."""
    larger, smaller, k_bar, k, base, delta = case
    weights, merged, mass, *_other = good_parts(larger, smaller, k_bar=k_bar, base=base, delta=delta)
    rates = weights_of(larger, k_bar, base)
    alone = frozenset(rates) - frozenset(weights)
    raced = race({**rates, BOTTOM: bottom_weight(larger, k_bar, base, delta)}, k, alone)
    at = parameters_of(case)
    scores = {label: lift(count) for label, count in top(larger, k_bar).items()}
    scores[BOTTOM] = count_at(larger, k_bar + 1) + gumbel_threshold(**at)
    yield ConditionedAt(at, scores, alone, k, raced, {y: mass * p for y, p in peel(weights, merged, k).items()})


CLAIMS = (
    own(
        "repair.race", "Theorem 9, repaired proof", "Conditioned exponential race",
        r"P(\cdot \cap E_0) = \tfrac{w_\bot}{w_\bot + W_D}\,\text{peel}(C, w_\bot + W_D)",
        FiniteStatement(
            gumbel_cases, LawInstances(race_and_peeling), {"quick": 1, "standard": 2, "deep": 3},
            "largest count on three labels", every=RACE.conditioned,
            proof=Clocks(
                law=Symbolic(), positive=Sign(), falls=Slope(), first=ByClaim("rogers2024.gumbel.race"),
                ended=ByClaim("rogers2024.thm9.list"),
                full=Steps(base=Symbolic(), proof=Symbolic(), factor=rate_of_pick),
            ),
        ),
        note="All finishing orders of the clocks enumerated in rationals; shares no code with the peeling law.",
    ),
)  # fmt: skip
