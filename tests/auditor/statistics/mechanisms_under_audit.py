"""Small mechanisms with known laws, on a grid of 2^-20 so that doubles give nothing away."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

GRID = 2.0**20
Noise = Callable[[np.random.Generator, tuple[int, int]], NDArray[np.float64]]


@dataclass(frozen=True)
class Neighbours:
    """A pair of histograms with a name."""

    id: str
    left: Mapping[str, int]
    right: Mapping[str, int]


ONE_KEY = Neighbours("one key", {"k0": 1}, {"k0": 0})


@dataclass(frozen=True)
class AdditiveNoise:
    """Counts plus noise, rounded to the grid; every key released."""

    noise: Noise
    grid: float = GRID

    def release_many(self, histogram: Mapping[str, int], n: int, rng: np.random.Generator):
        """N releases."""
        values = np.array(list(histogram.values()), dtype=float) + self.noise(rng, (n, len(histogram)))
        return tuple(histogram), np.rint(values * self.grid) / self.grid


def laplace(scale: float) -> AdditiveNoise:
    """Laplace noise."""
    return AdditiveNoise(lambda rng, shape: rng.laplace(0.0, scale, shape))


def gaussian(sigma: float) -> AdditiveNoise:
    """Gaussian noise."""
    return AdditiveNoise(lambda rng, shape: rng.normal(0.0, sigma, shape))


@dataclass(frozen=True)
class RandomisedResponse:
    """Releases the key `yes` with probability p on the left (count 1), 1 - p on the right."""

    p: float

    def release_many(self, histogram: Mapping[str, int], n: int, rng: np.random.Generator):
        """N releases."""
        truth = histogram["k0"] > 0
        says_yes = (rng.random(n) < self.p) == truth
        return ("yes",), np.where(says_yes, 1.0, np.nan)[:, None]
