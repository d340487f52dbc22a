"""Test of (epsilon, delta) by guesses of fair coins from one release, valid for noise shared by keys in any way.

Setting. User j, j = 1..m, holds a key of other users if a fair coin B_j is 1, and does not if it is 0. The coins are
independent. M releases O on these data. A rule picks from O alone the coins of which it guesses that they are g, for a
fixed g in {0, 1}. W is the number of right guesses, r the number of guesses, q = e^epsilon / (1 + e^epsilon).

Statement. Let M be (epsilon, delta)-private for neighbours that differ by one user, with delta > 0. Let
d = delta / (2 (1 + e^epsilon)), 0 < s < 1 / q, a, b > 0 and c >= 0 with a + b + c = 1, and
K = W log(1 + s (1 - q)) + (r - W) log(1 - s q). Then the mean over coins and noise of

    E = c + a e^K                                      if a e^K <= b / (s m d),
    E = c + b / (s m d) (1 + log(a e^K s m d / b))     otherwise

is at most 1. No independence of noise between keys is assumed.

Proof. Let A_j be the event that coin j is guessed, p_j = P[B_j = g | O, B_1..B_{j-1}] and x_j = 1[A_j] max(0, p_j - q).
Given B_1..B_{j-1}, let P1 and P0 be the laws of O for B_j = g and B_j = 1 - g. They are mixtures over the later coins,
so (epsilon, delta) holds between them. O has the law (P0 + P1) / 2, and

    p_j - q = (P1 - e^epsilon P0) / ((1 + e^epsilon) (P0 + P1)).

So the mean of x_j is at most the sum of (P1 - e^epsilon P0)+ over O, divided by 2 (1 + e^epsilon): at most d. With
Y = sum_j x_j, the mean of Y is at most m d. Given O and the earlier coins, the factor of a guess
1 + s (1[B_j = g] - q) has mean 1 + s (p_j - q) <= e^(s x_j). Multiply over j: e^(K - s Y) has mean at most 1. E as a
function of K is the minimum over y >= 0 of c + a e^(K - s y) + b y / (m d). So E <= c + a e^(K - s Y) + b Y / (m d),
whose mean is at most 1. QED

A mechanism that fails as a whole with probability delta reveals all coins at once. E allows for it: no release gives
more than about 1 / delta. For the number of right guesses compare Steinke, Nasr and Jagielski (2023), Theorem 5.2.

E-process. The rule of guesses may depend on earlier releases. The product of E over releases, and mixtures of products
with fixed weights, are nonnegative supermartingales that start at 1. They reach 1 / alpha with probability at most
alpha (Ville 1939). E falls with epsilon and delta where K does, for the guesses made; the bound on delta is the largest
rejected one.
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from auditor.statistics.betting import log_sum_exp

Floats = NDArray[np.float64]

STAKES = (0.03, 0.1, 0.3, 0.9)
"""Stakes s, as shares of 1 / q."""
CONSTANTS = (0.05, 0.5)
"""Constant parts c of E: the share of the capital that a release without evidence leaves."""
EXPONENTIAL = 0.03
"""Share a / (a + b)."""
STRATEGIES = np.array(list(product(STAKES, CONSTANTS)))
NODES = ndtri((np.arange(32) + 0.5) / 32)
"""Quantiles of the standard normal law, for means over numbers of guesses."""
QUANTILE = 1.645
"""95 % quantile of the standard normal law."""


def log_evidence(
    log_product: Floats, stakes: Floats, constant: Floats, coins: int, epsilon: float, delta: float
) -> Floats:
    """Return log E for K = `log_product`; all arrays broadcast.

    Args:
        log_product: K.
        stakes: s.
        constant: c.
        coins: m.
        epsilon: claimed epsilon.
        delta: claimed delta, > 0.
    """
    mean = coins * delta / (2 * (1 + math.exp(epsilon)))
    log_a, b = np.log((1 - constant) * EXPONENTIAL), (1 - constant) * (1 - EXPONENTIAL)
    limit = np.log(b / (stakes * mean))
    above = np.maximum(log_a + log_product - limit, 0.0)
    return np.asarray(np.logaddexp(np.log(constant), np.minimum(log_a + log_product, limit) + np.log1p(above)))


@dataclass
class CoinBets:
    """Bets against (epsilon, delta) on guesses of coins in groups; the capital is the mean over groups and strategies.

    Args:
        epsilon: claimed epsilon.
        delta: claimed delta, > 0.
        alpha: false-alarm probability.
        groups: number of groups of coins, each with guesses by `rules` rules.
        rules: number of rules of guesses.
    """

    epsilon: float
    delta: float
    alpha: float
    groups: int
    rules: int
    coins: list[int] = field(default_factory=list)
    """Coins of a group in each release."""
    guesses: list[NDArray[np.int64]] = field(default_factory=list)
    """Guesses and right guesses of each release, (groups, rules, 2)."""
    _gains: Floats = field(init=False)
    _largest: float = 0.0

    def __post_init__(self) -> None:
        self._gains = np.zeros((self.groups, self.rules, len(STRATEGIES)))

    @property
    def accuracy(self) -> float:
        """Return q, the largest accuracy of a guess under pure epsilon."""
        return 1 / (1 + math.exp(-self.epsilon))

    def add(self, coins: int, guesses: NDArray[np.int64]) -> None:
        """Add a release.

        Args:
            coins: number of coins of each group.
            guesses: guesses and right guesses, (groups, rules, 2).

        Raises:
            ValueError: more right guesses than guesses, or more guesses than coins.
        """
        made, right = guesses[..., 0], guesses[..., 1]
        if (right < 0).any() or (right > made).any() or (made > coins).any():
            raise ValueError(f"expected 0 <= right guesses <= guesses <= coins, got {guesses.tolist()} of {coins}")
        self.coins.append(coins)
        self.guesses.append(guesses)
        self._gains += self._log_evidence(made, right, coins, self.delta)
        self._largest = max(self._largest, float(log_sum_exp(self._gains.ravel() - math.log(self._gains.size))))

    @property
    def rejected(self) -> bool:
        """Whether the capital has ever reached 1 / alpha."""
        return self._largest >= -math.log(self.alpha)

    @property
    def best(self) -> tuple[int, int]:
        """Return the group and the rule of the largest capital."""
        group, rule, _ = np.unravel_index(int(self._gains.argmax()), self._gains.shape)
        return int(group), int(rule)

    @property
    def largest_log_capital(self) -> float:
        """Largest log-capital up to now."""
        return self._largest

    def delta_lower(self) -> float:
        """Return the largest delta rejected at alpha at the claimed epsilon; 0 if none is."""
        low, high = (self.delta, 1.0) if self.rejected else (0.0, 0.0)
        while high - low > 1e-4 * high:
            middle = math.sqrt(low * high)
            low, high = (middle, high) if self._rejects(middle) else (low, middle)
        return low

    def _rejects(self, delta: float) -> bool:
        gains, largest = np.zeros_like(self._gains), 0.0
        for coins, guesses in zip(self.coins, self.guesses, strict=True):
            gains += self._log_evidence(guesses[..., 0], guesses[..., 1], coins, delta)
            largest = max(largest, float(log_sum_exp(gains.ravel() - math.log(gains.size))))
        return largest >= -math.log(self.alpha)

    def _log_evidence(self, made: Any, right: Any, coins: int, delta: float) -> Floats:
        q = self.accuracy
        stakes, constant = STRATEGIES.T
        stakes = stakes / q
        wrong, right = (made - right)[..., None], right[..., None]
        log_product = right * np.log1p(stakes * (1 - q)) + wrong * np.log1p(-stakes * q)
        return log_evidence(log_product, stakes, constant, coins, self.epsilon, delta)

    def detectable(self, share: float, releases: int | None = None) -> float:
        """Return approximately the smallest excess of an event of one key that is refuted with probability .95.

        The excess is P1(S) - e^epsilon P0(S). The estimate assumes a known event, and keys that are released
        independently.

        Args:
            share: P0(S) as a share of the largest possible one: 0 for an event that is impossible on the neighbour.
            releases: number of releases of as many coins as the last one to assume; None for those so far.
        """
        sizes = Counter(self.coins if releases is None else [self.coins[-1]] * releases)
        low, high = self.delta, 1.0
        if not sizes or not self._detects(high, share, sizes):
            return 1.0
        while high > low * 1.01:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if self._detects(middle, share, sizes) else (middle, high)
        return high

    def _detects(self, excess: float, share: float, sizes: Counter[int]) -> bool:
        other = share * (1 - excess) * math.exp(-self.epsilon)
        event = excess + math.exp(self.epsilon) * other
        rate, accuracy = (event + other) / 2, event / (event + other)
        means, variances = np.zeros(len(STRATEGIES)), np.zeros(len(STRATEGIES))
        for size, times in sizes.items():
            made = np.maximum(size * rate + math.sqrt(size * rate * (1 - rate)) * NODES[:, None], 0.0).ravel()
            right = made[:, None] * accuracy + np.sqrt(made * accuracy * (1 - accuracy))[:, None] * NODES
            made = np.broadcast_to(made[:, None], right.shape)
            gains = self._log_evidence(made, np.clip(right, 0, made), size, self.delta)
            means += times * gains.mean(axis=(0, 1))
            variances += times * gains.var(axis=(0, 1))
        needed = -math.log(self.alpha) + math.log(self._gains.size)
        return bool((means - QUANTILE * np.sqrt(variances) >= needed).any())
