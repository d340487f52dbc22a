"""The binary mechanism draws one noise table for all items."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.baselines.binary_mechanism import adjacency
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.binary import mechanism as correct
from mechanisms.unknown_domain.pairs import disjoint
from mechanisms.unknown_domain.release import encode
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


class SharedTable(correct.UnknownDomainBinary):
    """Running counts whose items share their noise."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """The same noise for every item of a run."""
        return super().release_many(histogram, n, _Repeating(rng.integers(2**32)))  # type: ignore[arg-type]


class _Repeating:
    """A generator that starts again for every array it is asked for."""

    def __init__(self, seed: int) -> None:
        self.seed = int(seed)

    def standard_normal(self, shape: tuple[int, ...]) -> NDArray[np.float64]:
        """The same draws each time."""
        return np.random.default_rng(self.seed).standard_normal(shape)


def build(*, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> SharedTable:
    """Running counts whose items share their noise."""
    return SharedTable(**vars(correct.build(L=L, delta_0=delta_0, sigma=sigma, delta=delta)))


_ALWAYS = [["u", "v"]] * 63
_PARAMETERS: Parameters = {"L": 63, "delta_0": 2, "sigma": 2, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_binary_shared_table",
    title="one noise table for all items",
    mechanism="unknown_domain_binary",
    violates="rogers2024.thm11.profile",
    caught_by="numeric.pair_profile",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "u.shared",
        encode(_ALWAYS),
        encode([*_ALWAYS[:62], ["v"]]),
        "the difference of the last two counts is exact; both are released up to Phi(-9)",
        adjacency(_PARAMETERS),
        disjoint,
    ),
    direction=Direction.FORWARD,
    epsilon=20,
    explanation="The difference of two counts carries no noise.",
)
