"""`auditor run`: every applicable check of a selection, and the report."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import UsageError, counted
from auditor.front.verbs.output import emit, log, say
from auditor.front.verbs.parameters import PATH, Amount, amount_option, as_json_option, ids
from auditor.settings import CACHE_VARIABLE, processors
from auditor.writing import writable_directory, write

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from auditor.engine import runner
    from auditor.engine.unit import Spent
    from auditor.report.model import AuditReport


MOST_CAUSES = 5
"""Maximum number of changes named at the end of a run."""


@click.command
@click.argument(
    "selection",
    nargs=-1,
    metavar="[ID-GLOB]...",
    shell_complete=ids("claims", "mechanisms", "faults", "controls", "accountants"),
    help="Globs over ids. Without globs: everything.",
)
@click.option("--profile", default="standard", help="Budget: quick (no library is called), standard or deep.")
@click.option("--seed", default=0, help="Seed of all random numbers.")
@click.option("--alpha", default="1e-6", help="False-alarm probability of the whole run.")
@click.option("--jobs", type=int, help="Worker processes.  [default: one per processor]")
@click.option("--out", metavar="DIR", type=PATH, default="audit-report", help="Directory of the report.")
@click.option("--resume", is_flag=True, help="Continue an interrupted run in the directory of --out.")
@click.option(
    "--evidence", metavar="FILE", type=PATH, help="Accumulate the black-box evidence of one mechanism in FILE."
)
@click.option("--backend", metavar="dask://HOST:PORT", help="Run on a Dask cluster. The report is identical.")
@click.option(
    "--cache",
    metavar="DIR",
    type=PATH,
    envvar=CACHE_VARIABLE,
    help="Store findings in DIR. Checks whose inputs have not changed are not run again.",
)
@click.option("--timings", metavar="FILE", type=PATH, help="Write the time of each check as CSV, the longest first.")
@click.option("--strict", is_flag=True, help="Exit with code 3 if a result is undecided.")
@amount_option
@as_json_option
def command(
    selection: tuple[str, ...],
    *,
    profile: str,
    seed: int,
    alpha: str,
    jobs: int | None,
    out: Path,
    resume: bool,
    evidence: Path | None,
    backend: str | None,
    cache: Path | None,
    timings: Path | None,
    strict: bool,
    amount: Amount,
    as_json: bool,
) -> int:
    """Run all checks of a selection and write the report."""
    from auditor.engine.registry import registry
    from auditor.settings import checked_settings

    workers = processors() if jobs is None else jobs
    checked_settings(profile, seed, alpha, workers)
    if target := next((glob for glob in selection if ".py:" in glob), None):
        raise UsageError(
            f"expected ids of `auditor list`, got {target}; "
            "`auditor mechanism` and `auditor accountant` audit functions of a file"
        )
    registry().select(selection)
    from auditor.engine import runner
    from auditor.engine.checkpoint import CHECKPOINT
    from auditor.front.verbs.progress import listener
    from auditor.report import files, json, view

    folder = writable_directory(out)
    if resume and not (folder / CHECKPOINT).exists():
        log(f"nothing to resume in {folder}: starting from the beginning")
    done: list[runner.UnitDone] = []

    def listen(event: runner.Event) -> None:
        if isinstance(event, runner.UnitDone):
            done.append(event)
        progress(event)

    with listener(amount) as progress:
        report = runner.run(
            selection,
            profile=profile,
            seed=seed,
            alpha=alpha,
            jobs=workers,
            out=folder,
            resume=resume,
            evidence=evidence,
            backend=backend,
            cache=cache,
            events=listen,
            keep=lambda report: files.write(report, folder, strict=strict),
        )
    if timings is not None:
        write(timings, table_of({event.unit_id: event.spent for event in done}))
    if as_json:
        emit(json.render(report))
    elif amount is Amount.QUIET:
        say(view.conclusion(report))
    else:
        say(*summary(report, folder), *reuse(done))
        say(f"report: {folder / 'report.html'} (beside it report.json, report.md, junit.xml)")
    if not report.complete:
        log(
            f"interrupted: the partial report is in {folder}; `auditor run --resume` with the same options completes it"
        )
    return view.exit_code(report, strict=strict)


def reuse(done: Sequence[runner.UnitDone]) -> list[str]:
    """Return the number of checks taken from an earlier run, and the changes that caused other checks to run again."""
    before = sum(event.again for event in done)
    causes = Counter(event.changed for event in done if event.changed)
    if not before and not causes:
        return []
    most_common = causes.most_common(MOST_CAUSES)
    lines = [f"{before} of {counted(len(done), 'check')} not run again: nothing that they depend on has changed."]
    lines += [f"  run again because {cause} changed: {number}" for cause, number in most_common]
    rest = causes.total() - sum(number for _cause, number in most_common)
    return [*lines, *([f"  run again because of other changes: {rest}"] if rest else [])]


def table_of(seconds: Mapping[str, Spent | None]) -> str:
    """Return a CSV table of seconds by check, longest first, with empty cells for findings of an earlier run."""
    rows = sorted(seconds.items(), key=lambda row: (-row[1].cpu if row[1] else 0.0, row[0]))
    lines = [f"{unit},{took.cpu:.2f},{took.wall:.2f}" if took else f"{unit},," for unit, took in rows]
    return "\n".join(["check,cpu_seconds,wall_seconds", *lines, ""])


def summary(report: AuditReport, folder: Path) -> list[str]:
    """Return the summary printed at the end of a run, when the report is in the folder."""
    from auditor.findings.card import WORDS
    from auditor.report import view
    from proofs_numeric.statements.verdict import Verdict

    lines = [view.conclusion(report)]
    if counts := view.counts_line(report):
        lines.append(f"{counts}.")
    if report.claims:
        verdicts = Counter(claim.verdict for claim in report.claims)
        parts = [f"{number} {WORDS[verdict]}" for verdict in Verdict if (number := verdicts[verdict])]
        lines.append(f"Claims: {', '.join(parts)}.")
    for title, findings in (
        ("unexpected", view.unexpected_findings(report)),
        ("undecided", view.undecided_findings(report)),
        ("accumulated evidence of all runs", [finding for finding in view.continued_findings(report) if finding.met]),
    ):
        if findings:
            lines += ["", f"{title}:"]
        for finding in findings:
            lines += [
                f"  {WORDS[finding.verdict]}: {finding.id}",
                f"    {finding.headline}",
                f"    see it again: {shlex.join(['auditor', 'reproduce', finding.id, '--report', str(folder)])}",
            ]
    return [*lines, ""]
