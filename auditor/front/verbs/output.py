"""Output of all verbs: one JSON document or lines on standard output, all other messages on standard error."""

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
    """Write the single JSON document of a verb; text must be JSON already."""
    text = document if isinstance(document, str) else json.dumps(document, indent=2, ensure_ascii=False)
    sys.stdout.write(json_text(text if text.endswith("\n") else text + "\n"))


COMMANDS = ("see it again: ", "to decide: ")
"""Prefixes of a command to copy."""
_COLOURS = {"refuted": "red", "error": "red", "cannot be audited": "red", "undecided": "yellow"}
"""Colours of negative and open verdicts, as on a page; other verdicts keep the terminal's colour."""
_VERDICT = re.compile(rf"^(?P<before> *)(?P<word>{'|'.join(_COLOURS)})(?=: )")


def say(*lines: str) -> None:
    """Write lines for people to standard output, with foreign control characters escaped.

    On a terminal, lines break between words, except commands to copy. A verdict at the start of a line is coloured,
    unless NO_COLOR is set.
    """
    is_terminal = sys.stdout.isatty()
    for line in lines:
        text = _fit_line(spelt(line)) if is_terminal else spelt(line)
        if is_terminal and not os.environ.get("NO_COLOR"):
            text = _VERDICT.sub(_paint, text, count=1)
        sys.stdout.write(text + "\n")


def _fit_line(text: str) -> str:
    width = shutil.get_terminal_size().columns
    if len(text) <= width or any(prefix in text for prefix in COMMANDS):
        return text
    hanging = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.fill(text, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _paint(match: re.Match[str]) -> str:
    return match["before"] + click.style(match["word"], fg=_COLOURS[match["word"]], bold=True)


def leaf(*lines: str) -> None:
    """Write lines for people, in the pager named by PAGER if they exceed the terminal's height."""
    if sys.stdout.isatty() and len(lines) >= shutil.get_terminal_size().lines:
        os.environ.setdefault("LESS", "-FRSX")  # long lines are cut, not broken; arrow keys scroll to their ends
        click.echo_via_pager("".join(spelt(line) + "\n" for line in lines))
    else:
        say(*lines)


def log(line: str) -> None:
    """Write one line of progress to standard error."""
    sys.stderr.write(spelt(line) + "\n")
    sys.stderr.flush()


def columns(rows: Iterable[Sequence[str]], headings: Sequence[str]) -> list[str]:
    """Format rows under headings, two spaces apart; the last column is not padded."""
    table = [list(headings), *(list(row) for row in rows)]
    widths = [max(len(row[index]) for row in table) for index in range(len(headings) - 1)]
    return [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in table
    ]


def assignments(words: Sequence[str], what: str = "name=value") -> dict[str, str]:
    """Parse `name=value` words.

    Raises:
        UsageError: a word without `=`, or a repeated name.
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
        UsageError: a malformed word, or a repeated name.
    """
    ends = {}
    for name, text in assignments(words, "name=lo:hi").items():
        lower, separator, upper = text.partition(":")
        if not lower or (separator and not upper):
            raise UsageError(f"expected name=lo:hi, got '{name}={text}'")
        ends[name] = (lower, upper if separator else lower)
    return ends
