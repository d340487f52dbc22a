"""Permute-and-flip: keys in random order, the first whose coin e^((count - largest)/beta) shows heads.

The same law as the largest count plus exponential noise of scale beta (rogers2024, Section 4.2.1). Monotone counts of
one user make it 1/beta-DP.
"""

from dataclasses import replace
from functools import partial
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from mechanisms.baselines.exponential_mechanism import CALIBRATOR as ONE_PICK
from mechanisms.baselines.exponential_mechanism import Selection, law_of
from mechanisms.histogram import Histogram
from mechanisms.mechanism import MechanismSpec, of_numbers
from mechanisms.unknown_domain.release import check_scale
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.rogers2024.neighbours import SELECTED_AMONG, SELECTION
from proofs_numeric.statements.concentrated import FiniteLaw


class PermuteAndFlip(Selection):
    """The first head in a random order."""

    def choose(self, scores: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Indices of n choices: among the heads, the one that comes first in a uniformly random order."""
        heads = rng.random((n, scores.size)) < np.exp(scores - scores.max())
        return np.asarray(np.argmax(np.where(heads, rng.random((n, scores.size)), -1.0), axis=1))


@of_numbers
def build(*, beta: Value) -> PermuteAndFlip:
    """Permute-and-flip on the universe a, b, c."""
    return PermuteAndFlip(SELECTED_AMONG, check_scale("beta", beta))


def choices(A: Arithmetic, *, counts: Histogram, beta: Value) -> FiniteLaw[str]:
    """Exact probabilities, over all orders."""
    largest = max(counts.get(key, 0) for key in SELECTED_AMONG)
    heads = {key: A.exp((A.number(counts.get(key, 0)) - largest) / A.number(beta)) for key in SELECTED_AMONG}
    probabilities = dict.fromkeys(SELECTED_AMONG, A.number(0))
    orders = list(permutations(SELECTED_AMONG))
    for order in orders:
        left = A.number(1) / len(orders)
        for key in order:
            probabilities[key] = probabilities[key] + left * heads[key]
            left = left * (1 - heads[key])
    return probabilities


MECHANISM = MechanismSpec(
    id="permute_and_flip", title="Permute-and-flip over a declared universe", build=build, parameters={"beta": 1},
    guarantee_claim="rogers2024.thm2.profile", privacy=SELECTION, law=partial(law_of, choices),
    source="rogers2024, Section 4.2.1",
)  # fmt: skip

CALIBRATOR = replace(ONE_PICK, id=MECHANISM.id)
