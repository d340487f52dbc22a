"""Checks by enumeration: finite statements in exact arithmetic, executable definitions, editorial entries."""

from __future__ import annotations

from collections.abc import Sequence

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.findings.evidence import EnumerationEvidence, ReasonEvidence, WitnessEvidence
from auditor.findings.finding import Finding
from proofs_numeric.kernel.enumeration import enumerated
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Definition, Editorial, FiniteStatement
from proofs_numeric.statements.verdict import Verdict


def check_enumeration(subject: Subject, context: Context) -> Sequence[Finding]:
    """Decide every case; the first failing case, in order, is the witness. Floating-point cases prove nothing."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, FiniteStatement):
        raise TypeError(f"expected a finite statement, got {subject.id}")
    kind, name = subject.kind, "finite.enumeration"
    size = kind.sizes[context.profile.name]
    scope = f"{kind.size_text} <= {size}"
    result = enumerated(kind, size)
    if result.failing is not None:
        by = "" if kind.rigorous else f" by more than {kind.tolerance}, in floating point"
        failing = result.failing[0]
        parts = {"case": failing} if kind.describe is None else kind.describe(failing)
        parameters = {part: show.case(value) for part, value in parts.items()}
        evidence = WitnessEvidence(
            parameters=parameters,
            relation="holds",
            explanation=f"'{subject.title}' is false there; the first case in order that fails ({scope})",
        )
        at = ", ".join(f"{part} = {value}" for part, value in parameters.items())
        headline = (f"fails for {parameters['case']}" if kind.describe is None else f"fails at {at}") + by
        return [finding(subject, name, context, result.verdict, headline, [evidence], scope=scope)]
    if not result.cases:
        raise ValueError(f"expected cases for {subject.id} at {scope}, got none: an empty enumeration tests nothing")
    example = {"first": show.case(result.first)}
    evidence_cases = EnumerationEvidence(domain=scope, cases=result.cases, example=example)
    headline = (
        f"{result.cases} cases decided exactly, none fails"
        if kind.rigorous
        else f"{result.cases} cases in floating point, none fails by more than {kind.tolerance}; no proof"
    )
    return [
        finding(
            subject, name, context, result.verdict, headline, [evidence_cases], scope=kind.covered(context.profile.name)
        )
    ]


def check_definition(subject: Subject, context: Context) -> Sequence[Finding]:
    """Evaluate an executable definition on members and non-members."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, Definition):
        raise TypeError(f"expected a definition, got {subject.id}")
    kind, name = subject.kind, "definition.examples"
    if not kind.members or not kind.non_members:
        raise ValueError(f"expected members and non-members for {subject.id}: one-sided examples fix no meaning")
    for value, expected in [*((m, True) for m in kind.members), *((n, False) for n in kind.non_members)]:
        if kind.accepts(value) is not expected:
            says = "rejects a member" if expected else "accepts a non-member"
            evidence = WitnessEvidence(parameters={"example": show.case(value)}, relation="in", explanation=says)
            return [finding(subject, name, context, Verdict.REFUTED, f"{says}: {show.case(value)}", [evidence])]
    members, non_members = len(kind.members), len(kind.non_members)
    evidence_examples = EnumerationEvidence(
        domain="examples that fix the meaning",
        cases=members + non_members,
        example={"member": show.case(kind.members[0])},
    )
    headline = f"accepts {members} members and rejects {non_members} non-members; used by generators and checks"
    return [finding(subject, name, context, Verdict.CONSISTENT, headline, [evidence_examples])]


def check_editorial(subject: Subject, context: Context) -> Sequence[Finding]:
    """Report the printed text and its correction; nothing is evaluated."""
    if not isinstance(subject, Claim) or not isinstance(subject.kind, Editorial):
        raise TypeError(f"expected an editorial entry, got {subject.id}")
    kind = subject.kind
    headline = f"printed: {kind.printed}; read: {kind.corrected}"
    reason = ReasonEvidence(text=kind.reason)
    return [finding(subject, "editorial", context, Verdict.NOT_CHECKABLE, headline, [reason])]


CHECKS = (
    Check(
        name="finite.enumeration", title="Exact enumeration",
        explain="Decides every case of a finite set in integers, rationals or balls. The scope states the sizes. A "
        "comparison in floating point is no proof: the cases are then consistent with the statement within a stated "
        "tolerance.",
        assumes="Larger sizes are not decided.", of="Claims about a finite set of cases.",
        applies=lambda s, _catalogue: isinstance(s, Claim) and isinstance(s.kind, FiniteStatement),
        run=check_enumeration,
    ),
    Check(
        name="definition.examples", title="Definitions as predicates",
        explain="Evaluates an executable definition on members and non-members.",
        assumes="The listed members and non-members suffice to test the definition. It is neither true nor false.",
        of="Definitions that can be executed.",
        applies=lambda s, _catalogue: isinstance(s, Claim) and isinstance(s.kind, Definition), run=check_definition,
    ),
    Check(
        name="editorial", title="Editorial entries",
        explain="Lists misprints and remarks that contain nothing to evaluate. They never count as checked.",
        assumes="Nothing is decided.", of="Misprints and remarks.",
        applies=lambda s, _catalogue: isinstance(s, Claim) and isinstance(s.kind, Editorial), run=check_editorial,
    ),
)  # fmt: skip
