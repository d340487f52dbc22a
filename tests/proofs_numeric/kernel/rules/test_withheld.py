"""Attacks on conditioning on an event, for lower bounds: what is withheld costs its chance, and no less."""

from dataclasses import replace

from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.profiles import Withheld
from proofs_numeric.statements.tactics import ByClaim
from proofs_numeric.wilkins2024.lemma_5_3 import two_rows
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact
from tests.proofs_numeric.kernel.attacks import refusals, times
from tests.proofs_numeric.kernel.rules.profiles import EXACT, LINE, PART, SLOW, halved, of, pair_of

WRONG = {
    "part: a little more": times(PART, "1.000000001"),
    "part: half the chance": of(PART, lambda A, **at: (PART.kind.formula(A, **at) + two_rows.rows_bound(A, **at)) / 2),
    "part: all of it": of(PART, two_rows.rows_bound),
    "part: an upper bound": replace(PART, role=Role.UPPER),
    "part: the profile": replace(PART, role=Role.EXACT),
    "part: of one row": pair_of(PART, distance=lambda A, *, sigma, **_rest: 1 / A.number(sigma)),
    "part: as far as none": pair_of(PART, distance=lambda A, **_at: A.number(0)),
    "part: shown less often": pair_of(PART, chance=halved(PART.kind.pairs.chance)),
    "part: shown more often than always": of(
        PART, lambda A, **at: 1 + two_rows.rows_bound(A, **at), proof=Withheld(),
        pairs=replace(PART.kind.pairs, chance=lambda A, **_at: A.number(2)),
    ),
    "part: named more often than always": of(
        PART, lambda A, **_at: A.number(2), proof=Withheld(),
        pairs=replace(PART.kind.pairs, chance=lambda A, **_at: A.number(1), naming=lambda A, **_at: A.number(2)),
    ),
    "part: by another claim": of(PART, proof=ByClaim(EXACT.id)),
    "part: by a half line": of(PART, proof=LINE.kind.proof.above),
    "exact: not named": pair_of(EXACT, naming=None),
    "exact: named less often": pair_of(EXACT, naming=halved(EXACT.kind.pairs.naming)),
    "exact: shown less often": pair_of(EXACT, chance=halved(EXACT.kind.pairs.chance)),
    "exact: nothing withheld": of(EXACT, delta_exact),
}  # fmt: skip


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, SLOW)
