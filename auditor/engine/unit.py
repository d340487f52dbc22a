"""Execution of one unit by a worker: the part of the engine that determines findings.

The cache treats this module as an import of every unit, so planning, distribution and assembly are in other modules.
"""

import time
from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from auditor.checks.check import Context, Subject, finding, not_applicable
from auditor.checks.impossible import impossible
from auditor.engine.foreign import call_apart
from auditor.engine.plan import Settings, Unit
from auditor.engine.reads import CatalogueReads, watch_catalogue
from auditor.engine.registry import Registry, registry
from auditor.extras import missing
from auditor.findings.evidence import ReasonEvidence
from auditor.findings.finding import Finding
from auditor.printable import printable
from auditor.profile import profile as profile_named
from auditor.target.process import cpu_seconds
from auditor.target.target import CANNOT, MisbehavedError
from mechanisms.mechanism import AccountantFault, Fault
from proofs_numeric.statements.verdict import Verdict


class Spent(NamedTuple):
    """Seconds of a unit: of processors (its process and child processes), and by the clock."""

    cpu: float
    wall: float


class Ran(NamedTuple):
    """A finished unit: its findings, catalogue requests and time; None for both if its worker died."""

    unit: Unit
    findings: list[dict[str, Any]]
    reads: CatalogueReads | None = None
    spent: Spent | None = None


def run_named(unit: Unit, settings: Settings, verdicts: Mapping[str, Verdict]) -> Ran:
    """Run one unit and return its findings, catalogue requests and time."""
    reads, cpu, wall = CatalogueReads(), cpu_seconds(), time.monotonic()
    findings = run_unit(unit, settings, verdicts, reads)
    return Ran(unit, findings, reads, Spent(cpu_seconds() - cpu, time.monotonic() - wall))


def run_unit(
    unit: Unit, settings: Settings, verdicts: Mapping[str, Verdict], reads: CatalogueReads | None = None
) -> list[dict[str, Any]]:
    """Run one unit and return its findings as JSON; a unit of a plug-in runs in a child with a time limit.

    Args:
        unit: the unit.
        settings: settings of the run.
        verdicts: verdicts of the unit's premises, by id.
        reads: record for its catalogue requests.
    """
    catalogue = registry()
    if catalogue.plugins.isdisjoint({unit.subject, unit.check}):
        return _run_here(unit, settings, verdicts, catalogue if reads is None else watch_catalogue(catalogue, reads))
    seconds = profile_named(settings.profile).patience
    try:
        return list(call_apart(partial(_run_here, unit, settings, verdicts, catalogue), seconds))
    except MisbehavedError as error:
        remedy = "mend the plug-in; where it is only slow, a smaller profile asks less of it"
        return broken_unit(unit, settings, f"{CANNOT}: {error.what.detail}", remedy, unusable_target=True)


def _run_here(
    unit: Unit, settings: Settings, verdicts: Mapping[str, Verdict], catalogue: Registry
) -> list[dict[str, Any]]:
    """Run one unit in this process; a crash becomes an ERROR finding."""
    subject, check = registry().subjects[unit.subject], registry().checks[unit.check]
    context = context_of(settings, catalogue, verdicts)
    try:
        findings = check.run(subject, context)
        if not findings:
            raise ValueError("expected at least one finding, got none")
        if foreign := {finding.check for finding in findings} - {unit.check}:
            raise ValueError(f"expected findings of {unit.check}, got some of {', '.join(sorted(foreign))}")
        if why := impossible(subject, findings):
            raise ValueError(f"expected possible numbers, got {why}")
    except MisbehavedError as error:
        return broken_unit(unit, settings, f"{CANNOT}: {error.what.detail}", "mend the mechanism", unusable_target=True)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - any error is reported as a crash of the check
        if isinstance(error, ImportError) and (lacking := missing(error)) is not None:
            findings = not_applicable(subject, check.name, context, lacking.what, lacking.remedy)
            return [finding.model_dump(mode="json") for finding in findings]
        text = printable(" ".join(f"{type(error).__name__}: {error}".split()))
        return broken_unit(unit, settings, f"the check crashed: {text}", "report it as a defect of the suite")
    return [_of_the_named_check(finding, subject).model_dump(mode="json") for finding in findings]


def _of_the_named_check(finding: Finding, subject: Subject) -> Finding:
    """Return NOT_CHECKABLE for NOT_APPLICABLE if the check must catch the fault: the fault is then not caught."""
    is_named = isinstance(subject, Fault | AccountantFault) and finding.check == subject.caught_by
    if not is_named or finding.verdict is not Verdict.NOT_APPLICABLE:
        return finding
    headline = f"the check that must catch it does not apply: {finding.headline}"
    return Finding.model_validate(
        {**finding.model_dump(), "verdict": Verdict.NOT_CHECKABLE, "met": False, "headline": headline}
    )


def context_of(settings: Settings, catalogue: Registry, verdicts: Mapping[str, Verdict]) -> Context:
    """Return the context for the checks of a run."""
    alpha, profile = Fraction(settings.alpha), profile_named(settings.profile)
    return Context(profile, settings.seed, alpha, catalogue, verdicts, settings.continued)


def broken_unit(
    unit: Unit, settings: Settings, headline: str, remedy: str, *, unusable_target: bool = False
) -> list[dict[str, Any]]:
    """Return the ERROR finding of a unit that did not finish, as JSON."""
    subject = registry().subjects[unit.subject]
    crash = finding(
        subject,
        unit.check,
        context_of(settings, registry(), {}),
        Verdict.ERROR,
        headline,
        [ReasonEvidence(text=headline, remedy=remedy, unusable_target=unusable_target)],
        expected=subject.expected,
    )
    return [crash.model_dump(mode="json")]
