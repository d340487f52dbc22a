"""Everything that can be audited and every check, found by walking the packages and the entry points.

Declarations are data: a module has ``CLAIMS``, ``MECHANISM``/``MECHANISMS``, ``FAULTS``, ``CONTROLS``, ``CHECKS``,
``ACCOUNTANTS``, ``SECTIONS``, ``NOTEBOOKS`` or ``EXPERIMENTS``; importing a module registers nothing.  Third parties
add theirs through entry points of the group ``auditor.plugins`` that name such a module.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from auditor.accountant_audit.adapter import Accountant
from auditor.checks.check import Check, Subject
from auditor.errors import EmptySelectionError, UnknownIdError
from auditor.experiments.experiment import Experiment
from auditor.front.notebooks.story import Notebook
from auditor.report.chapters.chapter import Chapter
from mechanisms.mechanism import AccountantFault, Control, Fault, MechanismSpec
from proofs_numeric.statements.claim import Claim

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


@dataclass(frozen=True)
class Registry:
    """Everything registered, by id, in sorted order."""

    claims: Mapping[str, Claim] = field(default_factory=dict)
    mechanisms: Mapping[str, MechanismSpec] = field(default_factory=dict)
    faults: Mapping[str, Fault | AccountantFault] = field(default_factory=dict)
    controls: Mapping[str, Control] = field(default_factory=dict)
    accountants: Mapping[str, Accountant] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    sections: Mapping[str, Chapter] = field(default_factory=dict)
    notebooks: Mapping[str, Notebook] = field(default_factory=dict)
    experiments: Mapping[str, Experiment] = field(default_factory=dict)
    plugins: frozenset[str] = frozenset()
    """Ids that came through entry points."""

    @property
    def subjects(self) -> dict[str, Subject]:
        """Everything that can be selected, by id."""
        return {**self.claims, **self.mechanisms, **self.faults, **self.controls, **self.accountants}

    def claim(self, identifier: str) -> Claim:
        """Look a claim up; raise UnknownIdError with the closest id."""
        if identifier not in self.claims:
            raise UnknownIdError("claim", identifier, self.claims)
        return self.claims[identifier]

    def select(self, globs: Sequence[str]) -> list[str]:
        """Ids of the subjects that match any of the globs (all of them when there are none), sorted.

        Raises EmptySelectionError for a glob that matches nothing: zero checks must never look green.
        """
        subjects = self.subjects
        for glob in globs:
            if not any(fnmatchcase(identifier, glob) for identifier in subjects):
                kind = "claim" if "." in glob else "subject"
                raise EmptySelectionError(kind, glob, self.claims if kind == "claim" else subjects)
        return sorted(i for i in subjects if not globs or any(fnmatchcase(i, glob) for glob in globs))


_COLLECTIONS = {
    "CLAIMS": "claims",
    "MECHANISM": "mechanisms",
    "MECHANISMS": "mechanisms",
    "FAULT": "faults",
    "FAULTS": "faults",
    "CONTROL": "controls",
    "CONTROLS": "controls",
    "ACCOUNTANTS": "accountants",
    "CHECKS": "checks",
    "SECTIONS": "sections",
    "NOTEBOOKS": "notebooks",
    "EXPERIMENTS": "experiments",
}


def modules() -> Iterator[ModuleType]:
    """Every module of the packages that may hold declarations."""
    for package_name in PACKAGES:
        package = importlib.import_module(package_name)
        yield package
        for info in pkgutil.walk_packages(package.__path__, package_name + "."):
            if not info.name.rsplit(".", 1)[-1].startswith("__"):
                yield importlib.import_module(info.name)


def declarations(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """(collection, item) for every declaration of a module."""
    for name, collection in _COLLECTIONS.items():
        if name in vars(module):
            value = vars(module)[name]
            for item in value if isinstance(value, tuple | list) else (value,):
                yield collection, item


@functools.cache
def registry() -> Registry:
    """Discover once a process; an id declared twice is a defect and raises ValueError naming it."""
    found: dict[str, dict[str, Any]] = {collection: {} for collection in _COLLECTIONS.values()}
    plugins: set[str] = set()
    plugin_modules = [point.load() for point in entry_points(group=PLUGIN_GROUP)]
    for module in [*modules(), *plugin_modules]:
        for collection, item in declarations(module):
            identifier = item.name if collection == "checks" else item.id
            known = found[collection].get(identifier)
            if known is not None and known is not item:
                raise ValueError(f"expected each id once, got {identifier!r} twice in {collection} ({module.__name__})")
            found[collection][identifier] = item
            if module in plugin_modules:
                plugins.add(identifier)
    ordered = {collection: dict(sorted(items.items())) for collection, items in found.items()}
    return Registry(**ordered, plugins=frozenset(plugins))
