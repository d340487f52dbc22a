"""Composition over levels: one path exactly, all paths from above, in fractions and in balls."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.convolution import convolved
from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.lemma_7 import composed_levels, composition

R = Rational()


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    st.fractions(1, 6, max_denominator=6),
    st.fractions(Fraction(1, 6), Fraction(4, 5), max_denominator=8),
    st.integers(1, 3),
    st.integers(1, 6),
    st.integers(1, 3),
)
def test_multisets_of_outcomes_are_the_product_law(factor, p, tau, k, levels):
    """The sum over multisets equals the enumerated product of the levels' laws, in exact fractions."""

    class Exponential(Rational):
        def exp(self, x):
            return factor if x == 1 else super().exp(x)

    exact = composed_levels.path(Exponential(), epsilon=1, p=p, tau=tau, levels=levels, k=k)
    assert exact == composition.composed_profile(R, factor=factor, p=p, tau=tau, k=k, levels=levels)


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(
    ("epsilon", "p", "tau"), [("1/2", "3/10", 3), ("1", "1/5", 4), ("2", "3/5", 2), ("0", "2/5", 2)]
)
def test_the_bound_covers_paths_of_unequal_counts(epsilon, p, tau, forward):
    """Two levels with every pair of counts up to 9, in both directions: none exceeds the dominating law."""
    with Ball(160) as A:
        point = {"epsilon": A.number(epsilon), "p": A.number(p), "tau": tau}
        bound = composed_levels.every_path(A, **point, levels=2, forward=forward)
        factor = A.exp(point["epsilon"])
        for first, second in product(range(1, 10), repeat=2):
            levels = [composition.level_laws(A, p=point["p"], tau=tau, k=k) for k in (first, second)]
            laws = composition.composed_laws(levels)
            left, right = [x for x, _y in laws], [y for _x, y in laws]
            stick = cells.hockey_stick(A, *((left, right) if forward else (right, left)), factor)
            assert not stick > bound


def test_the_dominating_law_is_a_law_and_is_attained_by_one_level():
    """Masses are probabilities that sum to 1, and one level's bound at a lattice point is its exact delta."""
    with Ball(192) as A:
        p, step = A.number("3/10"), A.number("1/64")
        deltas = [cells.tight_of(A, factor=A.exp(i * step), p=p, tau=5) for i in range(193)]
        for forward in (True, False):
            loss = composed_levels.dominating(A, deltas=deltas, step=step, low=-24, forward=forward)
            assert all(mass > -A.number("1e-40") for mass in loss.masses)
            low_tail = 0 if forward else 1 - A.sum(loss.masses) - loss.infinite
            assert abs(A.sum(loss.masses) + loss.infinite + low_tail - 1) < A.number("1e-40")
        loss = composed_levels.dominating(A, deltas=deltas, step=step, low=-24, forward=True)
        at_one = composed_levels.hockey_stick(A, loss, epsilon=A.number(1), step=step)
        exact = cells.tight_of(A, factor=A.exp(A.number(1)), p=p, tau=5)
        assert abs(at_one / exact - 1) < A.number("1e-30")


def test_convolution_by_polynomials_is_convolution():
    """Arb's polynomial product agrees with the double loop."""
    with Ball(96) as A:
        left, right = [A.number(f"{i}/7") for i in range(5)], [A.number(f"{i}/11") for i in range(3)]
        fast = convolved(A, left, right)
    slow = convolved(R, [Fraction(i, 7) for i in range(5)], [Fraction(i, 11) for i in range(3)])
    assert [float(x) for x in fast] == pytest.approx([float(x) for x in slow], rel=1e-14, abs=1e-300)


def test_an_excess_of_four_levels_is_four_times_one_at_the_papers_default():
    """P1 at total epsilon 1: 2.7475e-14 at 29 clients, L times the exact delta of a level to six digits."""
    p = -Fraction(1, 6) * Fraction(-0.6321205588285577)
    values = {
        k: float(composed_levels.path(Float64(), epsilon=1.0, p=float(p), tau=20, levels=4, k=k)) for k in (28, 29, 30)
    }
    assert max(values, key=values.get) == 29
    assert values[29] == pytest.approx(4 * 6.868833530801220e-15, rel=1e-6)
    assert values[28] == pytest.approx(2.074638e-14, rel=1e-6)
