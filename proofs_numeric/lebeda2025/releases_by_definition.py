"""Bounds on several releases from their pairs, in doubles: noise on a grid, covariances solved, no formula shared."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import special

from proofs_numeric.expression.vocabulary import *


def _ceilings(
    *, releases: int, k: int, m: int | None = None, gamma: Number | None = None, mu_o: Number = 0, **at: Number
) -> Iterator[tuple[float, float]]:
    """For l = 0, ..., m: log P[none of l new counters passes in any release], and the worst change beside them."""
    m, ratio = k if m is None else m, k**0.5 if gamma is None else float(gamma)
    s, e, column = float(at["sigma"]), float(at["epsilon"]), float(mu_o)
    z = np.linspace(-9, 9, 2001)
    weight = np.exp(-z * z / 2) / np.sqrt(2 * np.pi) * (z[1] - z[0])
    log_silence = special.log_ndtr((float(at["gap"]) - z * s / np.sqrt(ratio)) / s)
    for l in range(m + 1):
        covariance, worst = s * s * (np.eye(k - l) + np.full((k - l, k - l), 1 / ratio)), 0.0
        for j in range(1, m - l + 1):
            change = (np.arange(k - l) < j).astype(np.float64)
            one = float(change @ np.linalg.solve(covariance, change)) + column**2 * float(change @ change)
            mu = np.sqrt(releases * one)
            worst = max(worst, float(special.ndtr(mu / 2 - e / mu) - np.exp(e) * special.ndtr(-mu / 2 - e / mu)))
        release = float(weight @ -np.expm1(l * log_silence))
        yield releases * float(np.log1p(-release)), worst


def same_data(A: Arithmetic, **at: Any) -> Number:
    """The largest ``1 - silent (1 - worst)`` over l."""
    return A.number(Fraction(max(-np.expm1(silent + np.log1p(-worst)) for silent, worst in _ceilings(**at))))


def chosen_data(A: Arithmetic, **at: Any) -> Number:
    """The same of most new counters and of the worst change beside none."""
    (_none, worst), *_between, (silent, _without) = _ceilings(**at)
    return A.number(Fraction(-np.expm1(silent + np.log1p(-worst))))
