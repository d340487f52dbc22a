"""Lemma 19: the discrete correlated mechanism is zCDP."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.neighbours import COUNTING_QUERIES
from proofs_numeric.lebeda2025.parameters import SIGMA, K, stated
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import QuantityKind, Role
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Trusted
from proofs_numeric.statements.kinds import DeltaBound


def rho(A: Arithmetic, *, k: int, sigma: Number) -> Number:
    """``(k + sqrt(k))/(8 sigma^2)`` (Lemma 19)."""
    return (k + A.sqrt(A.number(k))) / (8 * A.number(sigma) * sigma)


def _lifted_change(_A: Arithmetic, *, v: Number) -> Number:
    """Squared change of ``2 H_i`` less the offset, which is 1 under the larger histogram and 0 under the smaller."""
    return (2 * v - 1) ** 2


def _one_and_rest(_A: Arithmetic, *, v: Number) -> Number:
    return 1 + 4 * v * (v - 1)


def _lifted_rho(A: Arithmetic, *, k: Number, sigma: Number) -> Number:
    """Half of ``k`` changes of one at variance ``4 sigma^2`` and one at ``4 sigma^2/sqrt(k)``."""
    own = 4 * A.number(sigma) * sigma
    return (k / own + 1 / (own / A.sqrt(A.number(k)))) / 2


def _restored(_A: Arithmetic, *, count: Number, offset: Number, own: Number, shared: Number) -> Number:
    return ((2 * count - offset + own) + (offset + shared)) / 2


def _released(_A: Arithmetic, *, count: Number, offset: Number, own: Number, shared: Number) -> Number:
    return count + (shared + own) / 2


CLAIMS = (
    stated(
        "lem19", "Lemma 19", "the discrete correlated mechanism is zCDP", r"\rho = (k + \sqrt{k})/(8\sigma^2)",
        DeltaBound(
            formula=rho, oracle=_lifted_rho,
            oracle_points=({"k": 1, "sigma": "0.5"}, {"k": 10, "sigma": 3}, {"k": 10**6, "sigma": 1000}),
            proof=Derivation(
                (
                    SymbolicIdentity(
                        "lift: 2 H_i - o, offset o = 1 with the user and 0 without, changes by 2 v - 1 where H_i "
                        "changes by v",
                        _lifted_change, _one_and_rest, ("v",), (),
                        "v is 0 or 1, so every one of the k + 1 coordinates (2 H_i - o and o) changes by one",
                    ),
                    SymbolicIdentity(
                        "half the sum of squared changes over variances is rho", _lifted_rho,
                        lambda A, *, k, sigma: (k + A.sqrt(k)) / (8 * sigma * sigma), ("k", "sigma"), ("k", "sigma"),
                    ),
                    Premise("lebeda2025.lem18", "the lifted release is a multivariate discrete Gaussian"),
                    SymbolicIdentity(
                        "half of each lifted coordinate and the released offset together is Algorithm 4's release",
                        _restored, _released, ("count", "offset", "own", "shared"),
                    ),
                    Trusted(DATA_PROCESSING, "post-processing does not raise a Renyi divergence"),
                ),
            ),
        ),
        domain=Box((K, SIGMA)), quantity=QuantityKind.RHO, role=Role.UPPER, privacy=COUNTING_QUERIES,
        note="the divergences themselves are enclosed by lem19.renyi",
    ),
)  # fmt: skip
