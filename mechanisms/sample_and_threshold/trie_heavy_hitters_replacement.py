"""TrieHH++ where a neighbour replaces one client's string: two paths of prefixes change from where they part.

The mechanism is that of `trie_heavy_hitters` beside it. Paths that part at the first level change the most cells.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import MechanismSpec, of_pairs
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold.mechanism import integer, worst_at_one
from mechanisms.sample_and_threshold.replacement import adjacency
from mechanisms.sample_and_threshold.trie_heavy_hitters import MECHANISM as TRIE
from mechanisms.sample_and_threshold.trie_heavy_hitters import build, path_laws
from proofs_numeric.bharadwaj2022 import cells, composition
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def paths_profile(
    A: Any, epsilon: Any, direction: Direction, *, p: Exact, tau: int, ka: int, kb: int, levels: int
) -> Any:
    """Exact profile of two paths with (ka, kb) against (ka - 1, kb + 1) clients."""
    loses, gains = (path_laws(A, p=p, tau=tau, k=k, levels=levels) for k in (ka, kb + 1))
    laws = composition.composed_laws([loses, [(y, x) for x, y in gains]])
    left, right = [x for x, _y in laws], [y for _x, y in laws]
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def paths_pair(pair_id: str, ka: int, kb: int, parameters: Parameters, description: str) -> Pair:
    """Strings aa.. and bb.. with ka and kb clients in left; one client moves from the first to the second."""
    levels, tau = integer("levels", parameters["levels"]), integer("tau", parameters["tau"])
    first, second = "a" * levels, "b" * levels
    left, right = (
        {key: count for key, count in ((first, a), (second, b)) if count} for a, b in ((ka, kb), (ka - 1, kb + 1))
    )
    profile = partial(paths_profile, p=Fraction(parameters["p"]), tau=tau, ka=ka, kb=kb, levels=levels)
    return Pair(pair_id, left, right, description, adjacency(parameters), profile)


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """Both paths near the worst count of a level, and a path whose client moves to a new one."""
    worst = worst_at_one(parameters)
    return (
        paths_pair("worst", worst, worst + 1, parameters, "both paths at counts where delta(1) is nearly attained"),
        paths_pair("unique", worst, 0, parameters, "the other path is new, and never shown"),
    )


MECHANISM = MechanismSpec(
    id="trie_heavy_hitters_replacement",
    title="TrieHH++: a fresh sample a level, neighbours by replacement",
    build=build,
    parameters=TRIE.parameters,
    guarantee_claim="bharadwaj2022.lem7.rate.replacement",
    **of_pairs(adjacency, pairs),
    source="bharadwaj2022, Sections 2 and 4.1, Lemma 7",
)
