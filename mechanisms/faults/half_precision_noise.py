"""Floating point: the noise is drawn in half precision and added to the count in doubles, unrounded.

The sum is exact, so a released value y can come from a count c only if y - c is a half-precision number. Near zero
these are dense (2^-24 apart), near one they are sparse (2^-10): the low bits of y say how far it is from the count.
Wider formats leak the same way, further down.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms import gaussian_sparse_histogram as correct
from mechanisms.gaussian_sparse_histogram_pairs import FAR, adjacency, changed_rows, far_count, widened
from mechanisms.mechanism import Fault
from mechanisms.pair import Direction
from proofs_numeric.special import normal_cdf

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mechanisms.mechanism import Exact


class HalfPrecisionNoise(correct.GaussianSparseHistogram):
    """Releases C + v with v rounded to half precision and the sum in doubles."""

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noise = (self.sigma * rng.standard_normal((n, counts.size))).astype(np.float16)
        noisy = counts + noise.astype(np.float64)
        return np.where((counts >= self.least_count) & (noisy >= self.tau_star), noisy, np.nan)


def build(*, c_u: Exact, sigma: Exact, gap: Exact, mu_o: Exact = 0, tau: Exact = 1) -> HalfPrecisionNoise:
    """Algorithm 1 as naive floating-point code."""
    return HalfPrecisionNoise(**vars(correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)))


@functools.cache
def _cells(sign: int) -> tuple[tuple[tuple[float, float], tuple[float, float] | None], ...]:
    """Rounding cells of the half-precision numbers x in [-9, 9], each with the cell of x + sign if that is one too.

    A run of numbers without a partner is merged into one cell.
    """
    half = np.arange(2**16, dtype=np.uint16).view(np.float16).astype(np.float64)
    numbers = np.unique(half[np.isfinite(half) & (np.abs(half) < 11)])
    edges = (numbers[1:] + numbers[:-1]) / 2
    cell = {x: (a, b) for x, a, b in zip(numbers[1:-1].tolist(), edges.tolist(), edges[1:].tolist(), strict=False)}
    found: list[tuple[tuple[float, float], tuple[float, float] | None]] = []
    for x, (a, b) in cell.items():
        if abs(x) > 9:
            continue
        partner = cell.get(x + sign)
        if partner is None and found and found[-1][1] is None:
            found[-1] = ((found[-1][0][0], b), None)
        else:
            found.append(((a, b), partner))
    return tuple(found)


def profile(A: Any, epsilon: Any, direction: Direction, *, sigma: Exact) -> Any:
    """Sum over the reachable values of max(0, P - e^epsilon Q), enumerated; scalar epsilon.

    Left at noise x is right at noise x + 1. Noise beyond 9 users and rows held back are left out: less than 2 Phi(-8).
    """
    s, e = A.number(sigma), A.exp(A.number(epsilon))

    def mass(cell: tuple[float, float]) -> Any:
        low, high = (A.number(edge) / s for edge in cell)
        return normal_cdf(A, high) - normal_cdf(A, low) if cell[1] <= 0 else normal_cdf(A, -low) - normal_cdf(A, -high)

    total = A.sum(
        mass(cell) if partner is None else A.maximum(0, mass(cell) - e * mass(partner))
        for cell, partner in _cells(1 if direction is Direction.FORWARD else -1)
    )
    return widened(A, total, 2 * normal_cdf(A, -A.number(8) / s) + normal_cdf(A, A.number(-FAR)))


_PARAMETERS = {"c_u": 1, "sigma": 1, "gap": 5, "mu_o": 0, "tau": 1}

FAULT = Fault(
    id="half_precision_noise",
    title="naive floating point: low bits give the count away",
    mechanism="gaussian_sparse_histogram",
    violates="wilkins2024.thm5.4",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=changed_rows(
        "wc2",
        [far_count(tau_star=6, sigma=1)],
        "the changed row far above tau*",
        adjacency(_PARAMETERS),
        functools.partial(profile, sigma=1),
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="A value with bits below 2^-11 lies within 1/2 of the true count: fine values near N deny N - 1.",
)
