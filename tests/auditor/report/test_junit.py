"""JUnit XML: the map from verdicts to results is total and never takes a crash for a violation."""

from xml.etree import ElementTree as ET

import pytest

from auditor.findings.finding import Outcome
from auditor.report import junit
from auditor.report.junit import Result, result
from tests.auditor.report.sample import sample_report


def cases(report=None, **options):
    """Test cases of the rendered sample by name."""
    root = ET.fromstring(junit.render(report or sample_report(), **options))  # noqa: S314 - our own document
    return {case.get("name"): case for case in root.iter("testcase")}


RESULTS = {
    Outcome.EXPECTED: Result.PASS,
    Outcome.UNEXPECTED: Result.FAILURE,
    Outcome.BROKEN: Result.ERROR,
    Outcome.SKIPPED: Result.SKIPPED,
    Outcome.OPEN: Result.PASS,
}


@pytest.mark.parametrize("outcome", Outcome)
def test_every_outcome_has_a_result(outcome):
    """A crash is an error, a violation a failure, undecided passes unless it is strict."""
    strictly = Result.FAILURE if outcome is Outcome.OPEN else RESULTS[outcome]
    assert (result(outcome, strict=False), result(outcome, strict=True)) == (RESULTS[outcome], strictly)


def test_undecided_fails_only_under_strict():
    """The same finding passes without strict and fails with it."""
    name = "wilkins2024.sec6.threshold::numeric"
    assert cases()[name].find("failure") is None
    assert cases(strict=True)[name].find("failure") is not None


def test_an_expected_refutation_passes():
    """A planted fault that was caught is a passing case."""
    assert [child.tag for child in cases()["half_noise::empirical"]] == ["system-out"]


def test_an_escaped_fault_fails():
    """A planted fault that was not caught is a failing case with the command to see it again."""
    failure = cases()["tau_zero::empirical"].find("failure")
    assert "reproduce: auditor run tau_zero" in failure.text


def test_a_crash_is_an_error_not_a_failure():
    """A check that broke says nothing about the claim."""
    assert [child.tag for child in cases()["wilkins2024.thm7.1::numeric"]] == ["error"]


@pytest.mark.parametrize("name", ["wilkins2024.fig2::numeric", "hostile::accountant"])
def test_what_was_skipped_says_why(name):
    """Skipped cases carry a reason."""
    assert cases()[name].find("skipped").get("message")


def test_counts_add_up():
    """The attributes of the root are those of its cases."""
    root = ET.fromstring(junit.render(sample_report()))  # noqa: S314 - our own document
    count = {tag: sum(1 for _ in root.iter(tag)) for tag in ("testcase", "failure", "error", "skipped")}
    assert count == {
        "testcase": int(root.get("tests")),
        "failure": int(root.get("failures")),
        "error": int(root.get("errors")),
        "skipped": int(root.get("skipped")),
    }


def test_an_interrupted_run_is_never_green():
    """A partial report holds an error of its own."""
    partial = sample_report().model_copy(update={"complete": False, "pending": ["a::b"], "findings": []})
    assert cases(partial)["complete"].find("error") is not None


def test_control_characters_cannot_break_the_file():
    """What XML forbids is spelt; the hostile name stays text."""
    message = cases()["hostile::accountant"].find("skipped").get("message")
    assert "<script>alert(1)</script>\\x07" in message


def test_file_line_and_time_are_those_of_the_finding():
    """Seconds are of a check: they stand on its first finding, and without them no clock is in the file."""
    finding, other = sample_report().findings[:2]
    known = {f"{finding.subject}::{finding.check}": 2.5}
    case = cases(places={finding.id: ("mine/my mechanism.py", 12)}, seconds=known)[finding.id]
    assert (case.get("file"), case.get("line"), case.get("time")) == ("mine/my mechanism.py", "12", "2.50")
    assert cases(seconds=known)[other.id].get("time") is None
    assert "time=" not in junit.render(sample_report())
