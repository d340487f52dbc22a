"""The privacy profile of several counts with Laplace noise, in every arithmetic."""

from __future__ import annotations

import functools
import math
from typing import Any

from scipy.special import gammainc

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.float64 import Float64


@functools.cache
def _coefficients(plus: int, minus: int) -> tuple[int, ...]:
    """Coefficients of ``(1 + z)^plus (1 - z)^minus``, lowest first."""
    found = [1]
    for sign in (1,) * plus + (-1,) * minus:
        found = [x + sign * y for x, y in zip([*found, 0], [0, *found], strict=True)]
    return tuple(found)


@functools.singledispatch
def _gammas(A: Arithmetic, y: Number, n: int) -> Any:
    """``P[Gamma(r) < y]`` for r = 1, ..., n."""
    mass, found = A.exp(-y), [-A.expm1(-y)]
    for r in range(1, n):
        mass = mass * y / r
        found.append(found[-1] - mass)
    return found


@_gammas.register
def _(A: Float64, y: Any, n: int) -> Any:
    return [gammainc(r, y) for r in range(1, n + 1)]


@functools.singledispatch
def laplace_counts_profile(A: Arithmetic, epsilon: Number, *, n: int, distance: Number) -> Any:
    """Exact hockey stick ``H_n`` of n Laplace laws that each move by ``distance`` scales; any real epsilon, O(n^2).

    With ``S_r(y) = P[Gamma(r) < y]``, ``s = distance`` and ``c_r(j)`` the coefficients of ``(1+z)^(j-1) (1-z)^(n-j)``,

        H_n(epsilon) = 2^(1-n) sum_j C(n, j) e^(-(n-j) s) sum_r c_r(j) S_(r+1)(max(0, (2j - n) s - epsilon) / 2)

    at ``epsilon >= 0``, and below by the symmetry of the pair. The measure ``sqrt(dP dQ)`` of one loss is, up to a
    factor, atoms at -s and s with a uniform between them: ``(1 + I) at s + (1 - I) at -s``, I the integral from the
    right. The n-th power is expanded; doubles lose a factor 10 to cancellation at n = 50.
    """
    level, s = A.number(epsilon), A.number(distance)
    below, level = A.minimum(0, level), A.maximum(level, -level)
    terms = []
    for j in range(n // 2 + 1, n + 1):
        gammas = _gammas(A, A.maximum(0, (2 * j - n) * s - level) / 2, n)
        pairs = zip(_coefficients(j - 1, n - j), gammas, strict=True)
        terms.append(math.comb(n, j) * A.exp(-(n - j) * s) * A.sum(c * gamma for c, gamma in pairs))
    return -A.expm1(below) + A.exp(below) * A.maximum(0, A.sum(terms) / 2 ** (n - 1))
