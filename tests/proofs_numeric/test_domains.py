"""Statements that are printed without bounds are proved and evaluated without bounds."""

import pytest

from auditor.engine.registry import registry
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.verdict import Verdict

FAR = 10**30
CORRELATED = {"epsilon": FAR, "k": FAR, "sigma": "1e-30", "gap": -FAR}
BEYOND = {
    "lebeda2025.lem6": CORRELATED,
    "lebeda2025.lem8": {"epsilon": FAR, "k": FAR, "sigma": FAR},
    "lebeda2025.lem8.opt.integer.corrected": {"gamma": "1e-30", "d": FAR},
    "lebeda2025.lem10": {"k": FAR, "sigma": "1e-30", "gap": -FAR},
    "lebeda2025.thm11": CORRELATED,
    "lebeda2025.cor14": CORRELATED,
    "lebeda2025.csh.exact": CORRELATED,
    "lebeda2025.csh.exact.pair": CORRELATED | {"l": FAR // 2, "j": FAR // 2, "direction": "reverse"},
    "lebeda2025.csh.exact.chord": {
        "epsilon": FAR, "sigma": FAR, "gap": FAR, "l": FAR, "first": FAR, "before": FAR, "after": FAR, "beyond": FAR,
    },
    "rogers2024.thm4.gauss": {"alpha": FAR},
    "rogers2024.thm5.em_cdp": {"alpha": FAR, "epsilon": FAR, "theta": "1/3"},
}  # fmt: skip
"""A point of each domain, far beyond what searches try."""


@pytest.mark.parametrize("identifier", BEYOND)
def test_the_proof_covers_every_value(identifier):
    """No end of the domain, and no scope of the proof, is nearer than the point."""
    claims = registry().claims
    claim = claims[identifier]
    assert claim.domain.parse(BEYOND[identifier])
    theorem = prove(claim, claims)
    assert (theorem.verdict, theorem.scope) == (Verdict.PROVED, "")
