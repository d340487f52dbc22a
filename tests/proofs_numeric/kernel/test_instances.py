"""An enumerated statement and its general form are one: the kernel compares both sides at every case."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from proofs_numeric.kernel.enumeration import check_instances
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.rogers2024 import theorem_2

KNOWN = dict(registry().claims)
PURE = KNOWN["rogers2024.thm2.em_pure"]


def changed(**general):
    """The statement with another general form."""
    return replace(PURE.kind, every=replace(PURE.kind.every, **general))


def divided(A, *, epsilon, place, here, there):
    """As in the issue: divided by a sum of weights where it is to be multiplied by it."""
    return theorem_2._moved(A, epsilon=epsilon, place=place) / there - A.exp(A.number(epsilon)) * here


WRONG = {
    "divided for multiplied": changed(left=lambda A, **at: A.maximum(divided(A, **at), theorem_2._below(A, **at))),
    "one order alone": changed(left=theorem_2._above),
    "a larger right side": changed(right=lambda A, **_at: A.number("1e-30")),
    "an unrelated general form": changed(left=lambda A, **at: A.number(-1)),
    "a step that is left out": changed(
        step={**PURE.kind.every.step, "there": lambda A, *, there, **_at: A.number(there)}
    ),
    "cases that say something else": replace(PURE.kind, holds=lambda case: case != ((0, 0, 0), (0, 0, 1))),
    "a case without an instance": replace(PURE.kind, instances=lambda case: ()),
    "sides of another base": replace(
        PURE.kind, instances=lambda case: (replace(one, left=one.left * 2) for one in theorem_2.em_instances(case))
    ),
}


def test_the_cases_of_theorem_2_are_instances_of_its_general_form():
    """Of 729 pairs of scores, three outcomes each."""
    check_instances(PURE.kind)
    assert prove(PURE, KNOWN).claim == PURE.id


@pytest.mark.parametrize("attack", WRONG)
def test_a_general_form_that_is_not_of_the_cases_is_refused(attack):
    """Though its proof might close."""
    with pytest.raises(TacticError, match=r"as a side of the general form|expected a case that holds where"):
        prove(replace(PURE, kind=WRONG[attack]), KNOWN)


def test_instances_are_of_recurrences_alone():
    """A law has no sides to compare."""
    lists = KNOWN["rogers2024.thm9.rho"]
    with pytest.raises(TacticError, match="expected instances of a recurrence without levels"):
        check_instances(replace(lists.kind, instances=lambda case: ()))
    assert Fraction(0) == next(iter(theorem_2.em_instances(((0, 0, 0), (0, 0, 1))))).right
