"""What a notebook shows for a result."""

from auditor.findings.card import card, table
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import HOSTILE, sample_report


def test_a_card_says_verdict_subject_sentence_and_facts():
    """Empty facts are left out."""
    shown = card(Verdict.CONSISTENT, "mine.py:f", "no violation >= 1e-4 seen", [("pair", "a against b"), ("event", "")])
    assert "<strong>no violation seen</strong> <code>mine.py:f</code>" in shown
    assert "no violation &gt;= 1e-4 seen" in shown
    assert ("a against b" in shown, "event" in shown) == (True, False)


def test_nothing_in_a_card_is_obeyed():
    """Names, sentences and values of others stay text."""
    shown = card(Verdict.REFUTED, HOSTILE, HOSTILE, [(HOSTILE, HOSTILE)])
    assert "<script>" not in shown
    assert "\x07" not in shown


def test_a_table_has_every_finding_those_against_expectation_first():
    """In words."""
    findings = sample_report().findings
    shown = table(findings)
    assert shown.count("<tr>") == 1 + len(findings)
    assert shown.index("unexpected") < shown.index("as expected")
