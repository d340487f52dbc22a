"""The trade-off band: simultaneous by exact tails, and close to the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import norm

from auditor.statistics.tradeoff import tradeoff_band, upper_tail_band


@pytest.mark.parametrize("n", [1, 2, 17, 1000])
def test_band_increases_and_ends_at_one(n: int) -> None:
    """More samples above a cut allow more mass above it; with all of them above, nothing is known."""
    band = upper_tail_band(n, 0.05)
    assert len(band) == n + 1
    assert np.all(np.diff(band) >= 0)
    assert band[-1] == 1.0
    assert np.all(band >= np.arange(n + 1) / n)


def test_band_holds_simultaneously() -> None:
    """Over 4000 uniform samples the true tail leaves the 20 per cent band in fewer than 20 per cent."""
    rng, n = np.random.default_rng(3), 50
    band = upper_tail_band(n, 0.2)
    mass_above = 1.0 - np.sort(rng.random((4000, n)), axis=1)[:, ::-1]
    left_band = (mass_above > band[:n]).any(axis=1)
    assert 0.02 < left_band.mean() < 0.2


def test_the_tail_is_exact_where_dkw_is_useless() -> None:
    """With no sample of n above a cut the mass above is of order 1 / n, not 1 / sqrt(n)."""
    assert upper_tail_band(100_000, 0.05)[0] < 1e-4


def test_band_bounds_the_profile_from_below() -> None:
    """From Gaussian scores the implied delta is below the true profile and of its order."""
    rng = np.random.default_rng(7)
    band = tradeoff_band(rng.normal(1.0, 1.0, 200_000), rng.normal(0.0, 1.0, 200_000), 1e-9)
    for epsilon in (0.0, 0.5, 1.0, 2.0):
        exact = norm.cdf(0.5 - epsilon) - math.exp(epsilon) * norm.cdf(-0.5 - epsilon)
        assert 0.4 * exact < band.delta_lower(epsilon) < exact


def test_a_claimed_tradeoff_that_is_too_good_is_refuted() -> None:
    """Scores of a Gaussian pair with mu = 1 refute the trade-off function of mu = 0.9 and not its own."""
    rng = np.random.default_rng(9)
    band = tradeoff_band(rng.normal(1.0, 1.0, 200_000), rng.normal(0.0, 1.0, 200_000), 1e-9)
    assert band.refutes(lambda fpr: norm.cdf(norm.isf(fpr) - 0.9))
    assert not band.refutes(lambda fpr: norm.cdf(norm.isf(fpr) - 1.0))
