"""`--cache DIR`: findings of units, stored between runs and reused if none of their dependencies has changed.

A unit depends on:

- its seed, profile and level;
- the versions of the suite and its packages;
- the verdicts of its premises;
- the items that it requested from the catalogue while it ran (`CatalogueReads`);
- code: all direct and indirect imports of the modules that declare its subject, its check and the requested items, and
  of the module that runs units; and the data files beside these modules.

Code means byte code: comments, docstrings and layout do not count. A change of one theorem's file invalidates the units
of this theorem, and of the items that name or import it.

The entry of a unit has the digest of each file by path, so the cache can name a changed file. The cache also stores the
time of every unit, plug-ins included: the next run starts with the slowest.

A unit that calls another library depends on all installed files of its distribution and requirements, or on its whole
separate environment. Findings of plug-ins are never cached, because their code is not read.

The cache has no key: anybody who can write to the folder can forge a verdict. `auditor verify` recomputes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from auditor.engine.backends import versions
from auditor.engine.declarations import COLLECTIONS, ROOT
from auditor.engine.index import MODULE, index
from auditor.engine.reads import CatalogueReads
from auditor.errors import MissingPackageError
from auditor.extras import remedy
from auditor.findings.finding import Finding
from auditor.started import STARTED
from auditor.writing import writable_directory, write

if TYPE_CHECKING:
    from auditor.accountant_audit.adapter import Accountant
    from auditor.engine.plan import Settings, Unit
    from auditor.engine.registry import Registry
    from auditor.engine.unit import Spent
    from proofs_numeric.statements.verdict import Verdict

SUITE = ("auditor", "mechanisms", "proofs_numeric")
RUNS = "auditor.engine.unit"
"""Module that runs a unit."""
ENGINE = ROOT / "auditor" / "engine"
"""Folder whose data files are no dependency: they are figures of reports."""

DOES = (
    "co_code",
    "co_consts",
    "co_names",
    "co_varnames",
    "co_freevars",
    "co_cellvars",
    "co_exceptiontable",
    "co_name",
    "co_flags",
    "co_argcount",
    "co_posonlyargcount",
    "co_kwonlyargcount",
)
"""Attributes of byte code that determine behaviour, without positions in the source."""


class Code:
    """Import graph of the suite's modules, with digests of their byte code and data files.

    Args:
        folder: folder of stored digests by digest of the source, since compiling the suite takes a second.

    Raises:
        MissingPackageError: grimp, which reads the imports, is not installed.
        OutputError: the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        try:
            from grimp import build_graph
        except ImportError:
            raise MissingPackageError("--cache needs grimp", remedy("grimp")) from None
        graph = build_graph(*SUITE, cache_dir=None, exclude_type_checking_imports=True)
        self._imports = {
            module: {*graph.find_modules_directly_imported_by(module), *_packages(module)} for module in graph.modules
        }
        files = {module: [_file(module)] for module in self._imports}
        for package in SUITE:
            for path in (ROOT / package).rglob("*"):
                if path.is_file() and path.suffix not in {".py", ".pyc"} and path.parent != ENGINE:
                    files[self._package_of(path)].append(path)
        self._behind: dict[str, set[str]] = {}
        digests = _digests([path for paths in files.values() for path in paths], folder / "sources.json")
        self._digests = {
            module: {path.relative_to(ROOT).as_posix(): digests[path] for path in paths}
            for module, paths in files.items()
        }

    def _package_of(self, path: Path) -> str:
        """Return the innermost package that contains a file."""
        names = (".".join(folder.relative_to(ROOT).parts) for folder in path.parents)
        return next(name for name in names if name in self._imports)

    def behind(self, modules: Iterable[str]) -> dict[str, str] | None:
        """Return the digests, by path, of modules and their direct and indirect imports.

        Returns: None if a file is newer than the start of this process, which may have imported another version.
        """
        paths_digests = dict[str, str]()
        for name in set[str]().union(*map(self._rests_on, modules)):
            for path, digest in self._digests[name].items():
                if digest is None:
                    return None
                paths_digests[path] = digest
        return paths_digests

    def _rests_on(self, module: str) -> set[str]:
        """Return a module and its direct and indirect imports, each with its packages."""
        if module not in self._behind:
            modules, left = {module}, [module]
            while left:
                fresh = self._imports[left.pop()] - modules
                modules |= fresh
                left += fresh
            self._behind[module] = modules
        return self._behind[module]


def _packages(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _digests(paths: Iterable[Path], record: Path) -> dict[Path, str | None]:
    """Return digests of files by path, None for a file newer than this process; update the record of digests."""
    try:
        before = dict(json.loads(record.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        before = {}
    digests: dict[Path, str | None] = {}
    current: dict[str, str] = {}
    for path in paths:
        if path.stat().st_mtime >= STARTED:
            digests[path] = None
            continue
        data = path.read_bytes()
        if path.suffix == ".py":
            key = _sha(sys.version.encode() + data)
            digests[path] = current[key] = before.get(key) or _sha(code_text(data).encode())
        else:
            digests[path] = _sha(data)
    if current != before:
        write(record, json.dumps(current))
    return digests


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def code_text(source: bytes) -> str:
    """Return the byte code of a module as text, without positions, comments and docstrings.

    Docstrings count in a module with an assertion: the compiler removes both or neither.
    """
    return repr(_attributes(compile(source, "", "exec", dont_inherit=True, optimize=0 if b"assert" in source else 2)))


def _attributes(value: Any) -> Any:
    if isinstance(value, CodeType):
        return [_attributes(getattr(value, name)) for name in DOES]
    if isinstance(value, frozenset):
        return sorted(map(repr, value))  # the order of a set of strings differs between processes
    return [_attributes(each) for each in value] if isinstance(value, tuple) else value


class Cache:
    """Findings by unit and settings, one file each.

    Args:
        folder: folder of the files; None disables the cache.
        known: the catalogue.
        settings: settings of the run.

    Attributes:
        seconds: processor seconds of each unit's last run under this profile, by id.
        changed: the changed dependency of each cached unit that is out of date, by id.

    Raises:
        MissingPackageError: grimp is not installed.
        OutputError: the folder cannot be written.
    """

    def __init__(self, folder: Path | None, catalogue: Registry, settings: Settings) -> None:
        self._catalogue = catalogue
        self._settings = json.dumps({**versions(), **asdict(settings)}, sort_keys=True)
        self._folder = None if folder is None or settings.continued is not None else writable_directory(folder)
        self._code = None if self._folder is None else Code(self._folder)
        self._record = None if self._folder is None else self._folder / f"seconds-{settings.profile}.json"
        self._installed = dict[str, Mapping[str, str] | None]()
        self.seconds = {} if self._record is None else _seconds(self._record)
        self.changed: dict[str, str] = {}

    def took(self, spents: Mapping[Unit, Spent | None]) -> None:
        """Store the times of units, None if unknown; times of other units are kept.

        Raises:
            OutputError: the folder cannot be written.
        """
        if self._record is not None and spents:
            self.seconds |= {unit.id: round(cost.cpu, 3) for unit, cost in spents.items() if cost is not None}
            write(self._record, json.dumps(self.seconds))

    def get(self, unit: Unit, verdicts: Mapping[str, Verdict]) -> list[dict[str, Any]] | None:
        """Return the cached findings of a unit; None if there are none or a dependency has changed."""
        path = self._path(unit)
        if path is None or not path.exists():
            return None
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
            before = entry["depends"]
            findings = [Finding.model_validate(item) for item in entry["findings"]]
            here = self._depends(unit, verdicts, _read_reads(before))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, ValidationError):
            return None  # damaged, or an item no longer exists: run again
        if not findings or any(finding.subject != unit.subject for finding in findings):
            return None
        if here is None or here != before:
            self.changed[unit.id] = _change(before, here)
            return None
        return list(entry["findings"])

    def put(
        self, unit: Unit, verdicts: Mapping[str, Verdict], record: CatalogueReads | None, findings: list[dict[str, Any]]
    ) -> None:
        """Store the findings of a unit.

        Raises:
            OutputError: the folder cannot be written.
        """
        path = self._path(unit)
        if path is None or record is None or any(finding["verdict"] == "ERROR" for finding in findings):
            return
        depends = self._depends(unit, verdicts, record)
        if depends is not None:
            write(path, json.dumps({"depends": depends, "findings": findings}))

    def _path(self, unit: Unit) -> Path | None:
        """Return the file of a unit's findings; None if they are not cached."""
        if self._folder is None or not self._catalogue.plugins.isdisjoint({unit.subject, unit.check}):
            return None
        return self._folder / f"{_sha(f'{self._settings} {unit.id}'.encode())}.json"

    def _depends(self, unit: Unit, verdicts: Mapping[str, Verdict], record: CatalogueReads) -> dict[str, Any] | None:
        """Return the dependencies of a unit as JSON; None if a file of its code is newer than this process."""
        subject = {(name, unit.subject) for name in COLLECTIONS.values() if unit.subject in index()[name]}
        items = {*record.items, ("checks", unit.check), *subject}
        modules = {RUNS, *(index()[name][identifier][MODULE] for name, identifier in items)}
        # an accountant is called by name, without an import
        accountants = [self._catalogue.accountants[identifier] for name, identifier in items if name == "accountants"]
        modules.update(one.module for one in accountants)
        code = dict[str, str]()
        for digests in (
            None if self._code is None else self._code.behind(modules),
            *map(self._of_library, accountants),
        ):
            if digests is None:
                return None
            code |= digests
        premises = self._catalogue.checks[unit.check].after(self._catalogue.subjects[unit.subject])
        return {
            "unit": unit.id,
            "settings": self._settings,
            "verdicts": {claim: verdicts[claim].value for claim in sorted(premises) if claim in verdicts},
            "items": [list(each) for each in sorted(record.items)],
            "listed": {name: list(getattr(self._catalogue, name)) for name in sorted(record.listed)},
            "asked": [
                [name, dict(attributes), self._catalogue.where(name, dict(attributes))]
                for name, attributes in sorted(record.queries)
            ],
            "code": code,
        }

    def _of_library(self, one: Accountant) -> Mapping[str, str] | None:
        """Return the digests of an accountant's installed files, computed once per library."""
        if one.library not in self._installed:
            self._installed[one.library] = one.rests_on
        return self._installed[one.library]


def _seconds(path: Path) -> dict[str, float]:
    """Return the times of units in earlier runs; empty if the file is damaged."""
    try:
        return {str(unit): max(0.0, float(seconds)) for unit, seconds in json.loads(path.read_text("utf-8")).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _read_reads(depends: Mapping[str, Any]) -> CatalogueReads:
    """Return the recorded catalogue requests among a unit's dependencies."""
    return CatalogueReads(
        {(name, identifier) for name, identifier in depends["items"]},
        set(depends["listed"]),
        {(name, tuple(sorted(attributes.items()))) for name, attributes, _answer in depends["asked"]},
    )


def _change(before: Mapping[str, Any], here: Mapping[str, Any] | None) -> str:
    """Return a text that names the changed dependencies of a unit, files first."""
    if here is None:
        return "code that may have"  # written during the run, or a library whose import may differ from its files
    paths = sorted(path for path, digest in before["code"].items() if here["code"].get(path, "") != digest)
    paths = paths or sorted(here["code"].keys() - before["code"].keys())
    claims = [claim for claim in here["verdicts"] if here["verdicts"][claim] != before["verdicts"].get(claim)]
    names = paths or [f"the verdict of {claim}" for claim in claims] or ["what the catalogue holds"]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
