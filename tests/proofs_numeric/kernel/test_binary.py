"""Attacks on sums by binary digits: the union bounds of Theorem 11 close, and nothing close to them does."""

from dataclasses import replace

from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.binary import binary_digits, sum_by_ones
from proofs_numeric.kernel.prove import prove
from proofs_numeric.rogers2024.theorem_11.union import crossing
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.tactics import LargestTerm, Sign, Symbolic
from tests.proofs_numeric.kernel.attacks import refusals
from tests.proofs_numeric.kernel.rules.gaussians import fixed, parameters, times

KNOWN = registry().claims
STATED, PROOF, UNION = (KNOWN[f"rogers2024.thm11.{name}"] for name in ("T_stmt", "T_proof", "union"))
EVERYWHERE = Box(STATED.domain.parameters)


def changed(claim, domain=None, **kind):
    """The claim with other formulas or another domain."""
    return replace(claim, kind=replace(claim.kind, **kind), domain=domain or claim.domain)


def over(claim, **ranges):
    """The claim on other ranges."""
    return replace(claim, domain=parameters(claim.domain, **ranges))


def doubled(formula, name):
    """The formula at twice a parameter."""
    return lambda A, **at: formula(A, **{**at, name: 2 * at[name]})


def lower(claim, by):
    """The claim with a lower threshold."""
    return changed(claim, formula=lambda A, **at: claim.kind.formula(A, **at) - A.number(by) / at["epsilon"])


def summed(left, right=UNION.kind.right, proof=None):
    """A bound on another sum, or what is none."""
    return changed(UNION, left=left, right=right, proof=proof or UNION.kind.proof)


def rounds(term):
    """Its sum over the rounds, times the items' share of delta for each round."""
    return lambda A, *, L, delta_0, epsilon, delta: A.number(delta) / L * sum_by_ones(A, L, term)


level = lambda A, *, delta, **_at: A.number(delta)  # ``delta``

WRONG = {
    **{
        f"{claim.id.rpartition('.')[2]}: {what}": wrong
        for claim in (STATED, PROOF)
        for what, wrong in {
            "a little lower": lower(claim, "1/1000"),
            "lower by a noise": lower(claim, 1),
            "of one item": changed(claim, formula=fixed(claim.kind.formula, delta_0=1)),
            "of one round": changed(claim, formula=fixed(claim.kind.formula, L=1)),
            "of twice delta": changed(claim, formula=doubled(claim.kind.formula, "delta")),
            "of less noise": changed(claim, formula=doubled(claim.kind.formula, "epsilon")),
            "a little more than the union": changed(claim, achieved=times(claim.kind.achieved, "101/100")),
            "from no round on": over(claim, L={"lower": 0}),
            "in parts of rounds": over(claim, L={"integer": False}),
            "no delta": over(claim, delta={"open_lower": False}),
            "a parameter named digits": over(
                changed(claim, formula=fixed(claim.kind.formula)), epsilon={"name": "digits"}
            ),
        }.items()
    },
    "T_stmt: for any delta": replace(STATED, domain=EVERYWHERE),
    "T_stmt: as the proof's": changed(STATED, formula=PROOF.kind.formula, proof=PROOF.kind.proof.below),
    "T_proof: a delta above the items": over(PROOF, delta={"upper": 2}),
    "T_proof: without a round apart": changed(PROOF, proof=PROOF.kind.proof.above),
    "T_proof: of a digit less": changed(
        PROOF,
        formula=lambda A, **at: (
            1 + (PROOF.kind.formula(A, **at) - 1) * (1 - 1 / A.number(binary_digits(A, at["L"])) / 2)
        ),
    ),
    "union: equal": changed(UNION, proof=LargestTerm("L", Symbolic())),
    "union: for any delta": replace(UNION, domain=EVERYWHERE),
    "union: half of delta": changed(UNION, right=times(UNION.kind.right, "1/2")),
    "union: on the right": changed(UNION, left=UNION.kind.right, right=UNION.kind.left),
    "union: by the items": changed(UNION, proof=LargestTerm("delta_0", crossing())),
    "union: by the noise": changed(UNION, proof=LargestTerm("epsilon", crossing())),
    "union: by nothing": changed(UNION, proof=LargestTerm("people", crossing())),
    "a sum of the largest terms": summed(rounds(lambda ones: ones), level, LargestTerm("L", Sign())),
    "a sum of nothing": summed(lambda A, *, delta, **_at: A.number(delta) / 2, level, LargestTerm("L", Sign())),
    "a sum that is taken away": summed(
        lambda A, **at: 2 * A.number(at["delta"]) - rounds(lambda _ones: 1)(A, **at), level, LargestTerm("L", Sign())
    ),
    "a sum that is squared": summed(
        lambda A, **at: rounds(lambda _ones: 1)(A, **at) ** 2 / at["delta"], level, LargestTerm("L", Sign())
    ),
    "two sums": summed(
        lambda A, **at: (rounds(lambda _ones: 1)(A, **at) + rounds(lambda ones: 1 / A.number(ones))(A, **at)) / 2,
        level,
        LargestTerm("L", Sign()),
    ),
    "a sum over one more": summed(
        lambda A, *, L, delta, **_at: A.number(delta) / L * sum_by_ones(A, L + 1, lambda _ones: 1),
        level,
        LargestTerm("L", Sign()),
    ),
    "digits of one more": summed(
        lambda A, *, L, delta, **_at: (
            A.number(delta) / L / binary_digits(A, L + 1) * sum_by_ones(A, L, lambda ones: ones)
        ),
        level,
        LargestTerm("L", Sign()),
    ),
}


test_a_statement_beside_them_is_refused = refusals(WRONG, ("",))


def test_of_the_digits_themselves_the_bound_is_proved():
    """``delta/(L B) sum_r ones(r) <= delta``, B the digits of L: the attacks on such sums fail for what they say."""
    mean = summed(
        lambda A, *, L, delta, **_at: A.number(delta) / L / binary_digits(A, L) * sum_by_ones(A, L, lambda ones: ones),
        level,
        LargestTerm("L", Sign()),
    )
    assert prove(mean, KNOWN).scope == ""


def test_a_sum_by_digits_is_that_over_the_integers():
    """Term by term, of integers up to 300."""
    with Ball(128) as A:
        for n in range(1, 300):
            assert binary_digits(A, n) == len(f"{n:b}")
            assert sum_by_ones(A, n, lambda ones: 3**ones) == sum(3 ** r.bit_count() for r in range(1, n + 1))
