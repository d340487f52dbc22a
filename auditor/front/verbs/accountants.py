"""`auditor accountants`: libraries, each in its own environment, and a table of their accountants."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import click

from auditor.errors import counted
from auditor.front.verbs.output import columns, emit, log, say
from auditor.front.verbs.parameters import PATH, as_json_option
from auditor.writing import writable_directory, write

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from auditor.accountant_audit.environments import Library, LibraryAccountant
    from auditor.accountant_audit.request import AccountantRequest
    from auditor.accountant_audit.result import AccountantAudit
    from auditor.accountant_audit.survey import Survey
    from auditor.report.accountants import Audited

LIGHT = "light"
PAGE = "accountants.html"
WHOLE_SHARE = 0.5
"""Budget of the audit of the claim's whole domain, as a share of that of the box."""
RECORD = "recorded.json"
"""File name of the table as data; reports quote the copy in `auditor/accountant_audit/adapters`."""


class Action(StrEnum):
    """Actions on the libraries."""

    LIST = "list"
    INSTALL = "install"
    UNINSTALL = "uninstall"
    AUDIT = "audit"
    ISSUE = "issue"
    UNAUDITED = "unaudited"


@click.command
@click.argument("action", type=click.Choice([action.value for action in Action]), help="The action.")
@click.argument(
    "names",
    nargs=-1,
    metavar="[NAME]...",
    help="Libraries, all, or light. For audit, list and issue: ids of accountants.",
)
@click.option(
    "--max-examples", type=click.IntRange(min=1), help="Number of examples in each search.  [default: 60; light: 20]"
)
@click.option(
    "--budget",
    metavar="SECONDS",
    type=float,
    help="CPU seconds of each accountant.  [default: its declared budget, or 60; light: 12]",
)
@click.option("--jobs", type=click.IntRange(min=1), help="With audit: processes.  [default: one per processor]")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the search.")
@click.option("--out", metavar="DIR", type=PATH, help="With audit: directory of the page, the maps and the scripts.")
@as_json_option
def command(
    action: str,
    names: tuple[str, ...],
    *,
    max_examples: int | None,
    budget: float | None,
    jobs: int | None,
    seed: int,
    out: Path | None,
    as_json: bool,
) -> int:
    """Audit the accountants of other libraries.

    audit: compare the answers of each library with the exact values in one table. Exit 1 if a result is unexpected. The
    name light selects installed accountants without a declared budget.

    install: create the environment of a library from a lock file. uninstall: remove it.

    issue: print a report for the authors. It repeats the recorded case. It searches again if the recorded case no
    longer has a defect, or with --max-examples, --budget or --seed.

    unaudited: list the public functions of installed libraries that no adapter calls.
    """
    from auditor.accountant_audit import environments
    from auditor.errors import UsageError

    light = names == (LIGHT,)
    sizes = {"max_examples": 20, "budget": 12.0} if light else {"max_examples": 60, "budget": 60.0}
    searches = {"max_examples": max_examples, "budget": budget, "seed": seed or None}
    settings = {name: value for name, value in searches.items() if value is not None}
    options = {**sizes, "seed": seed, **settings}
    if action == Action.ISSUE:
        return _issue(names, options, anew=bool(settings))
    ids = [name for name in names if "." in name and action in {Action.AUDIT, Action.LIST}]
    whole = tuple(name for name in names if name not in ids)
    libraries = environments.here() if light else environments.chosen(whole) if whole or not ids else []
    if action in {Action.INSTALL, Action.UNINSTALL}:
        if not names:
            raise UsageError(f"expected `auditor accountants {action} NAME`, or all; got no name")
        for library in libraries:
            (_install if action == Action.INSTALL else _uninstall)(library)
        return 0
    if action == Action.UNAUDITED:
        return _list_unaudited(libraries if names else [one for one in libraries if one.version], as_json=as_json)
    every = [one for library in libraries for one in library.accountants if not (light and one.budget)]
    every += map(environments.accountant, ids)
    if action == Action.LIST:
        described = [_describe_row(one) for one in every]
        if as_json:
            emit({"accountants": described})
        else:
            say(*columns([[*row.values()] for row in described], [*described[0]]))
        return 0
    from auditor.report.accountants import render
    from auditor.settings import processors

    if out is not None:
        writable_directory(out)
    rows = _rows(every, options, jobs or processors())
    if out is not None:
        write(out / PAGE, render(rows, options))
        cases = {one.accountant.id: one.cases for one in rows if one.cases}
        today = datetime.now(UTC).date().isoformat()
        dated = [{**one.row, "date": today} for one in rows]
        record = {"options": options, "accountants": dated, "cases": cases}
        write(out / RECORD, json.dumps(record, indent=1) + "\n")
        log(f"wrote {out / PAGE} and {RECORD}")
    if as_json:
        emit({"accountants": [{**row.row, "met": row.met, "detail": row.audit and row.audit.detail} for row in rows]})
    else:
        printed_rows = [{name: cell for name, cell in row.row.items() if "case" not in name} for row in rows]
        say(*columns([[*row.values()] for row in printed_rows], [*printed_rows[0]]))
    return 0 if all(row.met for row in rows) else 1


def _install(library: Library) -> None:
    from auditor.accountant_audit.environments import MEGABYTES_A_SECOND

    size, packages = library.facts["megabytes"], library.lock.read_text(encoding="utf-8").count("==")
    log(
        f"installing {library.distribution} in {library.folder}: {counted(packages, 'package')}, {size} MB, about "
        f"{max(10, size // MEGABYTES_A_SECOND)} s with a fast connection"
    )
    say(f"{library.name}: {library.distribution} {library.install()}")


def _uninstall(library: Library) -> None:
    say(f"{library.name}: {'removed' if library.uninstall() else 'no environment in'} {library.folder}")


def _list_unaudited(libraries: Sequence[Library], *, as_json: bool) -> int:
    from auditor.accountant_audit.unaudited import unaudited

    unaudited_functions = {library.name: unaudited(library) for library in libraries}
    if as_json:
        emit({"unaudited": unaudited_functions})
        return 0
    for name, functions in unaudited_functions.items():
        say(
            f"{name}: {counted(len(functions), 'public function')} without an adapter",
            *(f"  {one}" for one in functions),
        )
    return 0


def _describe_row(accountant: LibraryAccountant) -> dict[str, str]:
    library = f"{accountant.library} {accountant.installed_version or 'not installed'}"
    return {"id": accountant.id, "library": library, "against": accountant.against, "title": accountant.title}


def _rows(every: Sequence[LibraryAccountant], options: dict[str, Any], jobs: int) -> list[Audited]:
    """Audit accountants in parallel; return the results in the given order."""
    import joblib

    from auditor.front.accountants import claim_of
    from auditor.report.accountants import Audited

    installed = [one for one in every if one.installed_version is not None]
    parallel = joblib.Parallel(n_jobs=min(jobs, len(installed) or 1), return_as="generator", batch_size=1)
    by_id: dict[str, tuple[AccountantAudit, Survey, AccountantAudit]] = {}
    for one, done in zip(
        installed, parallel(joblib.delayed(_audit_one)(one.id, options) for one in installed), strict=True
    ):
        by_id[one.id] = done
        log(f"audited {len(by_id)} of {len(installed)}, {one.id}")
    return [Audited(one, claim_of(one.against), *by_id.get(one.id, (None, None, None))) for one in every]


def _audit_one(identifier: str, options: dict[str, Any]) -> tuple[AccountantAudit, Survey, AccountantAudit]:
    """Audit one accountant in a worker process: in its box with a survey, and in the claim's whole domain."""
    from auditor.accountant_audit import environments
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.accountant_audit.survey import audit_and_survey

    request = _request(environments.accountant(identifier), options)
    audit, survey = audit_and_survey(request)
    whole = audit_accountant(replace(request.without_box(), budget=WHOLE_SHARE * request.budget))
    return _without_balls(audit), survey, _without_balls(whole)


def _without_balls(audit: AccountantAudit) -> AccountantAudit:
    """Return an audit that can be pickled."""
    calls = (replace(call, judgement=replace(call.judgement, truth=None, ratio=None)) for call in audit.calls)
    return replace(audit, calls=tuple(calls))


def _request(accountant: LibraryAccountant, options: dict[str, Any]) -> AccountantRequest:
    from auditor.accountant_audit.request import AccountantRequest
    from auditor.front.accountants import claim_of

    budget = max(options["budget"], accountant.budget)
    return AccountantRequest.registered(accountant, claim_of(accountant.against), **{**options, "budget": budget})


def _issue(names: tuple[str, ...], options: dict[str, Any], *, anew: bool) -> int:
    from auditor.accountant_audit import environments
    from auditor.errors import UsageError

    if len(names) != 1:
        raise UsageError("expected `auditor accountants issue ID`, with one id of `auditor accountants list`")
    accountant = environments.accountant(names[0])
    from auditor.accountant_audit.audit import audit_accountant, audit_points
    from auditor.accountant_audit.issue import issue
    from proofs_numeric.arithmetic import exact

    request, record = _request(accountant, options), environments.recorded()
    cases = () if anew else record["cases"].get(accountant.id, ())
    if cases:
        row = next(row for row in record["accountants"] if row["id"] == accountant.id)
        audit = audit_points(request, [{name: exact(text) for name, text in point.items()} for point in cases])
        if audit.counterexample:
            say(*issue(accountant, request.claim, audit, row).splitlines())
            return 0
        log(f"{accountant.installed_version} is right in the case recorded of {row['library']}: searching")
    say(*issue(accountant, request.claim, audit_accountant(request)).splitlines())
    return 0
