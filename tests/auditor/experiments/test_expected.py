"""Expected errors against enumeration, and simulated errors against expected ones."""

import numpy as np
import pytest
from scipy import stats

from auditor.experiments import expected
from auditor.experiments.curves import CURVES, EXACT, HADAMARD_SAMPLE, LAPLACE_SAMPLE, PAPER, SHUFFLE_SAMPLE
from auditor.experiments.measures import errors, summary
from auditor.experiments.populations import geometric, shakespeare

COUNTS = np.array([0, 3, 3, 40, 154])


@pytest.mark.parametrize("tau", [0, 1, 7, 12, 60, 200])
def test_the_threshold_error_is_the_sum_over_all_counts(tau):
    """Each cell by its binomial law."""
    p, n = 0.27, int(COUNTS.sum())
    total = 0.0
    for count in COUNTS:
        v = np.arange(count + 1)
        total += float(np.abs(np.where(v >= tau, v / p, 0) - count) @ stats.binom.pmf(v, count, p))
    assert expected.threshold_error(COUNTS, p=p, tau=tau) == pytest.approx(total / (n * COUNTS.size), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("b", [0.3, 1.0, 7.0])
def test_the_laplace_error_is_an_integral(b):
    """E|x + N| by quadrature of the density, over all sampled counts."""
    p, n = 0.27, int(COUNTS.sum())
    grid = np.linspace(-60 * b, 60 * b, 400_001)
    weights = np.exp(-np.abs(grid) / b) / (2 * b) * (grid[1] - grid[0])
    total = 0.0
    for count in COUNTS:
        v = np.arange(count + 1)
        total += sum(
            mass * float(np.abs(x + grid) @ weights)
            for mass, x in zip(stats.binom.pmf(v, count, p), v - count * p, strict=True)
            if mass > 1e-12
        )
    assert expected.laplace_error(COUNTS, p=p, b=b) == pytest.approx(total / (p * n * COUNTS.size), rel=1e-5)


def test_the_brackets_hold_the_enumerated_errors_of_the_baselines():
    """Shuffled coins and Hadamard response on 12 of 50 clients, law by law."""
    counts, m, f, epsilon_0 = np.array([0, 13, 37]), 12, 0.3, 0.8
    draws = np.arange(m + 1)
    coins = stats.binom.pmf(draws, m, f)
    keep = 1 / (1 + np.exp(-epsilon_0))
    slope = 2 * keep - 1
    shuffle = hadamard = 0.0
    for count in counts:
        for h, mass in zip(draws, stats.hypergeom.pmf(draws, 50, count, m), strict=True):
            if mass == 0:
                continue
            shuffle += mass * float(np.abs(h + draws - m * f - m * count / 50) @ coins) / m / 3
            plus = np.convolve(stats.binom.pmf(draws, h, keep), stats.binom.pmf(draws, m - h, 0.5))[: m + 1]
            hadamard += mass * float(np.abs((2 * draws - m) / (m * slope) - count / 50) @ plus) / 3
    first = expected.shuffle_error(counts, m=m, f=f)
    second = expected.hadamard_error(counts, m=m, epsilon_0=epsilon_0)
    assert first.lower < shuffle < first.upper
    assert second.lower < hadamard < second.upper


def test_the_share_of_reported_buckets_is_exact():
    """Two cells of three and four clients, tau = 3, p = 1/2."""
    assert expected.reported_share(np.array([3, 4]), p=0.5, tau=3) == pytest.approx((1 / 8 + 5 / 16) / 2)


@pytest.mark.slow
@pytest.mark.parametrize("counts", [geometric(2**10), shakespeare(2**6)], ids=["geometric", "shakespeare"])
@pytest.mark.parametrize("curve", CURVES, ids=lambda curve: curve.id)
def test_simulated_errors_are_those_expected(curve, counts):
    """The mean of 200 repetitions is within seven standard errors of the exact error, or of its bracket."""
    at = curve.calibrate(0.5, counts)
    mean, error = summary(errors(curve.estimate(counts, at, 200, np.random.default_rng(1)), counts))
    if curve in (PAPER, EXACT):
        exact = expected.threshold_error(counts, **at)
        bracket = expected.Bracket(exact, exact)
    elif curve.family == LAPLACE_SAMPLE.family:
        exact = expected.laplace_error(counts, **at)
        bracket = expected.Bracket(exact, exact)
    else:
        assert curve.family in (SHUFFLE_SAMPLE.family, HADAMARD_SAMPLE.family)
        of_family = expected.shuffle_error if curve.family == SHUFFLE_SAMPLE.family else expected.hadamard_error
        bracket = of_family(counts, **at)
    assert bracket.lower - 7 * error < mean < bracket.upper + 7 * error
