"""Formulas about Section 5: expected errors in exact fractions, privacy of Laplace noise and of fair coins."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mechanisms.baselines.shuffle_bernoulli import ShuffleBernoulli
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.bharadwaj2022.section_5 import experiments

R = Rational()


@pytest.mark.slow
@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 30), st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20), st.integers(0, 32))
def test_the_closed_form_of_the_error_is_the_sum_over_counts(clients, p, tau):
    """Todhunter's sum, in fractions: no tolerance; where W p is an integer too."""
    closed = experiments.cell_error(R, W=clients, p_s=p, tau=tau)
    assert closed == experiments.cell_error_by_counts(R, W=clients, p_s=p, tau=tau)


def test_a_ball_holds_the_error_where_the_mean_is_an_integer():
    """W p_s = 10 exactly: either side of the mean may begin there."""
    at = {"W": 100, "p_s": Fraction(1, 10), "tau": 0}
    exact = experiments.cell_error(R, **at)
    found = enclose(experiments.cell_error, at, 20)
    assert found.lower <= exact <= found.upper


def test_many_cells_are_computed_at_once_in_float64():
    """An array of counts gives what each count gives alone."""
    counts = np.array([0, 1, 10, 11, 100, 5000])
    together = experiments.cell_error(Float64(), W=counts, p_s=0.1, tau=11)
    alone = [float(experiments.cell_error(R, W=int(count), p_s=Fraction(1, 10), tau=11)) for count in counts]
    assert together == pytest.approx(alone, rel=1e-12)


def test_fair_coins_agree_with_the_float64_mechanism():
    """2.07e-8 at epsilon = 0.1, m = 15860: above the paper's 1e-8."""
    found = enclose(experiments.fair_coins, {"epsilon": Fraction(1, 10)}, 12)
    assert float(found.lower) == pytest.approx(ShuffleBernoulli(15_860, 0.5).delta(0.1), rel=1e-9)
    assert found.lower > Fraction(1, 10**8)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0, 5.0])
def test_replacement_needs_more_laplace_noise_than_add_remove(epsilon):
    """The scale lies between that of add/remove and twice as much."""
    p = 0.1
    one = 1 / math.log1p(math.expm1(epsilon) / p)
    assert one < experiments.laplace_scale(Float64(), epsilon=epsilon, p_s=p) < 2 * one
