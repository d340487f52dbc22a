"""How often the terms of (5.8) rise and fall: every step is an identity, and no pattern holds when it is moved."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from auditor.checks.lemma import symbolically_equal
from auditor.checks.witness import points_of, search
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.derivation import Derivation, Premise
from proofs_numeric.statements.statement import statement_of
from proofs_numeric.wilkins2024.section_7.f_dp import f_dp_value
from proofs_numeric.wilkins2024.theorem_5_4 import shape as topic
from proofs_numeric.wilkins2024.theorem_5_4.collapse import second_of
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import third_value

CLAIMS = {claim.id.removeprefix("wilkins2024."): claim for claim in topic.CLAIMS}
STEPS = {
    step.name: step
    for claim in CLAIMS.values()
    if isinstance(claim.kind.proof, Derivation)
    for step in claim.kind.proof.steps
    if not isinstance(step, Premise)
}
CASES = [
    {"epsilon": 0.0, "rows": 100.0, "rate": 4.154e-4, "unit": 0.01},
    {"epsilon": 0.5, "rows": 20.0, "rate": 0.05, "unit": 0.4},
    {"epsilon": 3.0, "rows": 8.0, "rate": 0.4, "unit": 1.0},
    {"epsilon": 0.1, "rows": 50.0, "rate": 0.01, "unit": 0.1},
]


def refuted(claim, examples=80) -> bool:
    """Whether the search from the domain alone finds a counterexample."""
    statement = statement_of(claim)
    return search(statement, points_of(statement.box, claim.points, 1, 24), examples, seed=7).witness is not None


def terms(name, shares, *, epsilon, rows, rate, unit):
    """Second, third and f-DP terms at ``a = share rows`` from their own formulas."""
    A, a = Float64(), shares * rows
    mu = unit * np.sqrt(rows - a)
    if name == "second":
        return second_of(A, a=a, epsilon=epsilon, rows=rows, rate=rate, unit=unit)
    if name == "third":
        return third_value(A, epsilon=epsilon - a * rate, loss=0.0, mu=mu)
    return f_dp_value(A, epsilon=epsilon, loss=a * rate, mu=mu)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("name", "sign"), [("second", topic.second_sign), ("third", topic.third_sign), ("f-DP", topic.f_dp_sign)]
)
def test_the_signs_are_those_of_the_terms(name, sign, case):
    """Where a term visibly rises or falls between neighbouring shares, the sign formula says so."""
    shares = np.linspace(0.01, 0.97, 25)
    step = 1e-5
    change = terms(name, shares + step, **case) - terms(name, shares - step, **case)
    told = np.array([float(sign(Float64(), share=share, **case)) for share in shares])
    visible = np.abs(change) > 1e-12
    assert visible.sum() >= 10
    assert np.array_equal(np.sign(change[visible]), np.sign(told[visible]))


@pytest.mark.slow
@pytest.mark.parametrize("name", STEPS)
def test_each_identity_fails_when_a_seventh_is_added(name):
    """That it holds as it stands is in every audit."""
    step = STEPS[name]

    def moved(A, **symbols):
        return step.right(A, **symbols) + A.number(1) / 7

    assert not symbolically_equal(replace(step, right=moved))


@pytest.mark.slow
def test_kappa_reaches_close_to_four():
    """3.99 is no bound."""
    claim = CLAIMS["thm5.4.shape.kappa.below"]
    assert refuted(replace(claim, kind=replace(claim.kind, right=lambda A, *, z: A.number("3.99"), proof=None)))


def test_the_second_term_does_rise_fall_and_rise():
    """The pattern +, -, + occurs, so that its mirror image cannot be claimed."""
    case = {"epsilon": 0, "rows": 100, "rate": Fraction("4.154e-4"), "unit": Fraction(1, 100)}
    signs = [
        float(evaluate_in(Float64(), topic.second_sign, {**case, "share": share})) > 0
        for share in (Fraction(1, 1000), Fraction(1, 2), Fraction(99, 100))
    ]
    assert signs == [True, False, True]
