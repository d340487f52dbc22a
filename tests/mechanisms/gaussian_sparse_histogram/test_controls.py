"""Neutral controls differ from the mechanism as they say."""

import numpy as np
import pytest
from scipy import stats

from mechanisms.gaussian_sparse_histogram import controls
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.neighbours import Direction

CONTROLS = {control.id: control for control in controls.CONTROLS}
N = 200_000


def test_dropped_keys_follow_their_profile():
    """The thinned mechanism releases a row at tau with half the probability."""
    control = CONTROLS["dropped_keys"]
    _keys, values = control.build(**control.parameters).release_many({"k0": 1}, N, np.random.default_rng(5))
    released = int(np.sum(~np.isnan(values)))
    expected = float(control.pair.profile(Float64(), np.float64(1.0), Direction.FORWARD))
    assert expected == pytest.approx(stats.norm.sf(3) / 2, rel=1e-12)
    assert stats.binomtest(released, N, expected).pvalue > 1e-10


def test_controls_differ_from_the_mechanism():
    """Each control does what it says: a control that changes nothing would test nothing."""
    rng = np.random.default_rng(9)
    mechanisms = {stem: control.build(**control.parameters) for stem, control in CONTROLS.items()}
    far = {"k0": 95, "k1": 90, "k2": 100, "k3": 99}
    assert mechanisms["coarse_grid"].release_many(far, 1, rng)[1][0, 0] % 16 == 0
    assert np.nanmin(mechanisms["clipped_values"].release_many({"k0": 7}, N, rng)[1]) == 7.0
    assert np.nanmax(mechanisms["clipped_values"].release_many({"k0": 10**6}, 10, rng)[1]) == 7000.0
    assert 0.4 < np.mean(np.isnan(mechanisms["dropped_keys"].release_many(far, 1000, rng)[1])) < 0.6
    assert set(mechanisms["declared_universe"].release({"k0": 50, "other": 50}, rng)) == {"k0"}
    below = {"k0": 2}
    assert np.any(~np.isnan(mechanisms["released_below_tau"].release_many(below, N, rng)[1]))
    values = list(mechanisms["keys_by_noisy_count"].release(far, rng).values())
    assert values == sorted(values, reverse=True)
    orders = {tuple(mechanisms["shuffled_keys"].release(far, rng)) for _ in range(60)}
    assert len(orders) > 10
    assert len(mechanisms["largest_released"].release(far, rng)) == 3
    assert mechanisms["exclusive_upper_boundary"].upper_boundary.value == ">"


def test_declared_universe_releases_empty_groups():
    """An empty group of the universe comes out with probability Phi(-tau*/sigma)."""
    mechanism = CONTROLS["declared_universe"].build(c_u=1, sigma=2, gap=3)
    assert not mechanism.releases_only_input_keys
    keys, values = mechanism.release_many({}, N, np.random.default_rng(6))
    assert keys == tuple(f"k{i}" for i in range(8))
    assert stats.binomtest(int(np.sum(~np.isnan(values[:, 0]))), N, stats.norm.sf(2.0)).pvalue > 1e-10
