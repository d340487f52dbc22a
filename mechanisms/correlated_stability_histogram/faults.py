"""Planted faults of the correlated stability histogram, plain and with aggregates: each breaks the claim it names."""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from mechanisms.correlated_stability_histogram import aggregates
from mechanisms.correlated_stability_histogram.mechanism import MECHANISM, CorrelatedStabilityHistogram, columns_of
from mechanisms.gaussian_sparse_histogram.mechanism import Aggregates, round_to_grid
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import DISJOINT
from mechanisms.mechanism import AccountantFault, BatchMechanism, Boundary, InDoubles, Parameters
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import integral, log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.expression import Phi, exp, maximum, sqrt, symbols
from proofs_numeric.expression import profile as gaussian
from proofs_numeric.lebeda2025.composition import ends
from proofs_numeric.lebeda2025.exact.noise_maximum import delta_infinite
from proofs_numeric.lebeda2025.exact.pair import new_released, shared_delta
from proofs_numeric.lebeda2025.neighbours import FAR
from proofs_numeric.statements.neighbours import Direction

# --- the shared noise -------------------------------------------------------------------------------------------------

_EPSILON, _K, _SIGMA = symbols("epsilon k sigma")
_FOUR: dict[str, Any] = {"k": 4, "sigma": 2, "gap": 20}


class NoSharedNoise(CorrelatedStabilityHistogram):
    """Algorithm 2 without Z."""

    def _shared_noise(self, n: int, _counters: int, _rng: np.random.Generator) -> NDArray[np.float64]:
        return np.zeros((n, 1))


@dataclass(frozen=True)
class PublishesShared(BatchMechanism):
    """Algorithm 2 with a column for Z, as if it were public randomness."""

    inner: CorrelatedStabilityHistogram
    releases_only_input_keys = False

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases and their shared noise."""
        keys, counts = columns_of(histogram, k=self.inner.k)
        shared = rng.standard_normal((n, 1)) * self.inner.shared_scale
        values = counts + shared + self.inner.sigma * rng.standard_normal((n, counts.size))
        column = round_to_grid(np.concatenate([values, shared], axis=1), self.inner.grid)
        column[:, :-1][values <= self.inner.tau_star] = np.nan
        return (*keys, "shared"), column


class PerCounter(CorrelatedStabilityHistogram):
    """Algorithm 2 with an own Z for every counter."""

    def _shared_noise(self, n: int, counters: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.standard_normal((n, counters)) * self.shared_scale


class VarianceOverK(CorrelatedStabilityHistogram):
    """Algorithm 2 with shared variance sigma^2/k."""

    def _shared_noise(self, n: int, _counters: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.standard_normal((n, 1)) * (self.sigma / math.sqrt(self.k))


_FOUR_NARROW: dict[str, Any] = {"k": 4, "sigma": 1, "gap": 20}


class RootPlusOne(CorrelatedStabilityHistogram):
    """Algorithm 2 with Z ~ N(0, sigma^2/(sqrt(k) + 1))."""

    @property
    def shared_scale(self) -> float:
        """Deviation sigma (sqrt(k) + 1)^(-1/2)."""
        return self.sigma / math.sqrt(math.sqrt(self.k) + 1)


_ONE: dict[str, Any] = {"k": 1, "sigma": Fraction(1, 2), "gap": 10}


class WideShared(CorrelatedStabilityHistogram):
    """Algorithm 2 with Z ~ N(0, sigma^2)."""

    @property
    def shared_scale(self) -> float:
        """Deviation without the factor k^(-1/4)."""
        return self.sigma


def too_wide_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, k: int, sigma: int, gap: int) -> Number:
    """The probability that some of k new counters passes, at epsilon >= 0; backward there is none to see."""
    new = released(A, l=k, t=A.number(gap) / sigma, b=A.number(1))
    return new if direction is Direction.FORWARD else A.maximum(0, new - A.expm1(A.number(epsilon)) * (1 - new))


_TEN: dict[str, Any] = {"k": 10, "sigma": 4, "gap": 14}


class GammaFromSupport(CorrelatedStabilityHistogram):
    """Algorithm 2 with shared variance ``sigma^2/sqrt(|supp H|)``."""

    def _shared_noise(self, n: int, counters: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return rng.standard_normal((n, 1)) * (self.sigma / math.sqrt(math.sqrt(max(1, counters))))


def gamma_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, k: int, sigma: int, gap: int) -> Number:
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


_QUIET: dict[str, Any] = {"k": 10, "sigma": 20, "gap": 800}
# --- the threshold ----------------------------------------------------------------------------------------------------


class ThresholdFirst(CorrelatedStabilityHistogram):
    """Algorithm 2 that decides on C + Z_i and releases C + Z + Z_i."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noisy = counts + self.sigma * rng.standard_normal((n, counts.size))
        is_withheld = noisy < self.tau_star if self.boundary is Boundary.INCLUSIVE else noisy <= self.tau_star
        values = np.rint((noisy + self._shared_noise(n, counts.size, rng)) / self.grid) * self.grid
        values[is_withheld] = np.nan
        return values


_ONE_EVENT = [Phi(-sign / _SIGMA) - exp(_EPSILON) * Phi(-2 * sign / _SIGMA) for sign in (1, -1)]
"""Excess of "released", and of "not", for one counter that is one below the threshold on the left.

Only the decision is used: the exact delta of the indicator, a lower bound on that of the release.
"""
# A depth near epsilon sigma^2 - 1/2 makes "released" the best event of two normals at distance 1/sigma.
_BELOW: dict[str, Any] = {"k": 1, "sigma": 1, "gap": 10}


@InDoubles
def one_threshold(A: Arithmetic, *, epsilon: Number, releases: int, k: int, sigma: Number, gap: Number) -> Any:
    """The larger of A_k of one release and of the noise of all."""
    new = new_released(A, k=k, sigma=A.number(sigma), gap=A.number(gap), l=k)
    spread = A.number(sigma) / A.sqrt(A.number(releases))
    return A.maximum(new, shared_delta(A, epsilon=A.number(epsilon), k=k, sigma=spread, d=k))


@InDoubles
def larger_end(A: Arithmetic, **parameters: Any) -> Any:
    """What the same data attains."""
    return ends(A, **parameters)


@InDoubles
def independent_delta_infinite(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """``1 - Phi(tau/sigma)^k``."""
    return -A.expm1(k * log_normal_cdf(A, A.number(gap) / sigma))


# --- the support ------------------------------------------------------------------------------------------------------

_ZEROS = 60
"""Keys z0, z1, ... of the universe that nobody holds."""
_COUNTED = 30
"""Numbers of released zero counters that the event tells apart."""
_ZEROS_BITS = 60
"""Of the excess that is integrated: what is left out beyond nine standard deviations is as much."""


@dataclass(frozen=True)
class WholeUniverse(BatchMechanism):
    """Algorithm 2 on every key of its universe, held by anybody or not, under the declarations of Algorithm 2."""

    inner: CorrelatedStabilityHistogram
    releases_only_input_keys = True

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases of all keys above the threshold, zeros included."""
        labels, present = columns_of(histogram, k=self.inner.k)
        keys = (*labels, *(f"z{i}" for i in range(_ZEROS)))
        counts = np.concatenate([present, np.zeros(_ZEROS)])
        shared = rng.standard_normal((n, 1)) * self.inner.shared_scale
        values = counts + shared + self.inner.sigma * rng.standard_normal((n, counts.size))
        rounded_values = round_to_grid(values, self.inner.grid)
        rounded_values[values <= self.inner.tau_star] = np.nan
        return keys, rounded_values


def zeros_cuts(epsilon: float, sign: int, *, k: int, sigma: float, gap: float) -> tuple[float, ...]:
    """Mean residual at which the best event starts, by the number of released zero counters."""
    z = np.linspace(-8, 8, 801)
    shared, width = z * sigma * k**-0.25, sigma / math.sqrt(k)
    log_passes, log_held = (special.log_ndtr(s * (shared - 1 - gap) / sigma) for s in (1, -1))

    def excess(u: float, n: int) -> float:
        log_weight = n * log_passes + (_ZEROS - n) * log_held - z * z / 2
        logs = [special.logsumexp(log_weight - 0.5 * ((u - shared - moved) / width) ** 2) for moved in (1, 0)]
        return float(logs[0] - logs[1] - sign * epsilon)

    return tuple(round(float(increasing_root(Float64(), excess, -60.0, 60.0, n)), 6) for n in range(_COUNTED))


def zeros_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, k: int, sigma: int, gap: int) -> Number:
    """All k shared counters far above the threshold and changed; an event of their mean and of how many zeros pass.

    How many zeros pass tells Z, and the mean less Z moves by one at deviation ``sigma/sqrt(k)``.  Only this event is
    used: the exact excess of it, a lower bound on the hockey stick of the release.
    """
    sign = 1 if direction is Direction.FORWARD else -1
    cuts = [Fraction(str(cut)) for cut in zeros_cuts(float(epsilon), sign, k=k, sigma=float(sigma), gap=float(gap))]
    factor, eta, root = A.exp(A.number(epsilon)), 1 / A.sqrt(A.sqrt(A.number(k))), sign * A.sqrt(A.number(k))
    least = A.number(Fraction(1 + gap, sigma))
    cases = [
        (n, math.comb(_ZEROS, n), *(root * A.number((shift - cut) / sigma) for shift in (1, 0)))
        for n, cut in enumerate(cuts)
    ]

    def integrand(C: Arithmetic, z: Number) -> Number:
        passes, shared = normal_cdf(C, eta * z - least), root * eta * z
        suppressed, total = 1 - passes, C.number(0)
        for n, ways, *meets in cases:
            moved, still = (normal_cdf(C, shared + end) for end in meets)
            gain = moved - factor * still if sign > 0 else still - factor * moved
            total = total + ways * passes**n * suppressed ** (_ZEROS - n) * gain
        return total * normal_pdf(C, z)

    inside = integral(A, integrand, A.number(-9), A.number(9), bits=_ZEROS_BITS)
    beyond = 2 * normal_cdf(A, A.number(-9))
    return A.between(inside - factor * beyond, inside + beyond)


_LOW: dict[str, Any] = {"k": 4, "sigma": 1, "gap": 2}
# --- aggregates -------------------------------------------------------------------------------------------------------

_COLUMNS: Parameters = {"k": 2, "sigma": 2, "gap": 8, "mu_o": "1/2", "tau": 1}


class ColumnsForAll(CorrelatedStabilityHistogram):
    """Algorithm 2 whose columns pass no threshold."""

    def _columns(
        self,
        aggregates: Aggregates,
        counts: NDArray[np.float64],
        released: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        return super()._columns(aggregates, counts, np.zeros_like(released), rng)


class ExactColumns(CorrelatedStabilityHistogram):
    """Algorithm 2 whose columns are what the records add up to."""

    def _columns(
        self,
        aggregates: Aggregates,
        counts: NDArray[np.float64],
        released: NDArray[np.float64],
        _rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        values = np.zeros((*released.shape, len(aggregates.names)))
        values += counts[:, None] * np.asarray(aggregates.contribution)
        values[np.isnan(released)] = np.nan
        return values


def exact_columns_profile(A: Arithmetic, _epsilon: Any, _direction: Direction, *, k: int) -> Number:
    """A released column tells the count; counters this far above the threshold are released but for Phi(-40) each."""
    return A.between(1 - k * normal_cdf(A, A.number(-FAR)), 1)


FAULTS = (
    MECHANISM.broken(
        id="correlated_shared_noise_omitted", title="the shared noise is left out", subclass=NoSharedNoise,
        parameters=_FOUR, pair="n2.all", profile=gaussian(_EPSILON, sqrt(_K) / _SIGMA),
        explanation="Sigma is calibrated for correlated noise; without Z all counters are at distance sqrt(k)/sigma.",
    ),
    MECHANISM.broken(
        id="correlated_shared_noise_published", title="the shared noise is published", change=PublishesShared,
        parameters=_FOUR, pair="n2.all", profile=gaussian(_EPSILON, sqrt(_K) / _SIGMA),
        explanation="Less the shared noise the counters are independent: a change of all is at distance sqrt(k)/sigma.",
    ),
    MECHANISM.broken(
        id="correlated_shared_noise_per_counter", title="the shared noise is drawn for each counter",
        subclass=PerCounter, parameters=_FOUR, pair="n2.all",
        profile=gaussian(_EPSILON, sqrt(_K / (1 + 1 / sqrt(_K))) / _SIGMA),
        explanation="Without the common part a change of all counters is k independent changes; their mean shows it.",
    ),
    MECHANISM.broken(
        id="correlated_shared_variance_over_k", title="the shared variance is sigma^2/k", subclass=VarianceOverK,
        parameters=_FOUR_NARROW, pair="n2.all", profile=gaussian(_EPSILON, sqrt(_K / 2) / _SIGMA), epsilon=2,
        explanation="The ratio of variances is k where Lemma 8 needs sqrt(k); a change of all counters shows.",
    ),
    MECHANISM.broken(
        id="correlated_shared_variance_over_root_plus_one", title="the shared variance is divided by sqrt(k) + 1",
        subclass=RootPlusOne, parameters=_ONE, pair="n2",
        profile=gaussian(_EPSILON, sqrt(_K - _K * _K / (_K + sqrt(_K) + 1)) / _SIGMA), epsilon=2,
        explanation="The squared distance grows by a third at k = 1, and by less and less for large k.",
    ),
    MECHANISM.broken(
        id="correlated_shared_noise_too_wide", title="the shared noise is as wide as a counter's own",
        caught_by="empirical.impossible_key", subclass=WideShared, parameters=_TEN, pair="n1",
        profile=partial(too_wide_profile, **_TEN), epsilon="3/2",
        explanation="Shared counters are hidden better, but the threshold is meant for less noise: new counters pass.",
    ),
    MECHANISM.broken(
        id="correlated_gamma_from_support", title="gamma from the number of counters present",
        subclass=GammaFromSupport, parameters=_QUIET, pair="n5", profile=partial(gamma_profile, **_QUIET),
        direction=Direction.BACKWARD, epsilon=Fraction(349, 1000),
        explanation="The spread of one released counter tells how many counters there are; no sigma hides that.",
    ),
    MECHANISM.broken(
        id="correlated_lower_threshold_not_added", title="the lower threshold is not added to the upper one",
        parameters={"k": 4, "sigma": 2, "gap": 6, "tau": 3}, pair="n1",
        at={"gap": 4},  # tau* = 1 + gap, whatever tau is
        epsilon=2, explanation="A counter first seen at tau = 3 has two fewer to go than one first seen at 1.",
    ),
    MECHANISM.broken(
        id="correlated_threshold_without_one", title="the threshold is tau, not 1 + tau",
        caught_by="empirical.impossible_key", parameters={"k": 4, "sigma": 1, "gap": 3}, pair="n1", epsilon=2,
        at={"gap": 2},  # tau* = gap
        explanation="A new counter has 1, and so only tau - 1 to go: keys that only one side holds pass too often.",
    ),
    MECHANISM.broken(
        id="correlated_threshold_before_shared_noise",
        title="the threshold is compared before the shared noise is added", subclass=ThresholdFirst, parameters=_BELOW,
        pair="n4", profile=maximum(0, *_ONE_EVENT),
        explanation="The decision has the own noise only, and so sees the change at distance 1/sigma.",
    ),
    AccountantFault(
        id="correlated_releases_one_threshold_accountant",
        title="releases that compose their noise and not their thresholds", mechanism=MECHANISM.id,
        violates="lebeda2025.composition.same", accountant=one_threshold,
        parameters={"epsilon": 1, "releases": 30, "k": 10, "sigma": 47, "gap": 270},
        explanation="Each release is one more chance that a new counter passes.",
    ),
    AccountantFault(
        id="correlated_releases_maximum_accountant", title="the larger of the two ends, for data chosen as one goes",
        mechanism=MECHANISM.id, violates="lebeda2025.composition.adaptive", accountant=larger_end,
        parameters={"epsilon": 1, "releases": 2, "k": 1, "sigma": 2, "gap": "7.649"},
        explanation="After a small loss of a shared counter new ones come next, which is more than either alone.",
    ),
    AccountantFault(
        id="correlated_independent_delta_infinite", title="delta_infinity without the shared noise",
        mechanism=MECHANISM.id, violates="lebeda2025.csh.exact.delta_inf", accountant=independent_delta_infinite,
        parameters={"k": 10, "sigma": 20, "gap": 100},
        explanation="A counter passes by its own or by the shared noise: the total deviation is sigma sqrt(1 + "
        "k^(-1/2)).",
    ),
    MECHANISM.broken(
        id="correlated_zero_counters_noised", title="zero counters are noised and released above the threshold",
        caught_by="empirical.input_keys", change=WholeUniverse, parameters=_LOW, pair="n2.all",
        profile=partial(zeros_profile, **_LOW),
        explanation="Zero counters that pass reveal the shared noise; less it, the mean of k counters moves by one.",
    ),
    aggregates.MECHANISM.broken(
        id="correlated_aggregates_not_thresholded", title="aggregates are released without their counter",
        subclass=ColumnsForAll, parameters=_COLUMNS, pair="n1", profile=DISJOINT,
        explanation="A new counter's column is out whenever the counter exists.",
    ),
    aggregates.MECHANISM.broken(
        id="correlated_aggregates_without_noise", title="aggregates have no noise of their own", subclass=ExactColumns,
        parameters=_COLUMNS, pair="n2", profile=partial(exact_columns_profile, k=2),
        explanation="The threshold hides which counters exist; what comes out with one is as exact as it was put in.",
    ),
)  # fmt: skip
