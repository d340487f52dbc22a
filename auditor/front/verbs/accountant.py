"""`auditor accountant`: audit of an accountant against a claim."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from auditor.errors import UsageError, counted
from auditor.front.audited import ALPHA, accountant_finding, single_report, write_forms
from auditor.front.verbs.output import box_ends, columns, emit, say
from auditor.front.verbs.parameters import (
    HEAD,
    Amount,
    amount_option,
    as_json_option,
    forms_options,
    ids,
    python_option,
)
from auditor.settings import MOST_JOBS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from auditor.accountant_audit.log import Call
    from auditor.accountant_audit.object_audit import ObjectAudit
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
    help="The claim that TARGET computes: an id of `auditor list truths`, or FILE.py:CLAIM.",
)
@click.option(
    "--box", multiple=True, metavar="NAME=LO:HI", help="Range of one parameter. Repeat the option for other parameters."
)
@click.option("--tolerance", help="Relative distance below the truth that still counts as right.  [default: 1e-9]")
@click.option("--max-examples", type=click.IntRange(min=1), help="Number of examples in each search.  [default: 400]")
@click.option("--floor", help="Absolute distance below the truth that still counts as rounding.  [default: 0]")
@click.option(
    "--strict",
    is_flag=True,
    help="Let corners (delta below 1e-15, epsilon outside 0.01 to 20, Renyi order below 1.01) decide the exit code.",
)
@click.option("--memory", metavar="MIB", type=click.IntRange(min=1), help="Memory limit of TARGET.  [default: 2048]")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of the search.")
@click.option(
    "--call-timeout",
    metavar="SECONDS",
    type=float,
    help="CPU seconds after which a call counts as unanswered.  [default: 10]",
)
@click.option("--budget", metavar="SECONDS", type=float, help="CPU seconds of the whole audit.  [default: 600]")
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1, MOST_JOBS),
    help="Processes that call a slow target. The result does not depend on N.",
)
@click.option(
    "--returns",
    metavar="PARTS",
    help="Meaning of each returned number, in order: lower, estimate or upper; _ for an unused number.",
)
@click.option(
    "--solves", metavar="NAMES", help="Parameters that TARGET returns for a delta: sigma, or sigma,gap of CLAIM."
)
@click.option("--rises", metavar="NAMES", help="Without --against: parameters in which delta never falls.")
@click.option(
    "--falls", metavar="NAMES", help="Without --against: parameters, except epsilon, in which delta never rises."
)
@click.option("--integers", metavar="NAMES", help="Without --against: parameters that are integers.")
@click.option(
    "--counts",
    metavar="NAME",
    help="Without --against: the number of releases. Declares that one pair is the worst at every epsilon.",
)
@click.option(
    "--methods",
    metavar="NAMES",
    help="With exec:COMMAND: names of its methods. The audit calls a method by COMMAND NAME.",
)
@click.option(
    "--refines",
    metavar="NAME",
    help="Without --against: parameter that is the width of a grid. Half the width must not give a larger answer.",
)
@python_option
@forms_options
@amount_option
@as_json_option
def command(
    target: str,
    *,
    against: str | None,
    box: tuple[str, ...],
    tolerance: str | None,
    floor: str | None,
    strict: bool,
    memory: int | None,
    max_examples: int | None,
    seed: int,
    call_timeout: float | None,
    budget: float | None,
    jobs: int | None,
    returns: str | None,
    solves: str | None,
    rises: str | None,
    falls: str | None,
    integers: str | None,
    counts: str | None,
    refines: str | None,
    methods: str | None,
    python: str | None,
    junit: Path | None,
    sarif: Path | None,
    github: bool,
    amount: Amount,
    as_json: bool,
) -> int:
    """Audit an accountant against a claim.

    Search for inputs at which the accountant is unsafe (below the truth), invalid (no number, or out of range),
    inconsistent or loose. Exit 0: loose at worst, apart from corners (delta below 1e-15, epsilon outside 0.01 to 20).
    Exit 3: too few answers could be judged, or the accountant declines. Exit 1: any other defect.

    A class is audited with its methods delta, epsilon, sigma ... and compose, which are also compared with each other.
    Without --against only internal consistency is checked.
    """
    from auditor.front.accountants import accountant_request, is_whole, object_request

    options = _set_options(
        box=box_ends(box),
        seed=seed,
        tolerance=tolerance,
        floor=floor,
        strict=strict or None,
        memory=memory,
        solves=solves and solves.split(","),
        max_examples=max_examples,
        call_timeout=call_timeout,
        budget=budget,
        python=python,
        returns=returns and returns.split(","),
    )
    of_function = _set_options(jobs=jobs)
    lists = {name: text and text.split(",") for name, text in (("rises", rises), ("falls", falls))}
    declared = _set_options(counts=counts, refines=refines, **lists)
    declared |= _set_options(integers=integers and integers.split(","))
    whole = bool(methods) or is_whole(target, against, python)
    if wrong := [*(of_function if whole else declared)]:
        purpose = "is for a function and --against" if whole else "is for accountants without --against"
        raise UsageError(f"--{wrong[0]} {purpose}")
    audit: AccountantAudit | ObjectAudit
    if whole:
        asked_whole = object_request(
            target, against, **options, **declared, **_set_options(methods=methods and methods.split(","))
        )
        from auditor.accountant_audit.object_audit import audit_object
        from auditor.front.verbs.progress import live_line

        with live_line(quiet=amount is Amount.QUIET) as show:
            audit = audit_object(asked_whole, None if show is None else partial(_follow_parts, show))
        lines = _parts(audit)
    else:
        request = accountant_request(target, against, **options, **of_function)
        from auditor.accountant_audit.audit import audit_accountant
        from auditor.front.verbs.progress import calls_line, live_line

        with live_line(quiet=amount is Amount.QUIET) as show:
            audit = audit_accountant(request, show and (lambda *numbers: show(calls_line(request.budget, *numbers))))
        lines = _lines(audit, every=amount is Amount.VERBOSE)
    if junit or sarif or github:
        finding = accountant_finding(audit, "audit.accountant", audit.reproduce)
        write_forms(single_report(finding, seed, ALPHA), junit=junit, sarif=sarif, github=github)
    if as_json:
        emit(audit.to_json())
    else:
        say(*(lines[:HEAD] if amount is Amount.QUIET else lines))
    return audit.exit_code


def _follow_parts(show: Callable[[object], None], what: str, calls: int, seconds: float) -> None:
    show(f"{what}: {calls:,} calls in {seconds:.0f} CPU s")


def _set_options(**options: Any) -> dict[str, Any]:
    """Return the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def _parts(audit: ObjectAudit) -> list[str]:
    from auditor.findings.card import WORDS

    parts = [
        [f"{name}: {WORDS[part.verdict]}", *(f"  {sentence}" for sentence in part.sentences)]
        for name, part in audit.parts.items()
    ]
    return [
        f"{WORDS[audit.verdict]}: {audit.target} against {audit.claim or 'itself'}",
        *(f"  {line}" for part in parts for line in part),
        *(
            f"  {name}, {counted(one.comparisons, 'comparison')}: {one.summary}"
            for name, one in audit.relations.items()
        ),
        *(f"  not audited: {name} ({reason})" for name, reason in audit.left_out.items()),
        *(f"  {line}" for line in audit.open),
        *([] if audit.claim else ["  no exact value was given: an error that all answers share cannot be detected"]),
        f"  tolerance {audit.tolerance}; {audit.calls} calls compared with each other",
        f"  see it again: {audit.reproduce}",
    ]


def _lines(audit: AccountantAudit, *, every: bool) -> list[str]:
    from auditor.findings.card import WORDS
    from auditor.report.view import enclosed_text, parameters_text

    reference = f"{audit.achieves} achieved" if audit.achieves else "truth"
    rows = [
        [name, str(one.calls), str(one.practical), f"{worst.returned} at {parameters_text(worst.parameters)}{truth}"]
        for name, one in audit.classes.items()
        if (worst := one.worst) is not None
        for truth in [f", {reference} {enclosed_text(worst.truth)}" if worst.truth else ""]
    ]
    fixed = f", fixed, because TARGET does not take them: {parameters_text(audit.constants)}" if audit.constants else ""
    return [
        f"{WORDS[audit.verdict]}: {audit.target} against {audit.claim}",
        *(f"  {sentence}" for sentence in audit.sentences),
        f"  tolerance {audit.tolerance}{fixed}",
        *(f"  {line}" for line in columns(rows, ["answers", "calls", "practical", "worst"])),
        *(f"  call: {call.kind.value}: {_call(call)}" for call in (audit.calls if every else ())),
        *([f"  to decide: {audit.decides}"] if audit.decides else []),
        f"  see it again: {audit.reproduce}",
    ]


def _call(call: Call) -> str:
    from auditor.accountant_audit.judge import format_answer

    arguments = ", ".join(f"{name}={value!r}" for name, value in call.point.items())
    return f"{arguments}: {format_answer(call.answer)}"
