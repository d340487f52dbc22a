r"""tau = 11 at every epsilon > 0: the exact delta at alpha = 1/6 stays below 1e-8, count by count.

With ``y = e^-epsilon``, ``p = (1 - y)/6`` and ``q = (1 - y)(1 + y/6)``, which falls in y, the count that attains the
delta is ``k = ceil(10/q)`` (``bharadwaj2022.tight``), so k is worst exactly where ``10/k <= q < 10/(k - 1)``. There

    delta = p b - (1/y - 1) S_(k-1),   b = P[Bin(k - 1, p) = 10],   S_n = P[Bin(n, p) >= 11],

by ``S_k = S_(k-1) + p b``. The interval of q is bisected in balls until each part is below 1e-8. From k = 2000 on,
that is for every epsilon below 0.0043, ``p b <= p (k p)^10/10!`` and ``(k - 1) p < 10 p/q <= 10/7`` do.

Replacement moves a second cell, from kb to kb + 1 copies. Given that it shows x its laws have the ratio
``r = (1 - p)/(1 - s)``, ``s = x/(kb + 1)``, and the first cell is met at the factor ``c = r/y`` and the same p, where
no count loses more than ``k = ceil(10/Q)``, ``Q = 1 - (1 - p)/c``. The delta is at most the mean of that over x:

* at the least ratio, ``1 - p``, it is below 1e-8 where epsilon is below 0.07 or above 0.82: ``Q = 1 - y``, ``p = Q/6``,
  and ``b <= (k p)^10/10! e^-1.5`` from k = 2000 on;
* elsewhere the mean is, for kb = 10 to 29, and for 30 copies without a threshold. Fewer are hidden for certain. No more
  give more: a threshold is a function of the count, and a client more, who takes part with probability p, makes the 30
  or 31 copies 31 or 32.
"""

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from proofs_numeric.bharadwaj2022.parameters import own
from proofs_numeric.expression.vocabulary import *

_ALPHA, _TAU, _DELTA = Fraction(1, 6), 11, Fraction(1, 10**8)
_LAST = 2000
_MASSES = 8
"""Masses of the tail that are summed: a lower bound on S."""
_COPIES = 30
"""Copies of the second item from which on its threshold is left off."""
_HIDDEN = 1 - Fraction(1, 10**4)
"""Least ratio of the laws of a second cell that is hidden."""
_ARITHMETIC = Ball(96)


def counts(_size: int) -> Iterator[int]:
    """Every worst count below 2000, and 2000 for all the others."""
    return iter(range(_TAU, _LAST + 1))


def enough(k: int) -> bool:
    """Whether the delta is certified to be below 1e-8 wherever k (from 2000 on: or more) is the worst count."""
    if k == _LAST:  # q < 10/1999, so y > 1 - q, p < q/6, and 10 p/q = (10/6)/(1 + y/6) < (10/6)/(1 + (1 - q)/6)
        q = Fraction(_TAU - 1, _LAST - 1)
        mean = (_TAU - 1) * _ALPHA / (1 + (1 - q) * _ALPHA)
        return _ALPHA * q * mean ** (_TAU - 1) / math.factorial(_TAU - 1) < _DELTA
    return _everywhere(k, _below)


def enough_replaced(k: int) -> bool:
    """The same where a client's value is replaced; k is the worst count at the least ratio of the second cell."""
    if k == _LAST:  # q < 10/1999, k p >= 10/6 and 11 p < 1/60, so (1 - p)^(k - 11) < e^-1.5 < 1/4
        q, mean = Fraction(_TAU - 1, _LAST - 1), (_TAU - 1) * _ALPHA
        few = mean - _TAU * _ALPHA * q >= Fraction(3, 2)
        return few and _ALPHA * q * mean ** (_TAU - 1) / math.factorial(_TAU - 1) / 4 < _DELTA
    return _everywhere(k, _below_replaced)


def _everywhere(k: int, below: Callable[[int, Fraction, Fraction], bool]) -> bool:
    parts = [(Fraction(_TAU - 1, k), Fraction(_TAU - 1, k - 1))]
    while parts:
        low, high = parts.pop()
        if below(k, low, high):
            continue
        middle = (low + high) / 2
        if high - low < Fraction(1, 10**9):
            return False
        parts += [(low, middle), (middle, high)]
    return True


def _below(k: int, low: Fraction, high: Fraction) -> bool:
    """Whether the delta of k is below 1e-8 for every q in the interval, in balls."""
    with _ARITHMETIC as A:
        alpha = A.number(_ALPHA)
        # q = 1 - (1 - alpha) y - alpha y^2
        y = A.between(*(2 * (1 - A.number(q)) / (1 - alpha + A.sqrt((1 - alpha) ** 2 + 4 * alpha * (1 - A.number(q))))
                        for q in (low, high)))  # fmt: skip
        return bool(_delta(k, alpha * (1 - y), 1 / y - 1) < A.number(_DELTA))


def _below_replaced(k: int, low: Fraction, high: Fraction) -> bool:
    """The same under replacement, for every 1 - y in the interval."""
    with _ARITHMETIC as A:
        delta, middle = A.number(_DELTA), (low + high) / 2
        if _first_cell(middle, middle, Fraction(0)) < delta:
            return bool(_first_cell(low, high, Fraction(0)) < delta)
        return bool(_many_copies(low, high) < delta and _few_copies(low, high) < delta)


def _many_copies(low: Fraction, high: Fraction) -> Any:
    """Mean over what 30 copies of the second item show without a threshold, for 1 - y in the interval, in balls."""
    A = _ARITHMETIC
    p = A.number(_ALPHA) * A.between(A.number(low), A.number(high))
    mass = _masses(_COPIES, range(_COPIES + 1), p)
    return A.sum(m * _first_cell(low, high, Fraction(x, _COPIES + 1)) for x, m in enumerate(mass))


def _few_copies(low: Fraction, high: Fraction) -> Any:
    """The same of 10 to 29 copies with a threshold, from above: what is shown counts at the least ratio, 1 - p."""
    A = _ARITHMETIC
    p = A.number(_ALPHA) * A.between(A.number(low), A.number(high))
    hidden, first = _first_cell(low, high, None), _first_cell(low, high, Fraction(0))
    total = A.number(0)
    for copies in range(_TAU - 1, _COPIES):
        mass = _masses(copies, range(_TAU), p)
        silent = A.sum(mass)
        if not p * mass[-1] / silent < A.number(1 - _HIDDEN):
            return A.infinity
        total = A.maximum(total, hidden + (1 - silent) * first)
    return total


def _first_cell(low: Fraction, high: Fraction, s: Fraction | None) -> Any:
    """Largest delta of a first cell, for 1 - y in the interval, where the second shows the part s of its copies."""
    A = _ARITHMETIC
    q = A.between(A.number(low), A.number(high))
    if s is None:
        rate = tuple(1 - (1 - _ALPHA * x) * (1 - x) / _HIDDEN for x in (low, high))
        factor = A.number(_HIDDEN) / (1 - q) - 1
    else:
        rate = (s + low * (1 - s), s + high * (1 - s))
        # (1 - p)/((1 - q)(1 - s)) - 1: rises in q
        factor = (A.number(1 - _ALPHA) / (1 - q) - A.number(1 - _ALPHA - s)) / A.number(1 - s)
    worst = range(max(_TAU, math.ceil((_TAU - 1) / rate[1])), math.ceil((_TAU - 1) / rate[0]) + 1)
    return A.maximum(*(_delta(k, A.number(_ALPHA) * q, factor) for k in worst))


def _delta(k: int, p: Any, factor: Any) -> Any:
    """``p b - factor S`` from above, in balls."""
    n, first = k - 1, _TAU - 1
    odds = p / (1 - p)
    ways = [math.comb(n, v) for v in range(first, min(n, _TAU + _MASSES) + 1)]
    tail = _ARITHMETIC.number(0)
    for number in reversed(ways[1:]):
        tail = (tail + number) * odds
    lost = factor * tail if len(ways) > 1 else 0  # at y = 0 the factor is infinite
    return p**first * (1 - p) ** (n - first) * (p * ways[0] - lost)


def _masses(n: int, values: range, p: Any) -> list[Any]:
    return [math.comb(n, v) * p**v * (1 - p) ** (n - v) for v in values]


CLAIMS = (
    own(
        "exp.tau.every", "Section 5", "tau = 11 is enough at every epsilon > 0, a client added or removed",
        r"\delta_{\mathrm{tight}}(\epsilon,\tfrac16,11)<10^{-8}\quad(\epsilon>0)",
        FiniteStatement(counts, enough, sizes(2000, 2000, 2000), "counts that attain the delta", complete=True),
        note="Of the closed form of bharadwaj2022.tight; the paper uses tau = 20.",
    ),
    own(
        "exp.tau.every.replacement", "Section 5", "tau = 11 is enough at every epsilon > 0, a client's value replaced",
        r"\max_{k_a,k_b}\mathrm{repl}(k_a,k_b)\le\max_{k_b}E[\delta_p(\epsilon+\ln r,11)]<10^{-8}\quad(\epsilon>0)",
        FiniteStatement(
            counts, enough_replaced, sizes(2000, 2000, 2000),
            "counts that attain the bound at the second cell's least ratio", complete=True,
        ),
        note="r: ratio of the laws of the second cell, drawn from the first law; the bound reaches 8.9e-9, the largest "
        "delta found is 5.8e-9.",
    ),
)  # fmt: skip
