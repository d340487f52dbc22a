"""`--evidence FILE`: multiplies the e-values of one mechanism's black-box audits; see `auditor.statistics.evidence`.

A run is recorded in the file before it draws a sample, and closed with its wealth, favourable or not. An interrupted
run stays open: the next run of its version replays its samples instead of drawing new ones.
"""

import hashlib
import inspect
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from auditor.checks import show
from auditor.checks.accumulated import run_log_wealth
from auditor.checks.empirical import BLACK_BOX, Setting
from auditor.errors import ReportError, UsageError
from auditor.findings.evidence import SamplingEvidence
from auditor.findings.finding import Finding
from auditor.statistics.evidence import AccumulatedEvidence, Continuation, read_evidence, write_evidence
from proofs_numeric.statements.verdict import Verdict

VERSION_DIGITS = 12


@dataclass(frozen=True)
class Audited:
    """The one mechanism whose runs accumulate in a file.

    Attributes:
        subject: its id.
        history: subject of the file: a history of two mechanisms or claims would test neither.
        version: digest of its code and parameters.
        level: false-alarm probability of its tests in a run of the suite.
    """

    subject: str
    history: str
    version: str
    level: float


def describe_mechanism(setting: Setting) -> Audited:
    """Return the data of a built mechanism for its history."""
    history = f"{setting.subject.id} against {setting.claim.id}"
    return Audited(setting.subject.id, history, _version(setting), float(setting.unit_level))


def _version(setting: Setting) -> str:
    """Return a digest of the sources of mechanism and builder, of the builder's bound values, and of the parameters."""
    bound = list(_bound(setting.subject.build))
    modules = {type(setting.mechanism.mechanism).__module__, *(part.__module__ for part in bound if callable(part))}
    parts = [part.__qualname__ if callable(part) else repr(part) for part in bound]
    digest = hashlib.sha256(json.dumps([show.parameters(setting.exact_parameters), parts], sort_keys=True).encode())
    for name in sorted(modules):
        digest.update(inspect.getsource(sys.modules[name]).encode())
    return digest.hexdigest()[:VERSION_DIGITS]


def _bound(build: Any) -> Iterator[Any]:
    """Yield the functions, classes and bound values of a builder."""
    if isinstance(build, partial):
        for part in (build.func, *build.args, *chain.from_iterable(build.keywords.items())):
            yield from _bound(part)
    else:
        yield build


def begin(path: Path, mechanism: Audited, seed: int) -> Continuation:
    """Record a run in the file, which is created if missing, and return the continuation.

    Raises:
        ReportError: the file is no evidence, has another subject, or breaks its rules.
        UsageError: a run of another version is open.
        OutputError: the file cannot be written.
    """
    subject, version = mechanism.history, mechanism.version
    history = read_evidence(path, subject) if path.exists() else AccumulatedEvidence(subject, mechanism.level, seed)
    if history.open_run is None:
        history = history.begin(version)
        write_evidence(history, path)
    run = history.open_run
    if run is None or run.version != version:
        raise UsageError(
            f"expected the open run in {path} to be of version {version}, got {run.version if run else 'none'}: "
            "finish the audit of that version first, because its samples must count"
        )
    return _continuation(history, run.number, mechanism)


def replay_run(path: Path, mechanism: Audited, number: int) -> Continuation:
    """Return the continuation of a finished run, to replay its samples; the file is not changed.

    Raises:
        ReportError: the file is no evidence, or has another subject.
        UsageError: the run does not exist, or is of another version, with samples from other code.
    """
    history, version = read_evidence(path, mechanism.history), mechanism.version
    if not 0 <= number < len(history.runs) or history.runs[number].version != version:
        recorded_version = history.runs[number].version if 0 <= number < len(history.runs) else "no such run"
        raise UsageError(f"expected run {number} in {path} of version {version}, got {recorded_version}")
    return _continuation(history, number, mechanism)


def _continuation(history: AccumulatedEvidence, number: int, mechanism: Audited) -> Continuation:
    """Return the continuation of run `number`, from the runs before it."""
    past = AccumulatedEvidence(history.subject, history.alpha, history.seed, history.runs[:number])
    # The history's alpha was declared at its start; the level is reduced if the unit's share is smaller now.
    alpha = past.version_alpha(mechanism.version) * min(1.0, mechanism.level / past.alpha)
    return Continuation(
        mechanism.subject,
        mechanism.version,
        number,
        past.seed,
        alpha,
        past.log_wealth(mechanism.version),
        sum(other.version == mechanism.version for other in past.runs) + 1,
        refuted=past.refuted(mechanism.version),
    )


def end(path: Path, mechanism: Audited, continued: Continuation, findings: Sequence[Finding]) -> None:
    """Close the run in the file with its wealth, favourable or not; after an error the run stays open.

    Raises:
        ReportError: another process used its samples.
        OutputError: the file cannot be written.
    """
    finding = next(item for item in findings if item.check == BLACK_BOX)
    if finding.verdict is Verdict.ERROR:
        return
    tests = [item for item in finding.evidence if isinstance(item, SamplingEvidence)]
    try:
        history = read_evidence(path, mechanism.history).finish(
            continued.number, run_log_wealth(tests), sum(test.samples for test in tests)
        )
    except ValueError as error:
        raise ReportError(f"{path} has changed during the run: {error}") from None
    write_evidence(history, path)
