"""Worst-case neighbours of Algorithm 2 of rogers2024, with their exact profiles.

B1, B1', B4, B5: items of one side's top only. B2: only the threshold moves. B3: high counts move. B6: ties. B7: the top
count and the threshold move together. Where a pair needs fewer places than k_bar, counts far above every threshold fill
the rest: they are released with probability 1 - 1e-17 at least, with the same law on both sides.
"""

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

from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import far, gaussian_shift, labels, own_outcomes, unchanged, users, with_atom
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.special import integral, normal_cdf, normal_pdf
from proofs_numeric.rogers2024.top_counts import mass_above_noisy_threshold, top_threshold
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters

NEXT = 5
"""The count just below the top, in pairs that need one."""
REACH = 14
"""Noise beyond this many standard deviations is left out of an integral, and enclosed by balls (below 1e-43)."""


def threshold(A: Any, *, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> Any:
    """T of Theorem 8 (counts)."""
    epsilon = A.number(delta_inf) / A.number(sigma)
    return top_threshold(A, delta_0=A.number(delta_0), delta_inf=A.number(delta_inf), epsilon=epsilon, delta=delta)


def lead_over_bar(A: Any, *, lead: int, sigma: Exact, **calibration: Exact) -> Any:
    """How far a count `lead` above the next count lies above the threshold (standard deviations of one noise)."""
    return (lead - threshold(A, sigma=sigma, **calibration)) / A.number(sigma)


def lower_than_bar(A: Any, *, lead: int, calibration: Parameters) -> Any:
    """How far the threshold lies above a count `lead` above the next count (standard deviations of one noise)."""
    return -lead_over_bar(A, lead=lead, **calibration)


@functools.lru_cache(maxsize=256)
def any_passes(A: Any, *, items: int, lead: int, **calibration: Exact) -> Any:
    """Probability that some of `items` counts, each `lead` above the next count, beats the noisy threshold."""
    margin = -lead_over_bar(A, lead=lead, **calibration)
    if items == 1:
        return normal_cdf(A, -margin / A.sqrt(2))
    return mass_above_noisy_threshold(A, items=items, margin=margin)


# --- one entry whose count or threshold moves -------------------------------------------------------------------------


def bar(A: Any, *, next_count: int, **calibration: Exact) -> Any:
    """Mean of the noisy threshold (counts)."""
    return next_count + threshold(A, **calibration)


def above_noisy_bar(A: Any, *, count: Exact, sigma: Exact, mean: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Density of a count that Algorithm 2 releases: its own noise at the value, the noisy threshold below it."""
    s, centre = A.number(sigma), mean(A)

    def density(B: Any, y: Any) -> Any:
        return normal_pdf(B, (y - count) / s) / s * normal_cdf(B, (y - centre) / s)

    return density


def _atoms(A: Any, *, left: Any, right: Any, counts: tuple[int, int], sigma: Exact) -> tuple[Any, Any]:
    width = A.sqrt(2) * A.number(sigma)
    return normal_cdf(A, (left(A) - counts[0]) / width), normal_cdf(A, (right(A) - counts[1]) / width)


def _span(A: Any, *, centre: int, sigma: Exact) -> tuple[Any, Any]:
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
    A: Any,
    epsilon: Any,
    direction: Direction,
    *,
    items: int,
    left: Callable[[Any], Any],
    right: Callable[[Any], Any],
) -> Any:
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

    def mass(weight: Callable[[Any, Any], Any], at: Any, low: Any, high: Any) -> Any:
        def density(B: Any, x: Any) -> Any:
            return normal_pdf(B, x - at) * weight(B, x)

        width = (high - low) / panels
        starts = [low + i * width for i in range(panels)]
        return A.sum(integral(A, density, start, start + width, bits=bits, scale=SMALL) for start in starts)

    def area(weight: Callable[[Any, Any], Any], low: Any, high: Any) -> Any:
        return mass(weight, p, low, high) - growth * mass(weight, q, low, high)

    cuts = least_values(_double(a), _double(b), level, items, rising=forward)
    total = A.maximum(0, area(lambda B, x: normal_cdf(B, x) ** items, start, end))
    for shown, place in enumerate(cuts, start=1):
        if place is None:
            continue
        hidden, cut = items - shown, A.number(Fraction(place))
        beyond = normal_cdf(A, -cut) ** shown

        def below(B: Any, x: Any, hidden: int = hidden) -> Any:
            return normal_cdf(B, x) ** hidden

        def above(B: Any, x: Any, hidden: int = hidden, shown: int = shown) -> Any:
            return normal_cdf(B, x) ** hidden * normal_cdf(B, -x) ** shown

        if forward:
            gain = beyond * area(below, start, cut) + area(above, cut, end)
        else:
            gain = area(above, start, cut) - beyond * area(below, start, cut)
        total = total + math.comb(items, shown) * A.maximum(0, gain)
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
    for shown in range(1, items + 1):
        weight = (items - shown) * special.log_ndtr(x)
        sums = [
            integrate.cumulative_simpson(np.exp(weight - (x - place) ** 2 / 2), x=x, initial=0)[1:]
            for place in (left, right)
        ]
        seen = (sums[0] > _NEGLIGIBLE) & (sums[1] > _NEGLIGIBLE)
        ratio, places = np.log(sums[0][seen]) - np.log(sums[1][seen]), x[1:][seen]
        grows = np.concatenate([[True], np.diff(np.maximum.accumulate(ratio)) > 0])
        ratio, places = ratio[grows], places[grows]
        if ratio[0] < level < ratio[-1]:
            cuts.append(float(PchipInterpolator(ratio, places)(level)))
        elif (level <= ratio[0]) == rising:
            cuts.append(float(x[0] if rising else x[-1]))
        else:
            cuts.append(None)
    return tuple(cuts)


def _double(value: Any) -> float:
    return float(value.mid()) if hasattr(value, "mid") else float(value)


# --- pairs ------------------------------------------------------------------------------------------------------------


def calibration_of(parameters: Parameters) -> dict[str, Exact]:
    """What T depends on."""
    return {name: parameters[name] for name in ("delta_0", "delta_inf", "sigma", "delta")}


def pairs(parameters: Parameters) -> tuple[Pair, ...]:
    """B1 to B7, as far as delta_0 (B7 needs two) and delta_inf (B5 needs two) allow."""
    adjacency, calibration = users(parameters), calibration_of(parameters)
    d0, step, k_bar = (int(parameters[name]) for name in ("delta_0", "delta_inf", "k_bar"))
    sigma = float(Fraction(parameters["sigma"]))
    T = float(threshold(Float64(), **calibration))
    near = NEXT + step + round(T)
    high, keys, many = far(T, sigma) + near, labels(k_bar), min(k_bar, d0)
    ratio = Fraction(step) / Fraction(parameters["sigma"])

    def filled(places: int, entries: dict[str, int]) -> dict[str, int]:
        """Entries on the last `places` places of the top."""
        return dict.fromkeys(labels(k_bar - places, "s"), high) | entries

    def own(items: int, left: int, right: int) -> Any:
        """Either side's own items, each `left` or `right` above the next count."""
        sides = [partial(any_passes, items=items, lead=lead, **calibration) for lead in (left, right)]
        return partial(own_outcomes, left=sides[0], right=sides[1])

    def pair(name: str, left: dict[str, int], right: dict[str, int], description: str, profile: Any) -> Pair:
        return Pair(name, left, right, description, adjacency, profile)

    tied = dict.fromkeys(labels(k_bar + 2, "t"), NEXT)
    bars = [partial(lower_than_bar, lead=near - NEXT - moved, calibration=calibration) for moved in (step, 0)]
    found = [
        pair("b1", filled(1, {"new": step}), filled(1, {}), "one new item on the last place", own(1, step, 0)),
        pair(
            "b2",
            dict.fromkeys(keys, near) | {"z": NEXT + step},
            dict.fromkeys(keys, near) | {"z": NEXT},
            "only the threshold moves, under k_bar items",
            partial(moved_bar, items=k_bar, left=bars[0], right=bars[1]),
        ),
        pair(
            "b3",
            filled(many, dict.fromkeys(labels(many, "m"), high + step)),
            filled(many, dict.fromkeys(labels(many, "m"), high)),
            "shared counts far above the threshold",
            partial(gaussian_shift, squared=many * ratio**2),
        ),
        pair(
            "b4",
            filled(1, {"z": NEXT + step, "b": NEXT}),
            filled(1, {"z": NEXT, "b": NEXT}),
            "the last item of the top loses its place to an equal one",
            own(1, step, 0),
        ),
        pair(
            "b6",
            tied,
            tied | {list(tied)[-1]: NEXT - 1},
            "an equal count outside the top and the next place falls: a fixed order of labels hides it",
            unchanged,
        ),
    ]
    if many > 1:
        new = dict.fromkeys(labels(many, "n"), step)
        found.append(pair("b1'", filled(many, new), filled(many, {}), "only new items", own(many, step, 0)))
    if step > 1:
        fallen = {"a": NEXT + 1 - step, "m": NEXT}
        found.append(
            pair(
                "b5",
                filled(1, {"a": NEXT + 1, "m": NEXT}),
                filled(1, fallen),
                "an item of the top falls below the next: two places and the threshold move",
                own(1, 1, step - 1),
            )
        )
    if d0 > 1:
        found.append(
            pair(
                "b7",
                filled(1, {"k": near + step, "z": NEXT + step}),
                filled(1, {"k": near, "z": NEXT}),
                "a count of the top and the threshold move together",
                one_entry(parameters, (near + step, NEXT + step), (near, NEXT)),
            )
        )
    return tuple(found)
