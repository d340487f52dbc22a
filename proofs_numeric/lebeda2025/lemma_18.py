"""Lemma 18: the multivariate discrete Gaussian is zCDP."""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import discrete_gaussian_tail_bound
from proofs_numeric.expression import symbols
from proofs_numeric.lebeda2025.definition_15 import terms
from proofs_numeric.lebeda2025.parameters import SMALL_SIGMA, stated
from proofs_numeric.statements.box import Parameter
from proofs_numeric.statements.classical import POISSON
from proofs_numeric.statements.derivation import SymbolicIdentity, Trusted, derived
from proofs_numeric.statements.kinds import Inequality


def shifted_divergence(A: Arithmetic, *, sigma: Number, shift: int, alpha: Number) -> Number:
    """``D_alpha(N_Z(shift, sigma^2) || N_Z(0, sigma^2))``, summed from the definition."""
    rate, centre = 1 / (2 * A.number(sigma) * sigma), alpha * shift
    count = terms(A.bits, float(sigma)) + 1
    middle = round(float(centre))

    def log_term(x: int) -> Any:
        # Less its largest value, which a double could not hold.
        return -rate * (alpha * (x - shift) ** 2 + (1 - alpha) * (x * x)) - rate * alpha * (alpha - 1) * shift * shift

    body = A.sum(A.exp(log_term(x)) for x in range(middle - count, middle + count + 1))
    total = A.sum(A.exp(-rate * (x * x)) for x in range(-count, count + 1))
    # |x - centre| >= count beyond the window on either side, as |middle - centre| <= 1.
    beyond = 2 * discrete_gaussian_tail_bound(A, sigma, count)
    top = rate * alpha * (alpha - 1) * shift * shift
    return (top + A.log((body + beyond) / (total + beyond))) / (alpha - 1)


x, s, alpha, sigma, shift = symbols("x s alpha sigma shift")
gaussian_divergence = alpha * (shift * shift) / (2 * sigma * sigma)
"""The divergence of normals on the reals."""

CLAIMS = (
    stated(
        "lem18", "Lemma 18", "the multivariate discrete Gaussian is zCDP",
        r"\sum_i (\Delta_i/\sigma_i)^2 \le \epsilon^2 \Rightarrow \epsilon^2/2\text{-zCDP}",
        Inequality(
            shifted_divergence, gaussian_divergence,
            proof=derived(
                SymbolicIdentity(
                    "completing the square in the exponent of p^alpha q^(1 - alpha)",
                    alpha * (x - s) ** 2 + (1 - alpha) * x * x, (x - alpha * s) ** 2 - alpha * (alpha - 1) * s * s,
                    ("x", "s", "alpha"), (),
                    "so D_alpha - alpha s^2/(2 sigma^2) = log(theta(alpha s)/theta(0))/(alpha - 1), theta(c) the "
                    "sum of exp(-(x - c)^2/(2 sigma^2)) over integers x",
                ),
                Trusted(POISSON, "theta(c) <= theta(0): theta is a cosine series of positive terms"),
            ),
        ),
        domain=(
            replace(SMALL_SIGMA, upper=10),
            Parameter("shift", "change of one coordinate", "counts", 1, 10, integer=True),
            Parameter("alpha", "order of the divergence", "no unit", "1.001", 64, log=True),
        ),
        note="coordinates are independent, so divergences add: one dimension decides", cost=2,
        partial="one coordinate; that the divergences of coordinates add is left out",
    ),
)  # fmt: skip
