"""What a check is: a plain function from a subject to findings, with a rule for the subjects it applies to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from auditor.accountant_audit.adapter import Accountant
from auditor.checks import show
from auditor.profile import Profile
from auditor.report.model import Evidence, Finding, SubjectKind
from auditor.statistics.evidence import Continuation
from mechanisms.mechanism import AccountantFault, Control, Fault, MechanismSpec
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from auditor.engine.registry import Registry

Subject = Claim | MechanismSpec | Fault | AccountantFault | Control | Accountant


@dataclass(frozen=True)
class Context:
    """What a check may use besides its subject."""

    profile: Profile
    seed: int
    alpha: Fraction
    """False-alarm probability of the whole run."""
    registry: Registry
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """Verdicts of the claims that the check's ``after`` asked for."""
    continued: Continuation | None = None
    """History that the black-box check of its subject continues."""


@dataclass(frozen=True)
class Check:
    """One check.  ``name`` is ``family.what``; ``explain`` is shown by ``auditor explain``."""

    name: str
    title: str
    explain: str
    applies: Callable[[Subject, Registry], bool]
    run: Callable[[Subject, Context], Sequence[Finding]]
    after: Callable[[Subject], frozenset[str]] = lambda _subject: frozenset()
    """Ids of claims whose verdicts the check needs; they are run first, selected or not."""


def subject_kind(subject: Subject) -> SubjectKind:
    """The kind of a subject, as findings name it."""
    if isinstance(subject, Claim):
        return SubjectKind.CLAIM
    if isinstance(subject, MechanismSpec):
        return SubjectKind.MECHANISM
    if isinstance(subject, Fault | AccountantFault):
        return SubjectKind.FAULT
    if isinstance(subject, Control):
        return SubjectKind.CONTROL
    return SubjectKind.ACCOUNTANT


def expectation(subject: Subject) -> Expectation:
    """What a subject is expected to be: faults are expected to be refuted."""
    if isinstance(subject, Claim | Accountant):
        return subject.expected
    return Expectation.REFUTED if isinstance(subject, Fault | AccountantFault) else Expectation.HOLDS


def finding(
    subject: Subject,
    check: str,
    context: Context,
    verdict: Verdict,
    headline: str,
    evidence: Sequence[Evidence] = (),
    *,
    scope: str = "",
    detail: str = "",
    expected: Expectation | None = None,
) -> Finding:
    """Build a finding of ``check`` about ``subject``, with the command that shows it again."""
    return Finding.of(
        subject=subject.id,
        subject_kind=subject_kind(subject),
        check=check,
        verdict=verdict,
        expected=expectation(subject) if expected is None else expected,
        headline=headline,
        evidence=evidence,
        scope=scope,
        detail=detail,
        reproduce=(
            f"auditor run '{subject.id}' --profile {context.profile.name} --seed {context.seed} "
            f"--alpha {show.exact_text(context.alpha)} --out audit-again"
        ),
    )
