"""Point masses of the binomial law in float64, to about ten units in the last place of their logarithm's size.

Powers such as (1 - p)^(k - v) lose log10(k) digits, and logarithms of binomial coefficients cancel.  Loader's form has
neither: with n! = n^n e^-n e^(R(n)) and u = v - k p,

    ln P[Bin(k, p) = v] = R(k) - R(v) - R(k - v) - (v ln(v/(kp)) - u) - ((k - v) ln(1 - u/(k(1-p))) + u),

where both brackets are at least 0 and a rounding of k p moves them by u times its relative size only.
"""

import math
from typing import Any

import numpy as np
from scipy.special import xlog1py

from proofs_numeric.expression.vocabulary import *

_SMALL = 16
_TABLE = np.array([0.0, *(math.log(math.factorial(n) / n**n) + n for n in range(1, _SMALL))])
_TINY = np.finfo(np.float64).tiny


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
    """``P[Bin(k, p) = v]`` for 1 <= v <= k and 0 < p <= 1, not_p = 1 - p given beside p; arrays broadcast."""
    mean, rest = k * p, np.maximum(k * not_p, _TINY)
    excess = v - mean
    hit = v * np.log(v / mean) - excess
    missed = xlog1py(k - v, np.maximum(-excess / rest, -1 + 1e-16)) + excess
    return np.exp(factorial_rest(k) - factorial_rest(v) - factorial_rest(k - v) - hit - missed)
