"""Shuffle-model histogram with Bernoulli noise: each of m clients adds Ber(f) to every cell; the sums are released.

The law of a cell is its count plus Bin(m, f). When one client's item is replaced two cells move in opposite directions:
(N + 1, N') against (N, N' + 1) with N, N' ~ Bin(m, f), and with x, y shown the likelihood ratio is
x (m - y + 1)/((m - x + 1) y), whatever f. A baseline of bharadwaj2022 Section 5; the mechanism is that of Balcer and
Cheu.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import stats

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class ShuffleBernoulli:
    """The sums of true ones and of coins.

    Attributes:
        clients: number m of clients who answer, >= 1.
        flip: probability f of a coin, 0 < f <= 1/2.
    """

    clients: int
    flip: float

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        if self.clients < 1:
            raise ValueError(f"expected clients >= 1, got clients={self.clients}")
        if not 0 < self.flip <= 0.5:
            raise ValueError(f"expected 0 < flip <= 1/2, got flip={self.flip}")

    def release(self, counts: ArrayLike, rng: np.random.Generator) -> NDArray[np.float64]:
        """Unbiased counts of all cells: noisy sums minus m f."""
        true = np.asarray(counts, dtype=np.int64)
        if true.sum() > self.clients:
            raise ValueError(f"expected counts that sum to at most clients={self.clients}, got {true.sum()}")
        noisy = true + rng.binomial(self.clients, self.flip, size=true.shape)
        return noisy.astype(np.float64) - self.clients * self.flip

    def delta(self, epsilon: float) -> float:
        """Exact replacement delta at epsilon >= 0, float64.

        For each y the bad x are those with x/(m - x + 1) > e^epsilon y/(m - y + 1).
        """
        if not epsilon >= 0:
            raise ValueError(f"expected epsilon >= 0 (nats), got epsilon={epsilon}")
        m, factor, mean = self.clients, math.exp(epsilon), self.clients * self.flip
        # Bernstein: beyond this distance from the mean the law of N is below 1e-310.
        far = 238 + math.sqrt(238**2 + 1428 * mean)
        y = np.arange(max(0, math.floor(mean - far)), min(m + 1, math.ceil(mean + far)) + 1)
        here, there = stats.binom.pmf(y, m, self.flip), stats.binom.pmf(y - 1, m, self.flip)
        # x = N + 1 on the left (P) and N on the right (Q); at y = m + 1 only the right has mass.
        cut = (m + 1) * factor * y / (m - y + 1 + factor * y)
        t = np.where(y == 0, 0, np.floor(cut).astype(int) + 1)
        left, right = stats.binom.sf(t - 2, m, self.flip), stats.binom.sf(t - 1, m, self.flip)
        return float(np.maximum(here * left - factor * there * right, 0).sum())


def least_flip(epsilon: float, delta_target: float, *, clients: int) -> float:
    """Least f with (epsilon, delta_target)-DP under replacement.

    Raises:
        ValueError: even fair coins are not enough.
    """
    fair = ShuffleBernoulli(clients, 0.5).delta(epsilon)
    if fair > delta_target:
        raise ValueError(
            f"expected a delta that fair coins reach ({fair:.4g} at epsilon={epsilon}, clients={clients}), "
            f"got delta={delta_target}; ask more clients"
        )
    low, high = 0.0, 0.5
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (
            (low, middle) if ShuffleBernoulli(clients, middle).delta(epsilon) <= delta_target else (middle, high)
        )
    return high
