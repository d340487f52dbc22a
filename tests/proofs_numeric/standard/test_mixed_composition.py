"""Compositions of several kinds, where a kind is alone."""

from fractions import Fraction

import flint
import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.standard import inversion
from proofs_numeric.standard.composition import homogeneous
from proofs_numeric.standard.mixed_composition import GaussianLoss, ResponsesLoss


def test_lone_gaussian_noise_has_its_closed_profile():
    """Both lines, right of 0 and in the strip, and a delta of 1e-343."""
    with Ball(192) as ball:
        for mu, epsilon in ((1, 1), (1, 7), (Fraction(1, 10), Fraction(1, 100)), (30, 440), (100, 1), (1, 40), (1, 0)):
            distance, level = ball.number(mu), ball.number(epsilon)
            found = inversion.delta([GaussianLoss(distance)], level, 72)
            assert found.overlaps(gaussian_profile(ball, level, distance))
            assert found.rel_accuracy_bits() > 66


@pytest.mark.slow
def test_pairs_beside_faint_gaussian_noise_lose_a_little_more():
    """No less than the pairs alone, and by less than one in a thousand."""
    with Ball(192) as ball:
        level, small = ball.number(1), ball.number(1) / 5000
        pairs = homogeneous(ball, epsilon=level, epsilon_0=ball.number(1) / 10, delta_0=ball.number(0), k=30)
        both = inversion.delta([ResponsesLoss(ball.number(1) / 10, 30), GaussianLoss(small)], level, 72)
        assert pairs < both < pairs * (1 + flint.arb(1) / 1000)
