"""`auditor accountant`: somebody's accountant against a claim."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from auditor.front.verbs.output import box_ends, columns, emit, say
from auditor.front.verbs.parameters import as_json_option, ids, python_option

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from auditor.accountant_audit.log import Call
    from auditor.accountant_audit.request import AccountantOptions
    from auditor.accountant_audit.result import AccountantAudit


@click.command
@click.argument(
    "target",
    metavar="TARGET",
    shell_complete=ids("accountants", "faults", files=True),
    help="package.module:callable, path/to/file.py:callable, exec:COMMAND (docs/protocol.md), or a registered id.",
)
@click.option(
    "--against",
    metavar="CLAIM",
    shell_complete=ids("claims"),
    help="The claim it computes: an id of `auditor list truths`, or FILE.py:CLAIM.",
)
@click.option("--box", multiple=True, metavar="NAME=LO:HI", help="Searched range; may be repeated.")
@click.option("--tolerance", help="Relative under-report that counts as none.  [default: 1e-9]")
@click.option("--max-examples", type=click.IntRange(min=1), help="Size of each search.  [default: 400]")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the search.")
@click.option(
    "--call-timeout",
    metavar="SECONDS",
    type=float,
    help="CPU time after which a call counts as unanswered.  [default: 10]",
)
@click.option("--budget", metavar="SECONDS", type=float, help="CPU time of the whole audit.  [default: 600]")
@click.option(
    "--returns", metavar="PARTS", help="What each number of an answer is: lower,estimate,upper, or _ for neither."
)
@click.option(
    "--solves", metavar="NAMES", help="Parameters of CLAIM that TARGET returns, given delta: sigma, or sigma,gap."
)
@python_option
@as_json_option
def command(
    target: str,
    *,
    against: str | None,
    box: tuple[str, ...],
    tolerance: str | None,
    max_examples: int | None,
    seed: int,
    call_timeout: float | None,
    budget: float | None,
    returns: str | None,
    solves: str | None,
    python: str | None,
    as_json: bool,
) -> int:
    """Audit an accountant against a claim.

    Searches for inputs at which it under-reports, misbehaves or is loose; exit 1 when it is unsafe, invalid or
    inconsistent, 3 when too little could be judged.
    """
    from auditor.front.accountants import accountant_request

    options: AccountantOptions = {"box": box_ends(box), "seed": seed}
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
    request = accountant_request(target, against, **options)
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.front.verbs.progress import live_line

    with live_line() as show:
        audit = audit_accountant(request, None if show is None else partial(_follow, show, request.budget))
    if as_json:
        emit(audit.to_json())
    else:
        say(*_lines(audit))
    return audit.exit_code


def _follow(show: Callable[[object], None], budget: float, calls: Sequence[Call], seconds: float) -> None:
    from auditor.accountant_audit.log import BAD

    bad = sum(call.kind in BAD for call in calls)
    show(f"{len(calls):,} calls, {bad} of them bad; at most {max(0.0, budget - seconds):.0f} CPU s left")


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
