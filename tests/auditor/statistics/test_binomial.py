"""Binomial and beta laws by the incomplete beta function: what SciPy's distributions say."""

import subprocess
import sys

import numpy as np
import pytest
from scipy.stats import beta, binom

from auditor.statistics.binomial import (
    beta_quantile,
    beta_upper_quantile,
    fewest_above,
    fewest_below,
    lower_tail,
    masses,
    upper_tail,
)

LAWS = [(1, 0.3), (60, 0.1), (400, 0.999), (100_000, 1e-5), (1_000_000, 0.4)]


@pytest.mark.parametrize(("n", "p"), LAWS)
def test_tails_are_those_of_scipy(n, p):
    """Outside of 0..n too; small ones to a relative error."""
    k = np.unique(np.clip(n * p + np.arange(-8, 9) * max(1, np.sqrt(n * p * (1 - p))), -2, n + 2).astype(np.int64))
    np.testing.assert_allclose(upper_tail(k, n, p), binom.sf(k - 1, n, p), rtol=1e-9, atol=1e-300)
    np.testing.assert_allclose(lower_tail(k, n, p), binom.cdf(k - 1, n, p), rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize(("n", "p"), LAWS)
@pytest.mark.parametrize("tail", [0.4, 0.05, 1e-6, 5e-14])
def test_quantiles_are_the_least_counts_that_do(n, p, tail):
    """By their definition, with the tails of SciPy."""
    k = fewest_below(n, p, tail)
    assert binom.sf(k - 1, n, p) <= tail * (1 + 1e-9)
    assert k == 0 or binom.sf(k - 2, n, p) > tail * (1 - 1e-9)
    k = fewest_above(n, p, tail)
    assert binom.cdf(k, n, p) >= tail * (1 - 1e-9)
    assert k == 0 or binom.cdf(k - 1, n, p) < tail * (1 + 1e-9)


def test_a_count_that_is_never_rejected():
    """None of the counts has so small a tail; impossible events have none at all."""
    assert fewest_below(3, 0.5, 0.01) == 4
    assert fewest_below(3, 0.0, 0.01) == 1


@pytest.mark.parametrize(("n", "p"), LAWS)
def test_masses_are_those_of_scipy(n, p):
    """In the window that carries all but 1e-12."""
    counts = np.arange(fewest_above(n, p, 5e-13), fewest_below(n, p, 5e-13), dtype=float)
    np.testing.assert_allclose(masses(counts, n, p), binom.pmf(counts, n, p), rtol=1e-8)
    several = masses(np.arange(61.0), 60, np.array([[0.0], [0.2], [0.5]]))
    np.testing.assert_allclose(several, binom.pmf(np.arange(61), 60, np.array([[0.0], [0.2], [0.5]])), rtol=1e-9)


@pytest.mark.parametrize(("a", "b"), [(1, 10), (3, 1), (40, 961), (13, 999_988)])
@pytest.mark.parametrize("tail", [0.05, 1e-6, 0.95])
def test_quantiles_of_the_beta_law_are_those_of_scipy(a, b, tail):
    """From either end."""
    assert beta_quantile(tail, a, b) == pytest.approx(beta.ppf(tail, a, b), rel=1e-9)
    assert beta_upper_quantile(tail, a, b) == pytest.approx(beta.isf(tail, a, b), rel=1e-9)


@pytest.mark.slow
def test_an_audit_does_not_import_the_distributions_of_scipy():
    """They take as long to import as a gross fault to refute."""
    imported = "import auditor.mechanism_audit.audit, sys; print('scipy.stats' in sys.modules)"
    told = subprocess.run(  # noqa: S603 - ours
        [sys.executable, "-c", imported], check=True, capture_output=True, text=True
    )
    assert told.stdout == "False\n"
