"""Hadamard response: each client reports one index, its frequency is estimated from Walsh-Hadamard signs.

K = 2^ceil(log2(B + 1)); a client with item x uses row x + 1 of the Hadamard matrix (row 0 is all ones and says nothing)
and reports a uniform index with sign +1 in that row with probability e^epsilon/(1 + e^epsilon), else one with sign -1.
Any two rows differ in half of their signs, so for any two items delta(e) = (e^epsilon - e^e)_+/(2 (1 + e^epsilon)).
A baseline of bharadwaj2022 Section 5; the mechanism is that of Acharya, Sun and Zhang.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class HadamardResponse:
    """The local randomiser and its estimator.

    Attributes:
        epsilon: of one report, > 0 (nats).
        buckets: number B of items, >= 1.
    """

    epsilon: float
    buckets: int

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        if not 0 < self.epsilon < math.inf:
            raise ValueError(f"expected 0 < epsilon < infinity (nats), got epsilon={self.epsilon}")
        if self.buckets < 1:
            raise ValueError(f"expected buckets >= 1, got buckets={self.buckets}")

    @property
    def size(self) -> int:
        """Number K of indices, a power of two above B."""
        return 1 << self.buckets.bit_length()

    @property
    def keep(self) -> float:
        """Probability of a +1 index."""
        return 1 / (1 + math.exp(-self.epsilon))

    def reports(self, items: ArrayLike, rng: np.random.Generator) -> NDArray[np.int64]:
        """One index a client, shape of `items` (integers in [0, B))."""
        rows = np.asarray(items, dtype=np.int64) + 1
        index = rng.integers(0, self.size, size=rows.shape)
        wanted = np.where(rng.random(rows.shape) < self.keep, 1, -1)
        # Flipping the lowest bit that the row has flips the sign: a bijection between the two halves.
        flip = signs(rows, index) != wanted
        return np.where(flip, index ^ (rows & -rows), index)

    def frequencies(self, reports: ArrayLike) -> NDArray[np.float64]:
        """Unbiased relative frequencies of the B items from all clients' reports."""
        counts = np.bincount(np.asarray(reports), minlength=self.size).astype(np.float64)
        spectrum = walsh_hadamard(counts) / counts.sum()
        return np.asarray(spectrum[1 : self.buckets + 1] / (2 * self.keep - 1))


def signs(rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int64]:
    """Entries of the Hadamard matrix, ``(-1)^popcount(row & column)``."""
    return np.asarray(1 - 2 * (np.bitwise_count(rows & columns).astype(np.int64) & 1))


def walsh_hadamard(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Unnormalised Walsh-Hadamard transform of a vector whose length is a power of two."""
    found, width = values.copy(), 1
    while width < found.size:
        blocks = found.reshape(-1, 2, width)
        found = np.stack([blocks[:, 0] + blocks[:, 1], blocks[:, 0] - blocks[:, 1]], axis=1).ravel()
        width *= 2
    return found


def delta(A: Any, *, level: Any, epsilon: Any) -> Any:
    """Exact delta at `level` of one report between any two items: ``(e^epsilon - e^level)_+/(2 (1 + e^epsilon))``."""
    return A.maximum(A.number(0), A.exp(epsilon) - A.exp(level)) / (2 * (1 + A.exp(epsilon)))


def delta_from_law(mechanism: HadamardResponse, level: float, first: int, second: int) -> float:
    """The same number from the two laws over the K indices."""
    index = np.arange(mechanism.size)
    laws = [
        np.where(signs(np.full_like(index, item + 1), index) > 0, mechanism.keep, 1 - mechanism.keep)
        / (mechanism.size / 2)
        for item in (first, second)
    ]
    return float(np.maximum(laws[0] - math.exp(level) * laws[1], 0).sum())
