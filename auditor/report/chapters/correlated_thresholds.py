"""The chapter's least thresholds against draws from the mechanism: the two pairs that decide them, for any k.

All counters new.  With S the number of released counters, ``P[S >= 1] = k P[Z + Z_1 > tau] E[1/S | Z + Z_1 > tau]``:
an outcome with S released counters is met once from each of them.  So Z + Z_1 is drawn above the threshold, Z given it,
and the other counters given Z: one by one, or only their number, which is binomial.  1/S lies in (0, 1], so an interval
for its mean is one for delta, however small delta is.

All counters shared, some changed.  Released values enter the privacy loss through the means of the changed ones and of
the others (or one by one); their covariance is set up and solved as it stands, and the loss is drawn under a tilt.

No formula of the exact analysis is used.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import special

from auditor.checks import show
from auditor.report.chapters.correlated_simulation import LEVEL
from auditor.report.model import Table
from auditor.statistics.seeds import block_generator
from auditor.statistics.tilting import betting_mean_interval, tilted_interval

Floats = NDArray[np.float64]

LARGEST_DRAWN = 64
"""Up to here every counter is drawn by itself too."""


@dataclass(frozen=True)
class Threshold:
    """A row of the chapter's table: noise and gap (counts) at which k counters meet delta at epsilon."""

    epsilon: float
    delta: float
    k: int
    sigma: float
    gap: float


def all_new(row: Threshold, n: int, rng: np.random.Generator, *, one_by_one: bool) -> tuple[float, float]:
    """Interval for the delta of the pair whose k counters are all new, wrong with probability ``LEVEL``."""
    b, t = row.k**-0.25, row.gap / row.sigma
    spread = math.sqrt(1 + b * b)
    first = -spread * special.ndtri(rng.random(n) * special.ndtr(-t / spread))
    shared = b * first / spread**2 + rng.standard_normal(n) / spread
    if one_by_one:
        others = b * shared[:, None] + rng.standard_normal((n, row.k - 1))
        released = 1 + np.sum(others > t, axis=1)
    else:
        released = 1 + rng.binomial(row.k - 1, special.ndtr(b * shared - t))
    lower, upper = betting_mean_interval(1 / released, LEVEL)
    single = row.k * float(special.ndtr(-t / spread))
    return single * lower, single * upper


@dataclass(frozen=True)
class BlockLoss:
    """Privacy loss of shared counters, far above the threshold, in blocks that change by one as a whole or not at all.

    Attributes:
        k: sparsity bound.
        sigma: deviation of one counter's own noise (counts).
        sizes: (m,), counters of each block; their mean is drawn.
        changed: (m,), 1 where the block changes, else 0.
    """

    k: int
    sigma: float
    sizes: Floats
    changed: Floats
    log_finite: float = 0.0
    largest: float = math.inf

    @cached_property
    def _shared(self) -> float:
        return self.sigma / math.sqrt(math.sqrt(self.k))

    @cached_property
    def _weights(self) -> Floats:
        """Inverse covariance of the block means, times the change."""
        covariance = np.diag(self.sigma**2 / self.sizes) + self._shared**2
        return np.asarray(np.linalg.solve(covariance, self.changed))

    @cached_property
    def square(self) -> float:
        """Squared distance of the two laws."""
        return float(self._weights @ self.changed)

    def cumulant(self, theta: float) -> float:
        """Return theta (1 + theta)/2 times the squared distance."""
        return theta * (1 + theta) * self.square / 2

    def tilted_mean(self, theta: float) -> float:
        """Return (1/2 + theta) times the squared distance."""
        return (0.5 + theta) * self.square

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Losses of releases whose change is 1 + theta, which is the law tilted by exp(theta loss)."""
        noise = rng.standard_normal((n, self.sizes.size)) * (self.sigma / np.sqrt(self.sizes))
        noise += rng.standard_normal((n, 1)) * self._shared
        released = (1 + theta) * self.changed + noise
        return released @ self._weights - self.square / 2, np.zeros(n)


def shared_loss(row: Threshold, *, one_by_one: bool) -> BlockLoss:
    """Loss where the worst number of changed counters is tried: a whole one next to ``(k + sqrt(k))/2``."""
    middle = math.floor((row.k + math.sqrt(row.k)) / 2)
    tried = []
    for j in range(middle, min(row.k, middle + 1) + 1):
        sizes = np.ones(row.k) if one_by_one else np.array([size for size in (j, row.k - j) if size], dtype=float)
        changed = np.arange(sizes.size) < (j if one_by_one else 1)
        tried.append(BlockLoss(row.k, row.sigma, sizes, changed.astype(float)))
    return max(tried, key=lambda loss: loss.square)


def all_shared(row: Threshold, n: int, rng: np.random.Generator, *, one_by_one: bool) -> tuple[float, float]:
    """Interval for the delta of the pair whose k counters are all shared, wrong with probability ``LEVEL``."""
    found = tilted_interval(shared_loss(row, one_by_one=one_by_one), row.epsilon, n, LEVEL, rng)
    return found.lower, found.upper


PAIRS = {"all new": all_new, "all shared": all_shared}
DRAWN = {False: "in bulk", True: "one by one"}


def against_draws(rows: tuple[Threshold, ...], n: int, seed: int = 0) -> Table:
    """Both pairs at every row, by n draws each."""
    shown = []
    for row in rows:
        for name, interval in PAIRS.items():
            for one_by_one, drawn in DRAWN.items():
                if one_by_one and row.k > LARGEST_DRAWN:
                    continue
                rng = block_generator(seed, "correlated_thresholds", str(row.k), name, drawn)
                lower, upper = interval(row, n, rng, one_by_one=one_by_one)
                ends = show.real(Fraction(lower), 4, -1), show.real(Fraction(upper), 4, 1)
                inside = "yes" if lower <= row.delta <= upper else "no"
                shown.append([str(row.k), name, drawn, *ends, f"{row.delta:g}", inside])
    return Table(
        caption=f"The exact least gaps against {n} draws a row: delta of the pair of all-new counters and of the worst "
        f"pair of shared ones at the least sigma; each interval fails with probability {LEVEL:g}",
        columns=["k", "counters", "drawn", "at least", "at most", "delta", "inside"],
        rows=shown,
    )
