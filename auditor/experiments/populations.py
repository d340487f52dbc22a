"""Who holds what: the populations that the experiments draw clients from, as counts by bucket."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from auditor.statistics.seeds import block_generator
from mechanisms.data import word_counts

CLIENTS = 10**6
"""Clients of the synthetic populations."""
_SEED = 20221

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Population:
    """A population for every number of buckets.

    Attributes:
        id: short name.
        title: what figures call it.
        rule: how a client's value becomes one of B buckets.
        counts: clients by bucket for a number B of buckets; the same array at every call.
    """

    id: str
    title: str
    rule: str
    counts: Callable[[int], Counts]


def _fixed(counts: Counts) -> Counts:
    counts.flags.writeable = False
    return counts


def wrapped(law: NDArray[np.float64], buckets: int) -> NDArray[np.float64]:
    """The law of (value mod buckets) from the law of a value >= 0."""
    return np.asarray(np.bincount(np.arange(law.size) % buckets, weights=law, minlength=buckets), dtype=np.float64)


def _draw_counts(name: str, law: NDArray[np.float64]) -> Counts:
    return _fixed(block_generator(_SEED, "population", name, law.size).multinomial(CLIENTS, law / law.sum()))


@lru_cache
def binomial(buckets: int) -> Counts:
    """A million draws of Bin(B, 1/2), modulo B: it has B + 1 values."""
    return _draw_counts("binomial", wrapped(stats.binom.pmf(np.arange(buckets + 1), buckets, 0.5), buckets))


@lru_cache
def geometric(buckets: int) -> Counts:
    """A million failures before a success of probability 1/sqrt(B), modulo B (the law has no end)."""
    # Modulo B a geometric law is itself cut at B: P[v + jB] = P[v] P[jB] / P[0].
    return _draw_counts("geometric", stats.geom.pmf(np.arange(1, buckets + 1), buckets**-0.5))


@lru_cache
def shakespeare(buckets: int) -> Counts:
    """Every occurrence of a word is a client; a word's bucket is the first 64 bits of its SHA-256, modulo B."""
    counts = np.zeros(buckets, dtype=np.int64)
    for word, count in word_counts().items():
        counts[int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big") % buckets] += count
    return _fixed(counts)


POPULATIONS = (
    Population("binomial", "Binomial", "value of Bin(B, 1/2), modulo B", binomial),
    Population("geometric", "Geometric", "failures before a success of probability 1/sqrt(B), modulo B", geometric),
    Population("shakespeare", "Shakespeare", "SHA-256 of the word, modulo B", shakespeare),
)
