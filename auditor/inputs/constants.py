"""Texts that the source of a target compares its input with: keys that the code knows."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from auditor.target.target import Step

MOST_TEXTS = 12
"""Largest number of texts."""
LONGEST_TEXT = 64
"""Characters of the longest text that may be a key."""
AFFIXES = {"startswith": "{}k0", "removeprefix": "{}k0", "endswith": "k0{}", "removesuffix": "k0{}"}
"""Methods that compare a part of a text, and the form of a longer text of that part."""
PATTERN_METHODS = ("match", "fullmatch", "search")
"""Functions of `re`, and methods of its patterns, that compare a text with a regular expression."""


def compared_texts(steps: Iterable[Step]) -> tuple[str, ...]:
    """Return the texts with which called functions compare something, in the order of the source.

    Comparisons are `==`, `!=`, `in`, `not in`, prefixes, suffixes, patterns of `match` and regular expressions. A name
    stands for its texts if the file assigns it once. For prefixes and suffixes a longer text follows; of a regular
    expression the text is the simplest that matches it.

    Args:
        steps: file, first line of the called function, line, next line.
    """
    texts = dict.fromkeys(text for tree, lines in _called(steps) for text in _texts_of(tree, lines))
    return tuple(text for text in texts if 0 < len(text) <= LONGEST_TEXT)[:MOST_TEXTS]


def counts_of_code(steps: Iterable[Step], largest: int) -> tuple[int, ...]:
    """Return the whole numbers from 2 to the largest in the files of called functions: compared ones, then others."""
    compared, others = set[int](), set[int]()
    for tree, _lines in _called(steps):
        others |= _whole_numbers(tree)
        compared |= {n for node in ast.walk(tree) if isinstance(node, ast.Compare) for n in _whole_numbers(node)}
    ordered = sorted(others, key=lambda number: (number not in compared, -number))
    return tuple(number for number in ordered if number <= largest)[:MOST_TEXTS]


def _whole_numbers(tree: ast.AST) -> set[int]:
    """Return the whole numbers above 1 in a part of a source."""
    constants = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant))
    return {value for value in constants if type(value) is int and value > 1}


def _called(steps: Iterable[Step]) -> Iterator[tuple[ast.Module, set[int]]]:
    """Yield the source of each file with a called function, and the lines at which called functions begin."""
    called: dict[str, set[int]] = {}
    for file, first, _line, _after in steps:
        called.setdefault(file, set()).add(first)
    for file, lines in sorted(called.items()):
        try:
            yield ast.parse(Path(file).read_bytes()), lines
        except (OSError, SyntaxError, ValueError):
            continue


def _texts_of(tree: ast.Module, lines: set[int]) -> Iterator[str]:
    """Yield the texts of the comparisons in the functions that begin at these lines."""
    assignments: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            assignments.setdefault(node.targets[0].id, []).append(node.value)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            starts = {function.lineno, *(decorator.lineno for decorator in function.decorator_list)}
            for node in ast.walk(function) if starts & lines else ():
                yield from _compared(node, assignments)


def _compared(node: ast.AST, assignments: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Yield the texts with which a node compares something."""
    match node:
        case ast.Compare(left=left, comparators=others):
            for side in (left, *others):
                yield from _constants(side, assignments)
        case ast.Call(func=ast.Attribute(attr=name), args=[part, *_]) if name in AFFIXES:
            for text in _constants(part, assignments):
                yield from (text, AFFIXES[name].format(text))
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=parts) if name in PATTERN_METHODS:
            compiled = assignments.get(owner.id, []) if isinstance(owner, ast.Name) else [owner]
            arguments = [value.args[0] for value in compiled if isinstance(value, ast.Call) and value.args]
            for pattern in (text for part in (*parts[:1], *arguments) for text in _constants(part, assignments)):
                yield from _matching(pattern)
        case ast.MatchValue(value=ast.Constant(value=str() as text)):
            yield text


def _matching(pattern: str) -> list[str]:
    """Return the simplest text that matches a regular expression; empty if none is found."""
    from hypothesis import settings
    from hypothesis.errors import HypothesisException
    from hypothesis.strategies import from_regex

    from auditor.search.reproducible import find

    quick, draws = settings(database=None, max_examples=200), Random(0)  # noqa: S311 - a search, no secret
    try:
        return [find(from_regex(pattern, fullmatch=True), lambda _text: True, settings=quick, random=draws)]
    except (re.error, HypothesisException):
        return []


def _constants(node: ast.expr, assignments: dict[str, list[ast.expr]]) -> Iterator[str]:
    """Yield the texts of a constant, of a collection of constants, or of a name for either."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
            for part in parts:
                yield from _constants(part, {})
        case ast.Dict(keys=keys):
            for key in keys:
                yield from () if key is None else _constants(key, {})
        case ast.Call(func=ast.Name(id="frozenset" | "set" | "tuple" | "list"), args=[inner]):
            yield from _constants(inner, assignments)
        case ast.Name(id=name) | ast.Attribute(attr=name) if len(assignments.get(name, ())) == 1:
            yield from _constants(assignments[name][0], {})
