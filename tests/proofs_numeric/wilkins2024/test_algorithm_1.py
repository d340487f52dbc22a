"""Section 3: Algorithm 1's law, thresholds, and what a user changes."""

from fractions import Fraction

import numpy as np
import pytest

from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.wilkins2024.algorithm_1 import (
    CLAIMS,
    any_released,
    delta_of_thresholds,
    delta_survives_a_shift,
    emission_probability,
    one_user_changes_few_counts,
    printed_delta_of_thresholds,
    row_formula_agrees,
)
from proofs_numeric.wilkins2024.finite import least_delta, noise, row_law

POINT = {"epsilon": Fraction(5), "c_u": 1, "sigma": Fraction(1), "tau": 0, "tau_star": Fraction(4), "mu_o": Fraction(0)}


def test_row_law_by_hand():
    """A count of 2 with noise -1, 0, 1 and tau* = 2 is released in two cases of three."""
    assert row_law(2, 1, 2, 1) == {None: Fraction(1, 3), 2: Fraction(1, 3), 3: Fraction(1, 3)}
    assert row_law(0, 0, -5, 1) == {None: Fraction(1)}
    assert sum(noise(3).values()) == 1


def test_row_formula_differs_only_for_empty_groups():
    """The formula without "nonempty" releases a group of nobody at tau = 0."""
    assert not row_formula_agrees((0, 0, Fraction(0), 1))
    assert row_formula_agrees((0, 1, Fraction(0), 1))
    assert row_formula_agrees((1, 0, Fraction(0), 1))


def test_tau_zero_understates_delta_by_a_factor_of_forty_two():
    """Tau = 0 acts as tau = 1: 1.34990e-3 instead of 3.1671e-5."""
    true, claimed = enclose(delta_of_thresholds, POINT, 12), enclose(printed_delta_of_thresholds, POINT, 12)
    assert true.decimal(6)[0] == "0.0013499"
    assert claimed.decimal(5)[0] == "0.000031671"
    assert 42.6 < float(true.lower / claimed.upper) < 42.7


def test_emission_probability_is_half_at_the_threshold():
    """A count equal to tau* passes every other time."""
    assert enclose(lambda A: emission_probability(A, count=7, tau_star=7, sigma=3), {}, 20).lower == Fraction(1, 2)


def test_any_released_reads_batches():
    """NaN is not released; only the chosen keys count."""
    values = np.array([[np.nan, 3.0], [np.nan, np.nan], [2.0, np.nan]])
    assert any_released(("a",), ("a", "b"), values).tolist() == [False, False, True]
    assert any_released(("a", "b"), ("a", "b"), values).tolist() == [True, False, True]


def test_a_user_with_too_many_groups_is_noticed():
    """The sensitivity statement fails for a user in three groups when C_u = 2."""
    assert one_user_changes_few_counts((3, (frozenset({0, 1, 2}),)))
    assert not one_user_changes_few_counts((2, (frozenset({0, 1, 2}),)))


def test_least_delta_depends_on_the_gap():
    """The shift invariance is no accident of a constant: another gap gives another delta."""
    at = {"groups": 1, "c_u": 1, "width": 2}
    ratio = Fraction(2)
    assert delta_survives_a_shift((ratio, 1, 1, Fraction(2), 2, 3))
    assert least_delta(ratio, tau=1, tau_star=1, **at) > least_delta(ratio, tau=1, tau_star=3, **at)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_claims_are_complete(claim):
    """Every claim has a title, a statement and a place in the paper."""
    assert claim.title
    assert claim.statement
    assert claim.source.locator
