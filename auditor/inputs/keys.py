"""Keys that differ from a known key in case, blanks or Unicode form, long keys, numbers, and unusual keys."""

import unicodedata
from collections.abc import Iterator, Sequence

LONG = 300
"""Characters of a long key: more than a column of 255 characters holds."""
MOST_ALIKE = 64
"""Largest number of keys that get keys alike."""
FULL_WIDTH = 0xFEE0
"""Difference of the code points of a full-width character and of its ASCII character."""
KEYS_REMEDY = "--keys A,B,... gives the keys that data may have"
UNUSUAL = {"the empty key": "", **{f"the key {key!r}": key for key in ("Ü", "ß", "中", "😀")}}
"""Keys that a target may refuse, each with a description: the empty key, and a few outside ASCII."""


def alike(keys: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield groups of keys that a target may take for one key, each with a description.

    Each key has keys alike but for case, blanks and Unicode form. Long keys, numbers and unusual keys stand beside the
    first. Known keys alike but for all of these are a group of their own.
    """
    forms: dict[str, list[str]] = {}
    for key in keys:
        forms.setdefault(unicodedata.normalize("NFKC", key).strip().casefold(), []).append(key)
    yield from ((f"known keys like {group[0]!r}", tuple(group)) for group in forms.values() if len(group) > 1)
    for place, key in enumerate(keys[:MOST_ALIKE]):
        long = key.ljust(LONG, "x")
        groups = {
            f"a key like {key!r} but for case": (key, key.swapcase(), key.title(), key.upper(), key.lower()),
            f"a key like {key!r} but for blanks": (key, f"{key} ", f" {key}", f" {key} "),
            f"a key like {key!r} but for its Unicode form": (key, _other_form(key)),
        }
        groups = {name: tuple(dict.fromkeys(group)) for name, group in groups.items()}
        if place == 0:
            groups |= {
                f"keys of {LONG + 1} characters": (f"{long}a", f"{long}b"),
                "keys of the same number": ("1", "01"),
                **{name: (text, key) for name, text in UNUSUAL.items()},
            }
        yield from ((name, group) for name, group in groups.items() if len({*group}) > 1)


def _other_form(key: str) -> str:
    """Return a text with an equal compatibility form: decomposed, or with the first letter at full width."""
    decomposed = unicodedata.normalize("NFD", key)
    if decomposed != key:
        return decomposed
    place = next((i for i, character in enumerate(key) if "!" <= character <= "~"), None)
    return key if place is None else f"{key[:place]}{chr(ord(key[place]) + FULL_WIDTH)}{key[place + 1 :]}"
