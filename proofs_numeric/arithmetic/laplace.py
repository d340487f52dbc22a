"""The privacy profile of several counts with Laplace noise, in every arithmetic."""

import functools
import math
from typing import Any

import flint
import numpy as np
from scipy.special import gammainc

from proofs_numeric.arithmetic.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.ball import Ball
from proofs_numeric.arithmetic.float64 import Float64
from proofs_numeric.arithmetic.largest import largest_term


@functools.cache
def _coefficients(plus: int, minus: int) -> tuple[int, ...]:
    """Coefficients of ``(1 + z)^plus (1 - z)^minus``, lowest first."""
    coefficients = [1]
    for sign in (1,) * plus + (-1,) * minus:
        coefficients = [x + sign * y for x, y in zip([*coefficients, 0], [0, *coefficients], strict=True)]
    return tuple(coefficients)


@functools.singledispatch
def _gammas(A: Arithmetic, y: Number, n: int) -> Any:
    """``P[Gamma(r) < y]`` for r = 1, ..., n."""
    mass, tails = A.exp(-y), [-A.expm1(-y)]
    for r in range(1, n):
        mass = mass * y / r
        tails.append(tails[-1] - mass)
    return tails


@_gammas.register
def _(A: Float64, y: Any, n: int) -> Any:
    return [gammainc(r, y) for r in range(1, n + 1)]


@functools.singledispatch
def _power(A: Arithmetic, masses: list[Any], n: int) -> Any:
    """Coefficients of the n-th power of the polynomial with these ones, n >= 0."""
    coefficients = [A.number(1)]
    for _factor in range(n):
        columns: list[list[Any]] = [[] for _ in range(len(coefficients) + len(masses) - 1)]
        for i, x in enumerate(coefficients):
            for j, y in enumerate(masses):
                columns[i + j].append(x * y)
        coefficients = [A.sum(column) for column in columns]
    return coefficients


@_power.register
def _(A: Ball, masses: list[Any], n: int) -> Any:
    return (flint.arb_poly(masses) ** n).coeffs()


@_power.register
def _(A: Float64, masses: list[Any], n: int) -> Any:
    return functools.reduce(np.convolve, [masses] * n, np.ones(1))


def lattice_losses(A: Arithmetic, n: int, distance: Any, steps: int) -> Any:
    """Masses of the losses ``(n m - 2 x) d/m``, x = 0, ..., n m, of n pairs of Laplace laws that are m steps apart.

    One of two such laws puts 1/(1 + r) at or left of its centre, r = e^(-d/m), which is the place 0,
    (1 - r) r^x/(1 + r) at x steps right of it, and r^m/(1 + r) at or right of the other's.
    """
    step = distance / steps
    left, right = 1 / (1 + A.exp(-step)), -A.expm1(-step) / (1 + A.exp(-step))
    return _power(A, [left, *(right * A.exp(-x * step) for x in range(1, steps)), left * A.exp(-distance)], n)


def _on_lattice(A: Arithmetic, level: Any, n: int, distance: Any, steps: int) -> Any:
    """Sum of the losses' masses, each times ``(1 - e^(level - loss))_+``."""
    losses = ((n * steps - 2 * x) * distance / steps for x in range(n * steps + 1))
    lead = (A.maximum(0, -A.expm1(A.minimum(1, level - loss))) for loss in losses)
    return A.sum(mass * each for mass, each in zip(lattice_losses(A, n, distance, steps), lead, strict=True))


@functools.singledispatch
def laplace_counts_profile(
    A: Arithmetic, epsilon: Number, *, n: int, distance: Number, steps: int | None = None
) -> Any:
    """Exact hockey stick ``H_n`` of n Laplace laws that each move by ``distance`` scales; any real epsilon, O(n^2).

    With ``steps`` the laws are on a lattice of which the distance is so many steps, >= 1: a sum over the losses.
    Without, and with ``S_r(y) = P[Gamma(r) < y]``, ``s = distance`` and ``c_r(j)`` the coefficients of
    ``(1+z)^(j-1) (1-z)^(n-j)``,

        H_n(epsilon) = 2^(1-n) sum_j C(n, j) e^(-(n-j) s) sum_r c_r(j) S_(r+1)(max(0, (2j - n) s - epsilon) / 2)

    at ``epsilon >= 0``, and below by the symmetry of the pair. The measure ``sqrt(dP dQ)`` of one loss is, up to a
    factor, atoms at -s and s with a uniform between them: ``(1 + I) at s + (1 - I) at -s``, I the integral from the
    right. The n-th power is expanded; doubles lose a factor 10 to cancellation at n = 50.
    """
    level, s = A.number(epsilon), A.number(distance)
    if steps is not None:
        return _on_lattice(A, level, n, s, steps)
    below, level = A.minimum(0, level), A.maximum(level, -level)
    terms = []
    for j in range(n // 2 + 1, n + 1):
        gammas = _gammas(A, A.maximum(0, (2 * j - n) * s - level) / 2, n)
        pairs = zip(_coefficients(j - 1, n - j), gammas, strict=True)
        terms.append(math.comb(n, j) * A.exp(-(n - j) * s) * A.sum(c * gamma for c, gamma in pairs))
    return -A.expm1(below) + A.exp(below) * A.maximum(0, A.sum(terms) / 2 ** (n - 1))


def laplace_histogram_profile(
    A: Arithmetic, epsilon: Number, *, keys: int, distance: Number, loss: Number, steps: int | None = None
) -> Any:
    """Largest delta over the number of new keys and both orders, of a user in ``keys`` of them; ``epsilon >= 0``.

    A new key is released with probability ``1 - e^-loss``; counts of the others move as in `laplace_counts_profile`.
    """

    def of_new(a: Any) -> Any:
        lost = a * loss
        profile = functools.partial(laplace_counts_profile, A, n=keys - a, distance=distance, steps=steps)
        return A.maximum(-A.expm1(-lost) + A.exp(-lost) * profile(epsilon + lost), profile(epsilon - lost))

    return A.maximum(-A.expm1(-(keys * loss)), largest_term(A, of_new, keys))
