"""`auditor mutate`: claims made false by small changes of their formulas, and the checks that detect each change."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import ExitCode, counted
from auditor.front.verbs.output import columns, emit, say
from auditor.front.verbs.parameters import as_json_option, ids

if TYPE_CHECKING:
    from collections.abc import Sequence

    from auditor.engine.attack import Attack


@click.command
@click.argument(
    "patterns",
    metavar="[ID-GLOB]...",
    nargs=-1,
    shell_complete=ids("claims"),
    help="Globs over claims that are expected to hold.  [default: all]",
)
@click.option("--most", type=click.IntRange(min=1), default=12, help="Most mutants of a claim, evenly selected.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), default=60.0, help="Seconds for each mutant.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, help="Processes.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="JSON file for the results of each claim. CLAIMS.md prints auditor/front/mutants.json.",
)
@as_json_option
def command(
    patterns: tuple[str, ...], *, most: int, seconds: float, jobs: int, record: Path | None, as_json: bool
) -> int:
    """Change formulas and report which check detects it.

    Change one node at a time. A mutant is refuted, loses its proof, is equal to the claim or weaker, or survives. Exit
    1: a mutant survives. Exit 5: no claim of the selection is expected to hold.
    """
    from auditor.engine.registry import registry
    from proofs_numeric.statements.verdict import Expectation

    known = registry()
    selected = [known.claims[name] for name in known.select(patterns) if name in known.claims]
    chosen = [claim.id for claim in selected if claim.expected is Expectation.HOLDS]
    from auditor.engine.attack import Fate, attack
    from auditor.front.verbs.progress import live_line

    with live_line() as show:
        found = attack(chosen, most=most, seconds=seconds, jobs=jobs, progress=show)
    if record is not None:
        from auditor.engine import attack_record

        attack_record.write(record, found, known.claims)
    unseen = [each for one in found for each in one.tried if each.fate is Fate.UNSEEN]
    if as_json:
        emit({"most": most, "seconds": seconds, "claims": [asdict(one) for one in found]})
    else:
        say(*columns(_rows(found), ["claim", "tried", "fates"]))
        say(*(f"unseen: {each.claim}: {each.change}{' ' + each.by if each.by else ''}" for each in unseen))
        tried = sum(len(one.tried) for one in found)
        say(f"{counted(len(unseen), 'mutant')} unseen, of {tried} tried of {counted(len(found), 'claim')}")
    if not chosen:
        return ExitCode.EMPTY_SELECTION
    return ExitCode.FINDINGS if unseen else ExitCode.OK


def _rows(found: Sequence[Attack]) -> list[list[str]]:
    """Return one row per claim: number of mutants tried, number of mutants, and their fates."""
    rows = []
    for one in found:
        fates = Counter(each.fate.value for each in one.tried)
        said = ", ".join(f"{count} {fate}" for fate, count in fates.items()) or "no formula to change"
        rows.append([one.claim, f"{len(one.tried)} of {one.mutants}", said])
    return rows
