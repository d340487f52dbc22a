"""`--cache DIR`: findings of units kept between runs, and used again where nothing that they depend on has changed.

A unit depends on its seed, profile and level, on the versions of the suite and its packages, on the verdicts of the
claims that it rests on, on what it looked up in the catalogue while it ran (`Watched`), and on code: all of `auditor`
but what only shows, everything that is imported, at any depth, by the modules that declare its subject, its check and
what it looked up, and the data beside them. A change of one theorem's file changes that theorem's units, and those of
what names or imports it.

What other distributions declare, and what judges other libraries, is never kept: its code is not looked at.

A folder of findings has no key: who can write to it can write a verdict. `auditor verify` recomputes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from auditor.engine.backends import versions
from auditor.engine.declarations import COLLECTIONS, ROOT
from auditor.engine.index import MODULE, index
from auditor.errors import MissingPackageError
from auditor.extras import remedy
from auditor.findings.finding import Finding
from auditor.started import STARTED
from auditor.writing import writable_directory, write

if TYPE_CHECKING:
    from auditor.engine.plan import Settings, Unit
    from auditor.engine.registry import Registry
    from proofs_numeric.statements.verdict import Verdict

T = TypeVar("T")

SUITE = ("auditor", "mechanisms", "proofs_numeric")
ENGINE = "auditor.engine.runner"
SHOWS = tuple(ROOT / "auditor" / name for name in ("front", "report", "experiments"))
"""What no finding depends on, beyond what is imported from there."""


@dataclass
class Seen:
    """What a unit asked the catalogue for: items by collection and id, and collections whose ids it went through."""

    items: set[tuple[str, str]] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)


class Watched(Mapping[str, T]):
    """A collection that notes what is asked of it."""

    def __init__(self, name: str, items: Mapping[str, T], seen: Seen) -> None:
        self._name, self._items, self._seen = name, items, seen

    def __getitem__(self, identifier: str) -> T:
        self._seen.items.add((self._name, identifier))
        return self._items[identifier]

    def __contains__(self, identifier: object) -> bool:
        if identifier in self._items:
            self._seen.items.add((self._name, str(identifier)))
            return True
        self._seen.listed.add(self._name)
        return False

    def __iter__(self) -> Iterator[str]:
        self._seen.listed.add(self._name)
        return iter(self._items)

    def __len__(self) -> int:
        self._seen.listed.add(self._name)
        return len(self._items)


def watched(known: Registry, seen: Seen) -> Registry:
    """Return a catalogue that notes in `seen` what is asked of it."""
    items: dict[str, Any] = {name: Watched(name, getattr(known, name), seen) for name in COLLECTIONS.values()}
    return replace(known, **items)


class Code:
    """The suite's sources: digests of files, and which modules rest on which.

    Errors:
        MissingPackageError: grimp, which reads the imports, is not installed.
    """

    def __init__(self) -> None:
        try:
            from grimp import build_graph
        except ImportError:
            raise MissingPackageError("--cache needs grimp", remedy("grimp")) from None
        self._graph = build_graph(*SUITE, cache_dir=None)
        data = [
            path
            for package in SUITE
            for path in (ROOT / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and (package == "auditor" or path.suffix != ".py")
        ]
        self._shared = {path for path in data if not any(folder in path.parents for folder in SHOWS)}
        self._shared.discard(ROOT / "auditor" / "engine" / "index.json")  # its ids are looked at one by one
        self._digests: dict[frozenset[str], str | None] = {}
        self._files: dict[Path, str | None] = {}

    def digest(self, modules: frozenset[str]) -> str | None:
        """Digest of what these modules rest on, themselves included; None where it is not what this process runs."""
        if modules not in self._digests:
            self._digests[modules] = self._digest(modules)
        return self._digests[modules]

    def _digest(self, modules: frozenset[str]) -> str | None:
        names = {*modules}.union(*map(self._graph.find_upstream_modules, modules))
        for name in list(names):
            parts = name.split(".")
            names.update(".".join(parts[:length]) for length in range(1, len(parts)))
        told = {}
        for path in self._shared | set(map(_file, names)):
            if path not in self._files:
                self._files[path] = _digest_of(path)
            told[str(path.relative_to(ROOT))] = self._files[path]
        if None in told.values():
            return None
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _digest_of(path: Path) -> str | None:
    """Digest of a file; None where it was written after this process had begun to import."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.stat().st_mtime < STARTED else None


class Cache:
    """Findings by unit and settings, a file each.

    Args:
        folder: where the files are; None: nothing is kept.
        known: the catalogue.
        settings: of the run.

    Errors:
        MissingPackageError: grimp is not installed.
        OutputError: the folder cannot be written.
    """

    def __init__(self, folder: Path | None, known: Registry, settings: Settings) -> None:
        self._folder, self._known = None if folder is None else writable_directory(folder), known
        self._settings = json.dumps({**versions(), **asdict(settings)}, sort_keys=True)
        self._usable = folder is not None and settings.continued is None
        self._code = Code() if self._usable else None

    def get(self, unit: Unit, verdicts: Mapping[str, Verdict]) -> list[dict[str, Any]] | None:
        """Findings of a unit that nothing has changed for; None where there are none."""
        path = self._path(unit)
        if path is None or not path.exists():
            return None
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
            seen = Seen({(name, identifier) for name, identifier in entry["items"]}, set(entry["listed"]))
            findings = [Finding.model_validate(item) for item in entry["findings"]]
            same = entry["digest"] == self._digest(unit, verdicts, seen) is not None
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None  # damaged, or of something that is gone: run again
        ours = bool(findings) and all(found.subject == unit.subject for found in findings)
        return list(entry["findings"]) if same and ours else None

    def put(
        self, unit: Unit, verdicts: Mapping[str, Verdict], seen: Seen | None, findings: list[dict[str, Any]]
    ) -> None:
        """Keep what a unit found.

        Errors:
            OutputError: the folder cannot be written.
        """
        path = self._path(unit)
        if path is None or seen is None or any(found["verdict"] == "ERROR" for found in findings):
            return
        digest = self._digest(unit, verdicts, seen)
        if digest is None:
            return
        document = {
            "unit": unit.id,
            "items": sorted(seen.items),
            "listed": sorted(seen.listed),
            "digest": digest,
            "findings": findings,
        }
        write(path, json.dumps(document))

    def _path(self, unit: Unit) -> Path | None:
        """Where the findings of a unit are; None where they are not kept."""
        elsewhere = not self._known.plugins.isdisjoint({unit.subject, unit.check})
        if self._folder is None or not self._usable or elsewhere or unit.subject in self._known.accountants:
            return None
        name = hashlib.sha256(f"{self._settings}\n{unit.id}".encode()).hexdigest()
        return self._folder / f"{name}.json"

    def _digest(self, unit: Unit, verdicts: Mapping[str, Verdict], seen: Seen) -> str | None:
        """Digest of all that a unit depends on; None where its code is not what this process runs."""
        subjects = [name for name in COLLECTIONS.values() if unit.subject in index()[name]]
        items = {*seen.items, ("checks", unit.check), *((name, unit.subject) for name in subjects)}
        modules = {ENGINE, *(index()[name][identifier][MODULE] for name, identifier in items)}
        code = self._code and self._code.digest(frozenset(modules))
        if code is None:
            return None
        needed = self._known.checks[unit.check].after(self._known.subjects[unit.subject])
        depends = {
            "settings": self._settings,
            "unit": unit.id,
            "verdicts": {claim: verdicts[claim].value for claim in sorted(needed) if claim in verdicts},
            "listed": {name: list(getattr(self._known, name)) for name in sorted(seen.listed)},
            "code": code,
        }
        return hashlib.sha256(json.dumps(depends, sort_keys=True).encode()).hexdigest()
