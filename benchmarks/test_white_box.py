"""Tilted sampling of the privacy loss: width, coverage and time of intervals for a delta of 1e-10."""

import math
import time
from statistics import median

import numpy as np
from scipy.stats import binom

from auditor.statistics.tilting import tilted_interval
from mechanisms.laws.privacy_loss import GaussianLoss
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.special import gaussian_profile

SEEDS = range(2000, 2041)
"""Used nowhere else: nothing was tuned on them."""
MU = "0.25119"


def test_ten_to_the_minus_ten_within_three_per_cent(benchmark) -> None:
    """A 95 per cent interval from 1e5 losses is within 3 per cent of the exact 9.87e-11, in under a second.

    Medians over the seeds; and the exact value is missed no more often than 5 per cent allow.
    """
    enclosed = enclose(lambda A: gaussian_profile(A, A.number("1.5"), A.number(MU)), {}, 12)
    exact = float(enclosed.lower)
    assert math.isclose(exact, 9.87e-11, rel_tol=2e-3)
    loss, times, widths, missed = GaussianLoss(float(MU)), [], [], 0

    def intervals() -> None:
        nonlocal missed
        for seed in SEEDS:
            start = time.process_time()
            interval = tilted_interval(loss, 1.5, 100_000, 0.05, np.random.default_rng(seed))
            times.append(time.process_time() - start)
            widths.append(max(abs(interval.lower / exact - 1), abs(interval.upper / exact - 1)))
            missed += not interval.lower <= exact <= interval.upper

    benchmark.pedantic(intervals, rounds=1)
    benchmark.extra_info.update(seconds=median(times), farthest=median(widths), missed=f"{missed} of {len(SEEDS)}")
    assert median(times) < 1.0
    assert median(widths) <= 0.03
    assert binom.sf(missed - 1, len(SEEDS), 0.05) > 1e-9
