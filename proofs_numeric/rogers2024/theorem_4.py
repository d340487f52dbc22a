"""Theorem 4: the Gaussian mechanism."""

from proofs_numeric.expression import eq, symbols
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import ALPHA, alpha, stated
from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.tactics import Symbolic

x, mu = symbols("x mu")
gaussian_log_density = -(alpha * x * x + (1 - alpha) * (x - mu) * (x - mu)) / 2
"""``alpha log p + (1 - alpha) log q`` of N(0,1) and N(mu,1) without the common constant."""
_centre = x - (1 - alpha) * mu
gaussian_log_density_completed = -_centre * _centre / 2 + alpha * (alpha - 1) * mu * mu / 2
"""The square completed: a unit normal about ``(1 - alpha) mu`` times ``exp(alpha (alpha - 1) mu^2 / 2)``."""

CLAIMS = (
    stated(
        "thm4.gauss", "Theorem 4", "The Gaussian mechanism is rho-CDP with sigma^2 = Delta_2^2 / (2 rho)",
        r"p^\alpha q^{1-\alpha} = e^{\alpha(\alpha-1)\mu^2/2}\, \varphi(x - (1-\alpha)\mu)",
        eq(gaussian_log_density, gaussian_log_density_completed), proof=Symbolic(), privacy=COUNTS,
        domain=(Parameter("x", "outcome", lower="-infinity"), ALPHA, Parameter("mu", "distance")),
        partial="one coordinate; vectors of R^d are left out", note="Equality: D_alpha = alpha rho at every order.",
    ),
)  # fmt: skip
