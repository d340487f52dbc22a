r"""tau = 11 at every epsilon > 0: the exact delta at alpha = 1/6 stays below 1e-8, count by count.

With ``y = e^-epsilon``, ``p = (1 - y)/6`` and ``q = (1 - y)(1 + y/6)``, which falls in y, the count that attains the
delta is ``k = ceil(10/q)`` (``bharadwaj2022.tight``), so k is worst exactly where ``10/k <= q < 10/(k - 1)``. There

    delta = p b - (1/y - 1) S_(k-1),   b = P[Bin(k - 1, p) = 10],   S_n = P[Bin(n, p) >= 11],

by ``S_k = S_(k-1) + p b``. The interval of q is bisected in balls until each part is below 1e-8. From k = 2000 on,
that is for every epsilon below 0.0043, ``p b <= p (k p)^10/10!`` and ``(k - 1) p < 10 p/q <= 10/7`` do.

Replacement moves a second cell, whose ratio of laws is at most ``1/(1 - p)`` and has mean one: given its outcome the
first cell is met at levels of at least ``epsilon + ln(1 - p)``, so its delta there, at the same p, is enough. There
``q = 1 - y``, ``p = q/6``, the factor is ``(1 - p)/y``, and tau = 12 does: from k = 2000 on by
``b <= (k p)^11/11! e^-1.8``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Ball
from proofs_numeric.bharadwaj2022.parameters import own
from proofs_numeric.statements.kinds import FiniteStatement

_ALPHA, _TAU, _DELTA = Fraction(1, 6), 11, Fraction(1, 10**8)
_LAST = 2000
_MASSES = 8
"""Masses of the tail that are summed: a lower bound on S."""
_TAU_REPLACED = 12
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
    return _everywhere(k, _TAU, _below)


def replaced_counts(_size: int) -> Iterator[int]:
    """The same for tau = 12."""
    return iter(range(_TAU_REPLACED, _LAST + 1))


def enough_replaced(k: int) -> bool:
    """The same of the bound under replacement."""
    if k == _LAST:  # q < 11/1999, k p >= 11/6 and 12 p < 1/30, so (1 - p)^(k - 12) < e^-1.8 < 1/6
        q, mean = Fraction(_TAU_REPLACED - 1, _LAST - 1), (_TAU_REPLACED - 1) * _ALPHA
        few = mean - _TAU_REPLACED * _ALPHA * q >= Fraction(9, 5)
        return few and _ALPHA * q * mean ** (_TAU_REPLACED - 1) / math.factorial(_TAU_REPLACED - 1) / 6 < _DELTA
    return _everywhere(k, _TAU_REPLACED, _below_replaced)


def _everywhere(k: int, tau: int, below: Callable[[int, Fraction, Fraction], bool]) -> bool:
    parts = [(Fraction(tau - 1, k), Fraction(tau - 1, k - 1))]
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
        return bool(_delta(k, _TAU, alpha * (1 - y), 1 / y - 1) < A.number(_DELTA))


def _below_replaced(k: int, low: Fraction, high: Fraction) -> bool:
    """The same of the bound under replacement."""
    with _ARITHMETIC as A:
        q = A.between(A.number(low), A.number(high))
        p = A.number(_ALPHA) * q
        # (1 - p)/y - 1 = (5/6) q/y: rises in q
        return bool(_delta(k, _TAU_REPLACED, p, (1 - A.number(_ALPHA)) * q / (1 - q)) < A.number(_DELTA))


def _delta(k: int, tau: int, p: Any, factor: Any) -> Any:
    """``p b - factor S`` from above, in balls."""
    n = k - 1
    mass = [math.comb(n, v) * p**v * (1 - p) ** (n - v) for v in range(tau - 1, min(n, tau + _MASSES) + 1)]
    lost = factor * _ARITHMETIC.sum(mass[1:]) if len(mass) > 1 else 0  # at y = 0 the factor is infinite
    return p * mass[0] - lost


CLAIMS = (
    own(
        "exp.tau.every",
        "Section 5",
        "tau = 11 is enough at every epsilon > 0, a client added or removed",
        r"\delta_{\mathrm{tight}}(\epsilon,\tfrac16,11)<10^{-8}\quad(\epsilon>0)",
        FiniteStatement(
            counts,
            enough,
            {"quick": 2000, "standard": 2000, "deep": 2000},
            "counts that attain the delta",
            complete=True,
        ),
        note="Of the closed form of bharadwaj2022.tight; the paper uses tau = 20. Under replacement tau = 12 is "
        "(bharadwaj2022.exp.tau.every.replaced).",
    ),
    own(
        "exp.tau.every.replaced",
        "Section 5",
        "tau = 12 is enough at every epsilon > 0, a client's value replaced",
        r"\mathrm{repl}(\epsilon,\tfrac16,12)\le\delta_p(\epsilon+\ln(1-p),12)<10^{-8}\quad(\epsilon>0)",
        FiniteStatement(
            replaced_counts,
            enough_replaced,
            {"quick": 2000, "standard": 2000, "deep": 2000},
            "counts that attain the bound",
            complete=True,
        ),
        note="The bound is 5.7e-9 at most. At tau = 11 it reaches 1.9e-8, the largest delta found is 5.8e-9: whether "
        "tau = 11 is enough is open.",
    ),
)
