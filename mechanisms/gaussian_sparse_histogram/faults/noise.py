"""Noise that is too small, of another law, or not fresh."""

import hashlib
import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri

from mechanisms.gaussian_sparse_histogram import mechanism as correct
from mechanisms.gaussian_sparse_histogram.law import reverse, widened
from mechanisms.gaussian_sparse_histogram.mechanism import MECHANISM
from mechanisms.histogram import Histogram, Released
from mechanisms.laws.events import DISJOINT, one_sided
from mechanisms.mechanism import BatchMechanism
from mechanisms.noise import laplace
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.arithmetic.special import log_normal_cdf, normal_cdf
from proofs_numeric.expression import sqrt
from proofs_numeric.rogers2024.laws import laplace_tail
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.wilkins2024.neighbours import FAR, changed_rows, far_count

_BOUND = 2


class WithNoise(correct.GaussianSparseHistogram):
    """Algorithm 1 with the noise of a subclass."""

    def _noise(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Noise, of a shape that adds to (n, len(counts))."""
        raise NotImplementedError

    def _noisy_counts(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        noisy = counts + self._noise(counts, n, rng)
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        return np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)


class Bounded(WithNoise):
    """Noise is cut at two standard deviations so that no value is far off: a normal conditioned on |v| <= 2 sigma."""

    def _noise(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        quantiles: NDArray[np.float64] = ndtri(rng.uniform(ndtr(-_BOUND), ndtr(_BOUND), (n, counts.size)))
        return self.sigma * quantiles


def bounded_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, sigma: Value) -> Number:
    """Two truncated normals one apart; the laws are mirror images, so both directions agree.

    With x = value - N, the best event is x >= max(-2 sigma, min(sigma^2 epsilon - 1/2, 2 sigma - 1)).
    """
    del direction
    epsilon, s = A.number(epsilon), A.number(sigma)
    cut = A.maximum(-_BOUND * s, A.minimum(s * s * epsilon - A.number(1) / 2, _BOUND * s - 1))
    above = normal_cdf(A, -cut / s) - normal_cdf(A, A.number(-_BOUND))
    shifted = normal_cdf(A, -(cut + 1) / s) - normal_cdf(A, A.number(-_BOUND))
    return (above - A.exp(epsilon) * shifted) / (1 - 2 * normal_cdf(A, A.number(-_BOUND)))


class OneSided(WithNoise):
    """Noise is made non-negative so that no count is understated: |v| in place of v."""

    def _noise(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return self.sigma * np.abs(rng.standard_normal((n, counts.size)))


def one_sided_profile(A: Arithmetic, epsilon: Number, direction: Direction, *, sigma: Value) -> Number:
    """Two half-normals one apart: below the larger count only the smaller one is possible."""
    epsilon, s = A.number(epsilon), A.number(sigma)
    e, half = A.exp(epsilon), A.number(1) / 2
    if direction is Direction.FORWARD:
        x = A.maximum(0, s * s * epsilon - half)
        value = 2 * (normal_cdf(A, -x / s) - e * normal_cdf(A, -(x + 1) / s))
    else:
        x = A.maximum(0, -s * s * epsilon - half)
        value = 1 - 2 * normal_cdf(A, -(x + 1) / s) - e * (1 - 2 * normal_cdf(A, -x / s))
    return widened(A, value, -normal_cdf(A, A.number(-FAR)))


class LaplaceNoise(WithNoise):
    """Laplace noise of scale sigma / sqrt(2), which has the same standard deviation."""

    def _noise(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return laplace.sample(rng, (n, counts.size), scale=self.sigma / math.sqrt(2))


class RelativeNoise(WithNoise):
    """Small counts get proportionally less noise: standard deviation sigma min(1, C / tau*)."""

    def _noise(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        return self.sigma * np.minimum(1.0, counts / self.tau_star) * rng.standard_normal((n, counts.size))


def relative_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, count: int, tau_star: Value, sigma: Value
) -> Any:
    """Censored normals of different scales, count <= tau* against count - 1 in left and right.

    The log-ratio is a convex quadratic in the released value whose vertex lies below tau*, so the best event is a
    half-line above its larger root, and perhaps the event of no release.
    """
    if direction is Direction.BACKWARD:
        forward = partial(relative_profile, direction=Direction.FORWARD, count=count, tau_star=tau_star, sigma=sigma)
        return reverse(A, epsilon, lambda value: forward(A, value))
    epsilon, t, m_p, m_q = A.number(epsilon), A.number(tau_star), A.number(count), A.number(count - 1)
    p, q, e = A.number(sigma) * m_p / t, A.number(sigma) * m_q / t, A.exp(epsilon)
    # log(P/Q) - epsilon = square y^2 - 2 slope y + constant
    square = (1 / (q * q) - 1 / (p * p)) / 2
    slope = (m_q / (q * q) - m_p / (p * p)) / 2
    constant = A.log(q / p) - (m_p / p) ** 2 / 2 + (m_q / q) ** 2 / 2 - epsilon
    root = (slope + A.sqrt(A.maximum(0, slope * slope - square * constant))) / square
    cut = A.maximum(t, root)
    far_part = A.maximum(0, normal_cdf(A, (t - m_p) / p) - e * normal_cdf(A, (t - m_q) / q))
    return far_part + normal_cdf(A, (m_p - cut) / p) - e * normal_cdf(A, (m_q - cut) / q)


@dataclass(frozen=True)
class GroupsBoundCu(BatchMechanism):
    """C_u is taken from the data: noise sigma sqrt(min(c_u, number of groups) / c_u).

    Nobody can touch more groups than there are, so the bound is true of the data at hand; the scale of the noise tells
    how many groups there are.
    """

    c_u: int
    tau: int
    tau_star: float
    sigma: float

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N independent releases at the scale that the number of nonempty groups gives."""
        groups = sum(count > 0 for count in histogram.values())
        scale = self.sigma * math.sqrt(min(self.c_u, max(1, groups)) / self.c_u)
        mechanism = correct.GaussianSparseHistogram(self.tau, self.tau_star, scale, grid=correct.grid_for(self.sigma))
        return mechanism.release_many(histogram, n, rng)


def build_groups_bound_c_u(*, c_u: Value, sigma: Value, gap: Value, mu_o: Value = 0, tau: Value = 1) -> GroupsBoundCu:
    """Algorithm 1 with C_u from the data; counts only."""
    mechanism = correct.build(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o, tau=tau)
    return GroupsBoundCu(int(c_u), mechanism.tau, mechanism.tau_star, mechanism.sigma)


def groups_profile(
    A: Arithmetic, epsilon: Number, direction: Direction, *, new_rows: int, wide: Value, narrow: Value, gap: Value
) -> Number:
    """An untouched row whose noise has scale `wide` in left and `narrow` in right, beside `new_rows` rows at tau.

    The ratio of two centred normals depends on |x|: the best events are its tails, or an interval around zero. With
    beta = Phi(gap / wide)^new_rows the new rows compose as in Lemma 5.2.
    """
    a, b = A.number(wide), A.number(narrow)
    log_beta = new_rows * log_normal_cdf(A, A.number(gap) / a)
    log_ratio, rate = A.log(a / b), 1 / (b * b) - 1 / (a * a)
    if direction is Direction.FORWARD:
        shifted = A.number(epsilon) - log_beta
        x = A.sqrt(A.maximum(0, 2 * (shifted + log_ratio) / rate))
        tails = 2 * (normal_cdf(A, -x / a) - A.exp(shifted) * normal_cdf(A, -x / b))
        return -A.expm1(log_beta) + A.exp(log_beta) * tails
    shifted = A.number(epsilon) + log_beta
    x = A.sqrt(A.maximum(0, 2 * (log_ratio - shifted) / rate))
    return 1 - 2 * normal_cdf(A, -x / b) - A.exp(shifted) * (1 - 2 * normal_cdf(A, -x / a))


class OneDraw(WithNoise):
    """Adds the same v to every count of a release."""

    def _noise(self, counts: NDArray[np.float64], n: int, rng: np.random.Generator) -> NDArray[np.float64]:
        del counts
        return self.sigma * rng.standard_normal((n, 1))


def told_apart_profile(A: Arithmetic, epsilon: Number, direction: Direction) -> Number:
    """Profile of laws that differ surely where every far row is released: 1, up to the chance that one is held back."""
    del epsilon, direction
    return widened(A, A.number(1), -normal_cdf(A, A.number(-FAR)))


class SeededByKey(correct.GaussianSparseHistogram):
    """The noise of a row is seeded by its key, for reproducible reports: it never changes."""

    def release_many(self, histogram: Histogram, n: int, rng: np.random.Generator) -> Released:
        """N equal releases: the generator is not used."""
        del rng
        keys, counts = self._columns(histogram)
        seeds = [int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) for key in keys]
        noisy = counts + self.sigma * np.array([np.random.default_rng(seed).standard_normal() for seed in seeds])
        released = (counts >= self.least_count) & (noisy >= self.tau_star)
        row = np.where(released, correct.round_to_grid(noisy, self.grid), np.nan)
        return keys, np.tile(row, (n, 1))


class CovarianceAsFactor(correct.GaussianSparseHistogram):
    """Draws m = Sigma z with z standard normal: covariance Sigma^2."""

    def _noisy_values(
        self, values: ArrayLike, released: NDArray[np.float64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        covariance = np.asarray(self.aggregates.covariance if self.aggregates else ())
        noise = rng.standard_normal((*released.shape, len(covariance))) @ covariance
        noisy = correct.round_to_grid(np.asarray(values) + noise, self.grid)
        noisy[np.isnan(released)] = np.nan
        return noisy


ONE_ROW = {"c_u": 1}

FAULTS = (
    MECHANISM.broken(
        id="half_noise", title="half the noise", parameters=ONE_ROW, pair="wc2", at={"sigma": 1},
        explanation="Rows far above tau* are at distance 2/sigma instead of 1/sigma; large released values show it.",
    ),
    MECHANISM.broken(
        id="bounded_noise", title="noise cut at two standard deviations", parameters=ONE_ROW, pair="wc2", epsilon=2,
        subclass=Bounded, profile=partial(bounded_profile, sigma=2),
        explanation="A value above N - 1 + 2 sigma denies the count N - 1, at any epsilon.",
    ),
    MECHANISM.broken(
        id="one_sided_noise", title="noise without its negative half", parameters=ONE_ROW, pair="wc2",
        direction=Direction.BACKWARD, subclass=OneSided, profile=partial(one_sided_profile, sigma=2),
        explanation="A value below N denies the count N.",
    ),
    MECHANISM.broken(
        id="laplace_noise", title="Laplace noise of the same standard deviation", caught_by="empirical.impossible_key",
        parameters={"c_u": 1, "gap": 5}, pair="wc1", subclass=LaplaceNoise,
        profile=partial(one_sided, mass=laplace_tail(5 / (2 / sqrt(2)))),
        explanation="The Laplace tail at the gap is heavier than the Gaussian one: new keys come out twice as often.",
    ),
    MECHANISM.broken(
        id="noise_scaled_by_count", title="noise scaled by the count", parameters=ONE_ROW,
        pair=changed_rows("wc5", [6], "one changed row with count tau* - 1 in left"), subclass=RelativeNoise,
        profile=partial(relative_profile, count=6, tau_star=7, sigma=2),
        explanation="Below tau* the noise is smaller than sigma, and its scale moves with the count.",
    ),
    MECHANISM.broken(
        id="data_dependent_c_u", title="C_u from the number of groups in the data",
        parameters={"c_u": 4, "sigma": 8, "gap": 30},
        pair=changed_rows(
            "wc6", [1, 1, 1], "three new groups beside an untouched one: four groups against one",
            untouched=[far_count(tau_star=31, sigma=8)],
        ),
        build=build_groups_bound_c_u, profile=partial(groups_profile, new_rows=3, wide=8, narrow=4, gap=30),
        explanation="The untouched row's noise is twice as wide when the user's groups are there; its tails show it.",
    ),
    MECHANISM.broken(
        id="noise_reused_across_rows", title="the same noise on every row", parameters=ONE_ROW, pair="wc6",
        subclass=OneDraw, profile=told_apart_profile,
        explanation="The difference of two released rows is the difference of their true counts.",
    ),
    MECHANISM.broken(
        id="noise_seeded_by_key", title="noise fixed by the key", parameters=ONE_ROW, pair="wc2", subclass=SeededByKey,
        profile=DISJOINT, explanation="Releases are deterministic, and differ between neighbours.",
    ),
    MECHANISM.broken(
        id="covariance_for_its_root", title="Sigma used for its square root", parameters={"c_u": 1, "mu_o": 2},
        pair="wc2", epsilon=4, at={"mu_o": 4}, subclass=CovarianceAsFactor,
        explanation="With Sigma below 1 the noise is smaller than promised: distance mu_o^2 instead of mu_o.",
    ),
)  # fmt: skip
