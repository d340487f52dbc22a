"""Algorithm 3 without its pre-processing: more than k counters share noise that was scaled for k."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram import mechanism as csh
from mechanisms.correlated_stability_histogram.pairs import far_count
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.top_k import mechanism as correct
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact

_PRESENT = 8


class NoiseForOne(csh.CorrelatedStabilityHistogram):
    """Algorithm 2 that takes more counters than its noise is made for."""

    @property
    def shared_scale(self) -> float:
        """Deviation for k = 1."""
        return self.sigma


def build(*, k: Exact, sigma: Exact, gap: Exact) -> NoiseForOne:
    """Algorithm 2 with the noise of k = 1 on up to eight counters."""
    return NoiseForOne(**(vars(csh.build(k=k, sigma=sigma, gap=gap)) | {"k": _PRESENT}))


def profile(A: Any, epsilon: Any, _direction: Direction, *, j: int, sigma: int) -> Any:
    """J of eight counters changed, own and shared noise of variance sigma^2: ``mu^2 = (j - j^2/9)/sigma^2``."""
    return gaussian_profile(A, epsilon, A.sqrt(j - A.number(j * j) / (_PRESENT + 1)) / sigma)


_PARAMETERS = {"k": 1, "sigma": 2, "gap": 20}
_FAR = far_count(threshold=Fraction(21), sigma=Fraction(2))
_RIGHT = {f"k{i}": _FAR for i in range(_PRESENT)}

FAULT = Fault(
    id="correlated_top_k_skipped",
    title="the reduction to k counters is skipped",
    mechanism="top_k",
    violates="lebeda2025.csh.exact",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "n2",
        _RIGHT | {f"k{i}": _FAR + 1 for i in range(4)},
        _RIGHT,
        "eight counters far above the threshold, half of them changed, where k = 1 was promised",
        correct.adjacency(_PARAMETERS),
        partial(profile, j=4, sigma=2),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Noise for one counter hides a change of one; four of eight are 2.4 times as far apart.",
)
