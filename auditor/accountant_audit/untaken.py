"""Branches of an accountant's source that no call took, and the points to call first: used values and its numbers."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from auditor.search.parameter_points import Point, SearchBox
from auditor.target.target import Target

MOST_NAMED = 3
"""Maximum number of branches named in one line."""
MOST_CONSTANTS = 8
"""Maximum number of constants per parameter taken from its comparisons, each with two neighbours."""
MOST_NUMBERS = 12
"""Maximum number of other numbers per parameter taken from conditions and tables of the source."""
REACHES: Mapping[str, Callable[[float, float, float], bool]] = {
    "<": lambda low, _high, value: low < value,
    "<=": lambda low, _high, value: low <= value,
    ">": lambda _low, high, value: high > value,
    ">=": lambda _low, high, value: high >= value,
    "==": lambda low, high, value: low <= value <= high,
    "!=": lambda low, high, value: not low == value == high,
}
"""By order: whether it can hold between a value and some number in [low, high]."""
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


@dataclass(frozen=True)
class Untaken:
    """One branch that no call took.

    Args:
        text: the line, the condition, and the lines that did not run.
        decides: whether the branch depends on parameters and points of the box may take it.
    """

    text: str
    decides: bool


def untaken(sites: Sequence[Mapping[str, Any]], ways: Collection[tuple[int, bool]], box: SearchBox) -> list[Untaken]:
    """Return the branches that no call took, of conditions that a call reached.

    Args:
        sites: conditions, see `call_branches`.
        ways: (index of a site, truth value) pairs that occurred.
        box: the searched box.
    """
    branches = []
    for place, site in enumerate(sites):
        ways_taken = {way for each, way in ways if each == place}
        if len(ways_taken) == 1:
            missing = not ways_taken.pop()
            arm = site["arms"][0 if missing else 1]
            lines = f": lines {arm[0]} to {arm[1]} did not run" if arm else ""
            where = f"line {site['line']}" + (f" of {site['file']}" if site["file"] else "")
            never = f", was never {str(missing).lower()}" if site["test"] else ""
            text = f"{where}, `{site['text']}`{never}{lines}"
            refuses = site["refuses"][0 if missing else 1]
            branches.append(Untaken(text, site["decides"] and not refuses and _can_be(site, missing, box)))
    return sorted(branches, key=lambda one: not one.decides)


def some(branches: Sequence[Untaken]) -> str:
    """Return a line that names the first branches and the number of others; empty without a branch."""
    more = f"; and {len(branches) - MOST_NAMED} more" if len(branches) > MOST_NAMED else ""
    text = "; ".join(one.text for one in branches[:MOST_NAMED])
    return f"no answered call took a branch of {text}{more}" if branches else ""


def _can_be(site: Mapping[str, Any], way: bool, box: SearchBox) -> bool:
    """Return whether a condition can take a truth value in the box; True unless it is a single comparison."""
    if not site["lone"] or len(site["comparisons"]) != 1:
        return True
    name, order, value = site["comparisons"][0]
    axis = next((axis for axis in box.axes if axis.parameter.name == name), None)
    if axis is None or axis.parameter.choices:
        return name not in box.constants
    ends = sorted(float(end) for end in axis.corners if not isinstance(end, str))
    return not ends or REACHES[order if way else OPPOSITE[order]](ends[0], ends[-1], value)


def constants(sites: Sequence[Mapping[str, Any]], numbers: Sequence[float], box: SearchBox) -> dict[str, list[float]]:
    """Return the numbers of a source at which answers may be special, by parameter.

    Args:
        sites: conditions, see `call_branches`. The numbers at which they compare a parameter, or an expression of it,
            come first, and the next numbers on both sides of these come last.
        numbers: other numbers of conditions and tables, offered to every parameter.
        box: the searched box.
    """
    result: dict[str, list[float]] = {}
    for axis in box.axes:
        name, whole = axis.parameter.name, axis.parameter.integer
        compared = [value for site in sites for each, _, value in site["comparisons"] if each == name]
        compared += [root for site in sites for each, root in site["solutions"] if each == name]
        compared = [value for value in dict.fromkeys(compared) if not whole or value == round(value)][:MOST_CONSTANTS]
        steps = [(value - 1, value + 1) if whole else _neighbours(value) for value in compared]
        inside = [number for number in numbers if number not in compared and math.isfinite(number)]
        others = [number for number in inside if axis.argument(Fraction(number)) is not None][:MOST_NUMBERS]
        values = dict.fromkeys([*compared, *others, *(near for pair in steps for near in pair)])
        if values and not axis.parameter.choices:
            result[name] = list(values)
    return result


def _neighbours(value: float) -> tuple[float, float]:
    return math.nextafter(value, -math.inf), math.nextafter(value, math.inf)


def aimed_points(sites: Sequence[Mapping[str, Any]], box: SearchBox) -> list[Point]:
    """Return, for each condition, points at which its comparisons of parameters with numbers hold.

    There is a point for every combination of solutions of its expressions.
    """
    points = []
    for site in sites:
        orders_of: dict[str, list[tuple[str, float]]] = {}
        for name, order, value in site["comparisons"]:
            orders_of.setdefault(name, []).append((order, value))
        chosen = {name: _number_that_holds(orders) for name, orders in orders_of.items()}
        solved: dict[str, list[float]] = {}
        for name, root in site["solutions"]:
            solved.setdefault(name, []).append(root)
        combinations = itertools.islice(itertools.product(*solved.values()), MOST_CONSTANTS)
        points += [box.point_with({**chosen, **dict(zip(solved, roots, strict=True))}) for roots in combinations]
    return list({repr(point): point for point in points if point is not None}.values())


def _number_that_holds(orders: Sequence[tuple[str, float]]) -> float:
    """Return a number that satisfies all orders, if one of their values or its neighbours does; else the first."""
    numbers = [number for _, value in orders for number in (value, *_neighbours(value), value - 1, value + 1)]
    fitting = (number for number in numbers if all(REACHES[order](number, number, value) for order, value in orders))
    return next(fitting, numbers[0])


def first_points(target: Target, box: SearchBox, size: int) -> list[Point]:
    """Return the points to call first: used values, then keys and numbers of the source, the most frequent pairs first.

    Args:
        target: a started target.
        box: the searched box.
        size: maximum number of points of used values, and of points with numbers of the source.
    """
    thresholds = constants(target.branches, target.numbers, box)
    keys = filter(None, map(box.point_with, target.lookups))
    of_source = [*aimed_points(target.branches, box), *keys, *(box.used_points(thresholds) if thresholds else [])]
    return list({repr(point): point for point in (*box.used_points()[:size], *of_source[:size])}.values())
