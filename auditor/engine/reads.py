"""Record of a unit's requests to the catalogue: its findings depend on the answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from auditor.engine.declarations import COLLECTIONS
from auditor.engine.registry import Registry

T = TypeVar("T")


@dataclass
class CatalogueReads:
    """Requested items by collection and id, collections whose ids were listed, and queries with `where`."""

    items: set[tuple[str, str]] = field(default_factory=set)
    listed: set[str] = field(default_factory=set)
    queries: set[tuple[str, tuple[tuple[str, str], ...]]] = field(default_factory=set)


class WatchedCollection(Mapping[str, T]):
    """A collection that records requests."""

    def __init__(self, name: str, items: Mapping[str, T], reads: CatalogueReads) -> None:
        self._name, self._items, self._reads = name, items, reads

    def __getitem__(self, identifier: str) -> T:
        self._reads.items.add((self._name, identifier))
        return self._items[identifier]

    def __contains__(self, identifier: object) -> bool:
        if identifier in self._items:
            self._reads.items.add((self._name, str(identifier)))
            return True
        self._reads.listed.add(self._name)
        return False

    def __iter__(self) -> Iterator[str]:
        self._reads.listed.add(self._name)
        return iter(self._items)

    def __len__(self) -> int:
        self._reads.listed.add(self._name)
        return len(self._items)


@dataclass(frozen=True)
class WatchedRegistry(Registry):
    """A catalogue of watched collections; it records a query with `where`, not the items that the query reads."""

    catalogue: Registry = field(default_factory=Registry)
    reads: CatalogueReads = field(default_factory=CatalogueReads)

    def where(self, collection: str, attributes: Mapping[str, str]) -> list[str]:
        self.reads.queries.add((collection, tuple(sorted(attributes.items()))))
        return self.catalogue.where(collection, attributes)


def watch_catalogue(catalogue: Registry, reads: CatalogueReads) -> Registry:
    """Return a catalogue that records its requests in `reads`."""
    items: dict[str, Any] = {each.name: getattr(catalogue, each.name) for each in fields(Registry)}
    for name in COLLECTIONS.values():
        items[name] = WatchedCollection(name, items[name], reads)
    return WatchedRegistry(**items, catalogue=catalogue, reads=reads)
