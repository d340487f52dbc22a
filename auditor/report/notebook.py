"""Data types of a notebook: id, title and cells."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Prose:
    """A Markdown cell."""

    text: str


@dataclass(frozen=True)
class Code:
    """A code cell; it runs in a fresh environment of the suite and ends within seconds."""

    source: str
    tags: tuple[str, ...] = ()
    """The tag `parameters` marks the cell whose values a notebook runner replaces."""


Cell = Prose | Code


@dataclass(frozen=True)
class Notebook:
    """A notebook that presents claims and findings."""

    id: str
    title: str
    cells: tuple[Cell, ...]
