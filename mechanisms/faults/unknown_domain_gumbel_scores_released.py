"""Algorithm 3 (k = 1) prints the noisy count of the item it picks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.mechanism import Fault
from mechanisms.noise import gumbel
from mechanisms.pair import Pair
from mechanisms.unknown_domain.gumbel import mechanism as correct
from mechanisms.unknown_domain.pairs import users
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact, Parameters


class ScoresReleased(correct.UnknownDomainGumbel):
    """Algorithm 3 that shows the largest noisy count."""

    def ranks(
        self, counts: NDArray[np.float64], next_count: int, places: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """The noisy count, on a grid of 1/1024, of the first pick instead of its rank."""
        n = places.size
        noisy = counts + gumbel.sample(rng, (n, counts.size), scale=self.scale)
        best = noisy.max(axis=1, keepdims=True)
        shown = np.where((noisy == best) & (best > self.bar(next_count, n, rng)), np.rint(noisy * 1024) / 1024, np.nan)
        bottom = np.where(np.isnan(shown).all(axis=1), 1.0, np.nan)
        return np.concatenate([shown, bottom[:, None]], axis=1)


def build(*, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> ScoresReleased:
    """Algorithm 3 that shows the largest noisy count."""
    return ScoresReleased(**vars(correct.build(k_bar=k_bar, k=k, beta=beta, delta=delta)))


def profile(A: Any, epsilon: Any, direction: Direction) -> Any:
    """One count far above T that moves by one: Gumbel laws one scale apart, exact up to e^-30.

    The log ratio is 1 - (e - 1) u with u = e^-x, bounded above by 1 and unbounded below.
    """
    e, level = A.exp(A.number(1)), A.number(epsilon)
    if direction is Direction.FORWARD:
        u = A.maximum(0, (1 - level) / (e - 1))
        return A.maximum(0, -A.expm1(-u * e) + A.exp(level) * A.expm1(-u))
    u = (1 + level) / (e - 1)
    return A.exp(-u) - A.exp(level - e * u)


_PARAMETERS: Parameters = {"k_bar": 1, "k": 1, "beta": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_gumbel_scores_released",
    title="noisy counts are released",
    mechanism="unknown_domain_gumbel",
    violates="rogers2024.thm9.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "c.high",
        {"a": 51},
        {"a": 50},
        "one count far above the threshold moves",
        users({}),
        profile,
    ),
    direction=Direction.BACKWARD,
    epsilon=1,
    explanation="The exponential mechanism protects the choice, not the noisy score: its law has no bounded ratio.",
)
