"""One cell of the histogram: its law, and the exact delta of sample-and-threshold under both neighbouring relations.

A cell with k copies is sampled to B ~ Bin(k, p) and shows B if B >= tau, else nothing.  Write S_k = P[Bin(k, p) >= tau]
and q = 1 - e^-epsilon (1 - p).  Against k - 1 copies the likelihood ratio of a shown v is (1 - p) k / (k - v): it grows
with v, exceeds e^epsilon iff v > k q, and that of "nothing" lies below them all, in [1 - p, 1].

Closed form.  For k <= tau / q every shown value is bad, so the forward hockey stick is S_k - e^epsilon S_(k-1).
Since S_k = S_(k-1) + p b_(k-1), b_k = P[Bin(k, p) = tau - 1], its increment in k is p (b_k - e^epsilon b_(k-1)), which
is positive iff k (1 - p) > e^epsilon (k - tau + 1), that is iff k < (tau - 1) / q.  The interval from (tau - 1)/q to
tau/q is longer than 1, so k* = ceil((tau - 1) / q) lies in it (k* = 1 for tau = 1), and k* is where the hockey stick
is largest over k <= tau / q.  For k >= floor(tau / q) the threshold is implied by v > k q: there the hockey stick is
E[(B/k - q)_+] / (1 - q), and as sample means are a reverse martingale and (x - q)_+ is convex, it never grows.  So

    delta(epsilon) = S_(k*) - e^epsilon S_(k*-1)   for e^-epsilon <= 1 - p, where the backward hockey stick is zero.
"""

import functools
import math
from typing import Any

import numpy as np
from scipy.special import xlog1py

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.finite_laws import binomial, joint, released, stick
from proofs_numeric.arithmetic.integer_part import floor_of, floors
from proofs_numeric.bharadwaj2022.formulas import *
from proofs_numeric.expression.vocabulary import *

_SERIES = 80
"""Terms of the float64 series: each ratio of masses beyond tau is at most 1/2, as e^-epsilon p <= q/2 at k <= tau/q."""
_NOTHING = 4000
"""Clients; e^(-C'_alpha tau) is no double from here on, whatever alpha."""
LEAST = float(np.finfo(float).smallest_subnormal)
"""What a positive delta is told as that no double holds."""

_SMALL = 16
_TABLE = np.array([0.0, *(math.log(math.factorial(n) / n**n) + n for n in range(1, _SMALL))])
_TINY = np.finfo(np.float64).tiny

# --- the binomial law -------------------------------------------------------------------------------------------------


@functools.singledispatch
def binomial_law(A: Arithmetic, k: int, p: Number) -> list[Any]:
    """``P[Bin(k, p) = v]`` for v = 0 .. k, p in (0, 1), each from the last by one ratio."""
    p = A.number(p)
    value = p**k
    law = [value]
    for v in range(k, 0, -1):
        value = value * v * (1 - p) / ((k - v + 1) * p)
        law.append(value)
    return law[::-1]


@binomial_law.register
def _(A: Float64, k: int, p: Number) -> Any:
    from scipy.stats import binom  # an import of a second, which doubles alone need

    return binom.pmf(np.arange(k + 1), k, p)


def factorial_rest(n: Number) -> Number:
    """``R(n) = ln n! - n ln n + n`` for arrays of integers n >= 0 (as float64); R(0) = 0."""
    n = np.asarray(n, np.float64)
    large = np.maximum(n, _SMALL)
    x = 1 / large
    y = x * x
    series = x * (1 / 12 - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y / 1188))))
    return np.where(
        n < _SMALL, _TABLE[np.minimum(n, _SMALL - 1).astype(int)], 0.5 * np.log(2 * math.pi * large) + series
    )


def binomial_mass(k: Any, p: Any, not_p: Any, v: Any) -> Any:
    """``P[Bin(k, p) = v]`` for 1 <= v <= k and 0 < p <= 1, not_p = 1 - p given beside p; arrays broadcast.

    In float64, to about ten units in the last place of its logarithm's size.  Powers such as (1 - p)^(k - v) lose
    log10(k) digits, and logarithms of binomial coefficients cancel.  Loader's form has neither: with n! = n^n e^-n
    e^(R(n)) and u = v - k p,

        ln P[Bin(k, p) = v] = R(k) - R(v) - R(k - v) - (v ln(v/(kp)) - u) - ((k - v) ln(1 - u/(k(1-p))) + u),

    where both brackets are at least 0 and a rounding of k p moves them by u times its relative size only.
    """
    mean, rest = k * p, np.maximum(k * not_p, _TINY)
    excess = v - mean
    hit = v * np.log(v / mean) - excess
    missed = xlog1py(k - v, np.maximum(-excess / rest, -1 + 1e-16)) + excess
    return np.exp(factorial_rest(k) - factorial_rest(v) - factorial_rest(k - v) - hit - missed)


# --- add or remove a client -------------------------------------------------------------------------------------------


@functools.singledispatch
def tight(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Exact add/remove delta at p = alpha (1 - e^-epsilon), 0 < alpha <= 1, tau an integer >= 1 (closed form above)."""
    p = sampling_rate(A, epsilon=epsilon, alpha=alpha)
    return tight_of(A, factor=A.exp(epsilon), p=p, tau=tau, q=bad_rate(A, epsilon=epsilon, alpha=alpha))


def tight_of(A: Arithmetic, *, factor: Number, p: Number, tau: int, q: Number | None = None) -> Number:
    """Exact add/remove delta for factor = e^epsilon and p with 1/factor <= 1 - p: rational in, rational out."""
    q = bad_rate_of(A, factor=factor, p=p) if q is None else q
    # Where the integer part is in doubt every candidate is tried: each is a lower bound, one of them is attained.
    ks = (place + 1 for place in floors(A, (tau - 1) / q))
    return A.maximum(*(forward_at(A, factor=A.number(factor), p=p, tau=tau, k=k) for k in ks))


@tight.register
def _(A: MpReal, *, epsilon: Number, alpha: Number, tau: int) -> Any:
    # S_k and e^epsilon S_(k-1) agree in their leading digits: for small epsilon about log10(tau / epsilon) + 3 of them.
    wide = MpReal(2 * A.digits + 40)
    e, a = wide.number(epsilon), wide.number(alpha)
    p, q = sampling_rate(wide, epsilon=e, alpha=a), bad_rate(wide, epsilon=e, alpha=a)
    return A.number(tight_of(wide, factor=wide.exp(e), p=p, tau=tau, q=q))


@tight.register
@np.errstate(all="ignore")
def _(A: Float64, *, epsilon: Number, alpha: Number, tau: int) -> Any:
    # The same number as a sum of terms >= 0, P_k(v) (v - kq) / (k (1 - q)) over v >= tau, at k = k*.
    epsilon, alpha = np.broadcast_arrays(np.asarray(epsilon, float)[..., None], np.asarray(alpha, float)[..., None])
    small, p = np.exp(-epsilon), -alpha * np.expm1(-epsilon)
    not_p = (1 - alpha) + alpha * small
    q, not_q = -np.expm1(-epsilon) * (1 + alpha * small), np.maximum(small * not_p, np.finfo(float).tiny)
    k = np.maximum(tau, np.ceil((tau - 1) / q))
    v = float(tau) + np.arange(_SERIES)
    ratios = np.maximum(k - v[:-1], 0) * p / ((v[:-1] + 1) * np.maximum(not_p, not_q))
    steps = np.concatenate([np.ones_like(k), np.cumprod(ratios, axis=-1)], axis=-1)
    # The larger of q and 1 - q multiplies k in neither form: k (1 - q) - (k - v) = v - k q.
    excess = np.where(q < not_q, v - k * q, k * not_q - (k - v)) / (k * not_q)
    total = np.sum(np.where(v <= k, steps * np.maximum(excess, 0), 0.0), axis=-1)
    stick = binomial_mass(k, p, not_p, float(tau))[..., 0] * total
    # Where no double holds k*, which takes an epsilon as small, delta is p at most, and by Lemma 3' may be no double.
    stick = np.where(np.isfinite(k[..., 0]), stick, p[..., 0] if tau < _NOTHING else 0)
    # The delta is positive: where that is no double, the least positive one is above it.
    return np.maximum(stick, LEAST)[()]


def tight_rate(A: Arithmetic, *, epsilon: Number, p: Number, tau: int) -> Any:
    """Exact add/remove delta at any epsilon >= 0 for a fixed rate p, both directions in closed form.

    Forward as above.  Backward, write c = 1 - e^epsilon (1 - p): the event that at most t - 1, t >= tau, are sampled
    gives 1 - e^epsilon + e^epsilon (S_k - (1 - p)/(1 - c) S_(k-1)) away, S at t.  That is the forward one with c in
    place of q, so the largest is at t = tau and k = floor((tau - 1)/c) + 1, and at most c.
    """
    p = A.number(p)
    best = tight_of(A, factor=A.exp(A.number(epsilon)), p=p, tau=tau)
    if A.name != "symbolic" and backward_rate(A, epsilon=epsilon, p=p) <= best:
        return best
    q = positive_backward_rate(A, epsilon=epsilon, p=p, tau=tau)
    ks = (place + 1 for place in floors(A, (tau - 1) / q))
    return A.maximum(best, *(unseen_at(A, p=p, q=q, k=k, tau=tau) for k in ks))


def worst_count(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> int:
    """``k* = ceil((tau - 1) / q)``, at least 1: the count at which the delta is attained."""
    return -floor_of(A, (1 - tau) / bad_rate(A, epsilon=epsilon, alpha=alpha)) if tau > 1 else 1


def cell_outcomes(A: Arithmetic, k: int, p: Number, tau: int) -> list[Any]:
    """Masses of one cell with k copies: [nothing shown, tau, tau + 1, ..., k]."""
    law = list(binomial_law(A, k, p))
    return [A.sum(law[:tau]), *law[tau:]]


def hockey_stick(A: Arithmetic, left: list[Any], right: list[Any], factor: Number) -> Any:
    """``sum (left - factor right)_+`` over outcomes; the shorter list is filled up with zeros."""
    size = max(len(left), len(right))
    zero = A.number(0)
    p, q = ([*law, *[zero] * (size - len(law))] for law in (left, right))
    return A.sum(A.maximum(zero, x - factor * y) for x, y in zip(p, q, strict=True))


def cell_profile(A: Arithmetic, *, factor: Number, p: Number, tau: int, k: int, forward: bool = True) -> Any:
    """Hockey stick of k against k - 1 copies (backward: the other way) at any factor = e^epsilon, by enumeration."""
    more, fewer = cell_outcomes(A, k, p, tau), cell_outcomes(A, k - 1, p, tau)
    return hockey_stick(A, more, fewer, factor) if forward else hockey_stick(A, fewer, more, factor)


# --- replace a client's item ------------------------------------------------------------------------------------------


def replacement_at(A: Arithmetic, *, factor: Number, p: Number, tau: int, ka: int, kb: int) -> Any:
    """Hockey stick of the cells (ka, kb) against (ka - 1, kb + 1), 1 <= ka, 0 <= kb, at factor = e^epsilon >= 1."""
    return Replaced(A, factor, p).delta(tau, tau, ka, kb)


class Replaced:
    """Cells (ka, kb) against (ka - 1, kb + 1) at a rate p and a factor = e^epsilon >= 1, each with a threshold or none.

    For each outcome of the second cell the best event in the first is "nothing" and all shown values, or the shown
    values v with ``ka - v < ka (1 - p) P/(factor Q)``, P and Q the outcome's chances.
    """

    def __init__(self, A: Arithmetic, factor: Number, p: Number) -> None:
        self.A, self.factor, self.p = A, A.number(factor), A.number(p)
        self.law = functools.cache(lambda k: list(binomial_law(A, k, self.p)))
        self.tails = functools.cache(lambda k: _suffix_sums(A, self.law(k)))

    def stick(self, first: int, ka: int, mass: Number, other: Number) -> Any:
        """What the first cell adds to an outcome of the second with these chances, its threshold ``first``, 0: none."""
        A, (more, fewer) = self.A, (self.tails(ka), self.tails(ka - 1))
        options = [A.number(0), mass - self.factor * other]
        for place in floors(A, ka - ka * (1 - self.p) * mass / (self.factor * other)):
            t = min(max(first, place + 1, 0), ka + 1)
            options.append(mass * more[t] - self.factor * other * fewer[min(t, ka)])
        return A.maximum(*options)

    def hidden(self, second: int, kb: int) -> tuple[Any, Any]:
        """The chances that the second cell, with a threshold ``second``, shows nothing."""
        here, there = (self.A.sum(self.law(k)[:second]) for k in (kb, kb + 1))
        return here, there

    def delta(self, first: int, second: int, ka: int, kb: int) -> Any:
        """The hockey stick; a threshold of 0 is none."""
        outcomes = list(zip(self.law(kb)[second:], self.law(kb + 1)[second:], strict=False))
        if second:
            outcomes.append(self.hidden(second, kb))
        return self.A.sum(self.stick(first, ka, mass, other) for mass, other in outcomes)


def _suffix_sums(A: Arithmetic, law: list[Any]) -> list[Any]:
    """``[P[B >= 0], ..., P[B >= k], 0]``."""
    sums = [A.number(0)]
    for value in reversed(law):
        sums.append(sums[-1] + value)
    return sums[::-1]


@functools.singledispatch
def tight_replacement(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int, ka: int, kb: int) -> Any:
    """Exact delta of the replacement pair (ka, kb) against (ka - 1, kb + 1) at p = alpha (1 - e^-epsilon)."""
    p = sampling_rate(A, epsilon=epsilon, alpha=alpha)
    return replacement_at(A, factor=A.exp(epsilon), p=p, tau=tau, ka=ka, kb=kb)


def product_profile(A: Arithmetic, *, factor: Number, p: Number, tau: int, ka: int, kb: int) -> Any:
    """Hockey stick of (ka, kb) against (ka - 1, kb + 1) at any factor, outcome by outcome."""
    pairs = (ka, kb), (ka - 1, kb + 1)
    here, there = (joint(released(binomial(count, A.number(p)), tau) for count in counts) for counts in pairs)
    return stick(here, there, factor)
