"""Lemma checks: a search for a counterexample in the domain, and proofs by boxes, symbols and derivations."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from auditor.checks import show
from auditor.checks.check import Check, Context, Subject, finding
from auditor.checks.witness import Witness, find_worst, points_of, search
from auditor.errors import counted
from auditor.findings.evidence import (
    DerivationEvidence,
    DerivationStep,
    Evidence,
    ProofEvidence,
    ReasonEvidence,
    SearchEvidence,
    WitnessEvidence,
)
from auditor.findings.finding import Finding
from auditor.statistics.seeds import seed_of
from proofs_numeric.arithmetic.enclosure import Comparison, Enclosure, exact_value
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.kernel.boxes import positive_on_box, ranges_of
from proofs_numeric.kernel.numbers import decide_order
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.classical import ClassicalTheorem
from proofs_numeric.statements.derivation import (
    Derivation,
    DerivedBy,
    PositiveOnBox,
    Premise,
    SymbolicIdentity,
    Trusted,
    Unchecked,
)
from proofs_numeric.statements.instances import LawInstances
from proofs_numeric.statements.kinds import (
    Calibration,
    DeltaBound,
    FiniteStatement,
    Identity,
    Inequality,
    Instances,
    Monotonicity,
    Recurrence,
)
from proofs_numeric.statements.rules import Rule
from proofs_numeric.statements.statement import Statement, statement_of
from proofs_numeric.statements.tactics import Tactic, Within
from proofs_numeric.statements.verdict import Verdict

if TYPE_CHECKING:
    from proofs_numeric.kernel.prove import Step

SEARCH = "lemma.search"
"""The check that searches for counterexamples."""
PROVABLE = DeltaBound | Calibration | Inequality | Identity | Monotonicity | Recurrence | FiniteStatement
"""Kinds of statements that may have a proof."""


def proof_of(subject: Subject) -> Tactic | Derivation | None:
    """Return the proof of a claim; None if it has none."""
    if isinstance(subject, Claim) and isinstance(subject.kind, PROVABLE):
        return subject.kind.proof
    return None


# --- search -----------------------------------------------------------------------------------------------------------


def is_searchable(subject: Subject) -> bool:
    """Return whether the subject is a claim that compares two formulas."""
    return isinstance(subject, Claim) and statement_of(subject) is not None


def _exact_where_rational(statement: Statement, witness: Witness) -> Comparison:
    """Return the comparison at the witness, with rational sides as exact numbers."""
    bits = witness.comparison.bits

    def side(formula: Formula, enclosure: Enclosure | None) -> Enclosure | None:
        value = exact_value(formula, witness.parameters)
        return enclosure if value is None else Enclosure(value, value, bits)

    left, right = witness.comparison.left, witness.comparison.right
    return replace(witness.comparison, left=side(statement.left, left), right=side(statement.right, right))


def _witness_evidence(statement: Statement, witness: Witness, explanation: str = "") -> WitnessEvidence:
    comparison = _exact_where_rational(statement, witness)
    names = statement.left_name, statement.right_name
    return show.witness(witness.parameters, comparison, statement.relation, *names, explanation)


def search_counterexample(subject: Subject, context: Context) -> Sequence[Finding]:
    """Search the claim's domain for a certified violation and shrink it."""
    if not isinstance(subject, Claim) or (statement := statement_of(subject)) is None:
        raise TypeError(f"expected a claim that compares two formulas, got {subject.id}")
    profile = context.profile.at_cost(subject.cost)
    points = points_of(statement.box, subject.points, profile.grid, profile.points)
    return [search_statement(subject, statement, points, context, seed_for=SEARCH)]


def search_statement(
    subject: Claim, statement: Statement, points: Sequence[dict[str, Value]], context: Context, *, seed_for: str
) -> Finding:
    """Search a claim's statement for a violation.

    Args:
        subject: the claim.
        statement: its statement.
        points: points to test first; random points follow.
        context: inputs of the check.
        seed_for: name of the random stream.
    """
    name, examples = SEARCH, context.profile.at_cost(subject.cost).examples
    result = search(statement, points, examples, seed_of(context.seed, seed_for, subject.id))
    if result.witness is not None:
        evidence = _witness_evidence(statement, result.witness)
        records = [evidence]
        worst = find_worst(statement, [result.witness.parameters, *points])
        if worst is not None and worst.parameters != result.witness.parameters:
            records.append(
                _witness_evidence(statement, worst, "the largest factor of the points compared in the practical range")
            )
        left, right = result.witness.comparison.left, result.witness.comparison.right
        sides = f"{left.decimal(6)[0]} against {right.decimal(6)[0]}" if left and right else "both sides enclosed"
        at = ", ".join(f"{k}={v}" for k, v in evidence.parameters.items()) or "no parameters"
        return finding(subject, name, context, Verdict.REFUTED, f"fails at {at}: {sides}", records)
    idle = result.compared - result.tested
    if result.tested == 0:
        text = (
            f"no point of the domain decides it: {idle} where it does not apply or its sides are too close to "
            f"separate, {result.undefined} undefined"
        )
        if proof_of(subject) is not None:  # its sides are equal, or too close: a question for the proof alone
            verdict, text = Verdict.NOT_APPLICABLE, f"left to the proof: {text}"
        else:
            verdict = Verdict.UNDECIDED
        return finding(subject, name, context, verdict, text, [ReasonEvidence(text=text)])
    at = "1 point that decides it" if result.tested == 1 else f"{result.tested} points that decide it"
    headline = f"no violation seen in {at}"
    if statement.relation == "=":
        headline = f"both sides agree to the last bit of their enclosures in {at}"
    headline += f"; {idle} more decide nothing" if idle else ""
    verdict = Verdict.CONSISTENT if statement.box.names else decide_order(statement)
    if verdict is Verdict.PROVED:
        headline = "both numbers enclosed, apart and in that order"
    evidence_search = SearchEvidence(
        method="grid, corners and drawn points; certified comparison",
        examples=result.tested,
        box=show.domain(statement.box),
        closest={} if result.closest is None else show.parameters(result.closest),
        margin=None if result.slack is None else show.real(result.slack),
        would_catch=f"any of these points where '{statement.relation}' fails by more than the enclosures' width",
    )
    return finding(subject, name, context, verdict, headline, [evidence_search])


# --- proof ------------------------------------------------------------------------------------------------------------


def check_proof(subject: Subject, context: Context) -> Sequence[Finding]:
    """Return the finding of the kernel's proof of the claim's statement, or of the checked steps of its derivation."""
    proof = proof_of(subject)
    if proof is None or not isinstance(subject, Claim):
        raise TypeError(f"expected a claim with a proof, got {subject.id}")
    return (
        _check_tactic_proof(subject, context)
        if isinstance(proof, Tactic)
        else _check_derivation(subject, proof, context)
    )


UNTIED = (
    "expected cases that are instances of the general form, got cases that no check compares with it; give "
    "holds=Instances(...) for a recurrence, or LawInstances(...) for a law"
)
"""Why a general form proves no finite statement."""


def _check_tactic_proof(claim: Claim, context: Context) -> Sequence[Finding]:
    from proofs_numeric.kernel.goals import TacticError
    from proofs_numeric.kernel.prove import prove  # SymPy is optional

    try:
        if isinstance(claim.kind, FiniteStatement) and not isinstance(claim.kind.holds, Instances | LawInstances):
            raise TacticError(UNTIED)
        theorem = prove(claim, context.registry.claims)
    except TacticError as error:
        text = f"a goal stays open: {error}"
        return [finding(claim, "lemma.proof", context, Verdict.UNDECIDED, text, [ReasonEvidence(text=text)])]
    leaves = list(theorem.root.leaves())
    evidence = [_leaf(claim.id, path, step) for path, step in leaves]
    rules = ", ".join(sorted(rule.name for rule in rules_behind(claim, context.registry.claims)))
    headline = f"rules over laws: {rules or 'none'}; closed {counted(len(leaves), 'goal')}: {theorem.summary}"
    return [finding(claim, "lemma.proof", context, theorem.verdict, headline, evidence, scope=theorem.scope)]


_BOXES = "interval branch and bound"


def _leaf(claim: str, path: str, step: Step) -> ProofEvidence:
    boxes = step.boxes
    return ProofEvidence(
        method=f"the proof of {step.claim}" if step.claim else "symbolic (SymPy)" if boxes is None else _BOXES,
        expression=step.text,
        claim=claim,
        step=path,
        box={} if boxes is None else show.ranges(ranges_of(step.goal.box)),
        boxes=0 if boxes is None else boxes.boxes,
        bits=None if boxes is None else boxes.bits,
        margin=None if boxes is None or boxes.least is None else show.real(boxes.least, direction=-1),
        tree="" if boxes is None else boxes.tree,
    )


# --- derivation -------------------------------------------------------------------------------------------------------


def _check_derivation(claim: Claim, proof: Derivation, context: Context) -> Sequence[Finding]:
    evidence: list[Evidence] = []
    steps: list[DerivationStep] = []
    failure = ""
    for number, step in enumerate(proof.steps, start=1):
        verdict, described, checked = _check_step(claim.id, step, context)
        evidence.extend(checked)
        steps.append(described.model_copy(update={"number": number, "verdict": verdict}))
        if verdict not in _STEP_HOLDS and not failure:
            failure = f"step {number} ({described.statement}) is {verdict.words}"
    evidence.insert(0, DerivationEvidence(steps=steps))
    verdict = _derivation_verdict([step.verdict for step in steps])
    headline = failure or _derivation_headline(steps, trusted_by(claim, context.registry.claims))
    scope = "; ".join(scope_behind(claim, context))
    return [finding(claim, "lemma.proof", context, verdict, headline, evidence, scope=scope)]


_STEP_HOLDS = frozenset({Verdict.PROVED, Verdict.DERIVED})


def _derivation_headline(steps: Sequence[DerivationStep], trusted: str) -> str:
    premises = [step.claim for step in steps if step.claim]
    unchecked = sum(step.trusted and not step.theorem for step in steps)
    checked = sum(not step.trusted for step in steps) - len(premises)
    parts = [
        counted(checked, "checked step") if checked else "",
        counted(len(set(premises)), "claim") if premises else "",
        counted(unchecked, "unchecked step") if unchecked else "",
    ]
    argument = (
        f"rests on an argument not checked by the machine, from {' and '.join(filter(None, parts)) or 'theorems'}"
    )
    return f"{argument}; trusts: {trusted}" if trusted else argument


def _derivation_verdict(verdicts: Sequence[Verdict | None]) -> Verdict:
    if any(v in {Verdict.REFUTED, Verdict.UNDECIDED, Verdict.ERROR, Verdict.NOT_APPLICABLE} for v in verdicts):
        # A failed or unchecked step refutes the derivation, not the claim.
        return Verdict.UNDECIDED
    return Verdict.DERIVED if all(v in _STEP_HOLDS for v in verdicts) else Verdict.CONSISTENT


def _check_step(claim: str, step: DerivedBy, context: Context) -> tuple[Verdict, DerivationStep, list[Evidence]]:
    if isinstance(step, PositiveOnBox):
        return _check_box(claim, step)
    if isinstance(step, SymbolicIdentity):
        # A valid step is part of a derivation, and proves nothing by itself.
        verdict = Verdict.DERIVED if symbolically_equal(step) else Verdict.UNDECIDED
        checked = ProofEvidence(
            method="symbolic identity (SymPy)", expression=_expression(step), claim=claim, step=step.name
        )
        return verdict, DerivationStep(number=0, statement=_expression(step)), [checked]
    if isinstance(step, Premise):
        verdict = context.verdicts.get(step.claim, Verdict.UNDECIDED)
        return verdict, DerivationStep(number=0, statement=step.argument, claim=step.claim), []
    theorem = f"{step.theorem.name}, {step.theorem.reference}" if isinstance(step, Trusted) else ""
    return Verdict.DERIVED, DerivationStep(number=0, statement=step.argument, trusted=True, theorem=theorem), []


def _expression(step: PositiveOnBox | SymbolicIdentity) -> str:
    return f"{step.name}: {step.argument}" if step.argument else step.name


def _check_box(claim: str, step: PositiveOnBox) -> tuple[Verdict, DerivationStep, list[Evidence]]:
    proof = positive_on_box(step.formula, step.box, step.bits, step.max_boxes)
    verdict = {True: Verdict.DERIVED, False: Verdict.REFUTED, None: Verdict.UNDECIDED}[proof.decided]
    evidence = ProofEvidence(
        method=_BOXES,
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
    """Return whether SymPy reduces the difference of the sides to zero; cached for steps shared by proofs."""
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


def box_of_step(claim: Claim, name: str, claims: Mapping[str, Claim]) -> tuple[Formula, Box] | None:
    """Return the formula that a step proves positive by branch and bound, and its box; None if there is no such step.

    Args:
        claim: the claim with the proof.
        name: path of a leaf in the kernel's tree, or name of a derivation's step.
        claims: all claims by id.
    """
    proof = proof_of(claim)
    if isinstance(proof, Tactic):
        from proofs_numeric.kernel.prove import prove  # SymPy is optional

        leaf = dict(prove(claim, claims).root.leaves()).get(name)
        return None if leaf is None or leaf.boxes is None else (leaf.formula, leaf.goal.box)
    steps = () if proof is None else proof.steps
    return next(((s.formula, s.box) for s in steps if isinstance(s, PositiveOnBox) and s.name == name), None)


def proof_dependencies(subject: Subject) -> frozenset[str]:
    """Return the ids of the premises of a claim's proof."""
    by = subject.kind.by if isinstance(subject, Claim) and isinstance(subject.kind, DeltaBound | Calibration) else None
    return dependencies_of(proof_of(subject)) | ({by.claim} if by is not None else frozenset())


def dependencies_of(proof: Tactic | Derivation | None) -> frozenset[str]:
    """Return the ids of the claims that a proof cites."""
    if isinstance(proof, Tactic):
        return frozenset(proof.claims_named())
    steps = proof.steps if isinstance(proof, Derivation) else ()
    return frozenset(step.claim for step in steps if isinstance(step, Premise))


def trusted_by(claim: Claim, claims: Mapping[str, Claim]) -> str:
    """Return the names of a derivation's unchecked steps, and of the classical theorems behind it."""
    proof = proof_of(claim)
    steps = proof.steps if isinstance(proof, Derivation) else ()
    unchecked = [step.name for step in steps if isinstance(step, Unchecked)]
    behind = theorems_behind(claim, claims)
    return ", ".join(
        (*unchecked, *(theorem.name + ("" if is_cited else " (inherited)") for theorem, is_cited in behind.items()))
    )


def theorems_behind(claim: Claim, claims: Mapping[str, Claim]) -> dict[ClassicalTheorem, bool]:
    """Return the classical theorems behind a claim's derivation: True if it cites them, False if a premise does.

    A proof by the kernel uses none.
    """
    proof = proof_of(claim)
    steps = proof.steps if isinstance(proof, Derivation) else ()
    citations = dict.fromkeys((step.theorem for step in steps if isinstance(step, Trusted)), True)
    registered = (claims[name] for name in sorted(proof_dependencies(claim)) if name in claims)
    premises = (theorems_behind(premise, claims) for premise in registered)
    return dict.fromkeys((theorem for behind in premises for theorem in behind), False) | citations


def rules_behind(claim: Claim, claims: Mapping[str, Claim]) -> frozenset[Rule]:
    """Return the kernel's rules over laws that the proofs of a claim and of its premises apply."""
    proof = proof_of(claim)
    direct = {tactic.rule for tactic in proof.tree() if tactic.rule} if isinstance(proof, Tactic) else set()
    registered = (claims[name] for name in proof_dependencies(claim) if name in claims)
    return frozenset(direct).union(*(rules_behind(premise, claims) for premise in registered))


def scope_behind(claim: Claim, context: Context) -> list[str]:
    """Return the restricted scopes of direct and indirect premises of a derivation, sorted, without duplicates.

    An enumerated premise without a derivation covers its sizes in this profile. A premise that the kernel proves covers
    the scope of its leaves.
    """
    claims, scopes = context.registry.claims, set()
    for name in proof_dependencies(claim) & claims.keys():
        premise, proof = claims[name], proof_of(claims[name])
        if isinstance(proof, Derivation):
            scopes.update(scope_behind(premise, context))
        elif isinstance(proof, Tactic):
            scope = _scope_of_proof(premise, claims)
            scopes.update([f"{scope} ({name})"] if scope else [])
        elif isinstance(premise.kind, FiniteStatement) and (scope := premise.kind.covered(context.profile.name)):
            scopes.add(f"{scope} ({name})")
    return sorted(scopes)


def _scope_of_proof(claim: Claim, claims: Mapping[str, Claim]) -> str:
    """Return the scope of the kernel's leaves; only a tree with a smaller box is proved again for it."""
    if not _confined(claim, claims):
        return ""
    from proofs_numeric.kernel.prove import prove  # SymPy is optional

    return prove(claim, claims).scope


def _confined(claim: Claim, claims: Mapping[str, Claim]) -> bool:
    proof = proof_of(claim)
    if not isinstance(proof, Tactic):
        return False
    smaller = any(isinstance(one, Within) for one in proof.tree())
    return smaller or any(_confined(claims[name], claims) for name in proof.claims_named())


CHECKS = (
    Check(
        name=SEARCH, title="Search for a counterexample",
        explain="Compares both sides of the claim in ball arithmetic on corners, a grid and random points of the "
        "declared domain. Hypothesis shrinks a violation to a small witness. A search without a violation proves "
        "nothing.",
        assumes="Ball arithmetic (python-flint) encloses. The claim holds on the declared domain only.",
        of="Claims that compare two sides with one formula each.",
        applies=lambda subject, _catalogue: is_searchable(subject), run=search_counterexample,
    ),
    Check(
        name="lemma.proof", title="Proof by the kernel, or derivation",
        explain="Passes the claim's own statement to the kernel. The kernel follows the claim's tactics to goals and "
        "closes the goals by interval branch and bound or by SymPy. The verdict is proved, on the scope that the "
        "leaves cover. A derivation is a written argument with checked steps. Its verdict is at most derived, because "
        "nothing checks the argument. The model is real numbers: floating-point releases are another mechanism.",
        assumes="The kernel, Arb, SymPy and the axioms in the report's trust base. For a derivation, also its written "
        "argument.",
        of="Claims with tactics of a proof, or with a derivation.",
        applies=lambda subject, _catalogue: proof_of(subject) is not None, run=check_proof, after=proof_dependencies,
    ),
)  # fmt: skip
