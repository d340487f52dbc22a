"""The largest power at a level against the profile of the same release, which it determines."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard import one_release, trade_off
from proofs_numeric.thresholds.integer import discrete_gaussian_tail
from proofs_numeric.thresholds.laplace import discrete_laplace_tail

PROFILES = {
    "discrete_laplace": (
        trade_off.integer_power("scale", discrete_laplace_tail), one_release.discrete_laplace,
        {"scale": Fraction(3), "sensitivity": 2},
    ),
    "discrete_gaussian": (
        trade_off.integer_power("sigma", discrete_gaussian_tail), one_release.discrete_gaussian,
        {"sigma": Fraction(3, 2), "sensitivity": 2},
    ),
    "randomized_response": (
        trade_off.response_power, one_release.randomized_response, {"epsilon_0": Fraction(1), "categories": 3},
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", PROFILES)
def test_no_test_is_better_than_the_profile_allows_and_one_is_as_good(name):
    """Power is at most delta + e^epsilon alpha, at every epsilon and level, and somewhere it is hardly less."""
    power, profile, point = PROFILES[name]
    with Ball(256) as ball:
        point = {key: x if isinstance(x, int) else ball.number(x) for key, x in point.items()}
        for alpha in (Fraction(1, 10**6), Fraction(1, 100), Fraction(1, 10)):
            best = power(ball, alpha=ball.number(alpha), **point)
            gaps = []
            for place in range(540):
                level = ball.number(Fraction(place, 60))
                gaps.append(profile(ball, epsilon=level, **point) + ball.exp(level) * ball.number(alpha) - best)
            assert not any(gap < 0 for gap in gaps)
            assert min(float(gap.mid()) for gap in gaps) < 0.01 * float(best.mid())


@pytest.mark.parametrize("alpha", ["1e-300", "1e-12", "0.9999999999999999"])
def test_levels_of_doubles_are_enclosed(alpha):
    """Next to 0 and to 1, far in the tails."""
    for name in ("discrete_laplace", "discrete_gaussian"):
        power, _, point = PROFILES[name]
        found = enclose(power, {**point, "alpha": Fraction(float(alpha))}, 20)
        assert Fraction(float(alpha)) < found.lower <= found.upper < 1


def test_against_bounded_range_the_advantage_is_its_delta_at_epsilon_0():
    """Where power less level is largest: at the level 1/(1 + e^(eta/2))."""
    with Ball(128) as ball:
        alpha = 1 / (1 + ball.exp(ball.number(1)))
        best = trade_off.range_power(ball, alpha=alpha, eta=ball.number(2)) - alpha
        assert best.overlaps(one_release.bounded_range(ball, epsilon=ball.number(0), eta=ball.number(2)))
