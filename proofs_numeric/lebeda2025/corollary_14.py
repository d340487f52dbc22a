"""Corollary 14: what is known of Algorithm 2 holds for Algorithm 3, whose reduction maps neighbours to neighbours."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.exact.analysis import exact_delta
from proofs_numeric.lebeda2025.exact.oracle import delta_by_definition
from proofs_numeric.lebeda2025.neighbours import TOP_K
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, ours, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.classical import DATA_PROCESSING
from proofs_numeric.statements.derivation import Derivation, Premise, Trusted
from proofs_numeric.statements.kinds import DeltaBound, Identity


def _shift(A: Arithmetic, *, count: Number, noise: Number, gap: Number) -> Number:
    return count + noise - (1 + gap)


def _shifted(A: Arithmetic, *, count: Number, noise: Number, gap: Number) -> Number:
    return (count - 1) + noise - gap


CLAIMS = (
    Claim(
        id="lebeda2025.cor14",
        source=printed("Corollary 14"),
        title="Algorithm 3 inherits the guarantees of Algorithm 2",
        statement=r"\text{Theorems 11 and 12 hold for Algorithm 3}",
        kind=Identity(
            left=_shift,
            right=_shifted,
            proof=Derivation(
                (
                    Premise("lebeda2025.lem13", "its input to Algorithm 2 is k-sparse and monotonic"),
                    Premise("lebeda2025.thm11", "Theorem 11 for Algorithm 2"),
                    Trusted(
                        DATA_PROCESSING,
                        "Algorithm 3 is Algorithm 2 after a deterministic map of neighbours to neighbours",
                    ),
                )
            ),
        ),
        domain=Box(
            (
                Parameter("count", "count of a counter", "users", lower=0, upper=10**6, integer=True),
                Parameter("noise", "its noise", "counts", lower=-1000, upper=1000),
                Parameter("gap", "tau", "counts", lower=-1000, upper=1000),
            )
        ),
        note="the identity says that threshold 1 + tau on a count is threshold tau on the count above 1",
    ),
    Claim(
        id="lebeda2025.cor14.exact",
        source=ours("Corollary 14"),
        title="exact delta of Algorithm 3",
        statement=r"\delta(\epsilon) = \max_{l, j} \delta_{l,j}^{\to}(\epsilon)",
        kind=DeltaBound(
            formula=exact_delta,
            oracle=delta_by_definition,
            oracle_points=({"epsilon": "0.3", "k": 2, "sigma": 2, "gap": 3},),
        ),
        domain=Box((EPSILON, K, SIGMA, GAP)),
        assumptions=("one user with any number of keys", "the universe has at least k keys"),
        role=Role.EXACT,
        privacy=TOP_K,
        bracketed="as lebeda2025.csh.exact, whose number it is",
        points=({"epsilon": "0.349", "k": 10, "sigma": "17.741998402", "gap": "96.753015889"},),
        note="at most csh.exact by lem13; no less, as a k-sparse histogram is its own reduction",
        cost=12,
    ),
)
