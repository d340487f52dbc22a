"""Definition of a check: a function from a subject to findings, with a rule for the subjects that it applies to."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from auditor.checks import show
from auditor.findings.evidence import Evidence, ReasonEvidence, SubjectKind
from auditor.findings.finding import Finding
from auditor.profile import RunProfile
from auditor.statistics.evidence import Continuation
from mechanisms.mechanism import Releasing
from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from collections.abc import Collection

    from auditor.accountant_audit.adapter import Accountant
    from mechanisms.mechanism import AccountantFault, Control, Fault, MechanismSpec
    from proofs_numeric.statements.claim import Claim


class Subject(Protocol):
    """Subject of a check: a claim, a mechanism, a fault, a control, an accountant."""

    @property
    def id(self) -> str:
        """Id in the catalogue."""

    @property
    def title(self) -> str:
        """One line for people."""

    @property
    def subject_kind(self) -> str:
        """Kind of the subject, as in findings."""

    @property
    def expected(self) -> Expectation:
        """Expected outcome; a planted fault is expected to be refuted."""


FAMILY_OF_KIND = {
    "mechanism": "mechanisms",
    "control": "controls",
    "fault": "faults",
    "claim": "laws",
    "accountant": "accountants",
}


def family_of(subject: str, kind: str, catalogue: Catalogue) -> str:
    """Return the family whose share of the false-alarm probability the tests of a subject of this kind spend."""
    return "plugins" if subject in catalogue.plugins else FAMILY_OF_KIND[kind]


class Catalogue(Protocol):
    """Interface of the catalogue for checks."""

    @property
    def claims(self) -> Mapping[str, Claim]:
        """Claims by id."""

    @property
    def mechanisms(self) -> Mapping[str, MechanismSpec]:
        """Mechanisms by id."""

    @property
    def faults(self) -> Mapping[str, Fault | AccountantFault]:
        """Planted faults by id."""

    @property
    def controls(self) -> Mapping[str, Control]:
        """Controls by id."""

    @property
    def accountants(self) -> Mapping[str, Accountant]:
        """Accountants by id."""

    @property
    def plugins(self) -> Collection[str]:
        """Ids declared by other distributions."""

    @property
    def checks(self) -> Mapping[str, Check]:
        """Checks by name."""

    @property
    def subjects(self) -> Mapping[str, Subject]:
        """All selectable items by id."""

    def where(self, collection: str, attributes: Mapping[str, str]) -> Sequence[str]:
        """Return the ids of the items with given attributes; a finding depends on this answer alone."""

    def claim(self, identifier: str) -> Claim:
        """Return a claim by id; raise UnknownIdError with the closest id."""


@dataclass(frozen=True)
class Context:
    """Inputs of a check besides its subject."""

    profile: RunProfile
    seed: int
    alpha: Fraction
    """False-alarm probability of the whole run."""
    registry: Catalogue
    verdicts: Mapping[str, Verdict] = field(default_factory=dict)
    """Verdicts of the claims in the check's ``after``."""
    continued: Continuation | None = None
    """Open run that the black-box check of its subject continues."""


@dataclass(frozen=True)
class Check:
    """One check. ``name`` is ``family.subject``; ``auditor explain`` and the documentation print the texts."""

    name: str
    title: str
    explain: str
    """The decided statement and the method."""
    assumes: str
    of: str
    """Text for `applies`."""
    applies: Callable[[Subject, Catalogue], bool]
    run: Callable[[Subject, Context], Sequence[Finding]]
    after: Callable[[Subject], frozenset[str]] = lambda _subject: frozenset()
    """Ids of claims whose verdicts the check needs; they run first, even if not selected."""


def releasing(check: str) -> Callable[[Subject, Catalogue], bool]:
    """Return the rule of a check of releases: mechanisms, controls, and the faults that the check must refute."""

    def applies(subject: Subject, _catalogue: Catalogue) -> bool:
        return isinstance(subject, Releasing) and subject.answers_to(check)

    return applies


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
    """Return a finding of ``check`` about ``subject``, with the command that repeats it."""
    return Finding.of(
        subject=subject.id,
        subject_kind=SubjectKind(subject.subject_kind),
        check=check,
        verdict=verdict,
        expected=subject.expected if expected is None else expected,
        headline=headline,
        evidence=evidence,
        scope=scope,
        detail=detail,
        reproduce=(
            f"auditor run {shlex.quote(subject.id)} --profile {context.profile.name} --seed {context.seed} "
            f"--alpha {show.exact_text(context.alpha)} --out audit-again"
        ),
    )


def not_applicable(subject: Subject, check: str, context: Context, reason: str, remedy: str) -> list[Finding]:
    """Return the one finding of a check that cannot run here."""
    evidence = ReasonEvidence(text=reason, remedy=remedy)
    return [finding(subject, check, context, Verdict.NOT_APPLICABLE, f"{reason}; {remedy}", [evidence])]
