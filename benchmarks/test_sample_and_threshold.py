"""Speed of sample-and-threshold: accountant, certified digits, replacement, one large release, the experiments."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from auditor.experiments.experiment import run
from auditor.experiments.sample_and_threshold import EXPERIMENTS
from mechanisms.sample_and_threshold import accountant
from mechanisms.sample_and_threshold.mechanism import SampleAndThreshold
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.bharadwaj2022 import cells


@pytest.mark.parametrize(("epsilon", "limit"), [(1.0, 1e-3), (0.1, 1e-2)])
def test_exact_delta(benchmark, epsilon, limit):
    """At tau = 20 the float64 delta takes below 1 ms at epsilon = 1 and below 10 ms at epsilon = 0.1."""
    benchmark(accountant.delta, epsilon, alpha=1 / 6, tau=20)
    assert benchmark.stats.stats.median < limit


def test_certified_delta(benchmark):
    """Thirty certified digits at epsilon = 1 take below 50 ms."""
    benchmark(enclose, cells.tight, {"epsilon": Fraction(1), "alpha": Fraction(1, 6), "tau": 20}, 30)
    assert benchmark.stats.stats.median < 0.05


def test_replacement_maximum(benchmark):
    """The complete replacement scan at the paper's default takes below a second."""
    benchmark(accountant.delta_replacement, 1.0, alpha=1 / 6, tau=20)
    assert benchmark.stats.stats.median < 1


def test_one_large_histogram(benchmark):
    """One release of a million clients in 2^14 cells takes below 0.2 s."""
    counts = np.random.default_rng(0).multinomial(10**6, np.full(2**14, 2.0**-14))
    histogram = {f"cell{i}": int(count) for i, count in enumerate(counts)}
    benchmark(SampleAndThreshold(0.1, 11).release, histogram, np.random.default_rng(1))
    assert benchmark.stats.stats.median < 0.2


def test_reduced_experiments(benchmark):
    """Both figures at the default size take below three minutes on one core, calibrations included."""
    results = benchmark.pedantic(lambda: [run(experiment) for experiment in EXPERIMENTS], rounds=1)
    assert sum(len(line.points) for result in results for panel in result.panels for line in panel.lines) > 600
    assert benchmark.stats.stats.max < 180
