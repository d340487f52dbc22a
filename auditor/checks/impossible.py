"""Consistency requirements on the probabilities in the findings of every check."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from auditor.checks.check import Subject
from auditor.findings.evidence import Enclosed, EnclosuresEvidence, Evidence, SamplingEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.statements.statement import PROBABILITIES


def impossible(subject: Subject, findings: Iterable[Finding]) -> str:
    """Return why a finding is impossible: a probability outside [0, 1], or a witness with both sides above 1.

    Returns: an empty text if all findings are possible.
    """
    evidence = (each for finding in findings for each in finding.evidence)
    return next((why for each in evidence if (why := _why(subject, each))), "")


def _why(subject: Subject, evidence: Evidence) -> str:
    if isinstance(evidence, SamplingEvidence):
        return "" if evidence.delta_exact is None else _outside(evidence.delta_exact, Role.EXACT)
    if not isinstance(subject, Claim) or subject.quantity not in PROBABILITIES:
        return ""
    if isinstance(evidence, WitnessEvidence) and evidence.left is not None and evidence.right is not None:
        sides = [Fraction(side.lower) for side in (evidence.left, evidence.right)]
        if min(sides) > 1:
            return f"both sides of its witness are above 1 ({_text(evidence.left)} and {_text(evidence.right)})"
    if isinstance(evidence, EnclosuresEvidence):
        outside = (_outside(row.quantity, subject.role) for row in evidence.rows)
        return next((why for why in outside if why), "")
    return ""


def _outside(number: Enclosed, role: Role) -> str:
    """Return a reason if a probability, or a bound on one, is outside [0, 1]; an upper bound may exceed 1."""
    low, high = Fraction(number.lower), Fraction(number.upper)
    if high < 0 or (low > 1 and role is not Role.UPPER):
        return f"a probability of {_text(number)}, outside [0, 1]"
    return ""


def _text(number: Enclosed) -> str:
    return f"[{number.lower}, {number.upper}]"
