"""Bounds on the trade-off function, and on delta(epsilon), from releases at every sample size.

For a score chosen on other releases, the tests "score > c" have false-positive rate P_right[score > c] and
false-negative rate P_left[score <= c]. Simultaneous upper bounds on both rates, at every cut, give points that the true
trade-off function does not exceed. They refute a claimed f with f(fpr_upper) > fnr_upper, and imply delta(epsilon) >=
1 - fnr_upper - e^epsilon fpr_upper simultaneously for all epsilon.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.binomial import beta_upper_quantile

if TYPE_CHECKING:
    from auditor.statistics.e_process import Trajectory

Floats = NDArray[np.float64]


BAND_SAMPLES = 4096
"""Fresh releases per dataset, after a refutation, for the bounds on the trade-off function."""
ANCHORS = 200
"""Points of the geometric grid: a denser grid interpolates better and costs more alpha."""
FIRST_BAND = 16
"""Releases per dataset at which the first band of a pair is computed; then at every doubling."""


def next_band(n: int) -> int:
    """Return the next number of releases per dataset, above n, at which a band is computed."""
    return FIRST_BAND << (n // FIRST_BAND).bit_length()


def dkw_margin(n: int, alpha: float) -> float:
    """Return the one-sided Dvoretzky-Kiefer-Wolfowitz margin of an empirical distribution function, n >= 1 samples.

    The margin is sqrt(log(max(2, 1 / alpha)) / (2 n)). Massart's constant requires an exceedance probability of at most
    1/2, hence the maximum.
    """
    return math.sqrt(math.log(max(2.0, 1.0 / alpha)) / (2.0 * n))


def upper_tail_band(n: int, alpha: float, above: NDArray[np.int64] | None = None) -> Floats:
    """Return u such that P(S > c_k) <= u_k for all k at level alpha, where c_k has k of n samples above it.

    Half of alpha goes to the one-sided DKW inequality, which is tight in the bulk. The other half, in equal parts, goes
    to exact order-statistic bounds on a grid of k, geometric from both ends, which are tight in the tail: the mass
    above the (n - k)-th smallest of n samples is at most Beta(k + 1, n - k) in distribution. Between two grid points
    the bound at the larger one holds.

    Args:
        n: samples.
        alpha: error probability of the whole band.
        above: the requested k, in 0..n; all of 0..n if None.

    Returns: increasing in k: (n + 1,) for k = 0..n, or one for each of `above`.
    """
    k = np.arange(n + 1) if above is None else above
    bulk = np.minimum(1.0, k / n + dkw_margin(n, alpha / 2))
    few = np.minimum(n - 1, np.geomspace(1, n, ANCHORS).astype(np.int64))
    anchors = np.unique(np.concatenate([[0], few, n - 1 - few]))
    share = alpha / (2 * len(anchors))
    exact = np.asarray(beta_upper_quantile(share, anchors + 1, n - anchors))
    place = np.searchsorted(anchors, k, side="left")
    tail = np.where(place < len(anchors), exact[np.minimum(place, len(anchors) - 1)], 1.0)
    return np.asarray(np.minimum(bulk, tail))


@dataclass(frozen=True)
class TradeoffBand:
    """Points that the true trade-off function does not exceed, simultaneously with probability >= 1 - alpha.

    Attributes:
        fpr: (m,), upper bounds on the false-positive rates of m cuts.
        fnr: (m,), upper bounds on the false-negative rates of these cuts.
        alpha: error probability.
    """

    fpr: Floats
    fnr: Floats
    alpha: float

    def delta_lower(self, epsilon: float) -> float:
        """Return a lower bound on delta(epsilon) of left against right, simultaneous over all epsilon."""
        return max(0.0, float((1.0 - self.fnr - math.exp(epsilon) * self.fpr).max()))

    def corners(self) -> list[tuple[float, float]]:
        """Return the corners of the convex minorant of the points with (0, 1) and (1, 0), by increasing fpr."""
        lowest = {0.0: 1.0}
        for x, y in zip(self.fpr.tolist(), self.fnr.tolist(), strict=True):
            lowest[x] = min(y, lowest.get(x, 1.0))
        lowest[1.0] = 0.0
        hull: list[tuple[float, float]] = []
        for x, y in sorted(lowest.items()):
            while len(hull) > 1 and (hull[-1][1] - hull[-2][1]) * (x - hull[-2][0]) >= (y - hull[-2][1]) * (
                hull[-1][0] - hull[-2][0]
            ):
                hull.pop()
            hull.append((x, y))
        return hull

    def refutes(self, tradeoff: Callable[[Floats], Floats]) -> bool:
        """Return whether a claimed trade-off function lies above a point of the band."""
        return bool((tradeoff(self.fpr) > self.fnr).any())


def joint(bands: Sequence[TradeoffBand]) -> TradeoffBand:
    """Return the points of all bands; a function below the trade-off function of every pair is below all of them."""
    fpr, fnr = (np.concatenate([np.zeros(0), *parts]) for parts in ([b.fpr for b in bands], [b.fnr for b in bands]))
    return TradeoffBand(fpr, fnr, math.fsum(band.alpha for band in bands))


def band_of_cells(counts: NDArray[np.int64], alpha: float) -> TradeoffBand:
    """Return the band of the tests "in one of the first j cells" from counts of fresh releases.

    Args:
        counts: (K, 2), left and right releases in cells ordered from left-like to right-like, chosen on other releases.
        alpha: error probability; half of it for each rate.
    """
    inside = np.cumsum(counts, axis=0)[:-1]
    n_left, n_right = counts.sum(axis=0).tolist()
    fpr, fnr = (
        upper_tail_band(n_right, alpha / 2, inside[:, 1]),
        upper_tail_band(n_left, alpha / 2, n_left - inside[:, 0]),
    )
    return TradeoffBand(fpr, fnr, alpha)


def band_of_bets(trajectory: Trajectory, alpha: float) -> TradeoffBand | None:
    """Return the band of a pair from the releases that were bet on, valid at every stopping time.

    The cells of a period are chosen on the releases before it. Block sizes depend on the outcomes, so bands are
    computed at numbers of the pair's releases that are fixed beforehand (`next_band`). The i-th band has level
    alpha / (i (i + 1)), so all bands hold simultaneously, and the result is the one with the most releases.

    Args:
        trajectory: blocks of the pair.
        alpha: error probability of all bands together.

    Returns: the band; None before the first one.
    """
    number, best = 0, None
    total = int(trajectory.periods[0].past[:, 0].sum()) if trajectory.periods else 0
    for period in trajectory.periods:
        counts = np.zeros_like(period.past)
        for block in period.blocks:
            counts, total = counts + block, total + int(block[:, 0].sum())
            if total != next_band(total - 1):
                continue
            n, number = int(counts[:, 0].sum()), number + 1
            if best is None or n >= best[0]:
                best = n, number, counts
    return None if best is None else band_of_cells(best[2], alpha / (best[1] * (best[1] + 1)))
