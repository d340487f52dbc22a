"""F4: the shared variance uses the number of counters present instead of the public bound k."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import counters, far_count
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.lebeda2025.noise_maximum import delta_infinite
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class GammaFromSupport(correct.CorrelatedStabilityHistogram):
    """Algorithm 2 with shared variance ``sigma^2/sqrt(|supp H|)``."""

    def _shared_noise(self, n: int, counters: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.standard_normal((n, 1)) * (self.sigma / math.sqrt(math.sqrt(max(1, counters))))


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> GammaFromSupport:
    """Algorithm 2 with a shared variance that depends on the data."""
    return GammaFromSupport(**vars(correct.build(k=k, sigma=sigma, gap=gap, tau=tau)))


def profile(A: Any, epsilon: Any, direction: Direction, *, k: int, sigma: int, gap: int) -> Any:
    """One shared counter: variance ``sigma^2 (1 + k^{-1/2})`` on the left, ``2 sigma^2`` on the right.

    Two centred normals; the wide one exceeds ``e^epsilon`` times the narrow one outside an interval. The k - 1 new
    counters are released with probability below `delta_infinite`, which widens the enclosure; zero to all digits here.
    """
    epsilon = A.number(epsilon)
    narrow, wide = 1 + 1 / A.sqrt(A.number(k)), A.number(2)
    if direction is Direction.FORWARD:
        raise ValueError(
            "expected the backward direction, got forward; the fault shows in the tails of the wide normal"
        )
    half = A.log(wide / narrow) / 2
    cut = A.sqrt(2 * (epsilon + half) / (1 / narrow - 1 / wide))
    value = 2 * normal_cdf(A, -cut / A.sqrt(wide)) - A.exp(epsilon) * 2 * normal_cdf(A, -cut / A.sqrt(narrow))
    silent = delta_infinite(A, k=k, sigma=A.number(sigma), gap=A.number(gap))
    return A.between(value, value + A.exp(epsilon) * silent)


_PARAMETERS = {"k": 10, "sigma": 20, "gap": 800, "tau": 1}

FAULT = Fault(
    id="correlated_gamma_from_support",
    title="gamma from the number of counters present",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n5",
        "one shared counter unchanged, all others new",
        _PARAMETERS,
        new=9,
        shared=(far_count(threshold=Fraction(801), sigma=Fraction(20)),),
        changed=0,
        profile=partial(profile, k=10, sigma=20, gap=800),
    ),
    direction=Direction.BACKWARD,
    epsilon=Fraction(349, 1000),
    explanation="The spread of one released counter tells how many counters there are; no sigma hides that.",
)
