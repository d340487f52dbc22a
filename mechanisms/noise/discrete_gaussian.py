"""The discrete Gaussian on the integers, P[V = x] proportional to exp(-x^2 / (2 sigma^2)).

`sample` is the exact sampler of Canonne, Kamath and Steinke 2020 (Algorithms 1 to 3): integers and fractions only, so
the law is the stated one for every rational sigma^2 and there is no floating point to attack. `Table` inverts a
tabulated distribution function: fast, vectorised, and off by a stated total variation distance.
"""

import functools
import math
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real

import numpy as np
from numpy.typing import NDArray

from mechanisms.noise import discrete_laplace
from mechanisms.noise.discrete_laplace import bernoulli_exp
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import discrete_gaussian_normaliser, discrete_gaussian_tail_bound


def sample(rng: np.random.Generator, *, variance: Fraction | int) -> int:
    """One exact draw.

    Args:
        rng: source of uniform bytes.
        variance: sigma^2 > 0 as an exact fraction (the parameter, slightly above the variance for small sigma).
    """
    if isinstance(variance, bool) or not isinstance(variance, Rational) or variance <= 0:
        raise ValueError(f"expected an exact variance > 0 (counts^2), an integer or a Fraction, got {variance!r}")
    variance = Fraction(int(variance.numerator), int(variance.denominator))
    scale = math.isqrt(math.floor(variance)) + 1
    while True:
        candidate = discrete_laplace.sample(rng, scale=Fraction(scale))
        excess = abs(candidate) - variance / scale
        if bernoulli_exp(rng, excess * excess / (2 * variance)):
            return candidate


@dataclass(frozen=True)
class Table:
    """Vectorised sampler by inversion of the distribution function on |x| <= 10 sigma + 1.

    The mass cut off is below 2e-23 and doubles on [0, 1) step by 2^-53, so the law drawn from is within
    2^-50 (20 sigma + 5) in total variation of the stated one: below what sampling can see, above a delta of 1e-15.
    Where that matters, use `sample`.
    """

    sigma: float

    def __post_init__(self) -> None:
        """Refuse a scale that has no table of reasonable size."""
        if isinstance(self.sigma, bool) or not isinstance(self.sigma, Real) or not 0 < self.sigma <= 1e6:
            raise ValueError(f"expected 0 < sigma <= 1000000 (counts), got sigma={self.sigma!r}; use the exact sampler")

    def sample(self, rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Independent draws as int64."""
        cumulative, reach = _cumulative(self.sigma)
        return np.searchsorted(cumulative, rng.random(shape), side="right") - reach


@functools.lru_cache(maxsize=16)
def _cumulative(sigma: float) -> tuple[NDArray[np.float64], int]:
    reach = math.ceil(10 * sigma) + 1
    x = np.arange(-reach, reach + 1, dtype=np.float64)
    mass = np.exp(-0.5 * (x / sigma) ** 2)
    cumulative = np.cumsum(mass / math.fsum(mass))
    # The last step is not searched: a uniform draw above the rounded total must still land on the last integer.
    return cumulative[:-1], reach


def pmf(A: Arithmetic, x: int, *, sigma: Number) -> Number:
    """P[V = x] for an integer x; sigma > 0."""
    return A.exp(-A.number(x * x) / (2 * sigma * sigma)) / _normaliser(A, sigma)


def survival(A: Arithmetic, x: int, *, sigma: Number) -> Number:
    """P[V >= x] for an integer x, accurate in the upper tail; sigma > 0."""
    if x <= 0:
        return 1 - survival(A, 1 - x, sigma=sigma)
    last = x + _terms(A, sigma)
    body = A.sum(A.exp(-A.number(y * y) / (2 * sigma * sigma)) for y in range(x, last))
    return (body + discrete_gaussian_tail_bound(A, sigma, last)) / _normaliser(A, sigma)


def cdf(A: Arithmetic, x: int, *, sigma: Number) -> Number:
    """P[V <= x] for an integer x, accurate in the lower tail; sigma > 0."""
    return survival(A, -x, sigma=sigma)


def _terms(A: Arithmetic, sigma: Number) -> int:
    """Terms after which the rest is below the working precision."""
    return math.ceil(float(sigma) * math.sqrt(2 * math.log(2) * (A.bits + 16))) + 2


def _normaliser(A: Arithmetic, sigma: Number) -> Number:
    return discrete_gaussian_normaliser(A, sigma, _terms(A, sigma))
