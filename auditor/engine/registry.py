"""The catalogue of all subjects and checks by id; a lookup imports the item's module.

The suite's ids come from the index. Ids of plug-ins come from entry points, which are loaded if an id is not in the
suite or all ids are listed. Invalid declarations of a plug-in (a duplicate id, a dangling reference), and plug-ins that
fail on import, are skipped and recorded as defects.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from operator import attrgetter
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from auditor.engine.declarations import COLLECTIONS, Declared, Defect, declarations, place, plugin_modules
from auditor.engine.index import MODULE, index
from auditor.engine.references import wrong_with
from auditor.errors import EmptySelectionError, UnknownIdError

if TYPE_CHECKING:
    from auditor.accountant_audit.adapter import Accountant
    from auditor.checks.check import Check, Subject
    from auditor.experiments.result import Described
    from auditor.report.chapters.chapter import Chapter
    from auditor.report.notebook import Notebook
    from mechanisms.calibrator import Calibrator
    from mechanisms.mechanism import AccountantFault, Control, Fault, MechanismSpec
    from proofs_numeric.statements.claim import Claim

T = TypeVar("T")
NAME = re.compile(r"[!-~]{1,200}")
"""Pattern of an id, which is printed, globbed and part of file names."""
_SUBJECTS = ("claims", "mechanisms", "faults", "controls", "accountants")
_ONE_SPACE = (*_SUBJECTS, "checks")
"""Collections that share one space of ids, for `run` and `explain`."""
_KINDS = {
    "claims": ("proofs_numeric.statements.claim:Claim",),
    "mechanisms": ("mechanisms.mechanism:MechanismSpec",),
    "faults": ("mechanisms.mechanism:Fault", "mechanisms.mechanism:AccountantFault"),
    "controls": ("mechanisms.mechanism:Control",),
    "accountants": ("auditor.accountant_audit.adapter:Accountant",),
    "calibrators": ("mechanisms.calibrator:Calibrator",),
    "checks": ("auditor.checks.check:Check",),
    "sections": ("auditor.report.chapters.chapter:Chapter",),
    "notebooks": ("auditor.report.notebook:Notebook",),
    "experiments": ("auditor.experiments.experiment:Experiment", "auditor.experiments.computed:Figure"),
}
"""Types of declarations by collection. They are names, so that the suite's findings do not depend on these modules."""


class Joined(Mapping[str, T]):
    """Several mappings as one; the first mapping with an id provides it. Iteration is sorted."""

    def __init__(self, *parts: Mapping[str, T]) -> None:
        self._parts = parts

    def __getitem__(self, identifier: str) -> T:
        for part in self._parts:
            if identifier in part:
                return part[identifier]
        raise KeyError(identifier)

    def __contains__(self, identifier: object) -> bool:
        return any(identifier in part for part in self._parts)

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(set().union(*self._parts)))

    def __len__(self) -> int:
        return len(set().union(*self._parts))


class SuiteItems(Mapping[str, Any]):
    """Items of one collection of the suite; a lookup imports the item's module."""

    def __init__(self, collection: str) -> None:
        self._collection, self._entries = collection, index()[collection]

    def __getitem__(self, identifier: str) -> Any:
        return _items(self._entries[identifier][MODULE])[self._collection, identifier]

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


@functools.cache
def _items(module: str) -> dict[tuple[str, str], Any]:
    return {(one.collection, one.id): one.item for one in declarations(importlib.import_module(module))}


class Plugged(Mapping[str, Any]):
    """Items of one collection from entry points, without ids of the suite."""

    def __init__(self, collection: str) -> None:
        self._space = _ONE_SPACE if collection in _ONE_SPACE else (collection,)
        self._collection = collection

    @functools.cached_property
    def _items(self) -> dict[str, Any]:
        return {one.id: one.item for one in plugins().declared if one.collection == self._collection}

    def __getitem__(self, identifier: str) -> Any:
        return self._items[identifier]

    def __contains__(self, identifier: object) -> bool:
        return not any(identifier in index()[each] for each in self._space) and identifier in self._items

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)


class Lazily(AbstractSet[T]):
    """An ordered set that is built at its first use."""

    def __init__(self, build: Callable[[], Iterable[T]]) -> None:
        self._build = functools.cache(lambda: dict.fromkeys(build()))

    @classmethod
    def _from_iterable(cls, items: Iterable[Any]) -> AbstractSet[Any]:
        return frozenset(items)

    def __contains__(self, item: object) -> bool:
        return item in self._build()

    def __iter__(self) -> Iterator[T]:
        return iter(self._build())

    def __len__(self) -> int:
        return len(self._build())


@dataclass(frozen=True)
class Registry:
    """All registered items by id, in sorted order."""

    claims: Mapping[str, Claim] = field(default_factory=dict)
    mechanisms: Mapping[str, MechanismSpec] = field(default_factory=dict)
    faults: Mapping[str, Fault | AccountantFault] = field(default_factory=dict)
    controls: Mapping[str, Control] = field(default_factory=dict)
    accountants: Mapping[str, Accountant] = field(default_factory=dict)
    calibrators: Mapping[str, Calibrator] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    sections: Mapping[str, Chapter] = field(default_factory=dict)
    notebooks: Mapping[str, Notebook] = field(default_factory=dict)
    experiments: Mapping[str, Described] = field(default_factory=dict)
    plugins: AbstractSet[str] = frozenset()
    """Ids from entry points."""
    defects: AbstractSet[Defect] = frozenset()
    """Skipped declarations, with reasons."""

    @property
    def subjects(self) -> Mapping[str, Subject]:
        """All selectable items by id."""
        return Joined[Any](*(getattr(self, collection) for collection in _SUBJECTS))

    def claim(self, identifier: str) -> Claim:
        """Return a claim by id; raise UnknownIdError with the closest id."""
        if identifier not in self.claims:
            raise UnknownIdError("claim", identifier, self.claims)
        return self.claims[identifier]

    def where(self, collection: str, attributes: Mapping[str, str]) -> list[str]:
        """Return the ids of the items of a collection with given attributes, which may be nested (`kind.title`)."""
        items: Mapping[str, Any] = getattr(self, collection)
        conditions = [(attrgetter(name), value) for name, value in attributes.items()]
        return [each for each, item in items.items() if all(getter(item) == value for getter, value in conditions)]

    def select(self, globs: Sequence[str]) -> list[str]:
        """Return the sorted ids of the subjects that match any glob; all subjects if there are no globs.

        Raises:
            EmptySelectionError: a glob matches no subject and no skipped declaration; zero checks must not pass.
        """
        subjects = self.subjects
        for glob in globs:
            if not any(fnmatchcase(identifier, glob) for identifier in subjects) and not self.left_out([glob]):
                kind = "claim" if "." in glob else "subject"
                raise EmptySelectionError(kind, glob, self.claims if kind == "claim" else subjects)
        return sorted(i for i in subjects if not globs or any(fnmatchcase(i, glob) for glob in globs))

    def left_out(self, globs: Sequence[str]) -> list[Defect]:
        """Return the defects of declarations that match any glob; all defects if there are no globs."""
        return [defect for defect in self.defects if not globs or any(defect.matches(glob) for glob in globs)]


@dataclass(frozen=True)
class Plugins:
    """Valid declarations from entry points, and the defects of the skipped ones."""

    declared: Sequence[Declared]
    defects: Sequence[Defect]


def resolve_plugins(declared: Sequence[Declared], catalogue: Registry, defects: Sequence[Defect] = ()) -> Plugins:
    """Return the valid declarations beside the suite's `catalogue`; invalid ones and references to them are defects."""
    valid, doubles = _without_doubles(declared, catalogue)
    defects = [*defects, *doubles]
    while True:
        whole = _beside(catalogue, valid)
        wrong = [(one, text) for one in valid if (text := _wrong(one, whole))]
        if not wrong:
            return Plugins(valid, sorted(defects, key=str))
        defects += [one.defect(text) for one, text in wrong]
        valid = [one for one in valid if all(one is not each for each, _text in wrong)]


def _without_doubles(declared: Sequence[Declared], catalogue: Registry) -> tuple[list[Declared], list[Defect]]:
    """Return the declarations of a registered type with unique ids, and the defects of the others."""
    unique: dict[tuple[str, str], Declared] = {}
    defects = []
    kinds = {name: tuple(map(pkgutil.resolve_name, names)) for name, names in _KINDS.items()} if declared else {}
    for one in declared:
        space = _ONE_SPACE if one.collection in _ONE_SPACE else (one.collection,)
        owner = next((each for each in space if one.id in getattr(catalogue, each)), None)
        other = unique.get((space[0], one.id))
        if not isinstance(one.item, kinds[one.collection]):
            noun = one.collection.removesuffix("s")
            text = f"expected a {noun}, got {one.item!r:.60}; mend {one.module.__name__}"
            defects.append(one.defect(text, is_duplicate=True))
        elif not NAME.fullmatch(one.id):
            text = f"expected an id of printable ASCII without spaces, at most 200 characters, got {one.id!r:.210}"
            defects.append(one.defect(f"{text}; rename it"))
        elif owner is None and other is None:
            unique[space[0], one.id] = one
        elif other is None or other.item is not one.item:
            where = suite_place(one.id) if other is None else other.place
            text = f"expected each id once, got {one.id!r} in {where}, too; rename this one"
            defects.append(one.defect(text, is_duplicate=True))
    return list(unique.values()), defects


def _beside(catalogue: Registry, declared: Sequence[Declared]) -> Registry:
    added: dict[str, dict[str, Any]] = {collection: {} for collection in COLLECTIONS.values()}
    for one in declared:
        added[one.collection][one.id] = one.item
    items: dict[str, Any] = {name: Joined[Any](getattr(catalogue, name), more) for name, more in added.items()}
    return Registry(**items)


def _wrong(one: Declared, catalogue: Registry) -> str:
    try:
        return "; ".join(wrong_with(one.collection, one.item, catalogue))
    except Exception as error:  # a foreign declaration can have any value
        if not one.plugin:
            raise
        return f"expected a declaration that can be read, got {type(error).__name__}: {error}; mend it"


def suite_place(identifier: str) -> str | None:
    """Return `path:line` of the suite's declaration of an id for `run` or `explain`; None if there is none."""
    entry = next((index()[each][identifier] for each in _ONE_SPACE if identifier in index()[each]), None)
    return None if entry is None else place(importlib.import_module(entry[MODULE]), identifier)


def place_of(identifier: str) -> str:
    """Return `path:line` of the registered declaration of an id for `run` or `explain`."""
    return suite_place(identifier) or next(one.place for one in plugins().declared if one.id == identifier)


@functools.cache
def _build_own_registry() -> Registry:
    items: dict[str, Any] = {collection: SuiteItems(collection) for collection in COLLECTIONS.values()}
    return Registry(**items)


@functools.cache
def plugins() -> Plugins:
    """Load the declarations of entry points, once per process."""
    declared: list[Declared] = []
    defects: list[Defect] = []
    for name, module in plugin_modules():
        if isinstance(module, ModuleType):
            declared += declarations(module, name)
        else:
            defects.append(module)
    return resolve_plugins(declared, _build_own_registry(), defects)


@functools.cache
def registry() -> Registry:
    """Return the catalogue, built once per process."""
    items: dict[str, Any] = {
        name: Joined[Any](getattr(_build_own_registry(), name), Plugged(name)) for name in COLLECTIONS.values()
    }
    return Registry(
        **items,
        plugins=Lazily(lambda: (one.id for one in plugins().declared)),
        defects=Lazily(lambda: plugins().defects),
    )


def defects_told() -> Sequence[Defect]:
    """Return the defects of plug-ins if they have been loaded, otherwise none."""
    return plugins().defects if plugins.cache_info().currsize else ()
