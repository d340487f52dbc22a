"""SymPy expressions: identities, and derivatives of formulas; the primitives of the field on them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number, exact
from proofs_numeric.arithmetic.special import (
    binomial_pmf,
    gaussian_profile,
    gaussian_profile_direct,
    log_normal_cdf,
    normal_cdf,
    normal_quantile_complement,
)


@dataclass(frozen=True)
class Symbolic(Arithmetic):
    """SymPy expressions: for identities, and for derivatives of a formula that is written elsewhere once."""

    name = "symbolic"

    def number(self, value: Number | str) -> Any:
        if isinstance(value, str):
            return sympy.oo if value == "infinity" else self.number(exact(value))
        if isinstance(value, Fraction):
            return sympy.Rational(value.numerator, value.denominator)
        return sympy.sympify(value)

    @property
    def pi(self) -> Any:
        return sympy.pi

    def exp(self, x: Number) -> Any:
        return sympy.exp(x)

    def expm1(self, x: Number) -> Any:
        return sympy.exp(x) - 1

    def log(self, x: Number) -> Any:
        return sympy.log(x)

    def log1p(self, x: Number) -> Any:
        return sympy.log(1 + x)

    def sqrt(self, x: Number) -> Any:
        return sympy.sqrt(x)

    def maximum(self, *xs: Number) -> Any:
        return sympy.Max(*xs)

    def minimum(self, *xs: Number) -> Any:
        return sympy.Min(*xs)


@binomial_pmf.register
def _(A: Symbolic, n: Number, p: Number, k: Number) -> Any:
    ways = sympy.factorial(n) / (sympy.factorial(k) * sympy.factorial(n - k))
    return ways * p**k * (1 - p) ** (n - k)


@normal_cdf.register
def _(A: Symbolic, x: Number) -> Any:
    return (1 + sympy.erf(x / sympy.sqrt(2))) / 2


@log_normal_cdf.register
def _(A: Symbolic, x: Number) -> Any:
    return sympy.log(normal_cdf(A, x))


@normal_quantile_complement.register
def _(A: Symbolic, q: Number) -> Any:
    return sympy.sqrt(2) * sympy.erfinv(1 - 2 * A.number(q))


@gaussian_profile.register
def _(A: Symbolic, epsilon: Number, mu: Number) -> Any:
    return gaussian_profile_direct(A, epsilon, mu)
