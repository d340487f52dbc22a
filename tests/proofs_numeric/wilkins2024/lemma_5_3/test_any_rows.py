"""Any number of rows with their aggregates: against two rows by another route, and against the densities summed."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import norm

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.wilkins2024.lemma_5_3.any_rows import any_bound, backward_any, forward_any
from proofs_numeric.wilkins2024.lemma_5_3.two_rows import backward_rows, forward_rows


@pytest.mark.parametrize(("epsilon", "sigma", "margin"), [("1", 1, 1), ("1/10", 2, -2), ("-1", 3, 0)])
def test_two_rows_of_which_one_is_far_above(epsilon, sigma, margin):
    """The pair of rows without aggregates, the second a hundred standard deviations above tau*."""
    at = {"epsilon": Fraction(epsilon), "sigma": Fraction(sigma)}
    one = {**at, "a_plus": 2, "mu_o": Fraction(0), "margin": Fraction(margin)}
    two = {**at, "margin_1": Fraction(margin), "margin_2": Fraction(300)}
    for exact, pair in ((forward_any, forward_rows), (backward_any, backward_rows)):
        assert abs(enclose(exact, one, 15).lower - enclose(pair, two, 15).lower) < Fraction(1, 10**12)


def summed(epsilon, sigma, mu_o, margin, *, backward):
    """The densities of one row and one aggregate on a grid, withheld where the count is below tau*."""
    count, aggregate = np.linspace(-margin, 12 * sigma, 4001), np.linspace(-10, 10 + mu_o, 4001)
    cell = (count[1] - count[0]) * (aggregate[1] - aggregate[0])
    present = np.outer(norm.pdf(count, 0, sigma), norm.pdf(aggregate, mu_o))
    absent = np.outer(norm.pdf(count, -1, sigma), norm.pdf(aggregate, 0))
    silent = norm.cdf(-margin, 0, sigma), norm.cdf(-margin, -1, sigma)
    left, right, p, q = (absent, present, *silent[::-1]) if backward else (present, absent, *silent)
    ends = np.ones(len(count))
    ends[[0, -1]] = 0.5
    excess = np.maximum(left - np.exp(epsilon) * right, 0) * ends[:, None]
    return excess.sum() * cell + max(p - np.exp(epsilon) * q, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "sigma", "mu_o", "margin"), [(0.5, 1, 1, 0.5), (0.1, 2, 0.5, -1), (1, 1.5, 2, 1)])
def test_one_row_with_an_aggregate(epsilon, sigma, mu_o, margin):
    """Summed over a grid, the release of both or of neither; either way round."""
    exact = {name: Fraction(str(value)) for name, value in [("sigma", sigma), ("mu_o", mu_o), ("margin", margin)]}
    for formula, backward in ((forward_any, False), (backward_any, True)):
        value = enclose(formula, {**exact, "epsilon": Fraction(str(epsilon)), "a_plus": 1}, 12)
        assert float(value.lower) == pytest.approx(summed(epsilon, sigma, mu_o, margin, backward=backward), abs=2e-6)


def test_a_tighter_bound_would_be_seen():
    """At eight standard deviations the rows attain the bound to eight digits: one part in a million less fails."""
    at = {"epsilon": Fraction(1), "a_plus": 3, "sigma": Fraction(1), "mu_o": Fraction(1), "margin": Fraction(8)}
    exact, bound = enclose(forward_any, at, 15), enclose(any_bound, at, 15)
    assert bound.lower * (1 - Fraction(1, 10**6)) < exact.lower <= exact.upper < bound.lower
