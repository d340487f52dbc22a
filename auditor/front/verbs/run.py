"""`auditor run`: every check that applies to a selection, and the report."""

from __future__ import annotations

import os
import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from auditor.front.verbs.output import AsJson, emit, log, say, writable_directory, write_all

if TYPE_CHECKING:
    from auditor.report.model import AuditReport


def processors() -> int:
    """Processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def command(
    selection: Annotated[
        list[str] | None, typer.Argument(metavar="[ID-GLOB]...", help="Globs over ids; everything when left out.")
    ] = None,
    *,
    profile: Annotated[str, typer.Option(help="Budget: quick, standard or deep.")] = "standard",
    seed: Annotated[int, typer.Option(help="All randomness derives from it.")] = 0,
    alpha: Annotated[str, typer.Option(help="False-alarm probability of the whole run.")] = "1e-6",
    jobs: Annotated[int | None, typer.Option(help="Worker processes; one a processor when left out.")] = None,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the report goes.")] = Path("audit-report"),
    resume: Annotated[bool, typer.Option("--resume", help="Go on from an interrupted run in DIR.")] = False,
    evidence: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the black-box runs of one mechanism to this history.")
    ] = None,
    backend: Annotated[
        str | None, typer.Option(metavar="dask://HOST:PORT", help="Run on a Dask cluster; same report.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Undecided fails, with exit code 3.")] = False,
    as_json: AsJson = False,
) -> int:
    """Check a selection and write the report."""
    from auditor.front.verbs.progress import listener
    from auditor.settings import checked_settings

    workers = processors() if jobs is None else jobs
    from auditor.engine import runner
    from auditor.engine.checkpoint import CHECKPOINT
    from auditor.report import json, view

    checked_settings(profile, seed, alpha, workers)
    folder = writable_directory(out)
    if resume and not (folder / CHECKPOINT).exists():
        log(f"nothing to resume in {folder}: starting from the beginning")
    with listener() as events:
        report = runner.run(
            selection or (),
            profile=profile,
            seed=seed,
            alpha=alpha,
            jobs=workers,
            out=folder,
            resume=resume,
            evidence=evidence,
            backend=backend,
            events=events,
            keep=lambda report: write_report(report, folder, strict=strict),
        )
    if as_json:
        emit(json.render(report))
    else:
        say(*summary(report, folder), f"report: {folder / 'report.html'} (beside it report.json, report.md, junit.xml)")
    if not report.complete:
        log(
            f"interrupted: the partial report is in {folder}; `auditor run --resume` with the same options completes it"
        )
    return view.exit_code(report, strict=strict)


def write_report(report: AuditReport, folder: Path, *, strict: bool) -> None:
    """Write the report in its four forms: all of them or none."""
    write_all({folder / name: text for name, text in forms(report, strict=strict).items()})


def forms(report: AuditReport, *, strict: bool) -> dict[str, str]:
    """Return the files of a report, by name.

    The others are views of the JSON as it is written, so what is rendered of it later is the same to the byte.
    """
    from auditor.report import html, json, junit, markdown

    canonical = json.render(report)
    report = json.parse(canonical, "report.json")
    return {
        "report.json": canonical,
        "report.html": html.render(report),
        "report.md": markdown.render(report),
        "junit.xml": junit.render(report, strict=strict),
    }


def summary(report: AuditReport, folder: Path) -> list[str]:
    """What a person reads on the terminal when a run is over and its report is in the folder."""
    from auditor.findings.card import WORDS
    from auditor.report import view
    from proofs_numeric.statements.verdict import Verdict

    lines = [view.conclusion(report)]
    if counts := view.counts_line(report):
        lines.append(f"{counts}.")
    if report.claims:
        verdicts = Counter(claim.verdict for claim in report.claims)
        said = [f"{number} {WORDS[verdict]}" for verdict in Verdict if (number := verdicts[verdict])]
        lines.append(f"Claims: {', '.join(said)}.")
    for title, findings in (("against expectation", view.unexpected(report)), ("undecided", view.undecided(report))):
        if findings:
            lines += ["", f"{title}:"]
        for finding in findings:
            lines += [
                f"  {WORDS[finding.verdict]}: {finding.id}",
                f"    {finding.headline}",
                f"    see it again: {shlex.join(['auditor', 'reproduce', finding.id, '--report', str(folder)])}",
            ]
    return [*lines, ""]
