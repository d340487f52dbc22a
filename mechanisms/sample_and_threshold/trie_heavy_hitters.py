"""TrieHH++: a sample-and-threshold histogram of the prefixes at each of L levels, a fresh sample a level.

Source: bharadwaj2022 Section 4.1, Lemma 7. One sample for all levels has delta = p: the samples must be independent.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.histogram import validate
from mechanisms.mechanism import BatchMechanism, Boundary, MechanismSpec, of_numbers, of_pairs
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold.mechanism import (
    adjacency,
    check_rate,
    check_tau,
    check_whole,
    integer,
    least_count,
    sampled,
    worst_at_one,
)
from proofs_numeric.bharadwaj2022 import cells, composition
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact, Parameters


@dataclass(frozen=True)
class TrieHeavyHitters(BatchMechanism):
    """The trie of popular prefixes with their sampled counts.

    Attributes:
        p: probability that a client takes part in one level, 0 < p < 1.
        tau: threshold on sampled counts (clients).
        levels: depth L; every key has exactly this many characters.
        rule: whether a sampled count equal to tau is shown.
        prune: whether a prefix is dropped when its parent was not shown (post-processing either way).
    """

    p: float
    tau: int
    levels: int
    prune: bool = True
    rule: Boundary = Boundary.INCLUSIVE

    def __post_init__(self) -> None:
        """Refuse parameters outside the mechanism's domain."""
        check_rate(self.p)
        check_tau(self.tau, self.rule)
        check_whole("levels", self.levels, "levels")

    releases_only_input_keys = False
    """No: prefixes of input keys are released."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent tries: one column a prefix of the input in the order of (length, name), NaN where not shown."""
        prefixes = prefix_counts(histogram, self.levels)
        keys = tuple(prefixes)
        values = self._sampled(histogram, prefixes, n, rng)
        values[values < least_count(self.tau, self.rule)] = np.nan
        if self.prune:
            column = {key: i for i, key in enumerate(keys)}
            for key, i in column.items():
                if len(key) > 1:
                    values[np.isnan(values[:, column[key[:-1]]]), i] = np.nan
        return keys, values

    def _sampled(
        self, histogram: Histogram, prefixes: dict[str, int], n: int, rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Sampled counts of all prefixes; samples of different levels are independent."""
        del histogram
        return sampled(np.array(list(prefixes.values()), dtype=np.int64), self.p, n, rng)


def prefix_counts(histogram: Histogram, levels: int) -> dict[str, int]:
    """Clients by prefix of length 1 .. levels, in the order of (length, name).

    Raises:
        ValueError: a key has another length than `levels`, or the histogram is not one.
    """
    validate(histogram)
    wrong = next((key for key in histogram if len(key) != levels), None)
    if wrong is not None:
        raise ValueError(f"expected keys of exactly {levels} characters, got {wrong!r}; pad or cut the keys")
    counts: dict[str, int] = {}
    for level in range(1, levels + 1):
        for key in sorted(histogram):
            counts[key[:level]] = counts.get(key[:level], 0) + histogram[key]
    return counts


@of_numbers
def build(*, p: Exact, tau: Exact, levels: Exact) -> TrieHeavyHitters:
    """The mechanism by the names of its claim."""
    return TrieHeavyHitters(float(Fraction(p)), integer("tau", tau), integer("levels", levels))


def path_laws(A: Any, *, p: Exact, tau: int, k: int, levels: int, prune: bool = True) -> composition.Laws:
    """(P, Q) by outcome of `levels` fresh samples of one path of prefixes, k against k - 1 copies of each."""
    one = composition.level_laws(A, p=A.number(Fraction(p)), tau=tau, k=k)
    laws = one
    for _level in range(levels - 1):
        # A hidden prefix hides what is below it: its outcome stands alone.
        laws = (
            [one[0], *composition.composed_laws([one[1:], laws])] if prune else composition.composed_laws([one, laws])
        )
    return laws


def path_profile(
    A: Any, epsilon: Any, direction: Direction, *, p: Exact, tau: int, k: int, levels: int, prune: bool = True
) -> Any:
    """Exact profile of one path, k against k - 1 copies."""
    laws = path_laws(A, p=p, tau=tau, k=k, levels=levels, prune=prune)
    left, right = [x for x, _y in laws], [y for _x, y in laws]
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def path_pair(pair_id: str, k: int, parameters: Parameters, description: str) -> Pair:
    """One string with k copies in left and one less in right, alone in the trie."""
    levels = integer("levels", parameters["levels"])
    key = "a" * levels
    profile = partial(
        path_profile, p=Fraction(parameters["p"]), tau=integer("tau", parameters["tau"]), k=k, levels=levels
    )
    return Pair(pair_id, {key: k}, {key: k - 1} if k > 1 else {}, description, adjacency(parameters), profile)


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """One path, at the worst count of a single level and one below."""
    worst = worst_at_one(parameters)
    return (
        path_pair("worst", worst, parameters, "one path at the worst count of a level at epsilon = 1"),
        path_pair("at_tau", integer("tau", parameters["tau"]), parameters, "tau copies: only left can show the path"),
    )


MECHANISM = MechanismSpec(
    id="trie_heavy_hitters",
    title="TrieHH++: prefixes level by level, a fresh sample a level",
    build=build,
    parameters={"p": "3/10", "tau": 5, "levels": 2},
    guarantee_claim="bharadwaj2022.lem7.rate",
    **of_pairs(adjacency, pairs),
    source="bharadwaj2022, Section 4.1, Lemma 7",
)
