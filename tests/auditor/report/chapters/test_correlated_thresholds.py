"""The chapter's least thresholds held against draws of the pairs that decide them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import special

from auditor.report.chapters.correlated_stability_histogram import TABLE_SPARSITIES, least_gaps, thresholds
from auditor.report.chapters.correlated_thresholds import LARGEST_DRAWN, PAIRS, all_new, all_shared, shared_loss
from mechanisms.correlated_stability_histogram import mechanism

ROWS = thresholds({k: least_gaps(k) for k in TABLE_SPARSITIES})
ONE_BY_ONE = tuple(row for row in ROWS if row.k <= LARGEST_DRAWN)
DRAWS = 10_000


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.k))
@pytest.mark.parametrize("interval", PAIRS.values(), ids=PAIRS)
def test_both_pairs_have_the_delta_asked_for(row, interval):
    """At the exact least gap and the least sigma the interval holds 1e-5 and is narrow, for k up to a million."""
    lower, upper = interval(row, DRAWS, np.random.default_rng(1), one_by_one=False)
    assert lower <= row.delta <= upper
    assert upper / lower < 1.3


@pytest.mark.parametrize("row", ONE_BY_ONE, ids=lambda row: str(row.k))
@pytest.mark.parametrize("interval", PAIRS.values(), ids=PAIRS)
def test_drawing_every_counter_agrees(row, interval):
    """Up to 64 counters each own noise is drawn, and the interval holds 1e-5 too."""
    lower, upper = interval(row, DRAWS, np.random.default_rng(2), one_by_one=True)
    assert lower <= row.delta <= upper


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.k))
def test_a_threshold_two_percent_lower_is_caught(row):
    """The comparison can fail: with 2 percent off the gap, or off sigma, delta lies above the intervals for 1e-5."""
    rng = np.random.default_rng(3)
    assert all_new(replace(row, gap=0.98 * row.gap), DRAWS, rng, one_by_one=False)[0] > row.delta
    assert all_shared(replace(row, sigma=0.98 * row.sigma), DRAWS, rng, one_by_one=False)[0] > row.delta


@pytest.mark.parametrize("row", ROWS[1:], ids=lambda row: str(row.k))
def test_new_counters_without_shared_noise_are_not_mistaken(row):
    """The delta of k independent counters at the same gap, one less Phi(tau/sigma)^k, lies outside the interval."""
    lower, _upper = all_new(row, DRAWS, np.random.default_rng(4), one_by_one=False)
    independent = -math.expm1(row.k * special.log_ndtr(row.gap / row.sigma))
    assert independent < lower


@pytest.mark.parametrize("row", ONE_BY_ONE, ids=lambda row: str(row.k))
def test_blocks_tell_as_much_as_their_counters(row):
    """The means of changed and unchanged counters are a sufficient statistic: the distance of the laws is the same."""
    assert shared_loss(row, one_by_one=True).square == pytest.approx(shared_loss(row, one_by_one=False).square)


@pytest.mark.parametrize("k", [1, 2, 10])
def test_draws_agree_with_releases_where_delta_is_large(k):
    """At a low threshold plain releases of the mechanism find the same probability that some counter comes out."""
    row = replace(ROWS[0], k=k, sigma=2.0, gap=2.0)
    lower, upper = all_new(row, DRAWS, np.random.default_rng(5), one_by_one=False)
    built = mechanism.build(k=k, sigma=2, gap=2)
    n = 100_000
    _keys, values = built.release_many({f"k{i}": 1 for i in range(k)}, n, np.random.default_rng(6))
    found = float(np.mean(np.any(~np.isnan(values), axis=1)))
    room = 7 * math.sqrt(0.25 / n)
    assert lower - room < found < upper + room
    assert upper - lower < 0.1
