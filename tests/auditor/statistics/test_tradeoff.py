"""The trade-off band: simultaneous by exact tails, and close to the truth."""

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from auditor.statistics.e_process import Period, Trajectory
from auditor.statistics.tradeoff import TradeoffBand, band_of_bets, band_of_cells, joint, upper_tail_band


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


def band_of_scores(left: np.ndarray, right: np.ndarray, alpha: float) -> TradeoffBand:
    """Band of cells of a fiftieth of a score each; large scores speak for the left side."""
    cells = [np.floor(-50 * np.clip(side, -10, 10)).astype(int) + 501 for side in (left, right)]
    return band_of_cells(np.stack([np.bincount(side, minlength=1002) for side in cells], axis=1), alpha)


def test_band_bounds_the_profile_from_below() -> None:
    """From Gaussian scores the implied delta is below the true profile and of its order."""
    rng = np.random.default_rng(7)
    band = band_of_scores(rng.normal(1.0, 1.0, 200_000), rng.normal(0.0, 1.0, 200_000), 1e-9)
    for epsilon in (0.0, 0.5, 1.0, 2.0):
        exact = norm.cdf(0.5 - epsilon) - math.exp(epsilon) * norm.cdf(-0.5 - epsilon)
        assert 0.4 * exact < band.delta_lower(epsilon) < exact


def test_a_claimed_tradeoff_that_is_too_good_is_refuted() -> None:
    """Scores of a Gaussian pair with mu = 1 refute the trade-off function of mu = 0.9 and not its own."""
    rng = np.random.default_rng(9)
    band = band_of_scores(rng.normal(1.0, 1.0, 200_000), rng.normal(0.0, 1.0, 200_000), 1e-9)
    assert band.refutes(lambda fpr: norm.cdf(norm.isf(fpr) - 0.9))
    assert not band.refutes(lambda fpr: norm.cdf(norm.isf(fpr) - 1.0))


def blocks_of(rng: np.random.Generator, sizes: list[int], p: float = 0.5, q: float = 0.1) -> list[np.ndarray]:
    """Counts of two cells, likelier and rarer on the left."""
    inside = [(rng.binomial(n, p), rng.binomial(n, q)) for n in sizes]
    return [np.array([[x, y], [n - x, n - y]]) for n, (x, y) in zip(sizes, inside, strict=True)]


def test_the_band_of_bets_is_that_of_its_largest_look_at_its_share_of_alpha() -> None:
    """Looks at 32, 64 and 128 releases of the pair, wherever blocks end between; the i-th owns alpha / (i (i + 1))."""
    past = np.array([[8, 1], [8, 15]])
    blocks = blocks_of(np.random.default_rng(1), [10, 6, 30, 2, 64, 40])
    band = band_of_bets(Trajectory([Period(past, blocks)]), 0.1)
    expected = band_of_cells(np.sum(blocks[:5], axis=0), 0.1 / (3 * 4))
    assert band is not None
    assert band.alpha == expected.alpha
    assert band.corners() == expected.corners()
    later = Period(past, blocks_of(np.random.default_rng(2), [80, 8]))
    both = band_of_bets(Trajectory([Period(past, blocks), later]), 0.1)
    assert both is not None
    assert both.corners() == expected.corners()
    assert band_of_bets(Trajectory([Period(past, blocks[:1])]), 0.1) is None


@pytest.mark.slow
def test_a_joint_band_has_the_best_points_of_each() -> None:
    """Its delta is the largest of theirs, its corners lie below all of theirs; of no band it is trivial."""
    rng = np.random.default_rng(11)
    bands = [band_of_scores(rng.normal(mu, 1, 5000), rng.normal(0, 1, 5000), 0.01) for mu in (0.5, 2.0)]
    both = joint(bands)
    assert both.alpha == 0.02
    for epsilon in (0.0, 1.0, 3.0):
        assert both.delta_lower(epsilon) == max(band.delta_lower(epsilon) for band in bands)
    assert set(both.corners()) <= {corner for band in bands for corner in band.corners()}
    assert joint([]).corners() == [(0.0, 1.0), (1.0, 0.0)]


@pytest.mark.slow
def test_bands_of_all_looks_hold_together() -> None:
    """Whoever stops when the band looks best is wrong in at most a share alpha of runs; 2000 runs at alpha = .2."""
    rng, runs, alpha, p, q = np.random.default_rng(5), 2000, 0.2, 0.5, 0.1
    exact = p - math.e * q
    wrong = 0
    for _ in range(runs):
        blocks = blocks_of(rng, [16, 16, 20, 12, 64, 128], p, q)
        past = np.zeros((2, 2), dtype=np.int64)
        bands = (band_of_bets(Trajectory([Period(past, blocks[:stop])]), alpha) for stop in range(1, len(blocks) + 1))
        wrong += any(band is not None and band.delta_lower(1.0) > exact for band in bands)
    assert binom.sf(wrong - 1, runs, alpha) > 1e-9
