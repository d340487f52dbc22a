"""Interval branch and bound: a formula is positive on a box, or has its maximum over integers there."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from proofs_numeric.arithmetic import Ball, Exact
from proofs_numeric.arithmetic.enclosure import Enclosure, NotEnclosedError, bounds
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.arithmetic.special import as_fraction
from proofs_numeric.statements.box import Box

Range = tuple[Exact, Exact]
DEEPEST = 256
"""Bisections of one branch of a certificate: below, a range is a point to every precision in use."""


@dataclass(frozen=True)
class BoxProof:
    """Result of a branch and bound for ``formula > 0``.

    ``decided`` True: every leaf of ``tree`` is enclosed above zero.  False: ``witness`` is a point where the formula
    is certified <= 0.  None: ``max_boxes`` or the depth ran out; ``widest`` is a sub-box left open.  ``tree`` is the
    bisection tree in pre-order: ``.`` a leaf, a letter the split parameter (a = first).
    """

    decided: bool | None
    boxes: int
    bits: int
    tree: str
    least: Fraction | None
    """Smallest lower end over the leaves."""
    witness: dict[str, Value] | None = None
    widest: dict[str, Range] | None = None


def ranges_of(box: Box) -> dict[str, Range]:
    """Exact closed ranges of a compact box."""
    ranges: dict[str, Range] = {}
    for parameter in box.parameters:
        if "infinity" in {parameter.upper, parameter.lower} or parameter.lower == "-infinity":
            raise ValueError(f"expected a compact box, got {parameter.allowed}")
        ranges[parameter.name] = (Fraction(parameter.lower), Fraction(parameter.upper))
    return ranges


def bisect(ranges: Mapping[str, Range], name: str) -> tuple[dict[str, Range], dict[str, Range]]:
    """Split one range at its exact midpoint."""
    lower, upper = ranges[name]
    middle = (Fraction(lower) + upper) / 2
    return {**ranges, name: (lower, middle)}, {**ranges, name: (middle, upper)}


class _Part(NamedTuple):
    """A sub-box, the balls of its ranges, and the formula's over it."""

    ranges: Mapping[str, Range]
    balls: Mapping[str, Any]
    enclosure: Any


def positive_on_box(formula: Formula, box: Box, bits: int = 96, max_boxes: int = 200_000) -> BoxProof:
    """Decide ``formula > 0`` on a compact box by bisection; every leaf is a ball enclosure above zero.

    The range to split is the one whose bisection shrinks the enclosure most.
    """
    names, whole = box.names, ranges_of(box)
    widths = {name: Fraction(hi) - Fraction(lo) for name, (lo, hi) in whole.items()}
    wide = tuple(name for name, width in widths.items() if width)
    ball = Ball(bits)

    def part(ranges: Mapping[str, Range], balls: Mapping[str, Any]) -> _Part:
        return _Part(ranges, balls, ball.number(formula(ball, **balls)))

    def halves(of: _Part, name: str) -> list[_Part]:
        parts = bisect(of.ranges, name)
        return [part(ranges, {**of.balls, name: ball.interval(*ranges[name])}) for ranges in parts]

    def result(*, decided: bool | None, **counts: Any) -> BoxProof:
        return BoxProof(decided, boxes, bits, "".join(tree), None if least is None else as_fraction(least), **counts)

    boxes, tree, least = 0, [], None
    with ball:
        stack = [(0, part(whole, {name: ball.interval(*whole[name]) for name in names}))]
        while stack:
            depth, here = stack.pop()
            boxes += 1
            if here.enclosure > 0:
                tree.append(".")
                lower = here.enclosure.lower()
                least = lower if least is None or lower < least else least
                continue
            middle = {name: (Fraction(lo) + hi) / 2 for name, (lo, hi) in here.ranges.items()}
            if ball.number(formula(ball, **{name: ball.number(x) for name, x in middle.items()})) <= 0:
                return result(decided=False, witness=middle)
            if boxes >= max_boxes or depth == DEEPEST or not wide:
                return result(decided=None, widest=dict(here.ranges))
            choices = {name: halves(here, name) for name in wide}
            name = _split_choice(choices, widths)
            tree.append(chr(ord("a") + names.index(name)))
            stack.extend((depth + 1, half) for half in reversed(choices[name]))
    return result(decided=True)


def _split_choice(choices: Mapping[str, Sequence[_Part]], widths: Mapping[str, Fraction]) -> str:
    """Return the parameter whose bisection leaves the higher lower end; of equal ones that of the widest range."""

    def worst_lower(name: str) -> tuple[float, Fraction]:
        halves = [part.enclosure for part in choices[name]]
        lower, upper = choices[name][0].ranges[name]
        relative = (Fraction(upper) - lower) / widths[name]
        if not all(half.is_finite() for half in halves):
            return (float("-inf"), relative)
        return (min(float(half.lower()) for half in halves), relative)

    return next(iter(choices)) if len(choices) == 1 else max(choices, key=worst_lower)


def replay_tree(box: Box, tree: str) -> Iterator[dict[str, Range]]:
    """Yield the leaves of a bisection tree; they cover the box by construction.

    Raises:
        ValueError: a symbol that is no parameter, boxes left open or over, or a branch deeper than ``DEEPEST``.

    """
    names = {chr(ord("a") + place): name for place, name in enumerate(box.names)}
    stack = [(0, ranges_of(box))]
    for place, symbol in enumerate(tree):
        if not stack:
            raise ValueError(f"expected a bisection tree of {place} symbols, got {len(tree)}")
        depth, ranges = stack.pop()
        if symbol == ".":
            yield ranges
            continue
        if symbol not in names or depth == DEEPEST:
            allowed = f"at most {DEEPEST} bisections of one branch" if symbol in names else f"one of {''.join(names)}."
            raise ValueError(f"expected {allowed} at symbol {place} of the bisection tree, got {symbol!r}")
        first, second = bisect(ranges, names[symbol])
        stack.extend(((depth + 1, second), (depth + 1, first)))
    if stack:
        raise ValueError(f"expected a complete bisection tree, got {len(stack)} open boxes; the proof is truncated")


@dataclass(frozen=True)
class IntegerMaximum:
    """Certified maximum of a formula over an integer range."""

    argument: int
    enclosure: Enclosure
    boxes: int


def maximum_over_integers(
    formula: Callable[[Ball, Any], Any], lower: int, upper: int, bits: int = 128, max_boxes: int = 200_000
) -> IntegerMaximum:
    """Maximise ``formula(A, n)`` over integers ``lower <= n <= upper`` by best-first branch and bound.

    Ranges are enclosed as one ball; a range is dropped when its upper end is below the best certified value.  The
    enclosure holds for the maximum over the whole range; ties leave the first argument found.
    """
    ball = Ball(bits)
    with ball:
        best, best_n, top = None, lower, None
        heap: list[tuple[float, int, int, int]] = []
        boxes = 0

        def push(lo: int, hi: int) -> None:
            nonlocal best, best_n, boxes, top
            boxes += 1
            enclosure = ball.number(formula(ball, ball.interval(lo, hi) if lo < hi else ball.number(lo)))
            point = enclosure if lo == hi else ball.number(formula(ball, ball.number((lo + hi) // 2)))
            if best is None or point.lower() > best:
                best, best_n = point.lower(), (lo + hi) // 2
            if lo == hi:
                top = enclosure.upper() if top is None else top.max(enclosure.upper())
                return
            priority = -float(enclosure.upper()) if enclosure.is_finite() else float("-inf")
            if not (enclosure < best):
                heapq.heappush(heap, (priority, boxes, lo, hi))

        push(lower, upper)
        while heap:
            if boxes > max_boxes:
                raise NotEnclosedError(
                    f"expected the maximum over [{lower}, {upper}] within {max_boxes} boxes, got none; allow more boxes"
                )
            _priority, _order, lo, hi = heapq.heappop(heap)
            enclosure = ball.number(formula(ball, ball.interval(lo, hi)))
            if enclosure < best:
                continue
            middle = (lo + hi) // 2
            push(lo, middle)
            push(middle + 1, hi)
        # Dropped ranges lie below the best certified value, so the maximum lies between it and the top leaf.
        upper_end = best if top is None else top.max(best)
        # Both are single points: the zero point of a tiny one is rounded outward.
        lower_bounds, upper_bounds = bounds(best), bounds(upper_end)
        if lower_bounds is None or upper_bounds is None:
            raise NotEnclosedError(f"expected a finite maximum over [{lower}, {upper}], got none at {bits} bits")
        return IntegerMaximum(best_n, Enclosure(lower_bounds[0], upper_bounds[1], bits), boxes)
