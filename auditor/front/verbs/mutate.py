"""`auditor mutate`: claims made false by small changes of their formulas, and the checks that detect each change."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
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
@as_json_option
def command(patterns: tuple[str, ...], *, most: int, seconds: float, jobs: int, as_json: bool) -> int:
    """Change formulas and report the checks that detect it.

    Change one node at a time. A mutant is refuted, loses its proof, is equal to the claim or weaker, or survives. Exit
    1: a mutant survives. Exit 5: no claim of the selection is expected to hold.
    """
    from auditor.engine.registry import registry
    from proofs_numeric.statements.verdict import Expectation

    catalogue = registry()
    selected = [catalogue.claims[name] for name in catalogue.select(patterns) if name in catalogue.claims]
    claims = [claim.id for claim in selected if claim.expected is Expectation.HOLDS]
    from auditor.engine.attack import Fate, attack
    from auditor.front.verbs.progress import live_line

    with live_line() as show:
        attacks = attack(claims, most=most, seconds=seconds, jobs=jobs, progress=show)
    unseen = [each for one in attacks for each in one.trials if each.fate is Fate.UNSEEN]
    if as_json:
        emit({"most": most, "seconds": seconds, "claims": [asdict(one) for one in attacks]})
    else:
        say(*columns(_rows(attacks), ["claim", "tried", "fates"]))
        say(*(f"unseen: {each.claim}: {each.change}{' ' + each.by if each.by else ''}" for each in unseen))
        mutants = sum(len(one.trials) for one in attacks)
        say(f"{len(unseen)} of {counted(mutants, 'mutant')} unseen, in {counted(len(attacks), 'claim')}")
    if not claims:
        return ExitCode.EMPTY_SELECTION
    return ExitCode.FINDINGS if unseen else ExitCode.OK


def _rows(attacks: Sequence[Attack]) -> list[list[str]]:
    """Return one row per claim: number of mutants tried, number of mutants, and their fates."""
    rows = []
    for one in attacks:
        fates = Counter(each.fate.value for each in one.trials)
        fates_text = ", ".join(f"{count} {fate}" for fate, count in fates.items()) or "no formula to change"
        rows.append([one.claim, f"{len(one.trials)} of {one.mutants}", fates_text])
    return rows
