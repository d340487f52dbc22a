"""The discrete Laplace (two-sided geometric) law on the integers, P[V = x] proportional to exp(-|x| / scale).

`sample` is the exact sampler of Canonne, Kamath and Steinke 2020 (Algorithms 1 and 2): integers and fractions only.
`sample_many` takes the difference of two geometric draws in doubles: fast, and not to be released.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray


def sample(rng: np.random.Generator, *, scale: Fraction) -> int:
    """One exact draw (Algorithm 2).

    Args:
        rng: source of uniform bytes.
        scale: b > 0 (counts), exact.
    """
    whole, parts = scale.numerator, scale.denominator
    while True:
        fine = _uniform_below(rng, whole)
        if not bernoulli_exp(rng, Fraction(fine, whole)):
            continue
        coarse = 0
        while bernoulli_exp(rng, Fraction(1)):
            coarse += 1
        magnitude = (fine + whole * coarse) // parts
        negative = _bernoulli(rng, Fraction(1, 2))
        if magnitude or not negative:  # zero would be counted twice
            return -magnitude if negative else magnitude


def sample_many(rng: np.random.Generator, shape: tuple[int, ...], *, scale: float) -> NDArray[np.int64]:
    """Independent draws as int64, scale in counts."""
    stops = -np.expm1(-1 / scale)
    return np.asarray(rng.geometric(stops, shape) - rng.geometric(stops, shape), dtype=np.int64)


def _uniform_below(rng: np.random.Generator, bound: int) -> int:
    """Uniform integer in [0, bound), by rejection on whole bytes."""
    width = ((bound - 1).bit_length() + 7) // 8
    limit = (1 << (8 * width)) // bound * bound
    while True:
        draw = int.from_bytes(rng.bytes(width)) if width else 0
        if draw < limit:
            return draw % bound


def _bernoulli(rng: np.random.Generator, probability: Fraction) -> bool:
    return _uniform_below(rng, probability.denominator) < probability.numerator


def bernoulli_exp(rng: np.random.Generator, gamma: Fraction) -> bool:
    """Draw True with probability exp(-gamma), gamma >= 0 (Algorithm 1)."""
    while gamma > 1:
        if not bernoulli_exp(rng, Fraction(1)):
            return False
        gamma -= 1
    k = 1
    while _bernoulli(rng, gamma / k):
        k += 1
    return k % 2 == 1
