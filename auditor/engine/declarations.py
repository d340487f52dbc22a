"""Declarations of modules and their locations. Declarations are data: importing a module registers nothing.

A module has `CLAIMS`, `MECHANISM`/`MECHANISMS`, `FAULT`/`FAULTS`, `CONTROL`/`CONTROLS`, `CHECKS`, `ACCOUNTANTS`,
`CALIBRATOR`/`CALIBRATORS`, `SECTIONS`, `NOTEBOOKS` or `EXPERIMENTS`. A third party adds modules through entry points of
the group `auditor.plugins`.
"""

from __future__ import annotations

import ast
import functools
import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import Any

from auditor.printable import printable

PACKAGES = (
    "proofs_numeric",
    "mechanisms",
    "auditor.checks",
    "auditor.accountant_audit.libraries",
    "auditor.report.chapters",
    "auditor.front.notebooks",
    "auditor.experiments",
)
PLUGIN_GROUP = "auditor.plugins"
ROOT = Path(__file__).resolve().parents[2]
"""The folder that holds the packages."""
COLLECTIONS = {
    "CLAIMS": "claims",
    "MECHANISM": "mechanisms",
    "MECHANISMS": "mechanisms",
    "FAULT": "faults",
    "FAULTS": "faults",
    "CONTROL": "controls",
    "CONTROLS": "controls",
    "ACCOUNTANTS": "accountants",
    "CALIBRATOR": "calibrators",
    "CALIBRATORS": "calibrators",
    "CHECKS": "checks",
    "SECTIONS": "sections",
    "NOTEBOOKS": "notebooks",
    "EXPERIMENTS": "experiments",
}
"""Collections of the registry by the module attribute that declares their items."""


@dataclass(frozen=True)
class Declared:
    """One declaration: the item, its collection, and the module that has it."""

    collection: str
    item: Any
    module: ModuleType
    plugin: str = ""
    """Name of its entry point; empty for an item of the suite."""

    @property
    def id(self) -> str:
        """Id of the item; the collection's name if it has none."""
        name = getattr(self.item, "name" if self.collection == "checks" else "id", None)
        return name if isinstance(name, str) and name else self.collection

    @property
    def place(self) -> str:
        """`path:line` of the declaration."""
        return place(self.module, self.id)

    def defect(self, text: str, *, is_duplicate: bool = False) -> Defect:
        """Return the defect of an item that is skipped; `is_duplicate` if another item has, or may have, its id."""
        subject = f"{self.plugin or self.module.__name__}:{self.id}" if is_duplicate else self.id
        return Defect(printable("".join(subject.split())), self.collection, self.place, text)


@dataclass(frozen=True)
class Defect:
    """An invalid declaration: it is skipped, and all others are used."""

    subject: str
    """Id of the skipped item, after `plug-in:` if another item may have the id; or the plug-in."""
    collection: str
    """Collection of the item; `plug-ins` for a whole module."""
    place: str
    """`path:line`; the name in the entry point if its module has no file."""
    text: str
    """The error, the value, and the remedy, in one line."""

    def matches(self, glob: str) -> bool:
        """Return whether a glob selects the skipped item."""
        return any(fnmatchcase(name, glob) for name in (self.subject, self.subject.rpartition(":")[2]))

    def __str__(self) -> str:
        return f"{self.place}: {self.collection.removesuffix('s')} '{self.subject}' is left out: {self.text}"


def modules() -> Iterator[ModuleType]:
    """Yield every module of the packages that may have declarations."""
    for package_name in PACKAGES:
        package = importlib.import_module(package_name)
        yield package
        for info in pkgutil.walk_packages(package.__path__, package_name + "."):
            if not info.name.rsplit(".", 1)[-1].startswith("__"):
                yield importlib.import_module(info.name)


def declarations(module: ModuleType, plugin: str = "") -> Iterator[Declared]:
    """Yield every declaration of a module."""
    for name, collection in COLLECTIONS.items():
        if name in vars(module):
            value = vars(module)[name]
            for item in value if isinstance(value, tuple | list) else (value,):
                yield Declared(collection, item, module, plugin)


def plugin_modules() -> Iterator[tuple[str, ModuleType | Defect]]:
    """Yield (name, module) of every entry point, by name; a defect for a module that fails on import."""
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=PLUGIN_GROUP), key=lambda point: (point.name, point.value)):
        try:
            module = point.load()
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a foreign module may raise anything
            yield (
                point.name,
                Defect(point.name, "plug-ins", _blame_line(error, point.module), _import_text(point, error)),
            )
        else:
            yield point.name, module


def _import_text(point: Any, error: BaseException) -> str:
    words = " ".join(f"{type(error).__name__}: {error}".split())
    distribution = point.dist.name if point.dist is not None else point.name
    return f"expected a module that imports, got {words}; mend it, or pip uninstall {distribution}"


def _blame_line(error: BaseException, module: str) -> str:
    """Return `path:line` of the last frame outside the import system; the module's name if there is none."""
    frames, trace = [], error.__traceback__
    while trace is not None:
        frames.append((trace.tb_frame.f_code.co_filename, trace.tb_lineno))
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno or 1))
    places = [f"{path}:{line}" for path, line in frames if not path.startswith("<") and "importlib" not in path]
    return places[-1] if len(places) > 1 else module


def place(module: ModuleType, identifier: str) -> str:
    """Return `path:line` of the declaration of an id; the path is relative to the folder of the packages if inside.

    A composed id (`f"{paper}.{name}"`) is located by the longest text of the module that is a suffix of it, with
    preference for arguments that are names. Without such a text the line of the collection is returned.
    """
    file = getattr(module, "__file__", None)
    if file is None:
        return module.__name__
    path = Path(file).resolve()
    relative = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{relative}:{line_of(path.read_text(encoding='utf-8'), identifier)}"


def line_of(source: str, identifier: str) -> int:
    """Return the line of a module's source that declares an id; see `place`."""
    line, texts = _texts(source)
    best = (-1, 0)
    for number, text, is_id, tail in texts:
        if _ends(identifier, text):
            whole = text in (identifier, identifier.partition(".")[2])  # with its paper or without
            score = (3 if whole and is_id else 2 if tail else int(whole), len(text))
            line, best = (number, score) if score > best else (line, best)
    return line


@functools.lru_cache(maxsize=1)  # the declarations of one module are located consecutively
def _texts(source: str) -> tuple[int, list[tuple[int, str, bool, bool]]]:
    """Return the line of the first collection (1 if none), and each text: line, text, is a name, ends a name."""
    nodes = list(ast.walk(ast.parse(source)))
    first = next((node.lineno for node in nodes if isinstance(node, ast.Name) and node.id in COLLECTIONS), 1)
    names: set[ast.AST] = set()
    for node in nodes:
        if isinstance(node, ast.Call):
            names.update(node.args[:1], (word.value for word in node.keywords if word.arg in {"id", "name"}))
    tails = {text.values[-1] for text in names if isinstance(text, ast.JoinedStr)}
    return first, [
        (node.lineno, node.value, node in names, node in tails)
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def _ends(identifier: str, text: str) -> bool:
    """Return whether the text is the id, or a suffix of it at a dot or an underscore."""
    if not text or not identifier.endswith(text):
        return False
    return text == identifier or "." in (around := text[0] + identifier[-len(text) - 1]) or "_" in around
