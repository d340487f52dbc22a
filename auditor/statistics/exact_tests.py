"""Tests and bounds that hold at every sample size, fixed or optional. The event is chosen on other releases.

Trials are independent. p-values are upper bounds on the probability under the worst law of the null. No bound is
asymptotic or simulated.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.binomial import beta_quantile, beta_upper_quantile, fewest_below, upper_tail

Floats = NDArray[np.float64]


def check_counts(hits: int, trials: int) -> None:
    """Raise ValueError unless 0 <= hits <= trials and trials >= 1."""
    if trials < 1 or not 0 <= hits <= trials:
        raise ValueError(f"expected 0 <= hits <= trials and trials >= 1, got hits={hits}, trials={trials}")


def clopper_pearson_lower(hits: int, trials: int, alpha: float) -> float:
    """Return the one-sided lower bound of Clopper & Pearson (1934) on a probability, at level alpha."""
    check_counts(hits, trials)
    return 0.0 if hits == 0 else beta_quantile(alpha, hits, trials - hits + 1)


def clopper_pearson_upper(hits: int, trials: int, alpha: float) -> float:
    """Return the one-sided upper bound of Clopper & Pearson (1934) on a probability, at level alpha."""
    check_counts(hits, trials)
    return 1.0 if hits == trials else float(beta_upper_quantile(alpha, hits + 1, trials - hits))


@dataclass(frozen=True)
class OneSampleTest:
    """Test of "an event that is impossible on the other side has probability at most delta".

    Attributes:
        p_value: P[Binomial(trials, delta) >= hits], exact.
        delta_lower: lower bound on the event's probability at level alpha.
        detectable_delta: smallest true probability that these trials refute at alpha with probability .95; 1 if none.
        rejected: p_value <= alpha.
    """

    p_value: float
    delta_lower: float
    detectable_delta: float
    rejected: bool


def impossible_event_test(hits: int, trials: int, delta: float, alpha: float, power: float = 0.95) -> OneSampleTest:
    """Test delta on an event that is impossible on the neighbour, such as the release of a key that it lacks.

    Assumes that the neighbour cannot produce the event (`releases_only_input_keys`). Then P(S) <= e^epsilon 0 + delta
    for every epsilon, and one sample suffices.

    Args:
        hits: releases with the event.
        trials: releases.
        delta: claimed delta, in [0, 1).
        alpha: level.
        power: probability of rejection at `detectable_delta`.
    """
    check_counts(hits, trials)
    needed = fewest_below(trials, delta, alpha)
    p_value = float(upper_tail(hits, trials, delta))
    lower = clopper_pearson_lower(hits, trials, alpha)
    return OneSampleTest(p_value, lower, detectable_probability(trials, needed, power), p_value <= alpha)


RATIOS = 2.0 ** (np.arange(1, 2001) / 2)
"""Alternatives of a bet on one event, as multiples of the claimed delta: half-octaves."""
LOG_WEIGHTS = -np.log(np.arange(1, 2001) * np.arange(2, 2002))
"""Logarithm of the capital of each alternative; the capitals sum to less than 1."""


def impossible_event_wealth(hits: int, trials: int, delta: float) -> float:
    """Return the log-wealth of bets on an event that the neighbour cannot produce, after any number of trials.

    The wealth is a mixture of likelihood ratios of p = r delta against delta, r > 1: the bets 1 + lambda (1_S - delta)
    with lambda = (r - 1) / (1 - delta). Each has mean at most 1 if P(S) <= delta. So the mixture is a nonnegative
    supermartingale that starts at most at 1, and reaches 1 / alpha at any time with probability at most alpha (Ville
    1939). It decreases with delta: the rejected deltas are a lower set at any time. Natural logarithm; infinite if
    delta is 0 and S occurred.

    Args:
        hits: releases with the event.
        trials: releases.
        delta: claimed delta, in [0, 1).
    """
    check_counts(hits, trials)
    if delta == 0.0:
        return math.inf if hits else 0.0
    inside = RATIOS * delta < 1.0
    if not inside.any():
        return 0.0
    logs = hits * np.log(RATIOS[inside]) + (trials - hits) * (np.log1p(-RATIOS[inside] * delta) - math.log1p(-delta))
    return float(np.logaddexp.reduce(LOG_WEIGHTS[inside] + logs))


def impossible_event_bet(hits: int, trials: int, delta: float, alpha: float, power: float = 0.95) -> OneSampleTest:
    """Return the test of `impossible_event_test` at a time that may depend on the releases.

    `detectable_delta` assumes one test after these trials; earlier tests only lower it. Args as there.
    """
    needed = -math.log(alpha)
    rejects = partial(_rejects, trials=trials, needed=needed)
    enough = bisect_left(range(trials + 1), True, key=lambda k: rejects(k, delta))  # noqa: FBT003 - the value sought
    low, high = delta if rejects(hits, delta) else 0.0, 1.0
    while high - low > 1e-3 * high and high > 1e-300:
        middle = math.sqrt(low * high) if low else high / 16
        low, high = (middle, high) if rejects(hits, middle) else (low, middle)
    wealth = impossible_event_wealth(hits, trials, delta)
    p_value = math.exp(-max(wealth, 0.0))
    return OneSampleTest(p_value, low, detectable_probability(trials, enough, power), wealth >= needed)


def _rejects(hits: int, delta: float, *, trials: int, needed: float) -> bool:
    return impossible_event_wealth(hits, trials, delta) >= needed


def detectable_probability(trials: int, needed: int, power: float) -> float:
    """Return the smallest p with P[Binomial(trials, p) >= needed] >= power; 1 if needed > trials."""
    if needed > trials:
        return 1.0
    return 0.0 if needed <= 0 else beta_quantile(power, needed, trials - needed + 1)


def one_run_test(released: int, singletons: int, delta: float, alpha: float) -> OneSampleTest:
    """Test delta on one release of many single-user keys: each key is an exact trial of "a new key is released".

    Assumes that keys get independent noise, that only input keys are released, and that each counted key has one user.
    Then the number of released keys is Binomial(singletons, p), and the claim bounds p, the probability that one user's
    key appears, by delta.

    Args:
        released: single-user keys in the release.
        singletons: single-user keys in the input.
        delta: claimed delta.
        alpha: level.
    """
    return impossible_event_test(released, singletons, delta, alpha)
