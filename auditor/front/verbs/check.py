"""`auditor check`: audits of all targets that a project lists."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import click

from auditor.errors import EmptySelectionError
from auditor.front.audited import report_of, write_forms
from auditor.front.project import CONFIGURATION, audit, read
from auditor.front.verbs.output import emit, say
from auditor.front.verbs.parameters import PATH, Amount, amount_option, as_json_option, forms_options
from auditor.writing import writable_directory


@click.command
@click.argument("selection", nargs=-1, metavar="[TARGET-GLOB]...", help="Globs over targets. Without globs: all.")
@click.option("--config", metavar="FILE", type=PATH, default=CONFIGURATION, help="File with the table [tool.auditor].")
@click.option("--out", metavar="DIR", type=PATH, help="Also write the report to this directory.")
@forms_options
@amount_option
@as_json_option
def command(
    selection: tuple[str, ...],
    *,
    config: Path,
    out: Path | None,
    junit: Path | None,
    sarif: Path | None,
    github: bool,
    amount: Amount,
    as_json: bool,
) -> int:
    """Audit the targets that pyproject.toml lists.

    `auditor init` writes the list. Exit 0: no violation seen. Exit 1: a target is refuted. Exit 2: a target
    cannot be audited. Exit 3: undecided.
    """
    project = read(config)
    entries = [
        entry
        for entry in project.entries
        if not selection or any(fnmatch(entry[1], glob) or entry[1] == glob for glob in selection)
    ]
    if not entries:
        raise EmptySelectionError("target", selection[0], [target for _, target, _ in project.entries])
    folder = None if out is None else writable_directory(out)
    from auditor.findings.card import WORDS
    from auditor.front.verbs.progress import live_line
    from auditor.report import files, json, view

    findings = []
    for kind, target, options in entries:
        with live_line(quiet=amount is Amount.QUIET) as show:
            finding = audit(project, kind, target, options, show)
        findings.append(finding)
        if not as_json:
            say(f"{WORDS[finding.verdict]}: {target}", f"  {finding.headline}", f"  see it again: {finding.reproduce}")
    report = report_of(findings, selection=view.PROJECT, profile="standard", seed=project.seed, alpha=project.alpha)
    if folder is not None:
        files.write(report, folder, strict=True)
    write_forms(report, junit=junit, sarif=sarif, github=github)
    if as_json:
        emit(json.render(report))
    else:
        say(view.conclusion(report))
    return view.exit_code(report, strict=True)
