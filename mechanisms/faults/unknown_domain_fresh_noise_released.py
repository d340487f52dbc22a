"""Laplace: the decision uses one noise, the release a fresh one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.gaussian_sparse_histogram.mechanism import round_to_grid
from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import laplace as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import users
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class FreshNoise(UnknownDomainHistogram):
    """Algorithm 1 with two draws an item."""

    def threshold_values(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Decide with one noise, show another."""
        decided, shown = (counts + self.noise(rng, (n, counts.size), scale=self.scale) for _draw in range(2))
        return self.held_back(decided, round_to_grid(shown, self.grid))


def build(*, delta_0: Exact, delta_inf: Exact, b: Exact, delta: Exact) -> FreshNoise:
    """Algorithm 1 with two draws an item; T is moved to the nearest count."""
    mechanism = correct.build(delta_0=delta_0, delta_inf=delta_inf, b=b, delta=delta)
    return FreshNoise(**(vars(mechanism) | {"threshold": float(np.ceil(mechanism.threshold))}))


def profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """Counts 4 and 3 at T = 4, scale 1: shown with probability 1/2 and e^-1/2, then a fresh Laplace value.

    Where the value lies above 4 both ratios point the same way: left is e^2 times as likely; between 3 and 4 the ratio
    is e^(2 y - 6), below 3 one; silence is less likely in left. For epsilon >= 0.
    """
    e, growth = A.exp(A.number(1)), A.exp(A.number(epsilon))
    if direction is Direction.BACKWARD:
        return A.maximum(0, (1 - 1 / (2 * e)) - growth / 2)
    above = A.maximum(0, A.number(1) / 4 - growth / (4 * e * e))
    # P has density e^(y-4)/4 and Q e^(3-y)/(4 e) between 3 and 4; P leads from y = (6 + epsilon)/2 on.
    start = A.minimum(4, A.maximum(3, (6 + A.number(epsilon)) / 2))
    between = (1 - A.exp(start - 4)) / 4 - growth / (4 * e) * (A.exp(3 - start) - A.exp(A.number(-1)))
    return above + between


_PARAMETERS: Parameters = {"delta_0": 1, "delta_inf": 1, "b": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_fresh_noise_released",
    title="a fresh noise is released",
    mechanism="unknown_domain_laplace",
    violates="rogers2024.rem7.dp_route.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "a1.lapedge",
        {"a": 4},
        {"a": 3},
        "a shared count at the threshold: the decision and the value leak one epsilon each",
        users(_PARAMETERS),
        profile,
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation=(
        "The decision and the value are two releases: the log ratio reaches twice epsilon, (1 - "
        "e^(-epsilon/2))/2 remains."
    ),
)
