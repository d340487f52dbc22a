r"""A pick of bounded range beside one Gaussian pair: ``V_1(epsilon) <= f(2 u, epsilon)``, equal at epsilon = 0.

Letters: s the range, ``p = 1/(1 + e^(-s/2))``, ``u = Phi^-1(p)``, ``E = p/(1-p) = e^(s/2)``, ``m = epsilon/(2u)``,
``h = phi/Phi``. Within the range ``x = e^(epsilon/2)`` is at most E and ``V_1 = (E - x)^2/(E^2 - 1)``, which with
``theta = (x - 1)/(E - 1)`` is ``(2p - 1)(1 - theta)^2``.

1. ``H(x) = h(-x)`` grows faster than x/2 from 0 on: ``H' = H (H - x) >= 1/2`` (``.slope``), and ``H(x) - h(x) >= x``
   (``.hazards``): so ``H(u + m) - h(u - m) >= u`` at every m >= 0 (``.apart``, ``.apart.beyond``).
2. That is the slope in m of ``log Phi(u - m) - log Phi(-u - m) - u m``, whose value at 0 is log E (``.odds``).
3. ``f/(1 - theta)^2`` grows with theta, at the rate ``2 [Phi(u - m) - E x Phi(-u - m)]/(1 - theta)^3`` (``.share``).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import (
    gaussian_profile,
    log_normal_cdf,
    logistic,
    normal_cdf,
    normal_pdf,
    normal_quantile_complement,
)
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import BETA, LEVEL, ours
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import (
    Boxes,
    ByClaim,
    Cases,
    Derivative,
    Given,
    Increasing,
    Maximum,
    Part,
    Product,
    Sign,
    Split,
    Substitute,
    Through,
)
from proofs_numeric.wilkins2024.theorem_5_4.hazard import hazard


def one_pick_delta(A: Arithmetic, *, epsilon: Number, beta: Number) -> Any:
    """``V_1`` of a pick of range s = 1/beta: ``(e^(s/2) - e^(epsilon/2))^2/(e^s - 1)``, 0 beyond s; epsilon >= 0."""
    step = 1 / A.number(beta)
    gap = A.exp(step / 2) - A.exp(A.minimum(epsilon, step) / 2)
    return gap * gap / A.expm1(step)


def pick_mu(A: Arithmetic, *, beta: Number) -> Any:
    """``2 z(1/(1 + e^(1/(2 beta))))``, z the upper normal quantile: the Gaussian that one pick is no worse than."""
    return 2 * normal_quantile_complement(A, logistic(A, -1 / (2 * A.number(beta))))


def one_pick_gaussian(A: Arithmetic, *, epsilon: Number, beta: Number) -> Any:
    """``f(mu, epsilon)`` at :func:`pick_mu`."""
    return gaussian_profile(A, A.number(epsilon), pick_mu(A, beta=beta))


def _hazards(A: Arithmetic, *, x: Number) -> Any:
    """``H(x) - h(x)``."""
    x = A.number(x)
    return hazard(A, x=-x) - hazard(A, x=x)


def _hazards_gap(A: Arithmetic, *, x: Number) -> Any:
    """``phi (2 Phi - 1) - x Phi(x) Phi(-x)``; its slope is ``2 phi^2 - Phi(x) Phi(-x)``."""
    x = A.number(x)
    return normal_pdf(A, x) * (2 * normal_cdf(A, x) - 1) - x * normal_cdf(A, x) * normal_cdf(A, -x)


def _bend(A: Arithmetic, *, x: Number) -> Any:
    """The slope of that slope, over phi."""
    x = A.number(x)
    return 2 * normal_cdf(A, x) - 1 - 4 * x * normal_pdf(A, x)


def _slope_gap(A: Arithmetic, *, x: Number) -> Any:
    """``[H (H - x) - 1/2] Phi(-x)^2``; its slope is ``-x phi (phi - x Phi(-x))``."""
    density, tail = normal_pdf(A, x), normal_cdf(A, -x)
    return density * density - x * density * tail - tail * tail / 2


def _half(A: Arithmetic, **_at: Number) -> Any:
    return A.number(1) / 2


def _odds_below(A: Arithmetic, *, u: Number, m: Number) -> Any:
    """``E e^(um) Phi(-u - m)``."""
    u, m = A.number(u), A.number(m)
    return normal_cdf(A, -u - m) * A.exp(u * m) * normal_cdf(A, u) / normal_cdf(A, -u)


def _log_odds_below(A: Arithmetic, *, u: Number, m: Number) -> Any:
    u, m = A.number(u), A.number(m)
    return log_normal_cdf(A, -u - m) + u * m + log_normal_cdf(A, u) - log_normal_cdf(A, -u)


def _odds_above(A: Arithmetic, *, u: Number, m: Number) -> Any:
    return normal_cdf(A, A.number(u) - m)


def _log_odds_above(A: Arithmetic, *, u: Number, m: Number) -> Any:
    return log_normal_cdf(A, A.number(u) - m)


def _unit(A: Arithmetic, *, p: Number, **_at: Number) -> Any:
    """U."""
    return normal_quantile_complement(A, 1 - A.number(p))


def _root(A: Arithmetic, *, p: Number, theta: Number = 1) -> Any:
    """``x = 1 + theta (E - 1)``."""
    return 1 + A.number(theta) * ((2 * A.number(p) - 1) / (1 - A.number(p)))


def _level(A: Arithmetic, **at: Number) -> Any:
    return 2 * A.log(_root(A, **at))


def _place(A: Arithmetic, **at: Number) -> Any:
    """M."""
    return A.log(_root(A, **at)) / _unit(A, **at)


def _share_delta(A: Arithmetic, *, p: Number, theta: Number) -> Any:
    return (2 * A.number(p) - 1) * (1 - A.number(theta)) ** 2


def _share_gaussian(A: Arithmetic, **at: Number) -> Any:
    return gaussian_profile(A, _level(A, **at), 2 * _unit(A, **at))


def _over_share(A: Arithmetic, *, p: Number, theta: Number) -> Any:
    """``f/(1 - theta)^2 - (2p - 1)``, 0 at theta = 0."""
    return _share_gaussian(A, p=p, theta=theta) / (1 - A.number(theta)) ** 2 - (2 * A.number(p) - 1)


def _odds_gap(A: Arithmetic, **at: Number) -> Any:
    where = {"u": _unit(A, **at), "m": _place(A, **at)}
    return _odds_above(A, **where) - _odds_below(A, **where)


def _odds_of(A: Arithmetic, *, beta: Number, **_at: Number) -> Any:
    """``p = 1/(1 + e^(-s/2))``."""
    return logistic(A, 1 / (2 * A.number(beta)))


def _share_of(A: Arithmetic, *, epsilon: Number, beta: Number) -> Any:
    """``theta = (e^(epsilon/2) - 1)/(e^(s/2) - 1)``."""
    return A.expm1(A.number(epsilon) / 2) / A.expm1(1 / (2 * A.number(beta)))


def _step(A: Arithmetic, *, beta: Number, **_at: Number) -> Any:
    return 1 / A.number(beta)


def _left_of_range(A: Arithmetic, *, epsilon: Number, beta: Number) -> Any:
    return 1 / A.number(beta) - epsilon


def _right_of_zero(name: str, said: str) -> Parameter:
    return Parameter(name, said, unit="standard deviations", lower=0)


_X = _right_of_zero("x", "point of the normal law")
_U = replace(_right_of_zero("u", "half the distance of the Gaussian pair"), open_lower=True)
_D = _right_of_zero("d", "distance of the two hazards' points, less where they start")
_SHARE = Box(
    (
        Parameter("p", "1/(1 + e^(-s/2))", lower="1/2", upper=1, open_lower=True, open_upper=True),
        Parameter("theta", "(x - 1)/(E - 1)", upper=1),
    )
)
_HERE = "Theorem 5, by bounded range"
_ID = "rogers2024.range.gaussian"
_POSITIVE = "wilkins2024.thm2.2.positive"

CLAIMS = (
    Claim(
        id=_ID,
        source=ours(_HERE),
        title="A pick of bounded range is no worse than one Gaussian pair, and no closer pair will do",
        statement=r"V_1(\varepsilon) \le f(\mu, \varepsilon),\ \mu = 2\Phi^{-1}(1/(1 + e^{-1/(2\beta)}))",
        kind=Inequality(
            one_pick_delta,
            one_pick_gaussian,
            proof=Maximum(
                (
                    Part(
                        parameter_named("epsilon"),
                        Substitute(
                            _SHARE,
                            {"p": _odds_of, "theta": _share_of},
                            ByClaim(f"{_ID}.share"),
                            _share_delta,
                            _share_gaussian,
                            {
                                "theta <": Product(
                                    (
                                        Part(lambda A, *, beta, **_at: 1 / A.expm1(1 / (2 * A.number(beta)))),
                                        Part(lambda A, *, epsilon, **_at: A.exp(A.number(epsilon) / 2)),
                                        Part(
                                            lambda A, **at: A.expm1(_left_of_range(A, **at) / 2),
                                            Substitute(
                                                Box((Parameter("left", "s - epsilon", "nats"),)),
                                                {"left": _left_of_range},
                                                Sign(),
                                                zero,
                                                lambda A, *, left: A.expm1(A.number(left) / 2),
                                                {"left": Given()},
                                            ),
                                        ),
                                    )
                                )
                            },
                        ),
                    ),
                    Part(
                        _step,
                        Through(
                            zero, Sign(), ByClaim(_POSITIVE, {"mu": lambda A, *, beta, **_at: pick_mu(A, beta=beta)})
                        ),
                    ),
                ),
                inside=True,
            ),
        ),
        domain=Box((replace(LEVEL, upper=50), replace(BETA, lower="1/20", upper=1000))),
        quantity=QuantityKind.DELTA,
        privacy=SELECTION,
        points=({"epsilon": "1/10", "beta": 10}, {"epsilon": "1/2", "beta": 1}),
        evaluates=one_pick_gaussian,
        note="Equality at epsilon = 0; mu = 0.627/beta for large beta.",
    ),
    Claim(
        id=f"{_ID}.slope",
        source=ours(_HERE),
        title="The hazard's slope from 0 on",
        statement=r"\tfrac12\le H(H-x),\ H=\varphi(x)/\Phi(-x),\ x\ge0",
        kind=Inequality(
            _half,
            lambda A, *, x: hazard(A, x=-x) * (hazard(A, x=-x) - x),
            proof=Product(
                (
                    Part(lambda A, *, x: 1 / normal_cdf(A, -x) ** 2),
                    Part(
                        _slope_gap,
                        Derivative(
                            "x",
                            "upper",
                            Product(
                                (
                                    Part(lambda A, *, x: x * normal_pdf(A, x) * normal_cdf(A, -x)),
                                    Part(
                                        lambda A, *, x: hazard(A, x=-x) - x,
                                        ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": lambda _A, *, x: -x}),
                                    ),
                                )
                            ),
                        ),
                    ),
                )
            ),
        ),
        domain=Box((_X,)),
    ),
    Claim(
        id=f"{_ID}.hazards",
        source=ours(_HERE),
        title="The hazards of a point and of its opposite differ by more than the point",
        statement=r"x\le\varphi(x)/\Phi(-x)-\varphi(x)/\Phi(x),\ x\ge0",
        kind=Inequality(
            parameter_named("x"),
            _hazards,
            proof=Product(
                (
                    Part(lambda A, *, x: 1 / normal_cdf(A, x)),
                    Part(lambda A, *, x: 1 / normal_cdf(A, -x)),
                    Part(
                        _hazards_gap,
                        Split(
                            "x",
                            "1/2",
                            Derivative("x", "lower", Boxes()),
                            Split(
                                "x",
                                2,
                                Boxes(),
                                Derivative(
                                    "x",
                                    "upper",
                                    Derivative(
                                        "x",
                                        "upper",
                                        Product(
                                            (
                                                Part(lambda A, *, x: normal_pdf(A, x)),
                                                Part(
                                                    _bend,
                                                    Derivative(
                                                        "x",
                                                        "lower",
                                                        Product(
                                                            (
                                                                Part(lambda A, *, x: 2 * normal_pdf(A, x)),
                                                                Part(lambda _A, *, x: 2 * x * x - 1),
                                                            )
                                                        ),
                                                        Boxes(),
                                                    ),
                                                ),
                                            )
                                        ),
                                    ),
                                ),
                            ),
                        ),
                    ),
                )
            ),
        ),
        domain=Box((_X,)),
    ),
    Claim(
        id=f"{_ID}.apart",
        source=ours(_HERE),
        title="Hazards of points on either side of 0, the nearer one below",
        statement=r"h(b)+b+\tfrac d2\le H(b+d),\ b,d\ge0",
        kind=Inequality(
            lambda A, *, b, d: hazard(A, x=A.number(b)) + b + A.number(d) / 2,
            lambda A, *, b, d: hazard(A, x=-(A.number(b) + d)),
            proof=Derivative(
                "d",
                "lower",
                ByClaim(f"{_ID}.slope", {"x": lambda _A, *, b, d: b + d}),
                ByClaim(f"{_ID}.hazards", {"x": parameter_named("b")}),
            ),
        ),
        domain=Box((replace(_X, name="b"), _D)),
    ),
    Claim(
        id=f"{_ID}.apart.beyond",
        source=ours(_HERE),
        title="Hazards of points above 0",
        statement=r"h(-c)+\tfrac d2\le H(c+d),\ c,d\ge0",
        kind=Inequality(
            lambda A, *, c, d: hazard(A, x=-A.number(c)) + A.number(d) / 2,
            lambda A, *, c, d: hazard(A, x=-(A.number(c) + d)),
            proof=Derivative("d", "lower", ByClaim(f"{_ID}.slope", {"x": lambda _A, *, c, d: c + d})),
        ),
        domain=Box((replace(_X, name="c"), _D)),
    ),
    Claim(
        id=f"{_ID}.odds",
        source=ours(_HERE),
        title="At a distance of 2u no two normal tails have closer odds than those about 0",
        statement=r"\tfrac{\Phi(u)}{\Phi(-u)}e^{um}\Phi(-u-m)\le\Phi(u-m),\ u>0,\ m\ge0",
        kind=Inequality(
            _odds_below,
            _odds_above,
            proof=Increasing(
                "exp",
                _log_odds_below,
                _log_odds_above,
                Derivative(
                    "m",
                    "lower",
                    Cases(
                        parameter_named("m"),
                        parameter_named("u"),
                        ByClaim(
                            f"{_ID}.apart",
                            {"b": lambda _A, *, u, m: u - m, "d": lambda _A, *, u, m: 2 * m},
                            {"b": Given()},
                        ),
                        ByClaim(
                            f"{_ID}.apart.beyond",
                            {"c": lambda _A, *, u, m: m - u, "d": lambda _A, *, u, m: 2 * u},
                            {"c": Given()},
                        ),
                    ),
                ),
            ),
        ),
        domain=Box((_U, _right_of_zero("m", "epsilon/(2u)"))),
    ),
    Claim(
        id=f"{_ID}.share",
        source=ours(_HERE),
        title="A pick and a Gaussian pair, by the share of the range",
        statement=r"(2p-1)(1-\theta)^2\le f(2u,\,2\ln(1+\theta\tfrac{2p-1}{1-p})),\ u=\Phi^{-1}(p)",
        kind=Inequality(
            _share_delta,
            _share_gaussian,
            proof=Split(
                "theta",
                1,
                Product(
                    (
                        Part(lambda A, *, theta, **_at: (1 - A.number(theta)) ** 2),
                        Part(
                            _over_share,
                            Derivative(
                                "theta",
                                "lower",
                                Product(
                                    (
                                        Part(lambda A, *, theta, **_at: 2 / (1 - A.number(theta)) ** 3),
                                        Part(_odds_gap, ByClaim(f"{_ID}.odds", {"u": _unit, "m": _place})),
                                    )
                                ),
                            ),
                        ),
                    )
                ),
                Through(
                    zero, Sign(), ByClaim(_POSITIVE, {"epsilon": _level, "mu": lambda A, **at: 2 * _unit(A, **at)})
                ),
                without="lower",
            ),
        ),
        domain=_SHARE,
        quantity=QuantityKind.DELTA,
    ),
)
