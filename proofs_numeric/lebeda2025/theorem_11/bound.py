"""Theorem 11: add-the-deltas for the correlated stability histogram."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.lebeda2025.exact.analysis import two_terms
from proofs_numeric.lebeda2025.laws import COUNTERS, added
from proofs_numeric.lebeda2025.lemma_8 import LEMMA_8, delta_gauss
from proofs_numeric.lebeda2025.lemma_10 import POWER_BELOW, TANGENT, log_split_probability, printed_share
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, ours, printed
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.noise import Apart, OfIndependent
from proofs_numeric.statements.shared import Named
from proofs_numeric.statements.tactics import Symbolic


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


def _all_hidden(A: Arithmetic, *, k: int, sigma: Number, gap: Number, **_rest: Any) -> Any:
    return -(k + 1) * log_split_probability(A, k=k, sigma=A.number(sigma), gap=A.number(gap))


def _one_factor_fewer(A: Arithmetic, *, k: int, sigma: Number, gap: Number, **_rest: Any) -> Any:
    return -k * log_split_probability(A, k=k, sigma=A.number(sigma), gap=A.number(gap))


ADDED = Named(_all_hidden, Apart(printed_share, Symbolic()), added(_all_hidden, *LEMMA_8))
"""The proof of Theorem 11."""

CLAIMS = (
    Claim(
        id="lebeda2025.thm11",
        source=printed("Theorem 11"),
        title="add-the-deltas for the correlated stability histogram",
        statement=r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^{k+1}",
        kind=DeltaBound(formula=theorem_11, exact=two_terms, pairs=COUNTERS, proof=ADDED),
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
            pairs=COUNTERS,
            proof=Named(_one_factor_fewer, OfIndependent(POWER_BELOW, TANGENT), added(_one_factor_fewer, *LEMMA_8)),
        ),
        domain=Box((EPSILON, K, SIGMA, replace(GAP, lower=0))),
        role=Role.UPPER,
        privacy=STABILITY_HISTOGRAM,
        cost=2,
    ),
)
