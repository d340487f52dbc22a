"""Lemma 19: the discrete correlated mechanism is zCDP."""

from proofs_numeric.expression import sqrt, symbols
from proofs_numeric.lebeda2025.neighbours import COUNTING_QUERIES
from proofs_numeric.lebeda2025.parameters import SIGMA, K, k, sigma, stated
from proofs_numeric.statements.box import points
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.derivation import Premise, SymbolicIdentity, Trusted, derived
from proofs_numeric.statements.kinds import DeltaBound

v, count, offset, own_noise, shared = symbols("v count offset own shared")
rho = (k + sqrt(k)) / (8 * sigma * sigma)
"""``(k + sqrt(k))/(8 sigma^2)`` (Lemma 19)."""
_lifted_change = (2 * v - 1) ** 2
"""Squared change of ``2 H_i`` less the offset, which is 1 under the larger histogram and 0 under the smaller."""
_variance = 4 * sigma * sigma
_lifted_rho = (k / _variance + 1 / (_variance / sqrt(k))) / 2
"""Half of ``k`` changes of one at variance ``4 sigma^2`` and one at ``4 sigma^2/sqrt(k)``."""
_restored = ((2 * count - offset + own_noise) + (offset + shared)) / 2

CLAIMS = (
    stated(
        "lem19", "Lemma 19", "the discrete correlated mechanism is zCDP", None,
        DeltaBound(
            rho, _lifted_rho, points("k sigma", (1, "0.5"), (10, 3), (10**6, 1000)),
            proof=derived(
                SymbolicIdentity(
                    "lift: 2 H_i - o, offset o = 1 with the user and 0 without, changes by 2 v - 1 where H_i "
                    "changes by v",
                    _lifted_change, 1 + 4 * v * (v - 1), ("v",), (),
                    "v is 0 or 1, so every one of the k + 1 coordinates (2 H_i - o and o) changes by one",
                ),
                SymbolicIdentity(
                    "half the sum of squared changes over variances is rho", _lifted_rho, rho, ("k", "sigma"),
                    ("k", "sigma"),
                ),
                Premise("lebeda2025.lem18", "the lifted release is a multivariate discrete Gaussian"),
                SymbolicIdentity(
                    "half of each lifted coordinate and the released offset together is Algorithm 4's release",
                    _restored, count + (shared + own_noise) / 2, ("count", "offset", "own", "shared"),
                ),
                Trusted(DATA_PROCESSING, "post-processing does not raise a Renyi divergence"),
            ),
        ),
        domain=(K, SIGMA), quantity=QuantityKind.RHO, role=Role.UPPER, privacy=COUNTING_QUERIES,
        note="the divergences themselves are enclosed by lem19.renyi",
    ),
)  # fmt: skip
