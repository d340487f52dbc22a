"""Baselines of Section 5 against enumerations and the formulas of their mechanisms."""

from fractions import Fraction

import pytest

from mechanisms.baselines.shuffle_bernoulli import ShuffleBernoulli
from proofs_numeric.arithmetic import Ball
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.section_5.baselines import shuffle


@pytest.mark.parametrize("epsilon", ["0", "1/2", "3"])
@pytest.mark.parametrize("p", ["1/100", "1"])
def test_shuffled_coins_are_summed_over_every_outcome(epsilon, p):
    """Half-lines found in m steps have the delta of all (m + 2)^2 outcomes, ties at epsilon = 0 included."""
    with Ball(128) as A:
        m, f, rate, level = 25, A.number(Fraction(1, 3)), A.number(Fraction(p)), A.exp(A.number(Fraction(epsilon)))
        coins = [*cells.binomial_law(A, m, f), A.number(0)]
        moved = [(1 - rate) * here + rate * before for here, before in zip(coins, [0, *coins], strict=False)]
        outcomes = [
            (x * y, u * v) for x, u in zip(moved, coins, strict=True) for y, v in zip(coins, moved, strict=True)
        ]
        summed = A.sum(A.maximum(0, left - level * right) for left, right in outcomes)
        found = shuffle(A, epsilon=Fraction(epsilon), m=m, f=f, p=rate)
    assert found.overlaps(summed)
    assert found.rad() < 1e-20


def test_shuffled_coins_of_a_hundred_thousand_clients():
    """The ball is narrow, and the mechanism's own sum by binomial tails agrees."""
    with Ball(128) as A:
        found = shuffle(A, epsilon=A.number(Fraction(1, 10)), m=10**5, f=A.number(Fraction(1, 50)), p=A.number(1))
    assert found.rel_accuracy_bits() > 60
    assert float(found) == pytest.approx(ShuffleBernoulli(10**5, 0.02).delta(0.1), rel=1e-6)
