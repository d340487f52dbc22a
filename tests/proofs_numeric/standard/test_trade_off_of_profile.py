"""Power from a profile: where another closed form is known it is that, and no test is better than a line allows."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard import composition, trade_off
from proofs_numeric.standard import trade_off_of_profile as of_profile
from proofs_numeric.thresholds.integer import discrete_gaussian_tail, discrete_laplace_tail

POWERS = {claim.id.removeprefix("standard.power."): claim.kind.formula for claim in of_profile.CLAIMS}
LEVELS = ("1e-15", "1e-6", "0.05", "1/2", "0.99", "0.999999")
SAME = {
    "laplace.composition": (trade_off.laplace_power, {"scale": Fraction(3)}),
    "discrete_laplace.composition": (
        trade_off.integer_power("scale", discrete_laplace_tail),
        {"scale": Fraction(2), "sensitivity": 3},
    ),
    "discrete_gaussian.composition": (
        trade_off.integer_power("sigma", discrete_gaussian_tail),
        {"sigma": Fraction(2), "sensitivity": 3},
    ),
    "composition.homogeneous": (
        lambda A, *, alpha, epsilon_0, delta_0: trade_off.response_power(
            A, alpha=alpha, epsilon_0=epsilon_0, categories=2 + delta_0
        ),
        {"epsilon_0": Fraction(1, 2), "delta_0": 0},
    ),
    "bounded_range.composition": (trade_off.range_power, {"eta": Fraction(2)}),
}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", SAME)
def test_of_one_release_it_is_the_closed_form(name, level):
    """Neyman and Pearson's test of each, whose code knows no profile, to 18 digits."""
    closed, point = SAME[name]
    level = Fraction(level)
    one = enclose(closed, {**point, "alpha": level}, 25)
    found = enclose(POWERS[name], {**point, "alpha": level, "k": 1}, 20)
    assert max(one.upper, found.upper) - min(one.lower, found.lower) <= one.upper / 10**18


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("sigma", "k"), [("0.2", 1), ("30", 7)])
def test_of_gaussian_releases_it_is_the_normal_power(level, sigma, k):
    """A smooth profile, at powers next to 1 and levels next to 0."""
    power = of_profile.of_profile(of_profile.alike(composition.gaussian))
    point = {"alpha": Fraction(level), "sigma": Fraction(sigma), "k": k}
    one, found = (enclose(formula, point, 20) for formula in (trade_off.gaussian_power, power))
    assert max(one.upper, found.upper) - min(one.lower, found.lower) <= one.upper / 10**18


def test_all_records_sampled_are_the_gaussian_mechanism():
    """Both orders are one at rate 1; at half of it, rejecting at random does what the closed form says."""
    for rate in (Fraction(1), Fraction(1, 2)):
        point = {"alpha": Fraction(1, 100), "sigma": Fraction(2), "rate": rate}
        normal = enclose(trade_off.gaussian_power, {"alpha": point["alpha"], "sigma": point["sigma"], "k": 1}, 25)
        removed = enclose(of_profile.removed_power, point, 20)
        mixed = rate * normal.lower + (1 - rate) * point["alpha"]
        assert abs(removed.lower - mixed) <= Fraction(1, 10**18)
        assert enclose(POWERS["subsampled_gaussian"], point, 20).upper >= removed.lower


@pytest.mark.parametrize("bits", [64, 96, 200])
def test_a_profile_of_few_digits_leaves_a_wide_enclosure_and_a_true_one(bits):
    """Every value of the profile widened by a millionth of it."""
    with Ball(bits) as ball:
        point = {"sigma": ball.number(1), "k": 1}
        wide = ball.number(1) + ball.number(0).union(ball.number(Fraction(1, 10**6)))

        def profile(epsilon):
            return composition.gaussian(ball, epsilon=epsilon, **point) * wide

        found = of_profile.power(of_profile.both_signs(profile, profile), ball.number(Fraction(1, 100)), bits // 2)
        exact = trade_off.gaussian_power(ball, alpha=ball.number(Fraction(1, 100)), **point)
        assert found.overlaps(exact)
        assert 5 < found.rel_accuracy_bits() < 30


def test_one_of_many_steps_is_one_step():
    """By inversion of the moments, and from the closed form, at a power that the added record decides."""
    point = {"alpha": Fraction(1, 2), "sigma": Fraction(6), "rate": Fraction(3, 4)}
    one = enclose(POWERS["subsampled_gaussian"], point, 20)
    many = enclose(POWERS["subsampled_gaussian.composition"], {**point, "k": 1}, 12)
    assert max(one.upper, many.upper) - min(one.lower, many.lower) <= Fraction(1, 10**12)


def test_all_pairs_of_a_range_have_more_power_than_the_best_of_them():
    """Where the worst pair changes with epsilon; elsewhere both are one."""
    apart = {"alpha": Fraction(3, 10), "eta": Fraction(1), "k": 4}
    together = {"alpha": Fraction(1, 1000), "eta": Fraction(1, 10), "k": 9}
    for point, least, most in ((apart, Fraction(8, 10**4), Fraction(9, 10**4)), (together, 0, Fraction(1, 10**18))):
        best, all_of_them = (
            enclose(f, point, 20) for f in (of_profile.range_power, POWERS["bounded_range.composition"])
        )
        gap = all_of_them.lower / best.upper - 1
        assert -Fraction(1, 10**18) <= gap - least <= most - least
