"""Planted faults of a released Misra-Gries sketch: other sketches, another merge, and users with two elements."""

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from mechanisms.correlated_stability_histogram.law import pair_profile
from mechanisms.correlated_stability_histogram.mechanism import CorrelatedStabilityHistogram
from mechanisms.misra_gries.mechanism import MECHANISM, MisraGriesRelease
from mechanisms.top_k.faults import HIGH, TWO, one_side_profile
from proofs_numeric.expression import profile as gaussian
from proofs_numeric.expression import sqrt, symbol
from proofs_numeric.lebeda2025.definition_9.misra_gries import misra_gries, sum_only
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.statements.neighbours import Direction, Neighbours


class OtherSketch(MisraGriesRelease, ABC):
    """A sketch of other counters, released like a Misra-Gries sketch."""

    @abstractmethod
    def take(self, counters: dict[str, int], element: str) -> None:
        """Change the counters by one element."""

    def sketch(self, *streams: Iterable[str]) -> dict[str, int]:
        """One sketch of all streams, zeros left out at the end."""
        counters: dict[str, int] = {}
        for element in itertools.chain.from_iterable(streams):
            self.take(counters, element)
        return {key: count for key, count in counters.items() if count}


class DeadSlots(OtherSketch):
    """Only the first k different elements are ever counted."""

    def take(self, counters: dict[str, int], element: str) -> None:
        """Count what has a slot or finds one; anything else lowers every counter above 0."""
        if element in counters or len(counters) < self.inner.k:
            counters[element] = counters.get(element, 0) + 1
        else:
            counters.update({key: max(0, count - 1) for key, count in counters.items()})


class SpaceSaving(OtherSketch):
    """Metwally, Agrawal and El Abbadi 2005."""

    def take(self, counters: dict[str, int], element: str) -> None:
        """Count the element, on top of the least counter where none is free; of equal ones the first by name goes."""
        inherited = 0
        if element not in counters and len(counters) == self.inner.k:
            inherited = counters.pop(min(counters, key=lambda key: (counters[key], key)))
        counters[element] = counters.get(element, inherited) + 1


class NoiseForOneSketch(CorrelatedStabilityHistogram):
    """Algorithm 2 that takes the counters of two sketches, with the shared noise of one."""

    @property
    def shared_scale(self) -> float:
        """Deviation for half of k."""
        return self.sigma / math.sqrt(math.sqrt(self.k / 2))


class SumsSketches(MisraGriesRelease):
    """The elements whose names end with an even character are sketched apart, and the sketches are added."""

    def sketch(self, *streams: Iterable[str]) -> dict[str, int]:
        """Up to 2k counters."""
        elements, k = list(itertools.chain.from_iterable(streams)), self.inner.k // 2
        halves = ([e for e in elements if ord(e[-1]) % 2 == odd] for odd in (0, 1))
        return sum_only([misra_gries(half, k) for half in halves], k)


def sums_sketches(mechanism: MisraGriesRelease) -> SumsSketches:
    """Sketches of k counters, added."""
    return SumsSketches(NoiseForOneSketch(**(vars(mechanism.inner) | {"k": 2 * mechanism.inner.k})))


_K = symbol("k")
_FOUR: dict[str, Any] = {"k": 4, "sigma": 2, "gap": 20}


_TWO_ELEMENTS = MECHANISM.broken(
    id="correlated_misra_gries_two_elements", title="users with two elements of the sketched stream",
    parameters={"k": 2, "sigma": 1, "gap": 3},
    pair=Neighbours(
        "two",
        {"k0": 2, "k1": 2},
        {"k0": 2, "k1": 2, "z0": 1, "z1": 1},
        "two further elements of one user empty two counters of 2",
    ),
    # Both counters are one higher than a new counter is.
    profile=partial(pair_profile, k=2, sigma=1, gap=2, l=2, j=0), epsilon=2,
    explanation="Each element lowers every counter by one: with two of them counters move by two and leave from 2.",
)  # fmt: skip

FAULTS = (
    MECHANISM.broken(
        id="correlated_misra_gries_dead_slots", title="counters that have fallen to zero keep their slots",
        subclass=DeadSlots, parameters=TWO,
        pair=Neighbours(
            "dead",
            {"k0": HIGH, "k2": HIGH, "k1": 1},
            {"k0": HIGH, "k2": HIGH},
            "one element takes the second slot for good: what comes after lowers the first counter and is not counted",
        ),
        profile=partial(one_side_profile, **TWO), direction=Direction.BACKWARD,
        explanation="A slot that one user blocks decides which elements are counted at all.",
    ),
    MECHANISM.broken(
        id="correlated_misra_gries_space_saving", title="Space-Saving is taken for Misra-Gries", subclass=SpaceSaving,
        parameters=TWO,
        pair=Neighbours(
            "evicted",
            {"k0": HIGH, "k1": HIGH, "z": 1},
            {"k0": HIGH, "k1": HIGH},
            "one element evicts a high counter and takes over its count",
        ),
        profile=partial(one_side_profile, **TWO),
        explanation="Two counters change by their whole height: the two sketches answer alike, and differ in "
        "sensitivity.",
    ),
    MECHANISM.broken(
        id="correlated_misra_gries_merge_sum", title="merged sketches are added and not reduced", change=sums_sketches,
        parameters=_FOUR, pair="many",
        profile=gaussian(symbol("epsilon"), sqrt(_K - _K * _K / (2 * _K + sqrt(_K))) / symbol("sigma")),
        explanation="The sum is monotonic and not k-sparse: one element lowers the four counters of its sketch, and "
        "those of the other tell the shared noise.",
    ),
    # What is wrong is whom it is offered to: users with two elements.
    replace(_TWO_ELEMENTS, pair=replace(_TWO_ELEMENTS.pair, adjacency=AddRemoveUser(c_u=2))),
)  # fmt: skip
