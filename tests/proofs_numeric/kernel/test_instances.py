"""An enumerated statement and its general form are one: the kernel compares their numbers case by case."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.checks.lemma import UNTIED, check_proof
from auditor.engine.registry import registry
from proofs_numeric.expression.vocabulary import lift, sqrt
from proofs_numeric.kernel.enumeration import check_instances
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.rogers2024 import theorem_2
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.kinds import FiniteStatement, Instance, Instances, Recurrence
from proofs_numeric.statements.tactics import Steps
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import claim, context

KNOWN = dict(registry().claims)
PURE = KNOWN["rogers2024.thm2.em_pure"]
GENERAL = {
    name: each
    for name, each in KNOWN.items()
    if isinstance(each.kind, FiniteStatement) and isinstance(each.kind.every, Recurrence)
}
OTHER = r"of the general form|expected at least one instance|expected .* for \w+ at"


def changed(each, **general):
    """The statement with another general form."""
    return replace(each.kind, every=replace(each.kind.every, **general))


def divided(A, *, epsilon, place, here, there):
    """As in the issue: divided by a sum of weights where it is to be multiplied by it."""
    return theorem_2._moved(A, epsilon=epsilon, place=place) / there - A.exp(A.number(epsilon)) * here


WRONG = {
    "divided for multiplied": changed(
        PURE, left=lambda A, **at: A.maximum(divided(A, **at), theorem_2._below(A, **at))
    ),
    "one order alone": changed(PURE, left=theorem_2._above),
    "a larger right side": changed(PURE, right=lambda A, **_at: A.number("1e-30")),
    "an unrelated general form": changed(PURE, left=lambda A, **at: A.number(-1)),
    "a step that is left out": changed(
        PURE, step={**PURE.kind.every.step, "there": lambda A, *, there, **_at: A.number(there)}
    ),
    "a case without an instance": replace(PURE.kind, holds=Instances(lambda case: ())),
    "sides of another base": replace(
        PURE.kind,
        holds=Instances(lambda case: (replace(each, left=each.left * 2) for each in theorem_2.em_instances(case))),
    ),
    "another relation": replace(PURE.kind, holds=Instances(theorem_2.em_instances, "<")),
}


@pytest.mark.parametrize("name", GENERAL)
def test_cases_of_every_recurrence_are_instances_of_it(name):
    """None of the suite's is without."""
    assert isinstance(GENERAL[name].kind.holds, Instances)
    check_instances(GENERAL[name].kind, GENERAL[name].domain)


@pytest.mark.parametrize("attack", WRONG)
def test_a_general_form_that_is_not_of_the_cases_is_refused(attack):
    """Though its proof might close."""
    with pytest.raises(TacticError, match=OTHER):
        prove(replace(PURE, kind=WRONG[attack]), KNOWN)


def shifted(formula):
    """One more."""
    return lambda A, **at: A.number(formula(A, **at)) + 1


PARTS = [(name, part) for name, each in GENERAL.items() for part in ("left", "right", *each.kind.every.state.names)]


@pytest.mark.parametrize(("name", "part"), PARTS)
def test_each_part_of_a_general_form_is_compared(name, part):
    """A side, or a part of the state after each step, that is one more."""
    each = GENERAL[name]
    every = each.kind.every
    if part in every.state.names:
        kind = changed(each, step={**every.step, part: shifted(every.step[part])})
    else:
        kind = changed(each, **{part: shifted(getattr(every, part))})
    with pytest.raises(TacticError, match=OTHER):
        check_instances(kind, each.domain)


@pytest.mark.parametrize("name", [name for name in GENERAL if name.startswith("wilkins2024.lem5")])
def test_two_sides_that_are_always_equal_tell_nothing(name):
    """Nothing but zeros would be compared: the parts of the state are asked for."""
    each = GENERAL[name]
    made = each.kind.holds.of
    bare = replace(each.kind, holds=Instances(lambda case: (replace(one, state={}) for one in made(case))))
    if name == "wilkins2024.lem5.3.withheld":  # its sides differ
        return check_instances(bare, each.domain)
    with pytest.raises(TacticError, match="expected the parts of the state"):
        check_instances(bare, each.domain)
    return None


def test_a_step_is_given_what_the_general_form_speaks_of():
    """A probability above one is none."""
    each = GENERAL["wilkins2024.lem5.1.fwd"]
    given = Box((Parameter("hidden", "", upper="1/10"),))
    with pytest.raises(TacticError, match="for hidden at"):
        check_instances(changed(each, inputs=given), each.domain)


def counted_up_to(largest, at=lift, **rest):
    """Numbers below 5, which are at most 4, said of numbers up to the largest one."""
    state, given = Box((Parameter("x", ""),)), Box((Parameter("more", ""),))
    step = {"x": lambda A, *, x, **_given: A.number(x)}
    left, right = lambda A, *, x, **_at: A.number(x), lambda A, **_at: A.number(4)
    every = Recurrence(state, given, {"x": lambda A, *, n, **_at: A.number(n)}, step, left, right)

    def instances(n):
        return (Instance({"n": at(n)}, inputs=(), left=Fraction(n), right=Fraction(4), state={"x": Fraction(n)}),)

    kind = FiniteStatement(range, Instances(instances), {"quick": 5}, "n", every=every, proof=Steps())
    return claim(kind, domain=Box((Parameter("n", "", upper=largest, integer=True),), **rest))


def test_an_instance_lies_in_the_domain_of_the_claim():
    """A statement about numbers up to 2 is not one of cases up to 4."""
    assert prove(counted_up_to(4), {}).scope == ""
    with pytest.raises(TacticError, match=r"expected 0 <= n <= 2, an integer .* for n at 3"):
        prove(counted_up_to(2), {})
    with pytest.raises(TacticError, match=r"expected 0 <= n <= 1, an integer .* for n at 2"):  # an enclosure of it
        prove(counted_up_to(1, lambda n: sqrt(lift(n)) ** 2), {})
    with pytest.raises(TacticError, match="expected an even n at 1"):
        prove(counted_up_to(4, constraint=lambda n: n % 2 == 0, constraint_text="an even n"), {})


def test_instances_are_of_recurrences_alone():
    """A law has no sides to compare."""
    lists = KNOWN["rogers2024.thm9.rho"]
    with pytest.raises(TacticError, match="expected instances of a recurrence without levels"):
        check_instances(replace(lists.kind, holds=Instances(lambda case: ())), lists.domain)


def test_a_case_holds_by_its_instances_alone():
    """At sizes that no check compares, too: nothing else says what a case is."""
    same = lambda n: (Instance({}, (), Fraction(n), Fraction(4)), Instance({}, (), Fraction(4), Fraction(4)))
    assert [Instances(same)(n) for n in (3, 4, 5)] == [True, True, False]
    assert [Instances(same, "<")(n) for n in (3, 4, 5)] == [False, False, False]
    assert [Instances(same, "=")(n) for n in (3, 4, 5)] == [False, True, False]
    assert not Instances(lambda n: ())(3)


def test_an_unrelated_general_form_proves_nothing():
    """Numbers below 5, enumerated up to 3; the general form is that 0 stays below 1."""
    state = Box((Parameter("x", ""),))
    step = {"x": lambda A, *, x, **_given: A.number(x)}
    every = Recurrence(state, Box((Parameter("more", ""),)), {"x": zero}, step, zero, one)
    kind = FiniteStatement(range, lambda n: n < 5, {"quick": 3}, "n", every=every, proof=Steps())
    (found,) = check_proof(claim(kind, domain=Box()), context())
    assert found.verdict is Verdict.UNDECIDED
    assert UNTIED in found.headline
    (tied,) = check_proof(GENERAL["wilkins2024.lem5.1.fwd"], context())
    assert (tied.verdict, tied.scope) == (Verdict.PROVED, "")
