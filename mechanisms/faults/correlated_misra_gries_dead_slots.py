"""A Misra-Gries sketch whose counters keep their slots when they have fallen to zero."""

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


class DeadSlots(correct.MisraGriesRelease):
    """Only the first k different elements are ever counted."""

    def sketch(self, *streams: Iterable[str]) -> dict[str, int]:
        """One sketch of all streams, zeros left out at the end."""
        counters: dict[str, int] = {}
        for element in (element for stream in streams for element in stream):
            if element in counters or len(counters) < self.inner.k:
                counters[element] = counters.get(element, 0) + 1
            else:
                counters = {key: max(0, count - 1) for key, count in counters.items()}
        return {key: count for key, count in counters.items() if count}


def build(*, k: Exact, sigma: Exact, gap: Exact) -> DeadSlots:
    """Sketches of k counters that are not given away."""
    return DeadSlots(**vars(correct.build(k=k, sigma=sigma, gap=gap)))


_PARAMETERS = {"k": 2, "sigma": 4, "gap": 20}
_COUNT = far_count(threshold=Fraction(21), sigma=Fraction(4))
_HIGH = {"k0": _COUNT, "k2": _COUNT}

FAULT = Fault(
    id="correlated_misra_gries_dead_slots",
    title="counters that have fallen to zero keep their slots",
    mechanism="misra_gries",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "dead",
        _HIGH | {"k1": 1},
        _HIGH,
        "one element takes the second slot for good: what comes after it lowers the first counter and is not counted",
        correct.adjacency(_PARAMETERS),
        partial(profile, count=_COUNT, k=2, sigma=4, gap=20),
    ),
    direction=Direction.BACKWARD,
    epsilon=1,
    explanation="A slot that one user blocks decides which elements are counted at all.",
)
