"""Exact law of Algorithm 2 of rogers2024 on neighbours."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import integrate, special
from scipy.interpolate import PchipInterpolator

from mechanisms.laws.events import own_outcomes
from mechanisms.pair import ExactLaw
from mechanisms.unknown_domain.profiles import gaussian_shift, unchanged, with_atom
from mechanisms.unknown_domain.release import BOTTOM, by_label, rank_labels
from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, Number
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.rogers2024.neighbours import far
from proofs_numeric.rogers2024.theorem_8.statement import mass_above_noisy_threshold
from proofs_numeric.rogers2024.thresholds import top_threshold
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram
    from mechanisms.mechanism import Parameters
    from proofs_numeric.arithmetic.formula import Value
    from proofs_numeric.statements.neighbours import Neighbours

REACH = 14
"""Noise beyond this many standard deviations is left out of an integral, and enclosed by balls (below 1e-43)."""


def threshold(A: Arithmetic, *, delta_0: Value, delta_inf: Value, sigma: Value, delta: Value) -> Number:
    """T of Theorem 8 (counts)."""
    epsilon = A.number(delta_inf) / A.number(sigma)
    return top_threshold(
        A, delta_0=A.number(delta_0), delta_inf=A.number(delta_inf), epsilon=epsilon, delta=A.number(delta)
    )


def lead_over_bar(A: Arithmetic, *, lead: int, sigma: Value, **calibration: Value) -> Number:
    """How far a count `lead` above the next count lies above the threshold (standard deviations of one noise)."""
    return (lead - threshold(A, sigma=sigma, **calibration)) / A.number(sigma)


def lower_than_bar(A: Arithmetic, *, lead: int, calibration: Parameters) -> Number:
    """How far the threshold lies above a count `lead` above the next count (standard deviations of one noise)."""
    return -lead_over_bar(A, lead=lead, **calibration)


@functools.lru_cache(maxsize=256)
def any_passes(A: Arithmetic, *, items: int, lead: int, **calibration: Value) -> Number:
    """Probability that some of `items` counts, each `lead` above the next count, beats the noisy threshold."""
    margin = -lead_over_bar(A, lead=lead, **calibration)
    if items == 1:
        return normal_cdf(A, -margin / A.sqrt(2))
    return mass_above_noisy_threshold(A, items=items, margin=margin)


# --- one entry whose count or threshold moves -------------------------------------------------------------------------


def bar(A: Arithmetic, *, next_count: int, **calibration: Value) -> Number:
    """Mean of the noisy threshold (counts)."""
    return next_count + threshold(A, **calibration)


def above_noisy_bar(
    A: Arithmetic, *, count: Value, sigma: Value, mean: Callable[[Arithmetic], Number]
) -> Callable[[Arithmetic, Number], Number]:
    """Density of a count that Algorithm 2 releases: its own noise at the value, the noisy threshold below it."""
    s, centre = A.number(sigma), mean(A)

    def density(B: Any, y: Number) -> Number:
        return normal_pdf(B, (y - count) / s) / s * normal_cdf(B, (y - centre) / s)

    return density


def _atoms(A: Arithmetic, *, left: Any, right: Any, counts: tuple[int, int], sigma: Value) -> tuple[Any, Any]:
    width = A.sqrt(2) * A.number(sigma)
    return normal_cdf(A, (left(A) - counts[0]) / width), normal_cdf(A, (right(A) - counts[1]) / width)


def _span(A: Arithmetic, *, centre: int, sigma: Value) -> tuple[Any, Any]:
    return A.number(centre) - REACH * A.number(sigma), A.number(centre) + REACH * A.number(sigma)


def one_entry(parameters: Parameters, left: tuple[int, int], right: tuple[int, int]) -> Any:
    """Profile of (top count, next count) against (top count, next count), the same single item on top."""
    sigma, calibration = parameters["sigma"], calibration_of(parameters)
    bars = [partial(bar, next_count=side[1], **calibration) for side in (left, right)]
    return partial(
        with_atom,
        left=partial(above_noisy_bar, count=left[0], sigma=sigma, mean=bars[0]),
        right=partial(above_noisy_bar, count=right[0], sigma=sigma, mean=bars[1]),
        atoms=partial(_atoms, left=bars[0], right=bars[1], counts=(left[0], right[0]), sigma=sigma),
        span=partial(_span, centre=left[0], sigma=sigma),
    )


# --- many entries under a threshold that moves ------------------------------------------------------------------------


def moved_bar(
    A: Arithmetic,
    epsilon: Number,
    direction: Direction,
    *,
    items: int,
    left: Callable[[Arithmetic], Number],
    right: Callable[[Arithmetic], Number],
) -> Number:
    """`items` equal counts under one noisy threshold that lies at left(A) or lower, at right(A) (B2).

    Positions are relative to the count, in standard deviations. Given the threshold's place x, the released values have
    the same law on both sides, so the likelihood ratio of an outcome depends on how many are released, s, and on the
    least of them, m, alone: it is the average of the ratio at x over x < m with weight Phi(x)^(items - s), and rises
    with m. The best event is a bound on m for each s (none for s = 0), its weight an integral over x. Bounds are
    located in doubles: what they miss of the supremum is the square of their error (below 1e-15).
    """
    growth, a, b = A.exp(A.number(epsilon)), left(A), right(A)
    forward = direction is Direction.FORWARD
    p, q = (a, b) if forward else (b, a)
    level = _double(A.number(epsilon)) * (1 if forward else -1)
    start, end = b - REACH, a + REACH
    # Adaptive quadrature in doubles loses its way where the two laws cancel: each gets an integral of its own.
    panels, bits = (1, A.bits // 2) if isinstance(A, Ball) else (PANELS, None)

    def mass(weight: Callable[[Arithmetic, Number], Number], at: Number, low: Number, high: Number) -> Number:
        def density(B: Any, x: Number) -> Any:
            return normal_pdf(B, x - at) * weight(B, x)

        width = (high - low) / panels
        starts = [low + i * width for i in range(panels)]
        return A.sum(integral(A, density, start, start + width, bits=bits, scale=SMALL) for start in starts)

    def area(weight: Callable[[Arithmetic, Number], Number], low: Number, high: Number) -> Number:
        return mass(weight, p, low, high) - growth * mass(weight, q, low, high)

    cuts = least_values(_double(a), _double(b), level, items, rising=forward)
    total = A.maximum(0, area(lambda B, x: normal_cdf(B, x) ** items, start, end))
    for count, place in enumerate(cuts, start=1):
        if place is None:
            continue
        hidden, cut = items - count, A.number(Fraction(place))
        beyond = normal_cdf(A, -cut) ** count

        def below(B: Any, x: Number, hidden: int = hidden) -> Number:
            return normal_cdf(B, x) ** hidden

        def above(B: Any, x: Number, hidden: int = hidden, count: int = count) -> Any:
            return normal_cdf(B, x) ** hidden * normal_cdf(B, -x) ** count

        if forward:
            gain = beyond * area(below, start, cut) + area(above, cut, end)
        else:
            gain = area(above, start, cut) - beyond * area(below, start, cut)
        total = total + math.comb(items, count) * A.maximum(0, gain)
    # Each of the 2^items sets of released items misses at most both tails of both laws.
    missed = 2**items * (1 + growth) * 2 * normal_cdf(A, A.number(-REACH))
    return A.maximum(0, total - missed)


PANELS = 6
SMALL = Fraction(1, 10**20)
"""Integrals below this need no relative precision."""
_NEGLIGIBLE = 1e-40


def least_values(left: float, right: float, level: float, items: int, *, rising: bool) -> tuple[float | None, ...]:
    """For s = 1..items, the least released value at which the log ratio left over right is `level`.

    Where the ratio stays on one side of the level: an end of the range if every value belongs to the event (above the
    bound where `rising`, below it else), None if none does.
    """
    x = np.linspace(right - REACH, left + REACH, 4001)
    cuts: list[float | None] = []
    for count in range(1, items + 1):
        weight = (items - count) * special.log_ndtr(x)
        sums = [
            integrate.cumulative_simpson(np.exp(weight - (x - place) ** 2 / 2), x=x, initial=0)[1:]
            for place in (left, right)
        ]
        is_possible = (sums[0] > _NEGLIGIBLE) & (sums[1] > _NEGLIGIBLE)
        ratio, places = np.log(sums[0][is_possible]) - np.log(sums[1][is_possible]), x[1:][is_possible]
        grows = np.concatenate([[True], np.diff(np.maximum.accumulate(ratio)) > 0])
        ratio, places = ratio[grows], places[grows]
        if ratio[0] < level < ratio[-1]:
            cuts.append(float(PchipInterpolator(ratio, places)(level)))
        elif (level <= ratio[0]) == rising:
            cuts.append(float(x[0] if rising else x[-1]))
        else:
            cuts.append(None)
    return tuple(cuts)


def _double(value: Number) -> float:
    return float(value.mid()) if hasattr(value, "mid") else float(value)


# --- any neighbours ---------------------------------------------------------------------------------------------------


def calibration_of(parameters: Parameters) -> dict[str, Any]:
    """What T depends on."""
    return {name: parameters[name] for name in ("delta_0", "delta_inf", "sigma", "delta")}


Side = tuple[dict[str, int], int]
"""The top of a histogram, bottoms of count 0 among it, and the next count."""


def side_of(histogram: Histogram, k_bar: int) -> Side:
    """What Algorithm 2 compares, ties by label."""
    order = rank_labels(histogram, by_label)
    top = dict(order[:k_bar])
    top |= {f"{BOTTOM}{index}": 0 for index in range(1, k_bar - len(top) + 1)}
    return top, order[k_bar][1] if len(order) > k_bar else 0


def law(neighbours: Neighbours, parameters: Parameters) -> ExactLaw:
    """Exact law of B1 to B7 and of what is like them.

    Counts of both tops more than 40 sigma above the thresholds are released with probability 1 - 1e-17 at least. Known
    is the law where nothing else is of both tops, and each side's own items have one count; where only the threshold
    moves, under items of one count; where one count and the threshold move; and where only counts far above it do.
    """
    calibration, k_bar = calibration_of(parameters), int(parameters["k_bar"])
    (left, next_left), (right, next_right) = (side_of(side, k_bar) for side in (neighbours.left, neighbours.right))
    sigma = parameters["sigma"]
    high = far(float(threshold(Float64(), **calibration)), float(Fraction(sigma))) + max(next_left, next_right)
    shared = {key: (left[key], right[key]) for key in left if key in right}
    near = {key: counts for key, counts in shared.items() if min(counts) < high}
    only = [{top[key] for key in top if key not in shared} for top in (left, right)]
    squared = sum((Fraction(a - b) / Fraction(sigma)) ** 2 for key, (a, b) in shared.items() if key not in near)
    if near and all(a == b for a, b in near.values()) and next_left == next_right and not only[0] | only[1]:
        near = {}
    if only[0] | only[1]:
        if near or squared or len(only[0]) > 1 or len(only[1]) > 1:
            return ExactLaw()
        items = len(left) - len(shared)
        ours, theirs = (
            partial(any_passes, items=items, lead=count - after, **calibration)
            for (count,), after in zip(only, (next_left, next_right), strict=True)
        )
        return ExactLaw(partial(own_outcomes, left=ours, right=theirs))
    if not near:
        return ExactLaw(partial(gaussian_shift, squared=squared) if squared else unchanged)
    if squared or next_left < next_right:
        return ExactLaw()
    if len(set(near.values())) == 1 and all(a == b for a, b in near.values()):
        ((count, _count),) = set(near.values())
        bars = [
            partial(lower_than_bar, lead=count - after, calibration=calibration) for after in (next_left, next_right)
        ]
        return ExactLaw(partial(moved_bar, items=len(near), left=bars[0], right=bars[1]))
    if len(near) == 1:
        ((count_left, count_right),) = near.values()
        return ExactLaw(one_entry(parameters, (count_left, next_left), (count_right, next_right)))
    return ExactLaw()
