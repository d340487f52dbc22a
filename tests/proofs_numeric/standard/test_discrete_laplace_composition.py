"""Powers of the law of one loss: one release as its closed form, sensitivity 1 as answers at random."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard.composition import homogeneous
from proofs_numeric.standard.discrete_laplace_composition import composed
from proofs_numeric.standard.one_release import discrete_laplace


@pytest.mark.parametrize(("epsilon", "scale", "sensitivity"), [("0", "3", 4), ("0.7", "2", 5), ("30", "1/20", 2)])
def test_one_release_is_the_closed_form(epsilon, scale, sensitivity):
    """To twenty digits."""
    point = {"epsilon": Fraction(epsilon), "scale": Fraction(scale), "sensitivity": sensitivity}
    many, one = enclose(composed, {**point, "k": 1}, 25), enclose(discrete_laplace, point, 25)
    assert abs(many.lower - one.lower) <= one.lower / 10**20


def test_at_sensitivity_one_each_release_is_a_randomised_response():
    """A thousand of them, at a delta of 1e-12 and at one of 1e-150."""
    for epsilon, most in ((12, Fraction(1, 10**12)), (36, Fraction(1, 10**150))):
        point = {"epsilon": Fraction(epsilon), "k": 1000}
        many = enclose(composed, {**point, "scale": Fraction(25), "sensitivity": 1}, 25)
        pairs = enclose(homogeneous, {**point, "epsilon_0": Fraction(1, 25), "delta_0": Fraction(0)}, 25)
        assert 0 < many.lower < most
        assert abs(many.lower - pairs.lower) <= pairs.lower / 10**20
