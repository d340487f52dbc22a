"""Algorithm 2 compares with T alone, without the count c_(k_bar+1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.noise import normal
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import disjoint, users
from mechanisms.unknown_domain.top import mechanism as correct
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class NextCountIgnored(correct.UnknownDomainTop):
    """Algorithm 2 with the threshold of Algorithm 1."""

    def bar(self, next_count: int, n: int, items: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noisy thresholds about T."""
        del next_count, items
        return self.threshold + normal.sample(rng, (n, 1), scale=self.scale)


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> NextCountIgnored:
    """Algorithm 2 with the threshold of Algorithm 1."""
    return NextCountIgnored(
        **vars(correct.build(k_bar=k_bar, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta))
    )


_PARAMETERS: Parameters = {"k_bar": 1, "delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_top_next_count_ignored",
    title="threshold without the next count",
    mechanism="unknown_domain_top",
    violates="rogers2024.thm8.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "b4",
        {"z": 100, "b": 99},
        {"z": 99, "b": 99},
        "the top item loses its place to an equal one; both are far above T (up to Phi(-60))",
        users(_PARAMETERS),
        disjoint,
    ),
    direction=Direction.FORWARD,
    epsilon=5,
    explanation=(
        "An item can enter the top with any count; only items within Delta_inf of the next count are hidden by T."
    ),
)
