"""SymPy expressions: identities, and derivatives of formulas; the primitives of the field on them."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number, exact
from proofs_numeric.arithmetic.binary import binary_digits
from proofs_numeric.arithmetic.discrete_gaussian import moved_profile, sum_tails, withheld_loss
from proofs_numeric.arithmetic.integer_part import ceiling_of_half, ceiling_of_root, floors, larger_of
from proofs_numeric.arithmetic.laplace import laplace_counts_profile
from proofs_numeric.arithmetic.noise_maximum import released, unreleased
from proofs_numeric.arithmetic.pair_stick import pair_stick
from proofs_numeric.arithmetic.special import (
    binomial_pmf,
    binomial_tail,
    gaussian_profile,
    gaussian_profile_direct,
    log_normal_cdf,
    normal_cdf,
    normal_quantile,
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

    def is_zero(self, x: Number) -> bool:
        """Whether it is the number 0, which no symbol is."""
        return bool(self.number(x) == 0)

    def of(self, function: Callable[..., Any], *xs: Number) -> Any:
        """SymPy's function of numbers."""
        return function(*map(self.number, xs))

    @property
    def pi(self) -> Any:
        return self.number(sympy.pi)

    def exp(self, x: Number) -> Any:
        return self.of(sympy.exp, x)

    def expm1(self, x: Number) -> Any:
        return self.exp(x) - 1

    def log(self, x: Number) -> Any:
        return self.of(sympy.log, x)

    def log1p(self, x: Number) -> Any:
        return self.log(1 + self.number(x))

    def sqrt(self, x: Number) -> Any:
        return self.of(sympy.sqrt, x)

    def maximum(self, *xs: Number) -> Any:
        return self.of(_largest, *xs)

    def minimum(self, *xs: Number) -> Any:
        return self.of(_least, *xs)


@functools.lru_cache(maxsize=1024)
def _largest(*xs: Any) -> Any:
    """SymPy compares all with one another, which takes long."""
    return sympy.Max(*xs)


@functools.lru_cache(maxsize=1024)
def _least(*xs: Any) -> Any:
    return sympy.Min(*xs)


class BinomialMass(sympy.Function):  # type: ignore[misc]
    """``P[Bin(n, p) = v]`` of integers n >= 0 and v, 0 beyond 0 .. n."""

    @classmethod
    def eval(cls, n: Any, p: Any, v: Any) -> Any:
        _integers(n, v)
        if v.is_negative or (v - n).is_positive:
            return sympy.Integer(0)
        if n.is_Integer and v.is_Integer:
            return sympy.binomial(n, v) * p**v * (1 - p) ** (n - v) if 0 <= v <= n else sympy.Integer(0)
        return None

    def _eval_is_nonnegative(self) -> bool:
        return True


class BinomialTail(sympy.Function):  # type: ignore[misc]
    """``P[Bin(n, p) >= t]`` of integers n >= 0 and t; where these are numbers added to others, of the others.

    A trial more passes t with the success that was lacking, ``S_(n+1)(t) = S_n(t) + p b_n(t - 1)``, and
    ``S_n(t) = b_n(t) + S_n(t + 1)``.
    """

    @classmethod
    def eval(cls, n: Any, p: Any, t: Any) -> Any:
        _integers(n, t)
        if t.is_nonpositive or (t - n).is_positive:
            return sympy.Integer(1 if t.is_nonpositive else 0)
        if n == t:
            return p**n
        if n.is_Integer and t.is_Integer:
            return sympy.Add(*(BinomialMass(n, p, v) for v in range(t, n + 1)))
        more, rest = n.as_coeff_Add()
        if rest != 0 and more != 0:
            before = n - 1 if more > 0 else n
            return cls(n - 1 if more > 0 else n + 1, p, t) + sympy.sign(more) * p * BinomialMass(before, p, t - 1)
        more, rest = t.as_coeff_Add()
        if rest == 0 or more == 0:
            return None
        return cls(n, p, t - 1) - BinomialMass(n, p, t - 1) if more > 0 else cls(n, p, t + 1) + BinomialMass(n, p, t)

    def fdiff(self, argindex: int = 1) -> Any:
        """By p: ``n b_(n-1)(t - 1)``."""
        if argindex != 2:
            raise ArithmeticError("expected a derivative by the probability")
        n, p, t = self.args
        return n * BinomialMass(n - 1, p, t - 1)

    def _eval_is_nonnegative(self) -> bool:
        return True


class SharedLoss(sympy.Function):  # type: ignore[misc]
    """``-log E[Phi(t - b X)^l]`` of an integer l >= 0 and b > 0: of none of l noises that share b X passing t."""

    @classmethod
    def eval(cls, l: Any, _t: Any, _b: Any) -> Any:
        _integers(l)
        return sympy.Integer(0) if l.is_zero else None

    def fdiff(self, argindex: int = 1) -> Any:
        """By t: ``phi(t - b x) phi(x)`` is phi(t/s)/s, s^2 = 1 + b^2, times the density at x of (b t/s + X)/s."""
        if argindex != 2:
            raise ArithmeticError("expected a derivative by the threshold")
        l, t, b = self.args
        s = sympy.sqrt(1 + b**2)
        density = sympy.exp(-((t / s) ** 2) / 2) / sympy.sqrt(2 * sympy.pi) / s
        return -l * density * sympy.exp(self - SharedLoss(l - 1, t / s**2, b / s))

    def _eval_is_nonnegative(self) -> bool:
        return True


class _HockeyStick(sympy.Function):  # type: ignore[misc]
    """Of laws that no elementary function says."""

    def fdiff(self, argindex: int = 1) -> Any:  # noqa: ARG002 - by none
        """There is none here."""
        raise ArithmeticError("expected a function whose derivative is known, got a hockey stick")

    def _eval_is_nonnegative(self) -> bool:
        return True


class PairStick(_HockeyStick):
    """`pair_stick` at epsilon, own, gap, ratio, l, d, j, and 1 (forward) or 0: of integers l >= 0 and 0 <= j <= d."""

    @classmethod
    def eval(cls, *at: Any) -> None:
        _integers(*at[4:])


class LaplaceProfile(_HockeyStick):
    """The hockey stick at a real level of n >= 1 pairs of Laplace laws, each some scales >= 0 apart.

    With a fourth argument the laws are on a lattice, so many steps >= 1 apart.
    """

    @classmethod
    def eval(cls, n: Any, _distance: Any, _level: Any, *steps: Any) -> None:
        _integers(n, *steps)


class DiscreteGaussianProfile(_HockeyStick):
    """`moved_profile` of n >= 1 noisy counts at sigma > 0, each some steps >= 1 apart, at a real level."""

    @classmethod
    def eval(cls, n: Any, _sigma: Any, steps: Any, _level: Any) -> None:
        _integers(n, steps)


class DiscreteGaussianLoss(_HockeyStick):
    """`withheld_loss` at sigma > 0 and any integer."""

    @classmethod
    def eval(cls, _sigma: Any, k: Any) -> None:
        _integers(k)


def is_whole(built: Any) -> bool:
    """Whether a real expression is seen to be an integer; SymPy says it of no integer part of what it cannot bound."""
    return bool(built.xreplace({part: sympy.Dummy(integer=True) for part in built.atoms(sympy.floor)}).is_integer)


def _integers(*numbers: Any) -> None:
    for number in numbers:
        if not is_whole(number):
            raise TypeError(f"expected an integer in a law, got {number}")


@binomial_pmf.register
def _(A: Symbolic, n: Number, p: Number, k: Number) -> Any:
    return A.of(BinomialMass, n, p, k)


@binomial_tail.register
def _(A: Symbolic, n: Number, p: Number, k: Number) -> Any:
    return A.of(BinomialTail, n, p, k)


@floors.register
def _(A: Symbolic, x: Number) -> Any:
    return (A.of(sympy.floor, x),)


@binary_digits.register
def _(A: Symbolic, n: Number) -> Any:
    # An integer n >= 1, of which SymPy would not see that the integer part is not negative.
    return 1 + A.maximum(0, A.of(sympy.floor, A.log(n) / A.log(2)))


@ceiling_of_root.register
def _(A: Symbolic, n: Number) -> Any:
    return -A.of(sympy.floor, -A.sqrt(n))


@ceiling_of_half.register
def _(A: Symbolic, n: Number) -> Any:
    return -A.of(sympy.floor, -A.number(n) / 2)


@larger_of.register
def _(A: Symbolic, m: Number, n: Number) -> Any:
    return A.maximum(m, n)


@normal_cdf.register
def _(A: Symbolic, x: Number) -> Any:
    return (1 + A.of(sympy.erf, A.number(x) / sympy.sqrt(2))) / 2


@log_normal_cdf.register
def _(A: Symbolic, x: Number) -> Any:
    return A.of(lambda x: sympy.log(normal_cdf(Symbolic(), x)), x)  # not of what may leave its range


@normal_quantile.register
def _(A: Symbolic, p: Any) -> Any:
    return sympy.sqrt(2) * A.of(sympy.erfinv, 2 * A.number(p) - 1)


@normal_quantile_complement.register
def _(A: Symbolic, q: Number) -> Any:
    return sympy.sqrt(2) * A.of(sympy.erfinv, 1 - 2 * A.number(q))


@gaussian_profile.register
def _(A: Symbolic, epsilon: Number, mu: Number) -> Any:
    if A.is_zero(mu):
        return A.maximum(0, -A.expm1(epsilon))
    return gaussian_profile_direct(A, epsilon, mu)


@laplace_counts_profile.register
def _(A: Symbolic, epsilon: Number, *, n: Number, distance: Number, steps: Number | None = None) -> Any:
    return A.of(LaplaceProfile, n, distance, epsilon, *(() if steps is None else (steps,)))


@sum_tails.register
def _(A: Symbolic, sigma: Number, most: Number) -> Any:
    return _NoTails()


class _NoTails:
    """Of any number of noises."""

    def __getitem__(self, _n: Any) -> None:
        return None


@moved_profile.register
def _(A: Symbolic, epsilon: Number, *, n: Number, sigma: Number, per_key: Number, tail: None = None) -> Any:
    return A.of(DiscreteGaussianProfile, n, sigma, per_key, epsilon)


@withheld_loss.register
def _(A: Symbolic, sigma: Number, k: Number) -> Any:
    return A.of(DiscreteGaussianLoss, sigma, k)


@unreleased.register
def _(A: Symbolic, *, l: Number, t: Number, b: Number, bits: int | None = None) -> Any:
    return A.exp(-A.of(SharedLoss, l, t, b))


@released.register
def _(A: Symbolic, *, l: Number, t: Number, b: Number, bits: int | None = None) -> Any:
    return -A.expm1(-A.of(SharedLoss, l, t, b))


@pair_stick.register
def _(
    A: Symbolic,
    *,
    epsilon: Number,
    own: Number,
    gap: Number,
    ratio: Number,
    l: Number,
    d: Number,
    j: Number,
    forward: bool,
    bits: int | None = None,
    new: Any = None,
) -> Any:
    return A.of(PairStick, epsilon, own, gap, ratio, l, d, j, int(forward))
