"""A delta without laws is compared with the number of another claim, and no end of a statement goes beyond it."""

from dataclasses import replace

import pytest

from auditor.checks.lemma import proof_of
from auditor.checks.mutation import scale_formula
from auditor.engine.registry import registry
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.constants import parameter_named
from proofs_numeric.statements.kinds import Achieved, DeltaBound, Identity
from proofs_numeric.statements.statement import statement_of
from proofs_numeric.statements.tactics import Symbolic, Tactic
from proofs_numeric.statements.verdict import Expectation
from tests.proofs_numeric.kernel.attacks import over
from tests.proofs_numeric.kernel.test_achieved import GAP, RIGHT, TAIL, VALUE, claim

KNOWN = dict(registry().claims)
COMPARED = [
    name
    for name, one in KNOWN.items()
    if isinstance(one.kind, DeltaBound)
    and isinstance(proof_of(one), Tactic)
    and (one.kind.pairs, one.kind.noise, one.kind.budgets) == (None, None, None)
]


def bound(formula, exact, by=None, **rest):
    """Of a gap, held against ``exact``, whose sides SymPy compares."""
    return claim("t.bound", DeltaBound(formula, exact=exact, by=by, proof=Symbolic()), GAP, **rest)


half = lambda A, *, gap: A.exp(-A.number(gap)) / 2
twice = lambda A, *, gap: A.exp(-2 * A.number(gap))
tail = TAIL.kind.formula
BY_TAIL = Achieved(TAIL.id, {"gap": parameter_named("gap")})
LOW, REFUTED = replace(TAIL, role=Role.LOWER), replace(TAIL, expected=Expectation.REFUTED)
WRONG = {
    "an echo of itself": (bound(half, half), TAIL),
    "an echo, by a claim of another number": (bound(half, half, BY_TAIL), TAIL),
    "an echo, by itself": (bound(half, half, Achieved("t.bound")), TAIL),
    "a number at another gap": (bound(twice, twice, BY_TAIL), TAIL),
    "a lower bound for an exact number": (bound(tail, tail, BY_TAIL), LOW),
    "an upper bound for an exact number": (bound(tail, tail, BY_TAIL), replace(TAIL, role=Role.UPPER)),
    "a claim that is refuted": (bound(tail, tail, BY_TAIL), REFUTED),
    "a claim that is not there": (bound(tail, tail, Achieved("t.none")), TAIL),
    "a claim without a number": (bound(tail, tail, BY_TAIL), replace(TAIL, kind=Identity(tail, tail))),
    "a parameter that the claim lacks": (bound(tail, tail, Achieved(TAIL.id, {"sigma": VALUE})), TAIL),
    "a parameter that is not given": (
        bound(tail, tail, Achieved(TAIL.id)),
        claim("t.tail", TAIL.kind, GAP, replace(GAP, name="sigma")),
    ),
    "an upper bound of an echo": (bound(half, half, BY_TAIL, role=Role.UPPER), TAIL),
    "a lower bound of an echo": (bound(half, half, BY_TAIL, role=Role.LOWER), TAIL),
}


BARE = replace(TAIL, kind=DeltaBound(tail))
ECHOED = replace(TAIL, kind=DeltaBound(tail, exact=lambda A, *, gap: A.exp(-A.number(gap))))
WRONG |= {
    "a number of which nothing is known": (bound(tail, tail, BY_TAIL), BARE),
    "a number that is compared with itself": (bound(tail, tail, BY_TAIL), ECHOED),
    "claims that name each other": (
        bound(tail, tail, Achieved("t.other")),
        replace(bound(tail, tail, Achieved("t.bound")), id="t.other"),
    ),
    "bounds that name each other": (
        bound(half, tail, Achieved("t.other"), role=Role.LOWER),
        replace(bound(half, tail, Achieved("t.bound"), role=Role.LOWER), id="t.other"),
    ),
}


@pytest.mark.parametrize("attack", WRONG)
def test_a_delta_that_echoes_what_it_is_compared_with_is_not_proved(attack):
    """Whatever its proof closes."""
    made, other = WRONG[attack]
    assert statement_of(made) is not None
    with pytest.raises(TacticError, match=r"compared with|to compare|is not given|expected (parameters|a formula)"):
        prove(made, {one.id: one for one in (made, other)})


def test_a_delta_that_is_the_number_of_another_claim_is_proved():
    """As it stands, and in another parameter."""
    assert not prove(bound(tail, tail, BY_TAIL), {TAIL.id: TAIL}).scope
    assert not prove(
        bound(twice, twice, Achieved(TAIL.id, {"gap": lambda A, *, gap: 2 * A.number(gap)})), {TAIL.id: TAIL}
    ).scope


@pytest.mark.parametrize("name", COMPARED)
def test_each_of_ours_names_the_claim_that_it_is_compared_with(name):
    """With both sides off by one part in a million, which its proof may close, nothing is proved."""
    kind = KNOWN[name].kind
    off = replace(kind, formula=scale_formula(kind.formula, "1.000001"), exact=scale_formula(kind.exact, "1.000001"))
    with pytest.raises(TacticError):
        prove(replace(KNOWN[name], kind=off), KNOWN)


NARROW = replace(GAP, upper=3)
SCOPES = {
    "a delta": (bound(tail, tail, BY_TAIL), "0 < gap <= 3 in t.tail"),
    "a delta of the same name": (bound(tail, tail, Achieved(TAIL.id)), "0 < gap <= 3 in t.tail"),
    "a calibration": (RIGHT, "0 < gap <= 3 in t.tail"),
}


@pytest.mark.parametrize("case", SCOPES)
def test_what_is_compared_over_a_smaller_domain_has_that_scope(case):
    """The range of the claim that it is compared with."""
    made, scope = SCOPES[case]
    assert prove(made, {TAIL.id: over(TAIL, "gap", upper=3)}).scope == scope


def test_a_constraint_of_the_claim_that_is_compared_is_a_scope():
    """In words."""
    tied = replace(TAIL, domain=replace(TAIL.domain, constraint=lambda **_at: True, constraint_text="gap is odd"))
    assert prove(bound(tail, tail, BY_TAIL), {TAIL.id: tied}).scope == "gap is odd in t.tail"
