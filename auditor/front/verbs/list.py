"""`auditor list`: what is registered."""

from __future__ import annotations

from enum import StrEnum
from fnmatch import fnmatchcase
from typing import Annotated

import typer

from auditor.errors import EmptySelectionError
from auditor.front.verbs.output import AsJson, columns, emit, say


class Registered(StrEnum):
    """Kinds of things that are registered."""

    CLAIMS = "claims"
    MECHANISMS = "mechanisms"
    FAULTS = "faults"
    CONTROLS = "controls"
    CHECKS = "checks"
    ACCOUNTANTS = "accountants"
    EXPERIMENTS = "experiments"


def _row(collection: str, identifier: str) -> dict[str, str]:
    """What is shown of an id: from the index where the suite declares it, so that its module is not imported."""
    from auditor.engine.index import MODULE, cells, index
    from auditor.engine.registry import registry

    entry = index()[collection].get(identifier) or cells(collection, getattr(registry(), collection)[identifier])
    shown = {heading: text for heading, text in entry.items() if heading != MODULE}
    if collection == Registered.ACCOUNTANTS:
        from auditor.accountant_audit.adapter import installed_version

        version = installed_version(shown["library"]) or "not installed"
        shown |= {"library": shown["library"] or "this suite", "version": version, "title": shown.pop("title")}
    return {"id": identifier, **shown}


def command(
    kind: Annotated[Registered, typer.Argument(help="What to list.")],
    globs: Annotated[list[str] | None, typer.Argument(metavar="[ID-GLOB]...", help="Only ids that match.")] = None,
    *,
    as_json: AsJson = False,
) -> int:
    """List ids with what they are about."""
    from auditor.engine.registry import registry

    items = getattr(registry(), kind.value)
    for glob in globs or ["*"]:
        if not any(fnmatchcase(identifier, glob) for identifier in items):
            raise EmptySelectionError(kind.value.removesuffix("s"), glob, items)
    chosen = [name for name in items if not globs or any(fnmatchcase(name, glob) for glob in globs)]
    rows = [_row(kind.value, name) for name in chosen]
    if as_json:
        emit({"kind": kind.value, "count": len(rows), "items": rows})
    else:
        say(*columns([list(row.values()) for row in rows], list(rows[0])))
    return 0
