"""Steps of DP-SGD against the Gaussian mechanism."""

from fractions import Fraction

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.standard.subsampled_composition import removed_steps


def test_sampling_all_but_one_in_a_million_is_hardly_less_than_all():
    """Thirty steps at rate 1 - 1e-6: below the Gaussian mechanism of as many, by less than one in 10^4."""
    with Ball(128) as ball:
        point = {"epsilon": ball.number(3), "sigma": ball.number(5), "rate": ball.number(1 - Fraction(1, 10**6))}
        whole = gaussian_profile(ball, ball.number(3), ball.sqrt(ball.number(30)) / 5)
        part = removed_steps(ball, **point, k=30)
        assert whole * (1 - ball.number(1) / 10**4) < part < whole
