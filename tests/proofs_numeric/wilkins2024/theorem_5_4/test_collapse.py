"""The collapse of Theorem 5.4: its steps are proved, and every step fails when it is changed."""

from dataclasses import replace

import pytest

from auditor.checks.lemma import symbolically_equal
from auditor.checks.witness import points_of, search
from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.special import normal_cdf, normal_pdf
from proofs_numeric.kernel.boxes import positive_on_box
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity
from proofs_numeric.statements.kinds import Identity
from proofs_numeric.statements.statement import statement_of
from proofs_numeric.wilkins2024.theorem_5_4 import collapse, hazard, third_term
from proofs_numeric.wilkins2024.theorem_5_4 import exact_delta as topic_54

ALL = (*collapse.CLAIMS, *hazard.CLAIMS, *third_term.CLAIMS)
CLAIMS = {claim.id.removeprefix("wilkins2024."): claim for claim in ALL}
STEPS = {
    step.name: step
    for claim in ALL
    if isinstance(claim.kind.proof, Derivation)
    for step in claim.kind.proof.steps
    if not isinstance(step, Premise)
}


def refuted(claim) -> bool:
    """Whether the search from the domain alone finds a counterexample."""
    statement = statement_of(claim)
    points = points_of(statement.box, claim.points, 1, 24)
    return search(statement, points, 80, seed=11).witness is not None


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [n for n, s in STEPS.items() if isinstance(s, SymbolicIdentity) and len(s.symbols) == 1]
)
def test_each_identity_of_one_variable_fails_when_a_factor_is_missing(name):
    """Half of the right side, moved by one seventh, is not equal to the left side."""
    step = STEPS[name]

    def halved(A, **symbols):
        return step.right(A, **symbols) / 2 + A.number(1) / 7

    assert not symbolically_equal(replace(step, right=halved))


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n, c in CLAIMS.items() if isinstance(c.kind, Identity)])
def test_each_identity_claim_is_refuted_when_a_factor_is_wrong(name):
    """The right side times 101/100 has a counterexample that the search finds."""
    claim = CLAIMS[name]

    def scaled(A, **values):
        return claim.kind.right(A, **values) * A.number("1.01")

    assert refuted(replace(claim, kind=replace(claim.kind, right=scaled)))


def test_the_derivation_names_only_claims_that_exist():
    """Each numbered step of the collapse is a claim of this module that rests on no other, or is proved."""
    steps = CLAIMS["thm5.4.collapse"].kind.proof.steps
    assert len(steps) >= 14
    for step in steps:
        assert isinstance(step, Premise)
        named = CLAIMS[step.claim.removeprefix("wilkins2024.")]
        inner = named.kind.proof.steps if isinstance(named.kind.proof, Derivation) else ()
        assert not any(isinstance(one, Premise) for one in inner)


def test_the_constant_two_in_w_is_sharp():
    """W > 2.01 is refuted: the infimum at the origin is 2."""
    claim = CLAIMS["thm5.4.collapse.W"]

    def above(A, **values):
        return A.number("2.01") + 0 * A.number(values["x"])

    assert refuted(replace(claim, kind=replace(claim.kind, left=above)))


def test_w_without_its_second_factor_is_refuted():
    """(1 + h m) alone does not exceed 2."""
    claim = CLAIMS["thm5.4.collapse.W"]

    def one_factor(A, *, x, excess):
        x = A.number(x)
        u = A.maximum(x, -x) + A.number(excess)
        return 1 + hazard.hazard(A, x) * normal_cdf(A, -u) / normal_pdf(A, u)

    assert refuted(replace(claim, kind=replace(claim.kind, right=one_factor)))


def test_the_curvature_box_fails_past_its_margin():
    """Phi - 2 phi^2 > 0 is proved for x >= 0; Phi - 3.2 phi^2 is not."""
    step = STEPS["Phi - 2 phi^2 > 0"]

    def moved(A, *, cdf, density):
        return cdf - A.number("3.2") * density * density

    assert positive_on_box(moved, step.box).decided is False


def test_w_equals_two_only_in_the_limit_at_the_origin():
    """At (0, 0) W is exactly 2, the point that the claim leaves out."""
    claim = CLAIMS["thm5.4.collapse.W"]
    assert not claim.domain.admits({"x": 0, "excess": 0})
    with Ball(128) as ball:
        value = hazard.W_of_excess(ball, x=0, excess=0)
        assert value.overlaps(ball.number(2))
        assert value.rel_accuracy_bits() > 100


@pytest.mark.slow
def test_the_maximum_is_not_the_sum_nor_either_delta_alone():
    """Replacing the maximum by the sum, or by delta_Gaussian alone, is refuted."""
    claim = CLAIMS["thm5.4.collapse"]

    def summed(A, **values):
        rest = {key: values[key] for key in ("c_u", "sigma", "gap")}
        noise = {key: values[key] for key in ("epsilon", "c_u", "sigma", "mu_o")}
        return topic_54.delta_infinite(A, **rest) + topic_54.delta_gaussian(A, **noise)

    def gaussian(A, **values):
        noise = {key: values[key] for key in ("epsilon", "c_u", "sigma", "mu_o")}
        return topic_54.delta_gaussian(A, **noise)

    assert refuted(replace(claim, kind=replace(claim.kind, left=summed)))
    assert refuted(replace(claim, kind=replace(claim.kind, left=gaussian)))
