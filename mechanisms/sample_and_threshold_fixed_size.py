"""Section 3.2 of bharadwaj2022: fixed-size samples, the contact scheme of Lemma 4, and Poisson sampling by contacts.

A fixed-size sample leaks: with m clients drawn the released counts say how many were held back, and delta = m/n at
every epsilon. The contact scheme draws s >= m clients who each take part with probability m/s: the sample's size is
Bin(s, m/s), not Bin(n, m/n); its exact likelihood ratio is `contact_ratio` of the claims' module fixed_size. Drawing
T ~ Bin(n, p) first and contacting T clients is the Poisson sample, except that T may exceed the contacts at hand.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from mechanisms.histogram import validate
from mechanisms.mechanism import BatchMechanism
from mechanisms.sample_and_threshold import check_rate, check_tau

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram


class DrawnSample(BatchMechanism):
    """A thresholded histogram of clients drawn without replacement; subclasses say how many."""

    tau: int

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sample sizes of n releases from a population of this size."""
        raise NotImplementedError

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases: one column a key in the order of names, NaN where not shown."""
        validate(histogram)
        keys = tuple(sorted(histogram))
        counts = np.array([histogram[key] for key in keys], dtype=np.int64)
        sizes = self.sizes(int(counts.sum()), n, rng)
        values = np.empty((n, counts.size))
        # Conditional hypergeometric draws, one cell after the other, all releases at once.
        left, drawn = np.full(n, counts.sum()), sizes.copy()
        for i, count in enumerate(counts):
            taken = rng.hypergeometric(np.full(n, count), left - count, drawn)
            values[:, i] = taken
            left, drawn = left - count, drawn - taken
        values[values < self.tau] = np.nan
        return keys, values


@dataclass(frozen=True)
class FixedSize(DrawnSample):
    """Exactly m clients: what the paper warns of.

    Attributes:
        m: sample size (clients).
        tau: threshold on sampled counts (clients).
    """

    m: int
    tau: int

    def __post_init__(self) -> None:
        """Refuse a threshold that is none."""
        check_tau(self.tau)

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Return m, every time."""
        del rng
        check_size(self.m, population)
        return np.full(n, self.m)


@dataclass(frozen=True)
class ContactScheme(DrawnSample):
    """Lemma 4: s = m + ceil(c sqrt(m)) clients are contacted and each takes part with probability m/s."""

    m: int
    c: float
    tau: int

    def __post_init__(self) -> None:
        """Refuse a negative c and a threshold that is none."""
        check_tau(self.tau)
        if not 0 <= self.c < math.inf:
            raise ValueError(f"expected 0 <= c < infinity (standard deviations), got c={self.c}")

    @property
    def contacts(self) -> int:
        """Number s of clients contacted."""
        return self.m + math.ceil(self.c * math.sqrt(self.m))

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sizes Bin(s, m/s)."""
        check_size(self.contacts, population)
        return rng.binomial(self.contacts, self.m / self.contacts, size=n)


@dataclass(frozen=True)
class PoissonByContacts(DrawnSample):
    """The Poisson sample, by drawing its size T ~ Bin(n, p) and then T clients; p is fixed, the population is not."""

    p: float
    tau: int

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        check_rate(self.p)
        check_tau(self.tau)

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sizes Bin(population, p)."""
        return rng.binomial(population, self.p, size=n)


def check_size(m: int, population: int) -> None:
    """Refuse a sample larger than the population."""
    if not 1 <= m <= population:
        raise ValueError(f"expected 1 <= m <= n={population} (clients), got m={m}")
