"""F5: zero counters of a declared universe are noised too, and released above the threshold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import optimize, special

from mechanisms.correlated_stability_histogram import mechanism as correct
from mechanisms.correlated_stability_histogram.pairs import all_changed
from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import BatchMechanism, Fault
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_ZEROS = 60
"""Keys z0, z1, ... of the universe that nobody holds."""
_COUNTED = 30
"""Numbers of released zero counters that the event tells apart."""


@dataclass(frozen=True)
class WholeUniverse(BatchMechanism):
    """Algorithm 2 on every key of its universe, held by anybody or not, under the declarations of Algorithm 2."""

    inner: correct.CorrelatedStabilityHistogram
    releases_only_input_keys = True

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases of all keys above the threshold, zeros included."""
        held, found = correct.columns_of(histogram, k=self.inner.k)
        keys = (*held, *(f"z{i}" for i in range(_ZEROS)))
        counts = np.concatenate([found, np.zeros(_ZEROS)])
        shared = rng.standard_normal((n, 1)) * self.inner.shared_scale
        values = counts + shared + self.inner.sigma * rng.standard_normal((n, counts.size))
        released = round_to_grid(values, self.inner.grid)
        released[values <= self.inner.tau_star] = np.nan
        return keys, released


def build(*, k: Exact, sigma: Exact, gap: Exact, tau: Exact = 1) -> WholeUniverse:
    """Algorithm 2 on a universe of k + 60 keys."""
    return WholeUniverse(correct.build(k=k, sigma=sigma, gap=gap, tau=tau))


def _cuts(epsilon: float, sign: int, *, k: int, sigma: float, gap: float) -> tuple[float, ...]:
    """Mean residual at which the best event starts, by the number of released zero counters."""
    z = np.linspace(-8, 8, 801)
    shared, width = z * sigma * k**-0.25, sigma / math.sqrt(k)
    log_passes, log_held = (special.log_ndtr(s * (shared - 1 - gap) / sigma) for s in (1, -1))

    def excess(u: float, n: int) -> float:
        log_weight = n * log_passes + (_ZEROS - n) * log_held - z * z / 2
        logs = [special.logsumexp(log_weight - 0.5 * ((u - shared - moved) / width) ** 2) for moved in (1, 0)]
        return float(sign * (logs[0] - logs[1]) - epsilon)

    return tuple(round(float(optimize.brentq(excess, -60, 60, args=(n,))), 6) for n in range(_COUNTED))


def profile(A: Any, epsilon: Any, direction: Direction, *, k: int, sigma: int, gap: int) -> Any:
    """All k shared counters far above the threshold and changed; an event of their mean and of how many zeros pass.

    How many zeros pass tells Z, and the mean less Z moves by one at deviation ``sigma/sqrt(k)``.  Only this event is
    used: the exact excess of it, a lower bound on the hockey stick of the release.
    """
    sign = 1 if direction is Direction.FORWARD else -1
    cuts = [Fraction(str(cut)) for cut in _cuts(float(epsilon), sign, k=k, sigma=float(sigma), gap=float(gap))]
    factor, eta, root = A.exp(A.number(epsilon)), 1 / A.sqrt(A.sqrt(A.number(k))), A.sqrt(A.number(k))

    def integrand(C: Any, z: Any) -> Any:
        passes = normal_cdf(C, eta * z - C.number(Fraction(1 + gap, sigma)))
        total = C.number(0)
        for n, cut in enumerate(cuts):
            moved, still = (
                normal_cdf(C, sign * root * (eta * z + C.number((shift - cut) / sigma))) for shift in (1, 0)
            )
            gain = moved - factor * still if sign > 0 else still - factor * moved
            total = total + math.comb(_ZEROS, n) * passes**n * (1 - passes) ** (_ZEROS - n) * gain
        return total * normal_pdf(C, z)

    inside, beyond = integral(A, integrand, A.number(-9), A.number(9)), 2 * normal_cdf(A, A.number(-9))
    return A.between(inside - factor * beyond, inside + beyond)


_PARAMETERS = {"k": 4, "sigma": 1, "gap": 2, "tau": 1}

FAULT = Fault(
    id="correlated_zero_counters_noised",
    title="zero counters are noised and released above the threshold",
    mechanism="correlated_stability_histogram",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.input_keys",
    build=build,
    parameters=_PARAMETERS,
    pair=all_changed(_PARAMETERS, partial(profile, k=4, sigma=1, gap=2)),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Zero counters that pass reveal the shared noise; less it, the mean of k counters moves by one.",
)
