"""JUnit XML for CI: one test case per finding.

Expected findings pass, expected refutations included. A crash is an error, never a failure. Undecided findings fail
only under strict. An interrupted run, or a run without findings, is an additional error.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import assert_never
from xml.etree import ElementTree as ET

from auditor.findings.card import OUTCOME_WORDS, WORDS
from auditor.findings.evidence import ReasonEvidence
from auditor.findings.finding import Finding, Outcome
from auditor.report import view
from auditor.report.model import AuditReport


class Result(StrEnum):
    """Possible results of a test case."""

    PASS = "pass"  # noqa: S105 - a test result, no password
    FAILURE = "failure"
    ERROR = "error"
    SKIPPED = "skipped"


def result(outcome: Outcome, *, strict: bool) -> Result:
    """Return the test result of an outcome."""
    match outcome:
        case Outcome.EXPECTED:
            return Result.PASS
        case Outcome.UNEXPECTED:
            return Result.FAILURE
        case Outcome.BROKEN:
            return Result.ERROR
        case Outcome.SKIPPED:
            return Result.SKIPPED
        case Outcome.OPEN:
            return Result.FAILURE if strict else Result.PASS
        case _:
            assert_never(outcome)


def _reason(finding: Finding) -> str:
    reasons = [evidence for evidence in finding.evidence if isinstance(evidence, ReasonEvidence)]
    return "; ".join([finding.headline, *(part for r in reasons for part in (r.text, r.remedy) if part)])


def _case(finding: Finding, *, strict: bool) -> tuple[ET.Element, Result]:
    case = ET.Element("testcase", classname=finding.subject, name=finding.id)
    status = result(finding.outcome, strict=strict)
    words = f"{WORDS[finding.verdict]}, {OUTCOME_WORDS[finding.outcome]}"
    if status is Result.PASS:
        ET.SubElement(case, "system-out").text = f"{words}: {view.beyond_verdict(finding)}"
        return case, status
    if status is Result.SKIPPED:
        ET.SubElement(case, "skipped", message=_reason(finding))
        return case, status
    detail = ET.SubElement(case, status.value, type=WORDS[finding.verdict], message=finding.headline)
    detail.text = f"{words}: {_reason(finding)}\nreproduce: {finding.reproduce}"
    return case, status


def render(
    report: AuditReport,
    *,
    strict: bool = False,
    places: Mapping[str, tuple[str, int]] = MappingProxyType({}),
    seconds: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """Return JUnit XML: one suite per kind of subject, one case per finding.

    Args:
        report: the report.
        strict: whether undecided findings are failures.
        places: file and line by finding.
        seconds: duration by check of a subject (`subject::check`), written on the first finding of the check. Without
            durations, equal findings give an equal file.
    """
    left, root = dict(seconds), ET.Element("testsuites", name="auditor")
    totals = dict.fromkeys(Result, 0)
    for kind in sorted({finding.subject_kind for finding in report.findings}):
        suite = ET.SubElement(root, "testsuite", name=kind.value)
        counts = dict.fromkeys(Result, 0)
        for finding in report.findings:
            if finding.subject_kind is kind:
                case, status = _case(finding, strict=strict)
                if finding.id in places:
                    path, line = places[finding.id]
                    case.attrib.update(file=path, line=str(line))
                if (took := left.pop(f"{finding.subject}::{finding.check}", None)) is not None:
                    case.set("time", f"{took:.2f}")
                suite.append(case)
                counts[status] += 1
        _count(suite, counts)
        totals = {status: totals[status] + counts[status] for status in Result}
    if not report.complete or not report.findings:
        suite = ET.SubElement(root, "testsuite", name="run")
        case = ET.SubElement(suite, "testcase", classname="auditor", name="complete")
        message = f"{len(report.pending)} checks were not run" if report.pending else "nothing was checked"
        ET.SubElement(case, "error", type="INCOMPLETE", message=message)
        _count(suite, dict.fromkeys(Result, 0) | {Result.ERROR: 1})
        totals[Result.ERROR] += 1
    _count(root, totals)
    ET.indent(root)
    document: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return document.decode() + "\n"


def _count(element: ET.Element, counts: dict[Result, int]) -> None:
    element.set("tests", str(sum(counts.values())))
    element.set("failures", str(counts[Result.FAILURE]))
    element.set("errors", str(counts[Result.ERROR]))
    element.set("skipped", str(counts[Result.SKIPPED]))
