"""Faults of Lemma 4's contact scheme: no contact beyond m, and abstentions that can be counted."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.sample_and_threshold import contacts as correct
from mechanisms.sample_and_threshold.fixed_size_sample import adjacency, drawn
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Exact

_PARAMETERS: dict[str, Exact] = {"m": 5, "contacts": 7, "n": 10, "tau": 2}
_M, _CONTACTS, _N, _TAU = 5, 7, 10, 2
_UNIQUE = (1, _N - 1, 0)


def build_no_extra(*, m: Exact, contacts: Exact, n: Exact, tau: Exact) -> correct.ContactScheme:
    """Contacts m clients, who all take part."""
    mechanism = correct.build(m=m, contacts=contacts, n=n, tau=tau)
    return replace(mechanism, contacts=mechanism.m)


def no_extra_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Profile of a unique item beside 9 copies when exactly 5 of 10 clients are counted."""
    return correct.replaced(A, epsilon, direction, counts=_UNIQUE, m=_M, contacts=_M, tau=_TAU)


class AbstentionsCounted(correct.ContactScheme):
    """Releases how many of the contacted clients abstained."""

    releases_only_input_keys = False
    """No: `abstained` is released too."""

    def release_many(
        self, histogram: Histogram, n: int, rng: np.random.Generator
    ) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """N independent releases, the last column the number of abstentions."""
        keys, values = drawn(histogram, lambda population: self.sizes(population, n, rng), rng)
        abstained = self.contacts - values.sum(axis=1, keepdims=True)
        values[values < self.tau] = np.nan
        return (*keys, "abstained"), np.concatenate([values, abstained], axis=1)


def build_abstentions(*, m: Exact, contacts: Exact, n: Exact, tau: Exact) -> AbstentionsCounted:
    """The scheme with its abstentions."""
    return AbstentionsCounted(**vars(correct.build(m=m, contacts=contacts, n=n, tau=tau)))


@cache
def _with_size(unique: int) -> dict[tuple[int, int, int], Fraction]:
    """Law of (shown k0, shown k1, size) with `unique` clients at k0 and the others at k1."""
    rate = Fraction(_M, _CONTACTS)
    found: dict[tuple[int, int, int], Fraction] = {}
    for x, y in product(range(unique + 1), range(_N - unique + 1)):
        t = x + y
        if t <= _CONTACTS:
            size = math.comb(_CONTACTS, t) * rate**t * (1 - rate) ** (_CONTACTS - t) / math.comb(_N, t)
            key = (x if x >= _TAU else 0, y if y >= _TAU else 0, t)
            found[key] = found.get(key, Fraction(0)) + math.comb(unique, x) * math.comb(_N - unique, y) * size
    return found


def abstentions_profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """A unique item beside 9 copies against 10 copies, with the sample's size known."""
    laws = [_with_size(1), _with_size(0)]
    keys = sorted(set(laws[0]) | set(laws[1]))
    left, right = ([A.number(law.get(key, Fraction(0))) for key in keys] for law in laws)
    if direction is Direction.BACKWARD:
        left, right = right, left
    return cells.hockey_stick(A, left, right, A.exp(A.number(epsilon)))


def _pair(profile: Any) -> Pair:
    description = "a unique item beside 9 copies"
    return Pair("unique", {"k0": 1, "k1": 9}, {"k1": 10}, description, adjacency(_PARAMETERS), profile)


_fault = partial(
    Fault,
    mechanism="sample_and_threshold_contacts",
    violates="bharadwaj2022.lem4.delta",
    parameters=_PARAMETERS,
    caught_by="empirical.black_box",
    direction=Direction.FORWARD,
    epsilon=1,
)


FAULTS = (
    _fault(
        id="sample_and_threshold_no_extra_contact",
        title="m clients are contacted and all take part (c = 0)",
        build=build_no_extra,
        pair=_pair(no_extra_profile),
        explanation="The size is m again: a shown count below m tells that a hidden item was drawn, delta = m/n.",
    ),
    _fault(
        id="sample_and_threshold_abstentions_counted",
        title="abstentions are recognisable and counted",
        build=build_abstentions,
        pair=_pair(abstentions_profile),
        explanation=(
            "Contacts minus abstentions is the sample's size; size minus shown counts is the number of hidden clients."
        ),
    ),
)
