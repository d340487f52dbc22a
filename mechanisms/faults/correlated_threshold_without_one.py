"""The threshold is tau instead of 1 + tau: the distance is measured from 0, not from a new counter's 1."""

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
    """Algorithm 2 with its threshold one too low."""
    return correct.build(k=k, sigma=sigma, gap=Fraction(gap) - 1, tau=tau)


_PARAMETERS = {"k": 4, "sigma": 1, "gap": 3, "tau": 1}

FAULT = Fault(
    id="correlated_threshold_without_one",
    title="the threshold is tau, not 1 + tau",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n1",
        "all counters new",
        _PARAMETERS,
        new=4,
        shared=(),
        changed=0,
        profile=partial(pair_profile, k=4, sigma=1, gap=2, l=4, j=0),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="A new counter has 1, and so only tau - 1 to go: keys that only one side holds pass too often.",
)
