r"""The hazard ``h = phi/Phi``, ``rho = x + h``, and the Mills ratio ``m``: what the collapse and the shape rest on."""

from proofs_numeric.expression import claim
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.wilkins2024.parameters import ours

HERE = "Theorem 5.4, in O(1)"
x, u = symbols("x u")
hazard = phi(x) / Phi(x)
rho = x + hazard
RHO_MASS = x * Phi(x) + phi(x), Derivative("x", "lower")
SECOND_MASS = (1 + x * x) * Phi(x) + x * phi(x), Derivative("x", "lower", product_of(2, RHO_MASS))
# Phi^2 rho', whose derivative vanishes far on the left.
RHO_SLOPE = (
    Phi(x) * Phi(x) - x * phi(x) * Phi(x) - phi(x) * phi(x),
    Derivative("x", "lower", product_of(phi(x), SECOND_MASS)),
)
MILLS_GAP = Phi(-u) - u * phi(u) / (1 + u * u), Derivative("u", "upper")

_REAL = Box((Parameter("x", "any real", lower="-infinity"),))
_ID = "wilkins2024.thm5.4.collapse"

CLAIMS = (
    claim(
        f"{_ID}.mills_lower", ours(HERE), "Lower bound of the Mills ratio", None, u / (1 + u * u) < mills(u),
        proof=product_of(1 / phi(u), MILLS_GAP), domain=Box((Parameter("u", "argument of the Mills ratio", lower=0),)),
    ),
    claim(f"{_ID}.rho", ours(HERE), "rho > 0", None, rho > 0, proof=product_of(1 / Phi(x), RHO_MASS), domain=_REAL),
    claim(
        f"{_ID}.rho.rises", ours(HERE), "rho increases", None, Monotonicity(rho, "x", increasing=True),
        proof=Slope(product_of(1 / Phi(x) ** 2, RHO_SLOPE)), domain=_REAL,
    ),
)  # fmt: skip
