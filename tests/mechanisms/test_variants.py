"""Every planted fault breaks the claim that it names and every control keeps its own, by certified numbers."""

import pickle
from fractions import Fraction

import numpy as np
import pytest

from auditor.checks.promise import promised_delta
from auditor.engine.registry import registry
from mechanisms.mechanism import AccountantFault, Fault
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.enclosure import bounds
from proofs_numeric.statements.neighbours import Direction

KNOWN = registry()
FAULTS = sorted(i for i, fault in KNOWN.faults.items() if isinstance(fault, Fault) and fault.pair.profile)
ACCOUNTANTS = sorted(i for i, fault in KNOWN.faults.items() if isinstance(fault, AccountantFault))
CONTROLS = sorted(i for i, control in KNOWN.controls.items() if control.pair.profile)
SHOWN_BY_A_DIVERGENCE = {i for i in FAULTS if KNOWN.faults[i].caught_by == "numeric.renyi"}
"""Below their claim at every epsilon."""


def profile(variant, direction):
    """Enclose the variant's exact delta on its pair."""
    with Ball(192) as A:
        return bounds(A.number(variant.pair.profile(A, A.number(Fraction(variant.epsilon)), direction)))


def promised(variant):
    """Enclose what the claim allows."""
    return promised_delta(KNOWN.claims[variant.held_to], variant.parameters, Fraction(variant.epsilon))


def test_there_are_variants_with_laws():
    """The parametrised tests below have cases."""
    assert len(FAULTS) > 100
    assert len(CONTROLS) > 10
    assert len(ACCOUNTANTS) > 30


@pytest.mark.parametrize("identifier", FAULTS)
def test_a_fault_exceeds_its_claim_by_certified_numbers(identifier):
    """Enclosure above enclosure, unless a divergence shows it; doubles agree; it travels and says why it leaks."""
    fault = KNOWN.faults[identifier]
    assert fault.explanation.endswith(".")
    lower, upper = profile(fault, fault.direction)
    assert (lower > promised(fault).upper) == (identifier not in SHOWN_BY_A_DIVERGENCE)
    assert upper >= 0
    assert lower <= 1
    double = float(fault.exact_delta(Float64(), np.float64(Fraction(fault.epsilon))))
    assert double == pytest.approx(float((lower + upper) / 2), rel=1e-7, abs=float(upper - lower))
    assert pickle.loads(pickle.dumps(fault)).id == identifier  # noqa: S301 - our own bytes


@pytest.mark.parametrize("identifier", CONTROLS)
def test_a_control_keeps_its_claim_by_certified_numbers(identifier):
    """Both directions of its exact profile; it travels between processes."""
    control = KNOWN.controls[identifier]
    allowed = promised(control).upper
    assert all(profile(control, direction)[0] <= allowed for direction in Direction)
    assert pickle.loads(pickle.dumps(control)).id == identifier  # noqa: S301 - our own bytes


@pytest.mark.parametrize("identifier", ACCOUNTANTS)
def test_an_accountant_fault_reports_too_little_at_its_point(identifier):
    """Below the certified truth, by its function and by its formula."""
    fault = KNOWN.faults[identifier]
    claim = KNOWN.claims[fault.violates]
    point = {name: value if isinstance(value, int) else float(value)
             for name, value in claim.domain.parse(dict(fault.parameters)).items()}  # fmt: skip
    assert Fraction(fault.accountant(**point)) < promised_delta(claim, fault.parameters).lower
    assert float(fault.formula(Float64(), **point)) == pytest.approx(fault.accountant(**point), rel=1e-9)
