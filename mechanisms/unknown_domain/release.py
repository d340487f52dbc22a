"""What the unknown-domain algorithms share: checked parameters, label order, streams read from histograms."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

from mechanisms.histogram import validate

if TYPE_CHECKING:
    from mechanisms.histogram import Histogram
    from proofs_numeric.arithmetic.formula import Value

LabelOrder = Callable[[str], object]
"""Sort key of labels that breaks ties between equal counts; fixed before the data are seen."""

BOTTOM = "⊥"
"""What Algorithms 2 to 4 print for padding and for the end of a list."""


def by_label(label: str) -> object:
    """Ties go to the label that sorts first."""
    return label


def number_of(name: str, value: Value) -> Fraction:
    """Refuse what is no finite number."""
    try:
        return Fraction(value)
    except (ArithmeticError, TypeError, ValueError):
        raise ValueError(f'expected a number {name} (3, "1e-8", "1/6"), got {name}={value!r}') from None


def check_delta(delta: Value) -> Fraction:
    """Refuse a failure probability outside (0, 1)."""
    value = number_of("delta", delta)
    if not 0 < value < 1:
        raise ValueError(f"expected 0 < delta < 1 (probability), got delta={delta}")
    return value


def check_count(name: str, value: Value, unit: str) -> int:
    """Refuse anything but an integer >= 1."""
    number = number_of(name, value)
    if number.denominator != 1 or number < 1:
        raise ValueError(f"expected an integer {name} >= 1 ({unit}), got {name}={value}")
    return int(number)


def check_scale(name: str, value: Value) -> float:
    """Refuse a noise scale that is no scale."""
    number = number_of(name, value)
    if number <= 0:
        raise ValueError(f"expected {name} > 0 (counts), got {name}={value}")
    return float(number)


def check_threshold(threshold: float, remedy: str) -> float:
    """Refuse a threshold that lets absent items through, and say which parameters would do."""
    if not 0 < threshold < float("inf"):
        raise ValueError(f"expected a threshold 0 < T < infinity (counts), got T={threshold:.6g}; {remedy}")
    return threshold


def check_ties(order: LabelOrder | None) -> LabelOrder:
    """Refuse a top-k without a declared order: data-dependent ties can show a whole label set."""
    if order is None:
        raise ValueError("expected an order of labels declared before the data, got ties=None; pass ties=by_label")
    return order


def rank_labels(histogram: Histogram, ties: LabelOrder) -> list[tuple[str, int]]:
    """Positive counts, largest first, ties by the declared order."""
    return sorted(((k, c) for k, c in histogram.items() if c > 0), key=lambda item: (-item[1], ties(item[0])))


def decode(histogram: Histogram, rounds: int) -> dict[int, dict[str, int]]:
    """The stream behind an encoded histogram: counts by round (1, 2, ...) and item.

    Raises:
        ValueError: no histogram, or a key is not `round/item` with a round from 1 to `rounds`.
    """
    validate(histogram)
    stream: dict[int, dict[str, int]] = {index: {} for index in range(1, rounds + 1)}
    for key, count in histogram.items():
        head, separator, item = key.partition("/")
        if not (separator and head.isdecimal() and 1 <= int(head) <= rounds and item):
            raise ValueError(f"expected keys round/item with 1 <= round <= {rounds}, got {key!r}")
        if count:
            stream[int(head)][item] = count
    return stream
