"""The shared variance is divided by sqrt(k) + 1 instead of sqrt(k)."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import all_changed
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


class RootPlusOne(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 with Z ~ N(0, sigma^2/(sqrt(k) + 1))."""

    @property
    def shared_scale(self) -> float:
        """Deviation sigma (sqrt(k) + 1)^(-1/2)."""
        return self.sigma / math.sqrt(math.sqrt(self.k) + 1)


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> RootPlusOne:
    """Algorithm 2 with a little too little shared noise."""
    return RootPlusOne(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


def profile(A: Any, epsilon: Any, _direction: Direction, *, k: int, sigma: Fraction) -> Any:
    """All k counters changed: ``mu^2 = (k - k^2/(k + sqrt(k) + 1))/sigma^2``."""
    root = A.sqrt(A.number(k))
    return gaussian_profile(A, A.number(epsilon), A.sqrt(k - A.number(k * k) / (k + root + 1)) / A.number(sigma))


_PARAMETERS: Parameters = {"k": 1, "sigma": Fraction(1, 2), "gap": 10, "tau": 1}

FAULT = Fault(
    id="correlated_shared_variance_over_root_plus_one",
    title="the shared variance is divided by sqrt(k) + 1",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=all_changed(_PARAMETERS, partial(profile, k=1, sigma=Fraction(1, 2))),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="The squared distance grows by a third at k = 1, and by less and less for large k.",
)
