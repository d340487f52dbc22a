"""Tilted sampling: certified values inside the interval, closed-form cumulants, and the width that was promised."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import log_ndtr
from scipy.stats import binom

from auditor.statistics.tilting import betting_mean_interval, tilted_interval
from mechanisms.correlated_stability_histogram.law import new_counters_loss, pair_profile
from mechanisms.laws.privacy_loss import (
    DiscreteLoss,
    GaussianLoss,
    LaplaceLoss,
    Loss,
    SharedLoss,
    SumLoss,
    unreleased_keys_loss,
)
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.neighbours import Direction


def gaussian_delta(epsilon: str, mu: str) -> float:
    """Exact hockey stick of two Gaussians at 30 digits."""
    A = MpReal(30)
    with A:
        return float(gaussian_profile(A, A.number(epsilon), A.number(mu)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "mu", "width"),
    [("1", "0.268", 0.03), ("1.5", "0.25", 0.03), ("2", "0.3", 0.05), ("0.8", "0.125", 0.05), ("3", "1", 0.03)],
)
def test_gaussian_delta_is_enclosed_within_a_few_per_cent(epsilon: str, mu: str, width: float) -> None:
    """From 1e5 losses delta between 1e-1 and 1e-12 is enclosed, at most `width` away on either side (95 per cent)."""
    exact = gaussian_delta(epsilon, mu)
    narrow = tilted_interval(GaussianLoss(float(mu)), float(epsilon), 100_000, 0.05, np.random.default_rng(11))
    wide = tilted_interval(GaussianLoss(float(mu)), float(epsilon), 100_000, 1e-9, np.random.default_rng(12))
    assert wide.lower <= exact <= wide.upper
    assert narrow.upper <= exact * (1 + width)
    assert narrow.lower >= exact * (1 - width)


def test_the_benchmark_value_is_reached() -> None:
    """Delta about 9.87e-11 is enclosed within 3 per cent from 1e5 samples."""
    mu = 0.25119
    exact = gaussian_delta("1.5", "0.25119")
    assert math.isclose(exact, 9.87e-11, rel_tol=2e-3)
    interval = tilted_interval(GaussianLoss(mu), 1.5, 100_000, 0.05, np.random.default_rng(13))
    assert 0.97 * exact < interval.lower < interval.upper < 1.03 * exact


def test_laplace_delta_is_enclosed() -> None:
    """For scale b and shift 1, delta(epsilon) = 1 - exp((epsilon - 1/b) / 2)."""
    interval = tilted_interval(LaplaceLoss(0.5), 1.0, 100_000, 1e-9, np.random.default_rng(19))
    exact = 1 - math.exp((1.0 - 2.0) / 2)
    assert 0.98 * exact < interval.lower <= exact <= interval.upper < 1.02 * exact


def test_infinite_losses_enter_in_closed_form() -> None:
    """With no finite excess, delta is the mass at infinity alone, to full precision."""
    loss = unreleased_keys_loss(4, 6.5, Direction.FORWARD)
    interval = tilted_interval(loss, 0.5, 1000, 0.05, np.random.default_rng(23))
    exact = -math.expm1(4 * math.log1p(-4.016000583859118e-11))
    assert math.isclose(interval.lower, exact, rel_tol=1e-6)
    assert math.isclose(interval.upper, exact, rel_tol=1e-3)


def test_compositions_are_sums_of_losses() -> None:
    """Sixteen Gaussian releases of mu = .1 are one of mu = .4."""
    composed = SumLoss(tuple(GaussianLoss(0.1) for _ in range(16)))
    interval = tilted_interval(composed, 2.0, 50_000, 1e-9, np.random.default_rng(29))
    assert interval.lower <= gaussian_delta("2", "0.4") <= interval.upper


def new_keys_beside_gaussians() -> tuple[Loss, float, float]:
    """Three new keys and eight Gaussians of mu = .1: 1 - beta + beta g(epsilon - log beta), g of mu = sqrt .08."""
    log_beta = 3 * float(log_ndtr(7.0))
    g = gaussian_delta(repr(1.976 - log_beta), repr(math.sqrt(0.08)))
    loss = SumLoss((unreleased_keys_loss(3, 7.0, Direction.FORWARD), *(GaussianLoss(0.1),) * 8))
    return loss, 1.976, -math.expm1(log_beta) + math.exp(log_beta) * g


def composed_responses() -> tuple[Loss, float, float]:
    """Fifty randomised responses at .12 each: the loss is .12 (2 K - 50) with K binomial."""
    p = 1 / (1 + math.exp(-0.12))
    right = np.arange(51)
    losses = 0.12 * (2 * right - 50)
    exact = float(binom.pmf(right, 50, p) @ np.maximum(0.0, -np.expm1(5.4 - losses)))
    return SumLoss((DiscreteLoss((0.12, -0.12), (p, 1 - p)),) * 50), 5.4, exact


def shared_noise() -> tuple[SharedLoss, float, float]:
    """Four counters that share noise, one of them new, one changed."""
    at = {"k": 4, "sigma": 4, "gap": 12, "l": 1, "j": 1}
    with MpReal(30) as A:
        exact = float(pair_profile(A, A.number("1.5"), Direction.BACKWARD, **at))
    return new_counters_loss(Direction.BACKWARD, **at), 1.5, exact


@pytest.mark.slow
@pytest.mark.parametrize("case", [new_keys_beside_gaussians, composed_responses, shared_noise])
def test_a_delta_of_1e_12_is_enclosed_within_five_per_cent(case: Callable[[], tuple[Loss, float, float]]) -> None:
    """Sums, compositions and correlated noise: 1e5 losses, 95 per cent, twenty seeds, each end at most 5 % away."""
    loss, epsilon, exact = case()
    assert 1e-13 < exact < 2e-11
    results = [tilted_interval(loss, epsilon, 100_000, 0.05, np.random.default_rng(seed)) for seed in range(20)]
    assert all(0.95 * exact <= interval.lower <= interval.upper <= 1.05 * exact for interval in results)
    covered = sum(interval.lower <= exact * (1 + 1e-6) and exact * (1 - 1e-6) <= interval.upper for interval in results)
    assert binom.cdf(covered, 20, 0.95) > 1e-9


def test_betting_interval_covers_and_shrinks() -> None:
    """The interval for a mean contains it and is a few standard errors wide."""
    values = np.random.default_rng(31).beta(0.3, 2.0, 20_000)
    low, high = betting_mean_interval(values, 1e-9)
    exact = 0.3 / 2.3
    standard_error = values.std() / math.sqrt(len(values))
    assert low <= exact <= high
    assert high - low < 25 * standard_error


@pytest.mark.slow
def test_betting_interval_has_its_level_on_bernoulli_samples() -> None:
    """Enumerated over all samples of size 8 with mean 1/2, the interval misses with probability at most alpha."""
    missed = 0
    for code in range(256):
        values = np.array([code >> i & 1 for i in range(8)], dtype=float)
        low, high = betting_mean_interval(values, 0.2)
        missed += not low <= 0.5 <= high
    assert 0 < missed / 256 <= 0.2


def test_means_outside_the_unit_interval_are_refused() -> None:
    """The betting interval is for values in [0, 1] only."""
    with pytest.raises(ValueError, match=r"in \[0, 1\]"):
        betting_mean_interval(np.array([1.5]), 0.05)
