"""Enumerations decide every case; definitions are held against both kinds of examples; nothing empty is green."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.checks import show
from auditor.checks.finite import check_definition, check_editorial, check_enumeration
from auditor.engine.registry import registry
from proofs_numeric.arithmetic.enclosure import Comparison, Order
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.kinds import Definition, Editorial, FiniteStatement
from proofs_numeric.statements.verdict import Expectation, Verdict
from tests.auditor.checks.claims import claim, context

SIZES = {"quick": 10, "standard": 20, "deep": 30}
EVEN_SQUARES = FiniteStatement(range, lambda n: (n * n - n) % 2 == 0, SIZES, "n")


def test_a_true_statement_is_proved_for_the_sizes_covered():
    """The scope names the size; only a complete enumeration has none."""
    (found,) = check_enumeration(claim(EVEN_SQUARES, domain=Box()), context())
    assert (found.verdict, found.scope) == (Verdict.PROVED, "by enumeration, n <= 10")


def test_the_first_failing_case_is_the_witness():
    """n^2 = n fails first at n = 2."""
    (found,) = check_enumeration(claim(replace(EVEN_SQUARES, holds=lambda n: n * n == n), domain=Box()), context())
    assert found.verdict is Verdict.REFUTED
    assert found.evidence[0].parameters == {"case": "2"}


def test_an_empty_enumeration_is_an_error():
    """Zero cases must not look green."""
    with pytest.raises(ValueError, match="empty enumeration"):
        check_enumeration(claim(replace(EVEN_SQUARES, cases=lambda n: ()), domain=Box()), context())


def test_floating_point_cases_prove_nothing():
    """The same enumeration in floating point is consistent, and its headline says to which tolerance."""
    kind = replace(EVEN_SQUARES, rigorous=False, tolerance="1e-9 (relative)")
    (found,) = check_enumeration(claim(kind, domain=Box()), context())
    assert found.verdict is Verdict.CONSISTENT
    assert "1e-9 (relative)" in found.headline


def test_a_failure_in_floating_point_says_so():
    """A refuted case names the tolerance by which it failed."""
    kind = replace(EVEN_SQUARES, holds=lambda n: n < 3, rigorous=False, tolerance="1e-9 (relative)")
    (found,) = check_enumeration(claim(kind, domain=Box()), context())
    assert found.verdict is Verdict.REFUTED
    assert "fails for 3 by more than 1e-9 (relative)" in found.headline


@pytest.mark.parametrize("fields", [{"rigorous": False}, {"tolerance": "1e-9"}])
def test_a_tolerance_belongs_to_floating_point(fields):
    """Floating point without a tolerance, or a tolerance of exact cases, is refused."""
    with pytest.raises(ValueError, match="expected a tolerance exactly where"):
        replace(EVEN_SQUARES, **fields)


@pytest.mark.parametrize(
    ("accepts", "verdict"),
    [(lambda n: n % 2 == 0, Verdict.CONSISTENT), (lambda n: True, Verdict.REFUTED), (lambda n: False, Verdict.REFUTED)],
)
def test_definitions_are_fixed_by_members_and_non_members(accepts, verdict):
    """A predicate that accepts everything or nothing is refuted."""
    (found,) = check_definition(claim(Definition(accepts, (0, 2), (1, 3)), domain=Box()), context())
    assert found.verdict is verdict


def test_editorial_entries_are_counted_apart():
    """A misprint is listed, not checked."""
    entry = claim(Editorial("tho", "the", "a slip"), domain=Box(), expected=Expectation.NOT_CHECKABLE)
    (found,) = check_editorial(entry, context())
    assert (found.verdict, found.met) == (Verdict.NOT_CHECKABLE, True)


def test_cases_read_as_people_write_them():
    """Fractions stand as a/b inside tuples, lists, sets and mappings."""
    half = Fraction(1, 2)
    assert show.case((0, half, [half, None], {half: "a"})) == "(0, 1/2, [1/2, nothing], {1/2: a})"
    assert show.case(frozenset({half, 1})) == "{1, 1/2}"
    assert show.case(Comparison(Order.LESS, None, None, 64)) == "(order: <, left: nothing, right: nothing, bits: 64)"


def test_a_witness_names_the_parts_of_its_case():
    """Both sides there stand in the words of the statement."""
    kind = replace(EVEN_SQUARES, holds=lambda n: n * n == n, describe=lambda n: {"n": n, "n squared": n * n})
    (found,) = check_enumeration(claim(kind, domain=Box()), context())
    assert found.evidence[0].parameters == {"n": "2", "n squared": "4"}
    assert found.headline == "fails at n = 2, n squared = 4"


def test_every_statement_that_is_to_fail_says_what_is_seen_there():
    """No witness of the catalogue is a case without names."""
    kinds = [c.kind for c in registry().claims.values() if c.expected is Expectation.REFUTED]
    finite = [kind for kind in kinds if isinstance(kind, FiniteStatement)]
    assert len(finite) > 20
    assert all(kind.describe is not None for kind in finite)
