"""Neighbouring histograms, and the exact law of what a mechanism tells about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram
    from mechanisms.laws.privacy_loss import Loss, SharedLoss, ShiftedLoss


class Direction(StrEnum):
    """Which histogram plays P and which Q in sup_S P(S) - e^epsilon Q(S)."""

    FORWARD = "forward"
    """P is the law on `left`, Q the law on `right`."""
    BACKWARD = "backward"
    """P is the law on `right`, Q the law on `left`."""


class Neighbours(Protocol):
    """Who counts as a neighbour of whom (proofs_numeric.statements.adjacency has the instances)."""

    def check(self, left: Histogram, right: Histogram) -> None:
        """Raise ValueError naming the broken rule unless left and right are neighbours."""


Profile = Callable[[Any, Any, Direction], Any]
"""(A, epsilon, direction) -> sup over S of P(S) - e^epsilon Q(S), in the arithmetic A; any real epsilon."""


@dataclass(frozen=True)
class Pair:
    """Two neighbouring histograms with the exact privacy profile of one mechanism on them.

    Attributes:
        id: name within the mechanism, e.g. `wc3.1`.
        left: the histogram with the user's contribution, by convention.
        right: the histogram without it.
        description: what the pair exposes, one sentence.
        adjacency: checks that left and right are neighbours.
        profile: exact hockey stick of the mechanism this pair belongs to, or None where no formula is known. It is
            picklable (a partial of a module-level function), as pairs travel to worker processes.
        loss: law of the privacy loss by direction, derived without the profile; None where it is not declared.
    """

    id: str
    left: Histogram
    right: Histogram
    description: str
    adjacency: Neighbours
    profile: Profile | None = None
    loss: Callable[[Direction], Loss | SharedLoss | ShiftedLoss] | None = None

    def check(self) -> None:
        """Raise ValueError unless left and right are neighbours."""
        self.adjacency.check(self.left, self.right)
