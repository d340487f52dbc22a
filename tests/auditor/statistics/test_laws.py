"""Samplers against their laws: exact levels, and deviations that are seen."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import binom, norm

from auditor.statistics import laws


def test_cells_test_has_its_level_exactly() -> None:
    """Over all outcomes of 40 fair coin tosses the test rejects with probability at most alpha, and above alpha / 5."""
    outcomes = np.arange(41)
    rejected = [laws.cells_test(np.array([k, 40 - k]), np.array([0.5, 0.5]), 0.05).rejected for k in outcomes]
    assert 0.01 < binom.pmf(outcomes, 40, 0.5) @ np.array(rejected) <= 0.05


def test_cells_test_names_the_cell_that_deviates() -> None:
    """A cell with twice its probability is found and named with both shares."""
    counts = np.array([500, 200, 300])
    result = laws.cells_test(counts, np.array([0.5, 0.1, 0.4]), 1e-9)
    assert result.rejected
    assert result.where == 1
    assert (result.observed, result.expected) == (0.2, 0.1)


def test_an_impossible_cell_that_is_hit_rejects() -> None:
    """A sample where the law has none refutes the sampler at any level."""
    assert laws.cells_test(np.array([999, 1]), np.array([1.0, 0.0]), 1e-12).rejected


def test_detectable_deviation_of_a_cell_has_the_stated_power() -> None:
    """At the deviation stated, the worst cell alone rejects with probability .95."""
    result = laws.cells_test(np.array([510, 490]), np.array([0.5, 0.5]), 0.01)
    needed = binom.isf(0.01 / 4, 1000, 0.5) + 1
    assert math.isclose(binom.sf(needed - 1, 1000, 0.5 + result.detectable), 0.95, rel_tol=1e-6)


def test_a_correct_sampler_passes_and_a_rescaled_one_does_not() -> None:
    """Standard normals follow their distribution function; the same scaled by 1.1 do not."""
    samples = np.random.default_rng(5).normal(size=40_000)
    assert not laws.distribution_test(samples, norm.cdf, 1e-9).rejected
    assert laws.distribution_test(1.1 * samples, norm.cdf, 1e-9).rejected


def test_discrete_laws_are_judged_at_their_jumps() -> None:
    """A lattice law with the right distribution function passes, its neighbour shifted by one does not."""
    samples = np.random.default_rng(6).poisson(4.0, 20_000).astype(float)
    from scipy.stats import poisson

    assert not laws.distribution_test(samples, lambda x: poisson.cdf(x, 4.0), 1e-9).rejected
    assert laws.distribution_test(samples + 1, lambda x: poisson.cdf(x, 4.0), 1e-9).rejected


@pytest.mark.parametrize("alpha", [0.9, 0.4, 0.05, 1e-6])
def test_dkw_margin_depends_on_alpha(alpha: float) -> None:
    """The margin is sqrt(log(max(2, 1/alpha)) / 2n): smaller alpha, wider margin."""
    assert laws.dkw_margin(100, alpha) == math.sqrt(math.log(max(2.0, 1 / alpha)) / 200)
    assert laws.dkw_margin(100, alpha / 10) > laws.dkw_margin(100, alpha)


def test_probabilities_that_do_not_sum_to_one_are_refused() -> None:
    """Cells that are not everything cannot be tested."""
    with pytest.raises(ValueError, match="sum 1"):
        laws.cells_test(np.array([1, 2]), np.array([0.5, 0.4]), 0.05)
    with pytest.raises(ValueError, match="at least one sample"):
        laws.distribution_test(np.array([]), norm.cdf, 0.05)
