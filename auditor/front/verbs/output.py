"""What the verbs share: one JSON document or lines on standard output, everything else on standard error."""

import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from auditor.errors import UsageError
from auditor.printable import json_text, spelt


def emit(document: Mapping[str, Any] | str) -> None:
    """Write the one JSON document of a verb; text is taken as JSON already."""
    text = document if isinstance(document, str) else json.dumps(document, indent=2, ensure_ascii=False)
    sys.stdout.write(json_text(text if text.endswith("\n") else text + "\n"))


COMMAND = "see it again: "
"""Before a command to copy."""
_COLOURS = {"refuted": "red", "error": "red", "cannot be audited": "red", "undecided": "yellow"}
"""Of what is wrong or open, as on a page; what is neither stays as the terminal has it."""
_VERDICT = re.compile(rf"^(?P<before> *)(?P<word>{'|'.join(_COLOURS)})(?=: )")


def say(*lines: str) -> None:
    """Write lines for people to standard output; control characters of others are shown, not obeyed.

    On a terminal lines are broken between words, but for commands to copy, and a verdict that begins a line has its
    colour, unless NO_COLOR is set.
    """
    watched = sys.stdout.isatty()
    for line in lines:
        text = _fitted(spelt(line)) if watched else spelt(line)
        if watched and not os.environ.get("NO_COLOR"):
            text = _VERDICT.sub(_painted, text, count=1)
        sys.stdout.write(text + "\n")


def _fitted(text: str) -> str:
    width = shutil.get_terminal_size().columns
    if len(text) <= width or COMMAND in text:
        return text
    hanging = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.fill(text, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _painted(found: re.Match[str]) -> str:
    return found["before"] + click.style(found["word"], fg=_COLOURS[found["word"]], bold=True)


def leaf(*lines: str) -> None:
    """Write lines for people to leaf through: in the pager that PAGER names, where a terminal has fewer rows."""
    if sys.stdout.isatty() and len(lines) >= shutil.get_terminal_size().lines:
        os.environ.setdefault("LESS", "-FRSX")  # long lines are cut, not broken; arrows move to their ends
        click.echo_via_pager("".join(spelt(line) + "\n" for line in lines))
    else:
        say(*lines)


def log(line: str) -> None:
    """Write one line of progress to standard error."""
    sys.stderr.write(spelt(line) + "\n")
    sys.stderr.flush()


def columns(rows: Iterable[Sequence[str]], headings: Sequence[str]) -> list[str]:
    """Lay rows out under headings, two spaces apart; the last column is not padded."""
    table = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(row[index]) for row in table) for index in range(len(headings) - 1)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in table
    ]


def assignments(words: Sequence[str], what: str = "name=value") -> dict[str, str]:
    """Parse `name=value` words.

    Raises:
        UsageError: a word without `=`, or a name given twice.
    """
    values: dict[str, str] = {}
    for word in words:
        name, separator, value = word.partition("=")
        if not separator or not name or not value:
            raise UsageError(f"expected {what}, got '{word}'")
        if name in values:
            raise UsageError(f"expected each parameter once, got {name}={values[name]} and {name}={value}")
        values[name] = value
    return values


def box_ends(words: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Parse `name=lo:hi` words; a single value fixes the parameter.

    Raises:
        UsageError: a malformed word, or a name given twice.
    """
    ends = {}
    for name, text in assignments(words, "name=lo:hi").items():
        lower, separator, upper = text.partition(":")
        if not lower or (separator and not upper):
            raise UsageError(f"expected name=lo:hi, got '{name}={text}'")
        ends[name] = (lower, upper if separator else lower)
    return ends
