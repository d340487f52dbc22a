"""Numbers read from the form of a release: truth values, lengths, positions of keys and labels, letters, digits.

A form is a JSON text with `#` for each number. Each part is a function of the form alone, so an event may use it. A
part that a form lacks is NaN.
"""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_LETTERS = 32
"""Letters of a text that become separate parts."""
MOST_ITEMS = 64
"""Items of a list that are read."""
LONGEST_LABEL = 40
"""Most characters of a label."""
MAX_CACHED_FORMS = 2**15
"""Forms whose parts are cached."""
MAX_CACHED_TABLES = 16
"""Tuples of forms whose tables of parts are cached."""
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|#')
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Part:
    """Name of one number in a form; a type of its own, distinct from released keys."""

    name: str

    def __str__(self) -> str:
        return self.name


@lru_cache(MAX_CACHED_FORMS)
def parts_of(form: str) -> Mapping[str, float]:
    """Return the number of each part of a form by the part's name; empty for an exception."""
    numbers: dict[str, float] = {}
    plain = _TOKEN.sub(lambda token: "0" if token.group() == "#" else token.group(), form)
    try:
        _walk(json.loads(plain, parse_constant=Constant, object_pairs_hook=tuple), "the output", numbers)
    except (ValueError, RecursionError):  # the text of an exception
        return {}
    return numbers


@lru_cache(MAX_CACHED_TABLES)
def part_table(forms: tuple[str, ...]) -> Mapping[str, tuple[NDArray[np.int64], NDArray[np.float64]]]:
    """Return, by the name of each part, the places of the forms that have it, and its number in each of them.

    One pass over the forms serves all parts.
    """
    entries: dict[str, tuple[list[int], list[float]]] = {}
    for place, form in enumerate(forms):
        for name, number in parts_of(form).items():
            places, numbers = entries.setdefault(name, ([], []))
            places.append(place)
            numbers.append(number)
    return {name: (np.array(places), np.array(numbers)) for name, (places, numbers) in entries.items()}


class Constant(str):
    """A number without digits in JSON: NaN, Infinity."""

    __slots__ = ()


def _walk(value: Any, path: str, numbers: dict[str, float]) -> None:
    """Add the parts of a value to `numbers`; an object is a tuple of its entries, since a key may occur twice."""

    def note(name: str, number: float) -> None:
        numbers.setdefault(sys.intern(name), float(number))

    match value:
        case bool():
            note(f"truth of {path}", float(value))
        case Constant() | None:
            note(f"{'null' if value is None else value} at {path}", 1.0)
        case str():
            _read(value, path, note)
        case list():
            note(f"length of {path}", len(value))
            for place, item in enumerate(value[:MOST_ITEMS]):
                if isinstance(item, str) and len(item) <= LONGEST_LABEL:
                    note(f"place of {json.dumps(item)} in {path}", place)
                _walk(item, f"{path}[{place}]", numbers)
        case tuple():
            note(f"length of {path}", len(value))
            for place, (key, item) in enumerate(value):
                note(f"place of {json.dumps(key)} in {path}", place)
                _walk(item, f"{path}.{key}", numbers)


def _read(text: str, path: str, note: Any) -> None:
    note(f"length of the text {path}", len(text))
    if len(text) <= LONGEST_LABEL:
        note(f"label {json.dumps(text)} at {path}", 1.0)
    for place, number in enumerate(_NUMBER.findall(text)[:4]):
        note(f"number {place + 1} in {path}", float(number))
    for place, letter in enumerate(text[:MOST_LETTERS]):
        note(f"code point of letter {place + 1} of {path}", ord(letter))
