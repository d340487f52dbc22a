"""Theorem 11: add-the-deltas for the correlated stability histogram."""

from dataclasses import replace

from proofs_numeric.expression import expm1
from proofs_numeric.lebeda2025.exact.cover import two_terms
from proofs_numeric.lebeda2025.laws import COUNTERS, added
from proofs_numeric.lebeda2025.lemma_8 import LEMMA_8, delta_gauss
from proofs_numeric.lebeda2025.lemma_10 import POWER_BELOW, TANGENT, log_split_probability, printed_share
from proofs_numeric.lebeda2025.neighbours import STABILITY_HISTOGRAM
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, k, own, stated
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.moves import slopes
from proofs_numeric.statements.noise import OfSharedNoise
from proofs_numeric.statements.shared import Named
from proofs_numeric.statements.tactics import Symbolic

_all_hidden, _one_factor_fewer = -(k + 1) * log_split_probability, -k * log_split_probability
delta_infinite_bound = -expm1((k + 1) * log_split_probability)
"""``1 - psi^{k+1}``."""
theorem_11_power = delta_gauss - expm1(k * log_split_probability)
"""``delta_gauss + 1 - psi^k``: Theorem 11 with one factor fewer, for tau >= 0."""
theorem_11 = delta_gauss + delta_infinite_bound
"""``delta_gauss + delta_inf``; may exceed 1, where it says nothing."""
ADDED = Named(added(_all_hidden, *LEMMA_8), _all_hidden, OfSharedNoise(Symbolic(), printed_share))
"""The proof of Theorem 11."""

CLAIMS = (
    stated(
        "thm11", "Theorem 11", "add-the-deltas for the correlated stability histogram",
        r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^{k+1}",
        DeltaBound(theorem_11, exact=two_terms, pairs=COUNTERS, proof=ADDED), domain=(EPSILON, K, SIGMA, GAP),
        moves=slopes("epsilon", "gap"), falls=("epsilon", "gap"), role=Role.UPPER, privacy=STABILITY_HISTOGRAM,
        loose="Lemma 10 against the exact probability, and two worst cases that no pair has at once: see csh.exact",
    ),
    own(
        "thm11.power", "Theorem 11", "Theorem 11 with psi^k, for tau >= 0",
        r"\delta = f(\sqrt{k + \sqrt{k}}/(2\sigma), \epsilon) + 1 - \psi^k, \tau \ge 0",
        DeltaBound(
            theorem_11_power, exact=two_terms, pairs=COUNTERS,
            proof=Named(
                added(_one_factor_fewer, *LEMMA_8), _one_factor_fewer, OfSharedNoise(POWER_BELOW, tangent=TANGENT),
            ),
        ),
        domain=(EPSILON, K, SIGMA, replace(GAP, lower=0)), role=Role.UPPER, privacy=STABILITY_HISTOGRAM, cost=2,
    ),
)  # fmt: skip
