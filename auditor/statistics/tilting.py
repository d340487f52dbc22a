"""White-box estimates of delta down to 1e-12 and below: the privacy loss sampled under exponential tilting.

With L the privacy loss under P, a part of mass p_inf at infinity and cumulant kappa(theta) = log E[exp(theta L); L
finite],

    delta(epsilon) = p_inf + E[(1 - e^(epsilon - L))_+; L finite]
                   = p_inf + exp(kappa(theta) - theta epsilon) E_theta[ e^(-theta U) (1 - e^(-U)) 1{U > 0} ],

where U = L - epsilon and E_theta is the law with density proportional to exp(theta L). The bracket lies in [0, peak],
peak = theta^theta / (1 + theta)^(1 + theta), for every mechanism (less if no loss is that large). So a confidence
interval for the mean of a bounded variable gives a rigorous interval for delta of bounded *relative* width; the factor
is the Chernoff (moments) bound. The hedged betting interval of Waudby-Smith & Ramdas (2024, section 4) encloses the
mean. Losses of independent parts add, so compositions are sums of losses. Draws from a law that dominates the tilted
one carry a discount on their weight, which only lowers the bracket.

The interval checks formulas by an independent route, and covers laws without a formula. It holds with probability
1 - alpha and proves nothing.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.bracketing import bracket_of_zero
from mechanisms.laws.privacy_loss import Loss, SharedLoss, ShiftedLoss, log_peak

Floats = NDArray[np.float64]
AnyLoss = Loss | SharedLoss | ShiftedLoss


@dataclass(frozen=True)
class TiltedInterval:
    """Interval for delta(epsilon).

    Attributes:
        lower: lower end.
        upper: upper end; both hold simultaneously with probability >= 1 - alpha.
        estimate: unbiased estimate.
        theta: tilt used.
        samples: losses drawn.
    """

    lower: float
    upper: float
    estimate: float
    theta: float
    samples: int


LARGEST_TILT = 1e6


def best_tilt(loss: Loss, epsilon: float) -> float:
    """Return a tilt that centres the loss a little above epsilon: kappa'(theta) - 1 / (1 + theta) = epsilon.

    At U = 1 / (1 + theta) the bracket e^(-theta U)(1 - e^(-U)) is approximately largest. Every tilt gives a valid
    interval.
    """
    from scipy.optimize import brentq

    def excess(theta: float) -> float:
        return loss.tilted_mean(theta) - epsilon - 1.0 / (1.0 + theta)

    if excess(0.0) >= 0.0:
        return 0.0
    high = 1.0
    while excess(high) < 0.0:
        high *= 2.0
        if high > LARGEST_TILT:
            return LARGEST_TILT
    return float(brentq(excess, 0.0, high, xtol=1e-9))


def chosen_tilt(loss: Loss, epsilon: float) -> tuple[float, float]:
    """Return a tilt and the logarithm of its factor: the best tilt, or 0 if that gives a smaller factor."""

    def log_factor(theta: float) -> float:
        return loss.cumulant(theta) - theta * epsilon + log_peak(theta, loss.largest - epsilon)

    theta = best_tilt(loss, epsilon)
    return min((theta, log_factor(theta)), (0.0, log_factor(0.0)), key=lambda choice: choice[1])


def chernoff_log_bound(loss: AnyLoss, epsilon: float) -> float:
    """Return the logarithm of an upper bound on the part of delta(epsilon) that comes from finite losses."""
    if isinstance(loss, SharedLoss):
        steps, _ = _steps(loss, epsilon)
        return float(steps.max() + math.log(np.exp(steps - steps.max()).sum() * (loss.grid[1] - loss.grid[0])))
    if isinstance(loss, ShiftedLoss):
        return loss.log_bound(epsilon)
    return chosen_tilt(loss, epsilon)[1]


def tilted_interval(loss: AnyLoss, epsilon: float, n: int, alpha: float, rng: np.random.Generator) -> TiltedInterval:
    """Return an interval for delta(epsilon) that holds with probability >= 1 - alpha, from n tilted losses.

    Args:
        loss: privacy loss of the pair and direction.
        epsilon: argument of delta, any real number.
        n: number of losses.
        alpha: error probability.
        rng: generator.
    """
    if isinstance(loss, SharedLoss):
        log_factor, theta, scaled = _shared_draws(loss, epsilon, n, rng)
    elif isinstance(loss, ShiftedLoss):
        log_factor, theta, scaled = _shifted_draws(loss, epsilon, n, rng)
    else:
        log_factor, theta, scaled = _draws(loss, epsilon, n, rng)
    factor = math.exp(log_factor)
    infinite = -math.expm1(loss.log_finite)
    lower, upper = betting_mean_interval(np.minimum(scaled, 1.0), alpha)
    return TiltedInterval(
        infinite + factor * lower, infinite + factor * upper, infinite + factor * float(scaled.mean()), theta, n
    )


def _bracket(log_weights: Floats, excess: Floats) -> Floats:
    """Return exp(log_weights) (1 - e^(-excess))_+."""
    positive = excess > 0
    above = np.where(positive, excess, 1.0)
    return np.where(positive, np.exp(np.where(positive, log_weights, 0.0)) * -np.expm1(-above), 0.0)


def _draws(loss: Loss, epsilon: float, n: int, rng: np.random.Generator) -> tuple[float, float, Floats]:
    """Return log factor, tilt and n values in [0, 1] whose mean times the factor is the finite part of delta."""
    theta, log_factor = chosen_tilt(loss, epsilon)
    losses, discounts = loss.sample(theta, n, rng)
    excess = losses - epsilon
    scaled = _bracket(discounts - theta * excess - log_peak(theta, loss.largest - epsilon), excess)
    return log_factor, theta, scaled


def _shifted_draws(loss: ShiftedLoss, epsilon: float, n: int, rng: np.random.Generator) -> tuple[float, float, Floats]:
    """Return the results of `_draws` from the sampling law of the loss for this epsilon, which has no tilt."""
    log_bound = loss.log_bound(epsilon)
    losses, log_weights = loss.draws(epsilon, n, rng)
    return log_bound, 0.0, _bracket(log_weights - log_bound, losses - epsilon)


SHARED_TILTS = np.concatenate([[0.0], np.geomspace(0.25, 400.0, 40)])
"""Candidate tilts; each value of the shared variable gets the best one."""
STEP_MARGIN = 1e-3
"""Margin of the logarithm of a step above a density, for its curvature between two points of the grid."""


def _steps(loss: SharedLoss, epsilon: float) -> tuple[Floats, Floats]:
    """Return the logarithm of a step above density times Chernoff bound, and its tilt, for each grid interval."""
    density, mean = loss.on_grid
    rest = np.array([loss.rest.cumulant(float(theta)) for theta in SHARED_TILTS])
    peaks = np.array([log_peak(float(theta)) for theta in SHARED_TILTS])
    fixed = SHARED_TILTS * (0.5 * SHARED_TILTS * loss.variance - epsilon) + rest + peaks
    bounds = density[:, None] + SHARED_TILTS * mean[:, None] + fixed
    ends = np.maximum(bounds[:-1], bounds[1:])
    best = ends.argmin(axis=1)
    return ends[np.arange(len(ends)), best] + STEP_MARGIN, SHARED_TILTS[best]


def _shared_draws(loss: SharedLoss, epsilon: float, n: int, rng: np.random.Generator) -> tuple[float, float, Floats]:
    """Return the results of `_draws` for a loss that is a function of a variable x plus an independent rest.

    The law of x is proportional to steps above its density times the Chernoff bound of delta given x. The rest has the
    best tilt at x. The value is at most 1 wherever the steps are above, even if the loss has no moments.
    """
    steps, tilts = _steps(loss, epsilon)
    width = float(loss.grid[1] - loss.grid[0])
    weights = np.cumsum(np.exp(steps - steps.max()))
    cell = np.minimum(np.searchsorted(weights, rng.random(n) * weights[-1], side="right"), len(steps) - 1)
    x = loss.grid[cell] + width * rng.random(n)
    theta = tilts[cell]
    density, mean = loss.conditional_on(x)
    total = mean + theta * loss.variance + math.sqrt(loss.variance) * rng.standard_normal(n)
    weight = density + theta * mean + 0.5 * theta**2 * loss.variance - steps[cell]
    discounts = np.zeros(n)
    for tilt in np.unique(theta):
        here = theta == tilt
        losses, discount = loss.rest.sample(float(tilt), int(here.sum()), rng)
        total[here] += losses
        discounts[here] = discount + loss.rest.cumulant(float(tilt))
    scaled = _bracket(weight + discounts - theta * total, total - epsilon)
    log_factor = float(steps.max() + math.log(weights[-1] * width))
    return log_factor, float(tilts[int(steps.argmax())]), scaled


LARGEST_BET = 0.75
"""Stake as a share of the largest admissible one (Waudby-Smith & Ramdas use 1/2 or 3/4)."""
RESOLUTION = 2.0**-50
"""Width of the final bracket of an end, as a share of the mean."""
SMALLEST_MEAN = 1e-300


def betting_mean_interval(values: Floats, alpha: float) -> tuple[float, float]:
    """Return a betting confidence interval for the mean of variables in [0, 1] (Waudby-Smith & Ramdas 2024).

    For each candidate mean m one bettor bets that the mean is larger, another that it is smaller, with predictable
    stakes lambda_t = sqrt(2 log(2 / alpha) / (n sigma_{t-1}^2)). The interval excludes m if either capital ever reaches
    2 / alpha. Capitals are monotone in m, so each end is bracketed and rounded outwards.

    Args:
        values: (n,), in [0, 1], n >= 1.
        alpha: error probability of the interval.

    Raises:
        ValueError: `values` is empty or has a value outside [0, 1].
    """
    n = len(values)
    if n < 1 or values.min() < 0.0 or values.max() > 1.0:
        raise ValueError(f"expected at least one value in [0, 1], got {n} values")
    steps = np.arange(1, n + 1)
    means = (0.5 + np.cumsum(values)) / (steps + 1)
    variances = (0.25 + np.cumsum((values - means) ** 2)) / (steps + 1)
    before = np.concatenate([[0.25], variances[:-1]])
    stakes = np.sqrt(2.0 * math.log(2.0 / alpha) / (n * before))
    needed = math.log(2.0 / alpha)

    def excess(m: float, sign: float) -> float:
        loss = m if sign > 0 else 1.0 - m
        stake = stakes if loss <= 0 else np.minimum(stakes, LARGEST_BET / loss)
        return float(np.cumsum(np.log1p(sign * stake * (values - m))).max()) - needed

    return excluded_end(lambda m: excess(m, 1.0), values), 1.0 - excluded_end(
        lambda m: excess(1.0 - m, -1.0), 1.0 - values
    )


def excluded_end(excess: Callable[[float], float], values: Floats) -> float:
    """Return the largest m in [0, mean of values] with an excess >= 0, rounded down; 0 if none."""
    at_low, high = excess(SMALLEST_MEAN), float(values.mean())
    if at_low < 0 or high <= SMALLEST_MEAN:
        return 0.0
    return bracket_of_zero(excess, SMALLEST_MEAN, high, RESOLUTION * high, at_low, -math.inf)[0]
