"""The correlated stability histogram: Algorithm 2 of lebeda2025, with a lower threshold and optional aggregates.

Statement: draw Z ~ N(0, sigma^2/sqrt(k)) once; for each counter with count C >= tau draw Z_i ~ N(0, sigma^2) and
release C + Z + Z_i if it is above tau*. Its exact delta depends on (tau, tau*) only through the gap tau* - tau, for
integer tau >= 1; the paper has tau = 1. The variance of Z uses the public bound k, never the number of counters
present.

Floating point: the decision is taken on the unrounded sum, and what is released is rounded to a declared grid, as in
gaussian_sparse_histogram. Keys come out in the order of their names.
"""

import math
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.correlated_stability_histogram.law import law
from mechanisms.gaussian_sparse_histogram.mechanism import Aggregates, check_tau, grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released, column, validate
from mechanisms.mechanism import BatchMechanism, Boundary, MechanismSpec, of_numbers
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import sqrt, symbols
from proofs_numeric.lebeda2025.neighbours import FAR, STABILITY_HISTOGRAM

_BLOCK = 16_384
"""Values handled at a time: they stay in the second-level cache through every pass."""


@dataclass(frozen=True)
class CorrelatedStabilityHistogram(BatchMechanism):
    """Algorithm 2 (lebeda2025).

    Attributes:
        k: most non-zero counters of a histogram; an integer >= 1, public.
        tau: counters below are never released; an integer >= 1 (users).
        tau_star: noisy counts up to it are not released (users), any finite real.
        sigma: deviation of each counter's own noise; finite, > 0 (users).
        aggregates: further columns as in `GaussianSparseHistogram`, with independent noise, or None.
        grid: released values are rounded to the nearest multiple; a power of two.
        boundary: whether a noisy count equal to tau* passes; the paper's comparison is ">".
    """

    k: int
    tau: int
    tau_star: float
    sigma: float
    aggregates: Aggregates | None = None
    grid: float = 2.0**-10
    boundary: Boundary = Boundary.EXCLUSIVE

    def __post_init__(self) -> None:
        """Refuse parameters under which the delta would be wrong or the noise would be no noise."""
        check_sparsity(self.k)
        check_tau(self.tau)
        if not _is_double(self.tau_star):
            raise ValueError(f"expected a finite tau_star (users), got tau_star={self.tau_star!r}")
        check_scale(self.sigma)
        if not (_is_double(self.grid) and math.frexp(self.grid)[0] == 0.5):
            raise ValueError(f"expected grid to be a power of two (users), got grid={self.grid!r}")

    @property
    def releases_only_input_keys(self) -> bool:  # type: ignore[override]
        """Whether released keys are keys of the input: columns of aggregates have keys of their own."""
        return self.aggregates is None

    @property
    def shared_scale(self) -> float:
        """Deviation of the shared noise Z, sigma k^(-1/4)."""
        return self.sigma / math.sqrt(math.sqrt(self.k))

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key in the order of names (then its aggregates), NaN where not released.

        Raises:
            ValueError: no histogram, or more than k non-zero counters; nothing is released.
        """
        keys, counts = columns_of(histogram, k=self.k, grid=self.grid)
        released = self._noisy_counts(counts, n, rng)
        if self.aggregates is None:
            return keys, released
        table = np.concatenate([released[:, :, None], self._columns(self.aggregates, counts, released, rng)], axis=2)
        columns = tuple(column(name, key) for key in keys for name in ("count", *self.aggregates.names))
        return columns, table.reshape(n, len(columns))

    def _columns(
        self,
        aggregates: Aggregates,
        counts: NDArray[np.float64],
        released: NDArray[np.float64],
        rng: np.random.Generator,
    ) -> NDArray[np.float64]:
        """Shape released.shape + (columns,): rounded noisy aggregates of released counters, NaN elsewhere."""
        noise = rng.standard_normal((*released.shape, len(aggregates.names))) @ aggregates.factor.T
        values = round_to_grid(counts[:, None] * np.asarray(aggregates.contribution) + noise, self.grid)
        values[np.isnan(released)] = np.nan
        return values

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Shape (n, len(counts)): rounded noisy counts, NaN where a threshold holds them back."""
        visited = counts >= max(self.tau, 1)
        if not np.all(visited):
            values = np.full((n, counts.size), np.nan)
            values[:, visited] = self._noisy_counts(counts[visited], n, rng)
            return values
        values = np.empty((n, counts.size))
        shift, scale, threshold = counts / self.grid, self.sigma / self.grid, self.tau_star / self.grid
        compare = np.less if self.boundary is Boundary.INCLUSIVE else np.less_equal
        shared = self._shared_noise(n, counts.size, rng) / self.grid
        rows = max(1, _BLOCK // max(1, counts.size))
        for start in range(0, n, rows):
            block = values[start : start + rows]
            rng.standard_normal(out=block)
            block *= scale
            block += shift
            block += shared[start : start + rows]
            below = compare(block, threshold)
            np.rint(block, out=block)
            block *= self.grid
            block[below] = np.nan
        return values

    def _shared_noise(self, n: int, _counters: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Z of each release, shape (n, 1)."""
        return rng.standard_normal((n, 1)) * self.shared_scale


def check_sparsity(k: object) -> None:
    """Refuse a sparsity bound that is no integer >= 1."""
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 1:
        raise ValueError(f"expected an integer k >= 1 (counters), got k={k!r}")


def check_scale(sigma: object) -> None:
    """Refuse what is no deviation of noise."""
    if not (_is_double(sigma) and sigma > 0):
        raise ValueError(f"expected 0 < sigma < infinity (users), got sigma={sigma!r}")


def _is_double(value: object) -> TypeGuard[float]:
    """Whether this is a finite real number that a double can be near."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    size: Any = abs(value)
    return bool(size <= sys.float_info.max)


def check_counts(histogram: Histogram, *, grid: float) -> None:
    """Refuse what is no histogram, and counts of which doubles cannot hold every multiple of the grid.

    Raises:
        ValueError: the low bits of a released value would tell which count it came from.
    """
    validate(histogram)
    largest = max(histogram.values(), default=0)
    if largest > 2**52 * grid:
        text = largest if largest < 2**64 else "a larger one"
        raise ValueError(f"expected counts <= 2^52 grid steps of {grid}, got {text}; count in larger units")


def columns_of(histogram: Histogram, *, k: int, grid: float = 2.0**-10) -> Released:
    """Keys in order and counts of the non-zero counters, which are to be released on the grid.

    Raises:
        ValueError: no histogram, counts too large for the grid, or more than k non-zero counters.
    """
    check_counts(histogram, grid=grid)
    keys = tuple(sorted(key for key, count in histogram.items() if count))
    if len(keys) > k:
        raise ValueError(
            f"expected at most k={k} non-zero counters, got {len(keys)}; reduce them first (mechanisms.top_k.mechanism)"
        )
    return keys, np.array([histogram[key] for key in keys], dtype=np.float64)


def sparsity(k: Value) -> int:
    """The integer k >= 1, or one line saying what is wrong."""
    value = Fraction(k)
    if value.denominator != 1 or value < 1:
        raise ValueError(f"expected an integer k >= 1 (counters), got k={k}")
    return int(value)


@of_numbers
def build(*, k: Value, sigma: Value, gap: Value, tau: Value = 1) -> CorrelatedStabilityHistogram:
    """Algorithm 2 by the names of Theorem 11.

    Args:
        k: sparsity bound (counters).
        sigma: deviation of one counter's own noise (users).
        gap: tau* - tau (users).
        tau: lower threshold (users).
    """
    lower = Fraction(tau)
    check_tau(int(lower) if lower.denominator == 1 else lower)
    scale = float(Fraction(sigma))
    return CorrelatedStabilityHistogram(
        k=sparsity(k), tau=int(lower), tau_star=float(lower + Fraction(gap)), sigma=scale, grid=grid_for(scale)
    )


MECHANISM = MechanismSpec(
    id="correlated_stability_histogram", title="correlated stability histogram (Algorithm 2)", build=build,
    parameters={"k": 4, "sigma": 4, "gap": 12, "tau": 1}, guarantee_claim="lebeda2025.csh.exact",
    source="lebeda2025, Section 3, Algorithm 2; Theorems 11 and 12", privacy=STABILITY_HISTOGRAM, law=law,
)  # fmt: skip


_K, _SIGMA = symbols("k sigma")
CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="lebeda2025.csh.exact", release="counts", users={"k": "all_keys"}, noise="sigma",
    threshold="gap", limit_threshold=2 * FAR * _SIGMA, deviation=_SIGMA * sqrt(1 + 1 / sqrt(_K)), first_count=1,
)  # fmt: skip
_REPEATED = replace(
    CALIBRATOR, id=f"{MECHANISM.id}_same", mechanism=MECHANISM.id, claim="lebeda2025.composition.same",
    release="repeated_counts", users={"k": "all_keys", "releases": "releases"},
)  # fmt: skip
CALIBRATORS = (
    _REPEATED,
    replace(
        _REPEATED, id=f"{MECHANISM.id}_adaptive", claim="lebeda2025.composition.adaptive", release="adaptive_counts",
        noise_share=Fraction(3, 4),
    ),
)  # fmt: skip
