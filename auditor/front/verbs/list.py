"""`auditor list`: what is registered."""

from __future__ import annotations

from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import click

from auditor.errors import EmptySelectionError
from auditor.front.verbs.output import columns, emit, say
from auditor.front.verbs.parameters import as_json_option, ids

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Registered(StrEnum):
    """Kinds of things that are registered; truths are the claims that accountants are held against."""

    CLAIMS = "claims"
    TRUTHS = "truths"
    MECHANISMS = "mechanisms"
    FAULTS = "faults"
    CONTROLS = "controls"
    CHECKS = "checks"
    ACCOUNTANTS = "accountants"
    EXPERIMENTS = "experiments"
    ALL = "all"


EACH = [kind for kind in Registered if kind not in (Registered.TRUTHS, Registered.ALL)]
"""Kinds whose ids are no one else's."""


def _collection(kind: Registered) -> str:
    return Registered.CLAIMS.value if kind is Registered.TRUTHS else kind.value


def _items(kind: Registered) -> Sequence[str]:
    """Ids of a kind; the claims that accountants are held against go by what they compute."""
    from auditor.engine.registry import registry

    items = list(getattr(registry(), _collection(kind)))
    if kind is not Registered.TRUTHS:
        return items
    computes = {name: _cells(kind, name)["computes"] for name in items}
    return sorted((name for name in items if computes[name]), key=lambda name: (computes[name], name))


def _cells(kind: Registered, identifier: str) -> dict[str, str]:
    """What is shown of an id: from the index where the suite declares it, so that its module is not imported."""
    from auditor.engine.index import MODULE, cells, index
    from auditor.engine.registry import registry

    collection = _collection(kind)
    entry = index()[collection].get(identifier) or cells(collection, getattr(registry(), collection)[identifier])
    return {heading: text for heading, text in entry.items() if heading != MODULE}


def _row(kind: Registered, identifier: str) -> dict[str, str]:
    shown = _cells(kind, identifier)
    if kind is Registered.CLAIMS:
        shown.pop("computes")
    if kind is Registered.TRUTHS:
        shown = {heading: shown[heading] for heading in ("computes", "title")}
    if kind is Registered.ACCOUNTANTS:
        from auditor.accountant_audit.adapter import installed_version

        version = installed_version(shown["library"]) or "not installed"
        shown |= {"library": shown["library"] or "this suite", "version": version, "title": shown.pop("title")}
    return {"id": identifier, **shown}


def _titles(kinds: Mapping[str, Registered]) -> list[dict[str, str]]:
    titles = {name: _cells(kind, name)["title"] for name, kind in kinds.items()}
    return [{"id": name, "kind": kinds[name].value.removesuffix("s"), "title": title} for name, title in titles.items()]


@click.command
@click.argument(
    "kind",
    type=click.Choice([kind.value for kind in Registered]),
    default=Registered.ALL.value,
    help="What to list; all of them when left out.",
)
@click.argument("globs", nargs=-1, metavar="[ID-GLOB]...", shell_complete=ids(*EACH), help="Only ids that match.")
@as_json_option
def command(kind: str, globs: tuple[str, ...], *, as_json: bool) -> int:
    """List ids with what they are about."""
    asked = Registered(kind)
    items = {name: each for each in (EACH if asked is Registered.ALL else [asked]) for name in _items(each)}
    for glob in globs or ["*"]:
        if not any(fnmatchcase(identifier, glob) for identifier in items):
            raise EmptySelectionError("id" if asked is Registered.ALL else kind.removesuffix("s"), glob, items)
    chosen = {name: of for name, of in items.items() if not globs or any(fnmatchcase(name, glob) for glob in globs)}
    rows = [_row(asked, name) for name in chosen] if asked is not Registered.ALL else _titles(chosen)
    if as_json:
        emit({"kind": kind, "count": len(rows), "items": rows})
    else:
        say(*columns([list(row.values()) for row in rows], list(rows[0])))
    return 0
