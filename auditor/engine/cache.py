"""`--cache DIR`: findings of units kept between runs, and used again where nothing that they depend on has changed.

A unit depends on its seed, profile and level, on the versions of the suite and its packages, on the verdicts of the
claims that it rests on, on what it asked the catalogue for while it ran (`Seen`), and on code: everything that is
imported, at any depth, by the modules that declare its subject, its check and what it looked up, and by the module that
runs units; and the data beside these. Code is what its text says: comments, the words of docstrings and layout are no
part of it. A change of one theorem's file changes that theorem's units, and those of what names or imports it.

Of what changed, the entry of a unit tells: it has the digest of each file by its path.

What each unit took is kept too, of others' as well: the next run begins with what takes longest.

What calls another library depends on all that its distribution and those that it requires have installed, or on all of
the environment that it has of its own. What other distributions declare is never kept: its code is not looked at.

A folder of findings has no key: who can write to it can write a verdict. `auditor verify` recomputes.
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
from auditor.engine.seen import Seen
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
"""What runs a unit."""
ENGINE = ROOT / "auditor" / "engine"
"""Its data are what reports show, and the index, of which a unit depends on the answers that it got."""

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
"""What of a compiled module, and of the functions and classes in it, is more than where it stands."""


class Code:
    """The suite's sources: which modules rest on which, and digests of what files say.

    Args:
        folder: where digests are kept between runs, by those of the bytes: to compile all of the suite takes a second.

    Errors:
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
        found = _digests([path for paths in files.values() for path in paths], folder / "sources.json")
        self._digests = {
            module: {path.relative_to(ROOT).as_posix(): found[path] for path in paths}
            for module, paths in files.items()
        }

    def _package_of(self, path: Path) -> str:
        """The innermost package that a file lies in."""
        names = (".".join(folder.relative_to(ROOT).parts) for folder in path.parents)
        return next(name for name in names if name in self._imports)

    def behind(self, modules: Iterable[str]) -> dict[str, str] | None:
        """Digests of what these modules rest on, themselves included, by path; None where that is not what runs here.

        A file that was written after this process had begun to import is not what it runs.
        """
        found = dict[str, str]()
        for name in set[str]().union(*map(self._rests_on, modules)):
            for path, digest in self._digests[name].items():
                if digest is None:
                    return None
                found[path] = digest
        return found

    def _rests_on(self, module: str) -> set[str]:
        """The module, and what it imports at any depth; of each its packages, which are imported with it."""
        if module not in self._behind:
            found, left = {module}, [module]
            while left:
                fresh = self._imports[left.pop()] - found
                found |= fresh
                left += fresh
            self._behind[module] = found
        return self._behind[module]


def _packages(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:length]) for length in range(1, len(parts))]


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _digests(paths: Iterable[Path], record: Path) -> dict[Path, str | None]:
    """Digests of what files say, by path; those of the same bytes come from the record, which is brought up to date."""
    try:
        before = dict(json.loads(record.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        before = {}
    found: dict[Path, str | None] = {}
    known: dict[str, str] = {}
    for path in paths:
        if path.stat().st_mtime >= STARTED:
            found[path] = None
            continue
        data = path.read_bytes()
        if path.suffix == ".py":
            key = _sha(sys.version.encode() + data)
            found[path] = known[key] = before.get(key) or _sha(said(data).encode())
        else:
            found[path] = _sha(data)
    if known != before:
        write(record, json.dumps(known))
    return found


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def said(source: bytes) -> str:
    """What a module does: its byte code, without places, comments and the words of texts that stand for themselves.

    These words count where it asserts something: the compiler leaves out both, or none.
    """
    return repr(_said(compile(source, "", "exec", dont_inherit=True, optimize=0 if b"assert" in source else 2)))


def _said(value: Any) -> Any:
    if isinstance(value, CodeType):
        return [_said(getattr(value, name)) for name in DOES]
    if isinstance(value, frozenset):
        return sorted(map(repr, value))  # which a hash of strings, another in each process, would put in some order
    return [_said(each) for each in value] if isinstance(value, tuple) else value


class Cache:
    """Findings by unit and settings, a file each.

    Args:
        folder: where the files are; None: nothing is kept.
        known: the catalogue.
        settings: of the run.

    Attributes:
        seconds: of processors that units took when they last ran under this profile, by id.
        changed: by unit that was kept and is of no use any more, what it depends on that has changed.

    Errors:
        MissingPackageError: grimp is not installed.
        OutputError: the folder cannot be written.
    """

    def __init__(self, folder: Path | None, known: Registry, settings: Settings) -> None:
        self._known = known
        self._settings = json.dumps({**versions(), **asdict(settings)}, sort_keys=True)
        self._folder = None if folder is None or settings.continued is not None else writable_directory(folder)
        self._code = None if self._folder is None else Code(self._folder)
        self._record = None if self._folder is None else self._folder / f"seconds-{settings.profile}.json"
        self._installed = dict[str, Mapping[str, str] | None]()
        self.seconds = {} if self._record is None else _seconds(self._record)
        self.changed: dict[str, str] = {}

    def took(self, spents: Mapping[Unit, Spent | None]) -> None:
        """Keep what units took, beside what is known of those that did not run; None: not known.

        Errors:
            OutputError: the folder cannot be written.
        """
        if self._record is not None and spents:
            self.seconds |= {unit.id: round(spent.cpu, 3) for unit, spent in spents.items() if spent is not None}
            write(self._record, json.dumps(self.seconds))

    def get(self, unit: Unit, verdicts: Mapping[str, Verdict]) -> list[dict[str, Any]] | None:
        """Findings of a unit that nothing has changed for; None where there are none."""
        path = self._path(unit)
        if path is None or not path.exists():
            return None
        try:
            entry = json.loads(path.read_text(encoding="utf-8"))
            before = entry["depends"]
            findings = [Finding.model_validate(item) for item in entry["findings"]]
            here = self._depends(unit, verdicts, _seen(before))
        except (OSError, ValueError, KeyError, TypeError, AttributeError, ValidationError):
            return None  # damaged, or of something that is gone: run again
        if not findings or any(found.subject != unit.subject for found in findings):
            return None
        if here is None or here != before:
            self.changed[unit.id] = _change(before, here)
            return None
        return list(entry["findings"])

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
        depends = self._depends(unit, verdicts, seen)
        if depends is not None:
            write(path, json.dumps({"depends": depends, "findings": findings}))

    def _path(self, unit: Unit) -> Path | None:
        """Where the findings of a unit are; None where they are not kept."""
        if self._folder is None or not self._known.plugins.isdisjoint({unit.subject, unit.check}):
            return None
        return self._folder / f"{_sha(f'{self._settings} {unit.id}'.encode())}.json"

    def _depends(self, unit: Unit, verdicts: Mapping[str, Verdict], seen: Seen) -> dict[str, Any] | None:
        """All that a unit depends on, as JSON; None where its code is not what this process runs."""
        own = {(name, unit.subject) for name in COLLECTIONS.values() if unit.subject in index()[name]}
        items = {*seen.items, ("checks", unit.check), *own}
        modules = {RUNS, *(index()[name][identifier][MODULE] for name, identifier in items)}
        # an accountant is called by its name, which no import tells
        called = [self._known.accountants[identifier] for name, identifier in items if name == "accountants"]
        modules.update(one.module for one in called)
        code = dict[str, str]()
        for digests in (None if self._code is None else self._code.behind(modules), *map(self._of_library, called)):
            if digests is None:
                return None
            code |= digests
        needed = self._known.checks[unit.check].after(self._known.subjects[unit.subject])
        return {
            "unit": unit.id,
            "settings": self._settings,
            "verdicts": {claim: verdicts[claim].value for claim in sorted(needed) if claim in verdicts},
            "items": [list(each) for each in sorted(seen.items)],
            "listed": {name: list(getattr(self._known, name)) for name in sorted(seen.listed)},
            "asked": [
                [name, dict(attributes), self._known.where(name, dict(attributes))]
                for name, attributes in sorted(seen.asked)
            ],
            "code": code,
        }

    def _of_library(self, one: Accountant) -> Mapping[str, str] | None:
        """What the accountant rests on that is installed, looked at once."""
        if one.library not in self._installed:
            self._installed[one.library] = one.rests_on
        return self._installed[one.library]


def _seconds(path: Path) -> dict[str, float]:
    """What units took, of an earlier run; a file that is damaged tells nothing."""
    try:
        return {str(unit): max(0.0, float(seconds)) for unit, seconds in json.loads(path.read_text("utf-8")).items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _seen(depends: Mapping[str, Any]) -> Seen:
    """What a unit asked the catalogue for, of what it depended on."""
    return Seen(
        {(name, identifier) for name, identifier in depends["items"]},
        set(depends["listed"]),
        {(name, tuple(sorted(attributes.items()))) for name, attributes, _answer in depends["asked"]},
    )


def _change(before: Mapping[str, Any], here: Mapping[str, Any] | None) -> str:
    """Say what of that on which a unit depends has changed, the files first."""
    if here is None:
        return "code that may have"  # written meanwhile, or of a library that need not be what is imported
    paths = sorted(path for path, digest in before["code"].items() if here["code"].get(path, "") != digest)
    paths = paths or sorted(here["code"].keys() - before["code"].keys())
    claims = [claim for claim in here["verdicts"] if here["verdicts"][claim] != before["verdicts"].get(claim)]
    names = paths or [f"the verdict of {claim}" for claim in claims] or ["what the catalogue holds"]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
