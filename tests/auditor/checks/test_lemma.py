"""The search finds what is false, misses nothing it compared, and proofs fail when the claim is moved."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.checks.lemma import check_proof, search_counterexample, symbolically_equal
from proofs_numeric.arithmetic.special import gaussian_profile, normal_pdf
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.derivation import Derivation, PositiveOnBox, Premise, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import Identity, Inequality, Monotonicity, Relation
from proofs_numeric.statements.tactics import Sign, Symbolic, Within
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import UNIT, claim, context, identity, square, square_below


def test_a_true_inequality_is_consistent_and_says_where_it_is_closest():
    """x^2 <= x on [0, 1]: no violation seen; the ends, where both sides are equal, decide nothing."""
    (found,) = search_counterexample(square_below(), context())
    assert found.verdict is Verdict.CONSISTENT
    assert Fraction(found.evidence[0].margin) > 0
    assert found.evidence[0].closest["x"] not in {"0", "1"}
    assert "more decide nothing" in found.headline


def test_points_are_counted_once():
    """A domain of three integers has three points, however many examples are drawn."""
    three = Box((Parameter("x", "", lower=1, upper=3, integer=True),))
    (found,) = search_counterexample(
        claim(Inequality(identity, lambda A, *, x: A.number(x + 1)), domain=three), context()
    )
    assert found.headline == "no violation seen in 3 points that decide it"
    assert found.evidence[0].examples == 3


def test_a_statement_that_no_point_decides_is_undecided():
    """Both sides equal everywhere, or deltas that are 0 or at least 1: green would have tested nothing."""
    same = Inequality(identity, lambda A, *, x: x * 1)
    zero = Inequality(lambda A, *, x: A.number(0), identity)
    one = Inequality(identity, lambda A, *, x: 1 + x)
    for kind, quantity in ((same, QuantityKind.NONE), (zero, QuantityKind.DELTA), (one, QuantityKind.DELTA)):
        (found,) = search_counterexample(claim(kind, quantity=quantity), context())
        assert found.verdict is Verdict.UNDECIDED
        assert "no point of the domain decides it" in found.headline
    (found,) = search_counterexample(claim(one), context())
    assert found.verdict is Verdict.CONSISTENT


def test_a_search_that_decides_nothing_is_left_to_the_proof_where_there_is_one():
    """Two equal sides are a question for the proof, whose finding is undecided if it fails."""
    same = Inequality(identity, lambda A, *, x: x * 1, proof=Symbolic())
    (found,) = search_counterexample(claim(same), context())
    assert found.verdict is Verdict.NOT_APPLICABLE
    assert found.headline.startswith("left to the proof: no point of the domain decides it")


def test_a_comparison_of_two_numbers_is_decided():
    """A claim without parameters has one point: certified there, it is proved; or refuted."""
    for less, verdict in ((2, Verdict.PROVED), (4, Verdict.REFUTED)):
        numbers = Inequality(lambda A, less=less: A.number(less), lambda A: A.number(3))
        (found,) = search_counterexample(claim(numbers, domain=Box()), context())
        assert found.verdict is verdict


def test_a_probability_of_zero_is_strictly_less_than_a_positive_one():
    """Positivity says something where at most does not."""
    positive = Inequality(lambda A, *, x: A.number(0), lambda A, *, x: (1 + x) / 10, Relation.LESS)
    (found,) = search_counterexample(claim(positive, quantity=QuantityKind.DELTA), context())
    assert found.verdict is Verdict.CONSISTENT


def test_two_deltas_above_one_are_no_counterexample():
    """A bound above 1 says what 1 says: 2 + x <= 3 x/2 + 1 fails everywhere and refutes nothing of deltas."""
    above = Inequality(lambda A, *, x: 2 + x, lambda A, *, x: 1 + 3 * x / 2)
    (found,) = search_counterexample(claim(above, quantity=QuantityKind.DELTA), context())
    assert found.verdict is Verdict.UNDECIDED
    (found,) = search_counterexample(claim(above), context())
    assert found.verdict is Verdict.REFUTED


def test_the_search_goes_on_where_the_statement_says_something():
    """Two bounds that differ, below 1, on one part in 1e9 of the domain, around a point that the claim names."""
    wide = Box((Parameter("x", "", lower=0, upper=10**12),))
    narrow = Inequality(lambda A, *, x: A.exp(-x), lambda A, *, x: A.exp(-x) + A.exp(-2 * x))
    apart = claim(narrow, domain=wide, quantity=QuantityKind.DELTA, points=({"x": 20},))
    (found,) = search_counterexample(apart, context())
    assert found.evidence[0].examples >= context().profile.examples


def test_a_strict_inequality_is_refuted_where_the_sides_touch():
    """x^2 < x fails at x = 0, with equality certified."""
    (found,) = search_counterexample(square_below(Relation.LESS), context())
    assert found.verdict is Verdict.REFUTED
    assert found.evidence[0].parameters["x"] in {"0", "1"}


def test_a_false_inequality_is_refuted_with_a_small_witness():
    """x^2 <= x fails beyond 1 and the witness shrinks to a short decimal."""
    (found,) = search_counterexample(square_below(upper=10), context())
    assert found.verdict is Verdict.REFUTED
    assert 1 < Fraction(found.evidence[0].parameters["x"]) <= 2


def test_breaking_a_formula_elsewhere_gives_another_witness():
    """The search starts from the domain: moving the failure moves the witness."""
    shifted = claim(
        Inequality(square, lambda A, *, x: x * x - (x - 7) / 10**6), domain=Box((Parameter("x", "", upper=10),))
    )
    (found,) = search_counterexample(shifted, context())
    assert found.verdict is Verdict.REFUTED
    assert Fraction(found.evidence[0].parameters["x"]) > 7


def test_an_identity_wrong_in_the_twelfth_digit_is_refuted():
    """Balls separate sides that doubles would call equal."""
    wrong = claim(Identity(square, lambda A, *, x: x * x * (1 + A.number("1e-12"))))
    (found,) = search_counterexample(wrong, context())
    assert found.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_statement_nowhere_defined_is_undecided_not_green():
    """A search that compared nothing says so."""
    nowhere = claim(Inequality(lambda A, *, x: x / (x - x), identity), cost=10)
    (found,) = search_counterexample(nowhere, context())
    assert found.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(("increasing", "verdict"), [(True, Verdict.CONSISTENT), (False, Verdict.REFUTED)])
def test_monotonicity_is_searched_over_ordered_pairs(increasing, verdict):
    """x^2 increases on [0, 1] and does not decrease."""
    (found,) = search_counterexample(claim(Monotonicity(square, "x", increasing=increasing)), context())
    assert found.verdict is verdict


def _positive(margin: str) -> Derivation:
    formula = lambda A, *, x: x * x - x + A.number("1/4") + A.number(margin)
    return Derivation((PositiveOnBox("x^2 - x + 1/4 + margin > 0", formula, Box((UNIT,)), "least value at 1/2"),))


@pytest.mark.slow
def test_a_derivation_derives_and_fails_past_its_margin():
    """x^2 - x + 1/4 touches zero at 1/2: any margin above holds, any below is refused; no derivation proves."""
    held = replace(square_below().kind, proof=_positive("1e-6"))
    moved = replace(square_below().kind, proof=_positive("-1e-6"))
    (proved,) = check_proof(claim(held), context())
    (failed,) = check_proof(claim(moved), context())
    assert proved.verdict is Verdict.DERIVED
    assert proved.headline == "rests on an argument not checked by the machine, from 1 checked step"
    assert failed.verdict is Verdict.UNDECIDED


@pytest.mark.parametrize(
    ("upper", "verdict", "scope"),
    [(1, Verdict.PROVED, ""), (2, Verdict.UNDECIDED, ""), ("1/2", Verdict.PROVED, "0 <= x <= 1/2 (no unit)")],
)
def test_only_the_kernel_proves(upper, verdict, scope):
    """x^2 <= x by its sign on [0, 1]; the box that the kernel covered is the scope, and past 1 a goal stays open."""
    box = Box((replace(UNIT, upper=upper),))
    proof = Within(box, Sign()) if scope else Sign()
    made = square_below(upper=1 if scope else upper)
    (found,) = check_proof(replace(made, kind=replace(made.kind, proof=proof)), context())
    assert (found.verdict, found.scope) == (verdict, scope)
    assert ("a goal stays open" in found.headline) is (verdict is Verdict.UNDECIDED)


@pytest.mark.parametrize(
    ("premise", "verdict"),
    [
        (Verdict.PROVED, Verdict.DERIVED),
        (Verdict.DERIVED, Verdict.DERIVED),
        (Verdict.CONSISTENT, Verdict.CONSISTENT),
        (Verdict.REFUTED, Verdict.UNDECIDED),
        (Verdict.ERROR, Verdict.UNDECIDED),
        (Verdict.NOT_APPLICABLE, Verdict.UNDECIDED),
    ],
)
def test_a_derivation_is_as_strong_as_its_weakest_step(premise, verdict):
    """Premises that are only searched make the conclusion consistent, never derived."""
    proof = Derivation((Premise("test.premise", "by the premise"), Unchecked("arithmetic", "and arithmetic")))
    kind = replace(square_below().kind, proof=proof)
    (found,) = check_proof(claim(kind), context(verdicts={"test.premise": premise}))
    assert found.verdict is verdict


@pytest.mark.slow
def test_symbolic_identities_tell_right_from_wrong_derivatives():
    """d/dmu of the Gaussian profile is phi(mu/2 - epsilon/mu), and not its mirror image."""

    def derivative(A, *, mu, epsilon):
        return gaussian_profile(A, epsilon, mu).diff(mu)

    def density(sign):
        return lambda A, *, mu, epsilon: normal_pdf(A, mu / 2 - sign * epsilon / mu)

    right = SymbolicIdentity("A.9", derivative, density(1), ("mu", "epsilon"), positive=("mu",))
    assert symbolically_equal(right)
    assert not symbolically_equal(replace(right, right=density(-1)))
