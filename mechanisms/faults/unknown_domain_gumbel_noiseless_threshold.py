"""Algorithm 3 compares with T + c_(k_bar+1) without noise."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.gumbel import mechanism as correct
from mechanisms.unknown_domain.pairs import finite, labels, users
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class NoiselessThreshold(correct.UnknownDomainGumbel):
    """Algorithm 3 with an exact threshold."""

    def bar(self, next_count: int, n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """The same threshold in every release."""
        del rng
        return np.full((n, 1), self.threshold + next_count)


def build(*, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> NoiselessThreshold:
    """Algorithm 3 with an exact threshold."""
    return NoiselessThreshold(**vars(correct.build(k_bar=k_bar, k=k, beta=beta, delta=delta)))


def law(A: Any, *, next_count: int) -> dict[str, Any]:
    """K = 1, twenty items of count 5: bottom with probability exp(-20 e^(5 - T - next)), else each item alike."""
    T = correct.threshold(A, k_bar=20, beta=1, delta="1/20")
    bottom = A.exp(-20 * A.exp(5 - T - next_count))
    return {"bottom": bottom, **dict.fromkeys(labels(20), (1 - bottom) / 20)}


_PARAMETERS: Parameters = {"k_bar": 20, "k": 1, "beta": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_gumbel_noiseless_threshold",
    title="threshold without noise",
    mechanism="unknown_domain_gumbel",
    violates="rogers2024.thm9.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "c5",
        dict.fromkeys(labels(20), 5) | {"zz": 1},
        dict.fromkeys(labels(20), 5),
        "only the threshold moves, under twenty items",
        users({}),
        partial(finite, left=partial(law, next_count=1), right=partial(law, next_count=0)),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation=(
        "New-item pairs pass; but one user moves an exact threshold, and an empty list is far more likely on one side."
    ),
)
