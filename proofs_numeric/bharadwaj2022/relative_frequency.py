"""Section 3.3: the relative frequency of an item, over the sample's size or over the total that is released."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic.finite_laws import Law, binomial, image, joint, stick

Shown = tuple[Fraction | None, ...]
Divisor = Callable[[tuple[int, int], Shown], Any]
"""Of the sampled counts, and of those from the threshold on."""
Case = tuple[tuple[int, int], int, Fraction, Fraction]
"""Counts of two items, the threshold, the sampling rate and e^epsilon; the neighbour has one record less of the second
item."""
_RATIOS = (Fraction(1), Fraction(3, 2), Fraction(4))


def samples(size: int) -> Iterator[Case]:
    """Counts up to the size, with thresholds up to 3."""
    rates = (Fraction(1, 3), Fraction(1, 2))
    for first, second, tau, rate, ratio in product(range(size + 1), range(1, size + 1), range(1, 4), rates, _RATIOS):
        yield (first, second), tau, rate, ratio


def of_counts(_sample: tuple[int, int], _kept: Shown) -> int:
    """Counts as they are."""
    return 1


def of_sample(sample: tuple[int, int], _kept: Shown) -> int:
    """The sample's size."""
    return sum(sample)


def of_released(_sample: tuple[int, int], kept: Shown) -> Fraction:
    """The total that is released."""
    return sum((value for value in kept if value is not None), Fraction(0))


def _sticks(case: Case, divisor: Divisor) -> tuple[Fraction, Fraction]:
    """The hockey sticks with the record against without, and without against with."""
    (first, second), tau, rate, ratio = case

    def shown(sample: tuple[int, int]) -> Shown:
        """The sampled counts from the threshold on, each over the divisor."""
        kept = tuple(Fraction(sampled) if sampled >= tau else None for sampled in sample)
        over = divisor(sample, kept)
        return tuple(None if value is None else value / over for value in kept)

    def law(count: int) -> Law:
        return image(joint((binomial(first, rate), binomial(count, rate))), shown)

    more, less = law(second), law(second - 1)
    return stick(more, less, ratio), stick(less, more, ratio)


def keep(divisor: Divisor) -> Callable[[Case], bool]:
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
