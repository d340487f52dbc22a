"""The chapter on accountants."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from auditor.checks.accountants import check_accountant
from auditor.checks.check import Context
from auditor.engine.registry import registry
from auditor.profile import profile
from auditor.report.chapters.accuracy import write
from proofs_numeric.statements.verdict import Verdict


def test_missing_packages_are_named_with_their_remedy():
    """An accountant whose library is not installed has no row, but a sentence."""
    known = registry()
    subject = replace(known.accountants["opendp.zcdp.delta"], library="no-such-distribution")
    found = check_accountant(subject, Context(profile("quick"), 0, Fraction(1, 10**6), known))
    assert [f.verdict for f in found] == [Verdict.NOT_APPLICABLE]
    section = write(replace(known, accountants={subject.id: subject}), {subject.id: found}, profile("quick"))
    assert section.tables[0].rows == []
    assert "install the accountants extra): opendp.zcdp.delta" in section.text
