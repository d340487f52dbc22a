"""A lower threshold in the place of 1 (Section 6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.parameters import GAP, SIGMA, K, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Identity


def _lower(A: Arithmetic, *, k: int, sigma: Any, tau: int, gap: Any) -> Any:
    """Chance that some of k counters at the lower threshold passes ``tau_star = tau + gap``, from the counts."""
    star = tau + A.number(gap)
    return delta_infinite(A, k=k, sigma=sigma, gap=star - tau)


CLAIMS = (
    Claim(
        id="lebeda2025.sec6.lower",
        source=printed("Section 6"),
        title="a lower threshold replaces tau by tau* - tau",
        statement=r"\delta_\infty(\tau_{low}, \tau^*) = \delta_\infty(1, 1 + \tau^* - \tau_{low})",
        kind=Identity(
            left=_lower, right=lambda A, *, k, sigma, gap, **_tau: delta_infinite(A, k=k, sigma=sigma, gap=gap)
        ),
        domain=Box(
            (
                replace(K, upper=1000),
                replace(SIGMA, lower="0.1", upper=1000),
                Parameter("tau", "lower threshold, an integer", "users", lower=1, upper=10**6, integer=True, log=True),
                replace(GAP, lower=-100, upper=1000),
            )
        ),
        note="for integer lower thresholds; a real one acts as its ceiling (wilkins2024)",
        cost=2,
    ),
)
