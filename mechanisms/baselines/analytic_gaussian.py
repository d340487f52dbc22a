"""The Gaussian mechanism over a declared universe of keys: every noisy count is released, rounded to a declared grid.

Statement: C + v for every key of the universe, v ~ N(0, 1/mu^2) independent. A user who changes one count by one moves
the mean by mu standard deviations, and the exact delta is f(mu, epsilon) (wilkins2024 Theorem 2.2).
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for, round_to_grid
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.laws.privacy_loss import GaussianLoss
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.noise import normal
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression import symbol
from proofs_numeric.statements.neighbours import Direction, Neighbours
from proofs_numeric.wilkins2024.neighbours import GAUSSIAN

UNIVERSE = ("k0", "k1")
"""The keys that `build` declares."""


@dataclass(frozen=True)
class AnalyticGaussian(BatchMechanism):
    """Noisy counts of a universe fixed in advance.

    Attributes:
        universe: the keys released, whoever is in them; keys of the input outside it are ignored.
        sigma: standard deviation, finite and > 0 (users).
        grid: released values are rounded to the nearest multiple; a power of two.
    """

    universe: tuple[str, ...]
    sigma: float
    grid: float = 2.0**-10

    def __post_init__(self) -> None:
        """Refuse a scale that is no scale."""
        if not 0 < self.sigma < math.inf:
            raise ValueError(f"expected 0 < sigma < infinity (users), got sigma={self.sigma}")

    releases_only_input_keys = False
    """No: a key of the universe is released with nobody in it."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key of the universe, in its order.

        Raises:
            ValueError: the histogram is not one.
        """
        validate(histogram)
        counts = np.array([histogram.get(key, 0) for key in self.universe], dtype=np.float64)
        noise = normal.sample(rng, (n, counts.size), scale=self.sigma)
        return self.universe, round_to_grid(counts + noise, self.grid)


@of_numbers
def build(*, mu: Value) -> AnalyticGaussian:
    """Noise of standard deviation 1/mu on `UNIVERSE`.

    Args:
        mu: distance of neighbours in standard deviations, > 0.
    """
    if Fraction(mu) <= 0:
        raise ValueError(f"expected mu > 0 (no unit), got mu={mu}")
    sigma = float(1 / Fraction(mu))
    return AnalyticGaussian(UNIVERSE, sigma, grid_for(sigma))


def profile(A: Arithmetic, epsilon: Number, direction: Direction, *, mu: Value) -> Any:
    """f(mu, epsilon) in both directions: the two laws are mirror images."""
    del direction
    return gaussian_profile(A, A.number(epsilon), A.number(mu))


def loss(direction: Direction, *, mu: Value) -> GaussianLoss:
    """Privacy loss of one normal moved by mu standard deviations: the same in both directions."""
    del direction
    return GaussianLoss(float(Fraction(mu)))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law on neighbours one record apart in one key of the universe; none on others."""
    if sorted(abs(neighbours.left.get(key, 0) - neighbours.right.get(key, 0)) for key in UNIVERSE) != [0, 1]:
        return ExactLaw()
    mu = parameters["mu"]
    return ExactLaw(partial(profile, mu=mu), partial(loss, mu=mu))


MECHANISM = MechanismSpec(
    id="analytic_gaussian", title="Gaussian mechanism over a declared universe", build=build, parameters={"mu": 1},
    guarantee_claim="wilkins2024.thm2.2", source="wilkins2024, Definition 2.4 and Theorem 2.2", privacy=GAUSSIAN,
    law=law,
)  # fmt: skip


CALIBRATOR = Calibrator(
    id=MECHANISM.id, claim="standard.gaussian.composition", release="known_keys", users={"k": "keys"}, noise="sigma",
    deviation=symbol("sigma"), least={"sigma": "thresholds.gaussian.sigma", "epsilon": "thresholds.gaussian.epsilon"},
)  # fmt: skip
CALIBRATORS = (
    Calibrator(
        id=f"{MECHANISM.id}_distance", mechanism=MECHANISM.id, claim=MECHANISM.guarantee_claim, release="distances",
        users={},
    ),
)  # fmt: skip
"""The largest distance, in standard deviations of the noise."""
