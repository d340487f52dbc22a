"""`auditor list`: registered ids, and their verdicts in a report."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path

import click

from auditor.errors import EmptySelectionError
from auditor.front.verbs.output import columns, emit, leaf
from auditor.front.verbs.parameters import PATH, as_json_option, ids
from proofs_numeric.statements.verdict import Verdict


class Registered(StrEnum):
    """Kinds of registered items; truths are the claims that accountants are compared with."""

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
"""Kinds with disjoint ids."""


def _collection(kind: Registered) -> str:
    return Registered.CLAIMS.value if kind is Registered.TRUTHS else kind.value


def _items(kind: Registered) -> Sequence[str]:
    """Return the ids of a kind; truths are sorted by the quantity that they compute."""
    from auditor.engine.registry import registry

    items = list(getattr(registry(), _collection(kind)))
    if kind is not Registered.TRUTHS:
        return items
    computes = {name: _cells(kind, name)["computes"] for name in items}
    return sorted((name for name in items if computes[name]), key=lambda name: (computes[name], name))


def _cells(kind: Registered, identifier: str) -> dict[str, str]:
    """Return the table cells of an id, from the index if the suite declares it, which avoids importing its module."""
    from auditor.engine.index import MODULE, cells, index
    from auditor.engine.registry import registry

    collection = _collection(kind)
    entry = index()[collection].get(identifier) or cells(collection, getattr(registry(), collection)[identifier])
    return {heading: text for heading, text in entry.items() if heading != MODULE}


def _row(kind: Registered, identifier: str) -> dict[str, str]:
    cells = _cells(kind, identifier)
    if kind is Registered.CLAIMS:
        cells.pop("computes")
    if kind is Registered.TRUTHS:
        cells = {heading: cells[heading] for heading in ("computes", "title")}
    if kind is Registered.ACCOUNTANTS:
        from auditor.accountant_audit.environments import version_of

        version = version_of(cells["library"]) or "not installed"
        cells |= {"library": cells["library"] or "this suite", "version": version, "title": cells.pop("title")}
    return {"id": identifier, **cells}


def _titles(kinds: Mapping[str, Registered]) -> list[dict[str, str]]:
    titles = {name: _cells(kind, name)["title"] for name, kind in kinds.items()}
    return [{"id": name, "kind": kinds[name].value.removesuffix("s"), "title": title} for name, title in titles.items()]


RESTS_ON = ("guarantee", "violates", "satisfies", "against")
"""Headings of the claim that a mechanism, fault, control or accountant depends on."""


def _paper(identifier: str, cells: Mapping[str, str]) -> str:
    """Return the paper of a claim, or of the claim that another item depends on: the first part of the claim's id."""
    claim = next((cells[heading] for heading in RESTS_ON if heading in cells), identifier)
    return claim.partition(".")[0]


def _verdicts(file: Path) -> dict[str, str]:
    """Return the verdict of each subject of a report."""
    from auditor.findings.finding import verdict_of
    from auditor.report import json
    from auditor.report.view import by_subject

    by_id = by_subject(json.read(file))
    return {subject: verdict_of(findings).value for subject, findings in by_id.items()}


NOT_IN_REPORT = "NOT_IN_REPORT"
CODED = ("verdict", "expected")
"""Headings of cells with codes, which are displayed as words."""


def _words(code: str) -> str:
    return Verdict[code].words if code in Verdict.__members__ else code.lower().replace("_", " ")


@click.command
@click.argument(
    "kind",
    type=click.Choice([kind.value for kind in Registered]),
    default=Registered.ALL.value,
    help="Kind of ids.  [default: all]",
)
@click.argument("globs", nargs=-1, metavar="[ID-GLOB]...", shell_complete=ids(*EACH), help="Only matching ids.")
@click.option("--paper", help="Only ids that depend on a claim of this paper, such as wilkins2024.")
@click.option("--verdict", help="Only ids with this verdict in the report: refuted, proved, 'no violation seen' ...")
@click.option(
    "--report", metavar="FILE", type=PATH, help="Report with the verdicts.  [default with --verdict: audit-report]"
)
@as_json_option
def command(
    kind: str, globs: tuple[str, ...], *, paper: str | None, verdict: str | None, report: Path | None, as_json: bool
) -> int:
    """List ids with their titles, and their verdicts in a report.

    On a terminal, a long list opens in the pager that PAGER names.
    """
    kind_chosen = Registered(kind)
    items: dict[str, Registered] = {
        name: each for each in (EACH if kind_chosen is Registered.ALL else [kind_chosen]) for name in _items(each)
    }
    for glob in globs or ["*"]:
        if not any(fnmatchcase(identifier, glob) for identifier in items):
            raise EmptySelectionError("id" if kind_chosen is Registered.ALL else kind.removesuffix("s"), glob, items)
    entries = {name: of for name, of in items.items() if not globs or any(fnmatchcase(name, glob) for glob in globs)}
    if paper is not None:
        papers = {name: _paper(name, _cells(of, name)) for name, of in entries.items()}
        entries = _those(entries, papers, "paper", paper)
    rows = [_row(kind_chosen, name) for name in entries] if kind_chosen is not Registered.ALL else _titles(entries)
    if verdict is not None or report is not None:
        verdicts = _verdicts(report or Path("audit-report"))
        rows = [{"id": row["id"], "verdict": verdicts.get(row["id"], NOT_IN_REPORT), **row} for row in rows]
        if verdict is not None:
            matching = _those(entries, {row["id"]: _words(row["verdict"]) for row in rows}, "verdict", _words(verdict))
            rows = [row for row in rows if row["id"] in matching]
    if as_json:
        emit({"kind": kind, "count": len(rows), "items": rows})
    else:
        printed_rows = [[_words(cell) if heading in CODED else cell for heading, cell in row.items()] for row in rows]
        leaf(*columns(printed_rows, list(rows[0])))
    return 0


def _those(
    entries: Mapping[str, Registered], values: Mapping[str, str], what: str, value: str
) -> dict[str, Registered]:
    """Return the chosen ids that have a value.

    Raises:
        EmptySelectionError: no id has the value; the message names a similar value.
    """
    if value not in values.values():
        raise EmptySelectionError(what, value, sorted(set(values.values())))
    return {name: of for name, of in entries.items() if values[name] == value}
