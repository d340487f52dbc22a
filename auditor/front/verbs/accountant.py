"""`auditor accountant`: somebody's accountant against a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from auditor.front.verbs.output import AsJson, Python, box_ends, columns, emit, say

if TYPE_CHECKING:
    from auditor.accountant_audit.request import AccountantOptions
    from auditor.accountant_audit.result import AccountantAudit


def command(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="package.module:callable, path/to/file.py:callable, exec:COMMAND (docs/protocol.md), or a registered "
            "id.",
        ),
    ],
    against: Annotated[
        str | None,
        typer.Option(metavar="CLAIM", help="The claim it computes: an id of `auditor list truths`, or FILE.py:CLAIM."),
    ] = None,
    *,
    box: Annotated[
        list[str] | None, typer.Option("--box", metavar="NAME=LO:HI", help="Searched range; may be repeated.")
    ] = None,
    tolerance: Annotated[
        str | None, typer.Option(help="Relative under-report that counts as none.  [default: 1e-9]")
    ] = None,
    max_examples: Annotated[int | None, typer.Option(min=1, help="Size of each search.  [default: 400]")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 0,
    call_timeout: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="CPU time after which a call counts as unanswered.  [default: 10]"),
    ] = None,
    budget: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="CPU time of the whole audit.  [default: 600]")
    ] = None,
    returns: Annotated[
        str | None,
        typer.Option(metavar="PARTS", help="What each number of an answer is: lower,estimate,upper, or _ for neither."),
    ] = None,
    solves: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Parameters of CLAIM that TARGET returns, given delta: sigma, or sigma,gap."
        ),
    ] = None,
    python: Python = None,
    as_json: AsJson = False,
) -> int:
    """Audit an accountant against a claim.

    Searches for inputs at which it under-reports, misbehaves or is loose; exit 1 when it is unsafe, invalid or
    inconsistent, 3 when too little could be judged.
    """
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.front.accountants import accountant_request

    options: AccountantOptions = {"box": box_ends(box or []), "seed": seed}
    if tolerance is not None:
        options["tolerance"] = tolerance
    if max_examples is not None:
        options["max_examples"] = max_examples
    if call_timeout is not None:
        options["call_timeout"] = call_timeout
    if python is not None:
        options["python"] = python
    if budget is not None:
        options["budget"] = budget
    if returns is not None:
        options["returns"] = returns.split(",")
    if solves is not None:
        options["solves"] = solves.split(",")
    audit = audit_accountant(accountant_request(target, against, **options))
    if as_json:
        emit(audit.to_json())
    else:
        say(*_lines(audit))
    return audit.exit_code


def _lines(audit: AccountantAudit) -> list[str]:
    from auditor.findings.card import WORDS
    from auditor.report.view import enclosed_text, parameters_text

    held = f"{audit.achieves} achieved" if audit.achieves else "truth"
    rows = [
        [name, str(one.calls), str(one.practical), f"{shown.returned} at {parameters_text(shown.parameters)}{truth}"]
        for name, one in audit.classes.items()
        if (shown := one.worst) is not None
        for truth in [f", {held} {enclosed_text(shown.truth)}" if shown.truth else ""]
    ]
    kept = f", held, as it does not take them: {parameters_text(audit.held)}" if audit.held else ""
    return [
        f"{WORDS[audit.verdict]}: {audit.target} against {audit.claim}",
        f"  {audit.detail}",
        f"  tolerance {audit.tolerance}{kept}",
        *(f"  {line}" for line in columns(rows, ["answers", "calls", "practical", "worst"])),
        f"  see it again: {audit.reproduce}",
    ]
