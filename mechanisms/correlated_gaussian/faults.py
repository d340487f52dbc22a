"""Planted faults of the correlated Gaussian mechanism: zeros without noise, and the wrong pair taken for the worst."""

from fractions import Fraction
from typing import Any

import numpy as np

from mechanisms.correlated_gaussian.mechanism import MECHANISM, CorrelatedGaussian
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import DISJOINT
from mechanisms.mechanism import AccountantFault, InDoubles
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.lebeda2025.exact.pair import shared_mu
from proofs_numeric.statements.neighbours import Neighbours


class ZerosExact(CorrelatedGaussian):
    """Lemma 8 with the sparse noise of Algorithm 2 and no threshold."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N releases in which a zero is a zero."""
        keys, values = super().release_many(histogram, n, rng)
        values[:, [not histogram.get(key, 0) for key in keys]] = 0.0
        return keys, values


@InDoubles
def all_changed(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number) -> Any:
    """``f(mu, epsilon)`` at ``mu^2 sigma^2 = k - k^2/(k + sqrt(k))``."""
    return gaussian_profile(A, A.number(epsilon), shared_mu(A, k=k, sigma=A.number(sigma), d=k, j=k))


FAULTS = (
    MECHANISM.broken(
        id="correlated_gaussian_zeros_exact", title="zero counters are released without noise", subclass=ZerosExact,
        parameters={"k": 2}, pair=Neighbours("new", {"k0": 1}, {}, "one new counter"), profile=DISJOINT,
        explanation="A counter that is not exactly zero was not zero.",
    ),
    AccountantFault(
        id="correlated_all_counters_changed", title="the pair that changes all counters is taken for the worst",
        mechanism=MECHANISM.id, violates=MECHANISM.guarantee_claim, accountant=all_changed,
        parameters={"epsilon": Fraction(349, 1000), "k": 100, "sigma": 52},
        explanation="The shared noise hides a change of all counters best; the worst is about (k + sqrt(k))/2 of them.",
    ),
)  # fmt: skip
