"""Renyi divergences of all orders from the slope at order one: the sharp constants.

``y = cosh(t epsilon) + c sinh(t epsilon)/t`` solves ``y'' = t^2 y``, ``y(0) = 1``, ``y'(0) = c`` (primes: by epsilon).
With ``t = alpha - 1/2``, ``(alpha - 1) D_alpha`` is ``log y(alpha - 1/2) - log y(1/2)`` for randomised response
(c = 0) and for a Laplace count (c = 1/2), whose bound is proved apart. As ``log y`` is concave in ``t^2`` and
``t^2 - 1/4 = alpha (alpha - 1)``, its slope at ``t = 1/2`` bounds ``D_alpha/alpha`` at every order.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.rogers2024.laws import laplace_renyi, randomised_response_renyi
from proofs_numeric.statements.concentrated import dp_to_cdp_rho
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.derivation import Derivation, SymbolicIdentity
from proofs_numeric.statements.tactics import Derivative, Part, Product

HALF = Fraction(1, 2)


def solution(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Number:
    """``cosh(t epsilon) + c sinh(t epsilon)/t``."""
    t, epsilon, c = A.number(t), A.number(epsilon), A.number(c)
    return ((1 + c / t) * A.exp(t * epsilon) + (1 - c / t) * A.exp(-t * epsilon)) / 2


def laplace_rho(A: Arithmetic, *, epsilon: Number) -> Number:
    """``epsilon - 1 + e^-epsilon``: exact rho of one Laplace count, its Kullback-Leibler divergence."""
    epsilon = A.number(epsilon)
    return epsilon + A.expm1(-epsilon)


# --- log y is concave in t^2 ------------------------------------------------------------------------------------------


def _by_square(expression: Any, t: Any) -> Any:
    """Derivative by ``t^2``."""
    import sympy

    return sympy.diff(expression, t) / (2 * t)


def _wronskian(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Any:
    """``y^2`` times the derivative of ``y'/y`` by ``t^2``."""
    import sympy

    y = solution(A, t=t, epsilon=epsilon, c=c)
    slope = sympy.diff(y, epsilon)
    return y * _by_square(slope, t) - slope * _by_square(y, t)


def _wronskian_growth(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Any:
    import sympy

    return sympy.diff(_wronskian(A, t=t, epsilon=epsilon, c=c), epsilon)


def _square(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Number:
    return solution(A, t=t, epsilon=epsilon, c=c) ** 2


def _bend(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Any:
    """``y^3`` times the second derivative of ``y'/y`` by ``t^2``."""
    import sympy

    y = solution(A, t=t, epsilon=epsilon, c=c)
    first = _wronskian(A, t=t, epsilon=epsilon, c=c)
    return sympy.expand(y * _by_square(first, t) - 2 * first * _by_square(y, t))


def _bend_growth(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Any:
    import sympy

    y, bend = solution(A, t=t, epsilon=epsilon, c=c), _bend(A, t=t, epsilon=epsilon, c=c)
    return sympy.expand(sympy.diff(bend, epsilon) * y - bend * sympy.diff(y, epsilon))


def _minus_wronskian_squared(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Any:
    import sympy

    return sympy.expand(-2 * _wronskian(A, t=t, epsilon=epsilon, c=c) ** 2)


def _start(A: Arithmetic, *, t: Number, epsilon: Number, c: Number) -> Any:
    import sympy

    at = {"t": t, "epsilon": epsilon, "c": c}
    parts = _wronskian(A, **at), _bend(A, **at)
    return sum(sympy.simplify(part.subs(epsilon, 0)) ** 2 for part in parts)


_SYMBOLS = ("t", "epsilon", "c")
CONCAVE = (
    SymbolicIdentity(
        "W = y^2 d(y'/y)/d(t^2) grows by y^2",
        _wronskian_growth,
        _square,
        _SYMBOLS,
        positive=_SYMBOLS,
        argument="so W >= 0 for epsilon >= 0",
    ),
    SymbolicIdentity(
        "V = y^3 d^2(y'/y)/d(t^2)^2: V' y - V y' = -2 W^2",
        _bend_growth,
        _minus_wronskian_squared,
        _SYMBOLS,
        positive=_SYMBOLS,
        argument="so V/y falls from 0: y'/y is concave in t^2, and so is log y, its integral over epsilon",
    ),
    SymbolicIdentity("W and V vanish at epsilon = 0", _start, zero, _SYMBOLS, positive=_SYMBOLS),
)


# --- the two laws -----------------------------------------------------------------------------------------------------


def _proof(renyi: Formula, rho: Formula, c: Fraction | int) -> Derivation:
    """(alpha - 1) D_alpha as a difference of log y, whose slope at order one is rho."""

    def power(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
        return A.exp((alpha - 1) * renyi(A, alpha=alpha, epsilon=epsilon)) * solution(A, t=HALF, epsilon=epsilon, c=c)

    def at_order(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
        return solution(A, t=alpha - A.number(HALF), epsilon=epsilon, c=c)

    def slope(A: Arithmetic, *, epsilon: Number) -> Any:
        import sympy

        t = sympy.Symbol("t", positive=True)
        return _by_square(sympy.log(solution(A, t=t, epsilon=epsilon, c=c)), t).subs(t, A.number(HALF))

    return Derivation(
        (
            *CONCAVE,
            SymbolicIdentity(
                "e^((alpha - 1) D_alpha) = y(alpha - 1/2)/y(1/2)", power, at_order, ("alpha", "epsilon"), ("epsilon",)
            ),
            SymbolicIdentity(
                "d log y/d(t^2) at t = 1/2 is rho",
                slope,
                rho,
                ("epsilon",),
                ("epsilon",),
                argument="concave: log y(alpha - 1/2) - log y(1/2) <= ((alpha - 1/2)^2 - 1/4) rho = "
                "alpha (alpha - 1) rho",
            ),
        )
    )


RANDOMISED_RESPONSE = _proof(randomised_response_renyi, dp_to_cdp_rho, 0)


# --- a Laplace count, by the signs of derivatives ---------------------------------------------------------------------


def _decay(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    return A.exp((1 - 2 * alpha) * epsilon)


def _log_gap(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    return (alpha - 1) * (alpha * laplace_rho(A, epsilon=epsilon) - laplace_renyi(A, alpha=alpha, epsilon=epsilon))


def _first_factor(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    return alpha * (alpha - 1) / (alpha + (alpha - 1) * _decay(A, alpha=alpha, epsilon=epsilon))


def _first_slope(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    w = _decay(A, alpha=alpha, epsilon=epsilon)
    return (1 - A.exp(-epsilon)) * (alpha + (alpha - 1) * w) - 1 + w


def _second_slope(A: Arithmetic, *, alpha: Number, epsilon: Number) -> Number:
    w = _decay(A, alpha=alpha, epsilon=epsilon)
    return 1 + 2 * (alpha - 1) * w - (2 * alpha - 1) * w * A.exp(epsilon)


LAPLACE = Product(
    (
        Part(lambda A, *, alpha, epsilon: 1 / (alpha - 1)),
        Part(
            _log_gap,
            Derivative(
                "epsilon",
                "lower",
                Product(
                    (
                        Part(_first_factor),
                        Part(
                            _first_slope,
                            Derivative(
                                "epsilon",
                                "lower",
                                Product(
                                    (
                                        Part(lambda A, *, alpha, epsilon: alpha * A.exp(-epsilon)),
                                        Part(_second_slope, Derivative("epsilon", "lower")),
                                    )
                                ),
                            ),
                        ),
                    )
                ),
            ),
        ),
    )
)
"""All that is differentiated by epsilon vanishes at 0."""
