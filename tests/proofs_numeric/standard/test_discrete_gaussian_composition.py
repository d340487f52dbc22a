"""Sums of discrete Gaussian noise: one release as its closed form, many as the normal law that they approach."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard.composition import gaussian
from proofs_numeric.standard.discrete_gaussian_composition import composed
from proofs_numeric.standard.one_release import discrete_gaussian


def test_one_release_is_the_closed_form():
    """To all digits, in both tails."""
    for epsilon, sigma, sensitivity in (("0.3", "1.5", 1), ("4", "0.7", 3)):
        point = {"epsilon": Fraction(epsilon), "sigma": Fraction(sigma), "sensitivity": sensitivity}
        many, one = enclose(composed, {**point, "k": 1}, 25), enclose(discrete_gaussian, point, 25)
        assert abs(many.lower - one.lower) <= one.lower / 10**20


@pytest.mark.slow
def test_many_releases_of_wide_noise_are_the_gaussian_mechanism():
    """Ten thousand releases at a delta near 1e-12: certified to 20 digits, and 4e-6 from the continuous law."""
    point = {"epsilon": Fraction(68), "sigma": Fraction(15), "k": 10**4}
    found = enclose(composed, {**point, "sensitivity": 1}, 20)
    assert found.upper - found.lower <= found.lower / 10**20
    limit = enclose(gaussian, point, 20)
    assert abs(found.lower / limit.lower - 1) < Fraction(1, 10**5)
