"""Run the checks that apply to a selection: units with their own seeds, in parallel, resumable, deterministic.

A unit is (check, subject). Units are sent to workers by name, never as objects, and return findings as data. The
premises of selected claims run first, even if not selected. The bytes of the report depend neither on the number of
workers nor on interruptions.
"""

import shlex
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from auditor.checks.check import Context
from auditor.checks.empirical import BLACK_BOX, Setting
from auditor.engine import evidence_file
from auditor.engine.assembly import assemble
from auditor.engine.backends import Backend, InProcess, Processes, WorkerLostError, backend_of, versions
from auditor.engine.cache import Cache
from auditor.engine.checkpoint import Checkpoint
from auditor.engine.declarations import Defect
from auditor.engine.foreign import call_apart
from auditor.engine.plan import Agenda, Settings, Unit, plan
from auditor.engine.registry import registry
from auditor.engine.unit import Ran, Spent, broken_unit, context_of, run_named
from auditor.errors import EmptySelectionError, TargetError, UsageError
from auditor.findings.evidence import ReasonEvidence, SubjectKind
from auditor.findings.finding import Finding, verdict_of
from auditor.report.model import AuditReport
from auditor.target.target import MisbehavedError
from proofs_numeric.statements.verdict import Verdict

DISCOVERY = "registry.discovery"
"""Check name in findings about invalid declarations."""


@dataclass(frozen=True)
class Started:
    """The units of the run are planned."""

    total: int


@dataclass(frozen=True)
class UnitDone:
    """One unit is done."""

    unit_id: str
    findings: tuple[Finding, ...]
    spent: Spent | None = None
    """Its time; None if unknown: its worker died, or the findings are from an earlier run."""
    again: bool = False
    """Whether the findings are from an earlier run, by the checkpoint or the cache."""
    changed: str = ""
    """The changed dependency that invalidated its findings in the cache."""


@dataclass(frozen=True)
class Finished:
    """The report is assembled."""

    report: AuditReport


Event = Started | UnitDone | Finished


def _left_out(defect: Defect, settings: Settings) -> Finding:
    """Return the finding about an invalid declaration that a run selects."""
    kinds = {f"{kind.value}s": kind for kind in SubjectKind}
    return Finding.of(
        subject=defect.subject,
        subject_kind=kinds.get(defect.collection, SubjectKind.PLUG_IN),
        check=DISCOVERY,
        verdict=Verdict.ERROR,
        headline=str(defect),
        evidence=[ReasonEvidence(text=str(defect), remedy="mend the declaration", unusable_target=True)],
        reproduce=f"auditor run {shlex.quote(defect.subject)} --profile {settings.profile} --out audit-again",
    )


def run(
    selection: Sequence[str] = (),
    *,
    profile: str = "standard",
    seed: int = 0,
    alpha: str = "1e-6",
    jobs: int = 1,
    out: Path | None = None,
    resume: bool = False,
    evidence: Path | None = None,
    replay: int | None = None,
    backend: str | None = None,
    cache: Path | None = None,
    events: Callable[[Event], None] = lambda _event: None,
    keep: Callable[[AuditReport], None] = lambda _report: None,
) -> AuditReport:
    """Run every check that applies to the selection (globs over ids; all when empty) and assemble the report.

    Args:
        selection: globs over ids of claims, mechanisms, faults, controls and accountants.
        profile: quick, standard or deep.
        seed: all randomness derives from it.
        alpha: false-alarm probability of the whole run, an exact decimal string.
        jobs: worker processes; the report does not depend on it.
        out: folder for the checkpoint (None: no checkpoint).
        resume: go on from the checkpoint in ``out``.
        evidence: file in which the black-box runs of the one selected mechanism accumulate.
        replay: a finished run of that file to draw once more instead; the file stays as it is.
        backend: ``dask://host:port`` to run on a cluster instead; the report does not depend on it.
        cache: folder of findings that are kept between runs; a unit for which nothing has changed is not run again.
        events: called with Started, UnitDone, Finished.
        keep: writes the report; the checkpoint goes when it has returned, and stays when it raises.

    Raises:
        EmptySelectionError: a glob matched nothing.
        OutputError: the checkpoint is damaged, belongs to another run or cannot be written, another run writes to
            ``out``, or the evidence cannot be written.
        ReportError: the evidence file cannot be trusted.
        UsageError: evidence for other than one mechanism, or a malformed backend.
        ClusterError: the backend's cluster cannot be used, or was lost; the checkpoint stays.
        MissingPackageError: the backend or the cache needs a package that is not installed.
    """
    workers = backend_of(backend, jobs)
    settings = Settings(profile, seed, alpha)
    catalogue = registry()
    units = [unit for level in plan(selection, catalogue) for unit in level]
    left_out = [_left_out(defect, settings) for defect in catalogue.left_out(selection)]
    if not units and not left_out:
        raise EmptySelectionError("check", " ".join(selection) or "*", catalogue.checks)
    audited: evidence_file.Audited | None = None
    if evidence is not None:
        audited = _accumulating_subject(units, context_of(settings, catalogue, {}))
        begin = evidence_file.begin(evidence, audited, seed) if replay is None else None
        settings = replace(settings, continued=begin or evidence_file.replay_run(evidence, audited, replay or 0))
    results: dict[Unit, list[Finding]] = {}
    cached = Cache(cache, catalogue, settings)
    agenda, spents = Agenda(units, catalogue, cached.seconds), dict[Unit, Spent | None]()

    def record(unit: Unit, data: list[dict[str, Any]], cost: Spent | None = None, *, again: bool = False) -> None:
        results[unit] = [Finding.model_validate(item) for item in data]
        events(UnitDone(unit.id, tuple(results[unit]), cost, again, cached.changed.get(unit.id, "")))

    def verdicts(unit: Unit) -> dict[str, Verdict]:
        return {
            claim: verdict_of(finding for each in agenda.of[claim] if each != unit for finding in results[each])
            for claim in agenda.needs[unit]
            if claim in agenda.of
        }

    with Checkpoint(out, {**versions(), **asdict(settings)}, resume=resume) as checkpoint:

        def found_before(unit: Unit) -> bool:
            data = checkpoint.done.get(unit.id)
            if data is None:
                if (data := cached.get(unit, verdicts(unit))) is None:
                    return False
                checkpoint.add(unit.id, data)
            record(unit, data, again=True)
            return True

        events(Started(len(units)))
        interrupted = False
        try:
            for unit, data, reads, spent in _execute(agenda, settings, verdicts, workers, found_before):
                checkpoint.add(unit.id, data)
                cached.put(unit, verdicts(unit), reads, data)
                record(unit, data, spent)
                spents[unit] = spent
        except KeyboardInterrupt:
            interrupted = True
        cached.took(spents)
        pending = [unit.id for unit in units if unit not in results] if interrupted else []
        findings = [*left_out, *(each_finding for each in results.values() for each_finding in each)]
        report = assemble(catalogue, findings, settings, selection, pending)
        keep(report)
        if not pending:
            if evidence is not None and audited is not None and settings.continued is not None and replay is None:
                evidence_file.end(evidence, audited, settings.continued, report.findings)
            checkpoint.remove()
    events(Finished(report))
    return report


def _accumulating_subject(units: Sequence[Unit], context: Context) -> evidence_file.Audited:
    """Return the one subject whose evidence accumulates; a plug-in's is built in a child with a time limit."""
    subjects = [unit.subject for unit in units if unit.check == BLACK_BOX]
    if len(subjects) != 1:
        names = ", ".join(subjects[:3]) + (", ..." if len(subjects) > 3 else "") or "none"
        raise UsageError(f"expected --evidence with a selection of one mechanism, got {len(subjects)} ({names})")
    subject = context.registry.subjects[subjects[0]]

    def built() -> dict[str, Any]:
        try:
            return {"audited": asdict(evidence_file.describe_mechanism(Setting(subject, context)))}
        except MisbehavedError as error:
            return {"misbehaved": error.what.detail}

    try:
        answer = call_apart(built, context.profile.patience) if subject.id in context.registry.plugins else built()
    except MisbehavedError as error:
        raise TargetError(f"{subject.id}: cannot be built: {error.what.detail}") from None
    if "misbehaved" in answer:
        raise TargetError(answer["misbehaved"])
    return evidence_file.Audited(**answer["audited"])


PASSES = 2
"""Parallel passes over the units; units still missing because workers died run alone."""


def _execute(
    agenda: Agenda,
    settings: Settings,
    verdicts: Callable[[Unit], dict[str, Verdict]],
    workers: Backend,
    found_before: Callable[[Unit], bool] = lambda _unit: False,
) -> Iterator[Ran]:
    """Yield results of units from the workers; a unit is an error only if its worker dies when it runs alone.

    Args:
        agenda: the units; empty at the end.
        settings: settings of the run.
        verdicts: (unit) -> verdicts of its premises; called after their units were yielded.
        workers: backend.
        found_before: (unit) -> whether findings exist; called when the unit is ready.

    """
    if isinstance(workers, Processes):
        workers = InProcess() if len(agenda) <= 1 else Processes(min(workers.jobs, len(agenda)))

    def calls() -> Generator[tuple[Unit, Settings, dict[str, Verdict]] | None, int | None]:
        worker = None
        while agenda:
            unit = agenda.take(worker)
            if unit is None:
                worker = yield None
            elif found_before(unit):
                agenda.done(unit)
            else:
                worker = yield unit, settings, verdicts(unit)

    def shared_out(arguments: Iterable[tuple[Unit, Settings, dict[str, Verdict]] | None]) -> Iterator[Ran]:
        for ran in workers.unordered(run_named, arguments):
            yield ran
            agenda.done(ran.unit)

    for _pass in range(PASSES):
        with suppress(WorkerLostError):
            yield from shared_out(calls())
        agenda.give_back()
    for call in calls():
        if call is None:
            raise RuntimeError("expected units that can run one after the other, got some that wait for one another")
        try:
            yield from shared_out([call])
        except WorkerLostError:
            text = "the check crashed: the worker process died each time it ran this"
            remedy = "give it more memory, or mend what ends its process"
            yield Ran(call[0], broken_unit(call[0], settings, text, remedy))
            agenda.done(call[0])
