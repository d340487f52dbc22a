"""Are releases that were drawn together independent? An exact permutation test.

Under the null hypothesis all releases of all batches are independent and have one law, so every order of them is as
likely as any other.  The statistics look where releases that were drawn together are usually tied: a draw that a batch
shares, antithetic or sorted rows, rows that are repeated or excluded, what is carried from a batch to the next.
"""

import numpy as np
from numpy.typing import NDArray

PERMUTATIONS = 999
FEW = 99
SETTLED = 0.2
"""A p-value above this at so few permutations is not looked at again (Besag and Clifford 1991): what it is at all of
them is practically never below 0.001, and two looks reject less often than the last alone."""
MOST_COLUMNS = 3
"""Numbers of a release that are looked at: those with the most distinct values."""

TINY = 1e-6
"""Keeps the logarithm of no spread at all finite; on the scale of squared sums of ranks of variance 1."""

Floats = NDArray[np.float64]


def permutation_p_value(values: Floats, rng: np.random.Generator) -> float:
    """Return the p-value of the hypothesis that all releases are independent draws of one law.

    The greatest of the statistics, each standardised by all the orders that were tried, the observed one among them, is
    held against its values at those orders: a p-value of at most SETTLED is valid at every number of releases, ties
    included.

    Args:
        values: (batches, releases, columns), at least 2 batches of 2 releases; NaN where a release has no such number.
        rng: the permutations' own generator.
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
    return p_value if p_value > SETTLED else _at(PERMUTATIONS, (batches, size), identity.ravel(), columns, rng)


def _ranks(values: Floats) -> Floats:
    """Return the mean rank of each value, ties sharing one, from 1."""
    _values, place, ties = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(ties) - 0.5 * (ties - 1))[place])


def _at(
    permutations: int,
    shape: tuple[int, int],
    identity: NDArray[np.int64],
    columns: list[Floats],
    rng: np.random.Generator,
) -> float:
    """Return the p-value at so many fresh orders of the releases; `shape`: batches and releases of each."""
    observed = np.arange(identity.size)
    orders = np.vstack([observed, *(rng.permutation(observed) for _ in range(permutations))]).reshape(-1, *shape)
    told = np.stack([*_ties(identity[orders]), *(each for one in columns for each in _ordered(one[orders]))])
    spread = told.std(axis=1)
    told = told[spread > 0]
    if not len(told):
        return 1.0
    greatest = np.abs((told - told.mean(axis=1, keepdims=True)) / told.std(axis=1, keepdims=True)).max(axis=0)
    return float(np.mean(greatest >= greatest[0] - 1e-9))


def _ordered(ranks: Floats) -> list[Floats]:
    """Statistics of centred ranks, (orders, batches, releases): one number an order for each."""
    sums = ranks.sum(axis=2)
    return [
        np.log((sums**2).sum(axis=1) + TINY),  # a draw that a batch shares; antithetic rows; no row twice
        np.log((ranks.sum(axis=1) ** 2).sum(axis=1) + TINY),  # sorted rows
        (ranks[:, :, :-1] * ranks[:, :, 1:]).sum(axis=(1, 2)),  # each row and the next
        (ranks[:, :-1] * ranks[:, 1:]).sum(axis=(1, 2)),  # the same place of the next batch
        (sums[:, :-1] * sums[:, 1:]).sum(axis=1),  # a batch and the next
    ]


def _ties(identity: NDArray[np.int64]) -> list[Floats]:
    """Equal neighbours after sorting each batch: rows that are repeated, or never twice, within a batch."""
    inside = np.sort(identity, axis=2)
    return [(inside[:, :, 1:] == inside[:, :, :-1]).sum(axis=(1, 2)).astype(np.float64)]
