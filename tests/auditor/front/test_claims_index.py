"""The index of claims: which share one check, and that a mutant of every kind can be refuted."""

import re
from dataclasses import replace
from functools import partial

from auditor.checks.direction import check_directions
from auditor.checks.mutation import mutants
from auditor.engine.registry import registry
from auditor.front.claims_index import group_equal_claims, render
from proofs_numeric.expression import symbol
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.kinds import Calibration, Identity
from tests.auditor.checks.claims import REAL, claim, context

shifted = lambda A, *, x, by: A.number(x) + by  # the number moved


def between(by):
    """A formula that closes over its shift."""
    return lambda A, *, x: shifted(A, x=x, by=by)


def identity(name, left, right):
    """An identity over a number."""
    return replace(claim(Identity(left, right), domain=Box((REAL,))), id=name)


def test_claims_that_compare_the_same_formulas_are_listed_together():
    """The same function, partial or closure counts, whatever the domain; another argument or constant does not."""
    one, two = partial(shifted, by=1), partial(shifted, by=2)
    claims = [
        identity("b", one, between(1)),
        identity("a", partial(shifted, by=1), between(1)),
        identity("c", two, between(1)),
        identity("d", one, between(2)),
    ]
    assert group_equal_claims(claims) == [("a", "b")]
    assert "- `a`, `b`" in render([], {one.id: one for one in claims}, {})
    assert render([], {}, {}).count("None.") == 3


def test_a_calibration_that_is_loose_is_halved():
    """A value that is larger than needed by its own account is only refuted where it is much smaller."""
    exact = claim(Calibration(partial(shifted, by=1), lambda A, *, value, x: value))
    assert [what for what, _mutant in mutants(exact)] == ["value times 1 - 1e-3"]
    assert [what for what, _mutant in mutants(replace(exact, loose="by a tenth"))] == ["value halved"]


def test_where_a_statement_comes_from_is_counted():
    """Printed, written beside formulas that are printed, or by hand with the reason."""
    x = symbol("x")
    printed = claim(x <= 1)
    claims = [
        replace(printed, id="a", statement=r"x \le 1"),
        replace(printed, id="b", statement=r"1 \ge x"),
        replace(printed, id="c", kind=Identity(partial(shifted, by=1), between(1))),
    ]
    text = render([], {each.id: each for each in claims}, {})
    assert re.findall(r"^\| (.*) \| 1 \|$", text, re.MULTILINE) == [
        "by hand: a formula is an algorithm",
        "in the paper's letters; `auditor explain` prints the formulas beside it",
        "printed",
    ]


def test_directions_are_counted_and_those_without_a_proof_listed():
    """By verdict; a claim whose directions are all proved has no line."""
    claims = registry().claims
    one = claims["standard.central_limit"]
    text = render([], claims, {}, check_directions(one, context()))
    assert "4 directions: 3 proved, 1 no violation seen. Without a proof:" in text
    assert "- `standard.central_limit`: falls in sigma\n" in text
    whole = claims["wilkins2024.thm5.4.gap"]
    assert f"- `{whole.id}`: " not in render([], claims, {}, check_directions(whole, context()))
