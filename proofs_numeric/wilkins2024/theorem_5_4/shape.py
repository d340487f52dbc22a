r"""The shape of the terms of (5.8) in real ``a = a_=``: how often second and third may rise and fall.

Letters: ``n = C_u - a``, ``mu = k sqrt(n)``, ``L = -log p``, ``h = phi/Phi``, ``rho(x) = x + h(x)``,
``kappa(x) = 1/rho(x)^2 - x^2``, ``c = 1 + 2L/k^2``.

1. The slope of second has the sign of ``sqrt(n)/h(x) - k/(2L)`` at ``x = (epsilon + aL)/mu - mu/2``
   (``thm5.4.shape.second.sign``); with ``E = epsilon + L C_u`` and ``K = 2cE``, as n grows x falls and
   ``d log(sqrt(n)/h(x))/d log n = (1 - rho(x) sqrt(x^2 + K))/2`` (``thm5.4.shape.second``).
2. The slope of third has the sign of ``sqrt(n) m(u) - k/(2L)`` at ``u = (epsilon - aL)/mu + mu/2``
   (``thm5.4.shape.third.sign``).  With
   ``E' = epsilon - L C_u`` and ``u = A + B``, ``A = E'/mu``, ``B = mu (1/2 + L/k^2)``, the logarithmic slope is
   ``(1 - rho(-u) (B - A))/2`` (``thm5.4.shape.third``), where ``(B - A)^2 = u^2 - 2cE'``.
3. ``kappa`` decreases strictly from 4 at -infinity (``thm5.4.shape.kappa|near|below``).  With ``s = rho^2`` and
   ``D(x) = x + z(rho(x))``, ``z(t) = (1 - t^2)/(t (1 + t^2))``, one has ``kappa' = -2 (1 + s) D/s``; and D > 0, as rho
   increases and ``rho(-z(t)) < t`` (``thm5.4.shape.kappa.turn``).
4. So ``1 - rho sqrt(x^2 + K)``, of the sign of ``kappa(x) - K``, changes its sign at most once, and never for K >= 4.
   The logarithm in step 1 falls, then rises, as n grows, and crosses a level at most twice: the slope of second is
   positive, negative, positive in a, with some of these perhaps missing (``thm5.4.shape.second.pattern``); for K >= 4
   negative, then positive (``thm5.4.shape.second.valley``).  The same for third where ``E' < 0``, as then u grows with
   n (``thm5.4.shape.third.pattern``); where ``E' >= 0`` third rises, then falls (``thm5.4.shape.third.hill``), since
   ``sqrt(n) m(u)`` grows with n (``thm5.4.shape.third.grows``).
"""

from dataclasses import replace
from fractions import Fraction

from proofs_numeric.expression import derivative
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.tactics import Contrary
from proofs_numeric.wilkins2024.parameters import *
from proofs_numeric.wilkins2024.theorem_5_4.collapse import g_prime, second_slope
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import rows, third_value
from proofs_numeric.wilkins2024.theorem_5_4.hazard import hazard, rho, x

# --- logarithmic slopes -----------------------------------------------------------------------------------------------
n, reach, rate, unit, share, a, left, z = symbols("n reach rate unit share a left z")
first, second, third, extra = symbols("first second third extra")
_rho = symbol("rho")
"""A value of `rho`."""

_root = sqrt(n)
_x_of, _u_of = ((reach + side * n * rate) / (unit * _root) + side * unit * _root / 2 for side in (-1, 1))
second_level = log(_root) - log(phi(_x_of)) + log(Phi(_x_of))
"""``log(sqrt(n)/h(x))``, ``x = (E - nL)/(k sqrt(n)) - k sqrt(n)/2``; ``reach = E``, ``rate = L``, ``unit = k``."""
third_level = log(_root) + log(Phi(-_u_of)) - log(phi(_u_of))
"""``log(sqrt(n) m(u))``, ``u = (E' + nL)/(k sqrt(n)) + k sqrt(n)/2``; ``reach = E'``, of either sign."""

_of_reach, _of_root = reach / (unit * _root), _root * (rate / unit + unit / 2)
_second_by_rho = (1 - rho(x=_of_reach - _of_root) * (_of_reach + _of_root)) / 2
"""``(A + B)^2 = x^2 + K`` at ``x = A - B``."""

# --- kappa ------------------------------------------------------------------------------------------------------------
kappa_of = (1 - x * _rho) * (1 + x * _rho) / (_rho * _rho)
kappa = kappa_of(rho=rho)
_turn = (1 - _rho * _rho) / (_rho * (1 + _rho * _rho))
"""``(1 - rho^2)/(rho (1 + rho^2))``: kappa falls at x where this is above -x."""
rho_at_turn = rho(x=-_turn)
_rho_less = Phi(-_turn) - phi(_turn) / (_rho + _turn)
"""``Phi(-z) - phi(z)/(rho + z)``, which is positive where ``rho(-z) < rho``."""
_square = _rho * _rho
_rho_less_slope = phi(_turn) * 8 * _square * _square / ((1 + _square) ** 3 * (_rho + _turn) ** 2)
_RHO_POSITIVE = ByClaim("wilkins2024.thm5.4.collapse.rho")
_BEFORE_TURN = product_of(
    (_rho + _turn) / Phi(-_turn), (_rho_less, Derivative("rho", "lower", product_of(_rho_less_slope)))
)
_minus_turn = -_turn(rho=rho)
_RISES = ByClaim("wilkins2024.thm5.4.collapse.rho.rises", {"x": x, "x_2": _minus_turn}, {"x < x_2": Hypothesis()})
_TURN = ByClaim("wilkins2024.thm5.4.shape.kappa.turn", {"rho": rho}, {"rho": _RHO_POSITIVE})
_KAPPA_FALLS = Slope(
    product_of(
        2 * (1 + rho**2) / rho**2,
        (x - _minus_turn, Cases(x, _minus_turn, Contrary(rho, rho(x=_minus_turn), _RISES, _TURN), Hypothesis())),
    ),
    (_RHO_POSITIVE,),
)
"""Were ``x <= -z`` with ``z = (1 - s)/(rho (1 + s))``, rho(x) would be at most rho(-z), which is less than rho(x)."""

_rho_on_left = rho(x=-z)
_RHO_ON_LEFT = ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": -z})
_q = sqrt(z**2 + 4)
_tail_below = phi(z) / (z + 1 / _q) - Phi(-z)
"""Positive where ``q rho(-z) > 1``, ``q = sqrt(z^2 + 4)``."""
_tail_below_falls = phi(z) * (8 * z * z + 36) / ((_q * (z * z + 3) + z * (z * z + 5)) * _q**3 * (z + 1 / _q) ** 2)
_per_tail_below = (_q * z + 1) * (_q * _rho_on_left + 1) / (_rho_on_left * _rho_on_left * Phi(-z))
_BELOW_FOUR = Have(
    at_most(0, _rho_on_left, strict=True), _RHO_ON_LEFT,
    product_of(_per_tail_below, (_tail_below, Derivative("z", "upper", product_of(_tail_below_falls)))),
)  # fmt: skip
"""``4 - kappa = (q^2 rho^2 - 1)/rho^2``."""

_w = z * (z * z + 5) / (z * z + 3)
"""``w = z + 2z/(z^2 + 3)``, which 1/rho(-z) exceeds."""
_tail_above = Phi(-z) - phi(z) / (z + 1 / _w)
"""Positive where ``rho(-z) < 1/w``."""
_tail_above_falls = 24 * phi(z) / (z * (z * z + 5) * (z + 1 / _w)) ** 2
_per_tail_above = (1 / _rho_on_left + _w) * _w / _rho_on_left * (z + 1 / _w) / Phi(-z)
_ABOVE_SQUARE = product_of(_per_tail_above, (_tail_above, Derivative("z", "upper", product_of(_tail_above_falls))))
_NEAR_FOUR = Have(
    at_most(0, _rho_on_left, strict=True), _RHO_ON_LEFT,
    sum_of((1 / _rho_on_left**2 - _w**2, _ABOVE_SQUARE), (2 * z / (z**2 + 3)) ** 2),
)  # fmt: skip

# --- patterns ---------------------------------------------------------------------------------------------------------
_root_left = sqrt((1 - share) * rows)
_mu, _loss = unit * _root_left, share * rows * rate
_x_at, _u_at = (epsilon + _loss) / _mu - _mu / 2, (epsilon - _loss) / _mu + _mu / 2
_gain = 2 * rate * _root_left / unit
second_sign = _gain - hazard(x=_x_at)
"""A number of the sign of second'(a) at ``a = share C_u``: ``2 L sqrt(n)/k - h(x)``."""
third_sign = _gain * mills(_u_at) - 1
"""A number of the sign of third'(a) at ``a = share C_u``: ``2 L sqrt(n) m(u)/k - 1``."""
f_dp_sign = _gain - g_prime(mu=_mu)
"""A number of the sign of the slope of the f-DP term at ``a = share C_u``: ``2 L sqrt(n)/k - g'(mu)``."""
_second_by_sign = exp(-_loss) * Phi(_x_at) * unit / (2 * _root_left) * second_sign
_third_of = third_value(loss=a * rate, mu=unit * sqrt(rows - a))
_mu_left = unit * sqrt(left)
_density_left = phi((epsilon - a * rate) / _mu_left - _mu_left / 2)
_third_by_sign = unit / (2 * sqrt(left)) * _density_left * third_sign(share=a / (a + left), rows=a + left)

# --- hills and valleys ------------------------------------------------------------------------------------------------
third_root = _root * mills(_u_of)
"""``sqrt(n) m(u)``, of which third_sign is an increasing function."""
_mills_excess, _twice_fixed = mills(_u_of) - _u_of / (1 + _u_of * _u_of), 2 * reach / (unit * _root)
_EXCESS = factors(1 + _u_of**2, (_mills_excess, ByClaim("wilkins2024.thm5.4.collapse.mills_lower", {"u": _u_of})))
_FIXED = factors(_twice_fixed, mills(_u_of), (rho(x=-_u_of), ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": -_u_of})))
_grown = (1 + _u_of**2) * _mills_excess + _twice_fixed * mills(_u_of) * rho(x=-_u_of)
_THIRD_GROWS = Slope(product_of(1 / (2 * _root), (_grown, sum_of(_EXCESS, _FIXED))))
"""``2 sqrt(n)`` times the slope is ``m (1 + u^2) - u + 2 A (1 - u m)``."""

_third_at = {place: third_sign(share=place, epsilon=extra + rate * rows) for place in (first, second)}
"""The sign of third' at a share, where ``epsilon = L C_u + extra``."""
_rows_left = {place: (1 - place) * rows for place in (first, second)}
_roots = {place: third_root(n=_rows_left[place], reach=extra) for place in (first, second)}
_GROWS = ByClaim(
    "wilkins2024.thm5.4.shape.third.grows",
    {"n": _rows_left[second], "n_2": _rows_left[first], "reach": extra},
    {"n < n_2": product_of(rows, (second - first, Hypothesis()))},
)
_HILL = Cases(
    _third_at[first], lift(0),
    Through(
        _third_at[second], Symbolic(),
        Through(_third_at[first], product_of(2 * rate / unit, (_roots[first] - _roots[second], _GROWS)), Hypothesis()),
    ),
    Through(-_third_at[first], Symbolic(), Hypothesis()),
)  # fmt: skip
"""Were third_sign negative at the first place, it would be so at the second."""


def _falls_rises_falls(sign: Expression) -> Expression:
    return minimum(-sign(share=first), sign(share=second), -sign(share=third))


def _ordered(*, first: Value, second: Value, third: Value = 1, **_rest: Value) -> bool:
    return bool(first < second < third)  # type: ignore[operator]


def _wide(*, epsilon: Value, rows: Value, rate: Value, unit: Value, **shares: Value) -> bool:
    square, lost = Fraction(unit) ** 2, Fraction(rate)
    return _ordered(**shares) and 2 * (1 + 2 * lost / square) * (Fraction(epsilon) + Fraction(rows) * lost) >= 4


_HERE = "Theorem 5.4, shape of its terms"
_Z = Box((Parameter("z", "-x", open_lower=True),))
_N = Parameter("n", "rows above the threshold, any real", "rows", "1/1000", 1000, log=True)
_RATE = Parameter("rate", "L, log-probability lost a row", "nats", "1e-4", 10, log=True)
_UNIT = Parameter("unit", "k, distance of one row", lower="1e-2", upper=10, log=True)
_ROWS = Parameter("rows", "C_u, any real", "rows", 1, 1000, log=True)
_EPSILON = Parameter("epsilon", "privacy-loss level", "nats", 0, 20)
_SHARES = tuple(
    Parameter(name, f"a_=/C_u, {which} place", upper=1, open_upper=True)
    for name, which in (("first", "a first"), ("second", "a later"), ("third", "a last"))
)
_ANY_N, _ANY_RATE, _ANY_UNIT = (replace(one, lower=0, upper="infinity", open_lower=True) for one in (_N, _RATE, _UNIT))
_SIGN = Box((replace(_SHARES[0], name="share", description="a_=/C_u"), _EPSILON, _ROWS, _RATE, _UNIT))

_SLOPE_OF_SECOND = (
    Premise("wilkins2024.thm5.4.collapse.derivative", "the slope of second"),
    Premise("wilkins2024.thm5.4.shape.second.sign", "has the sign of sqrt(n)/h(x) - k/(2L)"),
    Premise("wilkins2024.thm5.4.shape.second", "whose logarithmic slope has the sign of kappa(x) - K"),
)

CLAIMS = (
    own(
        "thm5.4.shape.second", _HERE, "Logarithmic slope behind the sign of second'",
        r"\frac{d\log(\sqrt n/h(x))}{d\log n}=\tfrac12(1-\rho(x)\sqrt{x^2+K}),\quad K=2(1+2L/k^2)E",
        eq(n * derivative(second_level, "n"), _second_by_rho), proof=Symbolic(),
        domain=(_N, Parameter("reach", "E = epsilon + L C_u", "nats", "1/100", 100, log=True), _RATE, _UNIT),
    ),
    own(
        "thm5.4.shape.third", _HERE, "Logarithmic slope behind the sign of third'",
        r"\frac{d\log(\sqrt n\,m(u))}{d\log n}=\tfrac12(1-\rho(-u)(B-A)),\quad u=A+B,\ (B-A)^2=u^2-2(1+2L/k^2)E'",
        eq(n * derivative(third_level, "n"), (1 - rho(x=-(_of_root + _of_reach)) * (_of_root - _of_reach)) / 2),
        proof=Symbolic(), domain=(_N, Parameter("reach", "E' = epsilon - L C_u", "nats", -20, 20), _RATE, _UNIT),
    ),
    own(
        "thm5.4.shape.second.sign", _HERE, "second' is a positive number times second_sign",
        r"\text{second}'(a)=e^{-aL}\,\frac{k}{2\sqrt n}\Phi(x)\left(\frac{2L\sqrt n}{k}-h(x)\right)",
        eq(second_slope(a=share * rows), _second_by_sign), proof=Symbolic(), domain=_SIGN,
    ),
    own(
        "thm5.4.shape.third.sign", _HERE, "third' is a positive number times third_sign",
        r"\text{third}'(a)=\frac{k}{2\sqrt n}\varphi(u-\mu)\left(\frac{2L\sqrt n}{k}m(u)-1\right)",
        eq(derivative(_third_of, "a")(rows=a + left), _third_by_sign), proof=Symbolic(),
        domain=(
            Parameter("a", "a_=, any real", "rows", "1/100", 100, log=True),
            Parameter("left", "C_u - a, any real", "rows", "1/100", 100, log=True), _EPSILON, _RATE, _UNIT,
        ),
    ),
    own(
        "thm5.4.shape.kappa.below", _HERE, "kappa < 4 on the left", r"1/\rho(-z)^2-z^2<4,\quad z>0",
        kappa(x=-z) < lift(4), proof=_BELOW_FOUR, domain=_Z,
    ),
    own(
        "thm5.4.shape.kappa.near", _HERE, "kappa tends to 4 on the left", r"4z^2/(z^2+3)<1/\rho(-z)^2-z^2,\quad z>0",
        4 * z * z / (z * z + 3) < kappa(x=-z), proof=_NEAR_FOUR, domain=_Z,
    ),
    own(
        "thm5.4.shape.kappa.turn", _HERE, "rho on the left, where kappa would turn",
        r"\rho(-(1-t^2)/(t(1+t^2)))<t,\quad t>0", rho_at_turn < _rho, proof=_BEFORE_TURN,
        domain=(Parameter("rho", "a value of rho", open_lower=True),),
    ),
    own(
        "thm5.4.shape.kappa", _HERE, "kappa decreases", r"\kappa(x)=1/\rho(x)^2-x^2\ \text{strictly decreases}",
        Monotonicity(kappa, "x", increasing=False, proof=_KAPPA_FALLS),
        domain=(Parameter("x", "any real", lower="-infinity"),),
    ),
    own(
        "thm5.4.shape.third.grows", _HERE, "For epsilon >= L C_u what decides the sign of third' grows",
        r"\sqrt n\,m(u)\ \text{strictly increases in}\ n,\ E'\ge0",
        Monotonicity(third_root, "n", increasing=True, proof=_THIRD_GROWS),
        domain=(_ANY_N, Parameter("reach", "E' = epsilon - L C_u", "nats"), _ANY_RATE, _ANY_UNIT),
    ),
    own(
        "thm5.4.shape.second.pattern", _HERE, "The second term never falls, rises and falls again",
        r"a<b<c:\ \text{not}\ (\text{second}'(a)<0,\ \text{second}'(b)>0,\ \text{second}'(c)<0)",
        _falls_rises_falls(second_sign) <= 0,
        proof=derived(
            *_SLOPE_OF_SECOND,
            Premise(
                "wilkins2024.thm5.4.shape.kappa",
                "which changes once, from falling to rising, as n grows and x falls: a level is crossed twice at "
                "most, and the slope in a is +, -, + or a part of it",
            ),
        ),
        domain=Box((*_SHARES, _EPSILON, _ROWS, _RATE, _UNIT), _ordered, "first < second < third"),
        note="All three signs occur: wilkins2024.thm5.4.second.shape.",
    ),
    own(
        "thm5.4.shape.second.valley", _HERE, "For K >= 4 the second term falls, then rises",
        r"K\ge4,\ a<b:\ \text{not}\ (\text{second}'(a)>0,\ \text{second}'(b)<0)",
        minimum(second_sign(share=first), -second_sign(share=second)) <= 0,
        proof=derived(
            *_SLOPE_OF_SECOND, Premise("wilkins2024.thm5.4.shape.kappa", "kappa is below its limit on the left,"),
            Premise("wilkins2024.thm5.4.shape.kappa.below", "which is 4: the slope is negative throughout"),
        ),
        domain=Box((*_SHARES[:2], _EPSILON, _ROWS, _RATE, _UNIT), _wide, "first < second and K >= 4"),
    ),
    own(
        "thm5.4.shape.third.pattern", _HERE, "The third term never falls, rises and falls again",
        r"a<b<c:\ \text{not}\ (\text{third}'(a)<0,\ \text{third}'(b)>0,\ \text{third}'(c)<0)",
        _falls_rises_falls(third_sign) <= 0,
        proof=derived(
            Premise("wilkins2024.thm5.4.shape.third.sign", "third' has the sign of sqrt(n) m(u) - k/(2L)"),
            Premise("wilkins2024.thm5.4.shape.third", "its logarithmic slope"),
            Premise("wilkins2024.thm5.4.shape.kappa", "E' < 0: of the sign of kappa(-u) + K', and u grows with n"),
            Premise("wilkins2024.thm5.4.shape.third.hill", "E' >= 0: it rises, then falls"),
        ),
        domain=Box((*_SHARES, _EPSILON, _ROWS, _RATE, _UNIT), _ordered, "first < second < third"),
    ),
    own(
        "thm5.4.shape.third.hill", _HERE, "For epsilon >= L C_u the third term rises, then falls",
        r"\epsilon\ge LC_u,\ a<b:\ \text{not}\ (\text{third}'(a)<0,\ \text{third}'(b)>0)",
        minimum(-_third_at[first], _third_at[second]) <= 0, proof=_HILL,
        domain=Box(
            (*_SHARES[:2], Parameter("extra", "epsilon - L C_u", "nats", 0, 20), _ROWS, _RATE, _UNIT),
            at_most(first, second, strict=True), "first < second",
        ),
    ),
    own(
        "sec7.shape", "Theorem 7.1", "The f-DP term never falls, rises and falls again (conjecture)",
        r"a<b<c:\ \text{not}\ (\text{fdp}'(a)<0,\ \text{fdp}'(b)>0,\ \text{fdp}'(c)<0)",
        _falls_rises_falls(f_dp_sign) <= 0,
        domain=Box((*_SHARES, _EPSILON, _ROWS, _RATE, _UNIT), _ordered, "first < second < third"),
        note="Numerical only: it would follow if g'(mu)/mu, g = -log(1 - f), rose and then fell. Not used by any "
        "proof: (7.1) is maximised by certified branch and bound.",
    ),
)  # fmt: skip
"""Claims about the shape; that second has an interior maximum somewhere is ``thm5.4.second.shape``."""
