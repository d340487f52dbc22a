"""`auditor list`: what is registered."""

from __future__ import annotations

from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Annotated, Any

import typer

from auditor.errors import EmptySelectionError
from auditor.front.verbs.output import AsJson, columns, emit, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from auditor.engine.registry import Registry


class Registered(StrEnum):
    """Kinds of things that are registered."""

    CLAIMS = "claims"
    MECHANISMS = "mechanisms"
    FAULTS = "faults"
    CONTROLS = "controls"
    CHECKS = "checks"
    ACCOUNTANTS = "accountants"
    EXPERIMENTS = "experiments"


def _claim(item: Any) -> dict[str, str]:
    return {"expected": item.expected.value, "kind": item.kind.title, "title": item.title}


def _mechanism(item: Any) -> dict[str, str]:
    return {"guarantee": item.guarantee_claim, "title": item.title}


def _fault(item: Any) -> dict[str, str]:
    return {"violates": item.violates, "caught by": item.caught_by, "title": item.title}


def _control(item: Any) -> dict[str, str]:
    return {"satisfies": item.satisfies, "title": item.title}


def _check(item: Any) -> dict[str, str]:
    return {"title": item.title}


def _accountant(item: Any) -> dict[str, str]:
    version = item.installed_version or "not installed"
    return {"against": item.against, "library": item.library or "this suite", "version": version, "title": item.title}


def _experiment(item: Any) -> dict[str, str]:
    return {"source": item.source, "title": item.title}


_ROWS: Mapping[Registered, Callable[[Any], dict[str, str]]] = {
    Registered.CLAIMS: _claim,
    Registered.MECHANISMS: _mechanism,
    Registered.FAULTS: _fault,
    Registered.CONTROLS: _control,
    Registered.CHECKS: _check,
    Registered.ACCOUNTANTS: _accountant,
    Registered.EXPERIMENTS: _experiment,
}


def _items(known: Registry, kind: Registered) -> Mapping[str, Any]:
    items: Mapping[str, Any] = getattr(known, kind.value)
    return items


def command(
    kind: Annotated[Registered, typer.Argument(help="What to list.")],
    globs: Annotated[list[str] | None, typer.Argument(metavar="[ID-GLOB]...", help="Only ids that match.")] = None,
    *,
    as_json: AsJson = False,
) -> int:
    """List ids with what they are about."""
    from auditor.engine.registry import registry

    items = _items(registry(), kind)
    for glob in globs or ["*"]:
        if not any(fnmatchcase(identifier, glob) for identifier in items):
            raise EmptySelectionError(kind.value.removesuffix("s"), glob, items)
    chosen = [name for name in items if not globs or any(fnmatchcase(name, glob) for glob in globs)]
    rows = [{"id": name, **_ROWS[kind](items[name])} for name in chosen]
    if as_json:
        emit({"kind": kind.value, "count": len(rows), "items": rows})
    else:
        say(*columns([list(row.values()) for row in rows], list(rows[0])))
    return 0
