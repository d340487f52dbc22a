"""`auditor notebook`: a notebook generated from claims and findings."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.front.verbs.output import AsJson, emit, log, say, writable_directory


def command(
    identifier: Annotated[str, typer.Argument(metavar="ID", help="Id of a mechanism or a claim.")],
    *,
    execute: Annotated[bool, typer.Option("--execute", help="Run the cells and keep their output.")] = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the notebook goes.")] = Path("notebooks"),
    as_json: AsJson = False,
) -> int:
    """Write the notebook of a mechanism or a claim."""
    from auditor.front import notebook

    folder = writable_directory(out)
    if execute:
        log(f"executing the notebook of {identifier}")
    path = notebook.write(identifier, folder, execute=execute)
    if as_json:
        emit({"notebook": str(path), "executed": execute})
    else:
        say(f"wrote {path}")
    return 0
