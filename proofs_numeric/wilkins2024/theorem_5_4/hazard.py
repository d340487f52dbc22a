r"""The hazard ``h = phi/Phi``, ``rho = x + h``, and the Mills ratio ``m``: what the collapse and the shape rest on."""

from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import mills, normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Inequality, Monotonicity, Relation
from proofs_numeric.statements.tactics import Derivative, Part, Product, Slope
from proofs_numeric.wilkins2024.parameters import ours


def hazard(A: Arithmetic, x: Number) -> Number:
    """``phi(x)/Phi(x)``."""
    return normal_pdf(A, x) / normal_cdf(A, x)


def rho(A: Arithmetic, *, x: Number) -> Number:
    """``x + h(x)``."""
    x = A.number(x)
    return x + hazard(A, x)


def _mills(A: Arithmetic, *, u: Number) -> Number:
    return mills(A, A.number(u))


def _mills_below(A: Arithmetic, *, u: Number) -> Number:
    u = A.number(u)
    return u / (1 + u * u)


def _mills_gap(A: Arithmetic, *, u: Number) -> Number:
    return normal_cdf(A, -u) - u * normal_pdf(A, u) / (1 + u * u)


def _rho_mass(A: Arithmetic, *, x: Number) -> Number:
    x = A.number(x)
    return x * normal_cdf(A, x) + normal_pdf(A, x)


def _per_mass(power: int) -> Part:
    return Part(lambda A, *, x: 1 / normal_cdf(A, A.number(x)) ** power)


def _rho_slope(A: Arithmetic, *, x: Number) -> Any:
    """``Phi^2 rho'``."""
    x = A.number(x)
    mass, density = normal_cdf(A, x), normal_pdf(A, x)
    return mass * mass - x * density * mass - density * density


def _second_mass(A: Arithmetic, *, x: Number) -> Any:
    """``(1 + x^2) Phi + x phi``."""
    x = A.number(x)
    return (1 + x * x) * normal_cdf(A, x) + x * normal_pdf(A, x)


_RHO_MASS = Part(_rho_mass, Derivative("x", "lower"))
_RHO_RISES = Product(
    (
        Part(lambda A, *, x: normal_pdf(A, A.number(x))),
        Part(_second_mass, Derivative("x", "lower", Product((Part(lambda A, *, x: A.number(2)), _RHO_MASS)))),
    )
)
"""The derivative of ``Phi^2 rho'``: all of it vanishes far on the left."""

_U = Parameter("u", "argument of the Mills ratio", lower=0)
_REAL = Box((Parameter("x", "any real", lower="-infinity"),))

HERE = "Theorem 5.4, in O(1)"

CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.collapse.mills_lower",
        source=ours(HERE),
        title="Lower bound of the Mills ratio",
        statement=r"u/(1+u^2)<\Phi(-u)/\phi(u)",
        kind=Inequality(
            _mills_below,
            _mills,
            Relation.LESS,
            proof=Product(
                (Part(lambda A, *, u: 1 / normal_pdf(A, A.number(u))), Part(_mills_gap, Derivative("u", "upper")))
            ),
        ),
        domain=Box((_U,)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.rho",
        source=ours(HERE),
        title="rho > 0",
        statement=r"\rho(x)=x+\phi(x)/\Phi(x)>0",
        kind=Inequality(zero, rho, Relation.LESS, proof=Product((_per_mass(1), _RHO_MASS))),
        domain=_REAL,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.rho.rises",
        source=ours(HERE),
        title="rho increases",
        statement=r"\rho'=1-h\rho>0",
        kind=Monotonicity(
            rho,
            "x",
            increasing=True,
            proof=Slope(Product((_per_mass(2), Part(_rho_slope, Derivative("x", "lower", _RHO_RISES))))),
        ),
        domain=_REAL,
    ),
)
