"""Permute-and-flip: keys in random order, the first whose coin e^((count - largest)/beta) shows heads.

The same law as the largest count plus exponential noise of scale beta (rogers2024, Section 4.2.1). Monotone counts of
one user make it 1/beta-DP.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.baselines.exponential_mechanism import UNIVERSE, Selection, pairs_with
from mechanisms.mechanism import MechanismSpec, of_numbers, of_pairs
from mechanisms.unknown_domain.pairs import users
from mechanisms.unknown_domain.release import check_scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact
    from proofs_numeric.statements.concentrated import FiniteLaw


class PermuteAndFlip(Selection):
    """The first head in a random order."""

    def choose(self, scores: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Indices of n choices: among the heads, the one that comes first in a uniformly random order."""
        heads = rng.random((n, scores.size)) < np.exp(scores - scores.max())
        return np.asarray(np.argmax(np.where(heads, rng.random((n, scores.size)), -1.0), axis=1))


@of_numbers
def build(*, beta: Exact) -> PermuteAndFlip:
    """Permute-and-flip on the universe a, b, c."""
    return PermuteAndFlip(UNIVERSE, check_scale("beta", beta))


def law(A: Any, *, counts: dict[str, int], beta: Exact) -> FiniteLaw[str]:
    """Exact probabilities, over all orders."""
    largest = max(counts.get(key, 0) for key in UNIVERSE)
    heads = {key: A.exp((A.number(counts.get(key, 0)) - largest) / A.number(beta)) for key in UNIVERSE}
    probabilities = dict.fromkeys(UNIVERSE, A.number(0))
    orders = list(permutations(UNIVERSE))
    for order in orders:
        left = A.number(1) / len(orders)
        for key in order:
            probabilities[key] = probabilities[key] + left * heads[key]
            left = left * (1 - heads[key])
    return probabilities


MECHANISM = MechanismSpec(
    id="permute_and_flip",
    title="Permute-and-flip over a declared universe",
    build=build,
    parameters={"beta": 1},
    guarantee_claim="rogers2024.thm2.profile",
    **of_pairs(users, pairs_with(law)),
    source="rogers2024, Section 4.2.1",
)
