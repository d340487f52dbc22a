"""Mechanisms of bounded range, many of them: against one, and against pairs that differ from each other."""

import itertools
import math
from fractions import Fraction

import pytest

from proofs_numeric.standard.composition import homogeneous
from proofs_numeric.standard.one_release import bounded_range
from proofs_numeric.standard.range_composition import composed
from tests.proofs_numeric.value import value


@pytest.mark.parametrize("epsilon", ["0", "0.3", "1.2"])
def test_one_is_the_closed_form(epsilon):
    """And nothing is lost beyond its range."""
    one, form = value(composed, epsilon=epsilon, eta="1", k=1), value(bounded_range, epsilon=epsilon, eta="1")
    assert abs(one.lower - form.lower) <= Fraction(1, 10**20)


def test_no_two_pairs_of_losses_that_differ_do_better():
    """Dong, Durfee and Rogers: one t for both mechanisms; every pair of a grid of t is tried."""
    epsilon, eta = 0.5, 1.0

    def delta(*larger):
        chances = [(math.exp(-t) - math.exp(-eta)) / (1 - math.exp(-eta)) for t in larger]
        total = 0.0
        for smaller in itertools.product((False, True), repeat=len(larger)):
            mass = math.prod(1 - p if less else p for less, p in zip(smaller, chances, strict=True))
            loss = sum(t - eta * less for less, t in zip(smaller, larger, strict=True))
            total += mass * max(0.0, math.exp(loss) - math.exp(epsilon))
        return total

    grid = [step / 60 for step in range(61)]
    best = max(delta(a, b) for a in grid for b in grid)
    exact = float(value(composed, epsilon="1/2", eta="1", k=2).lower)
    assert best <= exact * (1 + 1e-12)
    assert best > 0.999 * exact


def test_an_exponential_mechanism_loses_less_than_what_is_only_private():
    """Range eta is less than eta-DP: k exponential mechanisms against k randomised responses of eta."""
    ranged = value(composed, epsilon="1", eta="1/5", k=20)
    private = value(homogeneous, epsilon="1", epsilon_0="1/5", delta_0="0", k=20)
    assert ranged.upper < private.lower / 10
