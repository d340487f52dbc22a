"""Every primitive: mpmath inside the ball and float64 within its promise, on hostile points."""

import math
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy
from scipy import stats

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import UNDERFLOW, NotEnclosedError, bounds, enclose, exact_value
from proofs_numeric.arithmetic.special import (
    as_fraction,
    binomial_pmf,
    binomial_tail,
    discrete_gaussian_normaliser,
    gaussian_profile,
    integral,
    log_normal_cdf,
    logistic,
    mills,
    normal_cdf,
    normal_pdf,
    normal_quantile,
    normal_quantile_complement,
)
from proofs_numeric.arithmetic.symbolic import Symbolic

LEAST_NORMAL = Fraction(2) ** -1022
ABSCISSAE = [0, "1e-12", "-1e-12", "0.5", "-0.5", 1, -1, "5.5", "-5.5", 8, -8, 20, -20, 37, -37]
TAILS = ["1e-300", "1e-100", "1e-17", "1e-5", "0.02425", "0.3", "0.5", "0.7", "0.999"]


def exact_binary(value):
    """The rational number that a double stands for."""
    return Fraction(float(value))


def check(function, *arguments, tolerance=Fraction(1, 10**12), digits=30):
    """Hold mpmath and float64 against the ball at the exact binary value of the arguments."""
    points = [exact_binary(float(Fraction(a))) for a in arguments]
    enclosure = enclose(lambda A: function(A, *map(A.number, points)), {}, digits)
    if max(abs(enclosure.lower), abs(enclosure.upper)) <= UNDERFLOW:
        return None
    with MpReal(digits) as A:
        value = as_rational(function(A, *map(A.number, points)))
    unit = abs(value) / Fraction(10) ** (digits - 1)
    assert enclosure.lower - unit <= value <= enclosure.upper + unit, (arguments, "mpmath")
    middle = (enclosure.lower + enclosure.upper) / 2
    if abs(middle) < LEAST_NORMAL:
        return None
    with np.errstate(all="ignore"):
        fast = exact_binary(function(Float64(), *map(float, points)))
    error = abs(fast - middle) / abs(middle)
    assert error < tolerance, (arguments, float(fast), float(middle), float(error))
    return error


def as_rational(value):
    """Exact value of an mpmath number."""
    mantissa, exponent = value.man_exp
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent) * (-1 if value < 0 and mantissa > 0 else 1)


@pytest.mark.parametrize("x", ABSCISSAE)
@pytest.mark.parametrize("function", [normal_pdf, normal_cdf, log_normal_cdf, mills, logistic])
def test_normal_functions_keep_relative_accuracy(function, x):
    """Density, distribution, its logarithm, Mills ratio and logistic agree with the ball in both tails."""
    check(function, x)


@pytest.mark.parametrize("x", [-200, -1000, 39, 100])
def test_log_cdf_reaches_beyond_the_range_of_the_cdf(x):
    """Log Phi is finite where Phi underflows, and tiny where 1 - Phi does."""
    check(log_normal_cdf, x)


@pytest.mark.parametrize("x", [37.0, 37.5, 37.7, 38.0, 38.4])
def test_tails_are_known_to_the_least_double(x):
    """Where a tail is no normal double it is rounded to the doubles there are, and not to 0."""
    with Ball(128) as A:
        tail = float(normal_cdf(A, -A.number(Fraction(x))).mid())
    known = pytest.approx(tail, rel=1e-12, abs=5e-324)
    assert float(normal_cdf(Float64(), -x)) == known
    assert -float(log_normal_cdf(Float64(), x)) == known
    assert np.all(normal_cdf(Float64(), np.array([-x, 0.0])) == [normal_cdf(Float64(), -x), 0.5])


@pytest.mark.parametrize("q", TAILS)
@pytest.mark.parametrize("function", [normal_quantile, normal_quantile_complement])
def test_quantiles_keep_relative_accuracy(function, q):
    """Quantiles agree with the ball for tiny tails; the zero at one half is exact."""
    if q == "0.5":
        assert float(function(Float64(), 0.5)) == 0
        return
    check(function, q, tolerance=Fraction(1, 10**11))


@pytest.mark.parametrize("q", TAILS)
def test_quantile_inverts_the_tail(q):
    """Phi(-isf(q)) encloses q."""
    tail = Fraction(q)
    enclosure = enclose(lambda A: normal_cdf(A, -normal_quantile_complement(A, A.number(tail))), {}, 25)
    assert enclosure.lower <= tail <= enclosure.upper


MUS = ["1e-12", "1e-9", "1e-6", "1e-3", "0.05", "0.3", "0.9999", "1", "1.0001", "3", "8", "12", "40", "100", "1000"]
EPSILONS = [0, "1e-12", "1e-9", "1e-4", "0.01", "0.349", 1, 3, 10, 40, 100, 300, 700]


@pytest.mark.parametrize("mu", MUS)
def test_float_profile_is_right_to_twelve_digits(mu):
    """The float64 Gaussian profile is within 1e-12 (relative) wherever its value is a normal double."""
    errors = [check(gaussian_profile, epsilon, mu) for epsilon in EPSILONS]
    assert errors[0] is not None


@pytest.mark.parametrize("epsilon", ["-1e-12", "-1e-3", "-0.5", -3, -40, -700])
@pytest.mark.parametrize("mu", ["1e-9", "0.01", "0.999", 1, 5, 60])
def test_float_profile_is_right_for_negative_epsilon(epsilon, mu):
    """The reflection keeps every digit on the other side of zero."""
    check(gaussian_profile, epsilon, mu)


@pytest.mark.parametrize("log10_delta", [-1, -5, -12, -30, -100, -200, -300])
@pytest.mark.parametrize("mu", [1e-9, 1e-3, 0.1, 0.99, 1.01, 5.0, 100.0])
def test_float_profile_is_right_at_prescribed_deltas(mu, log10_delta):
    """Targets down to 1e-300: epsilon is placed where the profile is that small."""
    epsilon = place(mu, log10_delta)
    if epsilon is None:
        assert float(gaussian_profile(Float64(), 0.0, mu)) <= 10.0**log10_delta
        return
    assert check(gaussian_profile, Fraction(epsilon), Fraction(mu)) is not None


def place(mu, log10_delta):
    """A double epsilon with f(mu, epsilon) near 10^log10_delta, or None."""
    A = Float64()
    low, high = 0.0, mu * mu / 2 + 40 * mu
    if not float(gaussian_profile(A, low, mu)) > 10.0**log10_delta:
        return None
    for _step in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if float(gaussian_profile(A, middle, mu)) > 10.0**log10_delta else (low, middle)
    return low


def test_profile_at_distance_zero_is_its_limit():
    """Mu = 0 gives max(0, 1 - e^epsilon) in every arithmetic."""
    for A in (Float64(), MpReal(30), Ball(128)):
        with A:
            assert float(gaussian_profile(A, A.number(3), A.number(0))) == 0
            below = float(gaussian_profile(A, A.number(-1), A.number(0)))
        assert below == pytest.approx(1 - math.exp(-1), rel=1e-15)


def test_float_profile_broadcasts():
    """Curves are evaluated in one call, element by element the same numbers up to the last bits."""
    A = Float64()
    epsilon, mu = np.array([[0.0], [1.0], [-2.0]]), np.array([0.0, 1e-6, 0.5, 3.0])
    table = gaussian_profile(A, epsilon, mu)
    assert table.shape == (3, 4)
    for (i, j), value in np.ndenumerate(table):
        assert value == pytest.approx(gaussian_profile(A, epsilon[i, 0], mu[j]), rel=1e-13)


def test_profile_of_a_wide_range_encloses_its_points():
    """A ball of parameters gives a ball of values that holds the values at its points."""
    with Ball(96) as A:
        wide = gaussian_profile(A, A.interval(0, 2), A.interval(Fraction(1, 2), 1))
        assert all(
            wide.contains(gaussian_profile(A, A.number(e), A.number(Fraction(m, 4))))
            for e in (0, 1, 2)
            for m in (2, 3, 4)
        )


@pytest.mark.parametrize(("n", "k"), [(1, 0), (1, 1), (10, 3), (10, 11), (200, 1), (200, 150), (200, 200)])
@pytest.mark.parametrize("p", ["1e-9", "0.1", "0.5", "0.97"])
def test_binomial_tails_agree(n, k, p):
    """The incomplete beta function is the sum of the masses."""
    check(lambda A, q: binomial_tail(A, n, q, k) + 0 * q, p)


@pytest.mark.parametrize(("n", "k"), [(2, 2), (300, 1), (300, 90), (300, 91), (300, 180), (3000, 400), (3000, 1500)])
def test_a_tail_in_balls_holds_the_exact_sum_with_a_hundred_bits(n, k):
    """On both sides of the mean, and far from it; at every p of a wide ball too."""
    p = Fraction(3, 10)
    exact = exact_value(lambda A: binomial_tail(A, n, p, k), {})
    with Ball(128) as A:
        narrow, wide = (binomial_tail(A, n, A.number(p) + A.interval(-error, error), k) for error in (0, p / 8))
    lower, upper = bounds(narrow)
    assert lower <= exact <= upper
    assert narrow.rel_accuracy_bits() > 100
    assert wide.contains(narrow)
    assert all(
        bounds(wide)[0] <= exact_value(lambda A, end=end: binomial_tail(A, n, end, k), {}) <= bounds(wide)[1]
        for end in (p * 7 / 8, p * 9 / 8)
    )


@pytest.mark.parametrize("n", [10**6, 10**8])
def test_a_tail_of_too_many_terms_meets_its_neighbour_that_is_summed(n):
    """P[X >= k] - P[X >= k + 1] is the mass at k, near the mean and where the sums begin."""
    with Ball(128) as A:
        for k in range(3 * n // 10, 3 * n // 10 + 8 * math.isqrt(n), math.isqrt(n) * 2 + 1):
            above, here = (binomial_tail(A, n, A.number("0.3"), j) for j in (k + 1, k))
            assert (here - above).overlaps(binomial_pmf(A, n, A.number("0.3"), k))
            assert here.rel_accuracy_bits() > 90


def test_a_tail_of_many_trials_has_no_fraction():
    """Of a hundred it is one; of a million it would have millions of digits, and a witness is shown without it."""
    tail = partial(binomial_tail, p=Fraction(1, 10**4), k=1)
    assert exact_value(lambda A: tail(A, 100), {}) == 1 - (1 - Fraction(1, 10**4)) ** 100
    assert exact_value(lambda A: tail(A, 10**6), {}) is None


def test_binomial_masses_sum_to_one():
    """All masses together are one, exactly enclosed."""
    with Ball(128) as A:
        total = A.sum(binomial_pmf(A, 12, A.number("0.3"), k) for k in range(13))
    assert total.contains(1)


@pytest.mark.parametrize("sigma", ["0.3", "1", "7.5"])
def test_discrete_gaussian_normaliser_encloses_the_full_sum(sigma):
    """A short sum with its tail encloses the long sum."""
    with Ball(256) as A:
        short = discrete_gaussian_normaliser(A, A.number(sigma), 3)
        long = discrete_gaussian_normaliser(A, A.number(sigma), 400)
        assert short.contains(long)
        assert long.rel_accuracy_bits() > 200


@pytest.mark.parametrize(
    ("integrand", "ends", "expected", "error"),
    [
        (lambda A, x: A.exp(-x * x / 2), (100, 101), lambda A: A.sqrt(2 * A.pi) * normal_cdf(A, A.number(-100)), 1e-16),
        (lambda A, x: abs(x - A.number(1) / 3), (0, 1), lambda A: A.number(5) / 18, 1e-4),
        (lambda A, x: 1 / A.sqrt(x), (0, 1), lambda A: A.number(2), 1e-16),
    ],
    ids=["1e-2174", "with a kink", "infinite at an end"],
)
def test_integrals_of_many_digits_are_small_and_rough_ones_too(integrand, ends, expected, error):
    """To sixteen digits, however small; to four across a kink, where no interval ends."""
    A = MpReal(16)
    truth = expected(A)
    assert abs(integral(A, integrand, *ends) - truth) < truth * error


def test_integrals_agree_and_the_ball_is_an_enclosure():
    """The normal density integrates to Phi(3) - Phi(-1) in every arithmetic."""
    expected = stats.norm.cdf(3) - stats.norm.cdf(-1)
    for A in (Float64(), MpReal(30)):
        assert float(integral(A, normal_pdf, A.number(-1), A.number(3))) == pytest.approx(expected, rel=1e-13)
    with Ball(128) as A:
        enclosure = integral(A, normal_pdf, A.number(-1), A.number(3))
        assert enclosure.overlaps(normal_cdf(A, A.number(3)) - normal_cdf(A, A.number(-1)))
        assert enclosure.rel_accuracy_bits() > 90


def test_as_fraction_is_exact():
    """Doubles and exact balls convert without rounding."""
    assert as_fraction(0.1) == Fraction(0.1)
    with Ball(128) as A:
        assert as_fraction(A.number(Fraction(3, 8))) == Fraction(3, 8)


@pytest.mark.slow
def test_symbolic_profile_has_the_paper_s_derivative():
    """SymPy differentiates the same formula that the other arithmetics evaluate."""
    A, mu, epsilon = Symbolic(), sympy.Symbol("mu", positive=True), sympy.Symbol("epsilon", real=True)
    slope = sympy.diff(gaussian_profile(A, epsilon, mu), mu)
    assert sympy.simplify(slope - normal_pdf(A, mu / 2 - epsilon / mu)) == 0


def test_a_number_that_cannot_be_resolved_is_not_enclosed():
    """Zero written as a difference has no relative enclosure, and the error says so."""
    with pytest.raises(NotEnclosedError, match="expected an enclosure"):
        enclose(lambda A: A.exp(A.number(1)) - A.exp(A.number(1)), {}, 10, last_bits=512)


def test_the_symbolic_quantile_undoes_the_symbolic_distribution_function():
    """Phi(-z(q)) = q, and z is the quantile in numbers too."""
    A, q = Symbolic(), sympy.Symbol("q", positive=True)
    assert sympy.simplify(normal_cdf(A, -normal_quantile_complement(A, q)) - q) == 0
    for tail in (Fraction(1, 5), Fraction(4, 5)):
        assert float(normal_quantile_complement(A, tail)) == pytest.approx(stats.norm.isf(float(tail)), rel=1e-12)


@pytest.mark.parametrize("x", ["1e3", "1e6", "1e12"])
def test_the_distribution_function_far_right_keeps_what_its_argument_knows(x):
    """An argument known to a relative 1e-30 leaves Phi as near to one as the precision allows."""
    with Ball(128) as A:
        argument = A.number(x) * (1 + A.between(0, A.number("1e-30")))
        value = normal_cdf(A, argument)
        assert value.contains(1)
        assert value.rel_accuracy_bits() > 80


@pytest.mark.parametrize("x", ["-1e8", "-1e20", "-1e300"])
def test_the_far_tail_is_known_in_few_bits(x):
    """The logarithm is -x^2/2 - log(-x sqrt(2 pi)) to 1/x^2; powers of Phi(x), a ball about 0, are enclosed."""
    with Ball(64) as A:
        found = log_normal_cdf(A, A.number(x))
        assert found.overlaps(-(A.number(x) ** 2) / 2 - A.log(-A.number(x) * A.sqrt(2 * A.pi)))
        assert found.rel_accuracy_bits() > 50
        assert (normal_cdf(A, A.number(x)) ** 3).is_finite()
