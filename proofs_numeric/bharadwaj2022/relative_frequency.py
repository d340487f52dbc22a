"""Section 3.3: the relative frequency of an item, over the sample's size or over the total that is released."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

Shown = tuple[Fraction | None, ...]
Case = tuple[tuple[int, int], int, Fraction, Fraction]
"""Counts of two items, the threshold, the sampling rate and e^epsilon; the neighbour has one record less of the second
item."""
_RATIOS = (Fraction(1), Fraction(3, 2), Fraction(4))


def samples(size: int) -> Iterator[Case]:
    """Counts up to the size, with thresholds up to 3."""
    rates = (Fraction(1, 3), Fraction(1, 2))
    for first, second, tau, rate, ratio in product(range(size + 1), range(1, size + 1), range(1, 4), rates, _RATIOS):
        yield (first, second), tau, rate, ratio


def _law(
    counts: tuple[int, int], tau: int, rate: Fraction, divisor: Callable[[tuple[int, int], Shown], Any]
) -> Mapping[Shown, Fraction]:
    """The law of the sampled counts from the threshold on, each over a divisor."""
    law: dict[Shown, Fraction] = {}
    for sample in product(*(range(count + 1) for count in counts)):
        mass = Fraction(1)
        for count, sampled in zip(counts, sample, strict=True):
            mass *= comb(count, sampled) * rate**sampled * (1 - rate) ** (count - sampled)
        kept = tuple(Fraction(sampled) if sampled >= tau else None for sampled in sample)
        over = divisor((sample[0], sample[1]), kept)
        shown = tuple(None if value is None else value / over for value in kept)
        law[shown] = law.get(shown, Fraction(0)) + mass
    return law


def of_counts(_sample: tuple[int, int], _kept: Shown) -> int:
    """Counts as they are."""
    return 1


def of_sample(sample: tuple[int, int], _kept: Shown) -> int:
    """The sample's size."""
    return sum(sample)


def of_released(_sample: tuple[int, int], kept: Shown) -> Fraction:
    """The total that is released."""
    return sum((value for value in kept if value is not None), Fraction(0))


def _sticks(case: Case, divisor: Callable[[tuple[int, int], Shown], Any]) -> tuple[Fraction, Fraction]:
    """The hockey sticks with the record against without, and without against with."""
    (first, second), tau, rate, ratio = case
    more, less = (_law((first, count), tau, rate, divisor) for count in (second, second - 1))

    def stick(left: Mapping[Shown, Fraction], right: Mapping[Shown, Fraction]) -> Fraction:
        return sum((max(Fraction(0), mass - ratio * right.get(o, Fraction(0))) for o, mass in left.items()), Fraction())

    return stick(more, less), stick(less, more)


def keep(divisor: Callable[[tuple[int, int], Shown], Any]) -> Callable[[Case], bool]:
    """Whether counts over the divisor have no larger hockey sticks than the counts, in both orders."""

    def keeps(case: Case) -> bool:
        pairs = zip(_sticks(case, divisor), _sticks(case, of_counts), strict=True)
        return all(divided <= counts for divided, counts in pairs)

    return keeps


def seen_of(case: Case) -> dict[str, Any]:
    """The counts, and the deltas over the sample's size and without a divisor."""
    (first, second), tau, rate, ratio = case
    return {
        "counts": (first, second), "tau": tau, "rate": rate, "e^epsilon": ratio,
        "delta of the frequencies": max(_sticks(case, of_sample)), "delta of the counts": max(_sticks(case, of_counts)),
    }  # fmt: skip
