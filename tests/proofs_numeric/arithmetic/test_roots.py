"""Roots of increasing functions: where, to how many digits, and what an enclosure of one may say."""

from fractions import Fraction

import numpy as np
import pytest

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.gaussian import gaussian_epsilon, gaussian_mu
from proofs_numeric.arithmetic.interval import Interval
from proofs_numeric.arithmetic.roots import increasing_root
from proofs_numeric.arithmetic.special import gaussian_profile

ENCLOSING = (Ball(96), Ball(1000), Interval(96))


def test_a_root_has_every_digit_of_the_arithmetic():
    """The root of exp(x) = 2 is log 2 to 50 digits, and to the last but one of a double."""
    A = MpReal(50)
    with A:
        root = increasing_root(A, lambda x: A.exp(x) - 2, 0, 3)
        assert abs(root - A.log(2)) < A.number("1e-60")
    assert increasing_root(Float64(), lambda x: np.exp(x) - 2, 0.0, 3.0) == pytest.approx(np.log(2), rel=4e-16, abs=0)


@pytest.mark.parametrize("A", [Float64(), MpReal(50)], ids=str)
def test_a_tiny_root_keeps_its_digits(A):
    """Tolerances are relative to the root, 1e-200 of its bracket, and to nothing of the function."""
    root = increasing_root(A, lambda x: 1e-100 * (x - 1e-200), A.number(0), A.number(1))
    assert float(root) == pytest.approx(1e-200, rel=1e-15, abs=0)


@pytest.mark.parametrize("A", ENCLOSING, ids=str)
def test_an_enclosed_root_has_certain_signs_at_its_ends(A):
    """The root of x^2 = 2 is enclosed, to all but a few bits."""
    with A:
        root = increasing_root(A, lambda x: x * x - 2, 0, 2)
        low, high = root.lower(), root.upper()
        assert low * low < 2
        assert high * high > 2
        assert (high - low) * 2 ** (A.bits - 12) < 1


@pytest.mark.parametrize("A", ENCLOSING, ids=str)
def test_the_root_of_an_uncertain_function_is_enclosed_with_all_that_it_may_be(A):
    """The root c of x - c, c in [1, 1.5] is known to be no narrower, and found to be hardly wider."""
    with A:
        c = A.between(1, A.number(Fraction(3, 2)))
        root = increasing_root(A, lambda x, c: x - c, 0, 4, c)
        assert root.lower() <= 1
        assert 2 * root.upper() >= 3
        assert root.lower() > 0
        assert root.upper() < 3


@pytest.mark.parametrize("A", [Float64(), MpReal(30), *ENCLOSING], ids=str)
def test_a_function_without_a_sign_change_has_its_root_at_an_end(A):
    """The lower end where it is not negative there, the upper one where it is not positive: exactly."""
    with A:
        low, high = A.number(1), A.number(2)
        assert float(increasing_root(A, A.exp, low, high)) == 1
        assert float(increasing_root(A, lambda x: -A.exp(-x), low, high)) == 2


@pytest.mark.parametrize("A", ENCLOSING, ids=str)
def test_a_function_that_is_not_known_has_no_root(A):
    """Nothing is returned for a function whose value nobody knows."""
    with A, pytest.raises(NotEnclosedError, match="expected an increasing function known at"):
        increasing_root(A, lambda x: x + (A.infinity - A.infinity), 0, 1)


def test_not_a_number_is_no_root_of_doubles():
    """SciPy's complaint reaches the caller."""
    with pytest.raises(ValueError, match="NaN"):
        increasing_root(Float64(), lambda _x: np.nan, 0.0, 1.0)


def test_parameters_and_ends_broadcast_in_doubles():
    """One root for each parameter, as for it alone."""
    c, upper = np.array([2.0, 3.0, 5.0]), np.array([[4.0], [9.0]])
    roots = increasing_root(Float64(), lambda x, c: x * x - c, 0.0, upper, c)
    assert roots.shape == (2, 3)
    np.testing.assert_allclose(roots, np.sqrt(np.broadcast_to(c, (2, 3))), rtol=4e-16)


SETTINGS = [("349/1000", "1e-5"), ("700", "0.999"), ("1e-9", "1e-300"), ("0", "1/2"), ("0", "1e-5"), ("700", "1e-300")]


@pytest.mark.parametrize(("epsilon", "delta"), SETTINGS)
def test_every_arithmetic_solves_the_gaussian_profile(epsilon, delta):
    """The distance for (epsilon, delta) has certified signs on its two sides; mpmath and doubles agree with it."""
    point = {"epsilon": Fraction(epsilon), "delta": Fraction(delta)}
    ball, real, double = Ball(192), MpReal(30), Float64()
    with ball as A:
        mu = gaussian_mu(A, **point)
        assert gaussian_profile(A, A.number(point["epsilon"]), mu.lower()) < A.number(point["delta"])
        assert gaussian_profile(A, A.number(point["epsilon"]), mu.upper()) > A.number(point["delta"])
        assert mu.rel_accuracy_bits() > 120
        exact = MpReal(30).number(mu.str(40, radius=False))
        assert abs(gaussian_mu(real, **point) / exact - 1) < real.number("1e-30")
        assert float(gaussian_mu(double, **point)) == pytest.approx(float(exact), rel=1e-12, abs=0)


def test_epsilon_is_zero_where_the_profile_at_zero_is_delta_or_less():
    """Exactly 0, in every arithmetic; elsewhere the inverse of the distance."""
    for A in (Float64(), MpReal(30), Ball(96), Interval(96)):
        with A:
            assert float(gaussian_epsilon(A, delta=Fraction(1, 5), mu=Fraction(1, 2))) == 0
    with Ball(192) as A:
        mu = gaussian_mu(A, epsilon=3, delta=Fraction(1, 10**6))
        assert gaussian_epsilon(A, delta=Fraction(1, 10**6), mu=mu).contains(3)


def test_a_root_beyond_every_double_is_the_infinite_end():
    """Of x = 10^200 there is one below it, of a function that is negative at every double there is none."""
    assert float(increasing_root(Float64(), lambda x: x - 1e200, 0.0, float("inf"))) == pytest.approx(1e200, rel=1e-14)
    beyond = increasing_root(Float64(), lambda x: 1.0 if x == float("inf") else -1.0, 0.0, float("inf"))
    assert beyond == float("inf")
