"""A Space-Saving sketch in place of a Misra-Gries one: the newcomer inherits the count of the counter it evicts."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.correlated_stability_histogram.pairs import far_count
from mechanisms.faults.correlated_top_k_without_subtraction import profile
from mechanisms.mechanism import Fault
from mechanisms.misra_gries import mechanism as correct
from mechanisms.pair import Pair
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mechanisms.mechanism import Exact


class SpaceSaving(correct.MisraGriesRelease):
    """Metwally, Agrawal and El Abbadi 2005, released like a Misra-Gries sketch."""

    def sketch(self, *streams: Iterable[str]) -> dict[str, int]:
        """One sketch of all streams; of equal least counters the first by name goes."""
        counters: dict[str, int] = {}
        for element in (element for stream in streams for element in stream):
            inherited = 0
            if element not in counters and len(counters) == self.inner.k:
                inherited = counters.pop(min(counters, key=lambda key: (counters[key], key)))
            counters[element] = counters.get(element, inherited) + 1
        return counters


def build(*, k: Exact, sigma: Exact, gap: Exact) -> SpaceSaving:
    """The other sketch of k counters."""
    return SpaceSaving(**vars(correct.build(k=k, sigma=sigma, gap=gap)))


_PARAMETERS = {"k": 2, "sigma": 4, "gap": 20}
_COUNT = far_count(threshold=Fraction(21), sigma=Fraction(4))
_HIGH = {"k0": _COUNT, "k1": _COUNT}

FAULT = Fault(
    id="correlated_misra_gries_space_saving",
    title="Space-Saving is taken for Misra-Gries",
    mechanism="misra_gries",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "evicted",
        _HIGH | {"z": 1},
        _HIGH,
        "one element evicts a high counter and takes over its count",
        correct.adjacency(_PARAMETERS),
        partial(profile, count=_COUNT, k=2, sigma=4, gap=20),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Two counters change by their whole height: the two sketches answer alike, and differ in sensitivity.",
)
