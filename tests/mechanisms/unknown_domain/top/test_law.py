"""Exact profiles of Algorithm 2's pairs: two derivations agree, profiles are profiles, releases agree with them."""

import math
from functools import partial
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from mechanisms.unknown_domain.top import mechanism as unknown_domain_top
from mechanisms.unknown_domain.top.law import calibration_of, least_values, lower_than_bar, moved_bar, one_entry
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.statements.neighbours import Direction

N = 400_000
ONE = {"k_bar": 1, "delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1/20"}
AUDITED = unknown_domain_top.MECHANISM.parameters
MANY = {"k_bar": 4, "delta_0": 3, "delta_inf": 2, "sigma": 2, "delta": "1e-3"}


def pairs(parameters):
    """The claim's neighbours with this mechanism's laws."""
    return unknown_domain_top.MECHANISM.pairs(parameters)


def _pair(parameters, name):
    return next(pair for pair in pairs(parameters) if pair.id == name)


def test_every_pair_of_the_catalogue_is_declared():
    """B1 to B7, each with a profile; B5 needs counts that move by two, B1' and B7 users of two items."""
    assert [p.id for p in pairs(AUDITED)] == ["b1", "b2", "b3", "b4", "b6", "b1'", "b5", "b7"]
    assert [p.id for p in pairs(ONE)] == ["b1", "b2", "b3", "b4", "b6"]
    assert all(p.profile is not None for parameters in (ONE, AUDITED, MANY) for p in pairs(parameters))


@pytest.mark.parametrize("way", Direction)
@pytest.mark.parametrize("epsilon", [-0.7, 0.0, 0.4, 0.9])
def test_one_item_under_a_moving_threshold_has_one_profile(way, epsilon):
    """Integrating over the threshold's place agrees with integrating over the released value."""
    near, A = 8, Float64()
    bars = [partial(lower_than_bar, lead=near - count, calibration=calibration_of(ONE)) for count in (6, 5)]
    over_bar = float(moved_bar(A, np.float64(epsilon), way, items=1, left=bars[0], right=bars[1]))
    over_value = float(one_entry(ONE, (near, 6), (near, 5))(A, np.float64(epsilon), way))
    assert over_bar == pytest.approx(over_value, abs=1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("parameters", [ONE, AUDITED, MANY], ids=["one", "audited", "many"])
def test_profiles_are_profiles(parameters):
    """They fall, stay above max(0, 1 - e^epsilon), and reflect between the directions."""
    grid = [-1.5, -0.5, 0.0, 0.5, 1.5]
    for pair in pairs(parameters):
        forward, backward = ([float(pair.profile(Float64(), np.float64(e), d)) for e in grid] for d in Direction)
        for values in (forward, backward):
            assert all(a >= b - 1e-12 for a, b in pairwise(values)), pair.id
            assert all(v >= max(0.0, -math.expm1(e)) - 1e-9 for e, v in zip(grid, values, strict=True)), pair.id
        for e, f, b in zip(grid, forward, reversed(backward), strict=True):
            assert f == pytest.approx(-math.expm1(e) + math.exp(e) * b, abs=1e-9), pair.id


@pytest.mark.parametrize(("delta_0", "delta", "known"), [(2, "1e-6", 9.98249077e-7), (3, "1/20", 0.0429458886)])
def test_the_mass_of_new_items_is_the_known_one(delta_0, delta, known):
    """B1' at a large epsilon is the new-item mass that quadrature gives elsewhere."""
    parameters = {"k_bar": delta_0, "delta_0": delta_0, "delta_inf": 1, "sigma": 1, "delta": delta}
    with Ball(96) as A:
        mass = A.number(_pair(parameters, "b1'").profile(A, A.number(50), Direction.FORWARD))
    assert float(mass.mid()) == pytest.approx(known, rel=1e-8)


def test_one_new_item_shows_with_probability_delta():
    """B1 and B4 forward are delta exactly at delta_0 = 1, for every epsilon >= 0."""
    for name in ("b1", "b4"):
        for epsilon in (0, 1, 5):
            with Ball(96) as A:
                value = A.number(_pair(ONE, name).profile(A, A.number(epsilon), Direction.FORWARD))
                assert value.overlaps(A.number(1) / 20)


def _agrees(count, probability):
    return stats.binomtest(int(count), N, probability).pvalue > 1e-10


@pytest.mark.parametrize("name", ["b1", "b1'", "b4", "b5"])
def test_own_items_appear_as_often_as_the_profile_says(name):
    """What one side shows and the other cannot, at a level where nothing else counts."""
    pair = _pair(AUDITED, name)
    mechanism = unknown_domain_top.build(**AUDITED)
    outputs = {}
    for side, histogram in (("left", pair.left), ("right", pair.right)):
        outputs[side] = mechanism.release_many(histogram, N, np.random.default_rng([23, len(side)]))
    for way, side, other in ((Direction.FORWARD, "left", "right"), (Direction.BACKWARD, "right", "left")):
        keys, values = outputs[side]
        own = [i for i, key in enumerate(keys) if key not in outputs[other][0]]
        count = np.any(~np.isnan(values[:, own]), axis=1).sum()
        assert _agrees(count, float(pair.profile(Float64(), np.float64(40.0), way)))


@pytest.mark.slow
@pytest.mark.parametrize("way", Direction)
def test_releases_show_the_profile_of_a_moving_threshold(way):
    """B2 with two items: the best event, a bound on the least value for each number shown, weighs what it should."""
    pair, epsilon = _pair(AUDITED, "b2"), 0.25
    exact = float(pair.profile(Float64(), np.float64(epsilon), way))
    bars = [float(pair.profile.keywords[side](Float64())) for side in ("left", "right")]
    forward = way is Direction.FORWARD
    cuts = least_values(*bars, epsilon if forward else -epsilon, 2, rising=forward)
    mechanism, sigma = unknown_domain_top.build(**AUDITED), float(AUDITED["sigma"])
    count = pair.left["k00"]
    hits = []
    for histogram in (pair.left, pair.right) if forward else (pair.right, pair.left):
        _keys, values = mechanism.release_many(histogram, N, np.random.default_rng([29, histogram["z"]]))
        number = (~np.isnan(values)).sum(axis=1)
        least = (np.min(np.where(np.isnan(values), np.inf, values), axis=1) - count) / sigma
        event = (number == 0) & forward
        for shown, cut in enumerate(cuts, start=1):
            if cut is not None:
                event |= (number == shown) & ((least >= cut) if forward else (least <= cut))
        hits.append(int(event.sum()) / N)
    band = (1 + math.exp(epsilon)) * math.sqrt(math.log(2e10) / (2 * N)) + 1e-3
    assert hits[0] - math.exp(epsilon) * hits[1] == pytest.approx(exact, abs=band)
    assert band < 0.02


def test_a_fixed_order_of_labels_hides_a_tie():
    """B6: the same law on both sides; with ties by row the same pair is told apart (a registered fault)."""
    pair = _pair(AUDITED, "b6")
    assert float(pair.profile(Float64(), np.float64(0.0), Direction.FORWARD)) == 0
    mechanism = unknown_domain_top.build(**AUDITED)
    keys = {mechanism.release_many(h, 1, np.random.default_rng(0))[0] for h in (pair.left, pair.right)}
    assert len(keys) == 1
