"""Theorem 11: add-the-deltas for the correlated stability histogram."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.exact.analysis import two_terms
from proofs_numeric.lebeda2025.lemma_8 import delta_gauss
from proofs_numeric.lebeda2025.lemma_10 import log_split_probability
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, ours, printed
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.derivation import Derivation, Premise, Unchecked
from proofs_numeric.statements.kinds import DeltaBound


def delta_infinite_bound(A: Arithmetic, *, k: int, sigma: Number, gap: Number) -> Number:
    """``1 - psi^{k+1}``."""
    return -A.expm1((k + 1) * log_split_probability(A, k=k, sigma=sigma, gap=gap))


def theorem_11_power(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    """``delta_gauss + 1 - psi^k``: Theorem 11 with one factor fewer, for tau >= 0."""
    new = -A.expm1(k * log_split_probability(A, k=k, sigma=A.number(sigma), gap=A.number(gap)))
    return delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma) + new


def theorem_11(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    """``delta_gauss + delta_inf``; may exceed 1, where it says nothing."""
    gauss = delta_gauss(A, epsilon=epsilon, k=k, sigma=sigma)
    return gauss + delta_infinite_bound(A, k=k, sigma=A.number(sigma), gap=A.number(gap))


CLAIMS = (
    Claim(
        id="lebeda2025.thm11",
        source=printed("Theorem 11"),
        title="add-the-deltas for the correlated stability histogram",
        statement=r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^{k+1}",
        kind=DeltaBound(
            formula=theorem_11,
            exact=two_terms,
            proof=Derivation(
                (
                    Unchecked(
                        "intermediate histogram: the support of H with the shared counts of H'; "
                        "P[H'] <= P[H^] + delta_inf <= e^epsilon P[H] + delta_gauss + delta_inf, additive step first"
                    ),
                    Premise("lebeda2025.lem8", "H^ against H: the correlated Gaussian mechanism on the shared support"),
                    Premise("lebeda2025.lem10", "H' against H^: only new counters differ, and they rarely pass"),
                    Premise("lebeda2025.thm11.proof", "such a histogram exists for every pair of neighbours"),
                )
            ),
        ),
        domain=Box((EPSILON, K, SIGMA, GAP)),
        falls=("epsilon", "gap"),
        role=Role.UPPER,
        privacy=STABILITY_HISTOGRAM,
        loose="Lemma 10 against the exact probability, and two worst cases that no pair has at once: see csh.exact",
    ),
    Claim(
        id="lebeda2025.thm11.power",
        source=ours("Theorem 11"),
        title="Theorem 11 with psi^k, for tau >= 0",
        statement=r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^k, \tau \ge 0",
        kind=DeltaBound(
            formula=theorem_11_power,
            exact=two_terms,
            proof=Derivation(
                (
                    Premise("lebeda2025.thm11", "the chain of Theorem 11, whatever bounds the new counters"),
                    Premise("lebeda2025.lem10.power.corrected", "psi^k does"),
                )
            ),
        ),
        domain=Box((EPSILON, K, SIGMA, replace(GAP, lower=0))),
        role=Role.UPPER,
        privacy=STABILITY_HISTOGRAM,
        cost=2,
    ),
)
