"""Top-k that also releases the (k+1)-th count with noise of deviation sigma, and accounts for none of it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.correlated_stability_histogram.pairs import far_count
from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import BatchMechanism, Fault
from mechanisms.pair import Pair
from mechanisms.top_k import mechanism as correct
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.extensions import independent_release
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact


@dataclass(frozen=True)
class ReleasesFloor(BatchMechanism):
    """Algorithm 3 with the subtracted count, noised, in a column of its own."""

    inner: correct.TopK
    releases_only_input_keys = False

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N releases, each with the floor."""
        noise = self.inner.inner
        ordered = sorted(histogram.values(), reverse=True)
        floor = ordered[noise.k] if len(ordered) > noise.k else 0
        keys, values = self.inner.release_many(histogram, n, rng)
        column = round_to_grid(floor + noise.sigma * rng.standard_normal((n, 1)), noise.grid)
        return (*keys, "floor"), np.concatenate([values, column], axis=1)


def build(*, k: Exact, sigma: Exact, gap: Exact) -> ReleasesFloor:
    """Algorithm 3 that releases what it subtracts."""
    return ReleasesFloor(correct.build(k=k, sigma=sigma, gap=gap))


def profile(A: Any, epsilon: Any, _direction: Direction, *, k: int, sigma: int) -> Any:
    """The floor up by one, k/2 + sqrt(k)/2 of k counters down by one: ``4 sigma^2 mu^2 = k + sqrt(k) + 4``."""
    return gaussian_profile(A, epsilon, A.sqrt(independent_release(A, k=k, scale=A.number(1))) / (2 * sigma))


_PARAMETERS = {"k": 4, "sigma": 2, "gap": 20}
_FAR = far_count(threshold=Fraction(21), sigma=Fraction(2))
_BASE = {"k0": 5 + _FAR, "k1": 5 + _FAR, "k2": 5 + _FAR, "k3": 5 + _FAR, "z": 5}

FAULT = Fault(
    id="correlated_top_k_floor_released",
    title="the count that Top-k subtracts is released with noise sigma and not accounted for",
    mechanism="top_k",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "floor",
        _BASE | {"k3": 6 + _FAR, "z": 6},
        _BASE,
        "one user moves the floor and one of the four counters above it: the other three fall",
        correct.adjacency(_PARAMETERS),
        partial(profile, k=4, sigma=2),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The floor moves against the counters, so its own noise adds 1/sigma^2 to the squared distance.",
)
