"""Lemma 7: the exact delta of the uncorrelated mechanism, with C_u = k and tau* = 1 + tau."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf
from proofs_numeric.expression import eq, log_cdf, symbols
from proofs_numeric.lebeda2025.neighbours import UNCORRELATED
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, gap, k, sigma, stated
from proofs_numeric.statements.box import Parameter, points
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.profiles import SparseRows
from proofs_numeric.statements.tactics import Symbolic
from proofs_numeric.wilkins2024.theorem_5_4 import exact_delta as theorem_5_4
from proofs_numeric.wilkins2024.theorem_5_4.collapse import larger_delta


def lemma_7_literal(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Number:
    """The three maxima as printed, term by term; k is small."""
    log_p = log_normal_cdf(A, A.number(gap) / sigma)
    terms = [-A.expm1(k * log_p)]
    for j in range(1, k + 1):
        p = A.exp((k - j) * log_p)
        mu = A.sqrt(A.number(j)) / sigma
        terms.append(1 - p + p * gaussian_profile(A, epsilon - (k - j) * log_p, mu))
        terms.append(gaussian_profile(A, epsilon + (k - j) * log_p, mu))
    return A.maximum(*terms)


lemma_7 = theorem_5_4.delta_exact(c_u=k, mu_o=0)
"""``wilkins2024.thm5.4`` with C_u = k and no aggregates."""
count, noise, tau = symbols("count noise tau")
_loss, _square = -log_cdf(gap / sigma), 1 / sigma**2

CLAIMS = (
    stated(
        "lem7", "Lemma 7", "exact delta of the uncorrelated mechanism",
        r"\max\{1 - \Phi^k, \max_j [1 - \Phi^{k-j} + \Phi^{k-j} f(\sqrt{j}/\sigma, \epsilon - (k-j)\ln\Phi)], \max_j "
        r"f(\sqrt{j}/\sigma, \epsilon + (k-j)\ln\Phi)\}",
        DeltaBound(
            lemma_7, lemma_7_literal,
            points("epsilon k sigma gap", ("0.3", 3, 2, 3), (0, 5, 1, 4), (2, 10, "0.5", 1), ("0.1", 4, 3, -2)),
            pairs=SparseRows(k, _loss, _square), proof=larger_delta(k, _loss, _square),
        ),
        domain=(EPSILON, K, SIGMA, GAP), privacy=UNCORRELATED, cost=2,
    ),
    stated(
        "lem7.conv", "Section 2.3", "threshold 1 + tau instead of tau", r"H_i + Z > 1 + \tau \iff Z > (1 + \tau) - H_i",
        eq(count + noise - (1 + tau), noise - ((1 + tau) - count)), proof=Symbolic(),
        domain=(
            Parameter("count", "count of a counter", "users", 0, 10**6, integer=True),
            Parameter("noise", "its noise", "counts", -1000, 1000),
            Parameter("tau", "the paper's tau", "counts", -1000, 1000),
        ),
        note='">" here against ">=" there: the same for continuous noise, not for discrete noise (a mechanism field)',
    ),
)  # fmt: skip
