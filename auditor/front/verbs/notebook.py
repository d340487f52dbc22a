"""`auditor notebook`: a notebook about a claim, a registered item, a user's code, or a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import UsageError
from auditor.front.verbs.output import assignments, box_ends, emit, log, say
from auditor.front.verbs.parameters import PATH, as_json_option, ids
from auditor.writing import writable_directory, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.report.notebook import Notebook


@click.command
@click.argument(
    "target",
    metavar="[TARGET]",
    required=False,
    shell_complete=ids("notebooks", "claims", "mechanisms", "faults", "controls", "accountants", files=True),
    help="A registered id, subject::check, package.module:callable, or path/to/file.py:callable.",
)
@click.argument(
    "parameters",
    nargs=-1,
    metavar="[NAME=VALUE]...",
    help="Exact values of the claim's parameters. With --report: more ids.",
)
@click.option("--claim", metavar="CLAIM", shell_complete=ids("claims"), help="The claim that a mechanism should keep.")
@click.option("--epsilon", help="Without --claim: the promised epsilon.")
@click.option("--delta", help="Without --claim: the promised delta.")
@click.option("--against", metavar="CLAIM", shell_complete=ids("claims"), help="The claim that an accountant computes.")
@click.option("--box", multiple=True, metavar="NAME=LO:HI", help="With --against: range of one parameter.")
@click.option("--report", metavar="FILE", type=PATH, help="Use the findings of a report. Ids select some of them.")
@click.option("--execute", is_flag=True, help="Run the cells and store their output.")
@click.option(
    "--html", "as_html", is_flag=True, help="Also write a page beside the notebook: one file without scripts."
)
@click.option("--out", metavar="DIR", type=PATH, default="notebooks", help="Directory of the notebook.")
@as_json_option
def command(
    target: str | None,
    parameters: tuple[str, ...],
    *,
    claim: str | None,
    epsilon: str | None,
    delta: str | None,
    against: str | None,
    box: tuple[str, ...],
    report: Path | None,
    execute: bool,
    as_html: bool,
    out: Path,
    as_json: bool,
) -> int:
    """Write a notebook of an audit or of findings.

    A registered id needs no option. Your mechanism: --claim with its parameters, or --epsilon and --delta. Your
    accountant: --against. Findings: --report.
    """
    folder = writable_directory(out)
    promise = {name: value for name, value in (("epsilon", epsilon), ("delta", delta)) if value is not None}
    if report is not None:
        story = _of_report(report, [*([] if target is None else [target]), *parameters])
    elif target is None:
        raise UsageError("expected an id, a TARGET, or --report FILE; `auditor list` prints the ids")
    elif "::" in target or ":" not in target:
        from auditor.front.notebook import story_of

        story = story_of(target)
    else:
        story = _of_target(target, folder, claim, assignments(parameters), promise, against, box)
    from auditor.front import notebook

    if execute:
        log(f"executing the notebook of {story.id}")
    node = notebook.write_notebook(story, folder, execute=execute)
    paths = [folder / f"{story.id}.ipynb"]
    notebook.save(node, paths[0])
    if as_html:
        paths.append(paths[0].with_suffix(".html"))
        write(paths[1], notebook.page(node))
    if as_json:
        emit({"notebook": str(paths[0]), "executed": execute, "html": str(paths[1]) if as_html else None})
    else:
        say(*(f"wrote {path}" for path in paths))
    return 0


def _of_report(file: Path, subjects: Sequence[str]) -> Notebook:
    from auditor.errors import UnknownIdError
    from auditor.front.notebooks.pages import of_report
    from auditor.report import json as report_json

    report = report_json.read(file)
    names = {name for finding in report.findings for name in (finding.subject, finding.id)}
    for identifier in subjects:
        if identifier not in names:
            raise UnknownIdError("finding", identifier, sorted(names))
    return of_report(report, subjects)


def _of_target(
    target: str,
    folder: Path,
    claim: str | None,
    values: dict[str, str],
    promise: dict[str, str],
    against: str | None,
    box: Sequence[str],
) -> Notebook:
    from auditor.engine.registry import registry
    from auditor.front.notebooks.pages import of_accountant, of_mechanism

    if against is not None:
        registry().claim(against)
        box_ends(box)
        _must_be_there(target)
        return of_accountant(target, folder, against, box)
    if claim is not None:
        registry().claim(claim)
    elif promise.keys() != {"epsilon", "delta"}:
        raise UsageError(f"expected --claim, or --epsilon and --delta, or --against, for the target '{target}'")
    _must_be_there(target)
    return of_mechanism(target, folder, claim, values, promise)


def _must_be_there(target: str) -> None:
    file, _, _ = target.rpartition(":")
    if file.endswith(".py") and not Path(file).is_file():
        raise UsageError(f"no such file: {file} (target '{target}'); paths are relative to the working directory")
