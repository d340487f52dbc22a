"""The float64 accountant of the correlated stability histogram."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from mechanisms.correlated_stability_histogram import accountant
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.lebeda2025.exact import analysis
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.exact.pair import new_released


@pytest.mark.parametrize(
    ("k", "sigma", "gap"), [(10, 17.741998401, 96.753015889), (51914, 1116.683797698, 7005.638328965)]
)
def test_published_thresholds_are_least_gaps(k, sigma, gap):
    """The exact taus at (.349, 1e-5), to the digits printed."""
    assert accountant.gap(0.349, 1e-5, k=k, sigma=sigma * (1 + 1e-11)) == pytest.approx(gap, rel=1e-9)


@pytest.mark.parametrize("k", [5, 51])
def test_exact_gaps_at_five_percent_more_noise(k):
    """Catalogued: 76.622 and 212.064 at 1.05 times the least sigma of Theorem 11."""
    mu = 0.1022428607685887
    sigma = 1.05 * math.sqrt(k + math.sqrt(k)) / (2 * mu)
    assert accountant.gap(0.349, 1e-5, k=k, sigma=sigma) == pytest.approx({5: 76.622, 51: 212.064}[k], abs=2e-3)


def _enclosed(formula, *, epsilon, k, sigma, gap):
    """A formula's ball at the exact binary values of the floats."""
    point = {"epsilon": Fraction(epsilon), "k": k, "sigma": Fraction(sigma), "gap": Fraction(gap)}
    return evaluate_in(Ball(128), formula, point)


@pytest.mark.slow
@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    st.sampled_from([0, 1, 300, 3000]), st.sampled_from([1, 2, 5, 1000]), st.integers(1, 400), st.integers(-20, 2000)
)
def test_delta_is_never_below_the_truth(epsilon, k, sigma, gap):
    """Against the certified enclosure's lower end, certificate or not, without tolerance."""
    point = {"epsilon": epsilon / 1000, "k": k, "sigma": sigma / 4, "gap": gap / 4}
    assert Fraction(accountant.delta(**point)) >= as_fraction(_enclosed(exact_delta, **point).lower())


@pytest.mark.slow
@settings(max_examples=40, deadline=None, derandomize=True)
@given(
    st.sampled_from([0.0, 1e-6, 0.1, 1.0, 9.7]),
    st.sampled_from([1, 7, 51914, 10**6]),
    st.floats(0.1, 1e5),
    st.floats(-1.0, 45.0),
)
def test_the_margin_covers_the_rounding_and_little_more(epsilon, k, sigma, share):
    """Where no mixed pair is worse: at least the ball of the larger unmixed pair, at most 2e-12 of it above."""
    point = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": share * sigma}
    result, truth = accountant.report(**point), _enclosed(two_terms, **point)
    assert Fraction(result.delta) >= as_fraction(truth.lower())
    if result.exact and 1e-290 < result.lower <= float(truth.upper()):
        assert Fraction(result.delta) <= as_fraction(truth.upper()) * (1 + Fraction(2, 10**12))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("k", "delta", "mixed"), [(17, 1e-8, True), (64, 1e-8, True), (64, 1e-3, False), (250, 1e-8, True)]
)
def test_at_a_tie_a_mixed_pair_is_worst_where_delta_and_epsilon_are_tiny(k, delta, mixed):
    """Both ends at delta: a pair is above them at epsilon = 0 where delta is small, and none at ten times delta."""
    for epsilon, above in ((0.0, mixed), (10 * delta, False)):
        sigma = accountant.sigma(epsilon, delta, k=k)
        gap = brentq(new_counters, 0, 12 * sigma, args=(k, sigma, delta), xtol=1e-12 * sigma)
        result = accountant.report(epsilon, k=k, sigma=sigma, gap=gap)
        assert result.exact
        assert (result.delta > 1.001 * delta) is above


def new_counters(gap, k, sigma, delta):
    """A_k in doubles, less delta."""
    return float(new_released(Float64(), k=k, sigma=np.float64(sigma), gap=np.float64(gap), l=k)) - delta


@pytest.mark.slow
def test_the_report_says_where_it_is_only_a_bracket(monkeypatch):
    """Near epsilon = 0 with tiny delta the certificate fails; boxes that run out leave an upper end."""
    near_zero = {"k": 12, "sigma": 1e5, "gap": 549290.0}
    assert accountant.report(0.349, k=10, sigma=20.0, gap=100.0).exact
    assert accountant.report(0.0, **near_zero).delta == pytest.approx(7.9967277e-6, rel=1e-8)
    monkeypatch.setattr(analysis, "_BLOCKS", 40)
    loose = accountant.report(0.0, **near_zero)
    assert not loose.exact
    assert loose.lower < 7.9967277e-6 < loose.delta


@pytest.mark.slow
@pytest.mark.parametrize("k", [1, 2, 100, 10**6])
def test_calibrations_meet_their_target(k):
    """sigma, gap and epsilon invert delta, from the safe side."""
    sigma = accountant.sigma(0.349, 1e-5, k=k) * 1.01
    gap = accountant.gap(0.349, 1e-5, k=k, sigma=sigma)
    assert accountant.delta(0.349, k=k, sigma=sigma, gap=gap) <= 1e-5
    assert accountant.delta(0.349, k=k, sigma=sigma, gap=gap * (1 - 1e-6)) > 1e-5
    assert accountant.epsilon(1e-5, k=k, sigma=sigma, gap=gap) <= 0.349


def test_infeasible_requests_are_infinite():
    """Too little noise has no gap; too low a threshold has no epsilon."""
    assert accountant.gap(0.349, 1e-5, k=10, sigma=1.0) == math.inf
    assert accountant.epsilon(1e-5, k=10, sigma=20.0, gap=0.0) == math.inf


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"k": 0, "sigma": 1.0, "gap": 1.0}, "1 <= k <= 1000000"),
        ({"k": 2.5, "sigma": 1.0, "gap": 1.0}, "1 <= k <= 1000000"),
        ({"k": 2, "sigma": 0.0, "gap": 1.0}, "0 < sigma < infinity"),
        ({"k": 2, "sigma": 1.0, "gap": math.nan}, "a finite gap"),
        ({"k": 2, "sigma": math.inf, "gap": 1.0}, "0 < sigma < infinity"),
        ({"k": 2, "sigma": "1", "gap": 1.0}, "expected a number sigma, got sigma='1'"),
        ({"k": 2, "sigma": True, "gap": 1.0}, "expected a number sigma, got sigma=True"),
        ({"k": 2, "sigma": 1.0, "gap": None}, "expected a number gap, got gap=None"),
        ({"k": 2, "sigma": 1.0, "gap": -(10**400)}, "expected gap of size at most"),
        ({"k": 10**400, "sigma": 1.0, "gap": 1.0}, "1 <= k <= 1000000"),
    ],
)
def test_bad_parameters_are_refused(arguments, message):
    """One line with the allowed domain."""
    with pytest.raises(ValueError, match=message):
        accountant.delta(0.1, **arguments)


def test_a_pair_has_two_directions():
    """Any other word is refused, not taken for one of them."""
    with pytest.raises(ValueError, match="forward or reverse"):
        accountant.pair(0.1, k=2, sigma=1.0, gap=1.0, l=1, j=1, direction="backward")


def test_what_no_double_holds_is_infinite():
    """Where the noise is 1e-300 epsilon is about 1e599; delta 1e-323 at epsilon = 0 asks for noise of about 1e322."""
    assert accountant.epsilon(1e-9, k=10, sigma=1e-300, gap=40.0) == math.inf
    assert accountant.sigma(0.0, 1e-323, k=2) == math.inf
    assert 1e299 < accountant.sigma(0.0, 1e-300, k=2) < 1e301


@pytest.mark.parametrize(("l", "j"), [(3, 2), (3, 0), (0, 2)])
def test_a_pair_whose_delta_no_double_holds_is_told_the_least_one(l, j):
    """At epsilon = 700 in reverse: 6e-862, 2e-854, and less; a pair that is none has 0."""
    at = {"k": 6, "sigma": 10.0, "gap": 30.0, "direction": "reverse"}
    assert accountant.pair(700.0, **at, l=l, j=j) == 5e-324
    assert accountant.pair(700.0, **at, l=0, j=0) == 0
