"""The shared noise has the deviation of a counter's own: more noise, and new counters pass the threshold more often."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import counters
from mechanisms.mechanism import Fault
from proofs_numeric.lebeda2025.noise_maximum import released
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


class WideShared(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 with Z ~ N(0, sigma^2)."""

    @property
    def shared_scale(self) -> float:
        """Deviation without the factor k^(-1/4)."""
        return self.sigma


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> WideShared:
    """Algorithm 2 with too much shared noise."""
    return WideShared(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction, *, k: int, sigma: int, gap: int) -> Any:
    """The probability that some of k new counters passes, at epsilon >= 0; backward there is none to see."""
    new = released(A, l=k, t=A.number(gap) / sigma, b=A.number(1))
    return new if direction is Direction.FORWARD else A.maximum(0, new - A.expm1(A.number(epsilon)) * (1 - new))


_PARAMETERS = {"k": 10, "sigma": 4, "gap": 14, "tau": 1}

FAULT = Fault(
    id="correlated_shared_noise_too_wide",
    title="the shared noise is as wide as a counter's own",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n1",
        "all counters new",
        _PARAMETERS,
        new=10,
        shared=(),
        changed=0,
        profile=partial(profile, k=10, sigma=4, gap=14),
    ),
    direction=Direction.FORWARD,
    epsilon="3/2",
    explanation="Shared counters are hidden better, but the threshold is meant for less noise: new counters pass.",
)
