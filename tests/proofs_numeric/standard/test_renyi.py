"""Renyi divergences at one order, against finite sums and against each other."""

import math
from fractions import Fraction

import flint
import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.standard import renyi
from proofs_numeric.standard.composition import zcdp
from proofs_numeric.standard.subsampled_composition import SampledLoss
from tests.proofs_numeric.value import value


@pytest.mark.parametrize(("alpha", "sigma", "rate"), [(2, "1", "0.01"), (17, "0.7", "0.3"), (128, "3", "0.001")])
def test_at_whole_orders_a_step_is_a_binomial_sum(alpha, sigma, rate):
    """Mironov, Talwar and Zhang 2019, section 3.3: the power is a polynomial of exponentials of a normal number."""
    with Ball(256) as ball:
        s, q = ball.number(Fraction(sigma)), ball.number(Fraction(rate))
        terms = (
            math.comb(alpha, j) * (1 - q) ** (alpha - j) * q**j * ((j * j - j) / (2 * s * s)).exp()
            for j in range(alpha + 1)
        )
        exact = sum(terms, ball.number(0)).log() / (alpha - 1)
        found = renyi.subsampled_gaussian(ball, alpha=ball.number(alpha), sigma=s, rate=q)
        assert found.overlaps(exact)
        assert found.rel_accuracy_bits() > 100


@pytest.mark.parametrize("alpha", ["1.5", "2", "40"])
def test_all_records_sampled_are_the_gaussian_mechanism(alpha):
    """Rate one, at real orders too."""
    whole = value(renyi.gaussian, alpha=alpha, sigma="2")
    step = value(renyi.subsampled_gaussian, alpha=alpha, sigma="2", rate="1")
    assert abs(step.lower - whole.lower) <= Fraction(1, 10**20)


@pytest.mark.slow
def test_the_order_in_which_a_record_is_added_loses_less():
    """Both orders by another sum, along a line off the real one."""
    with Ball(192) as ball:
        for alpha, sigma, rate in ((2, 1, "0.1"), (9, "0.6", "0.01"), ("1.2", 4, "0.6")):
            a, s, q = (ball.number(Fraction(x)) for x in (alpha, sigma, rate))
            removed, added = (
                SampledLoss(1 / s, q, 1, added=order).moment(flint.acb(a - 1)).real.log() / (a - 1)
                for order in (False, True)
            )
            found = renyi.subsampled_gaussian(ball, alpha=a, sigma=s, rate=q)
            assert added < found
            assert found.overlaps(removed)


def test_two_answers_are_discrete_laplace_noise():
    """At sensitivity 1; and a mechanism of half the range loses no more."""
    noise = value(renyi.discrete_laplace, alpha="3", scale="2", sensitivity=1)
    response = value(renyi.randomized_response, alpha="3", epsilon_0="1/2", categories=2)
    ranged = value(renyi.bounded_range, alpha="3", eta="1/2")
    assert abs(noise.lower - response.lower) <= Fraction(1, 10**20)
    assert ranged.upper < response.lower


@pytest.mark.parametrize(("alpha", "sensitivity"), [("2", 1), ("1.5", 4), ("256", 3)])
def test_at_whole_multiples_the_discrete_gaussian_loses_what_the_continuous_one_does(alpha, sensitivity):
    """Canonne, Kamath and Steinke 2020: elsewhere less."""
    point = {"alpha": alpha, "sigma": "0.7", "sensitivity": sensitivity}
    limit = Fraction(alpha) * sensitivity**2 / (2 * Fraction("0.7") ** 2)
    assert abs(value(renyi.discrete_gaussian, **point).lower - limit) <= limit / 10**20
    between = value(renyi.discrete_gaussian, **{**point, "alpha": str(Fraction(alpha) + Fraction(1, 8 * sensitivity))})
    assert between.upper < limit + Fraction(1, 8 * sensitivity) * limit / Fraction(alpha)


def test_zcdp_is_the_best_of_the_orders_that_it_bounds():
    """At divergence alpha rho: no order says less than all of them together, one of a fine grid nearly as little."""
    rho, epsilon = Fraction(1, 10), Fraction(2)
    together = enclose(zcdp, {"epsilon": epsilon, "rho": rho}, 20)
    orders = [1 + Fraction(step, 20) for step in range(1, 400)]
    each = [
        enclose(renyi.of_one_order, {"epsilon": epsilon, "alpha": a, "divergence": a * rho}, 20).lower for a in orders
    ]
    assert together.lower <= min(each) <= together.upper * (1 + Fraction(1, 10**4))
