"""Section 7 and Appendix A.3: reference values, orderings, finite lemmas, and mutants refuted."""

from dataclasses import replace
from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.enclosure import compare, enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.kinds import FiniteStatement
from proofs_numeric.wilkins2024 import appendix_a_3
from proofs_numeric.wilkins2024.composition.budgets import filter_bound
from proofs_numeric.wilkins2024.finite import coin, events, hockey_stick, joint, probability
from proofs_numeric.wilkins2024.section_7 import f_dp as topic
from proofs_numeric.wilkins2024.section_7 import f_dp_factor
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact
from proofs_numeric.wilkins2024.theorem_5_4.rows_maximum import argument_over_rows
from tests.proofs_numeric.refuted import refuted

CLAIMS = {
    claim.id.removeprefix("wilkins2024."): claim for claim in (*topic.CLAIMS, *f_dp_factor.CLAIMS, *appendix_a_3.CLAIMS)
}
NAMES = ("epsilon", "c_u", "sigma", "gap", "mu_o")
# (epsilon, C_u, sigma, gap, mu_o): value of (7.1) and its maximising a_=.
MAXIMA = {
    ("1", 1, "2", "5", "0"): ("0.006829594983114575384235013", 0),
    ("0", 100, "100", "334.8", "0"): ("0.04941406982655417618468085", 75),
    ("0.349", 51914, "2228", "13947", "0"): ("1.003103848512687018142232e-5", 0),
    ("0.5", 10, "3", "10", "0.25"): ("0.3634073837909987132204812", 0),
    ("5", 10**6, "1000", "9000", "0.0005"): ("9.377208988372110782113667e-6", 0),
    ("0.3", 3, "1", "-1", "0"): ("0.9960064109256702249303200", 2),
    ("20", 20, "1.2", "9", "0.3"): ("0.0005725820540765872963404137", 0),
}
# The same parameters: a_= and the f-DP term there.
TERMS = {
    ("0", 100, "100", "334.8", "0"): (33, "0.04555353100779645537313649"),
    ("0.349", 51914, "2228", "13947", "0"): (17304, "3.648915858457498952826720e-6"),
    ("0.5", 10, "3", "10", "0.25"): (3, "0.2801330307857621034945300"),
    ("5", 10**6, "1000", "9000", "0.0005"): (333333, "3.745785070622876669358549e-8"),
    ("0.3", 3, "1", "-1", "0"): (1, "0.9124359591142632981902626"),
    ("20", 20, "1.2", "9", "0.3"): (6, "2.473246529539557305563173e-6"),
}


def point_of(inputs):
    """Exact parameters."""
    return CLAIMS["thm7.1"].domain.parse(dict(zip(NAMES, inputs, strict=True)))


def assert_digits(formula, point, text):
    """The 50-digit enclosure agrees with 25 printed digits."""
    enclosure = enclose(formula, point, 50)
    assert abs((enclosure.lower + enclosure.upper) / 2 - Fraction(text)) < Fraction(text) / 10**24


@pytest.mark.parametrize(("inputs", "expected"), MAXIMA.items())
def test_the_maximum_of_7_1_at_25_digits(inputs, expected):
    """The certified maximum agrees with the reference table."""
    assert_digits(topic.delta_f_dp, point_of(inputs), expected[0])


@pytest.mark.parametrize(("inputs", "expected"), MAXIMA.items())
def test_the_maximiser_of_7_1(inputs, expected):
    """The maximising a_= below C_u is the reference one (a_= = C_u, the first term, is apart)."""
    assert argument_over_rows(0, prefactor=True, **point_of(inputs)) == expected[1]


@pytest.mark.parametrize(("inputs", "expected"), TERMS.items())
def test_the_term_of_7_1_at_one_point(inputs, expected):
    """The number under the maximum agrees with the reference table at one interior a_=."""
    point = point_of(inputs)
    rows = {"a_equal": expected[0], "a_plus": point.pop("c_u") - expected[0]}
    assert_digits(topic.f_dp_term, {**point, **rows}, expected[1])


@pytest.mark.parametrize("A", [Float64(), MpReal(30), Ball(192)], ids=lambda A: A.name)
@pytest.mark.parametrize("inputs", [("0", 100, "100", "334.8", "0"), ("0.5", 10, "3", "10", "0.25")])
def test_branch_and_bound_equals_the_literal_maximum_of_7_1(A, inputs):
    """Both give one number in every arithmetic."""
    point = point_of(inputs)
    certified, literal = (float(evaluate_in(A, formula, point)) for formula in (topic.delta_f_dp, topic.literal_f_dp))
    assert certified == pytest.approx(literal, rel=1e-14)


@pytest.mark.parametrize(
    "point",
    [
        {"epsilon": 0, "c_u": 10**9, "sigma": 10**6, "gap": 6 * 10**6, "mu_o": 0},
        {"epsilon": 1, "c_u": 10**9, "sigma": 10**4, "gap": 7 * 10**4, "mu_o": 0},
        {"epsilon": 700, "c_u": 10**9, "sigma": 10**6, "gap": 6 * 10**6, "mu_o": Fraction(1, 10**5)},
    ],
)
def test_a_billion_rows_are_answered_between_exact_and_sum(point):
    """(7.1) at C_u = 1e9 is certified to 30 digits and lies where it should."""
    value = enclose(topic.delta_f_dp, point, 30)
    assert enclose(delta_exact, point, 30).lower <= value.upper
    assert value.lower <= enclose(topic.delta_added, point, 30).upper


@pytest.mark.slow
@pytest.mark.parametrize(("name", "factor"), [("sec7.f_dp_factor", "1.23"), ("sec7.add_factor", "1.99")])
def test_the_factors_are_nearly_attained(name, factor):
    """Neither 1.23 in place of 5/4 nor 1.99 in place of 2 is a bound."""
    claim = CLAIMS[name]

    def scaled(A, **values):
        return A.number(factor) * delta_exact(A, **values)

    assert refuted(replace(claim, kind=replace(claim.kind, right=scaled, proof=None)))


def test_the_exponent_over_mu_would_not_increase_without_its_logarithm():
    """f/mu itself is no such function: for epsilon > 0 it rises, but at epsilon = 0 it falls."""
    claim = CLAIMS["sec7.f_dp_factor.star"]

    def plain(A, *, epsilon, mu):
        return filter_bound(A, epsilon=A.number(epsilon), loss=A.number(0), mu=A.number(mu)) / A.number(mu)

    assert refuted(replace(claim, kind=replace(claim.kind, formula=plain, proof=None)))


@pytest.mark.slow
def test_the_conjugate_with_a_swapped_sign_is_refuted():
    """-Phi(-mu/2 - level/mu) in the last term is too large a negative number to bound the objective."""
    claim = CLAIMS["lemA.4"]

    def swapped(A, *, z, level, mu):
        return appendix_a_3.gaussian_conjugate(A, level=-A.number(level), mu=mu)

    assert refuted(replace(claim, kind=replace(claim.kind, right=swapped)))


def test_the_relaxed_trade_off_does_not_give_the_second_term():
    """With epsilon in place of epsilon_2 the composition is the f-DP term, not the second term."""
    claim = CLAIMS["sec7.true_tradeoff"]

    def relaxed(A, *, epsilon, loss, mu):
        return filter_bound(A, epsilon=A.number(epsilon), loss=A.number(loss), mu=A.number(mu))

    assert refuted(replace(claim, kind=replace(claim.kind, left=relaxed)))


def fails_somewhere(name, holds):
    """Whether a finite statement with another predicate has a failing case at the quick size."""
    kind = CLAIMS[name].kind
    assert isinstance(kind, FiniteStatement)
    return not all(holds(case) for case in kind.cases(kind.sizes["quick"]))


def test_finite_lemmas_fail_when_changed():
    """A.2 with the line 1 - y, A.3 without the factor 1 - delta, and A.7 without delta are all refuted."""

    def no_delta(case):
        left, right = case
        return all(probability(right, event) <= probability(left, event) for event in events({**left, **right}))

    def no_factor(case):
        (left, right), second = case
        curve = appendix_a_3.tradeoff(left, right)
        composed = appendix_a_3.tradeoff(joint(left, second[0]), joint(right, second[1]))
        return all(value >= appendix_a_3.value_of(curve, alpha) for alpha, value in composed)

    def no_addend(case):
        ((left, right), second), ratio = case
        composed = hockey_stick(joint(left, second[0]), joint(right, second[1]), ratio)
        return composed <= hockey_stick(left, right, ratio)

    assert fails_somewhere("lemA.2.corrected", no_delta)
    assert fails_somewhere("lemA.3", no_factor)
    assert fails_somewhere("lemA.7.cor", no_addend)


def test_the_printed_supremum_would_still_give_lemma_a6():
    """The erratum in the proof of Lemma A.6 is harmless: the statement holds in every enumerated case."""
    kind = CLAIMS["lemA.6"].kind
    cases = list(kind.cases(3))
    assert len(cases) > 400
    assert all(kind.holds(case) for case in cases)


def test_a_trade_off_function_is_convex_and_below_the_diagonal():
    """The trade-off curve of two laws is a trade-off function and meets its laws."""
    left, right = coin("1/2"), coin("3/4")
    curve = appendix_a_3.tradeoff(left, right)
    assert curve == appendix_a_3.curve_through(("0", "1"), ("1/2", "1/4"), ("1", "0"))
    assert appendix_a_3.is_tradeoff(curve)
    assert appendix_a_3.conjugate_of(curve, Fraction(-1)) == Fraction(-3, 4)


def test_the_exact_profile_stays_below_f_dp_at_the_case_with_an_interior_maximum():
    """At C_u = 100, epsilon = 0 f-DP composition overstates delta by 23.9 percent."""
    point = point_of(("0", 100, "100", "334.8", "0"))
    ratio = enclose(lambda A, **p: topic.delta_f_dp(A, **p) / delta_exact(A, **p), point, 20)
    assert float(ratio.lower) == pytest.approx(1.2388, rel=1e-4)
    assert compare(delta_exact, topic.delta_f_dp, point).order.value == "<"
