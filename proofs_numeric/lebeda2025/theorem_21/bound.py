"""Theorem 21: add-the-deltas for the discrete correlated mechanism with a threshold."""

from dataclasses import replace

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.lemma_17 import zcdp_delta
from proofs_numeric.lebeda2025.lemma_19.bound import rho
from proofs_numeric.lebeda2025.lemma_20 import delta_infinite, release_probability
from proofs_numeric.lebeda2025.neighbours import DISCRETE
from proofs_numeric.lebeda2025.parameters import EPSILON, SMALL_GAP, SMALL_SIGMA, K, stated
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.concentrated import delta_upper
from proofs_numeric.statements.derivation import Derivation, Premise
from proofs_numeric.statements.kinds import DeltaBound


def theorem_21_sharp(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Number:
    """Theorem 21 with the conversion of Canonne, Kamath and Steinke in place of Lemma 17's."""
    return delta_upper(A, rho=rho(A, k=k, sigma=sigma), epsilon=A.number(epsilon)) + delta_infinite(
        A, k=k, sigma=sigma, gap=gap
    )


def theorem_21(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Number:
    """``delta(rho, epsilon) + delta_inf``, Lemma 17's conversion and Lemma 20 at its best split."""
    return zcdp_delta(A, epsilon=A.number(epsilon), rho=rho(A, k=k, sigma=sigma)) + delta_infinite(
        A, k=k, sigma=sigma, gap=gap
    )


_K = replace(K, upper=1000)


CLAIMS = (
    stated(
        "thm21", "Theorem 21", "the discrete correlated stability histogram",
        r"\delta(\rho, \epsilon) + 1 - \max_a P[Z \le a] P[Z_1 \le 2\tau - a]^k",
        DeltaBound(
            formula=theorem_21,
            exact=lambda A, *, k, sigma, gap, **_e: release_probability(A, k=k, sigma=sigma, gap=gap),
            proof=Derivation(
                (
                    Premise("lebeda2025.thm11.proof", "the intermediate histogram of Theorem 11"),
                    Premise("lebeda2025.lem20", "new counters"), Premise("lebeda2025.lem19", "shared counters"),
                    Premise("lebeda2025.lem17", "from zCDP to (epsilon, delta)"),
                ),
            ),
        ),
        domain=Box((EPSILON, _K, SMALL_SIGMA, SMALL_GAP)), role=Role.UPPER, privacy=DISCRETE,
        loose="Lemma 17's conversion and Lemma 20's split: the report enumerates how much of it k <= 3 can use", cost=3,
    ),
)  # fmt: skip
