"""`auditor evaluate`: the value of a claim at exact parameters."""

from __future__ import annotations

from typing import Annotated

import typer

from auditor.front.verbs.output import AsJson, assignments, emit, say


def command(
    claim: Annotated[str, typer.Argument(metavar="CLAIM", help="Id of the claim; `auditor list claims` shows them.")],
    parameters: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=VALUE]...", help="Exact values: 3, 1e-8, 1/6, infinity, or a word."),
    ] = None,
    *,
    arithmetic: Annotated[str, typer.Option(help="mpmath, ball or float64.")] = "mpmath",
    digits: Annotated[int, typer.Option(help="Significant decimal digits.")] = 30,
    as_json: AsJson = False,
) -> int:
    """Evaluate a claim at exact parameters.

    The ball arithmetic encloses the value, certified to the digits asked for; mpmath's value lies in that ball.
    """
    from auditor.engine.evaluation import evaluate

    evaluation = evaluate(claim, assignments(parameters or []), arithmetic, digits)
    document = evaluation.document()
    if as_json:
        emit(document)
        return 0
    if evaluation.value is None:
        say(f"between {evaluation.lower} and {evaluation.upper}; no more is known")
    else:
        say(evaluation.value)
    if evaluation.reason:
        say(f"because {evaluation.reason}")
    if evaluation.value is not None and evaluation.lower is not None:
        say(f"in [{evaluation.lower}, {evaluation.upper}]")
    elif not evaluation.certified:
        ball = ": --arithmetic ball encloses it" if arithmetic == "float64" else ""
        say(f"{arithmetic}, {evaluation.digits} digits at best; not certified{ball}")
    if evaluation.remark:
        say(f"note: {evaluation.remark}")
    if evaluation.held:
        say("held: " + ", ".join(f"{name}={value}" for name, value in evaluation.held.items()))
    return 0
