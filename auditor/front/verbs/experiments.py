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

    from auditor.experiments.result import Result


def _figures(result: Result) -> dict[str, bytes]:
    """Return the figure in two formats; empty, with a message, if the drawing package is not installed."""
    from auditor.extras import missing

    try:
        return {kind: result.picture(kind) for kind in ("svg", "png")}
    except ImportError as error:
        if (lacking := missing(error)) is None:
            raise
        log(f"not drawn: {lacking}")
        return {}


def _print_progress(show: Callable[[object], None], name: str, how_far: str) -> None:
    show(f"{name}: {how_far}")


@click.command
@click.argument(
    "identifier",
    metavar="[ID]",
    required=False,
    shell_complete=ids("experiments"),
    help="Id of an experiment.  [default: all]",
)
@click.option("--full", is_flag=True, help="Compute every size and every epsilon.")
@click.option(
    "--out",
    metavar="DIR",
    type=PATH,
    default="audit-report/experiments",
    help="Directory of ID.json, ID.csv, ID.svg and ID.png.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of all random numbers.")
@as_json_option
def command(identifier: str | None, *, full: bool, out: Path, seed: int, as_json: bool) -> int:
    """Compute and draw the figures of the papers.

    Compute the figures of this project too. Print the values. For a simulation, print the mean of 10 repetitions with
    its standard error in brackets.
    """
    from auditor.engine.registry import registry
    from auditor.errors import UnknownIdError

    experiments = registry().experiments
    if identifier is not None and identifier not in experiments:
        raise UnknownIdError("experiment", identifier, experiments)
    from auditor.front.verbs.progress import live_line

    folder = writable_directory(out)
    files = []
    for name in [identifier] if identifier else experiments:
        with live_line() as show:
            if show is None:
                log(f"running {name}")
            result = experiments[name].run(full=full, seed=seed, progress=show and partial(_print_progress, show, name))
        contents: dict[str, str | bytes] = {"json": result.document(), "csv": result.table(), **_figures(result)}
        write_all({folder / f"{name}.{kind}": content for kind, content in contents.items()})
        files += [str(folder / f"{name}.{kind}") for kind in contents]
        if not as_json:
            say(f"{name}: {result.experiment.title}")
            headings, rows = result.lines()
            say(*columns(rows, headings))
            say(*result.gaps(), "")
    if as_json:
        emit({"files": files, "full": full, "seed": seed})
    else:
        say(*(f"wrote {file}" for file in files))
    return 0
