"""The delta of a group meets a mechanism that attains it, and the hand calculation where that is exact."""

import math
from fractions import Fraction

import pytest

from proofs_numeric.standard.group_privacy import group
from proofs_numeric.standard.one_release import discrete_laplace
from tests.proofs_numeric.value import value

TINY = Fraction(1, 10**20)


@pytest.mark.parametrize("size", [1, 2, 3, 8])
@pytest.mark.parametrize("epsilon", ["0", "0.3", "1.1", "2.7"])
def test_discrete_laplace_noise_attains_it(size, epsilon):
    """Its laws at distances 0, 1, ..., size have the distribution functions of the proof: delta_0 is 0."""
    least = value(group, epsilon=epsilon, epsilon_0="1/2", delta_0="0", size=size)
    attained = value(discrete_laplace, epsilon=epsilon, scale="2", sensitivity=size)
    assert abs(least.lower - attained.lower) <= TINY


@pytest.mark.parametrize(
    ("size", "epsilon_0", "delta_0"), [(2, "1/2", "1e-6"), (5, "0.1", "1e-4"), (40, "0.05", "1e-9")]
)
def test_the_hand_calculation_is_exact_at_the_multiple_of_epsilon(size, epsilon_0, delta_0):
    """The delta m delta_0 is too small, m e^((m - 1) epsilon_0) delta_0 is not."""
    one, delta = float(Fraction(epsilon_0)), float(Fraction(delta_0))
    exact = float(
        value(group, epsilon=str(size * Fraction(epsilon_0)), epsilon_0=epsilon_0, delta_0=delta_0, size=size).lower
    )
    assert exact == pytest.approx(delta * math.expm1(size * one) / math.expm1(one), rel=1e-12)
    assert size * delta < 0.98 * exact
    assert size * math.exp((size - 1) * one) * delta > exact


def test_a_group_of_one_is_the_mechanism():
    """Its own delta at its own epsilon; and delta cannot exceed 1."""
    assert abs(value(group, epsilon="1", epsilon_0="1", delta_0="1e-5", size=1).lower - Fraction(1, 10**5)) <= TINY
    assert value(group, epsilon="0", epsilon_0="10", delta_0="1/2", size=30).upper <= 1
