"""Sums of noise on the integers: one release as its closed form, many as answers at random and as the normal law."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard.composition import gaussian, homogeneous
from proofs_numeric.standard.integer_composition import gaussian_composed, laplace_composed
from proofs_numeric.standard.one_release import discrete_gaussian, discrete_laplace


@pytest.mark.parametrize(
    ("many", "one", "epsilon", "noise", "sensitivity"),
    [
        (gaussian_composed, discrete_gaussian, "0.3", {"sigma": Fraction("1.5")}, 1),
        (gaussian_composed, discrete_gaussian, "4", {"sigma": Fraction("0.7")}, 3),
        (laplace_composed, discrete_laplace, "0", {"scale": Fraction(3)}, 4),
        (laplace_composed, discrete_laplace, "0.7", {"scale": Fraction(2)}, 5),
        (laplace_composed, discrete_laplace, "30", {"scale": Fraction("1/20")}, 2),
    ],
)
def test_one_release_is_the_closed_form(many, one, epsilon, noise, sensitivity):
    """To twenty digits, in both tails."""
    point = {"epsilon": Fraction(epsilon), **noise, "sensitivity": sensitivity}
    many, one = enclose(many, {**point, "k": 1}, 25), enclose(one, point, 25)
    assert abs(many.lower - one.lower) <= one.lower / 10**20


@pytest.mark.slow
def test_many_releases_of_wide_noise_are_the_gaussian_mechanism():
    """Ten thousand releases at a delta near 1e-12: certified to 20 digits, and 4e-6 from the continuous law."""
    point = {"epsilon": Fraction(68), "sigma": Fraction(15), "k": 10**4}
    found = enclose(gaussian_composed, {**point, "sensitivity": 1}, 20)
    assert found.upper - found.lower <= found.lower / 10**20
    limit = enclose(gaussian, point, 20)
    assert abs(found.lower / limit.lower - 1) < Fraction(1, 10**5)


def test_at_sensitivity_one_each_release_is_a_randomised_response():
    """A thousand of them, at a delta of 1e-12 and at one of 1e-150."""
    for epsilon, most in ((12, Fraction(1, 10**12)), (36, Fraction(1, 10**150))):
        point = {"epsilon": Fraction(epsilon), "k": 1000}
        many = enclose(laplace_composed, {**point, "scale": Fraction(25), "sensitivity": 1}, 25)
        pairs = enclose(homogeneous, {**point, "epsilon_0": Fraction(1, 25), "delta_0": Fraction(0)}, 25)
        assert 0 < many.lower < most
        assert abs(many.lower - pairs.lower) <= pairs.lower / 10**20
