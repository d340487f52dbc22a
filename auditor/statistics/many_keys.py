"""Test of delta on releases of many keys of one user each, valid for keys that depend on one another in any way.

Setting. G users each hold c keys that nobody else has (c = 1, or the most keys of one user). M(D) is a release of their
data D, and M(D_g) a release without user g. A_g is the event that the release has a key of user g, and X is the number
of users g for whom A_g happens.

Statement. Let M be (epsilon, delta)-private for neighbours that add, remove or replace one user, and let the mean over
g of P[M(D_g) in A_g] be at most q. Then the mean of X / G is at most delta + e^epsilon q.

Proof. P[M(D) in A_g] <= e^epsilon P[M(D_g) in A_g] + delta for each g, because D and D_g are neighbours (under
replacement, D_g gives user g other keys). Average over g: the mean of a sum is the sum of the means for every joint law
of the A_g. So the statement covers one draw for all keys, noise by blocks, sorted output, and a cap on the number of
released keys. The proof uses the presence of a key and no released number: it holds for counts that are integers or
reals, for releases of keys alone, and for a top-k selection. QED

A cap of k released keys gives X <= k, so X / G falls with G: test several G, small ones among them.

Bound q. It is 0 if M releases only keys of its input. Otherwise draw the name of each key independently of all other
randomness, uniformly from B names. D_g does not depend on the names of user g. A release of at most R names holds a key
of user g with probability at most c R / (B - c G), for names drawn to be distinct. So q has at most this mean over the
names, and exceeds it by a factor 1 / beta with probability at most beta (Markov).

Several keys of a user. A_g is one trial for all c keys: the proof does not count keys. A trial for each key is valid
too, but c trials of one user give no more than one if the keys of a user appear together.

Shared keys: values; `auditor.statistics.coin_guesses` tests them. Let user j hold key j of N if a fair coin B_j is
1; other users hold the key too. The coins are independent. Let S_j be an event, for example "the released count of key
j exceeds s", or "key j is among the top k". Then the mean of

    Y = (2 / N) sum_j (B_j - e^epsilon (1 - B_j)) 1[S_j]

over coins and noise is at most delta. Proof. Given the other coins, the two values of B_j give neighbours, so
P[S_j | B_j = 1] <= e^epsilon P[S_j | B_j = 0] + delta. The other coins are independent of B_j, so the average over them
keeps the inequality, and so does the average over j. QED

The only assumption is that the coins are independent of one another and of the noise. Neither locality nor independence
of noise is needed, and S_j may be any event: of an integer or real count, of a rank, or of an order. If user j holds a
group of c keys, S_j is an event of the group. Under replacement user j holds a key of nobody else if B_j is 0.

No better bet. Let f >= 0 have a mean of at most 1 for every law of a share x in [0, 1] with mean m. The law on {0, x}
with mean m gives f(x) <= 1 + (1 - f(0)) (x / m - 1) for x >= m: a bet with the stake 1 - f(0) is as good. A bet on the
mean of Y alone multiplies capital by at most 1 + (2 - delta) / (2 e^epsilon + delta) in a release, because
Y >= -2 e^epsilon. `coin_guesses` uses the law of all coins given the release and gains up to 1 / delta.

E-process. For releases i with shares x_i = X_i / G_i in [0, 1], means at most m, and stakes s_i in [0, 1] that depend
on the past and on G_i alone,

    W_t = prod_{i <= t} (1 + s_i (x_i / m - 1))

is a nonnegative supermartingale that starts at 1, and so is a mixture with fixed weights. It ever reaches 1 / alpha
with probability at most alpha (Ville 1939). Each factor falls with m, so the rejected means are a lower set and its end
is a lower confidence bound at every time (Waudby-Smith & Ramdas 2024, section 4).
"""

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.betting import log_sum_exp

Floats = NDArray[np.float64]

RATIOS = (1.3, 2.0, 3.0, 5.0, 12.0, 100.0)
"""Alternatives for independent keys, as multiples of the claimed mean: the stake is the best one for each."""
STAKES = (0.003, 0.03, 0.3, 0.98)
"""Constant stakes, for keys that are released together."""
LOG_WEIGHTS = np.log(np.repeat([0.75 / len(RATIOS), 0.25 / len(STAKES)], [len(RATIOS), len(STAKES)]))
"""Logarithm of the initial capital of each strategy."""
LARGEST_STAKE = 0.98
BISECTIONS = 40
QUANTILE = 1.645
"""95 % quantile of the standard normal law."""
TAIL = 10.0
"""Standard deviations above the mean at which the sum over a number of released keys ends."""
OVERDISPERSED = 4.0
"""Standard deviations of the index of dispersion from which keys count as released together."""
SMALLEST_MEAN = 1e-300


def poisson(mean: float) -> tuple[Floats, Floats]:
    """Return the values 0, 1, ... of a Poisson variable up to its negligible tail, and their probabilities."""
    counts = np.arange(math.ceil(mean + TAIL * math.sqrt(mean) + TAIL) + 1, dtype=np.float64)
    steps = np.concatenate([[0.0], np.cumsum(np.log(counts[1:]))])
    return counts, np.exp(counts * math.log(max(mean, SMALLEST_MEAN)) - mean - steps)


@lru_cache(maxsize=4096)
def best_stake(expected: float, ratio: float) -> float:
    """Return the stake of fastest growth if the mean number of released keys is `ratio` times `expected`.

    Args:
        expected: G m, the number of released keys that the null allows, > 0.
        ratio: mean under the alternative divided by the largest mean under the null, > 1.
    """
    counts, law = poisson(ratio * expected)
    gains = counts / expected - 1.0
    low, high = 0.0, LARGEST_STAKE
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        rising = float(law @ (gains / (1.0 + middle * gains))) > 0
        low, high = (middle, high) if rising else (low, middle)
    return low


@lru_cache(maxsize=256)
def stakes_at(users: int, allowed: float) -> Floats:
    """Return the stake of each strategy, (K,), for a release of `users` users against a mean of at most `allowed`."""
    alternatives = [best_stake(users * allowed, ratio) if ratio * allowed < 1 else LARGEST_STAKE for ratio in RATIOS]
    return np.array([*alternatives, *STAKES])


@dataclass
class ManyKeysBets:
    """Bets against "the mean share of users who have a key in the release is at most `allowed`".

    Args:
        allowed: delta + e^epsilon q, in (0, 1).
        alpha: false-alarm probability.

    Raises:
        ValueError: a number out of range.
    """

    allowed: float
    alpha: float
    users: list[int] = field(default_factory=list)
    """G of each release."""
    released_counts: list[int] = field(default_factory=list)
    """X of each release."""
    _gains: Floats = field(default_factory=lambda: np.zeros(len(LOG_WEIGHTS)))
    """Log-capital of each strategy."""
    _largest: float = 0.0
    """Largest log-capital up to now."""

    def __post_init__(self) -> None:
        """Raise for numbers out of range."""
        if not (0 < self.allowed < 1 and 0 < self.alpha < 1):
            raise ValueError(f"expected allowed and alpha in (0, 1), got {self.allowed} and {self.alpha}")

    def add(self, users: int, released_count: int) -> None:
        """Add a release.

        Args:
            users: G; it may depend on earlier releases.
            released_count: X, in [0, users].

        Raises:
            ValueError: a number out of range.
        """
        if not 0 <= released_count <= users or users < 1:
            raise ValueError(f"expected 0 <= released_count <= users and users >= 1, got {released_count} and {users}")
        self.users.append(users)
        self.released_counts.append(released_count)
        self._gains += np.log1p(stakes_at(users, self.allowed) * (released_count / users / self.allowed - 1.0))
        self._largest = max(self._largest, float(log_sum_exp(self._gains + LOG_WEIGHTS)))

    @property
    def largest_log_capital(self) -> float:
        """Largest log-capital up to now against a mean of at most `allowed`."""
        return self._largest

    @property
    def rejected(self) -> bool:
        """Whether the capital has ever reached 1 / alpha."""
        return self._largest >= -math.log(self.alpha)

    def log_capital(self, mean: float) -> float:
        """Return the largest log-capital up to now against a mean of at most `mean`; 0 at the start."""
        if not self.users:
            return 0.0
        stakes = np.array([stakes_at(users, self.allowed) for users in self.users])
        shares = np.array(self.released_counts) / np.array(self.users)
        gains = np.cumsum(np.log1p(stakes * (shares / mean - 1.0)[:, None]), axis=0)
        return max(0.0, float(log_sum_exp(gains + LOG_WEIGHTS, axis=1).max()))

    def mean_lower(self) -> float:
        """Return the lower bound on the largest mean, at level alpha, valid at every time; 0 if no mean is rejected."""
        needed = -math.log(self.alpha)
        low, high = 0.0, 1.0
        while high > max(low * 1.0001, SMALLEST_MEAN):
            middle = math.sqrt(low * high) if low else high / 16
            low, high = (middle, high) if self.log_capital(middle) >= needed else (low, middle)
        return low

    @property
    def together(self) -> bool:
        """Whether the number of released keys varies significantly more than for independent keys."""
        excess, freedom = 0.0, 0
        for users in set(self.users):
            hits = np.array(
                [x for x, g in zip(self.released_counts, self.users, strict=True) if g == users], dtype=np.float64
            )
            if hits.sum() > 0 and len(hits) > 1:
                excess += float(((hits - hits.mean()) ** 2).sum() / hits.mean()) - (len(hits) - 1)
                freedom += len(hits) - 1
        return excess > OVERDISPERSED * math.sqrt(2 * freedom) if freedom else False

    def detectable_mean(self, further: int = 0) -> float:
        """Return approximately the smallest mean that these releases refute with probability .95; 1 if none.

        The estimate assumes that keys are released independently. If `together` holds, it scales the observed shares
        instead. It approximates the log-capital of the best strategy by a normal law.

        Args:
            further: additional releases, of as many users as the last one, to assume; then keys count as independent.
        """
        if not self.users:
            return 1.0
        together = self.together and not further
        sizes = Counter(self.users)
        sizes[self.users[-1]] += further
        needed = -math.log(self.alpha) - LOG_WEIGHTS
        low, high = self.allowed, 1.0

        def refutes(mean: float) -> bool:
            means, variances = self._scaled(mean) if together else self._independent(mean, sizes)
            return bool((means - QUANTILE * np.sqrt(variances) >= needed).any())

        if not refutes(high):
            return 1.0
        while high > low * 1.001:
            middle = math.sqrt(low * high)
            low, high = (low, middle) if refutes(middle) else (middle, high)
        return high

    def _independent(self, mean: float, sizes: Counter[int]) -> tuple[Floats, Floats]:
        """Return mean and variance of each strategy's log-capital if each key is released with probability `mean`."""
        means, variances = np.zeros(len(LOG_WEIGHTS)), np.zeros(len(LOG_WEIGHTS))
        for users, times in sizes.items():
            counts, law = poisson(users * mean)
            factors = np.minimum(counts / users, 1.0) / self.allowed - 1.0
            gains = np.log1p(stakes_at(users, self.allowed)[:, None] * factors)
            expected = gains @ law
            means += times * expected
            variances += times * np.maximum(gains**2 @ law - expected**2, 0.0)
        return means, variances

    def _scaled(self, mean: float) -> tuple[Floats, Floats]:
        """Return mean and variance of each strategy's log-capital if the observed shares are scaled to `mean`."""
        stakes = np.array([stakes_at(users, self.allowed) for users in self.users])
        shares: Floats = np.array(self.released_counts) / np.array(self.users)
        scaled = np.minimum(shares * (mean / shares.mean()), 1.0)
        gains = np.log1p(stakes * (scaled / self.allowed - 1.0)[:, None])
        return gains.sum(axis=0), len(gains) * gains.var(axis=0)
