"""Libraries in their own interpreters, installed from lock files, and their audited accountants."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, cast

from auditor.accountant_audit import adapters
from auditor.accountant_audit.adapter import Accountant, installed_version
from auditor.accountant_audit.installed import code_of, required
from auditor.errors import INSTALL, TargetError, UnknownIdError
from auditor.target.process import zygote
from auditor.target.target import locate, locate_own
from auditor.target.zygote import names_imported
from proofs_numeric.statements.verdict import Expectation

ADAPTERS = Path(adapters.__path__[0])
RECORDED = ADAPTERS / "recorded.json"
"""Record of one audit of every library."""
PLACE = "AUDITOR_ENVIRONMENTS"
"""Environment variable with the folder of the environments."""
OTHER_NAMES = {"tumult": "tmlt_core", "pydp": "python_dp", "snsql": "smartnoise_sql"}
"""Libraries by the names that people know or import them by, where these are not the first words of the library's."""

MEGABYTES_A_SECOND = 7
"""Installation speed in MB per second, measured: 251 MB in 35 s."""
MEMORY = 32 * 2**10
"""Limit of the address space of a library's process, in MiB; some libraries map much more memory than they use."""


@dataclass(frozen=True, kw_only=True)
class LibraryAccountant(Accountant):
    """A library's function; `function` is its name in the adapter, which runs in the library's interpreter."""

    environment: Library
    tolerance: str = "1e-6"
    """Default for libraries without a documented accuracy."""
    reported: str = ""
    """Address of the public issue about its error."""

    @property
    def installed_version(self) -> str | None:
        """Version of the library; None if it is not installed."""
        return self.environment.version

    @property
    def remedy(self) -> str:
        """The command that installs the library."""
        return self.environment.remedy

    @property
    def module(self) -> str:
        """The adapter as a module of this suite."""
        return f"{adapters.__name__}.{self.environment.file.stem}"

    @property
    def rests_on(self) -> Mapping[str, str] | None:
        """Digests of the installed code that the accountant calls, by distribution; None if unknown."""
        return self.environment.rests_on

    @property
    def called(self) -> dict[str, Any]:
        """Fields of `AccountantRequest` that define the call and its interpreter."""
        name, where = f"{self.environment.file}:{self.function}", self.environment.python
        if where is not None:
            target = replace(locate(name, "accountant", python=str(where)), imports_kept=True)
            return {"target": target, "python": str(where), "memory": MEMORY}
        _import_for(self.environment)
        forked = locate_own(self.module, self.function, "accountant")
        return {"target": replace(forked, name=name), "python": None, "memory": MEMORY}


@dataclass(frozen=True)
class Library:
    """A library, identified by the name of its adapter."""

    name: str

    @property
    def file(self) -> Path:
        """Path of the adapter."""
        return ADAPTERS / f"{self.name}_library.py"

    @property
    def lock(self) -> Path:
        """Lock file: every distribution of the environment, pinned, with hashes."""
        return ADAPTERS / "locks" / f"{self.name}.txt"

    @property
    def facts(self) -> Mapping[str, Any]:
        """Size of the environment (`megabytes`), day of the pinned release (`released`), and `licence`."""
        every: Mapping[str, Any] = json.loads((ADAPTERS / "locks" / "facts.json").read_text(encoding="utf-8"))
        return cast("Mapping[str, Any]", every[self.name])

    @property
    def folder(self) -> Path:
        """Folder of the environment."""
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return Path(os.environ.get(PLACE) or cache / "sparse-histogram-auditor" / "accountants") / self.name

    @property
    def python(self) -> Path | None:
        """Interpreter of the environment; None without an environment: the library then runs in this interpreter."""
        return self.folder / "bin" / "python" if self.folder.is_dir() else None

    @property
    def distribution(self) -> str:
        """Name of the library on the package index."""
        return self.name.replace("_", "-")

    @property
    def version(self) -> str | None:
        """Installed version in the environment, or in this interpreter without one; None if it is not installed."""
        if self.python is None:
            return installed_version(self.distribution)
        return next(
            (distribution.version for distribution in distributions(name=self.distribution, path=self._paths)), None
        )

    def versions(self, names: Sequence[str]) -> dict[str, str]:
        """Return the installed versions of distributions that the library's lock file pins."""
        locked = self.lock.read_text(encoding="utf-8").lower().split()
        subset = [name for name in names if any(word.startswith(f"{name}==") for word in locked)]
        where = self._paths if self.python is not None else sys.path
        version_of = {name: next((one.version for one in distributions(name=name, path=where)), "") for name in subset}
        return {name: version for name, version in version_of.items() if version}

    @property
    def _paths(self) -> list[str]:
        """Folders of the environment's distributions."""
        return [str(path) for path in self.folder.glob("lib/python3*/site-packages")]

    @property
    def rests_on(self) -> dict[str, str] | None:
        """Digests of the library's distributions, by name: the environment's, or the requirements in this interpreter.

        None if the called code may differ, see `code_of`, or if a variable named after the library may select other
        code.
        """
        if any(name.startswith(f"{self.name.upper()}_") for name in os.environ):
            return None
        if self.python is None:
            return code_of(required(self.distribution))
        code = None if os.environ.get("PYTHONPATH") else code_of(distributions(path=self._paths), imported=False)
        interpreter = self.folder / "pyvenv.cfg"
        return code and {**code, str(interpreter): interpreter.read_text(encoding="utf-8")}

    @property
    def remedy(self) -> str:
        """The command that installs the library."""
        return f"{INSTALL} {self.name}"

    @property
    def accountants(self) -> tuple[LibraryAccountant, ...]:
        """The audited accountants; the default function name is the id after the library's name."""
        module = importlib.import_module(f"{adapters.__name__}.{self.file.stem}")

        def accountant(fields: Mapping[str, Any]) -> LibraryAccountant:
            function = fields["id"].partition(".")[2].replace(".", "_")
            values = {"function": function, **fields, "expected": Expectation(fields.get("expected", "HOLDS"))}
            return LibraryAccountant(environment=self, library=self.distribution, **values)

        return tuple(map(accountant, module.AUDITS))

    def install(self) -> str:
        """Create the environment anew from the lock file; return the version.

        Errors:
            TargetError: the interpreter or the package index fails, or as `uninstall`.
        """
        self.uninstall()
        hashed = ("--no-deps", "--require-hashes", "--requirement", str(self.lock))
        commands = (
            [sys.executable, "-m", "venv", str(self.folder)],
            [str(self.folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *hashed],
        )
        try:
            for command in commands:
                done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
                if done.returncode:
                    reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                    raise TargetError(f"{self.distribution} cannot be installed: {reason}")
        except BaseException:  # half an environment would count as installed and fail its audits
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        return self.version or "unknown"

    def uninstall(self) -> bool:
        """Remove the environment; return whether there was one.

        Errors:
            TargetError: the folder is no environment, or cannot be removed.
        """
        zygote.cache_clear()  # it has imported code of the removed environment
        if not self.folder.exists():
            return False
        if not (self.folder / "pyvenv.cfg").is_file():
            raise TargetError(
                f"{self.folder} is no environment (it has no pyvenv.cfg) and stays: remove it by hand, or set {PLACE} "
                "to a folder of its own"
            )
        try:
            shutil.rmtree(self.folder)
        except OSError as error:
            raise TargetError(f"{self.folder} cannot be removed: {error}") from None
        return True


@cache
def _import_for(library: Library) -> None:
    """Run an adapter's imports in this process, once for all its forks."""
    for name in names_imported(str(library.file)):
        with contextlib.suppress(Exception):  # the function that needs the module reports the failure
            importlib.import_module(name)


@cache
def libraries() -> Mapping[str, Library]:
    """Return every library that has an adapter, by name."""
    names = sorted(path.stem.removesuffix("_library") for path in ADAPTERS.glob("*_library.py"))
    return {name: Library(name) for name in names}


def chosen(names: tuple[str, ...]) -> list[Library]:
    """Return the libraries of the given names or unique prefixes; all libraries for `all` or no name.

    Errors:
        UnknownIdError: no such library.
    """
    if names in {(), ("all",)}:
        return list(libraries().values())
    return [_library(name) for name in names]


def _library(name: str) -> Library:
    """Return the library of an adapter's or distribution's name (`dp-accounting`), a unique prefix, or another name."""
    letters = _letters(name)
    letters = _letters(OTHER_NAMES.get(letters, letters))
    exact = [each for each in libraries() if _letters(each) == letters]
    matches = exact or [each for each in libraries() if letters and _letters(each).startswith(letters)]
    if len(matches) != 1:
        raise UnknownIdError("library", name, libraries())
    return libraries()[matches[0]]


def _letters(name: str) -> str:
    """Return the letters and digits of a name, in lower case."""
    return "".join(filter(str.isalnum, name.lower()))


def here() -> list[Library]:
    """Return the libraries installed in this interpreter without their own environment."""
    return [library for library in libraries().values() if library.python is None and library.version is not None]


def version_of(distribution: str) -> str | None:
    """Return the installed version of an accountant's distribution; None if it is not installed."""
    library = libraries().get(distribution.replace("-", "_"))
    return installed_version(distribution) if library is None else library.version


@cache
def recorded() -> Mapping[str, Any]:
    """Return the record of one audit of every library: `options` of the search, `accountants` (rows), and `cases`.

    A case has the points that demonstrate a defect, as text by parameter: one point, or two that contradict each other.

    `auditor accountants audit --out DIR` writes a record; `python -m auditor.front.accountants_page DIR` merges it.
    """
    record: Mapping[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return record


def accountant(identifier: str) -> LibraryAccountant:
    """Return the accountant of an id.

    Errors:
        UnknownIdError: no such accountant.
    """
    every = {one.id: one for library in libraries().values() for one in library.accountants}
    prefix, _, rest = identifier.partition(".")
    try:
        return every[f"{_library(prefix).name}.{rest}"]
    except (KeyError, UnknownIdError):
        raise UnknownIdError("accountant", identifier, every) from None
