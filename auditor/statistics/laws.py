"""A sampler against its law: tests that hold at every sample size, on what was fixed in advance.

No chi-square and no fitted parameter: cells are tested one by one by exact binomial tails, a distribution function by
the Dvoretzky-Kiefer-Wolfowitz inequality with Massart's constant. A rejection says that the sampler differs from its
specification, not that it violates privacy.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.binomial import fewest_below, lower_tail, upper_tail

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LawTest:
    """Outcome of a test of a law.

    Attributes:
        p_value: for the whole law, multiplicity counted in.
        rejected: p_value <= alpha.
        where: the cell or the point that deviates the most.
        observed: share of samples there (cell) or below it (distribution function).
        expected: its probability under the law.
        detectable: difference of a probability in that place that would have been rejected with probability >= .95.

    """

    p_value: float
    rejected: bool
    where: int | float
    observed: float
    expected: float
    detectable: float


def cell_p_values(counts: NDArray[np.int64], probabilities: Floats) -> Floats:
    """Return for each cell twice the smaller exact binomial tail, at most 1.

    Args:
        counts: (m,) samples in each cell.
        probabilities: (m,) of the cells under the law.

    """
    n = int(counts.sum())
    below, above = lower_tail(counts + 1, n, probabilities), upper_tail(counts, n, probabilities)
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(below, above)), dtype=np.float64)


def cells_test(counts: NDArray[np.int64], probabilities: Floats, alpha: float, power: float = 0.95) -> LawTest:
    """Test that samples fall into cells, fixed in advance, with these probabilities; Bonferroni over the cells.

    Args:
        counts: (m,) samples in each cell; the cells are disjoint and together everything.
        probabilities: (m,) of the cells under the law, sum 1.
        alpha: level.
        power: what `detectable` is computed for.

    Errors:
        ValueError: probabilities that do not sum to 1, or no sample.

    """
    n = int(counts.sum())
    if counts.shape != probabilities.shape or n < 1 or abs(math.fsum(probabilities.tolist()) - 1.0) > 1e-9:
        raise ValueError(
            f"expected counts of at least one sample and probabilities of sum 1 for the same cells, "
            f"got n={n} and sum {math.fsum(probabilities.tolist())!r}"
        )
    values = cell_p_values(counts, probabilities)
    worst = int(np.argmin(values))
    p_value = min(1.0, float(values[worst]) * len(counts))
    expected = float(probabilities[worst])
    needed = fewest_below(n, expected, alpha / (2 * len(counts)))
    low, high = expected, 1.0
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if upper_tail(needed, n, middle) >= power else (middle, high)
    return LawTest(p_value, p_value <= alpha, worst, float(counts[worst] / n), expected, high - expected)


BISECTIONS = 50


def dkw_margin(n: int, alpha: float) -> float:
    """Return the one-sided Dvoretzky-Kiefer-Wolfowitz margin of an empirical distribution function, (n >= 1 samples).

    sqrt(log(max(2, 1 / alpha)) / (2 n)): Massart's constant holds for exceedance probabilities of at most 1/2 only,
    hence the maximum.
    """
    return math.sqrt(math.log(max(2.0, 1.0 / alpha)) / (2.0 * n))


def distribution_test(samples: Floats, cdf: Callable[[Floats], Floats], alpha: float, power: float = 0.95) -> LawTest:
    """Test that samples follow a distribution function, continuous or not, by the two-sided DKW inequality.

    Args:
        samples: (n,), independent.
        cdf: x -> P[X <= x], vectorised.
        alpha: level.
        power: what `detectable` is computed for: the deviation that the same inequality guarantees to be seen.

    """
    ordered = np.sort(samples)
    n = len(ordered)
    if n < 1:
        raise ValueError("expected at least one sample, got none")
    above = np.searchsorted(ordered, ordered, side="right") / n - cdf(ordered)
    below = cdf(np.nextafter(ordered, -np.inf)) - np.searchsorted(ordered, ordered, side="left") / n
    gap = np.maximum(above, below)
    worst = int(np.argmax(gap))
    p_value = min(1.0, 2.0 * math.exp(-2.0 * n * max(0.0, float(gap[worst])) ** 2))
    point = float(ordered[worst])
    seen = dkw_margin(n, alpha / 2) + dkw_margin(n, 1.0 - power)
    observed = float(np.searchsorted(ordered, point, side="right") / n)
    expected = float(cdf(np.array([point]))[0])
    return LawTest(p_value, p_value <= alpha, point, observed, expected, seen)
