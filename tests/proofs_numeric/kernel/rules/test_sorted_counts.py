"""Attacks on what the kernel says of counts less the one of a rank: ranks up to k + 1 close, nothing beyond them."""

from dataclasses import replace

import pytest

from auditor.engine.registry import registry
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.cuts import Cut, Reduced
from proofs_numeric.statements.tactics import ByClaim, Sign
from tests.proofs_numeric.kernel.attacks import refusals, untied

KNOWN = dict(registry().claims)
LEMMA, KTH, ALGORITHM = (KNOWN[f"lebeda2025.{name}"] for name in ("lem13", "lem13.kth", "alg3"))


def said(claim=LEMMA, proof=None, **changed):
    """Lemma 13 of another rank or sparsity, or with another proof."""
    kind = claim.kind
    every = replace(kind.every, **changed)
    return replace(claim, kind=replace(kind, holds=untied, every=every, proof=proof or kind.proof))


WRONG = {
    "rank k + 2": said(rank=lambda _A, *, k: k + 2),
    "one key fewer": said(most=lambda _A, *, k: k - 1),
    "rank 0": said(rank=lambda _A, *, k: k - 1),
    "rank between integers": said(rank=lambda A, *, k: A.number(k) / 2 + 1),
    "under a constraint": said(box=Box(LEMMA.kind.every.box.parameters, lambda **_at: True)),
    "by an order of other counts": said(proof=Cut(ByClaim("rogers2024.thm9.mediant"))),
    "by signs": said(proof=Sign()),
    "another reduction by the lemma": said(ALGORITHM, rank=lambda _A, *, k: k + 2),
}


@pytest.mark.parametrize("claim", [LEMMA, KTH, ALGORITHM], ids=lambda claim: claim.id)
def test_reductions_are_proved_of_any_number_of_counts(claim):
    """No scope, where enumeration has a largest count."""
    assert isinstance(claim.kind.every, Reduced)
    assert not prove(claim, KNOWN).scope


test_what_is_false_or_another_statement_is_refused = refusals(WRONG)
