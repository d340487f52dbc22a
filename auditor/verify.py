"""Check the proofs, enclosures and witnesses of a report again, by mpmath's intervals instead of Arb's balls.

The checker is small on purpose: it replays bisection trees leaf by leaf, encloses printed numbers and both sides of
witnesses anew, and says what it could not check.  Formulas are shared with the suite; number system, special functions
and control flow are not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from auditor.checks.lemma import proof_of
from auditor.checks.witness import Statement, statement_of
from auditor.errors import ExitCode
from auditor.interval import Interval
from auditor.registry import Registry, registry
from auditor.report.model import (
    AuditReport,
    Enclosed,
    EnclosuresEvidence,
    Finding,
    ProofEvidence,
    QuantityEvidence,
    TrustItem,
    WitnessEvidence,
)
from proofs_numeric.certify import Range, bisect, replay_tree
from proofs_numeric.claim import Claim, Formula, PositiveOnBox, Value, evaluate_in

BITS = (96, 256, 1024)
EXTRA_SPLITS = 8
"""Bisections below a recorded leaf, where intervals are wider than balls."""


@dataclass(frozen=True)
class Item:
    """One thing checked again: what, where, and how it came out (``stands``, ``fails``, ``not checked``)."""

    finding: str
    what: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True)
class VerifyResult:
    """Outcome of a verification and the trust base of the report."""

    items: tuple[Item, ...]
    trust: tuple[TrustItem, ...] = field(default=())

    def count(self, outcome: str) -> int:
        """How many items came out so."""
        return sum(item.outcome == outcome for item in self.items)

    @property
    def exit_code(self) -> ExitCode:
        """1 when anything fails; a verification that checked nothing is 5."""
        if self.count("fails"):
            return ExitCode.FINDINGS
        return ExitCode.OK if self.count("stands") else ExitCode.EMPTY_SELECTION

    def to_json(self) -> dict[str, Any]:
        """One JSON document."""
        return {
            "stands": self.count("stands"),
            "fails": self.count("fails"),
            "not_checked": self.count("not checked"),
            "items": [asdict(item) for item in self.items],
            "trust": [item.model_dump(mode="json") for item in self.trust],
        }

    def lines(self) -> list[str]:
        """What a person reads."""
        shown = [f"{item.outcome}: {item.finding} ({item.what}) {item.reason}".rstrip() for item in self.items]
        return [
            *[line for line, item in zip(shown, self.items, strict=True) if item.outcome != "stands"],
            f"{self.count('stands')} stand, {self.count('fails')} fail, {self.count('not checked')} not checked",
            "trust base:",
            *(f"  {item.kind}: {item.name} {item.version} ({item.used_for})" for item in self.trust),
        ]


def verify(report: AuditReport) -> VerifyResult:
    """Check every proof, enclosure, printed number and witness of a report's claims again."""
    known = registry()
    items = [item for found in report.findings for item in _verify_finding(found, known)]
    return VerifyResult(tuple(items), tuple(report.trust))


def _verify_finding(found: Finding, known: Registry) -> Iterable[Item]:
    claim = known.claims.get(found.subject)
    if claim is None:
        return
    for evidence in found.evidence:
        if isinstance(evidence, ProofEvidence) and evidence.tree:
            what = f"{evidence.step}: {evidence.tree.count('.')} boxes"
            yield _guarded(found.id, what, partial(_boxes, claim, evidence))
        elif isinstance(evidence, EnclosuresEvidence):
            for row in evidence.rows:
                what = ", ".join(f"{name}={value}" for name, value in row.parameters.items())
                yield _guarded(found.id, what, partial(_meets, claim, row.parameters, row.quantity))
        elif isinstance(evidence, QuantityEvidence):
            yield _guarded(found.id, f"printed {evidence.printed}", partial(_meets, claim, {}, evidence.computed))
        elif isinstance(evidence, WitnessEvidence) and (statement := statement_of(claim)) is not None:
            yield _guarded(found.id, "witness", partial(_refutes, statement, evidence))


def _guarded(finding: str, what: str, check: Callable[[], str]) -> Item:
    """Run one check: an empty answer stands, text fails; what intervals cannot evaluate is said, never passed."""
    try:
        problem = check()
    except Exception as error:  # noqa: BLE001 - whatever stops the checker is reported as not checked
        return Item(finding, what, "not checked", f"{type(error).__name__}: {error}".replace("\n", " "))
    return Item(finding, what, "fails" if problem else "stands", problem)


def _boxes(claim: Claim, evidence: ProofEvidence) -> str:
    proof = proof_of(claim)
    steps = [s for s in proof.steps if isinstance(s, PositiveOnBox) and s.name == evidence.step] if proof else []
    if not steps:
        return f"no step named {evidence.step!r} in the proof of {claim.id}"
    step = steps[0]
    for leaf in replay_tree(step.box, evidence.tree):
        if not _positive(step.formula, leaf, EXTRA_SPLITS):
            return "not above zero on " + ", ".join(f"{n} in [{lo}, {hi}]" for n, (lo, hi) in leaf.items())
    return ""


def _positive(formula: Formula, ranges: Mapping[str, Range], splits: int) -> bool:
    A = Interval(BITS[0])
    value = A.number(formula(A, **{name: A.interval(*ends) for name, ends in ranges.items()}))
    if value.a > 0:
        return True
    if splits == 0:
        return False
    widest = max(ranges, key=lambda name: Fraction(ranges[name][1]) - Fraction(ranges[name][0]))
    return all(_positive(formula, half, splits - 1) for half in bisect(ranges, widest))


def _enclose(formula: Formula, point: Mapping[str, Value]) -> Iterable[tuple[Any, Interval]]:
    for bits in BITS:
        A = Interval(bits)
        yield A.number(evaluate_in(A, formula, point)), A


def _meets(claim: Claim, parameters: Mapping[str, str], printed: Enclosed) -> str:
    """Empty when an interval enclosure narrower than 1e-10 (relative) overlaps the report's."""
    if claim.formula is None:
        raise TypeError(f"expected a claim with a value, got {claim.id}")
    point = claim.domain.parse(parameters)
    value = None
    for value, A in _enclose(claim.formula, point):
        lower, upper = A.number(printed.lower), A.number(printed.upper)
        if value.b < lower.a or value.a > upper.b:
            return f"the interval {value} does not meet [{printed.lower}, {printed.upper}]"
        if value.delta.b <= abs(value).b * A.number("1e-10").b:
            return ""
    raise ArithmeticError(f"expected an interval to 10 digits, got {value} at {BITS[-1]} bits")


def _refutes(statement: Statement, evidence: WitnessEvidence) -> str:
    point = statement.box.parse(evidence.parameters)
    for bits in BITS:
        A = Interval(bits)
        left, right = (A.number(evaluate_in(A, side, point)) for side in (statement.left, statement.right))
        if left.a > right.b or (statement.relation == "=" and left.b < right.a):
            return ""
        if statement.relation == "<" and left.a == left.b == right.a == right.b:
            return ""
        if left.b < right.a:
            return f"the statement holds at the witness: {left} against {right}"
    raise ArithmeticError("expected the sides to separate, got overlapping intervals")
