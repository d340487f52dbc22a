"""The Laplace law with density exp(-|x| / scale) / (2 scale); its standard deviation is sqrt(2) scale."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from proofs_numeric.arithmetic import Arithmetic, Number


def sample(rng: np.random.Generator, shape: tuple[int, ...], *, scale: float) -> NDArray[np.float64]:
    """Independent draws in doubles, as the difference of two exponentials: never to be released without rounding.

    The difference avoids the holes that log(U) leaves among the doubles near zero (Mironov 2012).
    """
    noise = rng.standard_exponential(shape)
    noise -= rng.standard_exponential(shape)
    noise *= scale
    return noise


def cdf(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """P[V <= x] for any real x, accurate in the lower tail; scale > 0."""
    # Either exponent is zero on its wrong side, so no branch on x is needed.
    return (A.exp(A.minimum(0, x) / scale) - A.expm1(-A.maximum(0, x) / scale)) / 2


def survival(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """P[V >= x] for any real x, accurate in the upper tail; scale > 0."""
    return cdf(A, -x, scale=scale)


def pdf(A: Arithmetic, x: Number, *, scale: Number) -> Number:
    """Density at x; scale > 0."""
    return A.exp(-A.maximum(x, -x) / scale) / (2 * scale)
