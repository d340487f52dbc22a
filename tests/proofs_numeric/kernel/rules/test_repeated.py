"""Attacks on composition, of independent pairs: sums of deltas close, nothing below them."""

from dataclasses import replace

from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.tactics import ByClaim, Sign, Symbolic
from tests.proofs_numeric.kernel.attacks import refusals, times
from tests.proofs_numeric.kernel.rules.profiles import (
    ANY_RATE,
    LEVELS,
    PAIRS,
    SLOW,
    composed,
    forward_alone,
    of,
    of_levels,
    of_moving_rate,
)

WRONG = {
    "levels: a little less": times(LEVELS, "0.999999999"),
    "levels: one less": of_levels(number=lambda levels: levels - 1),
    "levels: of one": of_levels(number=lambda _levels: 1),
    "levels: each at the whole level": of_levels(epsilon=lambda epsilon, _levels: epsilon),
    "levels: as the exact delta": of(LEVELS, role=Role.EXACT),
    "levels: one way round alone": composed(bound=forward_alone),
    "levels: each by another claim": composed(each=ByClaim("bharadwaj2022.tight")),
    "levels: each by no proof": composed(each=Symbolic()),
    "levels: the outcomes by their signs": composed(outcome=Sign()),
    "levels: as many as a real parameter says": of(LEVELS, pairs=replace(LEVELS.kind.pairs, count="p")),
    "levels: as many as no parameter says": of(LEVELS, pairs=replace(LEVELS.kind.pairs, count="n")),
    "levels: of a rate that moves with the level": of_moving_rate(),
    "levels: of other counts": of(LEVELS, pairs=replace(LEVELS.kind.pairs, each=PAIRS)),
    "levels: by the goals of one": of(LEVELS, proof=ANY_RATE.kind.proof),
}


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, SLOW)
