"""Random allocation and banded matrices meet the Gaussian mechanism, and other truths bound them."""

from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.standard.prefix_sums import banded, tree
from proofs_numeric.standard.random_allocation import divergence, largest_output
from tests.proofs_numeric.value import value

TINY = Fraction(1, 10**20)


@pytest.mark.parametrize("epsilon", ["0", "0.7", "3"])
def test_one_step_is_the_gaussian_mechanism(epsilon):
    """The largest of one output is the output; and so is a banded matrix of one band."""
    one = value(largest_output, epsilon=epsilon, sigma="0.8", steps=1)
    gaussian = value(lambda A, *, epsilon: gaussian_profile(A, A.number(epsilon), A.number("1.25")), epsilon=epsilon)
    lone = value(banded, epsilon=epsilon, sigma="0.8", bands=1, participations=1)
    assert abs(one.lower - gaussian.lower) <= TINY
    assert abs(lone.lower - gaussian.lower) <= TINY


@pytest.mark.parametrize(("epsilon", "sigma", "steps"), [("0.5", "1", 20), ("2", "0.6", 50)])
def test_the_divergence_bounds_the_delta_from_above(epsilon, sigma, steps):
    """Some order makes a bracket of less than a factor of 1000 around the delta of all outputs."""
    lower = value(largest_output, epsilon=epsilon, sigma=sigma, steps=steps).lower
    rdp = registry().claim("standard.rdp").formula
    upper = min(
        value(
            rdp, epsilon=epsilon, alpha=alpha,
            divergence=str(float(value(divergence, alpha=alpha, sigma=sigma, steps=steps).upper)),
        ).upper
        for alpha in range(2, 30)
    )  # fmt: skip
    assert lower < upper < 1000 * lower


def test_a_band_more_costs_less_than_a_level_of_a_tree():
    """The squared norm of n bands grows like log(n)/pi, the one of a tree like log2(n)."""
    matrix = value(banded, epsilon="1", sigma="4", bands=64, participations=1)
    levels = value(tree, epsilon="1", sigma="4", steps=64)
    assert 30 * matrix.upper < levels.lower
