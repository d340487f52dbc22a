"""Shuffle-model histogram with Bernoulli noise: each of m clients adds Ber(f) to every cell; the sums are released.

The law of a cell is its count plus Bin(m, f). When one client's item is replaced two cells move in opposite directions:
(N + 1, N') against (N, N' + 1) with N, N' ~ Bin(m, f), and with x, y shown the likelihood ratio is
x (m - y + 1)/((m - x + 1) y), whatever f. A baseline of bharadwaj2022 Section 5; the mechanism is that of Balcer and
Cheu.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from mechanisms.baselines.central_laplace import UNIVERSE, check_sampling
from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.accountant import LARGEST_EPSILON, check_delta
from mechanisms.sample_and_threshold.mechanism import check_whole, integer
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.neighbours import SHUFFLE
from proofs_numeric.bharadwaj2022.section_5 import baselines
from proofs_numeric.statements.neighbours import Direction, Neighbours


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
        check_whole("clients", self.clients, "clients")
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
        """Exact replacement delta at epsilon from 0 to 700, float64.

        For each y the bad x are those with x/(m - x + 1) > e^epsilon y/(m - y + 1).
        """
        if not 0 <= epsilon <= LARGEST_EPSILON:
            raise ValueError(f"expected 0 <= epsilon <= {LARGEST_EPSILON} (nats), got epsilon={epsilon}")
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
        ValueError: delta_target is outside (0, 1), or even fair coins are not enough.
    """
    check_delta(delta_target)
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


@dataclass(frozen=True)
class ShuffledSample(BatchMechanism):
    """Sums of the sampled clients' items and of everybody's coins, for items fixed in advance.

    Attributes:
        universe: the items.
        coins: who adds coins, and how likely one is.
        p: probability that a client's item is counted, 0 < p <= 1.
    """

    universe: tuple[str, ...]
    coins: ShuffleBernoulli
    p: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a rate that is none."""
        check_sampling(self.p)

    releases_only_input_keys = False
    """No: every item of the universe is released."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of noisy sums: one column an item of the universe."""
        validate(histogram)
        true = rng.binomial([histogram.get(key, 0) for key in self.universe], self.p, size=(n, len(self.universe)))
        return self.universe, (true + rng.binomial(self.coins.clients, self.coins.flip, size=true.shape)).astype(float)


@of_numbers
def build(*, m: Value, f: Value, p: Value = 1) -> ShuffledSample:
    """The mechanism by the names of its claim, for the items k0 and k1."""
    return ShuffledSample(UNIVERSE, ShuffleBernoulli(integer("m", m), float(Fraction(f))), float(Fraction(p)))


def profile(A: Arithmetic, epsilon: Number, direction: Direction, *, m: int, f: Value, p: Value) -> Any:
    """Exact profile of one client with one item against another, the same both ways, epsilon >= 0."""
    del direction
    return baselines.shuffle(A, epsilon=A.number(epsilon), m=m, f=A.number(Fraction(f)), p=A.number(Fraction(p)))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of one client alone, who moves between the two items."""
    m, f, p = integer("m", parameters["m"]), Fraction(parameters["f"]), Fraction(parameters.get("p", 1))
    is_supported = sorted(neighbours.changes) == sorted(UNIVERSE) and sum(neighbours.left.values()) == 1
    return ExactLaw(partial(profile, m=m, f=f, p=p)) if is_supported else ExactLaw()


MECHANISM = MechanismSpec(
    id="shuffle_bernoulli", title="Shuffle-model histogram with Bernoulli coins on a Poisson sample", build=build,
    parameters={"m": 30, "f": "1/5", "p": "1/2"}, guarantee_claim="bharadwaj2022.base.shuffle",
    source="bharadwaj2022, Section 5", privacy=SHUFFLE, law=law,
)  # fmt: skip

CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="shuffled_counts", users={}, noise="m"
)
"""The noise of m clients: m (clients)."""
