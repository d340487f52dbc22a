"""`auditor mechanism`: somebody's mechanism, by its releases alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from auditor.errors import UsageError
from auditor.front.verbs.output import assignments, emit, say
from auditor.front.verbs.parameters import HEAD, Amount, amount_option, as_json_option, ids, python_option
from auditor.reading import text_of
from auditor.settings import MOST_JOBS, checked_probability

if TYPE_CHECKING:
    from auditor.mechanism_audit.result import MechanismAudit

LONGEST_NUMBER = 18
STOPPED = {
    "decision": "its decision",
    "samples": "its budget of releases",
    "power": "as many releases as the power asked for takes",
    "seconds": "its budget of CPU seconds",
}


def read_pair(file: str) -> dict[str, Any]:
    """Read `{"left": {...}, "right": {...}}` from a file, or from the text itself where it starts with a brace.

    Raises:
        UsageError: unreadable, not JSON, or other fields.
    """
    inline = file.lstrip().startswith("{")
    try:
        pair = json.loads(file if inline else text_of(Path(file)))
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise UsageError(f"cannot read the pair {file}: {reason}") from None
    except (ValueError, RecursionError) as error:
        got = "numbers too long or brackets too deep to read"
        if isinstance(error, json.JSONDecodeError):
            got = f"{error.msg} at line {error.lineno}"
        raise UsageError(f"expected JSON in {'--pair' if inline else file}, got {got}") from None
    if not isinstance(pair, dict) or pair.keys() != {"left", "right"}:
        raise UsageError(f'expected {{"left": {{...}}, "right": {{...}}}} in {file}, got other fields')
    return pair


def read_blocks(text: str) -> tuple[int, ...]:
    """Read `12,3,0`, the blocks of each stage of an audit.

    Raises:
        UsageError: anything but integers >= 0 between commas.
    """
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) <= LONGEST_NUMBER for part in parts):
        raise UsageError(f"expected --blocks as the finished audit gave it, such as 12,3, got {text!r}")
    return tuple(map(int, parts))


def read_values(text: str) -> tuple[float, ...]:
    """Parse `--values`: the least and the largest value of a row, then nan, inf or -inf; UsageError otherwise."""
    ends, *special = text.split(",")
    try:
        low, high = map(float, ends.split(":"))
        return (low, high, *map(float, special))
    except ValueError:
        raise UsageError(f"expected --values LOW:HIGH or LOW:HIGH,nan,inf,-inf, got '{text}'") from None


@click.command
@click.argument(
    "target",
    metavar="TARGET",
    shell_complete=ids("mechanisms", "faults", "controls", files=True),
    help="package.module:callable, path/to/file.py:callable, exec:COMMAND (docs/protocol.md), or a registered id.",
)
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...", help="The claim's parameters, exact values.")
@click.option("--claim", metavar="CLAIM", shell_complete=ids("claims"), help="Id of the claim it should keep.")
@click.option("--epsilon", help="Without --claim: the epsilon it should keep.")
@click.option("--delta", help="Without --claim: the delta it should keep.")
@click.option("--rho", help="Without --claim: rho-zCDP; with --delta: delta-approximate.")
@click.option("--mu", help="Without --claim: mu-GDP.")
@click.option("--profile", metavar="FILE:callable", help="Without --claim: the delta it should keep at epsilon=.")
@click.option(
    "--adjacency",
    type=click.Choice(["add-remove", "replace", "each-answer"]),
    help="Without --claim: one user more or less, one for another, or answers that move.",
)
@click.option(
    "--c-u",
    type=click.IntRange(min=1),
    help="Without --claim: most keys that one user changes.  [default: 1, or as many as a user of rows has]",
)
@click.option(
    "--per-key",
    type=click.IntRange(min=1),
    help="Without --claim: most by which one user changes each.  [default: 1, or as many rows as a user has in one]",
)
@click.option(
    "--values",
    metavar="LOW:HIGH[,nan]",
    help="Range of the values of rows; nan, inf and -inf after it are included.  [default: the data's]",
)
@click.option("--pair", metavar="FILE.json", help="Neighbours to use (or their JSON); searched without.")
@click.option(
    "--direction",
    type=click.Choice(["both", "forward", "backward"]),
    default="both",
    help="Forward: left against right.",
)
@click.option(
    "--dataset",
    metavar="FILE",
    help="Your data: .csv, .json or .parquet of user, partition, value or key, count; or FILE.py:callable, of (rng).",
)
@click.option(
    "--neighbours",
    metavar="FILE.py:callable",
    help="Of the data: (dataset, rng) -> (left, right); no others without --adjacency.",
)
@click.option("--rows", is_flag=True, help="It takes rows of (user, partition, value).")
@click.option("--only-input-keys", is_flag=True, help="It releases keys of its input only: a sharper test of new keys.")
@click.option(
    "--largest-count",
    type=click.IntRange(min=1),
    help="Most users of inputs that the audit makes up.  [default: the data's, 1000 at least]",
)
@click.option(
    "--answer-seconds", type=click.FloatRange(min=0.1), help="Silence after which it counts as hanging.  [default: 10]"
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1, MOST_JOBS),
    help="Processes that draw the releases of a slow target, 16 at most of use; any number says the same.",
)
@click.option("--keys", metavar="A,B,...", help="Names of keys that it knows; searched neighbours use them.")
@click.option(
    "--detect",
    metavar="3x|DELTA",
    default="3x",
    help="The violation that a silence must have been able to see: else it is undecided.",
)
@click.option("--budget", metavar="SECONDS", default=60.0, help="CPU seconds to spend.")
@click.option(
    "--samples",
    metavar="N",
    type=click.IntRange(min=1),
    help="Releases a side to draw, by one test; as many as --detect takes.",
)
@click.option("--alpha", default="1e-6", help="False-alarm probability of this audit.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="All randomness derives from it.")
@click.option(
    "--one-run",
    metavar="N",
    type=click.IntRange(min=1),
    help="One release of N single-user keys; needs independent noise and input keys only.",
)
@python_option
@click.option(
    "--steer/--no-steer",
    default=True,
    help="Tilt draws to see a delta below 1e-3: what counting would take 1/delta releases for.",
)
@click.option("--blocks", metavar="N,N,...", help="Replay the blocks of a finished audit, without a clock.")
@amount_option
@as_json_option
def command(
    target: str,
    parameters: tuple[str, ...],
    *,
    claim: str | None,
    epsilon: str | None,
    delta: str | None,
    rho: str | None,
    mu: str | None,
    profile: str | None,
    adjacency: str | None,
    c_u: int | None,
    per_key: int | None,
    values: str | None,
    pair: str | None,
    direction: str,
    dataset: str | None,
    neighbours: str | None,
    rows: bool,
    only_input_keys: bool,
    largest_count: int | None,
    answer_seconds: float | None,
    jobs: int | None,
    keys: str | None,
    detect: str,
    budget: float,
    samples: int | None,
    alpha: str,
    seed: int,
    one_run: int | None,
    python: str | None,
    steer: bool,
    blocks: str | None,
    amount: Amount,
    as_json: bool,
) -> int:
    """Audit a mechanism by its releases.

    Against a claim at given parameters, or against --epsilon, --epsilon and --delta, --rho, --mu or --profile. Exit 0
    only with the power of --detect, 1
    when refuted, 3 when undecided.
    """
    from auditor.engine.registered import asked
    from auditor.target.target import Limits

    checked_probability(alpha, "alpha")
    options: dict[str, Any] = {
        "pair": None if pair is None else read_pair(pair),
        "keys": tuple(keys.split(",")) if keys else (),
        "direction": direction,
        "detect": detect,
        "budget": budget,
        "samples": samples,
        "alpha": alpha,
        "seed": seed,
        "one_run": one_run,
        "python": python,
        "steer": steer,
        "adjacency": adjacency,
        "dataset": dataset,
        "custom": neighbours,
        "rows": rows,
        "only_input_keys": only_input_keys,
        "largest_count": largest_count,
        "limits": Limits.answering(answer_seconds),
        "jobs": jobs,
        "c_u": c_u,
        "per_key": per_key,
        "values": None if values is None else read_values(values),
        "blocks": None if blocks is None else read_blocks(blocks),
    }
    numbers = {"epsilon": epsilon, "delta": delta, "rho": rho, "mu": mu, "profile": profile}
    request = asked(target, claim, assignments(parameters), numbers, **options)
    from auditor.front.verbs.progress import live_line
    from auditor.mechanism_audit.audit import audit_mechanism

    with live_line(quiet=amount is Amount.QUIET) as show:
        audit = audit_mechanism(request, show)
    if as_json:
        emit(audit.to_json())
    else:
        lines = _lines(audit, one_run, every=amount is Amount.VERBOSE)
        say(*(lines[:HEAD] if amount is Amount.QUIET else lines))
    return audit.exit_code


def _lines(audit: MechanismAudit, one_run: int | None, *, every: bool) -> list[str]:
    from auditor.findings.card import WORDS
    from auditor.findings.evidence import SamplingEvidence
    from auditor.mechanism_audit.result import real
    from auditor.report.view import bounds
    from auditor.target.target import CANNOT
    from proofs_numeric.statements.verdict import Verdict

    word = CANNOT if audit.verdict is Verdict.ERROR else WORDS[audit.verdict]
    lines = [f"{word}: {audit.target}", f"  {audit.detail.removeprefix(f'{CANNOT}: ')}"]
    if audit.pair is not None and audit.result is not None:
        left, right = dict(audit.pair.left), dict(audit.pair.right)
        drawn = f"{audit.result.pair_samples} of {audit.result.samples} releases a side"
        drawn = drawn if one_run is None else f"one release of {one_run} keys of one user each"
        lines += [
            f"  pair {audit.pair.id}, {audit.result.direction}: left {left}, right {right}",
            f"  {drawn}; false alarms: {audit.alpha}",
        ]
        if audit.result.event and audit.result.epsilon_lower > 0:  # else it tells nothing
            lines.append(f"  event ({audit.result.event_status}): {audit.result.event}")
    if audit.result is not None:
        lower = real(audit.result.epsilon_lower, down=True)
        lines.append(f"  epsilon is at least {lower} at delta={audit.delta_claimed}")
        sampled = [evidence for evidence in audit.evidence() if isinstance(evidence, SamplingEvidence)]
        lines += [f"  {line}" for evidence in sampled for line in bounds(evidence)]
    else:
        lines += [f"  note: {note}" for note in audit.notes]
    lines += [f"  where: {line}" for line in audit.where]
    if every:
        tried = [(pair.id, dict(pair.left), dict(pair.right)) for pair in audit.tried]
        lines += [f"  tried {name}: left {left}, right {right}" for name, left, right in tried]
        lines += [f"  steered: {json.dumps(test.to_json(), ensure_ascii=False)}" for test in audit.steered]
    if audit.would_take is not None:
        lines.append(f"  to decide: {audit.would_take}")
    stopped = [] if audit.stopped is None else [f"  stopped by {STOPPED[audit.stopped]}"]
    return [*lines, *stopped, f"  see it again: {audit.reproduce}"]
