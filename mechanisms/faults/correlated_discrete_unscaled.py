"""F7: half-integer steps with unscaled variances: the noise of Algorithm 4 is halved once too often."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.correlated_stability_histogram.pairs import counters, far_count
from mechanisms.discrete_correlated import mechanism as correct
from mechanisms.mechanism import Fault
from proofs_numeric.lebeda2025.discrete import DiscreteGaussian
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, k: Exact, sigma: Exact, gap: Exact) -> correct.DiscreteCorrelated:
    """Theorem 21's mechanism with Z_i ~ N_Z(0, sigma^2) in half units, that is with half the noise."""
    mechanism = correct.build(k=k, sigma=sigma, gap=gap)
    return replace(mechanism, sigma=mechanism.sigma / 2)


def profile(A: Any, epsilon: Any, _direction: Direction, *, sigma: int) -> Any:
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


_PARAMETERS = {"k": 1, "sigma": 1, "gap": 30}

FAULT = Fault(
    id="correlated_discrete_unscaled",
    title="half-integer steps with unscaled variances",
    mechanism="discrete_correlated",
    violates="lebeda2025.thm21",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n2",
        "the only counter far above the threshold and changed",
        _PARAMETERS,
        new=0,
        shared=(far_count(threshold=Fraction(31), sigma=Fraction(1)),),
        changed=1,
        profile=partial(profile, sigma=1),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="mu^2 is four times what Lemma 19 accounts for; large released values show it.",
)
