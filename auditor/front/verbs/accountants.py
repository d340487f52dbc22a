"""`auditor accountants`: other people's libraries, each in an environment of its own, and one table of them."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import click

from auditor.front.verbs.output import columns, emit, log, say
from auditor.front.verbs.parameters import PATH, as_json_option
from auditor.writing import writable_directory, write

if TYPE_CHECKING:
    from pathlib import Path

    from auditor.accountant_audit.environments import LibraryAccountant
    from auditor.accountant_audit.request import AccountantRequest
    from auditor.report.accountants import Audited

PAGE = "accountants.html"
RECORD = "recorded.json"
"""The table as data; the copy in `auditor/accountant_audit/adapters` is what a report quotes."""


class Action(StrEnum):
    """What is done with the libraries."""

    LIST = "list"
    INSTALL = "install"
    UNINSTALL = "uninstall"
    AUDIT = "audit"
    ISSUE = "issue"


@click.command
@click.argument("action", type=click.Choice([action.value for action in Action]), help="What to do.")
@click.argument("names", nargs=-1, metavar="[NAME]...", help="Libraries, or all; for issue the id of an accountant.")
@click.option("--max-examples", type=click.IntRange(min=1), default=60, help="Size of each search.")
@click.option("--budget", metavar="SECONDS", default=60.0, help="CPU time of each accountant, or what it declares.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the search.")
@click.option("--out", metavar="DIR", type=PATH, help="Of audit: where a page with maps and scripts is written.")
@as_json_option
def command(
    action: str,
    names: tuple[str, ...],
    *,
    max_examples: int,
    budget: float,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> int:
    """Audit other people's accountants.

    One table: what each library answers, against the exact value; exit 1 where one is not as expected. Install makes an
    environment from a lock file, uninstall removes it, issue prints the text of a report for the authors.
    """
    from auditor.accountant_audit import environments

    options = {"max_examples": max_examples, "budget": budget, "seed": seed}
    if action == Action.ISSUE:
        return _issue(names, options)
    libraries = environments.chosen(names)
    if action == Action.INSTALL:
        for library in libraries:
            log(f"installing {library.distribution} in {library.folder}")
            say(f"{library.name}: {library.distribution} {library.install()}")
        return 0
    if action == Action.UNINSTALL:
        for library in libraries:
            library.uninstall()
        return 0
    every = [one for library in libraries for one in library.accountants]
    if action == Action.LIST:
        described = [_described(one) for one in every]
        if as_json:
            emit({"accountants": described})
        else:
            say(*columns([[*row.values()] for row in described], [*described[0]]))
        return 0
    from auditor.report.accountants import render

    if out is not None:
        writable_directory(out)
    rows = [_row(one, options, f"{place} of {len(every)}, {one.id}") for place, one in enumerate(every, start=1)]
    if out is not None:
        write(out / PAGE, render(rows, options))
        write(out / RECORD, json.dumps({"options": options, "accountants": [row.row for row in rows]}, indent=1) + "\n")
        log(f"wrote {out / PAGE} and {RECORD}")
    if as_json:
        emit({"accountants": [{**row.row, "met": row.met, "detail": row.audit and row.audit.detail} for row in rows]})
    else:
        shown = [{name: cell for name, cell in row.row.items() if name != "case"} for row in rows]
        say(*columns([[*row.values()] for row in shown], [*shown[0]]))
    return 0 if all(row.met for row in rows) else 1


def _described(accountant: LibraryAccountant) -> dict[str, str]:
    named = f"{accountant.library} {accountant.installed_version or 'not installed'}"
    return {"id": accountant.id, "library": named, "against": accountant.against, "title": accountant.title}


def _row(accountant: LibraryAccountant, options: dict[str, Any], named: str) -> Audited:
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.accountant_audit.survey import survey
    from auditor.front.accountants import claim_of
    from auditor.front.verbs.progress import calls_line, live_line
    from auditor.report.accountants import Audited

    claim = claim_of(accountant.against)
    if accountant.installed_version is None:
        return Audited(accountant, claim)
    request = _request(accountant, options)
    with live_line() as show:
        if show is None:
            log(f"auditing {named}")
        audit = audit_accountant(
            request, show and (lambda *made: show(f"{named}: {calls_line(request.budget, *made)}"))
        )
        return Audited(accountant, claim, audit, survey(request))


def _request(accountant: LibraryAccountant, options: dict[str, Any]) -> AccountantRequest:
    from auditor.accountant_audit.request import AccountantRequest
    from auditor.front.accountants import claim_of

    budget = max(options["budget"], accountant.budget)
    return AccountantRequest.registered(accountant, claim_of(accountant.against), **{**options, "budget": budget})


def _issue(names: tuple[str, ...], options: dict[str, Any]) -> int:
    from auditor.accountant_audit import environments
    from auditor.errors import UsageError

    if len(names) != 1:
        raise UsageError("expected `auditor accountants issue ID`, with one id of `auditor accountants list`")
    accountant = environments.accountant(names[0])
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.accountant_audit.issue import issue

    say(*issue(accountant, audit_accountant(_request(accountant, options))).splitlines())
    return 0
