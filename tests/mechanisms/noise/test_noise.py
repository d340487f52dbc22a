"""Noise laws: samplers against distribution functions, distribution functions against SciPy."""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from mechanisms.noise import discrete_gaussian, laplace, normal
from proofs_numeric.arithmetic import Ball, Float64, MpReal

N = 200_000
DKW = math.sqrt(math.log(2 / 1e-10) / (2 * N))
"""The empirical distribution function strays further with probability below 1e-10 (Massart 1990)."""


def _distance(sample, cdf):
    """Largest distance between the empirical distribution function and a continuous one."""
    ordered = np.sort(sample)
    ranks = np.arange(len(ordered) + 1) / len(ordered)
    values = cdf(ordered)
    return max(np.max(ranks[1:] - values), np.max(values - ranks[:-1]))


@pytest.mark.parametrize("law", [normal, laplace], ids=["normal", "laplace"])
def test_continuous_samplers_follow_their_law(law):
    """Draws lie within the DKW band of the law, and outside that of a scale 3 % off."""
    sample = law.sample(np.random.default_rng(1), (N,), scale=2.5)
    assert _distance(sample, lambda x: law.cdf(Float64(), x, scale=2.5)) < DKW
    assert _distance(sample * 1.05, lambda x: law.cdf(Float64(), x, scale=2.5)) > DKW


@pytest.mark.parametrize(
    ("law", "reference"), [(normal, stats.norm), (laplace, stats.laplace)], ids=["normal", "laplace"]
)
def test_distribution_functions_agree_with_scipy(law, reference):
    """Cdf, survival and pdf agree with SciPy on both sides, tails included, and with the ball."""
    for x in (-60.0, -3.0, -0.1, 0.0, 0.7, 55.0):
        assert law.cdf(Float64(), x, scale=2.0) == pytest.approx(reference.cdf(x, scale=2), rel=1e-12)
        assert law.survival(Float64(), x, scale=2.0) == pytest.approx(reference.sf(x, scale=2), rel=1e-12)
        assert law.pdf(Float64(), x, scale=2.0) == pytest.approx(reference.pdf(x, scale=2), rel=1e-12)
        with Ball(200) as A:
            ball = law.cdf(A, A.number(Fraction(x)), scale=A.number(2))
            assert float(ball.rad()) < 1e-30
            assert law.cdf(Float64(), x, scale=2.0) == pytest.approx(float(ball.mid()), rel=1e-12)


@pytest.mark.parametrize("sigma", [0.3, 1.0, 7.5])
def test_discrete_gaussian_mass_is_its_definition(sigma):
    """The mass function is the normalised exponential, sums to one, and its tails are its partial sums."""
    A = Float64()
    support = np.arange(-400, 401)
    weights = np.exp(-0.5 * (support / sigma) ** 2)
    for x in (-3, 0, 1, 8):
        expected = weights[support == x][0] / weights.sum()
        assert discrete_gaussian.pmf(A, x, sigma=np.float64(sigma)) == pytest.approx(expected, rel=1e-12)
        above = weights[support >= x].sum() / weights.sum()
        assert discrete_gaussian.survival(A, x, sigma=np.float64(sigma)) == pytest.approx(above, rel=1e-11)
        assert discrete_gaussian.cdf(A, -x, sigma=np.float64(sigma)) == pytest.approx(above, rel=1e-11)


def test_discrete_gaussian_ball_contains_mpmath():
    """The tail enclosure of the ball holds the value at 60 digits."""
    value = discrete_gaussian.survival(MpReal(60), 9, sigma=MpReal(60).number("2.5"))
    with Ball(160) as A:
        ball = discrete_gaussian.survival(A, 9, sigma=A.number("2.5"))
        assert abs(float(ball.mid()) / float(value) - 1) < 1e-14
        assert float(ball.rad()) < 1e-35


@pytest.mark.slow
@pytest.mark.parametrize("variance", [Fraction(1, 7), Fraction(5, 2), Fraction(90)])
def test_exact_discrete_gaussian_sampler_follows_its_law(variance):
    """Counts of the exact sampler's values are binomial with the stated masses (false alarm below 1e-10 in all)."""
    rng, n = np.random.default_rng(3), 6000
    draws = [discrete_gaussian.sample(rng, variance=variance) for _ in range(n)]
    assert all(isinstance(x, int) for x in draws)
    sigma = np.float64(math.sqrt(variance))
    reach = math.ceil(3 * sigma)
    cells = [(x, discrete_gaussian.pmf(Float64(), x, sigma=sigma)) for x in range(-reach, reach + 1)]
    for x, mass in cells:
        p_value = stats.binomtest(draws.count(x), n, float(mass)).pvalue
        assert p_value > 1e-10 / len(cells), (x, draws.count(x), n * mass)


@pytest.mark.slow
def test_exact_sampler_sees_a_wrong_law():
    """The same comparison rejects a variance 30 % too large: the test can fail."""
    rng = np.random.default_rng(4)
    draws = [discrete_gaussian.sample(rng, variance=Fraction(13, 4)) for _ in range(6000)]
    mass = float(discrete_gaussian.pmf(Float64(), 0, sigma=np.float64(math.sqrt(2.5))))
    assert stats.binomtest(draws.count(0), 6000, mass).pvalue < 1e-7


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [0.4, 3.0, 1000.0])
def test_table_sampler_follows_its_law(sigma):
    """The table sampler lies within the DKW band of the discrete Gaussian."""
    draws = discrete_gaussian.Table(sigma).sample(np.random.default_rng(5), (N,))
    assert draws.dtype == np.int64
    points = np.arange(-math.ceil(3 * sigma), math.ceil(3 * sigma) + 1, max(1, int(sigma / 10)))
    empirical = np.searchsorted(np.sort(draws), points, side="right") / N
    law = [float(discrete_gaussian.cdf(Float64(), int(x), sigma=np.float64(sigma))) for x in points]
    assert np.max(np.abs(empirical - law)) < DKW


@pytest.mark.slow
@pytest.mark.parametrize("sigma", [0.4, 3.0, 70.0])
def test_the_law_of_the_table_is_as_near_as_it_says(sigma):
    """The law that the table draws from, its steps and uniforms of 2^-53 included, against balls: total variation."""
    cumulative, reach = discrete_gaussian._cumulative(sigma)
    # A uniform draw is a multiple of 2^-53, and "right" sends it past every step at or below it.
    steps = [Fraction(math.ceil(Fraction(float(c)) * 2**53), 2**53) for c in cumulative]
    draws = np.diff([Fraction(0), *steps, Fraction(1)])
    with Ball(128) as A:
        scale = A.number(Fraction(sigma))
        total = discrete_gaussian.survival(A, reach + 1, sigma=scale)
        for x, mass in zip(range(-reach, reach + 1), draws, strict=True):
            total = total + abs(A.number(mass) - discrete_gaussian.pmf(A, x, sigma=scale)) / 2
        assert total <= A.number(Fraction(20 * sigma + 5) / 2**50)


@pytest.mark.slow
@pytest.mark.parametrize("variance", [Fraction(1, 7), Fraction(5, 2), Fraction(90)])
def test_the_two_discrete_samplers_agree(variance):
    """Fisher's exact test of every value and tail between both samplers' draws (false alarm below 1e-10 in all)."""
    sigma, n = math.sqrt(variance), 6000
    rng = np.random.default_rng(8)
    exact = np.array([discrete_gaussian.sample(rng, variance=variance) for _ in range(n)])
    table = discrete_gaussian.Table(sigma).sample(rng, (n,))
    reach = math.ceil(3 * sigma)
    events = [lambda x, v=v: x == v for v in range(-reach, reach + 1)]
    events += [lambda x, v=v: x >= v for v in range(-reach, reach + 1)]
    for event in events:
        a, b = int(np.sum(event(exact))), int(np.sum(event(table)))
        assert stats.fisher_exact([[a, n - a], [b, n - b]]).pvalue > 1e-10 / len(events)


@pytest.mark.slow
def test_samplers_of_different_scales_are_told_apart():
    """The same test rejects a table whose scale is 15 % too large: it can fail."""
    rng, n = np.random.default_rng(9), 6000
    exact = np.array([discrete_gaussian.sample(rng, variance=Fraction(5, 2)) for _ in range(n)])
    table = discrete_gaussian.Table(1.15 * math.sqrt(2.5)).sample(rng, (n,))
    a, b = int(np.sum(np.abs(exact) <= 1)), int(np.sum(np.abs(table) <= 1))
    assert stats.fisher_exact([[a, n - a], [b, n - b]]).pvalue < 1e-9


@pytest.mark.parametrize("sigma", [0.0, -1.0, math.nan, 1e7])
def test_scales_without_a_table_are_refused(sigma):
    """A scale that is none, or whose table would not fit, gets one line."""
    with pytest.raises(ValueError, match=r"expected 0 < sigma <= 1000000 \(counts\), got sigma="):
        discrete_gaussian.Table(sigma)


@pytest.mark.parametrize("variance", [Fraction(0), -1, 0.25, True, "1/4", math.nan, None])
def test_a_variance_that_is_none_is_refused(variance):
    """The exact sampler takes exact variances above 0 only."""
    with pytest.raises(
        ValueError, match=r"expected an exact variance > 0 \(counts\^2\), an integer or a Fraction, got"
    ):
        discrete_gaussian.sample(np.random.default_rng(0), variance=variance)


def test_an_integer_variance_is_the_fraction():
    """The same draws from the same bytes."""
    draws = [
        [discrete_gaussian.sample(rng, variance=variance) for _ in range(200)]
        for rng, variance in ((np.random.default_rng(1), 4), (np.random.default_rng(1), Fraction(4)))
    ]
    assert draws[0] == draws[1]
