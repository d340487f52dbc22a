"""Queries [0, r): weights below from the trie, and the promises of the two ways to compose its levels."""

import math
from fractions import Fraction

import numpy as np
import pytest

from auditor.experiments.curves import DELTA
from auditor.experiments.measures import range_errors
from auditor.experiments.range_queries import COMPOSED, CURVES, ONE_LEVEL, SHARES, levels_of
from mechanisms.sample_and_threshold import accountant
from proofs_numeric.arithmetic import Ball
from proofs_numeric.bharadwaj2022.lemma_7.composed_levels import every_path

COUNTS = np.array([300_000, 100_000, 0, 100_000, 200_000, 0, 50_000, 250_000])


def test_the_error_is_the_largest_over_all_prefixes():
    """True weights below: 0, 0.5, 0.8."""
    estimates = np.array([[0.0, 0.5, 0.8], [0.0, 0.6, 0.6]])
    assert range_errors(estimates, np.array([5, 3, 2])) == pytest.approx([0.0, 0.2])


@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.id)
def test_answers_are_centred_where_nothing_is_pruned(curve):
    """The mean of 400 answers is within seven standard errors of the true weight below, for every r."""
    at = curve.calibrate(1.0, COUNTS)
    experiment = curve.estimate(COUNTS, at, 400, np.random.default_rng(2))
    below = (np.cumsum(COUNTS) - COUNTS) / COUNTS.sum()
    assert experiment.shape == (400, 8)
    assert (experiment[:, 0] == 0).all()
    assert (np.abs(experiment.mean(axis=0) - below)[1:] < 7 * experiment.std(axis=0, ddof=1)[1:] / 20).all()


def test_answers_of_the_trie_are_the_same_whatever_its_leaves_say():
    """[0, 1/2) is one bucket of the first level: its answer has the variance of one binomial count."""
    at = COMPOSED.calibrate(1.0, COUNTS)
    result = COMPOSED.estimate(COUNTS, at, 400, np.random.default_rng(3))[:, 4] * at["p"] * COUNTS.sum()
    variance = COUNTS[:4].sum() * at["p"] * (1 - at["p"])
    assert result == pytest.approx(np.round(result))
    # A sample variance of 400 normal numbers is off by a factor outside [0.6, 1.5] with probability below 1e-8.
    assert 0.6 < result.var(ddof=1) / variance < 1.5


@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_shares_add_up_to_the_total(epsilon):
    """By Lemma 7: the exact delta of a level at epsilon/L is at most delta/L."""
    counts = np.zeros(2**10, dtype=int)
    at = SHARES.calibrate(epsilon, counts)
    assert levels_of(counts) == 10
    assert at["p"] == pytest.approx(-math.expm1(-epsilon / 10) / 6)
    assert accountant.delta_at_rate(epsilon / 10, p=at["p"], tau=int(at["tau"])) <= DELTA / 10


@pytest.mark.slow
@pytest.mark.parametrize("levels", [6, 10, 14])
@pytest.mark.parametrize("epsilon", [0.1, 1.0])
def test_levels_composed_exactly_keep_the_total(epsilon, levels):
    """Certified: delta at the total epsilon is zero one way and below 1e-8 the other."""
    at = COMPOSED.calibrate(epsilon, np.zeros(2**levels, dtype=int))
    assert -levels * math.log1p(-at["p"]) <= epsilon * (1 + 1e-12)
    with Ball(128) as A:
        delta = every_path(A, epsilon=Fraction(epsilon), p=Fraction(at["p"]), tau=int(at["tau"]), levels=levels)
        assert delta < A.number(Fraction(DELTA))


def test_one_level_is_at_its_least_threshold():
    """The exact delta at tau = 11 meets 1e-8, at tau = 10 it does not."""
    at = ONE_LEVEL.calibrate(1.0, COUNTS)
    assert at["tau"] == 11
    assert accountant.delta_at_rate(1.0, p=at["p"], tau=11) <= DELTA < accountant.delta_at_rate(1.0, p=at["p"], tau=10)
