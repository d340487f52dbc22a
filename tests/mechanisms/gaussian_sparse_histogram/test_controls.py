"""Neutral controls: variants that keep the claim, by their profile where it is known and by simulation elsewhere."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from mechanisms.gaussian_sparse_histogram import controls
from mechanisms.mechanism import Control, Mechanism
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact

CONTROLS = {control.id: control for control in controls.CONTROLS}
STEMS = sorted(CONTROLS)
N = 200_000


def _claim(A, epsilon, parameters):
    numbers = {name: A.number(Fraction(parameters[name])) for name in ("sigma", "gap", "mu_o")}
    return delta_exact(A, epsilon=A.number(Fraction(epsilon)), c_u=int(parameters["c_u"]), **numbers)


def test_there_are_at_least_five_controls():
    """Discovery finds the controls, each with a proof of a paragraph."""
    assert len(CONTROLS) >= 5
    assert all(isinstance(control, Control) for control in CONTROLS.values())
    assert all(len(control.proof) > 80 for control in CONTROLS.values())


@pytest.mark.parametrize("stem", STEMS)
def test_a_control_keeps_its_claim(stem):
    """A control's profile, where known, is certified not to exceed Theorem 5.4 on a grid of epsilon, both ways."""
    control = CONTROLS[stem]
    assert control.satisfies == "wilkins2024.thm5.4"
    control.pair.check()
    assert pickle.loads(pickle.dumps(control)).proof == control.proof  # noqa: S301  # our own bytes
    if control.pair.profile is None:
        return
    for epsilon in (0, Fraction(1, 2), 1, 3):
        with Ball(128) as A:
            claim = _claim(A, epsilon, control.parameters)
            for direction in Direction:
                assert A.number(control.pair.profile(A, A.number(epsilon), direction)).lower() <= claim.upper()


@pytest.mark.parametrize("stem", STEMS)
def test_a_control_stays_below_its_claim_in_simulation(stem):
    """No event of the catalogue (key present, value above a cut, order of columns) exceeds the claim beyond chance."""
    control = CONTROLS[stem]
    mechanism = control.build(**control.parameters)
    assert isinstance(mechanism, Mechanism)
    left, right = (
        mechanism.release_many(histogram, N, np.random.default_rng([3, side]))
        for side, histogram in enumerate((control.pair.left, control.pair.right))
    )
    assert [key for key in left[0] if key in right[0]] == [key for key in right[0] if key in left[0]]
    claim = float(_claim(Float64(), control.epsilon, control.parameters))
    factor = math.exp(control.epsilon)
    band = (1 + factor) * math.sqrt(math.log(1e12) / (2 * N))
    for name in control.pair.left:
        columns = [v[:, k.index(name)] if name in k else np.full(N, np.nan) for k, v in (left, right)]
        cuts = [-np.inf, *(control.pair.left[name] + np.linspace(-4, 8, 7))]
        for cut in cuts:
            p, q = (float(np.mean(column >= cut)) for column in columns)
            assert max(p - factor * q, q - factor * p) <= claim + band


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
    built = {stem: control.build(**control.parameters) for stem, control in CONTROLS.items()}
    far = {"k0": 95, "k1": 90, "k2": 100, "k3": 99}
    assert built["coarse_grid"].release_many(far, 1, rng)[1][0, 0] % 16 == 0
    assert np.nanmin(built["clipped_values"].release_many({"k0": 7}, N, rng)[1]) == 7.0
    assert np.nanmax(built["clipped_values"].release_many({"k0": 10**6}, 10, rng)[1]) == 7000.0
    assert 0.4 < np.mean(np.isnan(built["dropped_keys"].release_many(far, 1000, rng)[1])) < 0.6
    assert set(built["declared_universe"].release({"k0": 50, "other": 50}, rng)) == {"k0"}
    below = {"k0": 2}
    assert np.any(~np.isnan(built["released_below_tau"].release_many(below, N, rng)[1]))
    values = list(built["keys_by_noisy_count"].release(far, rng).values())
    assert values == sorted(values, reverse=True)
    orders = {tuple(built["shuffled_keys"].release(far, rng)) for _ in range(60)}
    assert len(orders) > 10
    assert len(built["largest_released"].release(far, rng)) == 3
    assert built["exclusive_upper_boundary"].upper_boundary.value == ">"


def test_declared_universe_releases_empty_groups():
    """An empty group of the universe comes out with probability Phi(-tau*/sigma)."""
    mechanism = CONTROLS["declared_universe"].build(c_u=1, sigma=2, gap=3)
    assert not mechanism.releases_only_input_keys
    keys, values = mechanism.release_many({}, N, np.random.default_rng(6))
    assert keys == tuple(f"k{i}" for i in range(8))
    assert stats.binomtest(int(np.sum(~np.isnan(values[:, 0]))), N, stats.norm.sf(2.0)).pvalue > 1e-10
