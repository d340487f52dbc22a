"""Accountants against claims: ours, other people's, and those that under-report on purpose."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from auditor.accountant_audit.adapter import Accountant
from auditor.accountant_audit.audit import AccountantAudit, audit_accountant
from auditor.checks.check import Check, Context, Subject, finding
from auditor.report.model import Finding, ReasonEvidence
from auditor.statistics.seeds import seed_of
from auditor.target.target import locate_own
from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import exact
from proofs_numeric.statements.verdict import Verdict

NAME = "numeric.accountant"
MOST_EXAMPLES = 1000


def _audit(subject: Accountant | AccountantFault, context: Context) -> AccountantAudit:
    seed = seed_of(context.seed, NAME, subject.id)
    claim = context.registry.claim(subject.violates if isinstance(subject, AccountantFault) else subject.against)
    examples = min(context.profile.at_cost(claim.cost).examples, MOST_EXAMPLES)
    if isinstance(subject, Accountant):
        module, _, attribute = subject.function.partition(":")
        return audit_accountant(
            locate_own(module, attribute, "accountant"),
            claim,
            box=subject.box,
            tolerance=subject.tolerance,
            max_examples=examples,
            seed=seed,
        )
    point = {name: exact(value) for name, value in subject.parameters.items()}
    function = subject.accountant
    return audit_accountant(
        locate_own(function.__module__, function.__qualname__, "accountant"),
        replace(claim, points=(*claim.points, point)),
        max_examples=examples,
        seed=seed,
    )


def check_accountant(subject: Subject, context: Context) -> Sequence[Finding]:
    """Search the claim's domain for under-reports and invalid answers; a missing library is not applicable."""
    if not isinstance(subject, Accountant | AccountantFault):
        raise TypeError(f"expected an accountant, got {subject.id}")
    if isinstance(subject, Accountant) and subject.installed_version is None:
        reason = f"{subject.library} is not installed"
        remedy = "pip install 'sparse-histogram-auditor[accountants]'"
        evidence = ReasonEvidence(text=reason, remedy=remedy)
        return [finding(subject, NAME, context, Verdict.NOT_APPLICABLE, f"{reason}; {remedy}", [evidence])]
    audit = _audit(subject, context)
    scope = ", ".join(f"{lower} <= {name} <= {upper}" for name, (lower, upper) in audit.box.items())
    return [finding(subject, NAME, context, audit.verdict, audit.detail, [audit.evidence()], scope=scope)]


CHECKS = (
    Check(
        name=NAME,
        title="Accountant against its claim",
        explain="Calls the accountant, in a process of its own, at corners of the claim's domain, at points that "
        "Hypothesis draws on logarithmic scales, and on walks towards under-reports. Each answer is held against the "
        "claim's ball enclosure at the exact binary value of the arguments: below the truth is unsafe, "
        "above it loose, no number in range invalid. A calibration is judged by the exact delta it achieves. "
        "Counterexamples are shrunk.",
        applies=lambda s, _known: isinstance(s, Accountant | AccountantFault),
        run=check_accountant,
    ),
)
