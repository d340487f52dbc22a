"""Noisy maximum, histograms, sparse vectors and a mean, right and wrong; each a function of (queries, epsilon, n, rng).

Sparse vectors and their wrong variants follow Lyu, Su and Li (2017), the others the benchmark sets of StatDP and of
dp_auditorium. Queries change by at most 1 each between neighbours. Outputs are columns, NaN where nothing is shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Release = Callable[[Floats, float, int, np.random.Generator], Floats]
GRID = 2.0**20
THRESHOLD = 0.5


def rounded(values: Floats) -> Floats:
    """On a grid of 2^-20, so that doubles give nothing away."""
    return np.asarray(np.rint(values * GRID) / GRID, dtype=np.float64)


def noisy_max(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """The index of the largest noisy query: epsilon-private with scale 2 / epsilon."""
    noisy = queries + rng.laplace(0, 2 / epsilon, (n, len(queries)))
    return np.asarray(noisy.argmax(axis=1)[:, None], dtype=np.float64)


def noisy_max_value(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: releases the maximum itself."""
    return rounded((queries + rng.laplace(0, 2 / epsilon, (n, len(queries)))).max(axis=1, keepdims=True))


def noisy_max_value_exponential(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: the same with exponential noise."""
    return rounded((queries + rng.exponential(2 / epsilon, (n, len(queries)))).max(axis=1, keepdims=True))


def histogram(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Laplace noise of scale 1 / epsilon on counts of which one changes."""
    return rounded(queries + rng.laplace(0, 1 / epsilon, (n, len(queries))))


def histogram_inverted(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: scale epsilon in place of 1 / epsilon."""
    return rounded(queries + rng.laplace(0, epsilon, (n, len(queries))))


def sparse_vector(
    queries: Floats, n: int, rng: np.random.Generator, *, threshold_scale: float, query_scale: float, most: int | None
) -> Floats:
    """Column i is 1 where the noisy query passes the noisy threshold, 0 where not, NaN after the last answer."""
    bar = THRESHOLD + rng.laplace(0, threshold_scale, (n, 1))
    noisy = queries + (rng.laplace(0, query_scale, (n, len(queries))) if query_scale else 0.0)
    passed = noisy >= bar
    output = passed.astype(float)
    if most is not None:
        output[np.cumsum(passed, axis=1) - passed >= most] = np.nan
    return output


def sparse(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Right: half of epsilon for the threshold, half for one positive answer."""
    return sparse_vector(queries, n, rng, threshold_scale=2 / epsilon, query_scale=4 / epsilon, most=1)


def sparse_unscaled(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: query noise 4 / (3 epsilon), whatever the number of answers."""
    scales = {"threshold_scale": 4 / epsilon, "query_scale": 4 / (3 * epsilon)}
    return sparse_vector(queries, n, rng, **scales, most=len(queries) // 2)


def sparse_without_query_noise(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: only the threshold is noisy."""
    return sparse_vector(queries, n, rng, threshold_scale=2 / epsilon, query_scale=0.0, most=None)


def sparse_without_cap(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: query noise 2 / epsilon and any number of positive answers."""
    return sparse_vector(queries, n, rng, threshold_scale=2 / epsilon, query_scale=2 / epsilon, most=None)


def sparse_with_noisy_query(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: the one positive answer is the noisy query itself, which tells where the threshold is not."""
    bar = THRESHOLD + rng.laplace(0, 2 / epsilon, (n, 1))
    noisy = queries + rng.laplace(0, 2 / epsilon, (n, len(queries)))
    passed = noisy >= bar
    return np.where(passed & (np.cumsum(passed, axis=1) == 1), rounded(noisy), np.nan)


LATE, LOW = 5, 28
"""A place among the queries and a value: what the released noisy query gives away most at epsilon 0.1."""


def late_and_low(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Post-processing of the noisy query that is released: 1 where it is a late one and low."""
    values = sparse_with_noisy_query(queries, epsilon, n, rng)[:, LATE:]
    return (values <= LOW).any(axis=1, keepdims=True).astype(float)


def mean_with_true_count(queries: Floats, epsilon: float, n: int, rng: np.random.Generator) -> Floats:
    """Wrong: a noisy sum over the true number of records; an empty record set shows itself."""
    count = max(1.0, queries.sum())
    return rounded((queries.sum() + rng.laplace(0, 1 / epsilon, (n, 1))) / count)


@dataclass(frozen=True)
class Known:
    """A mechanism at an epsilon, as the auditor takes it: queries are the counts of a histogram."""

    release: Release
    epsilon: float

    def release_many(
        self, histogram: Mapping[str, int], n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], Floats]:
        """N releases."""
        values = self.release(np.array([*histogram.values()], dtype=float), self.epsilon, n, rng)
        return tuple(f"a{i}" for i in range(values.shape[1])), values
