"""Concentrated privacy: conversions in order, refuters that refute, a ledger that adds up."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.concentrated import (
    BudgetError,
    Decomposition,
    Ledger,
    Spending,
    approximate_delta_upper,
    canonne_epsilon_upper,
    cdp_to_dp_epsilon_upper,
    delta_at_order_upper,
    delta_upper,
    gaussian_epsilon,
    hockey_stick,
    renyi_divergence,
    renyi_tail_upper,
)

HALF, MILLIONTH = Fraction(1, 2), Fraction(1, 10**6)


@settings(max_examples=60, deadline=None)
@given(st.floats(1e-4, 20), st.floats(0, 30))
def test_the_best_order_lies_between_the_gaussian_and_the_tail_bound(rho, epsilon):
    """Exact Gaussian <= best Renyi order <= printed tail bound where the latter speaks (epsilon >= rho)."""
    A = Float64()
    best = float(delta_upper(A, rho=rho, epsilon=epsilon))
    assert float(gaussian_profile(A, epsilon, np.sqrt(2 * rho))) <= best * (1 + 1e-9)
    if epsilon >= rho:
        assert best <= float(renyi_tail_upper(A, rho=rho, epsilon=epsilon)) * (1 + 1e-9)


@settings(max_examples=40, deadline=None)
@given(st.floats(0.01, 1), st.floats(0.1, 20), st.floats(1.01, 20))
def test_no_order_beats_the_best(rho, epsilon, alpha):
    """The infimum is one."""
    A = Float64()
    assert float(delta_upper(A, rho=rho, epsilon=epsilon)) <= float(
        delta_at_order_upper(A, rho=rho, epsilon=epsilon, alpha=alpha)
    ) * (1 + 1e-9)


@pytest.mark.parametrize("rho", [Fraction(1, 200), HALF, Fraction(8)])
def test_conversions_are_in_order(rho):
    """Exact Gaussian < best order < printed."""
    exact = float(gaussian_epsilon(rho, MILLIONTH, 12).lower)
    best = float(canonne_epsilon_upper(Float64(), rho=rho, delta=MILLIONTH))
    assert exact < best < float(cdp_to_dp_epsilon_upper(Float64(), rho=rho, delta=MILLIONTH))


def test_the_epsilon_of_a_gaussian_is_enclosed():
    """Balls: the profile is at least delta at the lower end and at most that at the upper one, twelve digits apart."""
    found = gaussian_epsilon(HALF, MILLIONTH, 12)
    assert found.upper - found.lower <= found.lower / 10**12
    with Ball(192) as A:
        assert not gaussian_profile(A, A.number(found.lower), A.number(1)) < A.number(MILLIONTH)
        assert not gaussian_profile(A, A.number(found.upper), A.number(1)) > A.number(MILLIONTH)


def test_a_delta_that_the_gaussian_never_reaches_is_refused():
    """Its delta at epsilon 0 is the largest."""
    with pytest.raises(ValueError, match="expected delta below"):
        gaussian_epsilon(Fraction(1, 200), Fraction(1, 2))


def test_best_epsilon_and_best_delta_invert_one_another():
    """The delta at the best epsilon is the delta asked for."""
    with Ball(192) as A:
        epsilon = canonne_epsilon_upper(A, rho=HALF, delta=MILLIONTH)
        back = delta_upper(A, rho=HALF, epsilon=epsilon.mid())
        assert abs(back / A.number(MILLIONTH) - 1) < A.number(Fraction(1, 10**15))


def test_an_approximate_guarantee_has_the_profile_of_the_best_order():
    """Delta + (1 - delta) B."""
    profile = approximate_delta_upper(Float64(), delta=MILLIONTH, rho=HALF, epsilon=1)
    assert float(profile) == pytest.approx(1e-6 + (1 - 1e-6) * 0.24684633078294, rel=1e-12)


def test_a_decomposition_certifies_what_divergence_alone_would_refute():
    """R3: an own outcome on one side makes every divergence infinite; the good parts are equal."""
    left, right = {"y": Fraction(9, 10), "new": Fraction(1, 10)}, {"y": Fraction(1)}
    same = {"y": Fraction(1)}
    assert renyi_divergence(Float64(), left, right, 2) == np.inf
    assert Decomposition(left, right, same, same).certifies(Fraction(1, 10), 0, (1, 2))
    assert not Decomposition(left, right, same, same).certifies(Fraction(9, 100), 1, (1, 2))


def test_a_decomposition_must_consist_of_laws():
    """Good parts of mass below one prove nothing."""
    law = {"y": Fraction(1)}
    assert not Decomposition(law, law, {"y": Fraction(1, 2)}, law).covers(Fraction(1, 2))


def test_hockey_stick_at_ratio_one_is_total_variation():
    """Randomised response at 4: 3/5."""
    left, right = {"y": Fraction(4, 5), "n": Fraction(1, 5)}, {"y": Fraction(1, 5), "n": Fraction(4, 5)}
    assert hockey_stick(left, right, 1) == Fraction(3, 5)


def test_a_ledger_composes_exactly():
    """Rho adds, failures compose as 1 - prod(1 - delta)."""
    ledger = Ledger(Fraction(1), Fraction(1, 100))
    ledger = ledger.spend(Spending("counts", HALF, Fraction(1, 1000))).spend(
        Spending("top", Fraction(1, 8), Fraction(1, 500))
    )
    assert (ledger.rho, ledger.delta) == (Fraction(5, 8), 1 - Fraction(999, 1000) * Fraction(499, 500))


def test_a_ledger_says_the_epsilon_of_everything_released():
    """The good part is converted at what is left of delta."""
    ledger = Ledger(Fraction(1), Fraction(1, 100)).spend(Spending("counts", HALF, MILLIONTH))
    epsilon = ledger.epsilon_upper(Float64(), 2 * MILLIONTH)
    implied = approximate_delta_upper(Float64(), rho=HALF, delta=MILLIONTH, epsilon=epsilon)
    assert float(implied) == pytest.approx(2e-6, rel=1e-9)


def test_two_releases_cost_less_than_twice_one():
    """Composing before converting."""
    empty = Ledger(Fraction(10), HALF)
    one = empty.spend(Spending("a", HALF))
    two = one.spend(Spending("b", HALF))
    A = Float64()
    assert float(two.epsilon_upper(A, MILLIONTH)) < 2 * float(one.epsilon_upper(A, MILLIONTH))


@pytest.mark.parametrize(
    ("release", "message"),
    [
        (Spending("words", Fraction(2)), "expected rho <= 1 in all, got rho=2 after 'words'"),
        (Spending("words", HALF, Fraction(1, 2)), "expected delta <= 0.01 in all, got delta=0.5 after 'words'"),
    ],
)
def test_an_overdrawn_budget_is_refused_in_one_line(release, message):
    """What, value, allowed, remedy."""
    with pytest.raises(BudgetError, match=message):
        Ledger(Fraction(1), Fraction(1, 100)).spend(release)


def test_epsilon_needs_more_delta_than_was_spent():
    """The spent failure probability is a floor."""
    ledger = Ledger(Fraction(1), HALF).spend(Spending("counts", HALF, Fraction(1, 100)))
    with pytest.raises(ValueError, match="delta already spent"):
        ledger.epsilon_upper(Float64(), Fraction(1, 100))


@pytest.mark.parametrize(("rho", "delta", "name"), [(-1, 0, "rho"), (1, 1, "delta")])
def test_a_release_has_a_price_that_is_one(rho, delta, name):
    """Rho >= 0 and 0 <= delta < 1."""
    with pytest.raises(ValueError, match=f"got {name}="):
        Spending("x", rho, delta)


@pytest.mark.parametrize(("rho", "delta", "name"), [(-1, 0, "rho"), (1, 2, "delta")])
def test_a_ledger_has_a_budget_that_is_one(rho, delta, name):
    """No stream fits into less than nothing."""
    with pytest.raises(ValueError, match=f"got {name}=.* as a budget"):
        Ledger(rho, delta)


def test_a_ledger_reads_exact_decimals():
    """Strings mean what they say."""
    ledger = Ledger("0.5", "1e-6").spend(Spending("a", "0.1", "1e-9")).spend(Spending("b", "0.2"))
    assert (ledger.rho, ledger.delta) == (Fraction(3, 10), Fraction(1, 10**9))
    at = Fraction(1, 10**6)
    assert ledger.epsilon_upper(Float64(), "1e-6") == ledger.epsilon_upper(Float64(), at)


def test_an_overdrawn_ledger_cannot_be_made():
    """The budget holds however the ledger came to be."""
    with pytest.raises(BudgetError, match="got rho=2 after 'b'"):
        Ledger(1, 0, (Spending("a", 1), Spending("b", 1)))
