"""Lemma 5: the analytic Gaussian mechanism."""

from proofs_numeric.expression import Phi, exp, profile, symbol
from proofs_numeric.lebeda2025.parameters import EPSILON, SIGMA, epsilon, sigma, stated
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.kinds import Achieved, DeltaBound
from proofs_numeric.statements.tactics import Symbolic

sensitivity = symbol("sensitivity")
lemma_5 = profile(epsilon, sensitivity / sigma)
_shift, _half = epsilon * sigma / sensitivity, sensitivity / (2 * sigma)
SENSITIVITY = Parameter("sensitivity", "l2 sensitivity", "counts", "1e-6", 10**6, log=True)

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
)  # fmt: skip
