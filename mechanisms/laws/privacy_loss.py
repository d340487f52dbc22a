"""Laws of the privacy loss: what a pair of neighbours can declare about itself besides its profile.

With P and Q the laws of the outputs of two neighbours, the loss is L = log dP/dQ under P, infinite where Q has no mass.
A law here knows its cumulant log E[exp(theta L); L finite] in closed form and samples the law tilted by exp(theta L),
which is how deltas far below the reach of plain sampling are estimated. Losses of independent parts add, so the loss
of a composition of releases is a `SumLoss`. A law that cannot be tilted exactly is sampled from one that dominates it:
each draw comes with a discount, the logarithm of its weight over that of an exact tilt.
"""

import math
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, logsumexp

from proofs_numeric.statements.neighbours import Direction

Floats = NDArray[np.float64]
Draws = tuple[Floats, Floats]
"""Losses, and the discounts of their weights: log dP/dP_theta - (cumulant - theta loss) <= 0, 0 for an exact tilt."""


class Loss(Protocol):
    """The privacy loss of one mechanism on one pair and direction, as far as tilting needs it."""

    @property
    def log_finite(self) -> float:
        """Log P[L finite]."""

    @property
    def largest(self) -> float:
        """No finite loss is larger; infinite where they are unbounded."""

    def cumulant(self, theta: float) -> float:
        """Return log E[exp(theta L); L finite], theta >= 0, or an upper bound that the discounts make up for."""

    def tilted_mean(self, theta: float) -> float:
        """Return the mean of L under the tilted law: the derivative of the cumulant."""

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> Draws:
        """Return n independent losses from the law with density proportional to exp(theta L) on finite L."""


@runtime_checkable
class ShiftedLoss(Protocol):
    """A loss that is drawn, where finite, from a law of its own for each epsilon, with a bound on its weights."""

    @property
    def log_finite(self) -> float:
        """Log P[L finite]."""

    def log_bound(self, epsilon: float) -> float:
        """Return the logarithm of an upper bound on dP/dT (1 - e^(epsilon - L))_+, T the law drawn from."""

    def draws(self, epsilon: float, n: int, rng: np.random.Generator) -> Draws:
        """Return n independent losses drawn from T, and log dP/dT of each."""


@runtime_checkable
class SharedLoss(Protocol):
    """A loss that is normal given a variable x, plus an independent rest: noise that all parts of a release share."""

    @property
    def log_finite(self) -> float:
        """Log P[L finite]."""

    @property
    def grid(self) -> Floats:
        """Values of x outside which nothing matters, increasing and evenly apart."""

    @property
    def on_grid(self) -> tuple[Floats, Floats]:
        """Values of `conditional_on` at the grid."""

    @property
    def variance(self) -> float:
        """Variance of the loss given x, without the rest; 0 where x determines it."""

    @property
    def rest(self) -> Loss:
        """Loss of what else is released, independently."""

    def conditional_on(self, x: Floats) -> tuple[Floats, Floats]:
        """Return the log-density of x where the loss is finite, and the mean of the loss there without the rest."""


@dataclass(frozen=True)
class GaussianLoss:
    """Loss of N(mu, 1) against N(0, 1), mu = shift / sigma: L ~ N(mu^2 / 2, mu^2) under P, in both directions."""

    mu: float
    log_finite: float = 0.0
    largest: float = math.inf

    def cumulant(self, theta: float) -> float:
        """Return theta (1 + theta) mu^2 / 2."""
        return theta * (1.0 + theta) * self.mu**2 / 2.0

    def tilted_mean(self, theta: float) -> float:
        """Return (1/2 + theta) mu^2."""
        return (0.5 + theta) * self.mu**2

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> Draws:
        """Return losses from N((1/2 + theta) mu^2, mu^2)."""
        return rng.normal(self.tilted_mean(theta), self.mu, n), np.zeros(n)


@dataclass(frozen=True)
class DiscreteLoss:
    """Loss with finitely many finite values; what their probabilities miss from 1 lies at infinity.

    Attributes:
        values: (m,), finite losses.
        probabilities: (m,), under P, sum at most 1.
    """

    values: tuple[float, ...]
    probabilities: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.values) != len(self.probabilities) or not self.values or sum(self.probabilities) > 1.0 + 1e-12:
            raise ValueError(
                f"expected as many values as probabilities, of sum <= 1, got {len(self.values)} values and "
                f"{len(self.probabilities)} probabilities of sum {sum(self.probabilities)!r}"
            )

    @property
    def log_finite(self) -> float:
        """Log P[L finite]."""
        return min(0.0, math.log(math.fsum(self.probabilities)))

    @property
    def largest(self) -> float:
        """The largest value."""
        return max(self.values)

    def cumulant(self, theta: float) -> float:
        """Return log sum p_i exp(theta l_i)."""
        with np.errstate(divide="ignore"):  # as weights the least doubles overflow
            return float(logsumexp(theta * np.array(self.values) + np.log(self.probabilities)))

    def _tilted(self, theta: float) -> Floats:
        logs = theta * np.array(self.values) + np.log(np.maximum(np.array(self.probabilities), 1e-320))
        weights = np.exp(logs - logs.max())  # SciPy's `logsumexp` takes ten times as long on few values
        return np.asarray(weights / weights.sum())

    def tilted_mean(self, theta: float) -> float:
        """Return the mean under the tilted probabilities."""
        return float(self._tilted(theta) @ np.array(self.values))

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> Draws:
        """Return losses drawn with the tilted probabilities."""
        weights = self._tilted(theta)
        place = np.searchsorted(np.cumsum(weights)[:-1], rng.random(n), side="right")
        return np.array(self.values)[place], np.zeros(n)


@dataclass(frozen=True)
class LaplaceLoss:
    """Loss of Laplace noise on counts that differ by `shift`: constant beyond the two centres, else linear."""

    scale: float
    shift: float = 1.0
    log_finite: float = 0.0

    @property
    def largest(self) -> float:
        """The loss beyond the nearer centre."""
        return self.shift / self.scale

    def _pieces(self, theta: float) -> tuple[float, float, float]:
        """Return the logarithms of the masses of exp(theta L): at the top, in between, at the bottom."""
        top = self.shift / self.scale
        rate = (2.0 * theta + 1.0) * top / 2.0
        between = -top / 2.0 + math.log(top / 2.0) + log_sinhc(rate)
        return theta * top - math.log(2.0), between, -(theta + 1.0) * top - math.log(2.0)

    def cumulant(self, theta: float) -> float:
        """Return log E[exp(theta L)]."""
        return float(logsumexp(self._pieces(theta)))

    def tilted_mean(self, theta: float) -> float:
        """Return the derivative of the cumulant in closed form."""
        top = self.shift / self.scale
        rate = (2.0 * theta + 1.0) * top / 2.0
        weights = np.exp(np.array(self._pieces(theta)) - self.cumulant(theta))
        inside = top * (1.0 / math.tanh(rate) - 1.0 / rate)
        return float(weights @ np.array([top, inside, -top]))

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> Draws:
        """Return losses: an atom at either end and a truncated exponential in between."""
        top = self.shift / self.scale
        weights = np.exp(np.array(self._pieces(theta)) - self.cumulant(theta))
        slope = (2.0 * theta + 1.0) / 2.0
        u = rng.random(n)
        inside = top + np.log(u + (1.0 - u) * math.exp(-2.0 * slope * top)) / slope
        where = np.searchsorted(np.cumsum(weights)[:-1], rng.random(n), side="right")
        return np.asarray(np.choose(where, [top, inside, -top])), np.zeros(n)


def log_peak(theta: float, room: float = math.inf) -> float:
    """Return the logarithm of the largest e^(-theta u)(1 - e^(-u)) over 0 < u <= room, -inf where there is no room."""
    if room <= 0.0:
        return -math.inf
    at = min(room, math.log1p(1.0 / theta)) if theta > 0.0 else room
    return -theta * at + math.log(-math.expm1(-at)) if at < math.inf else 0.0


def log_sinhc(x: float) -> float:
    """Return log(sinh(x) / x) for x > 0 without overflow."""
    return x + math.log(-math.expm1(-2.0 * x) / (2.0 * x))


@dataclass(frozen=True)
class SumLoss:
    """Loss of independent parts released together: their losses add, and one infinite part makes the sum infinite."""

    parts: tuple[Loss, ...]

    @property
    def log_finite(self) -> float:
        """Log P[L finite]."""
        return math.fsum(part.log_finite for part in self.parts)

    @property
    def largest(self) -> float:
        """The sum of the largest."""
        return math.fsum(part.largest for part in self.parts)

    def cumulant(self, theta: float) -> float:
        """Return the sum of the cumulants."""
        return math.fsum(part.cumulant(theta) for part in self.parts)

    def tilted_mean(self, theta: float) -> float:
        """Return the sum of the means."""
        return math.fsum(part.tilted_mean(theta) for part in self.parts)

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> Draws:
        """Return sums of independent tilted losses."""
        total, discounts = np.zeros(n), np.zeros(n)
        for part in self.parts:
            losses, discount = part.sample(theta, n, rng)
            total, discounts = total + losses, discounts + discount
        return total, discounts


@dataclass(frozen=True)
class AtomLoss:
    """One finite value; whatever probability is left lies at infinity.

    Attributes:
        value: the finite loss.
        log_finite: logarithm of its probability, <= 0.
    """

    value: float
    log_finite: float = 0.0

    @property
    def largest(self) -> float:
        """The value."""
        return self.value

    def cumulant(self, theta: float) -> float:
        """Return log P[L finite] + theta value."""
        return self.log_finite + theta * self.value

    def tilted_mean(self, theta: float) -> float:
        """Return the value, whatever the tilt."""
        del theta
        return self.value

    def sample(self, theta: float, n: int, rng: np.random.Generator) -> Draws:
        """Return the value n times."""
        del theta, rng
        return np.full(n, self.value), np.zeros(n)


def unreleased_keys_loss(keys: int, threshold_z: float, direction: Direction) -> AtomLoss:
    """Return the loss of `keys` new keys of one user, with independent normal noise, that only one side has.

    All of them stay below the threshold with probability beta = Phi(z)^keys. With the user's side as P (forward) the
    loss is then log beta, and infinite when a key appears that the neighbour cannot release; from the other side no
    key ever appears, and the loss is -log beta.

    Args:
        keys: number of new keys, >= 0.
        threshold_z: (threshold - count) / sigma of one key.
        direction: whether the side with the keys is P.
    """
    log_hidden = keys * float(log_ndtr(threshold_z))
    return AtomLoss(log_hidden, log_hidden) if direction is Direction.FORWARD else AtomLoss(-log_hidden)
