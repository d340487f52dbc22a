"""Section 2: definitions, exact finite laws, and the Gaussian profile."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.statements.adjacency import AddRemoveUser
from proofs_numeric.wilkins2024.finite import best_event, hockey_stick, law_pairs, loss_difference
from proofs_numeric.wilkins2024.section_2 import (
    gaussian_delta,
    general_distance_squared,
    loss_form_is_the_hockey_stick,
    negative_parameters_bound_delta,
    neighbours,
    profile_by_definition,
    reflected_profile,
    satisfies_dp,
)


@st.composite
def laws(draw, atoms=4):
    """Exact laws with zeros."""
    weights = draw(st.lists(st.integers(0, 6), min_size=atoms, max_size=atoms).filter(any))
    return {i: Fraction(w, sum(weights)) for i, w in enumerate(weights)}


RATIO = st.fractions(Fraction(1, 8), 8, max_denominator=12)


@pytest.mark.slow
@given(laws(), laws(), RATIO)
@settings(max_examples=150, deadline=None, derandomize=True)
def test_loss_form_equals_the_best_event(left, right, ratio):
    """Theorem 2.1 holds for laws beyond the enumerated grid, at any real epsilon."""
    assert loss_form_is_the_hockey_stick((left, right, ratio))
    assert hockey_stick(left, right, ratio) == best_event(left, right, ratio)


@pytest.mark.slow
def test_strict_loss_would_be_noticed():
    """The enumeration has ties and infinite losses: forgetting either breaks the identity somewhere."""

    def without_infinite_loss(left, right, ratio):
        return loss_difference({o: p for o, p in left.items() if right[o]}, right, ratio)

    broken = [
        1 for left, right, r in law_pairs(3, 4) if without_infinite_loss(left, right, r) != best_event(left, right, r)
    ]
    ties = [1 for left, right, r in law_pairs(3, 4) if any(p and p == r * right[o] for o, p in left.items())]
    assert broken
    assert ties


@pytest.mark.slow
@given(laws(3), laws(3), RATIO, st.fractions(-1, 1, max_denominator=20))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_no_negative_delta_is_ever_met(left, right, ratio, delta):
    """The whole space and the empty event bound delta from below."""
    assert negative_parameters_bound_delta((left, right, ratio, delta))
    assert not (delta < 0 and satisfies_dp((left, right, ratio, delta)))


def test_neighbouring_datasets_are_neighbouring_histograms():
    """Where users hold one record a group, Definition 2.1 gives the histograms' add-remove relation."""
    with_user = (("ann", "x"), ("ann", "y"), ("bob", "x"), ("eve", "z"))
    without = (("bob", "x"), ("eve", "z"))
    assert neighbours((with_user, without))
    count = [{g: sum(group == g for _u, group in data) for g in "xyz"} for data in (with_user, without)]
    AddRemoveUser(c_u=2).check(*count)


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "mu"), [("0.349", "0.10224286"), (1, 1), (-2, "0.7"), (40, 6)])
def test_profile_agrees_with_the_integral(epsilon, mu):
    """The formula is the integral of max(0, p - e^epsilon q)."""
    with MpReal(25) as A:
        point = {"epsilon": A.number(epsilon), "mu": A.number(mu)}
        assert abs(profile_by_definition(A, **point) / gaussian_delta(A, **point) - 1) < 1e-12


def test_reflection_holds_at_full_precision():
    """f(mu, -x) = 1 - e^-x + e^-x f(mu, x), both sides enclosed to 50 digits."""
    point = {"epsilon": Fraction(-7, 3), "mu": Fraction(11, 10)}
    left, right = enclose(gaussian_delta, point, 50), enclose(reflected_profile, point, 50)
    assert left.lower <= right.upper
    assert right.lower <= left.upper


def test_diagonal_distance_by_hand():
    """Differences 3, 0, 4 over scales 1, 2, 2 give 9 + 4."""
    with MpReal(20) as A:
        assert general_distance_squared(A, d1=3, d2=0, d3=4, s1=1, s2=2, s3=2) == 13
