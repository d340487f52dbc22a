"""How often the terms of (5.8) rise and fall: no bound or pattern holds when it is moved."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.expression import symbol
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.theorem_5_4 import shape as topic
from proofs_numeric.wilkins2024.theorem_5_4.collapse import second_of
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import third_value
from tests.proofs_numeric.refuted import refuted

CLAIMS = {claim.id.removeprefix("wilkins2024."): claim for claim in topic.CLAIMS}
CASES = [
    {"epsilon": 0.0, "rows": 100.0, "rate": 4.154e-4, "unit": 0.01},
    {"epsilon": 0.5, "rows": 20.0, "rate": 0.05, "unit": 0.4},
    {"epsilon": 3.0, "rows": 8.0, "rate": 0.4, "unit": 1.0},
    {"epsilon": 0.1, "rows": 50.0, "rate": 0.01, "unit": 0.1},
]


def terms(name, shares, *, epsilon, rows, rate, unit):
    """Second, third and f-DP terms at ``a = share rows`` from their own formulas."""
    A, a = Float64(), shares * rows
    mu = unit * np.sqrt(rows - a)
    if name == "second":
        return second_of(A, a=a, epsilon=epsilon, rows=rows, rate=rate, unit=unit)
    if name == "third":
        return third_value(A, epsilon=epsilon - a * rate, loss=0.0, mu=mu)
    return filter_bound(A, epsilon=epsilon, loss=a * rate, mu=mu)


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


OTHERS = {
    "kappa below 3.99": ("kappa.below", {"right": lambda A, *, z: A.number("3.99")}),
    "kappa near 4 too soon": ("kappa.near", {"left": lambda A, *, z: 4 * A.number(z) ** 2 / (A.number(z) ** 2 + 2)}),
    "rho below a share of t": ("kappa.turn", {"right": lambda A, *, rho: A.number("0.999") * rho}),
    "rho above t": ("kappa.turn", {"left": symbol("rho"), "right": topic.rho_at_turn}),
    "third falls": ("third.grows", {"increasing": False}),
    "third at n": ("third.grows", {"formula": topic.third_root / symbol("n")}),
    "kappa rises": ("kappa", {"increasing": True}),
    "twice kappa's rho": ("kappa", {"formula": topic.kappa_of(rho=2 * topic.rho)}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_proofs_close_on_nothing_else(name):
    """Each is false; that they close as they stand is in every audit."""
    which, changed = OTHERS[name]
    claim = CLAIMS[f"thm5.4.shape.{which}"]
    with pytest.raises(TacticError):
        prove(replace(claim, kind=replace(claim.kind, **changed)), registry().claims)


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
