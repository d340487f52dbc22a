"""Other people's libraries in interpreters of their own, made from lock files, and what is audited of each."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distributions
from pathlib import Path
from typing import TYPE_CHECKING, Any

from auditor.accountant_audit import adapters
from auditor.errors import MissingPackageError, TargetError, UnknownIdError
from proofs_numeric.statements.verdict import Expectation

if TYPE_CHECKING:
    from auditor.accountant_audit.request import AccountantRequest
    from proofs_numeric.statements.claim import Claim

ADAPTERS = Path(adapters.__path__[0])
PLACE = "AUDITOR_ENVIRONMENTS"
"""Environment variable: the folder of the environments."""

MEMORY = 32 * 2**30
"""Address space of a library's process: what some of them map and never touch."""


@dataclass(frozen=True, kw_only=True)
class LibraryAccountant:
    """One function of a library, and what it is held against; `AccountantRequest` says what the fields mean."""

    library: Library
    id: str
    title: str
    function: str
    against: str
    box: Mapping[str, tuple[str, str]]
    tolerance: str = "1e-9"
    """The documented accuracy; 1e-6 for doubles that are rounded to nearest."""
    solves: tuple[str, ...] = ()
    returns: tuple[str, ...] = ()
    expected: Expectation = Expectation.HOLDS
    note: str = ""

    def request(self, claim: Claim, **options: Any) -> AccountantRequest:
        """Return the request of its audit.

        Errors:
            MissingPackageError: the library is not installed.

        """
        if self.library.version is None:
            raise MissingPackageError(f"{self.library.distribution} is not installed", self.library.remedy)
        from auditor.accountant_audit.request import AccountantRequest

        return AccountantRequest(
            target=f"{self.library.file}:{self.function}",
            claim=claim,
            box=self.box,
            tolerance=self.tolerance,
            solves=self.solves,
            returns=self.returns,
            python=str(self.library.python),
            memory_bytes=MEMORY,
            **options,
        )


@dataclass(frozen=True)
class Library:
    """A library by the name of its adapter."""

    name: str

    @property
    def file(self) -> Path:
        """The adapter."""
        return ADAPTERS / f"{self.name}_library.py"

    @property
    def lock(self) -> Path:
        """Every distribution of the environment, pinned, with its hashes."""
        return ADAPTERS / "locks" / f"{self.name}.txt"

    @property
    def folder(self) -> Path:
        """Where its environment lies."""
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return Path(os.environ.get(PLACE) or cache / "sparse-histogram-auditor" / "accountants") / self.name

    @property
    def python(self) -> Path:
        """The interpreter of its environment."""
        return self.folder / "bin" / "python"

    @property
    def distribution(self) -> str:
        """Its name on the package index."""
        return str(self._module.LIBRARY)

    @property
    def version(self) -> str | None:
        """The installed version; None where it is not installed."""
        paths = [str(path) for path in self.folder.glob("lib/python3*/site-packages")]
        found = {d.metadata["Name"].lower().replace("_", "-"): d.version for d in distributions(path=paths)}
        return found.get(self.distribution) if paths else None

    @property
    def remedy(self) -> str:
        """The command that installs it."""
        return f"auditor accountants install {self.name}"

    @property
    def accountants(self) -> tuple[LibraryAccountant, ...]:
        """What is audited of it."""
        audits = ({"expected": Expectation.HOLDS.value, **fields} for fields in self._module.AUDITS)
        return tuple(
            LibraryAccountant(library=self, **{**fields, "expected": Expectation(fields["expected"])})
            for fields in audits
        )

    @property
    def _module(self) -> Any:
        return importlib.import_module(f"{adapters.__name__}.{self.file.stem}")

    def install(self) -> str:
        """Make the environment from the lock file, anew; return the version.

        Errors:
            TargetError: the interpreter or the package index refuses.

        """
        self.uninstall()
        hashed = ("--no-deps", "--require-hashes", "--requirement", str(self.lock))
        commands = (
            [sys.executable, "-m", "venv", str(self.folder)],
            [str(self.python), "-m", "pip", "install", "--quiet", *hashed],
        )
        for command in commands:
            done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
            if done.returncode:
                self.uninstall()
                reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
                raise TargetError(f"{self.distribution} cannot be installed: {reason}")
        return self.version or "unknown"

    def uninstall(self) -> None:
        """Remove the environment, if there is one."""
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def libraries() -> Mapping[str, Library]:
    """Every library that has an adapter, by name."""
    names = sorted(path.stem.removesuffix("_library") for path in ADAPTERS.glob("*_library.py"))
    return {name: Library(name) for name in names}


def chosen(names: tuple[str, ...]) -> list[Library]:
    """Return the libraries of these names; all of them for `all` or none.

    Errors:
        UnknownIdError: no such library.

    """
    if names in {(), ("all",)}:
        return list(libraries().values())
    unknown = next((name for name in names if name not in libraries()), None)
    if unknown is not None:
        raise UnknownIdError("library", unknown, libraries())
    return [libraries()[name] for name in names]


def accountant(identifier: str) -> LibraryAccountant:
    """Return one by its id.

    Errors:
        UnknownIdError: no such accountant.

    """
    every = {one.id: one for library in libraries().values() for one in library.accountants}
    if identifier not in every:
        raise UnknownIdError("accountant", identifier, every)
    return every[identifier]
