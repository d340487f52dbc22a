"""The trust base: each classical theorem with what names it and what inherits it."""

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.checks.check import Context
from auditor.checks.lemma import check_proof, proof_dependencies, proof_of, theorems_behind
from auditor.engine.registry import registry
from auditor.engine.trust import theorems, trust
from proofs_numeric.kernel import prove
from proofs_numeric.statements import rules
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.classical import BLACKWELL, POISSON
from proofs_numeric.statements.derivation import Derivation, Premise, Trusted, Unchecked
from proofs_numeric.statements.tactics import Sign, Tactic, Within
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import square_below
from tests.auditor.checks.test_lemma import context

CLAIMS = registry().claims
LEMMA, ABOVE = "lebeda2025.lem18", "lebeda2025.lem19"
ATTACKS = Path(__file__).parents[2] / "proofs_numeric/kernel/rules"


def test_a_theorem_is_inherited_through_premises():
    """One names Poisson's formula, one rests on it; a claim that the kernel proves rests on nothing."""
    resting = theorems([LEMMA, ABOVE, "wilkins2024.thm2.2.mono"], CLAIMS)
    assert resting[POISSON] == {LEMMA: True, ABOVE: False}
    assert {claim for by in resting.values() for claim in by} == {LEMMA, ABOVE}


def test_a_dozen_theorems_are_trusted():
    """All have a reference with a year."""
    trusted = theorems(CLAIMS, CLAIMS)
    assert len(trusted) <= 12
    assert [theorem.name for theorem in trusted if not any(part.isdigit() for part in theorem.reference)] == []


def test_the_headline_names_what_is_trusted():
    """Its own unchecked steps and theorems, and the theorems of its premises."""
    premise = CLAIMS[LEMMA]
    steps = (Premise(LEMMA, "of two"), Trusted(BLACKWELL, "a smaller profile is a post-processing"))
    proof = Derivation((*steps, Unchecked("sums of sums", "and so on")))
    joined = replace(premise, id="test.joined", kind=replace(premise.kind, proof=proof))
    run: Context = replace(context(verdicts={LEMMA: Verdict.DERIVED}), registry=registry())
    (found,) = check_proof(joined, run)
    assert found.headline.endswith("trusts: sums of sums, Poisson summation formula (inherited), Blackwell's theorem")
    assert theorems_behind(joined, CLAIMS) == {POISSON: False, BLACKWELL: True}


def test_fifteen_rules_over_laws_at_most():
    """Each has its own name, attack file and tactic, and two claims or more; tactics about real numbers have none."""
    applied = {tactic: tactic.rule for tactic in prove._RULES}
    assert {tactic for tactic, rule in applied.items() if rule} == set(prove._OF_LAWS)
    stated = {name: rule for name, rule in vars(rules).items() if isinstance(rule, rules.Rule)}
    assert set(stated.values()) == set(filter(None, applied.values()))
    assert len({rule.name for rule in stated.values()}) == len({rule.states for rule in stated.values()}) == len(stated)
    assert len(stated) <= 15
    assert [name for name in stated if not (ATTACKS / f"test_{name.lower()}.py").is_file()] == []
    proofs = [proof for claim in CLAIMS.values() if isinstance(proof := proof_of(claim), Tactic)]
    served = Counter(rule for proof in proofs for rule in {tactic.rule for tactic in proof.tree()})
    assert [name for name, rule in stated.items() if served[rule] < 2] == []


@pytest.mark.parametrize("identifier", ["lebeda2025.cor14", "lebeda2025.lem8.opt", "rogers2024.lem4.1.half_spaces"])
def test_the_rules_of_a_proof_are_those_that_the_kernel_applied(identifier):
    """Those of premises too; the trust base lists the claim under each of them."""

    def applied(step):
        own = {step.tactic.rule.name} if step.tactic.rule else set()
        return own.union(*map(applied, step.children))

    (found,) = check_proof(CLAIMS[identifier], replace(context(), registry=registry()))
    names = applied(prove.prove(CLAIMS[identifier], CLAIMS).root)
    assert found.headline.startswith(f"rules over laws: {', '.join(sorted(names)) or 'none'}; closed ")
    listed = {item.name for item in trust([found], registry()) if item.kind == "rule"}
    assert listed == names
    assert bool(names) == (identifier != "lebeda2025.lem8.opt")


def test_a_derivation_covers_no_more_than_its_premises():
    """The sizes of what was enumerated, by its own premise and by that of a premise that is itself derived."""
    own, inherited = "rogers2024.thm8.lem5.2", "rogers2024.thm8.Eprime"
    above = replace(CLAIMS[LEMMA], id="test.above", kind=_resting_on(inherited))
    joined = replace(CLAIMS[LEMMA], id="test.joined", kind=_resting_on(own, above.id))
    catalogue = replace(registry(), claims={**CLAIMS, above.id: above})
    granted = dict.fromkeys((own, above.id), Verdict.DERIVED)
    (found,) = check_proof(joined, replace(context(verdicts=granted), registry=catalogue))
    assert all(f" <= 2 ({name})" in found.scope for name in (own, inherited))


def _resting_on(*names):
    proof = Derivation(tuple(Premise(name, "as it is") for name in names))
    return replace(CLAIMS[LEMMA].kind, proof=proof)


def test_an_enumeration_that_is_proved_too_confines_nothing():
    """The intermediate histogram is enumerated for small counts, and proved for all: what rests on it, on the proof."""
    above = replace(CLAIMS[LEMMA], id="test.above", kind=_resting_on("lebeda2025.thm11.proof"))
    run = replace(context(verdicts=dict.fromkeys(proof_dependencies(above), Verdict.PROVED)), registry=registry())
    (derived,) = check_proof(above, run)
    assert (derived.verdict, derived.scope) == (Verdict.DERIVED, "")
    between = CLAIMS["lebeda2025.thm11.proof"]
    bare = replace(between, kind=replace(between.kind, proof=None))
    enumerated = replace(registry(), claims={**CLAIMS, between.id: bare})
    (confined,) = check_proof(above, replace(run, registry=enumerated))
    assert confined.scope == "by enumeration, largest count <= 2 (lebeda2025.thm11.proof)"


def test_a_smaller_box_of_the_kernel_is_inherited():
    """A premise that the kernel proved on a part of its domain confines what is derived from it."""
    lemma = square_below(upper=1)
    part = replace(
        lemma, kind=replace(lemma.kind, proof=Within(Box((replace(lemma.domain["x"], upper="1/2"),)), Sign()))
    )
    user = replace(lemma, id="test.user", kind=replace(lemma.kind, proof=Derivation((Premise(lemma.id, "it is"),))))
    run = context(verdicts={lemma.id: Verdict.PROVED})
    (found,) = check_proof(user, replace(run, registry=replace(registry(), claims={lemma.id: part})))
    assert found.scope == f"0 <= x <= 1/2 (no unit) ({lemma.id})"


def test_a_run_without_proofs_trusts_no_theorem():
    """The kernel, with its size, and the machine are always there."""
    kinds = [item.kind for item in trust([], registry())]
    assert "theorem" not in kinds
    (kernel,) = [item for item in trust([], registry()) if item.kind == "kernel"]
    assert "lines" in kernel.version
    assert kernel.used_for.startswith("the 0 claims")


def test_unchecked_steps_are_named():
    """In a few words, and no derivation has two of one name."""
    for identifier, claim in CLAIMS.items():
        proof = proof_of(claim)
        steps = proof.steps if isinstance(proof, Derivation) else ()
        names = [step.name for step in steps if isinstance(step, Unchecked)]
        assert len(set(names)) == len(names), identifier
        assert all(0 < len(name) <= 60 for name in names), identifier
