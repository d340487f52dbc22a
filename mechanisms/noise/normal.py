"""The normal law N(0, scale^2)."""

import numpy as np
from numpy.typing import NDArray

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import normal_cdf, normal_pdf


def sample(rng: np.random.Generator, shape: tuple[int, ...], *, scale: float) -> NDArray[np.float64]:
    """Independent draws of N(0, scale^2) in doubles: fine-grained, so never to be released without rounding."""
    noise = rng.standard_normal(shape)
    noise *= scale
    return noise


def cdf(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """P[V <= x] for any real x; scale > 0."""
    return normal_cdf(A, x / scale)


def survival(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """P[V >= x] for any real x, accurate in the upper tail; scale > 0."""
    return normal_cdf(A, -x / scale)


def pdf(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """Density at x; scale > 0."""
    return normal_pdf(A, x / scale) / scale
