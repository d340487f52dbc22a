"""Algorithm 2 draws the threshold's noise afresh for each item."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.noise import normal
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import counting, labels, users
from mechanisms.unknown_domain.top import mechanism as correct
from mechanisms.unknown_domain.top.pairs import threshold
from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class NoisePerItem(correct.UnknownDomainTop):
    """Algorithm 2 with a threshold noise for each item."""

    def bar(self, next_count: int, n: int, items: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy thresholds of shape (n, items)."""
        return self.threshold + next_count + normal.sample(rng, (n, items), scale=self.scale)


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> NoisePerItem:
    """Algorithm 2 with a threshold noise for each item."""
    return NoisePerItem(
        **vars(correct.build(k_bar=k_bar, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta))
    )


def passing(A: Any, *, next_count: int) -> Any:
    """Probability that an item of count 8 is released."""
    T = threshold(A, delta_0=1, delta_inf=1, sigma=1, delta="1/20")
    return normal_cdf(A, (8 - next_count - T) / A.sqrt(2))


_PARAMETERS: Parameters = {"k_bar": 60, "delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_top_threshold_noise_per_item",
    title="threshold noise for each item",
    mechanism="unknown_domain_top",
    violates="rogers2024.thm8.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "b2",
        dict.fromkeys(labels(60), 8) | {"zz": 5},
        dict.fromkeys(labels(60), 8) | {"zz": 4},
        "only the threshold moves, under sixty items",
        users(_PARAMETERS),
        partial(counting, items=60, left=partial(passing, next_count=5), right=partial(passing, next_count=4)),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation=(
        "Independent comparisons average the threshold's noise away: the loss grows with the number of "
        "items, not with Delta_0."
    ),
)
