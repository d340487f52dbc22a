"""Accountants of several releases of the Gaussian sparse histogram, float64: fixed in advance, and adaptive.

Fixed in advance, a_t rows of release t at the threshold and the rest far above it, the exact delta is the largest of
`1 - e^-Lam + e^-Lam f(mu, epsilon + Lam)` with `Lam = sum a_t L_t` and `mu^2 = sum (C_t - a_t) k_t^2`
(`proofs_numeric`, claim wilkins2024.composition.fixed). It grows with Lam and with mu, so rows go to the threshold in
the order of `L_t / k_t^2`: no other choice has more of both than a point of that path with one fractional row. The
largest value on whole rows of the path and on all of it are the lower and the upper bound.

Adaptively, the next data may depend on what was released: `adaptive_delta` is safe for every adversary
(wilkins2024.composition.adaptive), the maximum of two deltas is not; `adaptive_bounds` tells how far off either is.
"""

import functools
import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.mechanism import check_doubles
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf
from proofs_numeric.wilkins2024.composition.stopping import Release as AdaptiveRelease
from proofs_numeric.wilkins2024.composition.stopping import adaptive_value

_SLACK = 1e-8
"""Parts of the path that could raise the maximum by less than this fraction are dropped; the upper bound has it."""
_ROUNDING = 1e-12
"""Above the relative rounding of a sum of ten thousand losses."""


@dataclass(frozen=True)
class Release:
    """One release; parameters as for `mechanisms.gaussian_sparse_histogram.accountant.delta`."""

    c_u: int
    sigma: float
    gap: float
    mu_o: float = 0.0

    def __post_init__(self) -> None:
        """Refuse parameters outside the theorem's domain."""
        exact.check(c_u=self.c_u, sigma=self.sigma, gap=self.gap, mu_o=self.mu_o)

    @functools.cached_property
    def loss(self) -> float:
        """L, of one row at the threshold (nats)."""
        return -float(log_normal_cdf(Float64(), np.float64(self.gap / self.sigma)))

    @functools.cached_property
    def square(self) -> float:
        """k^2, of one row far above it."""
        distance = exact.mu(1, self.sigma, self.mu_o)
        return distance * distance  # a power that is no double raises


@dataclass(frozen=True)
class Bounds:
    """What a delta lies between."""

    lower: float
    upper: float


def fixed_bounds(epsilon: float, releases: Sequence[Release]) -> Bounds:
    """Bounds on the least delta at epsilon of releases whose data is fixed in advance.

    The lower one is attained. They differ by less than one row and a relative 1e-8.

    Raises:
        ValueError: a negative epsilon, or no release.
    """
    _check(epsilon, releases)
    return path_bounds(epsilon, counted(releases))


def counted(releases: Iterable[Release]) -> Counter[tuple[float, float]]:
    """How many rows of each loss and square the releases have."""
    rows: Counter[tuple[float, float]] = Counter()
    for release in releases:
        rows[release.loss, release.square] += int(release.c_u)
    return rows


def path_bounds(epsilon: float, parts: Mapping[tuple[float, float], int], *, raises_level: bool = True) -> Bounds:
    """Bounds on the largest delta of parts that each lose a loss (nats) or keep a squared distance, or divided.

    Args:
        epsilon: the level, >= 0 (nats).
        parts: loss and square -> how many; whole parts are what the lower bound attains.
        raises_level: whether silence has the level raised by the loss, as the silence of rows does.

    """
    ordered = sorted(parts.items(), key=lambda item: _ratio(*item[0]), reverse=True)
    counts = np.array([number for _part, number in ordered], dtype=float)
    losses, squares = (counts * [part[i] for part, _number in ordered] for i in (0, 1))
    ends = np.concatenate([[0.0], np.cumsum(counts)])
    total_losses = np.concatenate([[0.0], np.cumsum(losses)])
    rest = np.concatenate([np.cumsum(squares[::-1])[::-1], [0.0]])

    def value(loss: NDArray[np.float64], square: NDArray[np.float64]) -> NDArray[np.float64]:
        mu = np.sqrt(np.maximum(square, 0))
        level = epsilon + loss if raises_level else epsilon + 0 * loss
        profile = np.where(mu > 0, gaussian_profile(Float64(), level, np.where(mu > 0, mu, 1.0)), 0.0)
        return np.asarray(-np.expm1(-loss) + np.exp(-loss) * profile)

    def at(rows: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        return np.interp(rows, ends, total_losses), np.interp(rows, ends, rest)

    # Along a part of the path Lam grows and mu falls: Lam of its end with mu of its beginning is no less.
    lower = float(np.max(value(total_losses, rest)))
    upper, low, high = lower, ends[:-1], ends[1:]
    while low.size:
        middle = (low + high) / 2
        lower = max(lower, float(np.max(value(*at(np.floor(middle))))))
        upper = max(upper, float(np.max(value(*at(middle)))))
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        keep = value(at(high)[0], at(low)[1]) > upper * (1 + _SLACK)
        low, high = low[keep], high[keep]
    return Bounds(lower * (1 - _ROUNDING), min(1.0, upper * (1 + _SLACK)))


def _ratio(loss: float, square: float) -> float:
    """Loss for a square: first come parts that have no square to keep."""
    return loss / square if square else math.inf


def composed_delta(epsilon: float, releases: Sequence[Release]) -> float:
    """Upper bound on the delta at epsilon of releases whose data is fixed in advance: the upper of `fixed_bounds`.

    Raises:
        ValueError: a negative epsilon, or no release.
    """
    return fixed_bounds(epsilon, releases).upper


def adaptive_delta(epsilon: float, releases: Sequence[Release]) -> float:
    """Upper bound on the delta at epsilon where the data of a release may depend on the releases before it.

    `1 - P + P f(mu, epsilon)` with `-log P = sum C_t L_t` and `mu^2 = sum C_t k_t^2`: below the sum of the two deltas,
    and at most twice their maximum.

    Raises:
        ValueError: a negative epsilon, or no release.
    """
    _check(epsilon, releases)
    # Up, so that a loss below the least double is not forgotten.
    loss = math.fsum(release.c_u * math.nextafter(release.loss, math.inf) for release in releases)
    mu = math.sqrt(math.fsum(release.c_u * release.square for release in releases))
    return min(1.0, (-math.expm1(-loss) + math.exp(-loss) * gaussian.profile(epsilon, mu)) * (1 + _ROUNDING))


def adaptive_bounds(epsilon: float, releases: Sequence[Release], *, any_order: bool = False) -> Bounds:
    """Certified bounds on the delta of releases of which an adversary sees each before it chooses the next neighbours.

    They may differ either way round, and another way each time. The upper bound is not above `adaptive_delta`. To a
    hundred releases, and where `loss / square` does not fall from one to the next, the bounds are about a per cent
    apart, otherwise two; where delta is above 1e-3, up to ten. Ten thousand releases, all different, take a few
    seconds, of one kind less than one; slowest are a hundred, all different, of hundreds of rows: some seven
    (wilkins2024.composition.adaptive.stopping, .kinds and .any_order).

    Args:
        epsilon: 0 <= epsilon (nats).
        releases: in their order, which matters where their thresholds differ.
        any_order: whether the adversary chooses their order, too: holds for every order.

    Raises:
        ValueError: a negative epsilon, or no release.
    """
    _check(epsilon, releases)
    with Ball(128) as ball:
        runs: list[tuple[int, AdaptiveRelease]] = []
        for one, run in itertools.groupby(releases):
            sigma, gap, mu_o = (ball.number(Fraction(x)) for x in (one.sigma, one.gap, one.mu_o))
            runs.append((len(list(run)), (int(one.c_u), sigma, gap, mu_o)))
        delta = adaptive_value(ball, ball.number(Fraction(epsilon)), runs, any_order=any_order)
        ends = float(delta.lower()), float(delta.upper())
    return Bounds(max(0.0, math.nextafter(ends[0], 0)), min(1.0, math.nextafter(ends[1], 1)))


def three_kinds(
    *,
    rows_1: int,
    sigma_1: float,
    gap_1: float,
    rows_2: int,
    sigma_2: float,
    gap_2: float,
    rows_3: int = 0,
    sigma_3: float = 1.0,
    gap_3: float = 0.0,
) -> list[Release]:
    """Releases by the names of wilkins2024.composition.fixed; raises as `Release` does."""
    first, second = Release(rows_1, sigma_1, gap_1), Release(rows_2, sigma_2, gap_2)
    return [first, second, *([Release(rows_3, sigma_3, gap_3)] if rows_3 else [])]


def three_kinds_delta(epsilon: float, **kinds: Any) -> float:
    """`composed_delta` of `three_kinds`; raises as they do."""
    return composed_delta(epsilon, three_kinds(**kinds))


def repeated_adaptive_delta(
    epsilon: float, *, releases: int, c_u: int, sigma: float, gap: float, mu_o: float = 0.0
) -> float:
    """`adaptive_delta` of equal releases by the names of wilkins2024.composition.adaptive; raises as it does."""
    check_doubles(releases=releases)
    if not (releases >= 1 and releases % 1 == 0):
        raise ValueError(f"expected an integer releases >= 1, got releases={releases}")
    exact.check(c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    return adaptive_delta(epsilon, [Release(releases * c_u, sigma, gap, mu_o)])


def _check(epsilon: float, releases: Sequence[Release]) -> None:
    exact.check_epsilon(epsilon)
    if not releases:
        raise ValueError("expected at least one release, got none: nothing released has delta 0")
