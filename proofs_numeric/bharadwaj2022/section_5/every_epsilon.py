r"""tau = 11 at every epsilon > 0: the exact delta at alpha = 1/6 stays below 1e-8, count by count.

With ``y = e^-epsilon``, ``p = (1 - y)/6`` and ``q = (1 - y)(1 + y/6)``, which falls in y, the count that attains the
delta is ``k = ceil(10/q)`` (``bharadwaj2022.tight``), so k is worst exactly where ``10/k <= q < 10/(k - 1)``. There

    delta = p b - (1/y - 1) S_(k-1),   b = P[Bin(k - 1, p) = 10],   S_n = P[Bin(n, p) >= 11],

by ``S_k = S_(k-1) + p b``. The interval of q is bisected in balls until each part is below 1e-8. From k = 2000 on,
that is for every epsilon below 0.0043, ``p b <= p (k p)^10/10!`` and ``(k - 1) p < 10 p/q <= 10/7`` do.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from proofs_numeric.arithmetic import Ball
from proofs_numeric.bharadwaj2022.parameters import own
from proofs_numeric.statements.kinds import FiniteStatement

_ALPHA, _TAU, _DELTA = Fraction(1, 6), 11, Fraction(1, 10**8)
_LAST = 2000
_MASSES = 8
"""Masses of the tail that are summed: a lower bound on S."""
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
    parts = [(Fraction(_TAU - 1, k), Fraction(_TAU - 1, k - 1))]
    while parts:
        low, high = parts.pop()
        if _below(k, low, high):
            continue
        middle = (low + high) / 2
        if high - low < Fraction(1, 10**9):
            return False
        parts += [(low, middle), (middle, high)]
    return True


def _below(k: int, low: Fraction, high: Fraction) -> bool:
    """Whether the delta of k is below 1e-8 for every q in the interval, in balls."""
    with _ARITHMETIC as A:
        n, alpha = k - 1, A.number(_ALPHA)
        # q = 1 - (1 - alpha) y - alpha y^2
        y = A.between(*(2 * (1 - A.number(q)) / (1 - alpha + A.sqrt((1 - alpha) ** 2 + 4 * alpha * (1 - A.number(q))))
                        for q in (low, high)))  # fmt: skip
        p = alpha * (1 - y)
        mass = [math.comb(n, v) * p**v * (1 - p) ** (n - v) for v in range(_TAU - 1, min(n, _TAU + _MASSES) + 1)]
        lost = (1 / y - 1) * A.sum(mass[1:]) if len(mass) > 1 else 0
        return bool(p * mass[0] - lost < A.number(_DELTA))


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
        note="Of the closed form of bharadwaj2022.tight; the paper uses tau = 20. Replacement is not covered.",
    ),
)
