"""The discrete correlated mechanism's bounds against enumeration."""

import math

import numpy as np
import pytest

from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.lebeda2025.discrete import DiscreteGaussian, delta_infinite, release_probability
from proofs_numeric.lebeda2025.theorem_21.enumeration import exact_delta_by_enumeration, theorem_21


def test_release_of_new_counters_matches_enumeration():
    """The sum over Z agrees with the enumerated pair l = k."""
    direct = float(release_probability(Float64(), k=3, sigma=2.0, gap=6.0))
    listed = exact_delta_by_enumeration(epsilon=0, k=3, sigma=2, gap=6, l=3, j=0)
    assert direct == pytest.approx(float(listed), rel=1e-10)
    assert direct <= float(delta_infinite(Float64(), k=3, sigma=2.0, gap=6.0))


@pytest.mark.slow
def test_theorem_21_is_above_every_enumerated_pair():
    """K = 2, both directions."""
    bound = float(theorem_21(Float64(), epsilon=1.0, k=2, sigma=2.0, gap=6.0))
    found = [
        exact_delta_by_enumeration(epsilon=1, k=2, sigma=2, gap=6, l=l, j=j, direction=direction)
        for l in range(3)
        for j in range(3 - l)
        for direction in ("forward", "reverse")
    ]
    assert all(delta < bound for delta in found)
    assert max(map(float, found)) > 0


@pytest.mark.parametrize(("direction", "signs"), [("forward", (1, 0)), ("reverse", (0, 1))])
def test_enumeration_agrees_with_two_plain_sums(direction, signs):
    """K = 1, one shared counter changed: Z + Z_1 against its shift by two, at epsilon = 1, in doubles."""
    x = np.arange(-80, 81)
    one = np.exp(-(x**2) / 8.0)
    law = np.convolve(one, one) / one.sum() ** 2
    shifted = tuple(np.pad(law, (2 * sign, 2 * (1 - sign))) for sign in signs)
    plain = np.maximum(shifted[0] - math.e * shifted[1], 0).sum()
    delta = exact_delta_by_enumeration(epsilon=1, k=1, sigma=1, gap=40, l=0, j=1, direction=direction)
    assert float(delta) == pytest.approx(plain, rel=1e-10)


def test_masses_are_enclosed():
    """The discrete Gaussian's masses sum to one within the enclosure."""
    with Ball(128) as A:
        law = DiscreteGaussian(A, A.number(3))
        total = A.sum(law.pmf(x) for x in range(-law.count, law.count + 1)) + 2 * law.survival(law.count + 1)
        assert total.contains(1)
        assert (law.survival(1) + law.survival(0)).contains(1)
