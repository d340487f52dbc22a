"""What a notebook shows for a result."""

from auditor.findings.card import card, table
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import HOSTILE, sample_report


def test_a_card_says_verdict_subject_sentence_and_facts():
    """Empty facts are left out."""
    page = card(Verdict.CONSISTENT, "mine.py:f", "no violation >= 1e-4 seen", [("pair", "a against b"), ("event", "")])
    assert "<strong>no violation seen</strong> <code>mine.py:f</code>" in page
    assert "no violation &gt;= 1e-4 seen" in page
    assert ("a against b" in page, "event" in page) == (True, False)


def test_nothing_in_a_card_is_obeyed():
    """Names, sentences and values of others stay text."""
    page = card(Verdict.REFUTED, HOSTILE, HOSTILE, [(HOSTILE, HOSTILE)])
    assert "<script>" not in page
    assert "\x07" not in page


def test_a_table_has_every_finding_those_against_expectation_first():
    """In words."""
    findings = sample_report().findings
    page = table(findings)
    assert page.count("<tr>") == 1 + len(findings)
    assert page.index("unexpected") < page.index("as expected")
