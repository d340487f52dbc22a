"""Several releases of the Gaussian sparse histogram: fixed in advance, and adaptive."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.gaussian_sparse_histogram import accountant, add_the_deltas_accountant
from mechanisms.gaussian_sparse_histogram import composed_accountant as composed
from mechanisms.gaussian_sparse_histogram.composed_accountant import Release
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.wilkins2024.composition.adaptive import TWICE, adaptive_bound, maximum_rule, one_look


def literal(epsilon, releases):
    """The maximum over every number of rows at the threshold, release by release."""
    best = 0.0
    for equal in itertools.product(*(range(release.c_u + 1) for release in releases)):
        loss = sum(a * release.loss for a, release in zip(equal, releases, strict=True))
        square = sum((release.c_u - a) * release.square for a, release in zip(equal, releases, strict=True))
        profile = gaussian_profile(Float64(), np.float64(epsilon + loss), np.sqrt(square)) if square else 0.0
        best = max(best, float(-math.expm1(-loss) + math.exp(-loss) * profile))
    return best


@pytest.mark.parametrize("seed", range(10))
def test_the_bounds_hold_the_maximum_over_every_choice_of_rows(seed):
    """Three releases of up to four rows, of all scales: 125 choices at most."""
    rng = np.random.default_rng([31, seed])
    releases = [
        Release(int(rng.integers(1, 5)), float(sigma), float(sigma * rng.uniform(0, 6)), float(rng.choice([0, 0.2])))
        for sigma in 10 ** rng.uniform(-0.3, 2, 3)
    ]
    epsilon = float(rng.choice([0, 0.5, 3]))
    bounds, exact = composed.fixed_bounds(epsilon, releases), literal(epsilon, releases)
    assert bounds.lower <= exact <= bounds.upper
    assert bounds.upper <= exact * 1.1
    assert exact <= composed.adaptive_delta(epsilon, releases)


@pytest.mark.parametrize("times", [1, 30, 365])
def test_equal_releases_are_one_release_of_all_their_rows(times):
    """wilkins2024.composition.equal."""
    bounds = composed.fixed_bounds(1.0, [Release(3, 150.0, 700.0)] * times)
    assert bounds.lower == pytest.approx(accountant.delta(1.0, c_u=3 * times, sigma=150.0, gap=700.0), rel=1e-11)
    assert bounds.upper == pytest.approx(bounds.lower, rel=2e-8)


@pytest.mark.slow
def test_ten_thousand_different_releases_are_known_to_a_millionth():
    """One of 10^4 and more rows is fractional."""
    rng = np.random.default_rng(5)
    releases = [
        Release(int(c), float(s), float(s * g)) for c, s, g in rng.uniform((1, 300, 4.5), (20, 3000, 6.5), (10**4, 3))
    ]
    bounds = composed.fixed_bounds(1.0, releases)
    assert 0 < bounds.lower < bounds.upper < bounds.lower * (1 + 1e-6)
    assert bounds.upper < composed.adaptive_delta(1.0, releases)


@pytest.mark.slow
def test_an_adversary_who_looks_beats_the_maximum_and_not_the_sum():
    """Two releases of one row, both deltas 0.0068: V_2 by 2000 points of the first loss, in doubles."""
    sigma, gap = float(TWICE["sigma"]), float(TWICE["gap"])
    z = (np.arange(-40000, 40000) + 0.5) / 4000
    loss = 1 / (2 * sigma**2) + z / sigma
    later = np.maximum(accountant.delta_infinite(1, sigma, gap), gaussian_profile(Float64(), 1 - loss, 1 / sigma))
    v_2 = float(np.sum(np.exp(-(z**2) / 2) * later) / math.sqrt(2 * math.pi) / 4000)
    with Ball(128) as A:
        at = {name: x if isinstance(x, int) else A.number(x) for name, x in TWICE.items()}
        assert one_look(A, **at) > A.number("1.29") * maximum_rule(A, **at)
        assert float(one_look(A, **at).mid()) == pytest.approx(v_2, rel=1e-6)
    assert v_2 < composed.adaptive_delta(1.0, [Release(1, sigma, gap)] * 2)
    assert composed.adaptive_delta(1.0, [Release(1, sigma, gap)] * 2) < add_the_deltas_accountant.delta(
        1.0, c_u=2, sigma=sigma, gap=gap
    )


@pytest.mark.parametrize(
    ("times", "low", "high", "width"),
    [(1, 1, 1, 1 + 1e-12), (2, 1.2925, 1.2932, 1.002), (30, 1.4654, 1.4671, 1.002), (10**4, 1.47, 1.485, 1.009)],
)
def test_what_an_adversary_attains_is_known_to_a_percent(times, low, high, width):
    """Both deltas of the maximum rule 0.0068; V_2 in closed form, the others on a grid three times as fine."""
    sigma = math.sqrt(times) / 0.5
    rule = accountant.delta(1.0, c_u=1, sigma=2.0, gap=99.0)
    gap = accountant.threshold(rule, c_u=times, sigma=sigma)
    bounds = composed.adaptive_bounds(1.0, [Release(1, sigma, gap)] * times)
    assert bounds.lower <= rule * high * (1 + 1e-12)
    assert rule * low * (1 - 1e-12) <= bounds.upper <= bounds.lower * width


def test_an_adversary_who_may_change_sides_attains_more():
    """At epsilon = 0, two releases: 0.21629, and 0.20132 with the user on the left both times (doubles, by nodes)."""
    bounds = composed.adaptive_bounds(0.0, [Release(1, 3.0, 4.0)] * 2)
    assert 0.2162 < bounds.lower < 0.21629 < bounds.upper < 0.2164


def test_the_bounds_of_two_rows_a_release_hold_those_of_one():
    """Two releases of two rows allow what four looks of one row do not, and the maximum rule at four rows."""
    sigma, gap = 4.0, 14.0
    two, four = (composed.adaptive_bounds(1.0, [Release(4 // n, sigma, gap)] * n) for n in (2, 4))
    assert accountant.delta(1.0, c_u=4, sigma=sigma, gap=gap) <= two.upper
    assert two.lower <= four.upper
    assert four.upper <= composed.adaptive_delta(1.0, [Release(1, sigma, gap)] * 4)


@pytest.mark.parametrize("times", [5, 101, 365])
def test_without_rows_at_the_threshold_releases_are_gaussian(times):
    """Groups that do not divide the releases have as many rows; steps have a little more."""
    sigma = 2.0 * math.sqrt(times)
    bounds = composed.adaptive_bounds(1.0, [Release(2, sigma, 40 * sigma)] * times)
    exact = accountant.delta(1.0, c_u=2, sigma=2.0, gap=80.0)
    assert bounds.lower <= exact * (1 + 1e-12)
    assert exact * (1 - 1e-12) <= bounds.upper <= exact * 1.01


def two_kinds(each):
    """Two kinds of releases, five sixths of the losses at the lower threshold; both deltas of the rule 0.0068."""
    sigma, rule = 2.0 * math.sqrt(2 * each), accountant.delta(1.0, c_u=1, sigma=2.0, gap=99.0)
    return tuple(
        Release(1, sigma, accountant.threshold(-math.expm1(share * math.log1p(-rule)), c_u=each, sigma=sigma))
        for share in (5 / 6, 1 / 6)
    )


@pytest.mark.slow
@pytest.mark.parametrize("each", [30, 5000])
def test_the_order_of_different_thresholds_matters(each):
    """The lower threshold last costs a fifth more than first; in turn lies between; no order is above any order."""
    low, high = two_kinds(each)
    first, turns, last = (
        composed.adaptive_bounds(1.0, releases)
        for releases in ([low] * each + [high] * each, [low, high] * each, [high] * each + [low] * each)
    )
    whatever = composed.adaptive_bounds(1.0, [low, high] * each, any_order=True)
    assert first.upper * 1.08 < turns.lower <= turns.upper
    assert turns.upper * 1.08 < last.lower <= last.upper * (1 + 1e-12)
    assert last.lower <= whatever.upper <= whatever.lower * 1.01
    for found in (first, turns, last):
        assert found.upper <= found.lower * 1.016
        assert found.upper <= composed.adaptive_delta(1.0, [low, high] * each)


@pytest.mark.slow
def test_ten_thousand_different_releases_are_known_adaptively_to_a_per_cent():
    """Rows, noise and thresholds of ten thousand kinds, in no order; at least the best that is fixed in advance."""
    rng = np.random.default_rng(7)
    releases = [
        Release(int(c), float(s), float(s * g)) for c, s, g in rng.uniform((1, 300, 5.3), (20, 950, 6.5), (10**4, 3))
    ]
    bounds = composed.adaptive_bounds(1.0, releases)
    assert 0 < bounds.lower <= bounds.upper <= bounds.lower * 1.01
    assert composed.fixed_bounds(1.0, releases).upper < bounds.lower
    assert bounds.upper < composed.adaptive_delta(1.0, releases)


@pytest.mark.parametrize("each", [1, 30])
def test_the_worst_neighbours_fixed_in_advance_attain_more_than_half_of_what_any_adversary_does(each):
    """The pairs of wilkins2024.composition.adaptive.kinds: all rows at their thresholds, or all far above."""
    low, high = two_kinds(each)
    releases = [high] * each + [low] * each
    bound = composed.adaptive_bounds(1.0, releases)
    attained = composed.fixed_bounds(1.0, releases).lower
    assert bound.upper / 2 < attained < bound.lower
    assert (each == 30) is (attained < 0.62 * bound.lower)


def test_the_last_row_of_two_is_played_with_the_first():
    """Two releases of two rows: 0.0069894 by nodes, doubles; rows are looked at together."""
    bounds = composed.adaptive_bounds(1.0, [Release(2, 4.0, 14.0)] * 2)
    assert bounds.lower < 0.0069894 < bounds.upper < bounds.lower * 1.002


@pytest.mark.slow
def test_ten_rows_a_release_attain_almost_what_single_rows_do():
    """The table of docs/how-to/every-day.md: its first row, 30 releases, costs 1.68 times its delta."""
    bounds = composed.adaptive_bounds(1.0, [Release(10, 64.62, 348.9)] * 30)
    assert 1.67e-5 < bounds.lower < bounds.upper < 1.69e-5


@pytest.mark.parametrize(
    ("epsilon", "release", "times"),
    [(20.0, Release(1, 1e5, 0.0), 2), (0.0, Release(3, 1.0, 50.0), 10**4), (20.0, Release(1000, 30.0, 90.0), 7)],
)
def test_bounds_at_the_corners(epsilon, release, times):
    """Between the maximum rule and what is safe, where nothing, everything or much of the loss is known."""
    bounds = composed.adaptive_bounds(epsilon, [release] * times)
    assert composed.fixed_bounds(epsilon, [release] * times).lower <= bounds.upper * (1 + 1e-9)
    assert 0 < bounds.lower <= bounds.upper <= composed.adaptive_delta(epsilon, [release] * times) * (1 + 1e-12)


@pytest.mark.parametrize("deviations", [37.5, 38.0, 38.4, 39.0])
def test_a_delta_below_the_least_normal_double_is_no_zero(deviations):
    """Rows so far below their threshold that SciPy's tail is 0: still an upper bound."""
    at = {"epsilon": 14, "releases": 2, "c_u": 3, "sigma": Fraction(8), "gap": Fraction(8 * deviations), "mu_o": 0}
    with Ball(128) as A:
        true = adaptive_bound(A, **at)
    result = composed.repeated_adaptive_delta(14.0, releases=2, c_u=3, sigma=8.0, gap=8 * deviations)
    assert 0 < result < 1e-300
    assert Fraction(result) >= Fraction(float(true.upper()))


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (lambda: Release(0, 1.0, 3.0), "integer c_u >= 1"),
        (lambda: composed.fixed_bounds(1.0, []), "at least one release"),
        (lambda: composed.composed_delta(math.nan, [Release(1, 1.0, 3.0)]), "epsilon >= 0"),
        (lambda: composed.adaptive_delta(-1.0, [Release(1, 1.0, 3.0)]), "epsilon >= 0"),
        (lambda: composed.adaptive_bounds(1.0, []), "at least one release"),
        (lambda: composed.repeated_adaptive_delta(1.0, releases=1.5, c_u=2, sigma=1.0, gap=3.0), "integer releases"),
    ],
)
def test_a_parameter_out_of_range_is_refused_with_its_value(call, wrong):
    """One line: what was expected."""
    with pytest.raises(ValueError, match=wrong):
        call()
