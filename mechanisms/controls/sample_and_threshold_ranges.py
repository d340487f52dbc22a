"""Variants of the hierarchy and of the contact scheme that look wrong and are not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.faults.sample_and_threshold_ranges import SiblingsFilled
from mechanisms.mechanism import Control
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold import contacts as sample_and_threshold_contacts
from mechanisms.sample_and_threshold import hierarchical_histogram
from mechanisms.sample_and_threshold import mechanism as sample_and_threshold
from proofs_numeric.bharadwaj2022 import cells, composition
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_HIERARCHY: dict[str, Exact] = {"p": "3/10", "tau": 5, "levels": 2}
_CONTACTS: dict[str, Exact] = {"m": 5, "contacts": 7, "n": 10, "tau": 2}


def build_siblings(*, p: Exact, tau: Exact, levels: Exact) -> SiblingsFilled:
    """Hidden buckets filled in as parent minus sibling, each level on a sample of its own."""
    return SiblingsFilled(**vars(hierarchical_histogram.build(p=p, tau=tau, levels=levels)))


class Consistent(hierarchical_histogram.HierarchicalHistogram):
    """Scales the shown children of a shown bucket to its count."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases; a child is hidden where its parent is."""
        keys, values = super().release_many(histogram, n, rng)
        column = {key: i for i, key in enumerate(keys)}
        for parent in keys:
            children = [column[key] for key in keys if key[:-1] == parent and len(key) == len(parent) + 1]
            if children:
                total = np.nansum(values[:, children], axis=1)
                scale = values[:, column[parent]] / np.where(total > 0, total, 1.0)
                values[:, children] *= scale[:, None]
        return keys, values


def build_consistent(*, p: Exact, tau: Exact, levels: Exact) -> Consistent:
    """The hierarchy made consistent."""
    return Consistent(**vars(hierarchical_histogram.build(p=p, tau=tau, levels=levels)))


@dataclass(frozen=True)
class FewTakePart(sample_and_threshold_contacts.ContactScheme):
    """Contacted clients take part with probability m/n in place of m/s."""

    population: int = 10

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sizes Bin(s, m/n)."""
        del population
        return rng.binomial(self.contacts, self.m / self.population, size=n)


def build_few(*, m: Exact, contacts: Exact, n: Exact, tau: Exact) -> FewTakePart:
    """The scheme at m/n."""
    mechanism = sample_and_threshold_contacts.build(m=m, contacts=contacts, n=n, tau=tau)
    return FewTakePart(**vars(mechanism), population=int(n))


def few_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """A unique item beside 9 copies against 10 copies: sizes Bin(7, 1/2), drawn from 10 clients."""

    def law(unique: int) -> dict[tuple[int, int], Fraction]:
        found: dict[tuple[int, int], Fraction] = {}
        for x, y in product(range(unique + 1), range(11 - unique)):
            if x + y <= 7:
                size = Fraction(comb(7, x + y), 2**7 * comb(10, x + y))
                key = (x if x >= 2 else 0, y if y >= 2 else 0)
                found[key] = found.get(key, Fraction(0)) + comb(unique, x) * comb(10 - unique, y) * size
        return found

    laws = [law(1), law(0)]
    keys = sorted(set(laws[0]) | set(laws[1]))
    left, right = ([A.number(side.get(key, Fraction(0))) for key in keys] for side in laws)
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def parent_twice_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """The worst path of the hierarchy, its child shown with the parent's count."""
    k = sample_and_threshold.worst_at_one(_HIERARCHY)
    level = composition.level_laws(A, p=A.number(Fraction(3, 10)), tau=5, k=k)
    (hidden_p, hidden_q), shown = level[0], level[1:]
    shown_p, shown_q = (A.sum(side) for side in zip(*shown, strict=True))
    laws = [(hidden_p, hidden_q)]
    for p, q in shown:
        laws += [(p * hidden_p, q * hidden_q), (p * shown_p, q * shown_q)]
    left, right = ([pair[side] for pair in laws] for side in (0, 1))
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def _hierarchy(stem: str, title: str, build: Callable[..., Any], pair: Pair, proof: str) -> Control:
    return Control(
        id=f"sample_and_threshold_{stem}",
        title=title,
        mechanism="hierarchical_histogram",
        satisfies="bharadwaj2022.lem7.rate",
        build=build,
        parameters=_HIERARCHY,
        pair=pair,
        epsilon=1,
        proof=proof,
    )


_WORST = hierarchical_histogram.pairs(_HIERARCHY)[0]

CONTROLS = (
    _hierarchy(
        "siblings_of_fresh_samples",
        "a hidden bucket is filled in as parent minus sibling, a fresh sample a level",
        build_siblings,
        _WORST,
        "The difference is a function of two released counts: post-processing. Parent and sibling come from "
        "independent samples, so that it is no count of hidden clients.",
    ),
    _hierarchy(
        "consistent_levels",
        "children are scaled to their parent's count",
        build_consistent,
        replace(_WORST, profile=parent_twice_profile),
        "Scaling is a function of the released counts: post-processing. On one path the child takes the parent's "
        "count, and its own is forgotten.",
    ),
    Control(
        id="sample_and_threshold_few_take_part",
        title="contacted clients take part with probability m/n in place of m/s",
        mechanism="sample_and_threshold_contacts",
        satisfies="bharadwaj2022.lem4.delta",
        build=build_few,
        parameters=_CONTACTS,
        pair=Pair(
            "unique",
            {"k0": 1, "k1": 9},
            {"k1": 10},
            "a unique item beside 9 copies",
            sample_and_threshold_contacts.MECHANISM.adjacency(_CONTACTS),
            few_profile,
        ),
        epsilon=1,
        proof="Keeping each client of the scheme's sample with probability s/n gives this sample, and a hidden count "
        "stays hidden: thinning the released counts and applying the threshold again is post-processing. The sample "
        "is smaller than was asked for: a fault of utility.",
    ),
)
