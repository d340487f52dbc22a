"""The threshold stays at 1 + gap while the lower threshold is raised: the gap is measured from 1, not from tau."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import counters, pair_profile
from mechanisms.mechanism import Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> correct.CorrelatedStabilityHistogram:
    """Algorithm 2 with tau* = 1 + gap whatever tau is."""
    return correct.build(k=k, sigma=sigma, gap=Fraction(gap) + 1 - Fraction(tau), tau=tau)


_PARAMETERS = {"k": 4, "sigma": 2, "gap": 6, "tau": 3}

FAULT = Fault(
    id="correlated_lower_threshold_not_added",
    title="the lower threshold is not added to the upper one",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n1",
        "all counters rise from below the lower threshold to it",
        _PARAMETERS,
        new=4,
        shared=(),
        changed=0,
        profile=partial(pair_profile, k=4, sigma=2, gap=4, l=4, j=0),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="A counter first seen at tau = 3 has two fewer to go than one first seen at 1.",
)
