"""A calibration meets its target by the number of another claim; one that echoes its target is not proved."""

from dataclasses import replace

import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, Role, Source
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.kinds import Achieved, Calibration, DeltaBound, Identity
from proofs_numeric.statements.tactics import Symbolic, Tactic
from proofs_numeric.statements.verdict import Expectation

KNOWN = dict(registry().claims)
DELTA = Parameter("delta", "", upper=1, open_lower=True, open_upper=True)
GAP = Parameter("gap", "", open_lower=True)
VALUE = parameter_named("value")
PROVED = [
    name for name, one in KNOWN.items() if isinstance(one.kind, Calibration) and isinstance(one.kind.proof, Tactic)
]


def claim(identifier, kind, *parameters, **rest):
    """A claim over these parameters."""
    domain = Box(parameters)
    return Claim(id=identifier, source=Source("t", ""), title="", statement="", kind=kind, domain=domain, **rest)


def calibration(formula, achieved, by):
    """Of a gap for a delta."""
    return claim("t.gap", Calibration(formula, achieved, by=by, proof=Symbolic()), DELTA)


TAIL = claim("t.tail", DeltaBound(lambda A, *, gap: A.exp(-A.number(gap)), lambda A, *, gap: 1 / A.exp(gap)), GAP)
logarithm = lambda A, *, delta: -A.log(A.number(delta))
RIGHT = calibration(logarithm, lambda A, *, value, delta: A.exp(-A.number(value)), Achieved("t.tail", {"gap": VALUE}))


def test_a_right_calibration_is_proved_by_the_number_of_another_claim():
    """The tail at the gap is delta."""
    assert prove(RIGHT, {TAIL.id: TAIL, RIGHT.id: RIGHT}).claim == "t.gap"


echo = lambda A, *, value, delta: A.number(delta)
itself = lambda A, *, delta: A.number(delta)
ECHO = claim("t.echo", DeltaBound(lambda A, *, delta: A.number(delta), itself), DELTA)
DEAF = claim("t.deaf", DeltaBound(lambda A, *, gap, delta: A.number(delta), echo), GAP, DELTA)
WRONG = {
    "an echo of the target": (calibration(logarithm, echo, None), ()),
    "an echo by the number of a claim": (calibration(logarithm, echo, Achieved("t.echo", {})), (ECHO,)),
    "an echo by a claim that does not read the gap": (
        calibration(logarithm, echo, Achieved("t.deaf", {"gap": VALUE})), (DEAF,),
    ),
    "the value itself": (calibration(itself, lambda A, *, value, delta: A.number(value), None), ()),
    "the value as another claim's number": (
        calibration(itself, lambda A, *, value, delta: A.number(value), Achieved("t.tail", {"gap": VALUE})), (TAIL,),
    ),
    "another number": (
        calibration(lambda A, *, delta: 2 * logarithm(A, delta=delta), RIGHT.kind.achieved, RIGHT.kind.by),
        (replace(TAIL, kind=replace(TAIL.kind, formula=lambda A, *, gap: A.exp(-A.number(gap) / 2))),),
    ),
    "a claim that is not there": (replace(RIGHT, kind=replace(RIGHT.kind, by=Achieved("t.none", {"gap": VALUE}))), ()),
    "a claim that is refuted": (RIGHT, (replace(TAIL, expected=Expectation.REFUTED),)),
    "a lower bound": (RIGHT, (replace(TAIL, role=Role.LOWER),)),
    "an identity": (RIGHT, (replace(TAIL, kind=Identity(TAIL.kind.formula, TAIL.kind.formula)),)),
    "a parameter that is not given": (RIGHT, (claim("t.tail", TAIL.kind, GAP, replace(GAP, name="sigma")),)),
    "the calibration itself": (replace(RIGHT, kind=replace(RIGHT.kind, by=Achieved("t.gap", {"gap": VALUE}))), (TAIL,)),
}  # fmt: skip


@pytest.mark.parametrize("attack", WRONG)
def test_a_calibration_that_meets_its_target_by_no_other_claims_number_is_not_proved(attack):
    """Whatever its proof closes."""
    made, others = WRONG[attack]
    with pytest.raises(TacticError, match=r"expected .*(target|value)|expected a formula for each parameter"):
        prove(made, {one.id: one for one in (made, *others)})


@pytest.mark.slow
@pytest.mark.parametrize("name", PROVED)
def test_each_of_ours_is_tied_and_no_other_noise_is_taken_for_it(name):
    """With a number that is off by one part in a thousand nothing is proved."""
    made = KNOWN[name]
    achieved = made.kind.achieved
    off = lambda A, *, value, **at: achieved(A, value=A.number(value) * A.number("1.001"), **at)
    with pytest.raises(TacticError, match=r"as what meets the target|what meets the target, by"):
        prove(replace(made, kind=replace(made.kind, achieved=off)), KNOWN)


def test_the_gaussian_profile_at_another_noise_is_not_that_of_theorem_2_2():
    """Twice the noise."""
    made = KNOWN["thresholds.gaussian.sigma"]
    twice = lambda A, *, value, epsilon, delta: gaussian_profile(A, A.number(epsilon), 1 / (2 * A.number(value)))
    with pytest.raises(TacticError, match=r"expected the number of wilkins2024\.thm2\.2"):
        prove(replace(made, kind=replace(made.kind, achieved=twice)), KNOWN)
