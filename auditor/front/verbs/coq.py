"""`auditor coq`: closed goals of proofs, proved again by Coq."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from auditor.errors import ExitCode, counted
from auditor.front.verbs.output import columns, emit, say
from auditor.front.verbs.parameters import as_json_option, ids


@click.command
@click.argument(
    "patterns",
    metavar="[ID-GLOB]...",
    nargs=-1,
    shell_complete=ids("claims"),
    help="Globs over claims with a proof by tactics.  [default: all]",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, writable=True, path_type=Path),
    help="File for coqc: the proved goals, and the open goals as comments.",
)
@as_json_option
def command(patterns: tuple[str, ...], *, out: Path | None, as_json: bool) -> int:
    """Let Coq prove the goals that the kernel closed.

    Write the goals from the formulas of the claims, without SymPy and ball arithmetic. Goals with special functions are
    not written. Coq proves a goal or leaves it open. No verdict depends on Coq. Exit 5: no claim of the selection has a
    proof by tactics.
    """
    from auditor.engine import coq
    from auditor.engine.registry import registry
    from proofs_numeric.kernel.prove import prove
    from proofs_numeric.statements.tactics import Tactic

    coq.coqtop()  # fails early if Coq is missing: the next step takes minutes
    catalogue = registry()
    selected = [catalogue.claims[name] for name in catalogue.select(patterns) if name in catalogue.claims]
    claims = [claim for claim in selected if isinstance(getattr(claim.kind, "proof", None), Tactic)]
    goals = [goal for claim in claims for goal in coq.closed_goals(prove(claim, catalogue.claims))]
    proved = coq.proved_by_coq(goals)
    if out is not None:
        out.write_text(coq.document(goals, proved), "utf-8")
    rows = []
    for claim in claims:
        fates = Counter(
            "not written" if not goal.says else "proved" if goal.says in proved else "open"
            for goal in goals
            if goal.claim == claim.id
        )
        rows.append([claim.id, *(str(fates[fate]) for fate in ("proved", "open", "not written"))])
    if as_json:
        emit({"goals": [{**vars(goal), "proved": goal.says in proved} for goal in goals]})
    else:
        say(*columns(rows, ["claim", "proved", "open", "not written"]))
        by_coq = sum(goal.says in proved for goal in goals)
        say(f"{by_coq} of {counted(len(goals), 'closed goal')} of {counted(len(claims), 'claim')} proved by Coq")
    return ExitCode.OK if claims else ExitCode.EMPTY_SELECTION
