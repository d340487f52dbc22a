"""Losses under shared noise: against closed forms, down to delta = 1e-12, alone and composed with other releases."""

import math

import numpy as np
import pytest
from scipy.stats import norm

from auditor.checks.white_box import epsilon_for
from auditor.statistics.tilting import tilted_interval
from mechanisms.correlated_stability_histogram.law import new_counters_loss, pair_profile, shared_loss
from mechanisms.correlated_stability_histogram.laws.shared_noise_loss import CensoredLoss, NewCountersLoss
from mechanisms.laws.privacy_loss import DiscreteLoss, GaussianLoss, LaplaceLoss, SumLoss
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.statements.neighbours import Direction

ALPHA = 1e-10
K, SIGMA, GAP = 4, 4, 12
WAYS = tuple(Direction)


def exact(epsilon: float, direction: Direction, l: int, j: int) -> float:
    """Closed form of the pair (l, j)."""
    with MpReal(30) as A:
        return float(pair_profile(A, epsilon, direction, k=K, sigma=SIGMA, gap=GAP, l=l, j=j))


def interval(loss, epsilon: float, n: int = 40_000, seed: int = 1):
    """Tilted interval at an error probability of 1e-10."""
    return tilted_interval(loss, epsilon, n, ALPHA, np.random.default_rng(seed))


@pytest.mark.slow
@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize(("l", "j"), [(1, 1), (2, 1), (1, 3), (3, 0)])
@pytest.mark.parametrize("target", [1e-1, 1e-12])
def test_new_and_changed_counters_agree_with_the_closed_form(l: int, j: int, direction: Direction, target: float):
    """The interval holds the exact delta and is narrow, down to 1e-12 and where the loss has no moments."""
    loss = new_counters_loss(direction, k=K, sigma=SIGMA, gap=GAP, l=l, j=j)
    epsilon = float(epsilon_for(loss, target))
    enclosure, truth = interval(loss, epsilon), exact(epsilon, direction, l, j)
    assert enclosure.lower * (1 - 1e-9) <= truth <= enclosure.upper * (1 + 1e-9)
    assert enclosure.upper - enclosure.lower < 0.2 * truth


def test_five_per_cent_at_1e_12_from_1e5_samples():
    """The 95 per cent interval of a pair with shared noise."""
    loss = new_counters_loss(Direction.BACKWARD, k=K, sigma=SIGMA, gap=GAP, l=1, j=1)
    enclosure = tilted_interval(loss, 1.47, 100_000, 0.05, np.random.default_rng(5))
    assert 1e-13 < enclosure.estimate < 2e-12
    assert enclosure.upper - enclosure.lower < 0.05 * enclosure.estimate


@pytest.mark.slow
def test_a_wrong_gap_leaves_the_interval():
    """The loss of another threshold is told from the closed form: the comparison can fail."""
    wrong = NewCountersLoss(K, 1, 1, 1.02 * GAP / SIGMA, 1 / SIGMA, Direction.FORWARD)
    assert not interval(wrong, 0.3).lower <= exact(0.3, Direction.FORWARD, 1, 1) <= interval(wrong, 0.3).upper


@pytest.mark.slow
@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("epsilon", [0.3, 1.2, 2.0])
def test_composed_with_another_release(direction: Direction, epsilon: float):
    """With a loss of three values beside it, delta is the mixture of the pair's profile over those values."""
    values, weights = (-0.4, 0.1, 0.6), (0.2, 0.5, 0.3)
    loss = NewCountersLoss(K, 1, 1, GAP / SIGMA, 1 / SIGMA, direction, rest=DiscreteLoss(values, weights))
    truth = sum(w * exact(epsilon - value, direction, 1, 1) for value, w in zip(values, weights, strict=True))
    enclosure = interval(loss, epsilon)
    assert enclosure.lower * (1 - 1e-9) <= truth <= enclosure.upper * (1 + 1e-9)
    assert enclosure.upper - enclosure.lower < 0.15 * truth


def censored_alone(epsilon: float, p: float, q: float) -> float:
    """Exact delta for one counter, k = 1: N(p, 2) against N(q, 2), of which only what is above 0 is shown."""
    scale = math.sqrt(2.0)
    hidden = max(0.0, norm.cdf(-p / scale) - math.exp(epsilon) * norm.cdf(-q / scale))
    at = (p + q) / 2 + 2 * epsilon / (p - q)  # where the densities are e^epsilon apart
    if p > q:
        low = max(at, 0.0)
        return float(hidden + norm.sf((low - p) / scale) - math.exp(epsilon) * norm.sf((low - q) / scale))
    inside = [norm.cdf((max(at, 0.0) - c) / scale) - norm.cdf(-c / scale) for c in (p, q)]
    return float(hidden + inside[0] - math.exp(epsilon) * inside[1])


@pytest.mark.slow
@pytest.mark.parametrize("direction", WAYS)
@pytest.mark.parametrize("epsilon", [0.0, 0.2, 0.5, 2.0, 5.0])
def test_one_censored_counter_agrees_with_its_closed_form(direction: Direction, epsilon: float):
    """Values above the threshold, and that there is none: one normal integral each."""
    left, right = 0.6, -0.1
    enclosure = interval(CensoredLoss(1, (left,), (right,), direction), epsilon)
    truth = censored_alone(epsilon, *((left, right) if direction is Direction.FORWARD else (right, left)))
    assert enclosure.lower * (1 - 1e-9) <= truth <= enclosure.upper * (1 + 1e-9)
    assert enclosure.upper - enclosure.lower < 0.2 * truth or truth == 0.0


def test_far_above_the_threshold_nothing_is_censored():
    """Two of four far counters change: the loss is that of the shared noise alone."""
    right = (50.0,) * 4
    left = tuple(50.0 + (i < 2) / SIGMA for i in range(4))
    enclosure = interval(CensoredLoss(K, left, right, Direction.FORWARD), 1.5)
    other = interval(shared_loss(Direction.FORWARD, k=K, sigma=SIGMA, j=2), 1.5, seed=2)
    assert max(enclosure.lower, other.lower) <= min(enclosure.upper, other.upper)


def test_discounts_are_never_positive():
    """Jensen: an output weighs at most what its loss alone would, so the bracket stays below 1."""
    loss = CensoredLoss(3, (0.3, -0.2, 0.8), (0.0, -0.2, 0.5), Direction.FORWARD)
    p, q = loss._counts
    noisy = p + 2.0 * (p - q) + np.random.default_rng(3).normal(size=(5000, 3))
    passed = noisy > 0
    law = [loss._log_law(noisy, passed, c) for c in (p, q, p + 2.0 * (p - q))]
    assert (law[0] - law[2] - (loss.cumulant(2.0) - 2.0 * (law[0] - law[1]))).max() <= 1e-9


@pytest.mark.slow
def test_a_composition_of_three_mechanisms():
    """Counters at a threshold, Laplace and normal noise: within 5 per cent, and more noise means less delta."""
    parts = CensoredLoss(2, (0.25, 0.25), (0.0, 0.0), Direction.FORWARD), LaplaceLoss(10.0), GaussianLoss(0.2)
    loss = SumLoss(parts)
    epsilon = float(epsilon_for(loss, 1e-11))
    enclosure = tilted_interval(loss, epsilon, 100_000, 0.05, np.random.default_rng(4))
    assert 1e-14 < enclosure.estimate < 1e-11
    assert enclosure.upper - enclosure.lower < 0.05 * enclosure.estimate
    for place, quieter in enumerate((LaplaceLoss(12.0), GaussianLoss(0.17)), start=1):
        changed = SumLoss((*parts[:place], quieter, *parts[place + 1 :]))
        assert tilted_interval(changed, epsilon, 100_000, 0.05, np.random.default_rng(4)).upper < enclosure.lower
