"""What the experiments measure: mean absolute error of frequencies, recall of the top tenth, error of range queries."""

import math
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from auditor.experiments.populations import Counts

Estimates = NDArray[np.float64]
"""Estimates by bucket, shape (repetitions, B): frequencies, NaN where a bucket is not reported; or weights below."""


class Measure(StrEnum):
    """What a figure shows, as its axis is labelled."""

    ERROR = "mean absolute error (fraction of the population)"
    RECALL = "recall of the top B/10 buckets"
    RANGE = "largest error of a query [0, r) (fraction of the population)"


def errors(estimates: Estimates, counts: Counts) -> NDArray[np.float64]:
    """Mean over buckets of |estimated - true frequency|, one a repetition; a bucket not reported counts as zero."""
    return np.asarray(np.abs(np.nan_to_num(estimates, nan=0.0) - counts / counts.sum()).mean(axis=1))


def recalls(estimates: Estimates, counts: Counts) -> NDArray[np.float64]:
    """Share of the top k = B // 10 buckets that are among the k largest estimates, one a repetition."""
    return np.array([recall(row, counts, counts.size // 10) for row in estimates])


def recall(row: NDArray[np.float64], counts: Counts, k: int) -> float:
    """Expected recall where ties among estimates are broken at random; only reported buckets can be named.

    Where true counts tie at the k-th largest, any of the tied buckets is right; where fewer than k buckets are in use,
    those are wanted.
    """
    used = int(np.count_nonzero(counts))
    most = min(k, used)
    right = counts >= max(int(np.sort(counts)[-k]), 1)
    present = ~np.isnan(row)
    values, right = row[present], right[present]
    if values.size <= k:
        return min(int(right.sum()), most) / most
    boundary = np.sort(values)[-k]
    above, tied = values > boundary, values == boundary
    hits = right[above].sum() + (k - above.sum()) * right[tied].mean()
    return min(float(hits), most) / most


def range_errors(estimates: Estimates, counts: Counts) -> NDArray[np.float64]:
    """Largest |estimated - true fraction of clients in the buckets below| over all buckets, one a repetition."""
    below = (np.cumsum(counts) - counts) / counts.sum()
    return np.asarray(np.abs(estimates - below).max(axis=1))


MEASURES = {Measure.ERROR: errors, Measure.RECALL: recalls, Measure.RANGE: range_errors}


def summary(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean and its standard error, s/sqrt(R) with s^2 over R - 1."""
    return float(values.mean()), float(values.std(ddof=1) / math.sqrt(values.size))
