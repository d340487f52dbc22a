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
from auditor.target.forms import KINDS

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


def read_columns(text: str | None) -> dict[str, str]:
    """Parse `--columns user=NAME,value=NAME`; UsageError otherwise."""
    named = dict(part.partition("=")[::2] for part in text.split(",")) if text else {}
    if not (named.keys() <= {"user", "value"} and all(named.values())):
        raise UsageError(f"expected --columns user=NAME,value=NAME, got '{text}'")
    return named


@click.command
@click.argument(
    "target",
    metavar="TARGET",
    shell_complete=ids("mechanisms", "faults", "controls", files=True),
    help="package.module:callable, path/to/file.py:callable, exec:COMMAND (docs/protocol.md), or a registered id.",
)
@click.argument("parameters", nargs=-1, metavar="[NAME=VALUE]...", help="Exact values of the claim's parameters.")
@click.option(
    "--claim", metavar="CLAIM", shell_complete=ids("claims"), help="Id of the claim that the mechanism should keep."
)
@click.option("--epsilon", help="Without --claim: the promised epsilon.")
@click.option("--delta", help="Without --claim: the promised delta.")
@click.option("--rho", help="Without --claim: promised rho-zCDP. With --delta: delta-approximate.")
@click.option("--mu", help="Without --claim: promised mu-GDP.")
@click.option(
    "--profile", metavar="FILE:callable", help="Without --claim: function that returns the promised delta for epsilon=."
)
@click.option(
    "--adjacency",
    type=click.Choice(["add-remove", "replace", "each-answer"]),
    help="Without --claim: one user more or less, one user replaced, or each answer changed.",
)
@click.option(
    "--c-u",
    type=click.IntRange(min=1),
    help="Without --claim: most keys of one user.  [default: 1; with rows, the largest number in the data]",
)
@click.option(
    "--per-key",
    type=click.IntRange(min=1),
    help="Without --claim: most that one user adds to a key.  [default: 1; with rows, the largest number in the data]",
)
@click.option(
    "--values",
    metavar="LOW:HIGH[,nan]",
    help="Range of the values in rows; nan, inf and -inf may follow.  [default: the range in the data]",
)
@click.option(
    "--pair", metavar="FILE.json", help="The pair of neighbours to test, or its JSON text.  [default: search]"
)
@click.option(
    "--direction",
    type=click.Choice(["both", "forward", "backward"]),
    default="both",
    help="Forward compares left with right; backward compares right with left.",
)
@click.option(
    "--dataset",
    metavar="FILE",
    help="Your data: .csv, .json, .parquet with user, partition, value; with key, count; or with columns of their own. "
    "Or FILE.py:callable of (rng).",
)
@click.option(
    "--input",
    "form",
    type=click.Choice([*KINDS]),
    help="Form in which the target takes its input; records is a list of dictionaries, numbers a list of numbers. "
    "[default: the annotation of its first argument, else the form of your data]",
)
@click.option(
    "--columns",
    metavar="user=NAME,value=NAME",
    help="Columns of your data that hold users and values. [default: by their names and types; without a column of "
    "users each record is one user]",
)
@click.option(
    "--strategy",
    metavar="FILE.py:name",
    help="Hypothesis strategy, or function that returns one. A tuple of two is a pair of neighbours; anything else is "
    "a data set, from which neighbours are made. The search tries them with its own.",
)
@click.option(
    "--neighbours",
    metavar="FILE.py:callable",
    help="Function (dataset, rng) -> (left, right). Without --claim and --adjacency no other pairs are tried.",
)
@click.option("--rows", is_flag=True, help="The target takes rows of (user, partition, value), like --input rows.")
@click.option(
    "--only-input-keys",
    is_flag=True,
    help="Declare that only input keys are released. The test of new keys then needs fewer releases.",
)
@click.option(
    "--largest-count",
    type=click.IntRange(min=1),
    help="Most users of an invented input.  [default: the users in the data, at least 1000]",
)
@click.option(
    "--answer-seconds",
    type=click.FloatRange(min=0.1),
    help="Seconds without an answer after which the target counts as hanging.  [default: 10]",
)
@click.option(
    "--jobs",
    metavar="N",
    type=click.IntRange(1, MOST_JOBS),
    help="Processes that draw the releases of a slow target, at most 16 used. The result does not depend on N.",
)
@click.option(
    "--keys", metavar="A,B,...", help="Names of the keys that the target knows. The search uses only these keys."
)
@click.option(
    "--detect",
    metavar="3x|DELTA",
    default="3x",
    help="Smallest delta that the audit must detect, with probability 0.95, before it may report no violation: a "
    "multiple of the claimed delta, or a number. For pure epsilon a multiple of epsilon, twice by default.",
)
@click.option("--budget", metavar="SECONDS", default=60.0, help="CPU seconds of target and auditor together.")
@click.option(
    "--samples",
    metavar="N",
    type=click.IntRange(min=1),
    help="Releases per dataset of each test.  [default: as many as --detect requires]",
)
@click.option("--alpha", default="1e-6", help="False-alarm probability of this audit.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Seed of all random numbers.")
@click.option(
    "--one-run",
    metavar="N",
    type=click.IntRange(min=1),
    help="Test one release of N single-user keys. Assumes independent noise and only input keys.",
)
@python_option
@click.option(
    "--steer/--no-steer",
    default=True,
    help="Use importance sampling for small deltas, for which counting needs about 1/delta releases.",
)
@click.option(
    "--floating-point",
    type=click.Choice(["report", "ignore"]),
    default="report",
    help="Report what the last bits of released doubles give away, or ignore it.",
)
@click.option("--blocks", metavar="N,N,...", help="Replay the blocks of a finished audit. The time then has no effect.")
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
    form: str | None,
    columns: str | None,
    strategy: str | None,
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
    floating_point: str,
    blocks: str | None,
    amount: Amount,
    as_json: bool,
) -> int:
    """Audit a mechanism by its releases.

    The promise is a claim at given parameters, or --epsilon, --epsilon and --delta, --rho, --mu or --profile. Exit 0:
    no violation seen, with the power of --detect. Exit 1: refuted. Exit 3: undecided.
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
        "floating_point": floating_point,
        "adjacency": adjacency,
        "dataset": dataset,
        "strategy": strategy,
        "custom": neighbours,
        "rows": rows,
        "input": form,
        "columns": read_columns(columns),
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
    from auditor.mechanism_audit.result import real, side_text
    from auditor.report.view import bounds
    from auditor.target.target import CANNOT
    from proofs_numeric.statements.verdict import Verdict

    word = CANNOT if audit.verdict is Verdict.ERROR else WORDS[audit.verdict]
    lines = [f"{word}: {audit.target}", f"  {audit.detail.removeprefix(f'{CANNOT}: ')}"]
    if audit.pair is not None and audit.result is not None:
        left, right = side_text(audit.pair.left), side_text(audit.pair.right)
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
        tried = [(pair.id, side_text(pair.left), side_text(pair.right)) for pair in audit.tried]
        lines += [f"  tried {name}: left {left}, right {right}" for name, left, right in tried]
        lines += [f"  steered: {json.dumps(test.to_json(), ensure_ascii=False)}" for test in audit.steered]
    if audit.would_take is not None:
        lines.append(f"  to decide: {audit.would_take}")
    stopped = [] if audit.stopped is None else [f"  stopped by {STOPPED[audit.stopped]}"]
    return [*lines, *stopped, f"  see it again: {audit.reproduce}"]
