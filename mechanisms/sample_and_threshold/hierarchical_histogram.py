"""Quantiles and range queries on [0, 1) by a hierarchical histogram.

A value is written in base beta; its first L digits are a key of the trie of `trie_heavy_hitters` beside it, whose
released prefixes are the buckets of all levels. Source: bharadwaj2022 Section 4.2, Lemma 9.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.sample_and_threshold.mechanism import CALIBRATOR as ONE_LEVEL
from mechanisms.sample_and_threshold.mechanism import check_whole, integer
from mechanisms.sample_and_threshold.trie_heavy_hitters import MECHANISM as TRIE
from mechanisms.sample_and_threshold.trie_heavy_hitters import TrieHeavyHitters
from mechanisms.sample_and_threshold.trie_heavy_hitters import build as build_trie
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.neighbours import VALUE
from proofs_numeric.bharadwaj2022.section_4_2 import chunks
from proofs_numeric.statements.neighbours import Neighbours

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class HierarchicalHistogram(BatchMechanism):
    """Buckets of width beta^-1 .. beta^-L with sampled weights; the input's keys are the clients' values as text.

    Attributes:
        beta: branching factor, 2 to 36.
        trie: the mechanism that releases the prefixes; its depth is L.
    """

    beta: int
    trie: TrieHeavyHitters

    def __post_init__(self) -> None:
        """Refuse a branching factor without digits."""
        check_whole("beta", self.beta, "buckets a split")
        if not 2 <= self.beta <= len(_DIGITS):
            raise ValueError(f"expected 2 <= beta <= {len(_DIGITS)}, got beta={self.beta}")

    releases_only_input_keys = False
    """No: buckets are released, not values."""

    def key(self, value: Fraction | float) -> str:
        """First L digits of a value in [0, 1) in base beta."""
        return self._text(int(check_value(value) * self.beta**self.trie.levels), self.trie.levels)

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a bucket that holds a client, coarse ones first, NaN where not shown."""
        return self.trie.release_many(self.buckets(histogram), n, rng)

    def buckets(self, histogram: Histogram) -> Histogram:
        """Clients by the first L digits of their values."""
        counts: Counter[str] = Counter()
        for text, count in histogram.items():
            counts[self.key(read_value(text))] += count
        return counts

    def weight_below(self, released: Mapping[str, float], r: Fraction | float, sample: float) -> float:
        """Estimated fraction of clients below r, from chunks of all levels; what is not shown counts as nothing.

        Args:
            released: a release.
            r: end of the range, 0 <= r < 1; a multiple of beta^-L, else the rest beyond the last chunk is left out.
            sample: expected sample size m = p n (public).
        """
        parts = chunks(check_value(r), self.beta, self.trie.levels)
        return sum(released.get(self._text(index, level), 0.0) for level, index in parts) / sample

    def weight_between(
        self, released: Mapping[str, float], low: Fraction | float, high: Fraction | float, sample: float
    ) -> float:
        """Estimated fraction of clients in [low, high): the difference of the two prefix queries, at least 0."""
        if not low <= high:
            raise ValueError(f"expected low <= high, got low={low}, high={high}")
        return max(0.0, self.weight_below(released, high, sample) - self.weight_below(released, low, sample))

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


def histogram_of(values: Iterable[Fraction | float]) -> Histogram:
    """Clients by value, as keys `read_value` reads."""
    return Counter(str(Fraction(value)) for value in values)


def read_value(text: str) -> Fraction:
    """A key of the input as a number in [0, 1): a decimal or a fraction."""
    try:
        return check_value(Fraction(text))
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"expected keys that are numbers in [0, 1), such as '0.25' or '1/4', got {text!r}") from None


def check_value(value: Fraction | float) -> Fraction:
    """A number in [0, 1) as a fraction."""
    if not 0 <= value < 1:
        raise ValueError(f"expected 0 <= value < 1, got {value}")
    return Fraction(value)


def check_fraction(phi: float) -> None:
    """Refuse a quantile outside (0, 1)."""
    if not 0 < phi < 1:
        raise ValueError(f"expected 0 < phi < 1 (fraction of clients), got phi={phi}")


@of_numbers
def build(*, p: Value, tau: Value, levels: Value, beta: Value = 2) -> HierarchicalHistogram:
    """The mechanism by the names of its claim; binary digits unless beta says otherwise."""
    return HierarchicalHistogram(integer("beta", beta), build_trie(p=p, tau=tau, levels=levels))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law where one value changes: that of the trie on the values' digits."""
    mechanism = build(**parameters)
    left, right = (mechanism.buckets(side) for side in (neighbours.left, neighbours.right))
    return TRIE.law(replace(neighbours, left=left, right=right), parameters)


MECHANISM = MechanismSpec(
    id="hierarchical_histogram", title="Quantiles and ranges by a hierarchical histogram, a fresh sample a level",
    build=build, parameters=TRIE.parameters, guarantee_claim="bharadwaj2022.lem9.rate",
    source="bharadwaj2022, Section 4.2, Lemma 9", privacy=VALUE, law=law,
)  # fmt: skip

CALIBRATOR = replace(ONE_LEVEL, id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="levels")
