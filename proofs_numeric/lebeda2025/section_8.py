"""Exact bounds, which the paper leaves open (Section 8)."""

from __future__ import annotations

from proofs_numeric.lebeda2025.parameters import printed
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Editorial
from proofs_numeric.statements.verdict import Expectation

CLAIMS = (
    Claim(
        id="lebeda2025.sec8.open",
        source=printed("Section 8"),
        title="exact bounds for the mechanism: an open problem of the paper",
        statement=r"\text{it would be interesting to derive exact bounds for our mechanism as well}",
        kind=Editorial(
            printed="Theorem 12 is not tight; exact bounds are left open",
            corrected="lebeda2025.csh.exact computes them",
            reason="numerical, not closed form: O(k) for the certificate, O(k^2) pairs where it fails",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
)
