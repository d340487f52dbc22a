"""Section 2: Lemma 5, the analytic Gaussian mechanism; Lemmas 6 and 7, the delta of the uncorrelated mechanism."""

from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf
from proofs_numeric.lebeda2025.neighbours import UNCORRELATED
from proofs_numeric.lebeda2025.parameters import *
from proofs_numeric.statements.adaptive import Budgets
from proofs_numeric.statements.profiles import SparseRows
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS
from proofs_numeric.wilkins2024.theorem_5_4 import exact_delta as theorem_5_4
from proofs_numeric.wilkins2024.theorem_5_4.collapse import larger_delta

sensitivity = symbol("sensitivity")
lemma_5 = profile(epsilon, sensitivity / sigma)
_shift, _half = epsilon * sigma / sensitivity, sensitivity / (2 * sigma)
SENSITIVITY = Parameter("sensitivity", "l2 sensitivity", "counts", "1e-6", 10**6, log=True)


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

lemma_6 = profile(epsilon, sqrt(k) / sigma) - expm1(k * log_cdf(gap / sigma))
"""``HS(sqrt(k)/sigma, epsilon) + 1 - Phi(tau/sigma)^k``."""

_BOX = Box((EPSILON, K, SIGMA, GAP))
_ONE_END = ByClaim("wilkins2024.pf.cor1.opt.value", {"c_u": k, "mu_o": zero})
"""What the budgets of k rows are worth at most is below the sum."""

CLAIMS = (
    stated(
        "lem5", "Lemma 5", "the analytic Gaussian mechanism",
        r"\delta \ge \Phi(\tfrac{D}{2\sigma} - \tfrac{\epsilon\sigma}{D}) - e^\epsilon \Phi(-\tfrac{D}{2\sigma} - "
        r"\tfrac{\epsilon\sigma}{D})",
        DeltaBound(
            lemma_5, exact=Phi(_half - _shift) - exp(epsilon) * Phi(-_half - _shift), proof=Symbolic(),
            by=Achieved("wilkins2024.thm2.2", {"mu": sensitivity / sigma}),
        ),
        domain=Box(
            (EPSILON, SENSITIVITY, SIGMA), lambda *, sensitivity, sigma, **_e: sensitivity < 10**3 * sigma,
            "D < 1000 sigma",
        ),
        falls=("epsilon", "sigma"), rises=("sensitivity",), note="the same number as wilkins2024.thm2.2",
        partial="normal laws on a line; vectors of R^d, which a linear map takes there, are left out",
    ),
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
    stated(
        "lem6", "Lemma 6", "add-the-deltas for the uncorrelated mechanism",
        r"f(\sqrt{k}/\sigma, \epsilon) + 1 - \Phi(\tau/\sigma)^k",
        DeltaBound(
            lemma_6, exact=lemma_7, budgets=Budgets(-k * log_cdf(gap / sigma), k / sigma**2),
            proof=replace(WITHIN_BUDGETS, end=_ONE_END),
        ),
        domain=_BOX, role=Role.UPPER, privacy=UNCORRELATED,
        note="wilkins2024.thm4.1 with C_u = k and tau* = 1 + tau (lem6.same)", cost=2,
    ),
    own(
        "lem6.same", "Lemma 6", "Lemma 6 is the earlier paper's add-the-deltas",
        r"\text{Lemma 6} = \delta_{gauss} + \delta_\infty \text{ of wilkins2024, } C_u = k",
        eq(lemma_6, theorem_5_4.delta_gaussian(c_u=k, mu_o=0) + theorem_5_4.delta_infinite(c_u=k)), proof=Symbolic(),
        domain=_BOX, cost=2,
    ),
)  # fmt: skip
