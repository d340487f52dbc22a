"""`auditor experiments`: the experiments of the papers, re-run."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.front.verbs.output import columns, emit, log, say
from auditor.front.verbs.parameters import PATH, as_json_option, ids
from auditor.writing import writable_directory, write_all

if TYPE_CHECKING:
    from collections.abc import Callable

    from auditor.experiments.experiment import Result


def _rows(result: Result) -> list[list[str]]:
    """One row a panel and curve: mean and standard error at every epsilon."""
    return [
        [
            panel.title,
            str(panel.buckets),
            line.title,
            "  ".join(f"{p.epsilon:g}: {p.mean:.3g} ({p.standard_error:.1g})" for p in line.points),
        ]
        for panel in result.panels
        for line in panel.lines
    ]


def _gaps(result: Result) -> list[str]:
    """One line a curve and epsilon without a point, with the reason."""
    missing = {
        f"no point: {line.title}, epsilon = {epsilon}: {reason}"
        for panel in result.panels
        for line in panel.lines
        for epsilon, reason in line.missing.items()
    }
    return sorted(missing)


def _figures(result: Result) -> dict[str, bytes]:
    """The figure in two forms; none, and a word why, where the package that draws it is not installed."""
    from auditor.experiments.drawing import picture
    from auditor.extras import missing

    try:
        return {kind: picture(result, kind) for kind in ("svg", "png")}
    except ImportError as error:
        if (lacking := missing(error)) is None:
            raise
        log(f"not drawn: {lacking}")
        return {}


def _shown(show: Callable[[object], None], name: str, how_far: str) -> None:
    show(f"{name}: {how_far}")


@click.command
@click.argument(
    "identifier",
    metavar="[ID]",
    required=False,
    shell_complete=ids("experiments"),
    help="Id of an experiment; all of them.",
)
@click.option("--full", is_flag=True, help="Every size and every epsilon.")
@click.option(
    "--out",
    metavar="DIR",
    type=PATH,
    default="audit-report/experiments",
    help="Where ID.json, ID.svg and ID.png go.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Root of all randomness.")
@as_json_option
def command(identifier: str | None, *, full: bool, out: Path, seed: int, as_json: bool) -> int:
    """Re-run the papers' experiments and draw their figures.

    Prints the mean of 10 repetitions and, in brackets, its standard error.
    """
    from auditor.engine.registry import registry
    from auditor.errors import UnknownIdError

    known = registry().experiments
    if identifier is not None and identifier not in known:
        raise UnknownIdError("experiment", identifier, known)
    from auditor.experiments.drawing import document
    from auditor.experiments.experiment import run
    from auditor.front.verbs.progress import live_line

    folder = writable_directory(out)
    files = []
    for name in [identifier] if identifier else known:
        with live_line() as show:
            if show is None:
                log(f"running {name}")
            result = run(known[name], full=full, seed=seed, progress=show and partial(_shown, show, name))
        contents: dict[str, str | bytes] = {"json": document(result), **_figures(result)}
        write_all({folder / f"{name}.{kind}": content for kind, content in contents.items()})
        files += [str(folder / f"{name}.{kind}") for kind in contents]
        if not as_json:
            say(f"{name}: {result.experiment.title}")
            say(*columns(_rows(result), ["population", "B", "mechanism", "epsilon: mean (standard error)"]))
            say(*_gaps(result), "")
    if as_json:
        emit({"files": files, "full": full, "seed": seed})
    else:
        say(*(f"wrote {file}" for file in files))
    return 0
