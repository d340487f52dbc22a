"""Everything that can be audited and every check, found by walking the packages and the entry points.

What cannot be used (an id declared twice, a reference that names nothing, a plug-in that fails on import) is left out
and kept as a defect; the rest works.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import ModuleType
from typing import Any

from auditor.accountant_audit.adapter import Accountant
from auditor.checks.check import Check, Subject
from auditor.engine.declarations import COLLECTIONS, Declared, Defect, declarations, modules, plugin_modules
from auditor.engine.references import wrong_with
from auditor.errors import EmptySelectionError, UnknownIdError
from auditor.experiments.experiment import Experiment
from auditor.front.notebooks.story import Notebook
from auditor.report.chapters.chapter import Chapter
from mechanisms.mechanism import AccountantFault, Control, Fault, MechanismSpec
from proofs_numeric.statements.claim import Claim

_TYPES: Mapping[str, type | tuple[type, ...]] = {
    "claims": Claim,
    "mechanisms": MechanismSpec,
    "faults": (Fault, AccountantFault),
    "controls": Control,
    "accountants": Accountant,
    "checks": Check,
    "sections": Chapter,
    "notebooks": Notebook,
    "experiments": Experiment,
}
_SELECTABLE = ("claims", "mechanisms", "faults", "controls", "accountants", "checks")
"""Collections that share one space of ids: what `run` selects and `explain` looks up."""


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
    defects: tuple[Defect, ...] = ()
    """What is left out, and why."""

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

        Raises EmptySelectionError for a glob that matches nothing, nothing left out either: zero checks must never look
        green.
        """
        subjects = self.subjects
        for glob in globs:
            if not any(fnmatchcase(identifier, glob) for identifier in subjects) and not self.left_out([glob]):
                kind = "claim" if "." in glob else "subject"
                raise EmptySelectionError(kind, glob, self.claims if kind == "claim" else subjects)
        return sorted(i for i in subjects if not globs or any(fnmatchcase(i, glob) for glob in globs))

    def left_out(self, globs: Sequence[str]) -> list[Defect]:
        """Defects of what the globs would select (all of them when there are none)."""
        return [found for found in self.defects if not globs or any(found.matches(glob) for glob in globs)]


def _own_and_plugins() -> tuple[list[Declared], list[Defect]]:
    declared = [item for module in modules() for item in declarations(module)]
    defects = []
    for name, module in plugin_modules():
        if isinstance(module, ModuleType):
            declared += declarations(module, name)
        else:
            defects.append(module)
    return declared, defects


def _without_doubles(declared: Sequence[Declared]) -> tuple[list[Declared], list[Defect]]:
    """Leave out what is of no kind of ours, and the later of two with one id."""
    kept: dict[tuple[str, str], Declared] = {}
    defects = []
    for one in declared:
        key = ("subjects and checks" if one.collection in _SELECTABLE else one.collection, one.id)
        if not isinstance(one.item, _TYPES[one.collection]):
            noun = one.collection.removesuffix("s")
            defects.append(
                one.defect(f"expected a {noun}, got {one.item!r:.60}; mend {one.module.__name__}", known=True)
            )
        elif (other := kept.setdefault(key, one)).item is not one.item:
            text = f"expected each id once, got {one.id!r} in {other.place}, too; rename this one"
            defects.append(one.defect(text, known=True))
    return list(kept.values()), defects


def discovered(declared: Sequence[Declared], defects: Sequence[Defect] = ()) -> Registry:
    """The registry of what is declared, less what has a defect, and what refers to it."""
    kept, doubles = _without_doubles(declared)
    defects = [*defects, *doubles]
    while True:
        known = _registry_of(kept, defects)
        wrong = {id(one): _wrong(one, known) for one in kept}
        if not any(wrong.values()):
            return known
        defects = [*defects, *(one.defect(wrong[id(one)]) for one in kept if wrong[id(one)])]
        kept = [one for one in kept if not wrong[id(one)]]


def _wrong(one: Declared, known: Registry) -> str:
    try:
        return "; ".join(wrong_with(one.collection, one.item, known, must_be_auditable=bool(one.plugin)))
    except Exception as error:  # a declaration of others can hold anything
        if not one.plugin:
            raise
        return f"expected a declaration that can be read, got {type(error).__name__}: {error}; mend it"


def _registry_of(declared: Sequence[Declared], defects: Sequence[Defect]) -> Registry:
    found: dict[str, dict[str, Any]] = {collection: {} for collection in COLLECTIONS.values()}
    for one in sorted(declared, key=lambda one: one.id):
        found[one.collection][one.id] = one.item
    plugins = frozenset(one.id for one in declared if one.plugin)
    return Registry(**found, plugins=plugins, defects=tuple(sorted(defects, key=str)))


@functools.cache
def registry() -> Registry:
    """Discover once a process."""
    return discovered(*_own_and_plugins())


def defects_told() -> tuple[Defect, ...]:
    """What discovery has left out so far: nothing before it."""
    return registry().defects if registry.cache_info().currsize else ()
