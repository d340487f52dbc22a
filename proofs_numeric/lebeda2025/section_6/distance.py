"""The distance of shared counters that take their aggregates along (Section 6)."""

from __future__ import annotations

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.parameters import printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Identity
from proofs_numeric.statements.tactics import Symbolic


def aggregates_mu_squared(A: Arithmetic, *, j: Number, d: Number, gamma: Number, mu_o: Number) -> Number:
    """``sigma^2 mu^2`` with aggregates of the j changed counters: ``j - j^2/(d + gamma) + j m^2``, m = sigma mu_o."""
    return j - j * j / (d + gamma) + j * mu_o * mu_o


def _aggregates_square(A: Arithmetic, *, j: Number, d: Number, gamma: Number, mu_o: Number) -> Number:
    s = d + gamma
    top = s * (1 + mu_o * mu_o) / 2
    return s * (1 + mu_o * mu_o) ** 2 / 4 - (j - top) ** 2 / s


CLAIMS = (
    Claim(
        id="lebeda2025.sec6.agg",
        source=printed("Section 6", reconstruction=True),
        title="aggregates of the changed counters",
        statement=r"\sigma^2\mu^2 = j - j^2/(d+\gamma) + j \sigma^2 \mu_o^2,"
        r" \text{ worst at } j = (d+\gamma)(1 + \sigma^2\mu_o^2)/2",
        kind=Identity(
            left=aggregates_mu_squared,
            right=_aggregates_square,
            proof=Symbolic(),
        ),
        domain=Box(
            tuple(
                Parameter(name, text, lower="0.01", upper=1000, log=True)
                for name, text in (
                    ("j", "changed counters"),
                    ("d", "counters"),
                    ("gamma", "ratio"),
                    ("mu_o", "sigma mu_o"),
                )
            )
        ),
        note="the worst j moves up from (d + gamma)/2, and is capped at d",
    ),
)
