"""Branches of an accountant's source that no call took, and the constants in its conditions."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from auditor.search.parameter_points import SearchBox

MOST_NAMED = 3
"""Maximum number of branches named in one line."""
MOST_CONSTANTS = 8
"""Maximum number of constants per parameter taken from the source, each with two neighbours."""
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
    found = []
    for place, site in enumerate(sites):
        seen = {way for each, way in ways if each == place}
        if len(seen) == 1:
            missing = not seen.pop()
            arm = site["arms"][0 if missing else 1]
            lines = f": lines {arm[0]} to {arm[1]} did not run" if arm else ""
            text = f"line {site['line']}, `{site['text']}`, was never {str(missing).lower()}{lines}"
            refuses = site["refuses"][0 if missing else 1]
            found.append(Untaken(text, site["decides"] and not refuses and _can_be(site, missing, box)))
    return found


def some(branches: Sequence[Untaken]) -> str:
    """Return a line that names the first branches and the number of others; empty without a branch."""
    more = f"; and {len(branches) - MOST_NAMED} more" if len(branches) > MOST_NAMED else ""
    named = "; ".join(one.text for one in branches[:MOST_NAMED])
    return f"no call took a branch of {named}{more}" if branches else ""


def _can_be(site: Mapping[str, Any], way: bool, box: SearchBox) -> bool:
    """Return whether a condition can take a truth value in the box; True unless it is a single comparison."""
    if not site["lone"] or len(site["comparisons"]) != 1:
        return True
    name, order, value = site["comparisons"][0]
    axis = next((axis for axis in box.axes if axis.parameter.name == name), None)
    if axis is None or axis.parameter.choices:
        return name not in box.held
    ends = sorted(float(end) for end in axis.corners if not isinstance(end, str))
    return not ends or REACHES[order if way else OPPOSITE[order]](ends[0], ends[-1], value)


def constants(sites: Sequence[Mapping[str, Any]], box: SearchBox) -> dict[str, list[float]]:
    """Return the constants that conditions compare a parameter with, and their neighbours, by parameter."""
    found: dict[str, dict[float, None]] = {}
    whole = {axis.parameter.name: axis.parameter.integer for axis in box.axes}
    for name, _, value in (one for site in sites for one in site["comparisons"] if one[0] in whole):
        near = (
            (value - 1, value + 1)
            if whole[name]
            else (math.nextafter(value, -math.inf), math.nextafter(value, math.inf))
        )
        found.setdefault(name, {}).update(dict.fromkeys((value, *near)))
    return {name: list(values)[: 3 * MOST_CONSTANTS] for name, values in found.items()}
