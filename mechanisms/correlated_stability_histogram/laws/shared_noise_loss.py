"""Laws of the privacy loss where counters share noise: C_i + Z + Z_i, and a threshold holds some of them back.

Everything in units of sigma, the deviation of a counter's own noise: Z ~ N(0, k^(-1/2)) is shared, Z_i ~ N(0, 1). Given
the residuals r of m counters that are released for certain, Z is normal with precision sqrt(k) + m and mean
M = sum(r) / (sqrt(k) + m), so a law of the output is a product of normal densities and one integral over Z. Derived
from the algorithm alone; the closed forms of `proofs_numeric.lebeda2025` are not used.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from mechanisms.laws.privacy_loss import Draws, Loss, SumLoss
from proofs_numeric.statements.neighbours import Direction

Floats = NDArray[np.float64]

NOTHING_ELSE = SumLoss(())
REACH, STEP = 40.0, 0.02
"""Grid of the standardised posterior mean: beyond it a double's normal density is 0."""
NODES = np.arange(-30.0, 10.0, 0.5)
"""Standardised points of the integral over Z given the residuals, wide enough for counters far above the threshold."""


def log_hidden(mean: Floats, spread: float, keys: int, gap: float) -> Floats:
    """Return log E[Phi(gap - Z)^keys] for Z ~ N(mean, spread^2): that no new counter passes the threshold."""
    if keys == 1:
        return np.asarray(log_ndtr((gap - mean) / math.hypot(1.0, spread)))
    weights = -0.5 * NODES**2 - 0.5 * math.log(2.0 * math.pi) + math.log(NODES[1] - NODES[0])
    terms = keys * log_ndtr((gap - mean)[:, None] - spread * NODES) + weights
    return log_sum_exp(terms)


def log_sum_exp(terms: Floats) -> Floats:
    """Return the logarithm of the sum of each row's exponentials."""
    top = terms.max(axis=1)
    return np.asarray(top + np.log(np.exp(terms - top[:, None]).sum(axis=1)))


@dataclass(frozen=True)
class NewCountersLoss:
    """Loss of l new counters and j changed ones among m = k - l that are far above the threshold.

    With x standard normal (the posterior mean of Z, standardised) the loss is f(x) + G, where G given x is normal and
    f(x) = +- log P[no new counter passes | x]; forward, the output without a new counter has that probability, and with
    one the loss is infinite. Backward the loss has no exponential moments beyond some order; but given x it is normal.

    Attributes:
        k: sparsity bound.
        new: l >= 1.
        changed: j, 0 <= j <= k - l.
        gap: tau* - tau in units of sigma.
        unit: a change of 1 in units of sigma.
        direction: whether the side with the larger counts is P.
        rest: loss of what else is released, independently.
    """

    k: int
    new: int
    changed: int
    gap: float
    unit: float
    direction: Direction
    rest: Loss = NOTHING_ELSE

    @cached_property
    def grid(self) -> Floats:
        """Values of x that matter, increasing and evenly apart."""
        return np.arange(-REACH, REACH + STEP / 2, STEP)

    @property
    def _sign(self) -> float:
        return 1.0 if self.direction is Direction.FORWARD else -1.0

    @property
    def _precision(self) -> float:
        return math.sqrt(self.k) + self.k - self.new

    @property
    def _deviation(self) -> float:
        """Of the posterior mean of Z."""
        return math.sqrt(1.0 / math.sqrt(self.k) - 1.0 / self._precision)

    @property
    def _square(self) -> float:
        return self.unit**2 * (self.changed - self.changed**2 / self._precision)

    @property
    def _slope(self) -> float:
        """Of the mean of G in x."""
        return self._sign * self.unit * self.changed / self._precision / self._deviation

    @property
    def variance(self) -> float:
        """Of the loss given x, without the rest."""
        return max(0.0, self._square - self._slope**2)

    def _log_hidden(self, x: Floats) -> Floats:
        """Log-probability, under the larger counts, that no new counter passes; x belongs to P."""
        moved = 0.0 if self._sign > 0 else self.unit * self.changed / self._precision
        return log_hidden(self._deviation * x - moved, self._precision**-0.5, self.new, self.gap)

    def conditional_on(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the log-density of x where the loss is finite, and the mean of the loss there without the rest."""
        hidden = self._log_hidden(x)
        density = -0.5 * x**2 - 0.5 * math.log(2.0 * math.pi) + (hidden if self._sign > 0 else 0.0)
        return np.asarray(density), np.asarray(self._sign * hidden + self._square / 2.0 + self._slope * x)

    @cached_property
    def on_grid(self) -> tuple[Floats, Floats]:
        """Values of `conditional_on` at the grid."""
        return self.conditional_on(self.grid)

    @property
    def log_finite(self) -> float:
        """Log P[L finite]."""
        if self._sign < 0:
            return self.rest.log_finite
        return min(0.0, math.log(math.fsum(np.exp(self.on_grid[0]).tolist()) * STEP)) + self.rest.log_finite


FEW_NODES = np.arange(-12.0, 8.01, 0.5)


@dataclass(frozen=True)
class CensoredLoss:
    """Loss of counters with shared noise of which a threshold may hold any back: released values, and who is missing.

    The output is a function of the noisy counts, two normal vectors apart by `left - right`. Drawn from the noisy
    counts tilted by exp(theta G), G their own loss, an output o has the weight P(o) / P_theta(o). By Jensen's
    inequality E[exp(theta G) | o] >= exp(theta L(o)), so the weight is at most exp(kappa(theta) - theta L(o)), kappa
    the cumulant of G: the discount below that bound is never positive, and intervals for delta stay as rigorous as for
    losses tilted by themselves. There is no closed form.

    Attributes:
        k: sparsity bound.
        left: counts less tau*, in units of sigma.
        right: the same for the neighbour; the same keys.
        direction: whether left is P.
    """

    k: int
    left: tuple[float, ...]
    right: tuple[float, ...]
    direction: Direction
    log_finite: float = 0.0

    @cached_property
    def largest(self) -> float:
        """That of the empty output where P's counts are all lower by the same, else infinite.

        P to Q is then the posterior mean of a falling function of Z, and what shows a counter only raises Z.
        """
        p, q = self._counts
        if not (p[0] < q[0] and np.allclose(p - q, p[0] - q[0], rtol=1e-12)):
            return math.inf
        nothing = np.zeros((1, len(p)))
        under_p, under_q = (float(self._log_law(nothing, nothing > 0.0, counts)[0]) for counts in (p, q))
        return under_p - under_q

    @cached_property
    def _counts(self) -> tuple[Floats, Floats]:
        left, right = np.array(self.left), np.array(self.right)
        return (left, right) if self.direction is Direction.FORWARD else (right, left)

    @cached_property
    def _square(self) -> float:
        change = self._counts[0] - self._counts[1]
        return float(change @ change - change.sum() ** 2 / (math.sqrt(self.k) + len(change)))

    def cumulant(self, theta: float) -> float:
        """Return theta (1 + theta) mu^2 / 2, of the noisy counts: an upper bound on the loss's own."""
        return theta * (1.0 + theta) * self._square / 2.0

    def tilted_mean(self, theta: float) -> float:
        """Return (1/2 + theta) mu^2, of the noisy counts."""
        return (0.5 + theta) * self._square

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> Draws:
        """Return losses of outputs drawn from tilted noisy counts, and their discounts."""
        p, q = self._counts
        losses, weights = self._weighted(p + theta * (p - q), n, rng)
        return losses, np.minimum(weights - (self.cumulant(theta) - theta * losses), 0.0)

    def _weighted(self, means: Floats, n: int, rng: np.random.Generator) -> Draws:
        """Return losses of n outputs of the counts `means`, and the logarithms of their likelihood ratios under P."""
        noise = rng.standard_normal((n, 1)) * self.k**-0.25 + rng.standard_normal((n, len(means)))
        noisy = means + noise
        passed = noisy > 0.0
        under_p, under_q, as_drawn = (self._log_law(noisy, passed, counts) for counts in (*self._counts, means))
        return under_p - under_q, under_p - as_drawn

    def _log_law(self, noisy: Floats, passed: NDArray[np.bool_], counts: Floats) -> Floats:
        """Log-density of outputs with these counts, up to a term that depends on the output alone."""
        residual = np.where(passed, noisy - counts, 0.0)
        precision = math.sqrt(self.k) + passed.sum(axis=1)
        mean = residual.sum(axis=1) / precision
        log_density = -0.5 * ((residual**2).sum(axis=1) - mean**2 * precision)
        some, none = ~passed.all(axis=1) & passed.any(axis=1), ~passed.any(axis=1)
        log_density[some] += _log_held(~passed[some], counts, mean[some], precision[some])
        if none.any():
            log_density[none] += _log_held(~passed[none][:1], counts, mean[none][:1], precision[none][:1])
        return np.asarray(log_density)


def _log_held(suppressed: NDArray[np.bool_], counts: Floats, mean: Floats, precision: Floats) -> Floats:
    """Log-probability that those of each row are held back, Z being normal with this mean and precision."""
    weights = -0.5 * FEW_NODES**2 - 0.5 * math.log(2.0 * math.pi) + math.log(FEW_NODES[1] - FEW_NODES[0])
    z = mean[:, None] + precision[:, None] ** -0.5 * FEW_NODES
    logs = weights + np.zeros_like(z)
    for count in set(counts[counts < FAR].tolist()):
        alike = suppressed[:, counts == count].sum(axis=1)
        some = alike > 0
        logs[some] += alike[some, None] * log_ndtr(-count - z[some])
    return log_sum_exp(logs)


FAR = 38.0
"""Deviations above the threshold beyond which a double's normal tail is 0."""
