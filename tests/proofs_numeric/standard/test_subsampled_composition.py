"""Steps of DP-SGD against the Gaussian mechanism, against one step, and one order against the other."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball, MpReal
from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.standard.one_release import subsampled_gaussian_added
from proofs_numeric.standard.subsampled_composition import added_steps, removed_steps, steps


def numbers(ball, epsilon, sigma, rate):
    """Return the three as balls."""
    return {"epsilon": ball.number(epsilon), "sigma": ball.number(sigma), "rate": ball.number(rate)}


def test_sampling_all_but_one_in_a_million_is_hardly_less_than_all():
    """Thirty steps at rate 1 - 1e-6: below the Gaussian mechanism of as many, by less than one in 10^4."""
    with Ball(128) as ball:
        point = {"epsilon": ball.number(3), "sigma": ball.number(5), "rate": ball.number(1 - Fraction(1, 10**6))}
        whole = gaussian_profile(ball, ball.number(3), ball.sqrt(ball.number(30)) / 5)
        part = removed_steps(ball, **point, k=30)
        assert whole * (1 - ball.number(1) / 10**4) < part < whole


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "delta"), [("0.01", 0.04), ("0.45", 1e-9), ("0.82", 1e-60)])
def test_one_added_step_is_its_closed_form(epsilon, delta):
    """To eight digits, from the middle of the losses to near their end at -log(1 - 0.6) = 0.916."""
    with Ball(128) as ball:
        point = numbers(ball, Fraction(epsilon), 6, Fraction("0.6"))
        found, exact = added_steps(ball, **point, k=1), subsampled_gaussian_added(ball, **point)
        assert exact < delta
        assert found.overlaps(exact)
        assert found.rel_accuracy_bits() > 25


@pytest.mark.slow
def test_no_loss_of_added_steps_exceeds_its_end():
    """From -k log(1 - rate) on delta is 0; just below it is enclosed in bounded time, and nearly nothing."""
    with Ball(128) as ball:
        end = -100 * (-ball.number(Fraction(1, 10))).log1p()
        past = added_steps(ball, **numbers(ball, end + 1, Fraction(1, 2), Fraction(1, 10)), k=100)
        before = added_steps(ball, **numbers(ball, end * 9999 / 10**4, Fraction(1, 2), Fraction(1, 10)), k=100)
        assert past == 0
        assert before >= 0 or before.contains(0)
        assert before < ball.number(Fraction(1, 10**200))


@pytest.mark.slow
def test_a_removed_record_costs_more_than_an_added_one():
    """At a point of DP-SGD by a factor of ten thousand, so that one order alone can be unsafe."""
    with Ball(128) as ball:
        point = numbers(ball, 2, 1, Fraction(1, 100))
        removed, added = (order(ball, **point, k=1000) for order in (removed_steps, added_steps))
        assert removed > 1000 * added
        assert steps(ball, **point, k=1000).overlaps(removed)


@pytest.mark.slow
def test_digits_that_are_too_dear_are_not_given():
    """Where Chernoff's bound says nothing either, a ball reaches up to 1, and one number is refused."""
    few = {"epsilon": 0, "sigma": Fraction(1, 2), "rate": Fraction(199, 20000), "k": 100}
    told = removed_steps(Ball(160), **few)
    assert told.rel_accuracy_bits() > 40
    assert told > 0.1686
    assert told < 0.1687
    wide = removed_steps(Ball(900), **few)
    assert wide.contains(told)
    assert wide < 2
    with pytest.raises(NotEnclosedError, match="a bit is known"):
        removed_steps(MpReal(200), **few)
