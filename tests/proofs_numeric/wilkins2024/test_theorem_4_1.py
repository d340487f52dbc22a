"""Theorem 4.1 and Section 4: add the deltas."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.enclosure import Order, compare, enclose
from proofs_numeric.wilkins2024.theorem_4_1 import (
    acts_as_integer_tau,
    delta_added,
    delta_added_by_definition,
    delta_at_real_tau,
    printed_delta_at_real_tau,
)
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact

REFERENCE = [
    ("1", 1, "2", "5", "0", "0.01303926030889071055121312"),
    ("0", 100, "100", "334.8", "0", "0.07976700875280794168829550"),
    ("0.349", 51914, "2228", "13947", "0", "2.003190490602835999855340e-5"),
    ("0.5", 10, "3", "10", "0.25", "0.3676897124196538895416113"),
    ("5", 10**6, "1000", "9000", "0.0005", "9.377209101230951377491363e-6"),
    ("0.3", 3, "1", "-1", "0", "1.550195489233755023203776"),
    ("20", 20, "1.2", "9", "0.3", "0.0005725820547147656309223995"),
]


def point(epsilon, c_u, sigma, gap, mu_o):
    """Exact parameters."""
    return {
        "epsilon": Fraction(epsilon),
        "c_u": c_u,
        "sigma": Fraction(sigma),
        "gap": Fraction(gap),
        "mu_o": Fraction(mu_o),
    }


@pytest.mark.parametrize("row", REFERENCE, ids=lambda row: f"{row[0]}-{row[1]}")
def test_added_deltas_match_the_reference_to_all_digits(row):
    """Twenty-five certified digits of Theorem 4.1."""
    enclosure = enclose(delta_added, point(*row[:5]), 30)
    value = Fraction(row[5])
    assert abs((enclosure.lower + enclosure.upper) / 2 - value) <= abs(value) / 10**24


@pytest.mark.slow
@pytest.mark.parametrize("row", [REFERENCE[0], REFERENCE[3], REFERENCE[5]], ids=lambda row: f"{row[0]}-{row[1]}")
def test_added_deltas_match_their_definition(row):
    """Quadrature of both parts gives the same number."""
    with MpReal(25) as A:
        parameters = {k: A.number(v) if k != "c_u" else v for k, v in point(*row[:5]).items()}
        assert abs(delta_added_by_definition(A, **parameters) / float(row[5]) - 1) < 1e-14


def test_the_sum_can_exceed_one():
    """Add the deltas is vacuous at low thresholds; the exact delta never is."""
    low = point("0.3", 3, "1", "-1", "0")
    assert enclose(delta_added, low, 10).lower > 1 > enclose(delta_exact, low, 10).upper


@pytest.mark.slow
@given(
    epsilon=st.fractions(0, 5, max_denominator=20),
    c_u=st.integers(1, 50),
    sigma=st.fractions(Fraction(1, 4), 8, max_denominator=8),
    gap=st.fractions(-3, 30, max_denominator=8),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_exact_added_and_twice_exact_are_in_order(epsilon, c_u, sigma, gap):
    """Exact < added <= 2 exact, never certified otherwise."""
    at = {"epsilon": epsilon, "c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": Fraction(0)}
    assert compare(delta_exact, delta_added, at).order is not Order.GREATER
    assert compare(delta_added, 2 * delta_exact, at).order is not Order.GREATER


def test_real_tau_understates_delta():
    """Tau = 1.5 acts as tau = 2: 1.34990e-3, not 2.3263e-4."""
    at = {
        "epsilon": Fraction(5),
        "c_u": 1,
        "sigma": Fraction(1),
        "least": 2,
        "slack": Fraction(1, 2),
        "tau_star": Fraction(5),
        "mu_o": Fraction(0),
    }
    assert enclose(delta_at_real_tau, at, 10).decimal(6)[0] == "0.0013499"
    assert enclose(printed_delta_at_real_tau, at, 10).decimal(5)[0] == "0.00023263"
    assert acts_as_integer_tau((2, Fraction(3, 2), Fraction(1), 1))
