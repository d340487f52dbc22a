"""Central Laplace noise on the histogram of a Poisson sample: a baseline of bharadwaj2022 Section 5.

Under add/remove a scale of 1/epsilon_0 gives epsilon_0 on the sample and ln(1 + p (e^epsilon_0 - 1)) on the population;
under replacement two counts move, and the scale must be 2/epsilon_0.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from mechanisms.baselines.laplace_mechanism import LaplaceMechanism
from mechanisms.calibrator import Calibrator
from mechanisms.gaussian_sparse_histogram.mechanism import grid_for
from mechanisms.histogram import Histogram, Released, validate
from mechanisms.mechanism import BatchMechanism, MechanismSpec, Parameters, of_numbers
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.release import check_scale
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.bharadwaj2022.neighbours import LAPLACE, LAPLACE_REPLACEMENT
from proofs_numeric.bharadwaj2022.section_5 import baselines
from proofs_numeric.expression import sqrt, symbol
from proofs_numeric.statements.neighbours import Direction, Neighbours

UNIVERSE = ("k0", "k1")


@dataclass(frozen=True)
class CentralLaplace(BatchMechanism):
    """Noisy sampled counts of a universe fixed in advance.

    Attributes:
        noisy: the Laplace mechanism on the sample.
        p: probability that a client is in the sample, 0 < p <= 1.
    """

    noisy: LaplaceMechanism
    p: float = 1.0

    def __post_init__(self) -> None:
        """Refuse a rate that is none."""
        check_sampling(self.p)

    releases_only_input_keys = False
    """No: the whole universe is released."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases: one column a key of the universe."""
        validate(histogram)
        keys, noise = self.noisy.release_many({}, n, rng)
        counts = [histogram.get(key, 0) for key in keys]
        # Whole counts keep the noise on its grid.
        return keys, noise + rng.binomial(counts, self.p, size=noise.shape)


def check_sampling(p: float) -> None:
    """Refuse a sampling probability outside (0, 1]; 1 means everybody."""
    if not 0 < p <= 1:
        raise ValueError(f"expected a sampling probability 0 < p <= 1, got p={p}")


def laplace(scale: Value) -> LaplaceMechanism:
    """Laplace noise of this scale (counts) on the universe, rounded to a grid below the scale and dividing 1."""
    b = check_scale("b", scale)
    return LaplaceMechanism(UNIVERSE, b, min(1.0, grid_for(b)))


@of_numbers
def build(*, epsilon_0: Value, p: Value = 1) -> CentralLaplace:
    """Scale 1/epsilon_0 on a Poisson sample."""
    epsilon = Fraction(epsilon_0)
    if epsilon <= 0:
        raise ValueError(f"expected epsilon_0 > 0 (nats), got epsilon_0={epsilon_0}")
    return CentralLaplace(laplace(1 / epsilon), float(Fraction(p)))


@of_numbers
def build_replacement(*, b: Value) -> CentralLaplace:
    """Scale b on all clients."""
    return CentralLaplace(laplace(b))


def sampled_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, epsilon_0: Value, p: Value) -> Any:
    """Exact profile of one client against none, epsilon >= 0."""
    delta = baselines.laplace_forward if direction is Direction.FORWARD else baselines.laplace_backward
    return delta(A, epsilon=A.number(epsilon), epsilon_0=Fraction(epsilon_0), p=Fraction(p))


def moved_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, b: Value) -> Number:
    """Exact profile of one client moved between two items, the same both ways, epsilon >= 0."""
    del direction
    return baselines.laplace_replacement(A, epsilon=A.number(epsilon), b=A.number(Fraction(b)))


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of an item with one client on the left against an empty one."""
    exact = partial(sampled_profile, epsilon_0=Fraction(parameters["epsilon_0"]), p=Fraction(parameters.get("p", 1)))
    return ExactLaw(exact) if any(neighbours.changes == {key: (1, 0)} for key in UNIVERSE) else ExactLaw()


def law_replacement(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of one client who moves between the two items, whatever their counts."""
    moves = neighbours.changes
    is_supported = set(moves) == set(UNIVERSE) and sorted(left - right for left, right in moves.values()) == [-1, 1]
    return ExactLaw(partial(moved_profile, b=Fraction(parameters["b"]))) if is_supported else ExactLaw()


MECHANISMS = (
    MechanismSpec(
        id="central_laplace", title="Central Laplace noise on a Poisson sample", build=build,
        parameters={"epsilon_0": 2, "p": "3/10"}, guarantee_claim="bharadwaj2022.base.laplace",
        source="bharadwaj2022, Section 5", privacy=LAPLACE, law=law,
    ),
    MechanismSpec(
        id="central_laplace_replacement", title="Central Laplace noise, neighbours by replacement",
        build=build_replacement, parameters={"b": 2}, guarantee_claim="bharadwaj2022.base.laplace.replacement",
        source="bharadwaj2022, Section 5", privacy=LAPLACE_REPLACEMENT, law=law_replacement,
    ),
)  # fmt: skip

CALIBRATORS = (
    Calibrator(id="central_laplace", claim="bharadwaj2022.base.laplace", release="sampled_counts", users={}),
    Calibrator(
        id="central_laplace_replacement", claim="bharadwaj2022.base.laplace.replacement", release="known_keys_replaced",
        users={}, noise="b", deviation=sqrt(2) * symbol("b"),
    ),
)  # fmt: skip
