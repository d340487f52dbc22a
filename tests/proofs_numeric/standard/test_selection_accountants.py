"""Repeated selection and the sparse vector: known pure bounds, and a simulation-free pair beside the formula."""

import math

import pytest

from auditor.engine.registry import registry
from proofs_numeric.standard.repeated_selection import geometric, poisson
from tests.proofs_numeric.value import value


def least_pure_epsilon(formula, mean, epsilon_0="1"):
    """Bisect for the epsilon from which on delta is 0."""
    lower, upper = 0.0, 20.0
    for _ in range(40):
        middle = (lower + upper) / 2
        some = value(formula, epsilon=repr(middle), epsilon_0=epsilon_0, mean=mean).lower > 0
        lower, upper = (middle, upper) if some else (lower, middle)
    return lower


@pytest.mark.parametrize("mean", ["1.5", "10", "1000"])
def test_a_geometric_number_of_runs_costs_at_most_three_epsilons(mean):
    """The bound of Liu and Talwar is safe, and reached as the mean grows; one run costs one epsilon."""
    least, stop = least_pure_epsilon(geometric, mean), 1 / float(mean)
    kink = 1 / (1 + math.e)
    ratio = (1 - (1 - stop) * kink) / (1 - (1 - stop) * math.e * kink)
    assert least == pytest.approx(1 + 2 * math.log(ratio), rel=1e-9)
    assert 1 < least < 3
    assert (least > 2.99) == (mean == "1000")


@pytest.mark.parametrize("mean", ["1.5", "10"])
def test_a_poisson_number_of_runs_costs_more_with_its_mean(mean):
    """The least pure epsilon is epsilon_0 + mean tanh(epsilon_0/2)."""
    assert least_pure_epsilon(poisson, mean) == pytest.approx(1 + float(mean) * math.tanh(0.5), rel=1e-9)


def test_a_sparse_vector_costs_twice_where_queries_move_both_ways():
    """The textbook's scales 2/epsilon for the threshold and 4 c/epsilon for a query give epsilon."""
    claims = registry().claims
    at = {"threshold_scale": "2", "query_scale": "12", "tops": 3}
    assert value(claims["standard.sparse_vector"].formula, **at).lower == 1
    assert value(claims["standard.sparse_vector.one_way"].formula, **at).lower == 0.75
