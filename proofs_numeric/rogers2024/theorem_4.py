"""Theorem 4: the Gaussian mechanism."""

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.rogers2024.neighbours import COUNTS
from proofs_numeric.rogers2024.parameters import ALPHA, printed
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Identity
from proofs_numeric.statements.tactics import Symbolic


def gaussian_log_density(A: Arithmetic, *, x: Number, alpha: Number, mu: Number) -> Number:
    """``alpha log p + (1 - alpha) log q`` of N(0,1) and N(mu,1) without the common constant."""
    x, alpha, mu = A.number(x), A.number(alpha), A.number(mu)
    return -(alpha * x * x + (1 - alpha) * (x - mu) * (x - mu)) / 2


def gaussian_log_density_completed(A: Arithmetic, *, x: Number, alpha: Number, mu: Number) -> Number:
    """The square completed: a unit normal about ``(1 - alpha) mu`` times ``exp(alpha (alpha - 1) mu^2 / 2)``."""
    x, alpha, mu = A.number(x), A.number(alpha), A.number(mu)
    centre = x - (1 - alpha) * mu
    return -centre * centre / 2 + alpha * (alpha - 1) * mu * mu / 2


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm4.gauss",
        source=printed("Theorem 4"),
        title="The Gaussian mechanism is rho-CDP with sigma^2 = Delta_2^2 / (2 rho)",
        statement=r"p^\alpha q^{1-\alpha} = e^{\alpha(\alpha-1)\mu^2/2}\, \varphi(x - (1-\alpha)\mu)",
        kind=Identity(gaussian_log_density, gaussian_log_density_completed, Symbolic()),
        privacy=COUNTS,
        domain=Box(
            (Parameter("x", "outcome", lower="-infinity"), ALPHA, Parameter("mu", "distance", lower=0, upper=1000))
        ),
        note="Equality: D_alpha = alpha rho at every order.",
    ),
)
