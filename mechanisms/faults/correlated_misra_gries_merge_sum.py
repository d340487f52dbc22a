"""Two Misra-Gries sketches are added and released with noise for k counters: the merge is not reduced."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram import mechanism as csh
from mechanisms.correlated_stability_histogram.pairs import far_count
from mechanisms.mechanism import Fault
from mechanisms.misra_gries import mechanism as correct
from mechanisms.pair import Pair
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.sketches import misra_gries, sum_only
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mechanisms.mechanism import Exact

_K = 4


class NoiseForOneSketch(csh.CorrelatedStabilityHistogram):
    """Algorithm 2 that takes the counters of two sketches, with the shared noise of one."""

    @property
    def shared_scale(self) -> float:
        """Deviation for half of k."""
        return self.sigma / math.sqrt(math.sqrt(self.k / 2))


class SumsSketches(correct.MisraGriesRelease):
    """The elements whose names begin with y are sketched apart, and the sketches are added."""

    def sketch(self, *streams: Iterable[str]) -> dict[str, int]:
        """Up to 2k counters."""
        elements, k = [element for stream in streams for element in stream], self.inner.k // 2
        halves = ([e for e in elements if e.startswith("y") is side] for side in (True, False))
        return sum_only([misra_gries(half, k) for half in halves], k)


def build(*, k: Exact, sigma: Exact, gap: Exact) -> SumsSketches:
    """Sketches of k counters, added."""
    inner = csh.build(k=k, sigma=sigma, gap=gap)
    return SumsSketches(NoiseForOneSketch(**(vars(inner) | {"k": 2 * inner.k})))


def profile(A: Any, epsilon: Any, _direction: Direction, *, k: int, sigma: int) -> Any:
    """K of 2k counters changed, shared noise for k: ``mu^2 = (k - k^2/(2k + sqrt(k)))/sigma^2``."""
    root = A.sqrt(A.number(k))
    return gaussian_profile(A, A.number(epsilon), A.sqrt(k - A.number(k * k) / (2 * k + root)) / sigma)


_PARAMETERS = {"k": _K, "sigma": 2, "gap": 20}
_FAR = far_count(threshold=Fraction(21), sigma=Fraction(2))
_HIGH = {f"{name}{i}": _FAR for name in "ky" for i in range(_K)}

FAULT = Fault(
    id="correlated_misra_gries_merge_sum",
    title="merged sketches are added and not reduced",
    mechanism="misra_gries",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "all",
        _HIGH,
        _HIGH | {"z": 1},
        "one element lowers the four counters of its sketch; the four of the other tell the shared noise",
        correct.adjacency(_PARAMETERS),
        partial(profile, k=_K, sigma=2),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="The sum is monotonic and not k-sparse: unchanged counters beside all k changed ones.",
)
