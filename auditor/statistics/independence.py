"""Exact permutation test of the independence of releases that were drawn together.

Under the null hypothesis all releases of all batches are independent and have one law, so every order is equally
likely. The statistics cover the usual dependences within a batch: a shared draw, antithetic or sorted rows, repeated or
excluded rows, and state carried from one batch to the next.
"""

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 999
FEW = 99
HIGH_LEVEL = 0.2
"""A level above this after FEW permutations ends the test (Besag and Clifford 1991). After all permutations it is
practically never below 0.001, and two tests reject less often than the last alone."""
MOST_COLUMNS = 3
"""Columns of a release that are tested, chosen by most distinct values."""

TINY = 1e-6
"""Keeps the logarithm of zero spread finite; on the scale of squared sums of ranks of variance 1."""

Floats = NDArray[np.float64]


def permutation_p_value(values: Floats, rng: np.random.Generator) -> float:
    """Return the attained level of the hypothesis that all releases are independent draws of one law.

    The statistics are standardised over all tried orders, with the observed one, and their largest absolute value is
    ranked among its values at these orders. A level of at most SETTLED is valid for every number of releases, with
    ties.

    Args:
        values: (batches, releases, columns), at least 2 batches of 2 releases; NaN where a release lacks the number.
        rng: generator used for the permutations only.
    """
    batches, size, width = values.shape
    rows = values.reshape(batches * size, width)
    _distinct, identity = np.unique(rows, axis=0, return_inverse=True, equal_nan=True)
    ranks = [_ranks(np.nan_to_num(column, nan=-np.inf)) for column in rows.T]
    ranks.sort(key=lambda column: -np.unique(column).size)
    columns = [(each - each.mean()) / each.std() for each in ranks[:MOST_COLUMNS] if each.std() > 0]
    if not columns:
        return 1.0
    p_value = _at(FEW, (batches, size), identity.ravel(), columns, rng)
    return p_value if p_value > HIGH_LEVEL else _at(PERMUTATIONS, (batches, size), identity.ravel(), columns, rng)


def _ranks(values: Floats) -> Floats:
    """Return the rank of each value, from 1; ties have their mean rank."""
    _values, place, ties = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(ties) - 0.5 * (ties - 1))[place])


def _at(
    permutations: int,
    shape: tuple[int, int],
    identity: NDArray[np.int64],
    columns: list[Floats],
    rng: np.random.Generator,
) -> float:
    """Return the attained level over fresh orders of the releases; `shape` is (batches, releases per batch)."""
    observed = np.arange(identity.size)
    orders = np.vstack([observed, *(rng.permutation(observed) for _ in range(permutations))]).reshape(-1, *shape)
    statistics = np.stack([*_ties(identity[orders]), *(each for one in columns for each in _ordered(one[orders]))])
    statistics = statistics[statistics.std(axis=1) > 0]
    if not len(statistics):
        return 1.0
    means, spreads = statistics.mean(axis=1, keepdims=True), statistics.std(axis=1, keepdims=True)
    greatest = np.abs((statistics - means) / spreads).max(axis=0)
    return float(np.mean(greatest >= greatest[0] - 1e-9))


def _ordered(ranks: Floats) -> list[Floats]:
    """Return statistics of centred ranks, (orders, batches, releases): one number per order for each statistic."""
    sums = ranks.sum(axis=2)
    return [
        np.log((sums**2).sum(axis=1) + TINY),  # a draw shared by a batch; antithetic rows; distinct rows
        np.log((ranks.sum(axis=1) ** 2).sum(axis=1) + TINY),  # sorted rows
        (ranks[:, :, :-1] * ranks[:, :, 1:]).sum(axis=(1, 2)),  # each row and the next
        (ranks[:, :-1] * ranks[:, 1:]).sum(axis=(1, 2)),  # each row and its position in the next batch
        (sums[:, :-1] * sums[:, 1:]).sum(axis=1),  # a batch and the next
    ]


def _ties(identity: NDArray[np.int64]) -> list[Floats]:
    """Return the number of equal adjacent rows after sorting each batch: repeated, or always distinct, rows."""
    inside = np.sort(identity, axis=2)
    return [(inside[:, :, 1:] == inside[:, :, :-1]).sum(axis=(1, 2)).astype(np.float64)]
