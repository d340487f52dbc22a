"""Lemma checks: a search for a counterexample from the domain alone, and proofs by boxes, symbols and derivations."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.witness import Statement, Witness, points_of, search, statement_of
from auditor.findings.evidence import (
    DerivationEvidence,
    DerivationStep,
    Evidence,
    ProofEvidence,
    ReasonEvidence,
    SearchEvidence,
)
from auditor.findings.finding import Finding
from auditor.statistics.seeds import seed_of
from proofs_numeric.arithmetic.enclosure import Comparison, Enclosure, exact_value
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.kernel.boxes import positive_on_box, ranges_of
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.kinds import Calibration, DeltaBound, Identity, Inequality, Monotonicity
from proofs_numeric.statements.proof import ByClaim, PositiveOnBox, Proof, Step, SymbolicIdentity, Trusted
from proofs_numeric.statements.verdict import Verdict

_PROVABLE = DeltaBound | Calibration | Inequality | Identity | Monotonicity


def proof_of(subject: Subject) -> Proof | None:
    """The proof a claim carries, if any."""
    if isinstance(subject, Claim) and isinstance(subject.kind, _PROVABLE):
        return subject.kind.proof
    return None


# --- search -----------------------------------------------------------------------------------------------------------


def searchable(subject: Subject) -> bool:
    """Whether the subject is a claim that compares two formulas."""
    return isinstance(subject, Claim) and statement_of(subject) is not None


def _exact_where_rational(statement: Statement, witness: Witness) -> Comparison:
    """The comparison at the witness, a rational side as the number it is."""
    bits = witness.comparison.bits

    def side(formula: Formula, enclosure: Enclosure | None) -> Enclosure | None:
        value = exact_value(formula, witness.parameters)
        return enclosure if value is None else Enclosure(value, value, bits)

    left, right = witness.comparison.left, witness.comparison.right
    return replace(witness.comparison, left=side(statement.left, left), right=side(statement.right, right))


def search_counterexample(subject: Subject, context: Context) -> Sequence[Finding]:
    """Search the claim's domain for a certified violation and shrink it."""
    if not isinstance(subject, Claim) or (statement := statement_of(subject)) is None:
        raise TypeError(f"expected a claim that compares two formulas, got {subject.id}")
    name = "lemma.search"
    profile = context.profile.at_cost(subject.cost)
    points = points_of(statement.box, subject.points, profile.grid, profile.points)
    result = search(statement, points, profile.examples, seed_of(context.seed, name, subject.id))
    if result.witness is not None:
        evidence = show.witness(
            result.witness.parameters,
            _exact_where_rational(statement, result.witness),
            statement.relation,
            statement.left_name,
            statement.right_name,
        )
        left, right = result.witness.comparison.left, result.witness.comparison.right
        sides = f"{left.decimal(6)[0]} against {right.decimal(6)[0]}" if left and right else "both sides enclosed"
        at = ", ".join(f"{k}={v}" for k, v in evidence.parameters.items()) or "no parameters"
        return [finding(subject, name, context, Verdict.REFUTED, f"fails at {at}: {sides}", [evidence])]
    idle = result.compared - result.tested
    if result.tested == 0:
        text = (
            f"no point of the domain decides it: {idle} where it says nothing or its sides are too close to tell, "
            f"{result.undefined} undefined"
        )
        return [finding(subject, name, context, Verdict.UNDECIDED, text, [ReasonEvidence(text=text)])]
    at = "1 point that decides it" if result.tested == 1 else f"{result.tested} points that decide it"
    headline = f"no violation seen in {at}"
    if statement.relation == "=":
        headline = f"both sides agree to the last bit of their enclosures in {at}"
    headline += f"; {idle} more decide nothing" if idle else ""
    evidence_search = SearchEvidence(
        method="grid, corners and Hypothesis; certified comparison",
        examples=result.tested,
        box=show.domain(statement.box),
        closest={} if result.closest is None else show.parameters(result.closest),
        margin=None if result.slack is None else show.real(result.slack),
        would_catch=f"any of these points where '{statement.relation}' fails by more than the enclosures' width",
    )
    certain = statement.relation != "=" and not statement.box.names
    verdict = Verdict.PROVED if certain else Verdict.CONSISTENT  # a certified order of two numbers is all there is
    return [finding(subject, name, context, verdict, headline, [evidence_search])]


# --- proof ------------------------------------------------------------------------------------------------------------


def check_proof(subject: Subject, context: Context) -> Sequence[Finding]:
    """Run every step of the claim's proof; the verdict is the weakest that the steps allow."""
    proof = proof_of(subject)
    if proof is None or not isinstance(subject, Claim):
        raise TypeError(f"expected a claim with a proof, got {subject.id}")
    evidence: list[Evidence] = []
    steps: list[DerivationStep] = []
    verdicts: list[Verdict] = []
    failure = ""
    for number, step in enumerate(proof.steps, start=1):
        verdict, described, proved = _check_step(subject.id, step, context)
        verdicts.append(verdict)
        evidence.extend(proved)
        steps.append(described.model_copy(update={"number": number, "verdict": verdict}))
        if verdict not in _STEP_HOLDS and not failure:
            failure = f"step {number} ({described.statement}) is {verdict.value.lower()}"
    evidence.insert(0, DerivationEvidence(steps=steps))
    verdict = _proof_verdict(proof.steps, verdicts)
    trusted = sum(isinstance(step, Trusted) for step in proof.steps)
    headline = failure or _proof_headline(proof, len(proof.steps), trusted)
    scope = "" if not proof.scope else f"{proof.scope} ({proof.fraction} of the declared domain)"
    return [finding(subject, "lemma.proof", context, verdict, headline, evidence, scope=scope)]


_STEP_HOLDS = frozenset({Verdict.PROVED, Verdict.DERIVED})


def _proof_headline(proof: Proof, steps: int, trusted: int) -> str:
    rest = f", {trusted} of them trusted" if trusted else ", all checked"
    return f"{steps} step{'s' if steps != 1 else ''}{rest}; real-number model" + (
        f"; scope: {proof.scope}" if proof.scope else ""
    )


def _proof_verdict(steps: Sequence[Step], verdicts: Sequence[Verdict]) -> Verdict:
    if any(v in {Verdict.REFUTED, Verdict.UNDECIDED, Verdict.ERROR, Verdict.NOT_APPLICABLE} for v in verdicts):
        # A failed step refutes the proof, not the claim; nor does one that was not looked at.
        return Verdict.UNDECIDED
    if any(v not in _STEP_HOLDS for v in verdicts):
        return Verdict.CONSISTENT
    written = any(isinstance(step, ByClaim | Trusted) for step in steps)
    return Verdict.DERIVED if written else Verdict.PROVED


def _check_step(claim: str, step: Step, context: Context) -> tuple[Verdict, DerivationStep, list[Evidence]]:
    if isinstance(step, PositiveOnBox):
        return _check_box(claim, step)
    if isinstance(step, SymbolicIdentity):
        verdict = Verdict.PROVED if symbolically_equal(step) else Verdict.UNDECIDED
        proved = ProofEvidence(
            method="symbolic identity (SymPy)", expression=_expression(step), claim=claim, step=step.name
        )
        return verdict, DerivationStep(number=0, statement=_expression(step)), [proved]
    if isinstance(step, ByClaim):
        verdict = context.verdicts.get(step.claim, Verdict.UNDECIDED)
        return verdict, DerivationStep(number=0, statement=step.argument, claim=step.claim), []
    return Verdict.DERIVED, DerivationStep(number=0, statement=step.argument, trusted=True), []


def _expression(step: PositiveOnBox | SymbolicIdentity) -> str:
    return f"{step.name}: {step.argument}" if step.argument else step.name


def _check_box(claim: str, step: PositiveOnBox) -> tuple[Verdict, DerivationStep, list[Evidence]]:
    proof = positive_on_box(step.formula, step.box, step.bits, step.max_boxes)
    verdict = {True: Verdict.PROVED, False: Verdict.REFUTED, None: Verdict.UNDECIDED}[proof.decided]
    evidence = ProofEvidence(
        method="interval branch and bound",
        expression=_expression(step),
        claim=claim,
        step=step.name,
        box=show.ranges(ranges_of(step.box)),
        boxes=proof.boxes,
        bits=proof.bits,
        margin=None if proof.least is None else show.real(proof.least, direction=-1),
        tree=proof.tree if proof.decided else "",
    )
    return verdict, DerivationStep(number=0, statement=_expression(step)), [evidence]


@functools.cache
def symbolically_equal(step: SymbolicIdentity) -> bool:
    """Whether SymPy reduces the difference of the sides to zero; a step that several proofs share is reduced once."""
    import sympy

    from proofs_numeric.arithmetic.symbolic import Symbolic

    A = Symbolic()
    symbols = {
        name: sympy.Symbol(name, positive=True) if name in step.positive else sympy.Symbol(name, real=True)
        for name in step.symbols
    }
    difference = step.left(A, **symbols) - step.right(A, **symbols)
    reductions: tuple[Any, ...] = (
        sympy.simplify,
        lambda x: sympy.simplify(sympy.expand(x)),
        lambda x: sympy.simplify(sympy.powsimp(sympy.expand(x, power_exp=True), combine="exp", force=False)),
    )
    return any(reduce(difference) == 0 for reduce in reductions)


def proof_dependencies(subject: Subject) -> frozenset[str]:
    """Claims that the proof rests on."""
    proof = proof_of(subject)
    return frozenset(step.claim for step in proof.steps if isinstance(step, ByClaim)) if proof else frozenset()


CHECKS = (
    Check(
        name="lemma.search",
        title="Search for a counterexample",
        explain="Compares both sides of the claim with ball arithmetic on corners, a grid and Hypothesis examples of "
        "the declared domain; a violation is shrunk to a small witness. Finding none proves nothing.",
        applies=lambda subject, _known: searchable(subject),
        run=search_counterexample,
    ),
    Check(
        name="lemma.proof",
        title="Proof by boxes, symbols and derivation",
        explain="Checks each step of the claim's proof: positivity on a compact box by interval branch and bound, "
        "symbolic identities, and other claims; trusted steps are listed. All machine-checked: PROVED; resting on "
        "claims or trusted steps: DERIVED. Real-number model: floating-point releases are another mechanism.",
        applies=lambda subject, _known: proof_of(subject) is not None,
        run=check_proof,
        after=proof_dependencies,
    ),
)
