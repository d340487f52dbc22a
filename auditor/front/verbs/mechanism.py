"""`auditor mechanism`: somebody's mechanism, by its releases alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from auditor.errors import ExitCode, UnknownIdError, UsageError
from auditor.front.verbs.output import AsJson, assignments, emit, say
from auditor.reading import text_of
from auditor.settings import MOST_SAMPLES, checked_probability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from auditor.engine.registry import Registry
    from auditor.mechanism_audit.result import MechanismAudit
    from auditor.target.target import Target
    from mechanisms.mechanism import Mechanism
    from proofs_numeric.statements.adjacency import Adjacency
    from proofs_numeric.statements.neighbours import Neighbours


LONGEST_NUMBER = 18
STOPPED = {
    "decision": "its decision",
    "samples": "its budget of releases",
    "seconds": "its budget of seconds",
}
DEVICE_ADDRESSES = 2**46
"""Address space of a process that draws on a device: what a driver maps is no memory that is used."""


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


@dataclass(frozen=True)
class Own:
    """A mechanism, fault or control of this suite as a target: what it keeps by default, and on which neighbours."""

    target: Target
    claim: str
    parameters: dict[str, Any]
    pairs: tuple[Neighbours, ...]
    adjacency: Adjacency


def registered(identifier: str, values: Mapping[str, str], known: Registry) -> Own | None:
    """Return the registered mechanism with this id; None where nothing has it.

    After `@` may follow the name of an array library, which then draws the releases: `laplace_mechanism@torch`.

    Values of its own parameters build it anew, its pairs with it; a fault or a control has the law that it states at
    its own parameters only.

    Errors:
        UsageError: other parameters for a fault or a control, parameters that the mechanism refuses, a library that is
            unknown or not installed, or noise that it cannot draw.

    """
    from auditor.target.target import Limits, Target
    from mechanisms.mechanism import Control, Fault, MechanismSpec
    from proofs_numeric.arithmetic import exact
    from proofs_numeric.statements.neighbours import Neighbours

    name, drawn_elsewhere, library = identifier.partition("@")
    found = known.mechanisms.get(name) or known.faults.get(name) or known.controls.get(name)
    if not isinstance(found, MechanismSpec | Fault | Control):
        return None
    try:
        given = {name: exact(values[name]) for name in found.parameters if name in values}
        parameters = {**found.parameters, **given}
        mechanism = found.build(**parameters)
        pairs = found.pairs(parameters) if isinstance(found, MechanismSpec) else (found.pair,)
        limits = Limits()
        if drawn_elsewhere:
            mechanism, limits = drawn_by(library, mechanism), Limits(memory_bytes=DEVICE_ADDRESSES)
    except ValueError as error:
        raise UsageError(f"{identifier}: {error}") from None
    if isinstance(found, MechanismSpec):
        claim = found.guarantee_claim
    else:
        claim = found.violates if isinstance(found, Fault) else found.satisfies
        for name, value in given.items():
            if value != exact(found.parameters[name]):
                raise UsageError(
                    f"{identifier} is what it is at its own parameters: expected {name}={found.parameters[name]}, "
                    f"got {values[name]}"
                )
    names = known.claim(claim).domain.names
    return Own(
        Target(identifier, "mechanism", limits, given=mechanism),
        claim,
        {name: value for name, value in parameters.items() if name in names},
        tuple(Neighbours(pair.id, dict(pair.left), dict(pair.right)) for pair in pairs),
        pairs[0].adjacency,
    )


def drawn_by(library: str, mechanism: Mechanism) -> Mechanism:
    """Return the mechanism with its releases drawn by an array library, loaded where they are drawn.

    Raises:
        ValueError: unknown or not installed, or noise that is not added key by key.

    """
    from importlib.util import find_spec

    from mechanisms.array_release import LIBRARIES, on

    if library not in LIBRARIES:
        raise ValueError(f"expected one of {', '.join(LIBRARIES)} after '@', got '{library}'")
    if find_spec(library) is None:
        LIBRARIES[library]()  # says so, with the remedy
    return on(LIBRARIES[library], mechanism)


def command(
    target: Annotated[
        str,
        typer.Argument(
            metavar="TARGET",
            help="package.module:callable, path/to/file.py:callable, or a registered id (id@torch: drawn by PyTorch).",
        ),
    ],
    parameters: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME=VALUE]...", help="The claim's parameters, exact values.")
    ] = None,
    *,
    claim: Annotated[str | None, typer.Option(metavar="CLAIM", help="Id of the claim it should keep.")] = None,
    epsilon: Annotated[str | None, typer.Option(help="Without --claim: the epsilon it should keep.")] = None,
    delta: Annotated[str | None, typer.Option(help="Without --claim: the delta it should keep.")] = None,
    c_u: Annotated[int, typer.Option("--c-u", min=1, help="Without --claim: most keys to which one user adds 1.")] = 1,
    pair: Annotated[
        str | None, typer.Option(metavar="FILE.json", help="Neighbours to use (or their JSON); searched without.")
    ] = None,
    direction: Annotated[
        Literal["both", "forward", "backward"], typer.Option(help="Forward: left against right.")
    ] = "both",
    budget: Annotated[float, typer.Option(metavar="SECONDS", help="Seconds to spend.")] = 10.0,
    samples: Annotated[
        int, typer.Option(metavar="N", min=1, help="Releases a side to draw at most, by one test.")
    ] = MOST_SAMPLES,
    alpha: Annotated[str, typer.Option(help="False-alarm probability of this audit.")] = "1e-6",
    seed: Annotated[int, typer.Option(min=0, help="All randomness derives from it.")] = 0,
    one_run: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=1, help="One release of N single-user keys; needs independent noise and input keys only."
        ),
    ] = None,
    blocks: Annotated[
        str | None, typer.Option(metavar="N,N,...", help="Replay the blocks of a finished audit, without a clock.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Undecided fails, with exit code 3.")] = False,
    as_json: AsJson = False,
) -> int:
    """Audit a mechanism by its releases.

    Against a claim at given parameters, or against --epsilon and --delta; exit 1 when refuted.
    """
    from auditor.engine.registry import registry
    from auditor.mechanism_audit.audit import audit_mechanism
    from proofs_numeric.statements.verdict import Verdict

    checked_probability(alpha, "alpha")
    values: dict[str, Any] = dict(assignments(parameters or []))
    own = registered(target, values, registry())
    if own is None and ":" not in target and not target.endswith(".py"):
        known = registry()
        raise UnknownIdError("mechanism", target.partition("@")[0], [*known.mechanisms, *known.faults, *known.controls])
    if own is not None and claim is None and epsilon is None and delta is None:
        claim, values = own.claim, {**own.parameters, **values}
    audit = audit_mechanism(
        target if own is None else own.target,
        None if claim is None else registry().claim(claim),
        parameters=values,
        pairs=() if own is None else own.pairs,
        adjacency=own.adjacency if own is not None and claim == own.claim else None,
        epsilon=epsilon,
        delta=delta,
        pair=None if pair is None else read_pair(pair),
        direction=direction,
        budget=budget,
        samples=samples,
        alpha=alpha,
        seed=seed,
        c_u=c_u,
        one_run=one_run,
        blocks=None if blocks is None else read_blocks(blocks),
    )
    if as_json:
        emit(audit.to_json())
    else:
        say(*_lines(audit, one_run))
    return ExitCode.UNDECIDED if strict and audit.verdict is Verdict.UNDECIDED else audit.exit_code


def _lines(audit: MechanismAudit, one_run: int | None) -> list[str]:
    from auditor.mechanism_audit.result import real
    from auditor.report.model import SamplingEvidence
    from auditor.report.view import WORDS, bounds
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
        if audit.result.event:
            lines.append(f"  event ({audit.result.event_status}): {audit.result.event}")
    if audit.result is not None:
        lower = real(audit.result.epsilon_lower, down=True)
        lines.append(f"  epsilon is at least {lower} at delta={audit.delta_claimed}")
        sampled = [evidence for evidence in audit.evidence() if isinstance(evidence, SamplingEvidence)]
        lines += [f"  {line}" for evidence in sampled for line in bounds(evidence)]
    else:
        lines += [f"  note: {note}" for note in audit.notes]
    stopped = [] if audit.stopped is None else [f"  stopped by {STOPPED[audit.stopped]}"]
    return [*lines, *stopped, f"  see it again: {audit.reproduce}"]
