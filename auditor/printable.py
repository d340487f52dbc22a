"""One printable form for text of others: names, paths, keys, messages.

It is given where such text enters: in errors, in the report's model, in the answers of a target's process. Whatever
prints it afterwards (terminal, pytest, Markdown, HTML, JUnit, JSON) prints letters.
"""

import json
import re

LONGEST = 200
"""Characters of one foreign name or message."""


def spelt(text: str, plain: str = "") -> str:
    r"""Spell control, formatting and unassigned characters as escapes such as `\x1b`, but for those in `plain`."""
    if text.isprintable():
        return text
    return "".join(x if x.isprintable() or x in plain else x.encode("unicode_escape").decode() for x in text)


def printable(text: str, longest: int = LONGEST) -> str:
    """Return one line of at most `longest` characters: spelt, the middle left out of what is longer."""
    while len(text) > longest or not text.isprintable():
        tail = longest // 3
        text = spelt(text if len(text) <= longest else f"{text[: longest - tail - 1]}…{text[-tail:]}")
    return text


_ESCAPES = re.compile(r"\\\\|(?:\\u[0-9a-f]{4})+")
"""Of JSON in ASCII: an escaped backslash, or characters by their codes."""


def with_letters(document: str) -> str:
    """Return JSON in ASCII with characters that print in place of their codes: `"⊥"`."""

    def letters(escapes: re.Match[str]) -> str:
        text: str = json.loads(f'"{escapes[0]}"')
        return text if text.isprintable() and text != "\\" else escapes[0]

    return _ESCAPES.sub(letters, document)


def json_text(document: str) -> str:
    """Return the same JSON document with what does not print, but for the ends of lines, in JSON's own escapes."""
    if document.isprintable():
        return document
    return "".join(x if x.isprintable() or x == "\n" else json.dumps(x)[1:-1] for x in document)
