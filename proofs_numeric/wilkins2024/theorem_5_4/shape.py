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

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.derivative import derivative
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.special import mills, normal_cdf, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.derivation import Derivation, Premise
from proofs_numeric.statements.kinds import AtMost, Identity, Inequality, Monotonicity, Relation
from proofs_numeric.statements.tactics import (
    ByClaim,
    Cases,
    Contrary,
    Derivative,
    Given,
    Have,
    Part,
    Product,
    Slope,
    Sum,
    Symbolic,
    Through,
)
from proofs_numeric.wilkins2024.parameters import ours
from proofs_numeric.wilkins2024.theorem_5_4.collapse import g_prime, second_slope
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import third_value
from proofs_numeric.wilkins2024.theorem_5_4.hazard import hazard

# --- logarithmic slopes -----------------------------------------------------------------------------------------------


def second_level(A: Arithmetic, *, n: Number, reach: Number, rate: Number, unit: Number) -> Number:
    """``log(sqrt(n)/h(x))``, ``x = (E - nL)/(k sqrt(n)) - k sqrt(n)/2``; ``reach = E``, ``rate = L``, ``unit = k``."""
    root = A.sqrt(n)
    x = (reach - n * rate) / (unit * root) - unit * root / 2
    return A.log(root) - A.log(normal_pdf(A, x)) + A.log(normal_cdf(A, x))


def _second_log_slope(A: Arithmetic, **values: Any) -> Any:
    return values["n"] * derivative(second_level, "n")(A, **values)


def _second_by_rho(A: Arithmetic, *, n: Number, reach: Number, rate: Number, unit: Number) -> Number:
    root = A.sqrt(n)
    rising, falling = reach / (unit * root), root * (rate / unit + unit / 2)
    x = rising - falling
    # (rising + falling)^2 = x^2 + K.
    return (1 - (x + hazard(A, x)) * (rising + falling)) / 2


def third_level(A: Arithmetic, *, n: Number, reach: Number, rate: Number, unit: Number) -> Number:
    """``log(sqrt(n) m(u))``, ``u = (E' + nL)/(k sqrt(n)) + k sqrt(n)/2``; ``reach = E'``, of either sign."""
    root = A.sqrt(n)
    u = (reach + n * rate) / (unit * root) + unit * root / 2
    return A.log(root) + A.log(normal_cdf(A, -u)) - A.log(normal_pdf(A, u))


def _third_log_slope(A: Arithmetic, **values: Any) -> Any:
    return values["n"] * derivative(third_level, "n")(A, **values)


def _third_by_rho(A: Arithmetic, *, n: Number, reach: Number, rate: Number, unit: Number) -> Number:
    root = A.sqrt(n)
    rising, falling = root * (rate / unit + unit / 2), reach / (unit * root)
    u = rising + falling
    return (1 - (hazard(A, -u) - u) * (rising - falling)) / 2


# --- kappa ------------------------------------------------------------------------------------------------------------


def _rho_at(A: Arithmetic, *, x: Number) -> Number:
    return x + hazard(A, x)


def _kappa_of(A: Arithmetic, *, x: Number, rho: Number) -> Number:
    return (1 - x * rho) * (1 + x * rho) / (rho * rho)


def kappa(A: Arithmetic, *, x: Number) -> Number:
    """``1/rho(x)^2 - x^2``."""
    x = A.number(x)
    return _kappa_of(A, x=x, rho=_rho_at(A, x=x))


def _turn(A: Arithmetic, *, rho: Number) -> Number:
    """``(1 - rho^2)/(rho (1 + rho^2))``: kappa falls at x where this is above -x."""
    rho = A.number(rho)
    return (1 - rho * rho) / (rho * (1 + rho * rho))


def _rho_at_turn(A: Arithmetic, *, rho: Number) -> Number:
    return _rho_at(A, x=-_turn(A, rho=rho))


def _rho_less(A: Arithmetic, *, rho: Number) -> Number:
    """``Phi(-z) - phi(z)/(rho + z)``, which is positive where ``rho(-z) < rho``."""
    z = _turn(A, rho=rho)
    return normal_cdf(A, -z) - normal_pdf(A, z) / (rho + z)


def _rho_less_slope(A: Arithmetic, *, rho: Number) -> Number:
    rho = A.number(rho)
    z, s = _turn(A, rho=rho), rho * rho
    return normal_pdf(A, z) * 8 * s * s / ((1 + s) ** 3 * (rho + z) ** 2)


def _rho_plus_turn(A: Arithmetic, *, rho: Number) -> Number:
    z = _turn(A, rho=rho)
    return (rho + z) / normal_cdf(A, -z)


_RHO = Parameter("rho", "a value of rho", open_lower=True)
_RHO_POSITIVE = ByClaim("wilkins2024.thm5.4.collapse.rho")
_BEFORE_TURN = Product(
    (Part(_rho_plus_turn), Part(_rho_less, Derivative("rho", "lower", Product((Part(_rho_less_slope),)))))
)


def _minus_turn(A: Arithmetic, *, x: Number) -> Number:
    return -_turn(A, rho=_rho_at(A, x=x))


def _crossing(A: Arithmetic, *, x: Number) -> Number:
    return x - _minus_turn(A, x=x)


def _rho_at_crossing(A: Arithmetic, *, x: Number) -> Number:
    return _rho_at(A, x=_minus_turn(A, x=x))


def _kappa_fall(A: Arithmetic, *, x: Number) -> Number:
    s = _rho_at(A, x=x) ** 2
    return 2 * (1 + s) / s


_X_AT = parameter_named("x")
_KAPPA_FALLS = Slope(
    Product(
        (
            Part(_kappa_fall),
            Part(
                _crossing,
                Cases(
                    _X_AT,
                    _minus_turn,
                    Contrary(
                        _rho_at,
                        _rho_at_crossing,
                        ByClaim(
                            "wilkins2024.thm5.4.collapse.rho.rises",
                            {"x": _X_AT, "x_2": _minus_turn},
                            {"x < x_2": Given()},
                        ),
                        ByClaim("wilkins2024.thm5.4.shape.kappa.turn", {"rho": _rho_at}, {"rho": _RHO_POSITIVE}),
                    ),
                    Given(),
                ),
            ),
        )
    ),
    (_RHO_POSITIVE,),
)
"""Were ``x <= -z`` with ``z = (1 - s)/(rho (1 + s))``, rho(x) would be at most rho(-z), which is less than rho(x)."""


_RHO_ON_LEFT = ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": lambda A, *, z: -A.number(z)})


def _rho_of(A: Arithmetic, *, z: Number) -> Number:
    return _rho_at(A, x=-A.number(z))


def _root_of_four(A: Arithmetic, *, z: Number) -> Number:
    return A.sqrt(A.number(z) ** 2 + 4)


def _tail_below(A: Arithmetic, *, z: Number) -> Number:
    """``phi(z)/(z + 1/q) - Phi(-z)``, ``q = sqrt(z^2 + 4)``: positive where ``q rho(-z) > 1``."""
    return normal_pdf(A, z) / (z + 1 / _root_of_four(A, z=z)) - normal_cdf(A, -z)


def _tail_below_falls(A: Arithmetic, *, z: Number) -> Number:
    q, z = _root_of_four(A, z=z), A.number(z)
    long = q * (z * z + 3) + z * (z * z + 5)
    return normal_pdf(A, z) * (8 * z * z + 36) / (long * q**3 * (z + 1 / q) ** 2)


def _per_tail_below(A: Arithmetic, *, z: Number) -> Number:
    """``(q z + 1) (q rho + 1)/(rho^2 Phi(-z))``."""
    q, rho = _root_of_four(A, z=z), _rho_of(A, z=z)
    return (q * z + 1) * (q * rho + 1) / (rho * rho * normal_cdf(A, -z))


_BELOW_FOUR = Have(
    AtMost(zero, _rho_of, strict=True),
    _RHO_ON_LEFT,
    Product((Part(_per_tail_below), Part(_tail_below, Derivative("z", "upper", Product((Part(_tail_below_falls),)))))),
)
"""``4 - kappa = (q^2 rho^2 - 1)/rho^2``."""


def _reach(A: Arithmetic, *, z: Number) -> Number:
    """``w = z + 2z/(z^2 + 3)``, which 1/rho(-z) exceeds."""
    z = A.number(z)
    return z * (z * z + 5) / (z * z + 3)


def _tail_above(A: Arithmetic, *, z: Number) -> Number:
    """``Phi(-z) - phi(z)/(z + 1/w)``: positive where ``rho(-z) < 1/w``."""
    return normal_cdf(A, -z) - normal_pdf(A, z) / (z + 1 / _reach(A, z=z))


def _tail_above_falls(A: Arithmetic, *, z: Number) -> Number:
    width = z + 1 / _reach(A, z=z)
    return 24 * normal_pdf(A, z) / (z * (z * z + 5) * width) ** 2


def _per_tail_above(A: Arithmetic, *, z: Number) -> Number:
    """``(1/rho + w) (w/rho) (z + 1/w)/Phi(-z)``."""
    rho, w = _rho_of(A, z=z), _reach(A, z=z)
    return (1 / rho + w) * w / rho * (z + 1 / w) / normal_cdf(A, -z)


def _square_above(A: Arithmetic, *, z: Number) -> Number:
    """``1/rho^2 - w^2``."""
    return 1 / _rho_of(A, z=z) ** 2 - _reach(A, z=z) ** 2


_NEAR_FOUR = Have(
    AtMost(zero, _rho_of, strict=True),
    _RHO_ON_LEFT,
    Sum(
        (
            Part(
                _square_above,
                Product(
                    (
                        Part(_per_tail_above),
                        Part(_tail_above, Derivative("z", "upper", Product((Part(_tail_above_falls),)))),
                    )
                ),
            ),
            Part(lambda A, *, z: (2 * A.number(z) / (A.number(z) ** 2 + 3)) ** 2),
        )
    ),
)


def _four(A: Arithmetic, **_parameters: Any) -> Number:
    return A.number(4)


def _near_four(A: Arithmetic, *, z: Number) -> Number:
    z = A.number(z)
    return 4 * z * z / (z * z + 3)


def _kappa_at(A: Arithmetic, *, z: Number) -> Number:
    return kappa(A, x=-A.number(z))


# --- patterns ---------------------------------------------------------------------------------------------------------


def _left(A: Arithmetic, share: Number, rows: Number, unit: Number) -> tuple[Any, Any]:
    root = A.sqrt((1 - share) * rows)
    return root, unit * root


def second_sign(A: Arithmetic, *, share: Number, epsilon: Number, rows: Number, rate: Number, unit: Number) -> Any:
    """A number of the sign of second'(a) at ``a = share C_u``: ``2 L sqrt(n)/k - h(x)``."""
    root, mu = _left(A, share, rows, unit)
    return 2 * rate * root / unit - hazard(A, (epsilon + share * rows * rate) / mu - mu / 2)


def third_sign(A: Arithmetic, *, share: Number, epsilon: Number, rows: Number, rate: Number, unit: Number) -> Any:
    """A number of the sign of third'(a) at ``a = share C_u``: ``2 L sqrt(n) m(u)/k - 1``."""
    root, mu = _left(A, share, rows, unit)
    return 2 * rate * root / unit * mills(A, (epsilon - share * rows * rate) / mu + mu / 2) - 1


def _second_slope(A: Arithmetic, *, share: Number, epsilon: Number, rows: Number, rate: Number, unit: Number) -> Any:
    return second_slope(A, a=share * rows, epsilon=epsilon, rows=rows, rate=rate, unit=unit)


def _second_by_sign(A: Arithmetic, *, share: Number, epsilon: Number, rows: Number, rate: Number, unit: Number) -> Any:
    root, mu = _left(A, share, rows, unit)
    sign = second_sign(A, share=share, epsilon=epsilon, rows=rows, rate=rate, unit=unit)
    loss = share * rows * rate
    return A.exp(-loss) * normal_cdf(A, (epsilon + loss) / mu - mu / 2) * unit / (2 * root) * sign


def _third_of(A: Arithmetic, *, a: Number, rows: Number, epsilon: Number, rate: Number, unit: Number) -> Any:
    return third_value(A, epsilon=epsilon, loss=a * rate, mu=unit * A.sqrt(rows - a))


def _third_slope(A: Arithmetic, *, a: Number, left: Number, epsilon: Number, rate: Number, unit: Number) -> Any:
    return derivative(_third_of, "a")(A, a=a, rows=a + left, epsilon=epsilon, rate=rate, unit=unit)


def _third_by_sign(A: Arithmetic, *, a: Number, left: Number, epsilon: Number, rate: Number, unit: Number) -> Any:
    mu = unit * A.sqrt(left)
    sign = third_sign(A, share=a / (a + left), epsilon=epsilon, rows=a + left, rate=rate, unit=unit)
    return unit / (2 * A.sqrt(left)) * normal_pdf(A, (epsilon - a * rate) / mu - mu / 2) * sign


def f_dp_sign(A: Arithmetic, *, share: Number, epsilon: Number, rows: Number, rate: Number, unit: Number) -> Any:
    """A number of the sign of the slope of the f-DP term at ``a = share C_u``: ``2 L sqrt(n)/k - g'(mu)``."""
    root, mu = _left(A, share, rows, unit)
    return 2 * rate * root / unit - g_prime(A, epsilon=epsilon, mu=mu)


# --- hills and valleys ------------------------------------------------------------------------------------------------


def _third_root(A: Arithmetic, *, n: Number, reach: Number, rate: Number, unit: Number) -> Any:
    """``sqrt(n) m(u)``, of which third_sign is an increasing function."""
    return A.sqrt(n) * mills(A, _third_at(A, n=n, reach=reach, rate=rate, unit=unit))


def _third_at(A: Arithmetic, *, n: Number, reach: Number, rate: Number, unit: Number) -> Any:
    """``u = A + B``."""
    root = A.sqrt(n)
    return (A.number(reach) + n * rate) / (unit * root) + unit * root / 2


def _third_mills(A: Arithmetic, **at: Number) -> Any:
    return mills(A, _third_at(A, **at))


def _mills_excess(A: Arithmetic, **at: Number) -> Any:
    u = _third_at(A, **at)
    return mills(A, u) - u / (1 + u * u)


def _twice_fixed(A: Arithmetic, *, n: Number, reach: Number, unit: Number, **_rate: Number) -> Any:
    """``2 A``."""
    return 2 * A.number(reach) / (unit * A.sqrt(n))


def _third_rho(A: Arithmetic, **at: Number) -> Any:
    return _rho_at(A, x=-_third_at(A, **at))


_MILLS_GROWS = Part(
    lambda A, **at: (1 + _third_at(A, **at) ** 2) * _mills_excess(A, **at),
    Product(
        (
            Part(lambda A, **at: 1 + _third_at(A, **at) ** 2),
            Part(_mills_excess, ByClaim("wilkins2024.thm5.4.collapse.mills_lower", {"u": _third_at})),
        )
    ),
)
_FIXED_PART = Part(
    lambda A, **at: _twice_fixed(A, **at) * _third_mills(A, **at) * _third_rho(A, **at),
    Product(
        (
            Part(_twice_fixed),
            Part(_third_mills),
            Part(_third_rho, ByClaim("wilkins2024.thm5.4.collapse.rho", {"x": lambda A, **at: -_third_at(A, **at)})),
        )
    ),
)
_THIRD_GROWS = Slope(
    Product(
        (
            Part(lambda A, *, n, **_rest: 1 / (2 * A.sqrt(n))),
            Part(
                lambda A, **at: _MILLS_GROWS.formula(A, **at) + _FIXED_PART.formula(A, **at),
                Sum((_MILLS_GROWS, _FIXED_PART)),
            ),
        )
    )
)
"""``2 sqrt(n)`` times the slope is ``m (1 + u^2) - u + 2 A (1 - u m)``."""


def _rows_left(share: str) -> Formula:
    """``n`` at a share."""
    return lambda A, *, rows, **at: (1 - A.number(at[share])) * rows


def _sign_at(sign: Any, share: str, epsilon: Formula) -> Formula:
    """A sign at a share, of parameters of which epsilon is a formula."""

    def at_share(A: Arithmetic, *, rows: Number, rate: Number, unit: Number, **at: Number) -> Any:
        here = {"rows": A.number(rows), "rate": A.number(rate), "unit": A.number(unit)}
        return sign(A, share=A.number(at[share]), epsilon=epsilon(A, **at, **here), **here)

    return at_share


def _above_all_rows(A: Arithmetic, *, extra: Number, rows: Number, rate: Number, **_rest: Number) -> Number:
    """``epsilon = L C_u + extra``."""
    return A.number(extra) + rate * rows


_THIRD_FIRST, _THIRD_SECOND = (_sign_at(third_sign, share, _above_all_rows) for share in ("first", "second"))
_EXTRA = parameter_named("extra")


def _in_order(lower: str, upper: str, reach: Formula) -> dict[str, Formula]:
    return {"n": _rows_left(lower), "n_2": _rows_left(upper), "reach": reach}


def _fewer_left(A: Arithmetic, *, first: Number, second: Number, **_rest: Number) -> Number:
    return A.number(second) - first


_FEWER_LEFT = {"n < n_2": Product((Part(parameter_named("rows")), Part(_fewer_left, Given())))}


def _at_rows(formula: Formula, share: str, **more: Formula) -> Formula:
    """A formula of n, at a share."""

    def at_share(A: Arithmetic, *, rate: Number, unit: Number, **at: Number) -> Any:
        here = {name: value(A, rate=rate, unit=unit, **at) for name, value in more.items()}
        return formula(A, n=_rows_left(share)(A, **at), rate=rate, unit=unit, **here)

    return at_share


_THIRD_ROOTS = [_at_rows(_third_root, share, reach=_EXTRA) for share in ("first", "second")]
_HILL = Cases(
    _THIRD_FIRST,
    zero,
    Through(
        _THIRD_SECOND,
        Symbolic(),
        Through(
            _THIRD_FIRST,
            Product(
                (
                    Part(lambda A, *, rate, unit, **_rest: 2 * A.number(rate) / unit),
                    Part(
                        lambda A, **at: _THIRD_ROOTS[0](A, **at) - _THIRD_ROOTS[1](A, **at),
                        ByClaim(
                            "wilkins2024.thm5.4.shape.third.grows", _in_order("second", "first", _EXTRA), _FEWER_LEFT
                        ),
                    ),
                )
            ),
            Given(),
        ),
    ),
    Through(lambda A, **at: -_THIRD_FIRST(A, **at), Symbolic(), Given()),
)
"""Were third_sign negative at the first place, it would be so at the second."""


def _falls_rises_falls(sign: Any) -> Any:
    def pattern(A: Arithmetic, *, first: Number, second: Number, third: Number, **rest: Any) -> Number:
        at = {name: A.number(value) for name, value in rest.items()}
        one, two, three = (sign(A, share=A.number(share), **at) for share in (first, second, third))
        return A.minimum(-one, two, -three)

    return pattern


def _rises_falls(sign: Any) -> Any:
    def pattern(A: Arithmetic, *, first: Any, second: Number, **rest: Any) -> Number:
        at = {name: A.number(value) for name, value in rest.items()}
        return A.minimum(sign(A, share=A.number(first), **at), -sign(A, share=A.number(second), **at))

    return pattern


def _third_falls_rises(A: Arithmetic, **at: Number) -> Number:
    return A.minimum(-_THIRD_FIRST(A, **at), _THIRD_SECOND(A, **at))


def _ordered(*, first: Value, second: Value, third: Value = 1, **_rest: Value) -> bool:
    return bool(first < second < third)  # type: ignore[operator]


def _wide(*, epsilon: Value, rows: Value, rate: Value, unit: Value, **shares: Value) -> bool:
    square, lost = Fraction(unit) ** 2, Fraction(rate)
    return _ordered(**shares) and 2 * (1 + 2 * lost / square) * (Fraction(epsilon) + Fraction(rows) * lost) >= 4


_HERE = "Theorem 5.4, shape of its terms"
_X = Box((Parameter("x", "any real", lower="-infinity"),))
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
_FIRST_LESS = AtMost(parameter_named("first"), parameter_named("second"), strict=True)
_ANY_N, _ANY_RATE, _ANY_UNIT = (replace(one, lower=0, upper="infinity", open_lower=True) for one in (_N, _RATE, _UNIT))
_SIGN = Box((replace(_SHARES[0], name="share", description="a_=/C_u"), _EPSILON, _ROWS, _RATE, _UNIT))

CLAIMS = (
    Claim(
        id="wilkins2024.thm5.4.shape.second",
        source=ours(_HERE),
        title="Logarithmic slope behind the sign of second'",
        statement=r"\frac{d\log(\sqrt n/h(x))}{d\log n}=\tfrac12(1-\rho(x)\sqrt{x^2+K}),\quad K=2(1+2L/k^2)E",
        kind=Identity(_second_log_slope, _second_by_rho, proof=Symbolic()),
        domain=Box((_N, Parameter("reach", "E = epsilon + L C_u", "nats", "1/100", 100, log=True), _RATE, _UNIT)),
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.third",
        source=ours(_HERE),
        title="Logarithmic slope behind the sign of third'",
        statement=r"\frac{d\log(\sqrt n\,m(u))}{d\log n}=\tfrac12(1-\rho(-u)(B-A)),\quad u=A+B,\ "
        r"(B-A)^2=u^2-2(1+2L/k^2)E'",
        kind=Identity(_third_log_slope, _third_by_rho, proof=Symbolic()),
        domain=Box((_N, Parameter("reach", "E' = epsilon - L C_u", "nats", -20, 20), _RATE, _UNIT)),
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.second.sign",
        source=ours(_HERE),
        title="second' is a positive number times second_sign",
        statement=r"\text{second}'(a)=e^{-aL}\,\frac{k}{2\sqrt n}\Phi(x)"
        r"\left(\frac{2L\sqrt n}{k}-h(x)\right)",
        kind=Identity(_second_slope, _second_by_sign, proof=Symbolic()),
        domain=_SIGN,
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.third.sign",
        source=ours(_HERE),
        title="third' is a positive number times third_sign",
        statement=r"\text{third}'(a)=\frac{k}{2\sqrt n}\varphi(u-\mu)\left(\frac{2L\sqrt n}{k}m(u)-1\right)",
        kind=Identity(_third_slope, _third_by_sign, proof=Symbolic()),
        domain=Box(
            (
                Parameter("a", "a_=, any real", "rows", "1/100", 100, log=True),
                Parameter("left", "C_u - a, any real", "rows", "1/100", 100, log=True),
                _EPSILON,
                _RATE,
                _UNIT,
            )
        ),
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.kappa.below",
        source=ours(_HERE),
        title="kappa < 4 on the left",
        statement=r"1/\rho(-z)^2-z^2<4,\quad z>0",
        kind=Inequality(_kappa_at, _four, Relation.LESS, proof=_BELOW_FOUR),
        domain=_Z,
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.kappa.near",
        source=ours(_HERE),
        title="kappa tends to 4 on the left",
        statement=r"4z^2/(z^2+3)<1/\rho(-z)^2-z^2,\quad z>0",
        kind=Inequality(_near_four, _kappa_at, Relation.LESS, proof=_NEAR_FOUR),
        domain=_Z,
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.kappa.turn",
        source=ours(_HERE),
        title="rho on the left, where kappa would turn",
        statement=r"\rho(-(1-t^2)/(t(1+t^2)))<t,\quad t>0",
        kind=Inequality(_rho_at_turn, parameter_named("rho"), Relation.LESS, proof=_BEFORE_TURN),
        domain=Box((_RHO,)),
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.kappa",
        source=ours(_HERE),
        title="kappa decreases",
        statement=r"\kappa(x)=1/\rho(x)^2-x^2\ \text{strictly decreases}",
        kind=Monotonicity(kappa, "x", increasing=False, proof=_KAPPA_FALLS),
        domain=_X,
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.third.grows",
        source=ours(_HERE),
        title="For epsilon >= L C_u what decides the sign of third' grows",
        statement=r"\sqrt n\,m(u)\ \text{strictly increases in}\ n,\ E'\ge0",
        kind=Monotonicity(_third_root, "n", increasing=True, proof=_THIRD_GROWS),
        domain=Box((_ANY_N, Parameter("reach", "E' = epsilon - L C_u", "nats"), _ANY_RATE, _ANY_UNIT)),
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.second.pattern",
        source=ours(_HERE),
        title="The second term never falls, rises and falls again",
        statement=r"a<b<c:\ \text{not}\ (\text{second}'(a)<0,\ \text{second}'(b)>0,\ \text{second}'(c)<0)",
        kind=Inequality(
            _falls_rises_falls(second_sign),
            zero,
            proof=Derivation(
                (
                    Premise("wilkins2024.thm5.4.collapse.derivative", "the slope of second"),
                    Premise("wilkins2024.thm5.4.shape.second.sign", "has the sign of sqrt(n)/h(x) - k/(2L)"),
                    Premise("wilkins2024.thm5.4.shape.second", "whose logarithmic slope has the sign of kappa(x) - K"),
                    Premise(
                        "wilkins2024.thm5.4.shape.kappa",
                        "which changes once, from falling to rising, as n grows and x falls: a level is crossed twice "
                        "at most, and the slope in a is +, -, + or a part of it",
                    ),
                )
            ),
        ),
        domain=Box((*_SHARES, _EPSILON, _ROWS, _RATE, _UNIT), _ordered, "first < second < third"),
        note="All three signs occur: wilkins2024.thm5.4.second.shape.",
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.second.valley",
        source=ours(_HERE),
        title="For K >= 4 the second term falls, then rises",
        statement=r"K\ge4,\ a<b:\ \text{not}\ (\text{second}'(a)>0,\ \text{second}'(b)<0)",
        kind=Inequality(
            _rises_falls(second_sign),
            zero,
            proof=Derivation(
                (
                    Premise("wilkins2024.thm5.4.collapse.derivative", "the slope of second"),
                    Premise("wilkins2024.thm5.4.shape.second.sign", "has the sign of sqrt(n)/h(x) - k/(2L)"),
                    Premise("wilkins2024.thm5.4.shape.second", "whose logarithmic slope has the sign of kappa(x) - K"),
                    Premise("wilkins2024.thm5.4.shape.kappa", "kappa is below its limit on the left,"),
                    Premise("wilkins2024.thm5.4.shape.kappa.below", "which is 4: the slope is negative throughout"),
                )
            ),
        ),
        domain=Box((*_SHARES[:2], _EPSILON, _ROWS, _RATE, _UNIT), _wide, "first < second and K >= 4"),
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.third.pattern",
        source=ours(_HERE),
        title="The third term never falls, rises and falls again",
        statement=r"a<b<c:\ \text{not}\ (\text{third}'(a)<0,\ \text{third}'(b)>0,\ \text{third}'(c)<0)",
        kind=Inequality(
            _falls_rises_falls(third_sign),
            zero,
            proof=Derivation(
                (
                    Premise("wilkins2024.thm5.4.shape.third.sign", "third' has the sign of sqrt(n) m(u) - k/(2L)"),
                    Premise("wilkins2024.thm5.4.shape.third", "its logarithmic slope"),
                    Premise(
                        "wilkins2024.thm5.4.shape.kappa", "E' < 0: of the sign of kappa(-u) + K', and u grows with n"
                    ),
                    Premise("wilkins2024.thm5.4.shape.third.hill", "E' >= 0: it rises, then falls"),
                )
            ),
        ),
        domain=Box((*_SHARES, _EPSILON, _ROWS, _RATE, _UNIT), _ordered, "first < second < third"),
    ),
    Claim(
        id="wilkins2024.thm5.4.shape.third.hill",
        source=ours(_HERE),
        title="For epsilon >= L C_u the third term rises, then falls",
        statement=r"\epsilon\ge LC_u,\ a<b:\ \text{not}\ (\text{third}'(a)<0,\ \text{third}'(b)>0)",
        kind=Inequality(_third_falls_rises, zero, proof=_HILL),
        domain=Box(
            (*_SHARES[:2], Parameter("extra", "epsilon - L C_u", "nats", 0, 20), _ROWS, _RATE, _UNIT),
            _FIRST_LESS,
            "first < second",
        ),
    ),
    Claim(
        id="wilkins2024.sec7.shape",
        source=ours("Theorem 7.1"),
        title="The f-DP term never falls, rises and falls again (conjecture)",
        statement=r"a<b<c:\ \text{not}\ (\text{fdp}'(a)<0,\ \text{fdp}'(b)>0,\ \text{fdp}'(c)<0)",
        kind=Inequality(_falls_rises_falls(f_dp_sign), zero),
        domain=Box((*_SHARES, _EPSILON, _ROWS, _RATE, _UNIT), _ordered, "first < second < third"),
        note="Numerical only: it would follow if g'(mu)/mu, g = -log(1 - f), rose and then fell. Not used by any "
        "proof: (7.1) is maximised by certified branch and bound.",
    ),
)
"""Claims about the shape; that second has an interior maximum somewhere is ``thm5.4.second.shape``."""
