"""Privacy loss of one counter that is lower by d > 0 at a threshold, beside unchanged ones that share its noise.

Lowering the counts, as a plain tilt does, hides the counter, and a hidden counter loses little.  What loses much is a
shared noise that is seen to be high while the counter is not.  So outputs are drawn with the noise of the others
shifted up, and the counter down to near its threshold.

In units of sigma, counts less tau*: given the noisy counts of the n others the changed one is N(c + M, s^2), with M
their residuals' sum over sqrt(k) + n, ``v_M = 1/sqrt(k) - 1/(sqrt(k) + n)`` its variance and ``s^2 = 1 + 1/(sqrt(k) +
n)``.  The law T from which outputs are drawn has M + m and c + M + e in their place, m >= 0 >= e.  With x the counter
less c + M, ``ln P/T = m^2/(2 v_M) - m M/v_M + r``, where

- shown: ``r = (e^2/2 - e x)/s^2`` and ``L = (d^2/2 - d x)/s^2``; as x > -c - M, a larger M only lowers it, so with
  theta = (m s^2/v_M - e)/d the weight is largest where ``e^(-theta U)(1 - e^(-U))`` is, U = L - epsilon;
- hidden: ``r`` and L are differences of ``ln Phi``, functions of M alone: the largest is looked up on a grid.

What holds some of the others back merges outputs, and a ratio of sums is at most the largest of the ratios: the bound
stays.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from mechanisms.correlated_stability_histogram.laws.shared_noise_loss import CensoredLoss
from mechanisms.laws.privacy_loss import Draws, log_peak

Floats = NDArray[np.float64]

REACH = 30.0
"""Deviations of M beyond which nothing matters."""
FEW, MANY = 300, 30_000
"""Points at which a hidden counter's weight is looked up: to choose the shifts, and for the bound."""
ROOM = 1e-3
"""Added to the logarithm of the bound: the weight may bend between two points of the grid."""
SHIFTS_UP, SHIFTS_DOWN = np.linspace(0.0, 12.0, 49), np.linspace(0.0, 1.0, 17)
"""Choices of m, in deviations of M, and of e, as shares of the largest that keeps weights bounded."""


@dataclass(frozen=True)
class OneLowerLoss(CensoredLoss):
    """Loss of the side whose first counter is lower, the others being equal; at least two counters.

    Drawn alone it has shifts of its own; in a sum of losses it is tilted as any other.
    """

    @property
    def _start(self) -> float:
        """The changed count c."""
        return float(self._counts[0][0])

    @property
    def _lower(self) -> float:
        """The change d > 0."""
        return float(self._counts[1][0] - self._counts[0][0])

    @property
    def _precision(self) -> float:
        return math.sqrt(self.k) + len(self.left) - 1

    @property
    def _variances(self) -> tuple[float, float]:
        """v_M and s^2."""
        return 1.0 / math.sqrt(self.k) - 1.0 / self._precision, 1.0 + 1.0 / self._precision

    def _hidden(self, epsilon: float, up: Floats, down: Floats, points: int) -> Floats:
        """Largest logarithm of the weighted bracket over hidden outputs, for each pair of shifts."""
        v, square = self._variances
        s, x = math.sqrt(square), np.linspace(-REACH, REACH, points) * math.sqrt(v)
        under_p = log_ndtr(-(self._start + x) / s)
        excess = under_p - log_ndtr(-(self._start + self._lower + x) / s) - epsilon
        x, under_p, excess = (values[excess > 0.0] for values in (x, under_p, excess))
        if not len(x):
            return np.full(len(up), -math.inf)
        m, e = up[:, None], down[:, None]
        weights = (m * m / 2.0 - m * x) / v + under_p - log_ndtr(-(self._start + x + e) / s)
        return np.asarray((weights + np.log(-np.expm1(-excess))).max(axis=1))

    def _bound_released(self, epsilon: float, m: float, e: float) -> float:
        """Upper bound on the logarithm of the weighted bracket over outputs that show the counter."""
        v, square = self._variances
        slope = m / v - e / square
        end = self._lower / 2.0 - epsilon * square / self._lower
        fixed = m * m / (2.0 * v) + m * self._start / v + e * e / (2.0 * square)
        return fixed + slope * end + log_peak(slope * square / self._lower)

    def shifts(self, epsilon: float) -> tuple[float, float, float]:
        """Return m, e and the logarithm of the bound: the least among the choices."""
        v, square = self._variances
        grid = np.meshgrid(SHIFTS_UP * math.sqrt(v), SHIFTS_DOWN, indexing="ij")
        up = grid[0].ravel()
        down = -grid[1].ravel() * up * square / v
        released_bounds = [self._bound_released(epsilon, m, e) for m, e in zip(up.tolist(), down.tolist(), strict=True)]
        best = int(np.maximum(self._hidden(epsilon, up, down, FEW), released_bounds).argmin())
        chosen = slice(best, best + 1)
        hidden = float(self._hidden(epsilon, up[chosen], down[chosen], MANY)[0])
        return float(up[best]), float(down[best]), max(hidden, released_bounds[best]) + ROOM

    def log_bound(self, epsilon: float) -> float:
        """Return the logarithm of an upper bound on the weighted bracket."""
        return self.shifts(epsilon)[2]

    def draws(self, epsilon: float, n: int, rng: np.random.Generator) -> Draws:
        """Return losses drawn with the shifts for this epsilon, and the logarithms of their weights."""
        m, e, _bound = self.shifts(epsilon)
        p, _q = self._counts
        tilted = p + m * self._precision / (len(p) - 1)
        tilted[0] = p[0] + m + e
        return self._weighted(tilted, n, rng)
