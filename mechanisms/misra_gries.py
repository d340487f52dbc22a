"""Misra-Gries sketches released through the correlated stability histogram (lebeda2025, Definition 9).

A sketch with k counters of a stream in which every user holds one element, and any merge of such sketches, is k-sparse
and monotonic; the sketching is deterministic, so it is pre-processing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mechanisms import correlated_stability_histogram as csh
from proofs_numeric.lebeda2025.sparse_monotone import merge, misra_gries

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np


@dataclass(frozen=True)
class MisraGriesRelease:
    """Sketches of streams, their merge, and its private release.

    Attributes:
        inner: the release; its k is the number of counters of every sketch.
    """

    inner: csh.CorrelatedStabilityHistogram

    def sketch(self, *streams: Iterable[str]) -> dict[str, int]:
        """Merged sketch of the streams: one element a user."""
        return merge([misra_gries(stream, self.inner.k) for stream in streams], self.inner.k)

    def release(self, streams: Iterable[Iterable[str]], rng: np.random.Generator) -> dict[str, float]:
        """One release of the merged sketch."""
        return self.inner.release(self.sketch(*streams), rng)
