"""Thresholds, settings, levels and errors of sample-and-threshold: the numbers are those of certified claims."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest

from auditor.experiments.curves import ALPHA, DELTA
from auditor.experiments.sample_and_threshold_privacy import (
    BOUNDS,
    EPSILONS,
    SETTINGS,
    composed,
    epsilon_spent,
    errors,
    least_thresholds,
    levels,
    over_tau,
    spent,
)
from mechanisms.sample_and_threshold import accountant as exact
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.bharadwaj2022 import cells


@pytest.mark.parametrize(
    ("epsilon", "alpha", "published"),
    [
        (1.0, 1 / 6, [20, 17, 14, 12, 11, 11]),
        (0.5, 1 / 6, [20, 17, 15, 14, 11, 11]),
        (1.0, 1 / 5, [24, 20, 16, 14, 12, 12]),
    ],
)
def test_least_thresholds(epsilon, alpha, published):
    """Lemma 3, Lemma 3', Theorem 2, binomial tail, exact, exact under replacement."""
    assert list(least_thresholds(epsilon, alpha).values()) == published


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_bounds_are_ordered(epsilon):
    """Each bound is at most the one before it, up to rounding, at every threshold of the plot."""
    for tau in range(1, 31):
        values = [bound(epsilon=epsilon, alpha=ALPHA, tau=tau) for bound in BOUNDS.values()]
        assert all(lower <= upper * (1 + 1e-12) for upper, lower in itertools.pairwise(values))


@pytest.mark.parametrize(("where", "epsilon", "p", "tau"), SETTINGS)
def test_the_epsilon_really_spent_meets_delta_with_equality(where, epsilon, p, tau):
    """Balls at the float64 answer: delta there is 1e-8 up to rounding, and the answer is below the paper's."""
    found = epsilon_spent(p, tau)
    assert found < epsilon, where
    at = {"epsilon": Fraction(found), "alpha": Fraction(exact.alpha_of(found, p)), "tau": tau}
    assert float(enclose(cells.tight, at, 12).upper) == pytest.approx(DELTA, rel=1e-9)


def test_the_greatest_rate_meets_delta_with_equality():
    """At the rate of the table's first row the exact delta is 1e-8, and it is 2.386 times the paper's."""
    rate = exact.greatest_rate(1.0, DELTA, tau=20)
    assert exact.delta_at_rate(1.0, p=rate, tau=20) == pytest.approx(DELTA, rel=1e-9)
    assert spent().rows[0][-2:] == [f"{rate:.4g}", "2.386"]


def test_the_greatest_rates_shown_keep_their_promise():
    """Rounded down: at every rate as printed the delta is still at most 1e-8."""
    for _where, epsilon, _p, tau, *_more, greatest, _ratio in spent().rows:
        assert exact.delta_at_rate(float(epsilon), p=float(greatest), tau=int(tau)) <= DELTA


def test_composed_levels_lie_between_one_level_and_their_sum():
    """At one level's epsilon two levels cost more than one and, certified, less than three times as much."""
    alone = exact.delta(1.0, alpha=ALPHA, tau=20)
    assert alone * (1 - 1e-12) <= composed(1.0, 1) <= alone * (1 + 1e-9)
    assert alone < composed(1.0, 2) < 3 * alone


def test_a_level_samples_more_than_with_a_share_of_epsilon():
    """(1 - e^-1)/(1 - e^-(1/4)) = 2.858 times as much."""
    row = levels((1, 4)).rows[1]
    assert row[0] == "4"
    assert row[1] == "(4, 2.748e-14)"
    assert row[-1] == "2.858"


@pytest.mark.slow
def test_the_least_error_is_named_and_ties_are_said():
    """Where no bucket is near a threshold both of them are named."""
    table = errors(0.1)
    best = {(row[0], row[1]): row[-1] for row in table.rows}
    assert best["Shakespeare", "64"] == "tau = 20 or tau = 11"
    assert best["Geometric", "256"] == "Laplace, on the population"
    assert best["Binomial", "16384"] == "tau = 11"


def test_the_plot_of_deltas_shows_where_the_target_is_met():
    """The exact line crosses 1e-8 between 10 and 11."""
    exact_line = next(line for line in over_tau(1.0).series if line.name == "exact")
    assert float(exact_line.y[9]) > DELTA >= float(exact_line.y[10])
