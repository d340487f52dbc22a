"""A notebook as data: an id, a title and cells."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Prose:
    """A Markdown cell."""

    text: str


@dataclass(frozen=True)
class Code:
    """A code cell; it must run in a fresh environment of the suite and finish in seconds."""

    source: str
    tags: tuple[str, ...] = ()
    """`parameters` marks the cell that a runner of notebooks replaces values in."""


Cell = Prose | Code


@dataclass(frozen=True)
class Notebook:
    """A story told by claims and findings."""

    id: str
    title: str
    cells: tuple[Cell, ...]
