"""`auditor accountants`: other people's libraries, each in an environment of its own, and one table of them."""

from __future__ import annotations

import time
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import click

from auditor.front.verbs.output import columns, emit, log, say
from auditor.front.verbs.parameters import as_json_option

if TYPE_CHECKING:
    from auditor.accountant_audit.environments import LibraryAccountant
    from auditor.accountant_audit.result import AccountantAudit


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
@click.option("--budget", metavar="SECONDS", default=60.0, help="CPU time of each accountant.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the search.")
@as_json_option
def command(action: str, names: tuple[str, ...], *, max_examples: int, budget: float, seed: int, as_json: bool) -> int:
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
    rows = [
        _row(one, options if action == Action.AUDIT else None) for library in libraries for one in library.accountants
    ]
    if as_json:
        emit({"accountants": rows})
    else:
        shown = [{name: text for name, text in row.items() if name not in {"met", "detail"}} for row in rows]
        say(*columns([list(map(str, row.values())) for row in shown], list(shown[0])))
    return 0 if all(row.get("met", True) for row in rows) else 1


def _row(accountant: LibraryAccountant, options: dict[str, Any] | None) -> dict[str, Any]:
    """What the table says of one accountant; without options it is not called."""
    from auditor.findings.card import WORDS

    library = accountant.library
    row = {"id": accountant.id, "library": f"{library.distribution} {library.version or 'not installed'}"}
    if options is None:
        return {**row, "against": accountant.against, "title": accountant.title}
    if library.version is None:
        return {
            **row,
            "verdict": "not applicable",
            "worst": "",
            "loosest": "",
            "ms a call": "",
            "found": library.remedy,
        }
    log(f"auditing {accountant.id}")
    started = time.monotonic()
    audit = _audited(accountant, options)
    spent = 1000 * (time.monotonic() - started) / audit.examples
    expected = accountant.expected.value == "HOLDS"
    return {
        **row,
        "verdict": WORDS[audit.verdict] + ("" if expected else ", as expected" if audit.exit_code == 1 else ", mended"),
        "worst": _ratio(audit, ("unsafe", "rounding")),
        "loosest": _ratio(audit, ("loose",)),
        "ms a call": f"{spent:.0f}",
        "found": ", ".join(f"{name} {one.calls}" for name, one in audit.classes.items()),
        "met": (audit.exit_code != 1) == expected,
        "detail": audit.detail,
    }


def _ratio(audit: AccountantAudit, names: tuple[str, ...]) -> str:
    """The quotient of the worst answer of a class, in the practical range where there is one."""
    one = next((audit.classes[name] for name in names if name in audit.classes), None)
    point = None if one is None else one.worst_practical or one.worst
    return "" if point is None or point.ratio is None else f"{float(point.ratio):.3g}"


def _audited(accountant: LibraryAccountant, options: dict[str, Any]) -> AccountantAudit:
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.front.accountants import claim_of

    return audit_accountant(accountant.request(claim_of(accountant.against), **options))


def _issue(names: tuple[str, ...], options: dict[str, Any]) -> int:
    from auditor.accountant_audit import environments
    from auditor.errors import UsageError

    if len(names) != 1:
        raise UsageError("expected `auditor accountants issue ID`, with one id of `auditor accountants list`")
    accountant = environments.accountant(names[0])
    from auditor.accountant_audit.issue import issue

    say(*issue(accountant, _audited(accountant, options)).splitlines())
    return 0
