"""Sample-and-threshold where a neighbour replaces one client's item: the relation the paper defines in Section 2.

The mechanism is that of `mechanism` beside it; two cells change, so pairs and promise differ. The exact delta of a pair
is `bharadwaj2022.tight.replacement`, the largest `bharadwaj2022.tight.replacement.rate`.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import MechanismSpec, of_pairs
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold.mechanism import build, integer, worst_at_one
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.statements.adjacency import ReplaceUser
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def adjacency(parameters: Parameters) -> ReplaceUser:
    """One client's item replaced by another."""
    del parameters
    return ReplaceUser()


def two_cells(A: Any, epsilon: Any, direction: Direction, *, p: Exact, tau: int, ka: int, kb: int) -> Any:
    """Exact profile of (ka, kb) against (ka - 1, kb + 1), outcome by outcome."""
    forward = direction is Direction.FORWARD
    return cells.product_profile(
        A, factor=A.exp(A.number(epsilon)), p=A.number(Fraction(p)), tau=tau, ka=ka, kb=kb, forward=forward
    )


def named(*counts: int) -> dict[str, int]:
    """Histogram of the items k0, k1, ... with these counts; an item without copies is left out."""
    return {f"k{i}": count for i, count in enumerate(counts) if count}


def cells_pair(pair_id: str, ka: int, kb: int, parameters: Parameters, description: str) -> Pair:
    """Items k0 and k1 with ka and kb copies in left; one client moves from the first to the second."""
    p, tau = Fraction(parameters["p"]), integer("tau", parameters["tau"])
    left, right = named(ka, kb), named(ka - 1, kb + 1)
    profile = partial(two_cells, p=p, tau=tau, ka=ka, kb=kb)
    return Pair(pair_id, left, right, description, adjacency(parameters), profile)


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """Both counts near their worst, a new unique item, and tau copies beside tau - 1."""
    tau, worst = integer("tau", parameters["tau"]), worst_at_one(parameters)
    return (
        cells_pair("worst", worst, worst + 1, parameters, "both items at counts where delta(1) is nearly attained"),
        cells_pair("unique", worst, 0, parameters, "the other item is new, and never shown"),
        cells_pair("at_tau", tau, tau - 1, parameters, "each side alone can show one of the items"),
    )


MECHANISM = MechanismSpec(
    id="sample_and_threshold_replacement",
    title="Sample-and-threshold histogram, neighbours by replacement",
    build=build,
    parameters={"p": "3/10", "tau": 5},
    guarantee_claim="bharadwaj2022.tight.replacement.rate",
    **of_pairs(adjacency, pairs),
    source="bharadwaj2022, Sections 2 and 3.1",
)
