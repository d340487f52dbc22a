"""One quick audit of everything: expectations met, faults caught, controls silent, generated files current."""

import os
from fractions import Fraction
from pathlib import Path

import pytest

from auditor.engine.attack import statements_attacked
from auditor.engine.registry import registry
from auditor.engine.runner import run
from auditor.findings.finding import Outcome
from auditor.front import claims_index
from auditor.report import html, json, junit, markdown
from auditor.version import suite_version
from proofs_numeric.statements.verdict import Verdict

pytestmark = pytest.mark.slow(30)  # CPU seconds of each where the audit is made here
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def report():
    """The audit at the quick profile: that of the folder AUDIT_REPORT, which this checkout just wrote, or a new one.

    Of a new one, checks are run of what has changed since the last audit of this checkout, or test of it.
    """
    written, cache = os.environ.get("AUDIT_REPORT"), Path(os.environ.get("AUDIT_CACHE", ROOT / ".auditor" / "cache"))
    document = json.read(Path(written)) if written else run(profile="quick", seed=0, jobs=2, cache=cache)
    assert (document.profile, document.seed, document.selection, document.complete) == ("quick", 0, [], True)
    assert document.suite_version == suite_version()
    return document


def test_every_expectation_is_met(report):
    """In both directions: a fault that escapes is as red as a correct mechanism that is flagged."""
    assert [f.id for f in report.findings if f.outcome in {Outcome.UNEXPECTED, Outcome.BROKEN}] == []


def test_nothing_stays_undecided(report):
    """A search that no point decides stands beside a proof: what decides the subject is another check."""
    open_ones = {f.subject for f in report.findings if f.verdict is Verdict.UNDECIDED}
    decided = {f.subject for f in report.findings if f.verdict in {Verdict.PROVED, Verdict.DERIVED}}
    assert open_ones - decided == set()


def test_every_fault_is_caught_by_the_check_it_names(report):
    """Not by another check: the named one must have the power."""
    caught = {(f.subject, f.check) for f in report.findings if f.verdict is Verdict.REFUTED}
    catalogue = registry()
    assert [i for i, fault in catalogue.faults.items() if (i, fault.caught_by) not in caught] == []


def test_no_control_and_no_mechanism_is_flagged(report):
    """Privacy-neutral variants stay silent."""
    neutral = set(registry().controls) | set(registry().mechanisms)
    assert [f.id for f in report.findings if f.subject in neutral and f.verdict is Verdict.REFUTED] == []


def test_the_run_spends_no_more_than_its_false_alarm_probability(report):
    """Family by family, and in sum."""
    spent = [Fraction(entry.spent) for entry in report.false_alarm_ledger]
    shares = [Fraction(entry.share) for entry in report.false_alarm_ledger]
    assert all(s <= share * Fraction(1001, 1000) for s, share in zip(spent, shares, strict=True))
    assert sum(spent) <= Fraction(report.alpha)


def test_every_claim_has_a_verdict(report):
    """No row is dropped silently."""
    assert {entry.id for entry in report.claims} == set(registry().claims)


def test_every_format_renders_the_whole_report(report, tmp_path):
    """JSON is the report; the others are views that name every finding or claim."""
    text = json.render(report)
    (tmp_path / "report.json").write_text(text, "utf-8")
    assert json.render(json.read(tmp_path)) == text
    page = html.render(report)
    assert [entry.id for entry in report.claims if entry.id not in page] == []
    assert page.count("<script") == 1
    assert len(page.encode()) < 2 * 2**20
    assert markdown.render(report)
    assert junit.render(report, strict=True).count("<testcase") == len(report.findings)


def test_the_index_of_claims_is_current(report):
    """CLAIMS.md shows what this run computed."""
    current = claims_index.render(report.claims, registry().claims, statements_attacked(registry()), report.findings)
    assert (ROOT / claims_index.PATH).read_text("utf-8") == current, f"out of date; run: {claims_index.COMMAND}"
