"""Planted faults of the discrete correlated stability histogram: noise that is too small, and ">=" for ">"."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.correlated_stability_histogram.mechanism import columns_of
from mechanisms.discrete_correlated.mechanism import MECHANISM, DiscreteCorrelated
from mechanisms.histogram import Histogram, Released
from mechanisms.mechanism import AccountantFault, BatchMechanism, Boundary, InDoubles
from mechanisms.noise.discrete_gaussian import Table
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.discrete import DiscreteGaussian
from proofs_numeric.lebeda2025.theorem_21.exact_profile import exact_profile
from proofs_numeric.statements.neighbours import Direction


@dataclass(frozen=True)
class ClippedNoise(BatchMechanism):
    """Algorithm 4 with |Z|, |Z_i| at most their deviations: the sampler's table is cut off where it is still likely."""

    inner: DiscreteCorrelated

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases with bounded noise."""
        keys, counts = columns_of(histogram, k=self.inner.k)
        noise = _clipped(self.inner.own_scale, (n, len(keys)), rng) + _clipped(self.inner.shared_scale, (n, 1), rng)
        values = counts + noise / 2
        values[values <= float(1 + self.inner.gap)] = np.nan
        return keys, values


def _clipped(scale: float, shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.int64]:
    bound = math.floor(scale)
    return np.clip(Table(scale).sample(rng, shape), -bound, bound)


def clipped_profile(A: Arithmetic, epsilon: Number, _direction: Direction, *, sigma: int) -> Number:
    """One counter far above the threshold, k = 1: the sum of two clipped laws, moved by two half steps."""
    law, bound, factor = DiscreteGaussian(A, A.number(2 * sigma)), 2 * sigma, A.exp(A.number(epsilon))
    clipped = {x: law.survival(bound) if abs(x) == bound else law.pmf(x) for x in range(-bound, bound + 1)}
    sums = {x: A.number(0) for x in range(-2 * bound - 2, 2 * bound + 3)}
    for x, p in clipped.items():
        for y, q in clipped.items():
            sums[x + y] = sums[x + y] + p * q
    return A.sum(A.maximum(0, sums[x - 2] - factor * sums[x]) for x in range(-2 * bound, 2 * bound + 3))


def unscaled(mechanism: DiscreteCorrelated) -> DiscreteCorrelated:
    """Theorem 21's mechanism with Z_i ~ N_Z(0, sigma^2) in half units: its noise is halved once too often."""
    return replace(mechanism, sigma=mechanism.sigma / 2)


def unscaled_profile(A: Arithmetic, epsilon: Number, _direction: Direction, *, sigma: int) -> Number:
    """One counter far above the threshold, k = 1: the sum of two equal discrete Gaussians, moved by two half steps."""
    law = DiscreteGaussian(A, A.number(sigma))
    reach = law.count

    def mass(x: int) -> Any:
        return A.sum(law.pmf(z) * law.pmf(x - z) for z in range(max(-reach, x - reach), min(reach, x + reach) + 1))

    last = math.ceil(1.5 * reach)
    masses = {x: mass(x) for x in range(-last - 2, last + 1)}
    e = A.exp(A.number(epsilon))
    total = A.sum(A.maximum(0, masses[x - 2] - e * masses[x]) for x in range(-last, last + 1))
    # Sums left out, of pairs and of outputs, weigh less than this.
    return A.between(total, total + 4 * (2 * last + 3) * e * law.survival(last // 2))


@InDoubles
def half_step_further(A: Arithmetic, *, gap: Any, **parameters: Any) -> Any:
    """The exact delta of ">= 1 + tau" read for that of "> 1 + tau", a half count too far."""
    return exact_profile(A, gap=A.number(gap) + A.number(Fraction(1, 2)), **parameters)


_ONE: dict[str, Any] = {"k": 1, "sigma": 1, "gap": 30}

FAULTS = (
    MECHANISM.broken(
        id="correlated_discrete_clipped_noise", title="discrete noise is clipped at its deviation", change=ClippedNoise,
        parameters=_ONE, pair="n2", profile=partial(clipped_profile, sigma=_ONE["sigma"]), epsilon=3,
        explanation="Values that the smaller count never reaches: no epsilon covers them.",
    ),
    MECHANISM.broken(
        id="correlated_discrete_unscaled", title="half-integer steps with unscaled variances", change=unscaled,
        parameters=_ONE, pair="n2", profile=partial(unscaled_profile, sigma=_ONE["sigma"]), epsilon=2,
        explanation="mu^2 is four times what Lemma 19 accounts for; large released values show it.",
    ),
    MECHANISM.broken(
        id="correlated_discrete_inclusive_boundary", title="a count equal to the threshold is released",
        caught_by="empirical.impossible_key", change=partial(replace, boundary=Boundary.INCLUSIVE),
        parameters={"k": 1, "sigma": Fraction(3, 10), "gap": 1}, pair="n1", epsilon=20,
        at={"gap": Fraction(1, 2)},  # on half-integers ">= 1 + gap" is "> 1 + gap - 1/2"
        explanation="On a grid the threshold itself has mass: a new counter passes as if tau were half a step smaller.",
    ),
    AccountantFault(
        id="correlated_discrete_half_step_accountant", title="the threshold is counted half a step too far",
        mechanism=MECHANISM.id, violates="lebeda2025.thm21.exact", accountant=half_step_further,
        parameters={"epsilon": 3, "k": 2, "sigma": 1, "gap": 4},
        explanation="On half-integers P[> tau] and P[> tau + 1/2] differ: a new counter passes more often than told.",
    ),
)  # fmt: skip
