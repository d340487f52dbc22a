"""Lemma 20: how likely none of k new counters passes the threshold under discrete noise.

Z is a discrete Gaussian on the integers with parameter ``4 sigma^2/sqrt(k)``, each Z_i with ``4 sigma^2``; the release
is ``H_i + (Z + Z_i)/2``, in half-integer steps.  A count is dropped when it is at most ``1 + tau``.
"""

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from proofs_numeric.arithmetic import Arithmetic, Float64, Number
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.arithmetic.noise_maximum import geometric_sum
from proofs_numeric.expression import symbols
from proofs_numeric.lebeda2025.definition_15 import DiscreteGaussian
from proofs_numeric.lebeda2025.parameters import SMALL_GAP, SMALL_SIGMA, K, stated
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.derivation import SymbolicIdentity, Unchecked, derived
from proofs_numeric.statements.kinds import Inequality


def unreleased_split(
    A: Arithmetic, *, k: int, sigma: Any, gap: Number, split: int, own: Any = None, shared: Any = None
) -> Any:
    """Lemma 20: ``P[Z <= a] P[Z_1 <= 2 tau - a]^k`` for an integer split a; as ``1 -`` it for accuracy."""
    shared = shared or shared_noise(A, k, sigma)
    own = own or own_noise(A, sigma)
    first, rest = shared.survival(split + 1), own.survival(floor_of(A, 2 * gap) - split + 1)
    return first + (1 - first) * rest * geometric_sum(A, 1 - rest, k)


def shared_noise(A: Arithmetic, k: int, sigma: Number) -> DiscreteGaussian:
    """Law of Z, in half units."""
    return DiscreteGaussian(A, 2 * A.number(sigma) / A.sqrt(A.sqrt(A.number(k))))


def own_noise(A: Arithmetic, sigma: Number) -> DiscreteGaussian:
    """Law of one Z_i, in half units."""
    return DiscreteGaussian(A, 2 * A.number(sigma))


def delta_infinite(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """One less Lemma 20 at its best split: the delta_inf of Theorem 21."""
    shared, own = shared_noise(A, k, sigma), own_noise(A, sigma)
    twice = floor_of(A, 2 * gap)  # half-integer noise passes tau exactly when its double passes this
    at: dict[str, Any] = {"k": k, "sigma": sigma, "gap": gap, "own": own, "shared": shared}
    fast = (shared_noise(Float64(), k, float(sigma)), own_noise(Float64(), float(sigma)))

    def rough(split: int) -> float:
        with np.errstate(all="ignore"):
            value = unreleased_split(
                Float64(), k=k, sigma=float(sigma), gap=Fraction(twice, 2), split=split, own=fast[1], shared=fast[0]
            )
        return float(value)

    ratio = k**-0.25
    middle = round(twice * ratio / (1 + ratio))
    width = max(3, math.ceil(3 * float(sigma)))
    split = min(range(middle - width, middle + width + 1), key=rough)
    return A.minimum(*(unreleased_split(A, **at, split=a) for a in (split - 1, split, split + 1)))


def release_probability(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Any:
    """``P[max_i (Z + Z_i)/2 > tau]``, by the sum over Z."""
    shared, own = shared_noise(A, k, sigma), own_noise(A, sigma)
    twice = floor_of(A, 2 * gap)

    def some(z: int) -> Any:
        tail = own.survival(twice - z + 1)
        return tail * geometric_sum(A, 1 - tail, k)

    return shared.mean(some)


tau, shared_part, own_part, a = symbols("tau shared own a")

CLAIMS = (
    stated(
        "lem20", "Lemma 20", "the discrete noises stay below the threshold",
        r"P[\max_i (Z + Z_i)/2 > \tau] \le 1 - P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        Inequality(
            release_probability, delta_infinite,
            proof=derived(
                SymbolicIdentity(
                    "what (Z + Z_i)/2 lacks to tau is half of what Z lacks to a and Z_i to 2 tau - a",
                    tau - (shared_part + own_part) / 2, ((a - shared_part) + (2 * tau - a - own_part)) / 2,
                    ("tau", "shared", "own", "a"), (),
                    "so Z <= a and Z_i <= 2 tau - a for all i imply (Z + Z_i)/2 <= tau for all i",
                ),
                Unchecked(
                    "product of independent events",
                    "Z and the Z_i are independent: the probability of all these events is the product",
                ),
            ),
        ),
        domain=(replace(K, upper=50), replace(SMALL_SIGMA, upper=20), replace(SMALL_GAP, upper=200)), cost=3,
        quantity=QuantityKind.PROBABILITY,
    ),
)  # fmt: skip
