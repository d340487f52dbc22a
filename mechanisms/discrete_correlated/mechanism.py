"""The discrete correlated stability histogram: Algorithm 4 of lebeda2025 on the support, then the threshold.

Z ~ N_Z(0, 4 sigma^2/sqrt(k)) and Z_i ~ N_Z(0, 4 sigma^2) are discrete Gaussians on the integers; a counter is released
as H_i + (Z + Z_i)/2, in half-integer steps, unless it is at most 1 + tau (Theorem 21). On a grid the comparison
matters: it is a field, and ">" is the paper's.

``release`` draws exactly (rational arithmetic); ``release_many`` inverts a table of doubles. For k that is no square
the exact sampler uses the least multiple of 2^-64 at or above 1/sqrt(k): a little more shared noise, never less.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.correlated_stability_histogram.law import moves
from mechanisms.correlated_stability_histogram.mechanism import CALIBRATOR as CONTINUOUS
from mechanisms.correlated_stability_histogram.mechanism import check_sparsity, columns_of, sparsity
from mechanisms.histogram import Histogram, Released, check_releases
from mechanisms.laws.privacy_loss import AtomLoss
from mechanisms.mechanism import Boundary, MechanismSpec, Parameters, of_numbers
from mechanisms.noise.discrete_gaussian import Table, sample
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.lebeda2025.discrete import release_probability
from proofs_numeric.lebeda2025.neighbours import DISCRETE
from proofs_numeric.lebeda2025.theorem_21.enumeration import exact_delta_by_enumeration
from proofs_numeric.statements.neighbours import Direction, Neighbours

_LEAST_SIGMA, _LARGEST_SIGMA = Fraction(1, 100), 10**5
_LARGEST_GAP = 2**51
"""Beyond, doubles do not hold the half-integers that are compared with the threshold."""


@dataclass(frozen=True)
class DiscreteCorrelated:
    """Theorem 21's mechanism.

    Attributes:
        k: sparsity bound (counters).
        sigma: noise parameter (users); own noise has parameter 2 sigma in half units.
        gap: threshold above 1 (users).
        boundary: whether a noisy count equal to 1 + gap passes.
    """

    k: int
    sigma: Fraction
    gap: Fraction
    boundary: Boundary = Boundary.EXCLUSIVE
    releases_only_input_keys = True

    def __post_init__(self) -> None:
        """Refuse what is no dimension, or a scale whose table would not fit or hold a single step."""
        check_sparsity(self.k)
        for name, value in (("sigma", self.sigma), ("gap", self.gap)):
            if isinstance(value, bool) or not isinstance(value, Rational):
                what = f"expected an exact {name} (users), an integer or a Fraction"
                raise ValueError(f"{what}, got {name}={value!r}")  # noqa: TRY004 - refused like any other value
        if abs(self.gap) > _LARGEST_GAP:
            raise ValueError("expected -2^51 <= gap <= 2^51 (users), got a gap of larger size; rescale the counts")
        if not _LEAST_SIGMA <= self.sigma <= _LARGEST_SIGMA:
            text = float(self.sigma) if self.sigma <= _LARGEST_SIGMA**2 else "a larger one"
            raise ValueError(
                f"expected {float(_LEAST_SIGMA)} <= sigma <= {_LARGEST_SIGMA} (users) for the sampler's table, "
                f"got sigma={text}; rescale the counts"
            )

    @property
    def own_scale(self) -> float:
        """Parameter of Z_i in half units."""
        return 2 * float(self.sigma)

    @property
    def shared_scale(self) -> float:
        """Parameter of Z in half units."""
        return self.own_scale / math.sqrt(math.sqrt(self.k))

    @property
    def shared_variance(self) -> Fraction:
        """Rational ``4 sigma^2/sqrt(k)``, rounded up."""
        root = math.isqrt(self.k)
        inverse = (
            Fraction(1, root) if root * root == self.k else Fraction(math.isqrt((1 << 128) // self.k) + 1, 1 << 64)
        )
        return 4 * self.sigma**2 * inverse

    def release(self, histogram: Histogram, rng: np.random.Generator) -> dict[str, float]:
        """One exact release."""
        keys, counts = columns_of(histogram, k=self.k, grid=0.5)
        shared = sample(rng, variance=self.shared_variance)
        released = {}
        for key, count in zip(keys, counts.tolist(), strict=True):
            noisy = Fraction(int(2 * count) + shared + sample(rng, variance=4 * self.sigma**2), 2)
            if noisy > 1 + self.gap or (self.boundary is Boundary.INCLUSIVE and noisy == 1 + self.gap):
                released[key] = float(noisy)
        return released

    def noise(self, n: int, counters: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Z + Z_i by table, (n, counters), in half units."""
        return Table(self.own_scale).sample(rng, (n, counters)) + Table(self.shared_scale).sample(rng, (n, 1))

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases by table, each draw within `Table`'s total variation; NaN where not released."""
        check_releases(n)
        keys, counts = columns_of(histogram, k=self.k, grid=0.5)
        values = counts + self.noise(n, len(keys), rng) / 2
        threshold = float(1 + self.gap)
        is_withheld = values < threshold if self.boundary is Boundary.INCLUSIVE else values <= threshold
        values[is_withheld] = np.nan
        return keys, values


@of_numbers
def build(*, k: Value, sigma: Value, gap: Value) -> DiscreteCorrelated:
    """Theorem 21's mechanism by its names."""
    return DiscreteCorrelated(k=sparsity(k), sigma=Fraction(sigma), gap=Fraction(gap))


def all_new_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, k: int, sigma: Fraction, gap: Fraction
) -> Number:
    """Exact hockey stick of k new counters: left releases some with probability p, right is always empty."""
    p = release_probability(A, k=k, sigma=A.number(sigma), gap=gap)
    gain = -A.expm1(A.number(epsilon)) * (1 - p)
    return A.maximum(p, p + gain) if direction is Direction.FORWARD else A.maximum(0, p + gain)


def all_new_loss(direction: Direction, *, k: int, sigma: Fraction, gap: Fraction) -> AtomLoss:
    """Privacy loss of N1: no new counter is released, or (left only) one is and the loss is infinite."""
    log_hidden = math.log1p(-float(release_probability(Float64(), k=k, sigma=float(sigma), gap=gap)))
    return AtomLoss(log_hidden, log_hidden) if direction is Direction.FORWARD else AtomLoss(-log_hidden)


def shared_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, k: int, sigma: Fraction, gap: Fraction, j: int
) -> Number:
    """Exact hockey stick of k shared counters far above the threshold, j of them changed, by enumeration in balls."""
    word = "forward" if direction is Direction.FORWARD else "reverse"

    def at(level: Fraction) -> Any:
        return exact_delta_by_enumeration(epsilon=level, k=k, sigma=sigma, gap=gap, l=0, j=j, direction=word)

    if not A.encloses:
        return A.number(as_fraction(at(Fraction(float(epsilon))).mid()))
    level: Any = A.number(epsilon)  # a hockey stick falls in epsilon: it lies between its values at the ends
    return A.between(*(at(as_fraction(end)) for end in (level.lower(), level.upper())))


_ENUMERATED = 20
"""Largest k sigma (users) whose sums are enumerated in a second."""


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Law where all k counters are new, or shared and far above the threshold, if their sums can be enumerated."""
    k, sigma, gap = int(parameters["k"]), Fraction(parameters["sigma"]), Fraction(parameters["gap"])
    changes = moves(neighbours, parameters)
    pair = None if changes is None else changes.among(k)
    if pair == (k, 0):
        at: dict[str, Any] = {"k": k, "sigma": sigma, "gap": gap}
        return ExactLaw(partial(all_new_profile, **at), partial(all_new_loss, **at))
    if pair is None or pair[0] or k * sigma > _ENUMERATED:
        return ExactLaw()
    return ExactLaw(partial(shared_profile, k=k, sigma=sigma, gap=gap, j=pair[1]))


MECHANISM = MechanismSpec(
    id="discrete_correlated", title="discrete correlated stability histogram (Algorithm 4, Theorem 21)", build=build,
    parameters={"k": 4, "sigma": 4, "gap": 12}, guarantee_claim="lebeda2025.thm21",
    source="lebeda2025, Section 7, Algorithm 4; Theorem 21", privacy=DISCRETE, law=law,
)  # fmt: skip


CALIBRATOR = replace(
    CONTINUOUS, id=MECHANISM.id, claim="lebeda2025.thm21.exact", steps={"gap": Fraction(1, 2)},
    first_count=Fraction(3, 2),
)  # fmt: skip
