"""The report model: what it computes, what it refuses."""

import pytest
from pydantic import ValidationError

from auditor.findings.evidence import Enclosed, SubjectKind
from auditor.findings.finding import Finding, Outcome, outcome, overall
from auditor.report.model import AuditReport, Plot, Series, Table, summarise
from proofs_numeric.statements.verdict import Expectation, Verdict
from tests.auditor.report.sample import report_of, sample_report

OUTCOMES = {
    Verdict.PROVED: (Outcome.EXPECTED, Outcome.UNEXPECTED),
    Verdict.DERIVED: (Outcome.EXPECTED, Outcome.UNEXPECTED),
    Verdict.CONSISTENT: (Outcome.EXPECTED, Outcome.UNEXPECTED),
    Verdict.REFUTED: (Outcome.UNEXPECTED, Outcome.EXPECTED),
    Verdict.UNDECIDED: (Outcome.OPEN, Outcome.UNEXPECTED),
    Verdict.NOT_APPLICABLE: (Outcome.SKIPPED, Outcome.SKIPPED),
    Verdict.NOT_CHECKABLE: (Outcome.SKIPPED, Outcome.UNEXPECTED),
    Verdict.ERROR: (Outcome.BROKEN, Outcome.BROKEN),
}


@pytest.mark.parametrize("verdict", Verdict)
def test_outcome_is_total(verdict):
    """What should hold, and a fault: one that escapes is a failure, even undecided; a crash says nothing of either."""
    assert (outcome(verdict, Expectation.HOLDS), outcome(verdict, Expectation.REFUTED)) == OUTCOMES[verdict]


def test_overall_lets_a_refutation_outweigh_a_proof():
    """One refutation decides a subject, whatever else was found."""
    assert overall([Verdict.PROVED, Verdict.REFUTED, Verdict.ERROR]) is Verdict.REFUTED


def test_overall_prefers_rigour():
    """A proof speaks louder than a silent search."""
    assert overall([Verdict.CONSISTENT, Verdict.PROVED, Verdict.UNDECIDED]) is Verdict.PROVED


def test_a_subject_without_findings_has_no_verdict():
    """Zero findings must not become a verdict."""
    with pytest.raises(ValueError, match="expected at least one verdict"):
        overall([])


def test_a_float_cannot_pose_as_a_bound():
    """Real numbers are decimal strings; a Python float is refused."""
    with pytest.raises(ValidationError):
        Enclosed(lower=0.1, upper="0.2")


@pytest.mark.parametrize("text", ["nan", "1/3", "0x1p-3", "1,5", "", "inf"])
def test_a_real_is_a_decimal_or_a_word(text):
    """Only decimals, infinity and undefined are real numbers in a report."""
    with pytest.raises(ValidationError):
        Enclosed(lower=text, upper="1")


def test_met_follows_from_the_verdict():
    """A finding cannot claim that a refutation was met where the claim should hold."""
    finding = sample_report().findings[0].model_dump()
    with pytest.raises(ValidationError, match="met"):
        Finding.model_validate(finding | {"verdict": "REFUTED", "expected": "HOLDS", "met": True})


def test_the_id_names_subject_check_and_detail():
    """Ids are stable and readable."""
    finding = Finding.of(
        subject="a.b",
        subject_kind=SubjectKind.CLAIM,
        check="numeric",
        detail="forward",
        verdict=Verdict.PROVED,
        headline="h",
        reproduce="auditor run a.b",
    )
    assert finding.id == "a.b::numeric::forward"


def test_the_summary_counts_every_finding_once():
    """The counts of the summary add up to the findings."""
    report = sample_report()
    assert sum(sum(row.values()) for row in report.summary.verdicts.values()) == len(report.findings) == 15


def test_an_edited_summary_is_refused():
    """A report whose counts do not fit its findings was edited."""
    data = sample_report().model_dump()
    data["summary"]["met"] += 1
    with pytest.raises(ValidationError, match="edited"):
        AuditReport.model_validate(data)


def test_a_finding_id_occurs_once():
    """Two findings with one id cannot be told apart."""
    report = sample_report()
    data = report.model_dump()
    data["findings"].append(data["findings"][0])
    data["summary"] = summarise([*report.findings, report.findings[0]]).model_dump()
    with pytest.raises(ValidationError, match="once"):
        AuditReport.model_validate(data)


def test_unknown_fields_are_refused():
    """A report of a later schema is not read as if it were ours."""
    with pytest.raises(ValidationError):
        AuditReport.model_validate(sample_report().model_dump() | {"surprise": 1})


def test_the_order_of_findings_does_not_depend_on_the_order_of_work():
    """Workers finish in any order; the report does not show it."""
    report = sample_report()
    assert report_of(reversed(report.findings)).findings == report.findings


def test_tables_are_rectangular():
    """A row with a missing cell is refused."""
    with pytest.raises(ValidationError, match="2 cells"):
        Table(caption="c", columns=["a", "b"], rows=[["1"]])


def test_series_pair_their_points():
    """A curve has as many y as x."""
    with pytest.raises(ValidationError, match="as many"):
        Plot(caption="c", x_label="x", y_label="y", series=[Series(name="s", x=["1"], y=[])])


def test_what_is_printed_is_short():
    """A report and a finding say one line, in words."""
    report = sample_report()
    for one in (report, report.findings[0]):
        assert str(one) == repr(one)
        assert len(str(one)) < 300
