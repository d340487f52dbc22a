"""The Gumbel law with distribution function exp(-exp(-x / scale)): the largest of many exponentials, centred."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from proofs_numeric.arithmetic import Arithmetic, Number


def sample(rng: np.random.Generator, shape: tuple[int, ...], *, scale: float) -> NDArray[np.float64]:
    """Independent draws, as minus the logarithm of exponentials; only comparisons of them may leave a mechanism."""
    noise = rng.standard_exponential(shape)
    np.log(noise, out=noise)
    noise *= -scale
    return noise


def cdf(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """P[G <= x] for any real x; scale > 0."""
    return A.exp(-A.exp(-A.number(x) / scale))


def survival(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """P[G >= x] for any real x, accurate in the upper tail; scale > 0."""
    return -A.expm1(-A.exp(-A.number(x) / scale))


def pdf(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """Density at x; scale > 0."""
    z = A.number(x) / scale
    return A.exp(-z - A.exp(-z)) / scale
