"""`auditor verify`: the proofs of a report, computed again by an independent checker."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from auditor.front.verbs.output import AsJson, emit, say


def command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="report.json, or the directory that holds it.")],
    *,
    strict: Annotated[
        bool, typer.Option("--strict", help="What could not be checked fails, with exit code 3.")
    ] = False,
    as_json: AsJson = False,
) -> int:
    """Check a report's proofs again and print the trust base.

    Boxes, enclosures, printed numbers and witnesses are computed by mpmath's intervals, as far as intervals go; exit 1
    when one of them does not stand.
    """
    from auditor.engine.verify import verify
    from auditor.report import json

    result = verify(json.read(file))
    if as_json:
        emit(result.to_json())
    else:
        say(*result.lines())
    return result.exit_code(strict=strict)
