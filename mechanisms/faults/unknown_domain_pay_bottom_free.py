"""Algorithm 4 does not pay for bottoms."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.gumbel import mechanism as unknown_domain_gumbel
from mechanisms.unknown_domain.pairs import finite, users
from mechanisms.unknown_domain.pay_what_you_get import mechanism as correct
from mechanisms.unknown_domain.release import encode
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class BottomFree(correct.PayWhatYouGet):
    """Algorithm 4 that pays for labels only."""

    def paid(self, ranks: NDArray[np.float64]) -> NDArray[np.int64]:
        """Labels printed, bottom left out."""
        return super().paid(ranks[:, :-1])


def build(*, l_star: Exact, k_star: Exact, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> BottomFree:
    """Algorithm 4 that pays for labels only."""
    return BottomFree(**vars(correct.build(l_star=l_star, k_star=k_star, k_bar=k_bar, k=k, beta=beta, delta=delta)))


def law(A: Any, *, next_count: int) -> dict[str, Any]:
    """How many bottoms come before the first label, in twenty queries with k* = 1."""
    T = unknown_domain_gumbel.threshold(A, k_bar=1, beta=1, delta="1/10000")
    odds = A.exp(9 - T - next_count)
    quiet = 1 / (1 + odds)
    stops = {str(i): quiet**i * (1 - quiet) for i in range(20)}
    return {**stops, "never": quiet**20}


_PARAMETERS: Parameters = {"l_star": 20, "k_star": 1, "k_bar": 1, "k": 1, "beta": 1, "delta": "1/10000"}

FAULT = Fault(
    id="unknown_domain_pay_bottom_free",
    title="bottoms are free",
    mechanism="unknown_domain_pay_what_you_get",
    violates="rogers2024.thm10.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "d.bottoms",
        encode([{"b": 9, "c": 1}] * 20),
        encode([{"b": 9}] * 20),
        "only the threshold moves, in twenty queries that mostly print bottom",
        users({}),
        partial(finite, left=partial(law, next_count=1), right=partial(law, next_count=0)),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Every bottom is a pick of the exponential mechanism: here twenty are had for the price of one.",
)
