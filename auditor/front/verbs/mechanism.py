"""`auditor mechanism`: audit of a mechanism by its releases alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from auditor.front.audited import mechanism_finding, single_report, write_forms
from auditor.front.verbs.output import assignments, emit, say
from auditor.front.verbs.parameters import HEAD, Amount, amount_option, as_json_option, forms_options, ids
from auditor.mechanism_audit.options import OPTIONS, dashed

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from auditor.mechanism_audit.result import MechanismAudit

STOPPED = {
    "decision": "its decision",
    "samples": "its budget of releases",
    "power": "the number of releases that the requested power needs",
    "seconds": "its budget of CPU seconds",
    "wall": "the limit of --wall",
}


def with_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options of an audit."""
    for name, (one, default, _type) in reversed([*OPTIONS.items()]):
        attributes: dict[str, Any] = {"help": f"{one.help}{one.unset and f'  [default: {one.unset}]'}"}
        flag = f"--{dashed(name)}"
        if isinstance(default, bool):
            flag += f"/--no-{dashed(name)}" if default else ""
            attributes |= {"is_flag": True, "default": default, "show_default": default}
        elif one.choices:
            attributes["type"] = click.Choice(one.choices)
        elif one.number is not None:
            attributes |= {"type": one.number, "metavar": one.metavar or "NUMBER"}
        elif one.metavar:
            attributes["metavar"] = one.metavar
        if isinstance(default, str | int | float):
            attributes["default"] = default
        command = click.option(flag, name, **attributes)(command)
    return command


@click.command
@click.argument(
    "target",
    metavar="TARGET",
    shell_complete=ids("mechanisms", "faults", "controls", files=True),
    help="package.module:callable, path/to/file.py:callable, exec:COMMAND (docs/protocol.md), or a registered id.",
)
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...", help="Exact values of the claim's parameters.")
@click.option(
    "--claim", metavar="CLAIM", shell_complete=ids("claims"), help="Id of the claim that the mechanism should keep."
)
@with_options
@forms_options
@amount_option
@as_json_option
def command(
    target: str,
    parameters: tuple[str, ...],
    *,
    claim: str | None,
    junit: Path | None,
    sarif: Path | None,
    github: bool,
    amount: Amount,
    as_json: bool,
    **options: Any,
) -> int:
    """Audit a mechanism by its releases.

    The promise is a claim at given parameters, or --epsilon, --epsilon and --delta, --rho, --mu or --privacy-profile.
    Exit 0: no violation seen, with the power of --detect. Exit 1: refuted. Exit 3: undecided.
    """
    from auditor.engine.registered import mechanism_request

    values = {name: OPTIONS[name][0].read_from(value) for name, value in options.items() if value is not None}
    request = mechanism_request(target, claim, assignments(parameters), values)
    from auditor.front.verbs.progress import live_line
    from auditor.mechanism_audit.audit import audit_mechanism

    with live_line(quiet=amount is Amount.QUIET) as show:
        audit = audit_mechanism(request, show)
    if junit or sarif or github:
        finding = mechanism_finding(audit, claim, "audit.mechanism", audit.reproduce)
        write_forms(single_report(finding, audit.seed, audit.alpha), junit=junit, sarif=sarif, github=github)
    if as_json:
        emit(audit.to_json())
    else:
        lines = _lines(audit, request.one_run, every=amount is Amount.VERBOSE)
        head = HEAD + (audit.would_take is not None)
        say(*(lines[:head] if amount is Amount.QUIET else lines))
    return audit.exit_code


def _lines(audit: MechanismAudit, one_run: int | None, *, every: bool) -> list[str]:
    from auditor.findings.card import WORDS
    from auditor.findings.evidence import SamplingEvidence
    from auditor.mechanism_audit.result import real, side_text
    from auditor.report.view import bounds
    from auditor.target.target import CANNOT
    from proofs_numeric.statements.verdict import Verdict

    word = CANNOT if audit.verdict is Verdict.ERROR else WORDS[audit.verdict]
    lines = [f"{word}: {audit.target}", f"  {audit.detail.removeprefix(f'{CANNOT}: ')}"]
    lines += [] if audit.would_take is None else [f"  to decide: {audit.would_take}"]
    if audit.pair is not None and audit.result is not None:
        left, right = side_text(audit.pair.left), side_text(audit.pair.right)
        releases = f"{audit.result.pair_samples} of {audit.result.samples} releases per dataset"
        releases = releases if one_run is None else f"one release of {one_run} keys of one user each"
        lines += [
            f"  pair {audit.pair.id}, {audit.result.direction}: left {left}, right {right}",
            f"  {releases}; false alarms: {audit.alpha}",
        ]
        if audit.result.event and audit.result.epsilon_lower > 0:  # else there is no lower bound
            lines.append(f"  event ({audit.result.event_status}): {audit.result.event}")
    if audit.result is not None:
        lower = real(audit.result.epsilon_lower, down=True)
        lines.append(f"  epsilon is at least {lower} at delta={audit.delta_claimed}")
        sampled = [evidence for evidence in audit.evidence() if isinstance(evidence, SamplingEvidence)]
        lines += [f"  {line}" for evidence in sampled for line in bounds(evidence)]
    else:
        lines += [f"  note: {note}" for note in audit.notes]
    lines += [f"  where: {line}" for line in audit.where]
    if every:
        pairs = [(pair.id, side_text(pair.left), side_text(pair.right)) for pair in audit.tried]
        lines += [f"  tried {name}: left {left}, right {right}" for name, left, right in pairs]
        lines += [f"  importance sampling: {json.dumps(test.to_json(), ensure_ascii=False)}" for test in audit.steered]
    stopped = [] if audit.stopped is None else [f"  stopped by {STOPPED[audit.stopped]}"]
    return [*lines, *stopped, f"  see it again: {audit.reproduce}"]
