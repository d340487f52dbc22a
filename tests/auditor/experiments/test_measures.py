"""Error and recall on histograms small enough to do by hand."""

import numpy as np
import pytest

from auditor.experiments.measures import errors, recall, recalls, summary

NAN = float("nan")


def test_a_bucket_that_is_not_reported_counts_as_zero():
    """True frequencies 0.6 and 0.4; 0.5 is estimated for the first, nothing for the second."""
    assert errors(np.array([[0.5, NAN], [0.6, 0.4]]), np.array([6, 4])) == pytest.approx([0.25, 0.0])


@pytest.mark.parametrize(
    ("row", "counts", "k", "wanted"),
    [
        ([5, 4, 1, 0], [50, 40, 30, 20], 2, 1.0),
        ([5, 1, 4, 0], [50, 40, 30, 20], 2, 0.5),
        ([5, NAN, NAN, NAN], [50, 40, 30, 20], 2, 0.5),
        ([NAN, NAN, 3, NAN], [50, 40, 30, 20], 2, 0.0),
        ([5, 2, 2, 2], [50, 40, 30, 20], 2, 0.5 + 1 / 6),
        ([5, 1, 4, 0], [50, 40, 40, 20], 2, 1.0),
        ([5, 1, 4, 0], [50, 0, 0, 0], 2, 1.0),
        ([1, 5, 4, 0], [50, 0, 0, 0], 2, 0.0),
    ],
    ids=[
        "all found",
        "one of two",
        "one reported",
        "a wrong one reported",
        "ties of estimates share what is left",
        "either of two tied counts is right",
        "only used buckets are wanted",
        "empty buckets are never right",
    ],
)
def test_recall(row, counts, k, wanted):
    """Share of the k largest counts among the k largest estimates."""
    assert recall(np.array(row, dtype=float), np.array(counts), k) == pytest.approx(wanted)


def test_the_top_tenth_is_rounded_down():
    """Of 64 buckets 6 are wanted."""
    counts = np.arange(64)
    estimates = np.where(counts >= 58, 1.0, NAN)[None, :]
    assert recalls(estimates, counts).tolist() == [1.0]
    assert recalls(np.where(counts >= 59, 1.0, NAN)[None, :], counts) == pytest.approx([5 / 6])


def test_the_standard_error_is_that_of_the_mean():
    """1, 2, 3, 4: standard deviation sqrt(5/3), over sqrt(4)."""
    assert summary(np.array([1.0, 2.0, 3.0, 4.0])) == pytest.approx((2.5, (5 / 3) ** 0.5 / 2))
