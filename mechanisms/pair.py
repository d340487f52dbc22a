"""Neighbouring histograms, and the exact law of what a mechanism tells about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofs_numeric.arithmetic import Arithmetic, Number, exact
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram
    from mechanisms.laws.privacy_loss import Loss, SharedLoss, ShiftedLoss
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.expression import Expression
    from proofs_numeric.statements.adjacency import Adjacency
    from proofs_numeric.statements.neighbours import Neighbours

Profile = Callable[[Arithmetic, Number, Direction], Number]
"""(A, epsilon, direction) -> sup over S of P(S) - e^epsilon Q(S), in the arithmetic A; any real epsilon."""


@dataclass(frozen=True)
class EitherWay:
    """A profile that is the same in both directions, as an expression in epsilon and the parameters."""

    formula: Expression
    parameters: Mapping[str, Value]

    def __call__(self, A: Arithmetic, epsilon: Number, direction: Direction) -> Number:
        """Return the hockey stick at epsilon, in the arithmetic A."""
        del direction
        at = {name: A.number(exact(value)) for name, value in self.parameters.items() if name in self.formula.symbols}
        return A.number(self.formula(A, epsilon=A.number(epsilon), **at))


@dataclass(frozen=True)
class ExactLaw:
    """Exact law of a mechanism on two histograms.

    Attributes:
        profile: exact hockey stick, or None where no formula is known. It is picklable (a partial of a module-level
            function), as pairs travel to worker processes.
        loss: law of the privacy loss by direction, derived without the profile; None where it is not declared.
    """

    profile: Profile | None = None
    loss: Callable[[Direction], Loss | SharedLoss | ShiftedLoss] | None = None


@dataclass(frozen=True)
class Pair:
    """Two neighbouring histograms with the exact law of one mechanism on them.

    Attributes:
        id, left, right, description: as of `Neighbours`.
        adjacency: under which they are neighbours.
        profile, loss: as of `Law`.
    """

    id: str
    left: Histogram
    right: Histogram
    description: str
    adjacency: Adjacency
    profile: Profile | None = None
    loss: Callable[[Direction], Loss | SharedLoss | ShiftedLoss] | None = None

    @staticmethod
    def of(neighbours: Neighbours, adjacency: Adjacency, law: ExactLaw) -> Pair:
        """Join neighbours under an adjacency with a mechanism's law on them."""
        n = neighbours
        return Pair(n.id, n.left, n.right, n.description, adjacency, law.profile, law.loss)

    def check(self) -> None:
        """Raise ValueError unless left and right are neighbours."""
        self.adjacency.check(self.left, self.right)
