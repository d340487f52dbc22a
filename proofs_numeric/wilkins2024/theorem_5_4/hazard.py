r"""The hazard ``h = phi/Phi``, the Mills ratio ``m``, and the function W of step 6 of the collapse.

Letters as in :mod:`proofs_numeric.wilkins2024.theorem_5_4.collapse`: ``rho = x + h(x)``, ``W = (1 + h m)(1 + rho u)``.
"""

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.special import mills, normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.derivation import Derivation, PositiveOnBox, SymbolicIdentity
from proofs_numeric.statements.kinds import Inequality, Monotonicity, Relation
from proofs_numeric.statements.tactics import Boxes, ByClaim, Derivative, Part, Product, Slope, Substitute, Sum, Within
from proofs_numeric.wilkins2024.parameters import ours


def hazard(A: Arithmetic, x: Number) -> Number:
    """``phi(x)/Phi(x)``."""
    return normal_pdf(A, x) / normal_cdf(A, x)


def W(A: Arithmetic, *, x: Number, u: Number) -> Number:
    """``(1 + h(x) m(u)) (1 + rho(x) u)``; ``2 G'/g'``."""
    h = hazard(A, x)
    return (1 + h * mills(A, u)) * (1 + (x + h) * u)


def W_slope(A: Arithmetic, *, x: Number, u: Number) -> Number:
    """``x + h u m + rho h e2`` with ``e2 = (1 + u^2) m - u``."""
    h, m = hazard(A, x), mills(A, u)
    return x + h * u * m + (x + h) * h * ((1 + u * u) * m - u)


def _of_excess(A: Arithmetic, formula: Any, x: Number, excess: Number) -> Any:
    x = A.number(x)
    return formula(A, x=x, u=A.maximum(x, -x) + A.number(excess))


def W_of_excess(A: Arithmetic, *, x: Number, excess: Number) -> Any:
    """W at ``u = |x| + excess``."""
    return _of_excess(A, W, x, excess)


def _W_slope_of_excess(A: Arithmetic, *, x: Number, excess: Number) -> Any:
    return _of_excess(A, W_slope, x, excess)


def _two(A: Arithmetic, **_parameters: Any) -> Number:
    return A.number(2)


def _mills(A: Arithmetic, *, u: Number) -> Number:
    return mills(A, A.number(u))


def _mills_below(A: Arithmetic, *, u: Number) -> Number:
    u = A.number(u)
    return u / (1 + u * u)


def _mills_gap(A: Arithmetic, *, u: Number) -> Number:
    return normal_cdf(A, -u) - u * normal_pdf(A, u) / (1 + u * u)


def _mills_gap_slope(A: Arithmetic, *, u: Number) -> Number:
    return -2 * normal_pdf(A, u) / (1 + u * u) ** 2


MILLS_STEP = SymbolicIdentity(
    "d/du [Phi(-u) - u phi(u)/(1 + u^2)] = -2 phi(u)/(1 + u^2)^2",
    derivative(_mills_gap, "u"),
    _mills_gap_slope,
    ("u",),
    (),
    "it decreases strictly to its limit 0, so Phi(-u) > u phi(u)/(1 + u^2), that is e2 > 0, for every real u",
)


def _u_mills(A: Arithmetic, *, u: Number) -> Number:
    u = A.number(u)
    return u * mills(A, u)


def _e2(A: Arithmetic, *, u: Number) -> Number:
    return (1 + u * u) * mills(A, u) - u


U_MILLS_STEP = SymbolicIdentity(
    "d/du [u m(u)] = (1 + u^2) m - u", derivative(_u_mills, "u"), _e2, ("u",), (), "the right side is e2 > 0"
)


def _rho(A: Arithmetic, *, x: Number) -> Number:
    x = A.number(x)
    return x + hazard(A, x)


def _rho_mass(A: Arithmetic, *, x: Number) -> Number:
    return x * normal_cdf(A, x) + normal_pdf(A, x)


def _cdf(A: Arithmetic, *, x: Number) -> Number:
    return normal_cdf(A, x)


RHO_STEP = SymbolicIdentity(
    "d/dx [x Phi(x) + phi(x)] = Phi(x)",
    derivative(_rho_mass, "x"),
    _cdf,
    ("x",),
    (),
    "it increases strictly from its limit 0 at -infinity, so rho = (x Phi + phi)/Phi > 0",
)

W_SLOPE_STEP = SymbolicIdentity(
    "dW/du = x + h u m + rho h e2",
    derivative(W, "u"),
    W_slope,
    ("x", "u"),
    ("u",),
    "positive: for x >= 0 every term is >= 0 and rho h e2 > 0; for x = -z <= -0 and u >= z, h u m(u) >= h z m(z) = z",
)


def _hazard_times_mills(A: Arithmetic, *, z: Number) -> Number:
    return hazard(A, -z) * mills(A, z)


LEFT_STEPS = (
    SymbolicIdentity("h(-z) m(z) = 1", _hazard_times_mills, one, ("z",), ("z",), "hence h(-z) z m(z) = z"),
    SymbolicIdentity(
        "W(z; -z) = 2 (1 + rho(-z) z)",
        lambda A, *, z: W(A, x=-z, u=z),
        lambda A, *, z: 2 * (1 + (-z + hazard(A, -z)) * z),
        ("z",),
        ("z",),
        "greater than 2 for z > 0, as rho > 0",
    ),
)


def _right_gap(A: Arithmetic, *, x: Number) -> Number:
    # Phi(x) (1 + rho x - 2 Phi(x)): positive exactly where (1 + rho x)/Phi(x) > 2.
    cdf = normal_cdf(A, x)
    return cdf * (1 + (x + hazard(A, x)) * x - 2 * cdf)


def _right_gap_slope(A: Arithmetic, *, x: Number) -> Number:
    return 2 * x * normal_cdf(A, x) + 2 * normal_pdf(A, x) * (1 - 2 * normal_cdf(A, x))


def _right_gap_curvature(A: Arithmetic, *, x: Number) -> Number:
    cdf, density = normal_cdf(A, x), normal_pdf(A, x)
    return 2 * (cdf - 2 * density * density) + 4 * x * density * cdf


def _cdf_less_density(A: Arithmetic, *, cdf: Number, density: Number) -> Number:
    return cdf - 2 * density * density


def _at_origin(formula: Any) -> Any:
    return lambda A: formula(A, x=A.number(0))


RIGHT_STEPS = (
    SymbolicIdentity(
        "W(x; x) = (1 + rho x)/Phi(x)",
        lambda A, *, x: W(A, x=x, u=x),
        lambda A, *, x: (1 + (x + hazard(A, x)) * x) / normal_cdf(A, x),
        ("x",),
        ("x",),
        "so that W(x; x) - 2 has the sign of B(x) = Phi (1 + rho x - 2 Phi)",
    ),
    SymbolicIdentity("B(0) = 0", _at_origin(_right_gap), zero, (), (), "both sides touch at the origin"),
    SymbolicIdentity(
        "B'(x) = 2 x Phi + 2 phi (1 - 2 Phi)",
        derivative(_right_gap, "x"),
        _right_gap_slope,
        ("x",),
        (),
        "first derivative",
    ),
    SymbolicIdentity("B'(0) = 0", _at_origin(_right_gap_slope), zero, (), (), "the touching is of second order"),
    SymbolicIdentity(
        "B''(x) = 2 (Phi - 2 phi^2) + 4 x phi Phi",
        derivative(_right_gap_slope, "x"),
        _right_gap_curvature,
        ("x",),
        (),
        "second derivative",
    ),
    PositiveOnBox(
        "Phi - 2 phi^2 > 0",
        _cdf_less_density,
        Box(
            (
                Parameter("cdf", "Phi(x) for x >= 0", unit="probability", lower="1/2", upper=1),
                Parameter("density", "phi(x) <= 1/sqrt(2 pi)", lower=0, upper="0.39895"),
            )
        ),
        "hence B'' > 0 for x >= 0 and B > 0 for x > 0",
    ),
)

W_STEPS = (RHO_STEP, MILLS_STEP, U_MILLS_STEP, W_SLOPE_STEP, *LEFT_STEPS, *RIGHT_STEPS)

_X = Parameter("x", "level less half the distance, x", lower=-40, upper=40)

_EXCESS = Parameter("excess", "u - |x|", upper=40)

_U = Parameter("u", "argument of the Mills ratio", lower=0)


def _not_origin(**point: Any) -> bool:
    return bool(point["x"] != 0 or point["excess"] != 0)


HERE = "Theorem 5.4, in O(1)"

_W_DOMAIN = Box((_X, _EXCESS), _not_origin, "(x, u) != (0, 0)")

CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.collapse.W",
        source=ours(HERE),
        title="W > 2",
        statement=r"W(u;x)=(1+h(x)m(u))(1+\rho(x)u)>2,\quad u\ge|x|,\ (x,u)\ne(0,0)",
        kind=Inequality(_two, W_of_excess, Relation.LESS, proof=Derivation(W_STEPS)),
        domain=_W_DOMAIN,
        note="The proof covers every real x and u >= |x|: W increases in u from a value above 2 at u = |x|; at the "
        "origin, where W = 2, B and B' vanish and B'' > 0.",
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.box",
        source=ours(HERE),
        title="W > 2 away from the origin, by interval branch and bound",
        statement=r"W(u;x)>2,\quad 1/20\le|x|\le6,\ |x|\le u\le|x|+8",
        kind=Inequality(
            _two,
            W_of_excess,
            Relation.LESS,
            proof=Within(
                Box((Parameter("x", "half the box", lower="1/20", upper=6), replace(_EXCESS, upper=8))), Boxes()
            ),
        ),
        domain=_W_DOMAIN,
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.slope",
        source=ours(HERE),
        title="W increases with u",
        statement=r"\partial W/\partial u=x+h\,u\,m(u)+\rho\,h\,e_2(u)>0,\quad u\ge|x|",
        kind=Inequality(
            zero,
            _W_slope_of_excess,
            Relation.LESS,
            proof=Derivation((W_SLOPE_STEP, RHO_STEP, MILLS_STEP, U_MILLS_STEP, LEFT_STEPS[0])),
        ),
        domain=Box((_X, _EXCESS)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.right",
        source=ours(HERE),
        title="W > 2 on u = x > 0",
        statement=r"2\Phi(x)<1+\rho(x)x,\quad x>0",
        kind=Inequality(
            lambda A, *, x: 2 * normal_cdf(A, A.number(x)),
            lambda A, *, x: 1 + _rho(A, x=x) * A.number(x),
            Relation.LESS,
            proof=Product(
                (
                    Part(lambda A, *, x: 1 / _cdf(A, x=x)),
                    Part(
                        _right_gap,
                        Derivative(
                            "x",
                            "lower",
                            Derivative(
                                "x",
                                "lower",
                                Sum(
                                    (
                                        Part(lambda A, *, x: 4 * x * normal_pdf(A, x) * _cdf(A, x=x)),
                                        Part(
                                            lambda A, *, x: 2 * (_cdf(A, x=x) - A.number(1) / 2),
                                            Derivative("x", "lower"),
                                        ),
                                        Part(lambda A, *, x: 1 - 4 * normal_pdf(A, x) ** 2, Derivative("x", "lower")),
                                    )
                                ),
                            ),
                        ),
                    ),
                )
            ),
        ),
        domain=Box((Parameter("x", "x = u", upper=40, open_lower=True),)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.W.left",
        source=ours(HERE),
        title="W > 2 on u = -x > 0",
        statement=r"W(z;-z)=2(1+\rho(-z)z)>2,\quad z>0",
        kind=Inequality(
            _two,
            lambda A, *, z: W(A, x=-A.number(z), u=A.number(z)),
            Relation.LESS,
            proof=Product(
                (
                    Part(lambda A, *, z: 2 * z),
                    Part(
                        lambda A, *, z: _rho(A, x=-z),
                        ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": lambda A, *, z: -z}),
                    ),
                )
            ),
        ),
        domain=Box((Parameter("z", "-x = u", upper=40, open_lower=True),)),
    ),
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
        id="wilkins2024.thm5.4.collapse.u_mills",
        source=ours(HERE),
        title="u m(u) increases",
        statement=r"(u\,m(u))'=(1+u^2)m(u)-u>0",
        kind=Monotonicity(
            _u_mills,
            "u",
            increasing=True,
            proof=Slope(
                Product(
                    (
                        Part(lambda A, *, u: 1 + u * u),
                        Part(
                            lambda A, *, u: _mills(A, u=u) - _mills_below(A, u=u),
                            ByClaim("wilkins2024.thm5.4.collapse.mills_lower"),
                        ),
                    )
                )
            ),
        ),
        domain=Box((_U,)),
    ),
    Claim(
        id="wilkins2024.thm5.4.collapse.rho",
        source=ours(HERE),
        title="rho > 0",
        statement=r"\rho(x)=x+\phi(x)/\Phi(x)>0",
        kind=Inequality(
            zero,
            _rho,
            Relation.LESS,
            proof=Product(
                (
                    Part(lambda A, *, x: 1 / _cdf(A, x=x)),
                    Part(
                        _rho_mass,
                        Substitute(
                            Box((Parameter("x", "any real", lower="-infinity"),)),
                            {},
                            Derivative("x", "lower"),
                            zero,
                            _rho_mass,
                        ),
                    ),
                )
            ),
        ),
        domain=Box((Parameter("x", "any real", lower="-infinity"),)),
    ),
)
