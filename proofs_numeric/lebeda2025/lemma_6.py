"""Lemma 6: add-the-deltas for the uncorrelated mechanism, as the earlier paper has it."""

from dataclasses import replace

from proofs_numeric.expression import eq, expm1, log_cdf, profile, sqrt
from proofs_numeric.lebeda2025.lemma_7 import lemma_7
from proofs_numeric.lebeda2025.neighbours import UNCORRELATED
from proofs_numeric.lebeda2025.parameters import EPSILON, GAP, SIGMA, K, epsilon, gap, k, own, sigma, stated
from proofs_numeric.statements.adaptive import Budgets
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.tactics import ByClaim, Symbolic
from proofs_numeric.wilkins2024.composition.budgets import WITHIN_BUDGETS
from proofs_numeric.wilkins2024.theorem_5_4 import exact_delta as theorem_5_4

lemma_6 = profile(epsilon, sqrt(k) / sigma) - expm1(k * log_cdf(gap / sigma))
"""``HS(sqrt(k)/sigma, epsilon) + 1 - Phi(tau/sigma)^k``."""

_lemma_6_by_parts = theorem_5_4.delta_gaussian(c_u=k, mu_o=0) + theorem_5_4.delta_infinite(c_u=k)
_BOX = Box((EPSILON, K, SIGMA, GAP))
_ONE_END = ByClaim("wilkins2024.pf.cor1.opt.value", {"c_u": k, "mu_o": zero})
"""What the budgets of k rows are worth at most is below the sum."""

CLAIMS = (
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
        eq(lemma_6, _lemma_6_by_parts), proof=Symbolic(), domain=_BOX, cost=2,
    ),
)  # fmt: skip
