"""Variants of the family that look wrong and are not."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import Boundary
from mechanisms.sample_and_threshold import contacts as scheme
from mechanisms.sample_and_threshold import fixed_m
from mechanisms.sample_and_threshold import hierarchical_histogram as hierarchy
from mechanisms.sample_and_threshold import mechanism as correct
from mechanisms.sample_and_threshold.faults.levels import SiblingsFilled
from mechanisms.sample_and_threshold.mechanism import stick
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.lemma_7 import composition
from proofs_numeric.bharadwaj2022.neighbours import worst_count
from proofs_numeric.statements.neighbours import Direction, Neighbours


class ReleasedShares(correct.SampleAndThreshold):
    """Counts over their released total, with the total beside them."""

    releases_only_input_keys = False
    """No: `total` is released too."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases of shares; the last column is the released total."""
        keys, values = super().release_many(histogram, n, rng)
        total = np.nansum(values, axis=1, keepdims=True)
        return (*keys, "total"), np.concatenate([values / np.maximum(total, 1), total], axis=1)


class Consistent(hierarchy.HierarchicalHistogram):
    """Scales the shown children of a shown bucket to its count."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
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


def parent_twice_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """The worst path of the hierarchy, its child shown with the parent's count."""
    k = worst_count(hierarchy.MECHANISM.parameters)
    (hidden_p, hidden_q), *released_laws = composition.level_laws(A, p=A.number(Fraction(3, 10)), tau=5, k=k)
    shown_p, shown_q = (A.sum(side) for side in zip(*released_laws, strict=True))
    laws = [(hidden_p, hidden_q)]
    for p, q in released_laws:
        laws += [(p * hidden_p, q * hidden_q), (p * shown_p, q * shown_q)]
    return stick(A, epsilon, direction, laws)


@dataclass(frozen=True)
class FewTakePart(scheme.ContactScheme):
    """Contacted clients take part with probability m/n in place of m/s."""

    population: int = 10

    def sizes(self, population: int, n: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Sizes Bin(s, m/n)."""
        del population
        return rng.binomial(self.contacts, self.m / self.population, size=n)


def build_few(*, m: Value, contacts: Value, n: Value, tau: Value) -> FewTakePart:
    """The scheme at m/n."""
    mechanism = scheme.build(m=m, contacts=contacts, n=n, tau=tau)
    return FewTakePart(**vars(mechanism), population=int(n))


def few_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Any:
    """A unique item beside 9 copies against 10 copies: sizes Bin(7, 1/2), drawn from 10 clients."""
    joint: dict[tuple[int, int], list[Fraction]] = {}
    for side, unique in enumerate((1, 0)):
        for x, y in product(range(unique + 1), range(11 - unique)):
            if x + y <= 7:
                size = Fraction(comb(7, x + y), 2**7 * comb(10, x + y))
                release = (x if x >= 2 else 0, y if y >= 2 else 0)
                joint.setdefault(release, [Fraction(0)] * 2)[side] += comb(unique, x) * comb(10 - unique, y) * size
    return stick(
        A, epsilon, direction, [(A.number(left), A.number(right)) for _release, (left, right) in sorted(joint.items())]
    )


_SIX = Neighbours("worst", {"k0": 6}, {"k0": 5}, "6 copies against 5: the worst count at epsilon = 1")

CONTROLS = (
    correct.MECHANISM.neutral(
        id="sample_and_threshold_exclusive_rule", title="more than tau - 1 in place of at least tau",
        change=partial(replace, tau=4, rule=Boundary.EXCLUSIVE), pair=_SIX,
        proof="Counts are integers, so the two rules show the same counts.",
    ),
    correct.MECHANISM.neutral(
        id="sample_and_threshold_released_shares", title="counts divided by their released total",
        subclass=ReleasedShares, pair=_SIX,
        proof="The total and the shares are functions of the release: post-processing.",
    ),
    hierarchy.MECHANISM.neutral(
        id="sample_and_threshold_siblings_of_fresh_samples",
        title="a hidden bucket is filled in as parent minus sibling, a fresh sample a level", subclass=SiblingsFilled,
        pair="worst",
        proof="The difference is a function of two released counts: post-processing. Parent and sibling come from "
        "independent samples, so that it is no count of hidden clients.",
    ),
    hierarchy.MECHANISM.neutral(
        id="sample_and_threshold_consistent_levels", title="children are scaled to their parent's count",
        subclass=Consistent, pair="worst", profile=parent_twice_profile,
        proof="Scaling is a function of the released counts: post-processing. On one path the child takes the "
        "parent's count, and its own is forgotten.",
    ),
    fixed_m.MECHANISM.neutral(
        id="sample_and_threshold_fixed_m_fewer", title="nine clients are expected in place of twelve", at={"m": 9},
        pair="worst",
        proof="Each client of the sample is kept with probability 3/4, and a hidden count stays hidden: thinning the "
        "released counts and applying the threshold again is post-processing.",
    ),
    scheme.MECHANISM.neutral(
        id="sample_and_threshold_few_take_part",
        title="contacted clients take part with probability m/n in place of m/s", build=build_few, pair="unique",
        profile=few_profile,
        proof="Keeping each client of the scheme's sample with probability s/n gives this sample, and a hidden count "
        "stays hidden: thinning the released counts and applying the threshold again is post-processing. The sample "
        "is smaller than was asked for: a fault of utility.",
    ),
)  # fmt: skip
