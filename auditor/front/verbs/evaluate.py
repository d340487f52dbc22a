"""`auditor evaluate`: the value of a claim at exact parameters."""

import click

from auditor.front.late import late
from auditor.front.verbs.output import assignments, emit, say
from auditor.front.verbs.parameters import as_json_option, ids


@click.command
@click.argument(
    "claim",
    metavar="CLAIM",
    shell_complete=ids("claims"),
    help="Id of the claim. `auditor list claims` prints all ids.",
)
@click.argument(
    "parameters", nargs=-1, metavar="[NAME=VALUE]...", help="Exact values: 3, 1e-8, 1/6, infinity, or a name."
)
@click.option("--arithmetic", default="mpmath", help="Arithmetic: mpmath, ball or float64.")
@click.option("--digits", default=30, help="Significant decimal digits.")
@as_json_option
def command(claim: str, parameters: tuple[str, ...], *, arithmetic: str, digits: int, as_json: bool) -> int:
    """Evaluate a claim at exact parameters.

    Ball arithmetic encloses the value to the requested number of digits. The value of mpmath lies in this ball.
    """
    late("numpy")
    from auditor.engine.registry import registry

    registry().claim(claim)
    from auditor.engine.evaluation import evaluate

    evaluation = evaluate(claim, assignments(parameters), arithmetic, digits)
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
