"""The exponential mechanism over a declared universe: one key, chosen in proportion to e^(count / beta).

Counts of one added or removed user are a score of range 1, so the mechanism is 1/beta-DP and 1/(8 beta^2)-CDP.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.calibrator import Calibrator
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.profiles import finite
from mechanisms.unknown_domain.release import check_scale
from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.rogers2024.neighbours import SELECTED_AMONG, SELECTION
from proofs_numeric.statements.concentrated import FiniteLaw
from proofs_numeric.statements.neighbours import Neighbours


@dataclass(frozen=True)
class Selection(BatchMechanism):
    """A mechanism that releases one key of a declared universe, with value 1.

    Attributes:
        universe: keys that may be chosen, whoever is in them.
        scale: beta (counts).
    """

    universe: tuple[str, ...]
    scale: float

    releases_only_input_keys = False
    """No: a key of the universe may be chosen with nobody in it."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent choices: one column a key, 1 where chosen, NaN elsewhere."""
        validate(histogram)
        counts = np.array([histogram.get(key, 0) for key in self.universe], dtype=np.float64)
        values = np.full((n, counts.size), np.nan)
        values[np.arange(n), self.choose(counts / self.scale, n, rng)] = 1.0
        return self.universe, values

    def choose(self, scores: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.intp]:
        """Indices of n choices; `scores` are counts over beta."""
        weights = np.exp(scores - scores.max())
        return np.searchsorted(np.cumsum(weights) / weights.sum(), rng.random(n), side="right")


@of_numbers
def build(*, beta: Value) -> Selection:
    """The exponential mechanism on the universe a, b, c."""
    return Selection(SELECTED_AMONG, check_scale("beta", beta))


def choices(A: Arithmetic, *, counts: Histogram, beta: Value) -> FiniteLaw[str]:
    """Exact probabilities."""
    weights = {key: A.exp(A.number(counts.get(key, 0)) / A.number(beta)) for key in SELECTED_AMONG}
    total = A.sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def law_of(choices: Callable[..., FiniteLaw[str]], neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of a selection with these probabilities of choices."""
    left, right = (
        partial(choices, counts=side, beta=parameters["beta"]) for side in (neighbours.left, neighbours.right)
    )
    return ExactLaw(partial(finite, left=left, right=right))


MECHANISM = MechanismSpec(
    id="exponential_mechanism", title="Exponential mechanism over a declared universe", build=build,
    parameters={"beta": 1}, guarantee_claim="rogers2024.thm2.profile", privacy=SELECTION, law=partial(law_of, choices),
    source="rogers2024, Theorems 2 and 5",
)  # fmt: skip

CALIBRATOR = Calibrator(id=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="picks", users={}, noise="beta")
