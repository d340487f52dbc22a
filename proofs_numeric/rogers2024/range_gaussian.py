r"""A pick of bounded range beside one Gaussian pair: ``V_1(epsilon) <= f(2 u, epsilon)``, equal at epsilon = 0.

Letters: s the range, ``p = 1/(1 + e^(-s/2))``, ``u = Phi^-1(p)``, ``E = p/(1-p) = e^(s/2)``, ``m = epsilon/(2u)``,
``h = phi/Phi``. Within the range ``x = e^(epsilon/2)`` is at most E and ``V_1 = (E - x)^2/(E^2 - 1)``, which with
``theta = (x - 1)/(E - 1)`` is ``(2p - 1)(1 - theta)^2``.

1. ``H(x) = h(-x)`` grows faster than x/2 from 0 on: ``H' = H (H - x) >= 1/2`` (``.slope``), and ``H(x) - h(x) >= x``
   (``.hazards``): so ``H(u + m) - h(u - m) >= u`` at every m >= 0 (``.apart``, ``.apart.beyond``).
2. That is the slope in m of ``log Phi(u - m) - log Phi(-u - m) - u m``, whose value at 0 is log E (``.odds``).
3. ``f/(1 - theta)^2`` grows with theta, at the rate ``2 [Phi(u - m) - E x Phi(-u - m)]/(1 - theta)^3`` (``.share``).
"""

from dataclasses import replace

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.neighbours import SELECTION
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.hazard import hazard

c, d, left, m, p, theta, u, x = symbols("c d left m p theta u x")
_step = 1 / beta
_gap = exp(_step / 2) - exp(minimum(epsilon, _step) / 2)
one_pick_delta = _gap * _gap / expm1(_step)
"""``V_1`` of a pick of range s = 1/beta: ``(e^(s/2) - e^(epsilon/2))^2/(e^s - 1)``, 0 beyond s; epsilon >= 0."""
pick_mu = 2 * quantile_complement(1 / (1 + exp(1 / (2 * beta))))
"""``2 z(1/(1 + e^(1/(2 beta))))``, z the upper normal quantile: the Gaussian that one pick is no worse than."""
one_pick_gaussian = profile(epsilon, pick_mu)
_opposite = hazard(x=-x)
_hazards_gap = phi(x) * (2 * Phi(x) - 1) - x * Phi(x) * Phi(-x)
"""Its slope is ``2 phi^2 - Phi(x) Phi(-x)``."""
_bend = 2 * Phi(x) - 1 - 4 * x * phi(x)
"""The slope of that slope, over phi."""
_slope_gap = phi(x) * phi(x) - x * phi(x) * Phi(-x) - Phi(-x) * Phi(-x) / 2
"""``[H (H - x) - 1/2] Phi(-x)^2``; its slope is ``-x phi (phi - x Phi(-x))``."""
_odds_below = Phi(-u - m) * exp(u * m) * Phi(u) / Phi(-u)
_odds_above = Phi(u - m)
_unit = quantile_complement(1 - p)
_root = 1 + theta * ((2 * p - 1) / (1 - p))
_level = 2 * log(_root)
_at_share = {"u": _unit, "m": log(_root) / _unit}
_share_delta = (2 * p - 1) * (1 - theta) ** 2
_share_gaussian = profile(_level, 2 * _unit)
_over_share = _share_gaussian / (1 - theta) ** 2 - (2 * p - 1)
"""0 at theta = 0."""
_odds_gap = _odds_above(**_at_share) - _odds_below(**_at_share)


_X, _D, _U, _M = (
    Parameter(name, description, "standard deviations", open_lower=name == "u")
    for name, description in (
        ("x", "point of the normal law"), ("d", "distance of the two hazards' points, less where they start"),
        ("u", "half the distance of the Gaussian pair"), ("m", "epsilon/(2u)"),
    )
)  # fmt: skip
_SHARE = Box(
    (
        Parameter("p", "1/(1 + e^(-s/2))", lower="1/2", upper=1, open_lower=True, open_upper=True),
        Parameter("theta", "(x - 1)/(E - 1)", upper=1),
    )
)
_HERE = "Theorem 5, by bounded range"
_ID = "rogers2024.range.gaussian"
_POSITIVE = "wilkins2024.thm2.2.positive"
_RHO = ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": -x})
_OVER_SHARE = Derivative(
    "theta", "lower", product_of(2 / (1 - theta) ** 3, (_odds_gap, ByClaim(f"{_ID}.odds", _at_share)))
)
_BELOW_ONE = product_of(
    1 / expm1(1 / (2 * beta)), exp(epsilon / 2),
    (
        expm1((_step - epsilon) / 2),
        Substitute(
            Box((Parameter("left", "s - epsilon", "nats"),)), {"left": _step - epsilon}, Sign(), zero, expm1(left / 2),
            {"left": Hypothesis()},
        ),
    ),
)  # fmt: skip
"""Of the share, within the range."""
_BENDS = Derivative("x", "lower", product_of(2 * phi(x), 2 * x * x - 1), Boxes())
_FAR = Derivative("x", "upper", Derivative("x", "upper", product_of(phi(x), (_bend, _BENDS))))

CLAIMS = (
    own(
        "range.gaussian", _HERE,
        "A pick of bounded range is no worse than one Gaussian pair, and no closer pair will do",
        r"V_1(\varepsilon) \le f(\mu, \varepsilon),\ \mu = 2\Phi^{-1}(1/(1 + e^{-1/(2\beta)}))",
        one_pick_delta <= one_pick_gaussian,
        proof=largest_of(
            (
                epsilon,
                Substitute(
                    _SHARE,
                    {"p": 1 / (1 + exp(-(1 / (2 * beta)))), "theta": expm1(epsilon / 2) / expm1(1 / (2 * beta))},
                    ByClaim(f"{_ID}.share"), _share_delta, _share_gaussian, {"theta <": _BELOW_ONE},
                )
            ),
            (_step, Through(zero, Sign(), ByClaim(_POSITIVE, {"mu": pick_mu}))), inside=True
        ),
        domain=(replace(LEVEL, upper=50), replace(BETA, lower="1/20", upper=1000)), quantity=QuantityKind.DELTA,
        privacy=SELECTION, points=({"epsilon": "1/10", "beta": 10}, {"epsilon": "1/2", "beta": 1}),
        evaluates=one_pick_gaussian, note="Equality at epsilon = 0; mu = 0.627/beta for large beta.",
    ),
    own(
        "range.gaussian.slope", _HERE, "The hazard's slope from 0 on",
        None, lift("1/2") <= _opposite * (_opposite - x),
        proof=product_of(
            1 / Phi(-x) ** 2,
            (
                _slope_gap,
                Derivative("x", "upper", product_of(x * phi(x) * Phi(-x), (_opposite - x, _RHO))),
            ),
        ),
        domain=(_X,),
    ),
    own(
        "range.gaussian.hazards", _HERE, "The hazards of a point and of its opposite differ by more than the point",
        None, x <= _opposite - hazard,
        proof=product_of(
            1 / Phi(x), 1 / Phi(-x),
            (_hazards_gap, Split("x", "1/2", Derivative("x", "lower", Boxes()), Split("x", 2, Boxes(), _FAR))),
        ),
        domain=(_X,),
    ),
    own(
        "range.gaussian.apart", _HERE, "Hazards of points on either side of 0, the nearer one below",
        r"h(b)+b+\tfrac d2\le H(b+d),\ b,d\ge0", hazard(x=b) + b + d / 2 <= hazard(x=-(b + d)),
        proof=Derivative("d", "lower", ByClaim(f"{_ID}.slope", {"x": b + d}), ByClaim(f"{_ID}.hazards", {"x": b})),
        domain=(replace(_X, name="b"), _D),
    ),
    own(
        "range.gaussian.apart.beyond", _HERE, "Hazards of points above 0", r"h(-c)+\tfrac d2\le H(c+d),\ c,d\ge0",
        hazard(x=-c) + d / 2 <= hazard(x=-(c + d)),
        proof=Derivative("d", "lower", ByClaim(f"{_ID}.slope", {"x": c + d})), domain=(replace(_X, name="c"), _D),
    ),
    own(
        "range.gaussian.odds", _HERE, "At a distance of 2u no two normal tails have closer odds than those about 0",
        None, _odds_below <= _odds_above,
        proof=Increasing(
            "exp", log_cdf(-u - m) + u * m + log_cdf(u) - log_cdf(-u), log_cdf(u - m),
            Derivative(
                "m", "lower",
                Cases(
                    m, u, ByClaim(f"{_ID}.apart", {"b": u - m, "d": 2 * m}, {"b": Hypothesis()}),
                    ByClaim(f"{_ID}.apart.beyond", {"c": m - u, "d": 2 * u}, {"c": Hypothesis()}),
                ),
            ),
        ),
        domain=(_U, _M),
    ),
    own(
        "range.gaussian.share", _HERE, "A pick and a Gaussian pair, by the share of the range",
        r"(2p-1)(1-\theta)^2\le f(2u,\,2\ln(1+\theta\tfrac{2p-1}{1-p})),\ u=\Phi^{-1}(p)",
        _share_delta <= _share_gaussian,
        proof=Split(
            "theta", 1, product_of((1 - theta) ** 2, (_over_share, _OVER_SHARE)),
            Through(zero, Sign(), ByClaim(_POSITIVE, {"epsilon": _level, "mu": 2 * _unit})), without="lower",
        ),
        domain=_SHARE, quantity=QuantityKind.DELTA,
    ),
)  # fmt: skip
