"""Statements that are printed without bounds are proved and evaluated without bounds."""

import pytest

from auditor.engine.registry import registry
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.verdict import Verdict

FAR = 10**30
BEYOND = {
    "rogers2024.thm4.gauss": {"x": -FAR, "alpha": FAR, "mu": FAR},
    "rogers2024.thm5.em_cdp": {"alpha": FAR, "epsilon": FAR, "theta": "1/3"},
}
"""A point of each domain, far beyond what searches try."""


@pytest.mark.parametrize("identifier", BEYOND)
def test_the_proof_covers_every_value(identifier):
    claims = registry().claims
    claim = claims[identifier]
    assert claim.domain.parse(BEYOND[identifier])
    theorem = prove(claim, claims)
    assert (theorem.verdict, theorem.scope) == (Verdict.PROVED, "")
