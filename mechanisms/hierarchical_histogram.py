"""Quantiles and range queries on [0, 1): by a hierarchical histogram, and by interactive search.

A value is written in base beta; its first L digits are a key of the trie of `mechanisms.trie_heavy_hitters`, whose
released prefixes are the buckets of all levels. Source: bharadwaj2022 Section 4.2, Lemmas 8 and 9.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from mechanisms.sample_and_threshold import check_rate, check_tau
from mechanisms.trie_heavy_hitters import TrieHeavyHitters
from proofs_numeric.bharadwaj2022.quantiles import chunks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import numpy as np

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class HierarchicalHistogram:
    """Buckets of width beta^-1 .. beta^-L with sampled weights.

    Attributes:
        beta: branching factor, 2 to 36.
        trie: the mechanism that releases the prefixes; its depth is L.
    """

    beta: int
    trie: TrieHeavyHitters

    def __post_init__(self) -> None:
        """Refuse a branching factor without digits."""
        if not 2 <= self.beta <= len(_DIGITS):
            raise ValueError(f"expected 2 <= beta <= {len(_DIGITS)}, got beta={self.beta}")

    def key(self, value: Fraction | float) -> str:
        """First L digits of a value in [0, 1) in base beta."""
        if not 0 <= value < 1:
            raise ValueError(f"expected 0 <= value < 1, got {value}")
        index = int(Fraction(value) * self.beta**self.trie.levels)
        return self._text(index, self.trie.levels)

    def release(self, values: Iterable[Fraction | float], rng: np.random.Generator) -> dict[str, float]:
        """One release of the hierarchical histogram of the clients' values."""
        return self.trie.release(Counter(map(self.key, values)), rng)

    def weight_below(self, released: Mapping[str, float], r: Fraction | float, sample: float) -> float:
        """Estimated fraction of clients below r, from chunks of all levels; what is not shown counts as nothing.

        Args:
            released: a release.
            r: end of the range, 0 <= r < 1; a multiple of beta^-L, else the rest beyond the last chunk is left out.
            sample: expected sample size m = p n (public).
        """
        if not 0 <= r < 1:
            raise ValueError(f"expected 0 <= r < 1, got r={r}")
        parts = chunks(Fraction(r), self.beta, self.trie.levels)
        return sum(released.get(self._text(index, level), 0.0) for level, index in parts) / sample

    def quantile(self, released: Mapping[str, float], phi: float, sample: float) -> Fraction:
        """Smallest multiple of beta^-L whose estimated weight below reaches phi, else the largest one below 1."""
        check_fraction(phi)
        size = self.beta**self.trie.levels
        ends = (Fraction(index, size) for index in range(size))
        return next((r for r in ends if self.weight_below(released, r, sample) >= phi), Fraction(size - 1, size))

    def _text(self, index: int, length: int) -> str:
        digits = []
        for _ in range(length):
            index, digit = divmod(index, self.beta)
            digits.append(_DIGITS[digit])
        return "".join(reversed(digits))


def check_fraction(phi: float) -> None:
    """Refuse a quantile outside (0, 1)."""
    if not 0 < phi < 1:
        raise ValueError(f"expected 0 < phi < 1 (fraction of clients), got phi={phi}")


def interactive_quantile(
    values: Sequence[float], phi: float, *, p: float, tau: int, steps: int, rng: np.random.Generator
) -> float:
    """Quantile by binary search, a fresh two-bucket sample-and-threshold histogram a step (Lemma 8).

    Args:
        values: the clients' values in [0, 1).
        phi: wanted fraction, tau/m < phi < 1 - tau/m with m = p n.
        p: probability that a client takes part in one step.
        tau: threshold (clients).
        steps: number h of steps; the answer is the middle of an interval of width 2^-h.
        rng: source of the samples.
    """
    check_rate(p)
    check_tau(tau)
    check_fraction(phi)
    edge = tau / (p * max(len(values), 1))
    if not edge < phi < 1 - edge:
        raise ValueError(f"expected tau/m < phi < 1 - tau/m with tau/m={edge:.6g}, got phi={phi}; sample more clients")
    low, width = 0.0, 1.0
    for _step in range(steps):
        width /= 2
        below = sum(value < low + width for value in values)
        counts = (int(rng.binomial(below, p)), int(rng.binomial(len(values) - below, p)))
        left, right = (count if count >= tau else 0 for count in counts)
        if left < phi * (left + right):
            low += width
    return low + width / 2
