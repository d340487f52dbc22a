"""The exact accountant of the Gaussian mechanism."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.baselines import analytic_gaussian_accountant as accountant
from proofs_numeric.arithmetic import Ball, MpReal
from proofs_numeric.arithmetic.special import gaussian_profile


def _relative_error(epsilon, mu):
    """Error relative to a 500-bit ball at the exact binary inputs; None where delta is below 1e-300."""
    with Ball(500) as A:
        truth = gaussian_profile(A, A.number(Fraction(epsilon)), A.number(Fraction(mu)))
        if float(truth.mid()) < 1e-300:
            return None
        return abs(float((A.number(Fraction(accountant.delta(epsilon, mu=mu))) - truth) / truth))


@pytest.mark.slow
def test_relative_error_over_mu_and_epsilon():
    """Every regime, and both sides of every border, keeps twelve digits."""
    rng = np.random.default_rng(22)
    for _case in range(3000):
        epsilon = float(rng.choice([0.0, 10 ** rng.uniform(-12, math.log10(700))]))
        a = rng.uniform(-38, 8)
        mu = float(a + math.sqrt(a * a + 2 * epsilon)) if epsilon else float(10 ** rng.uniform(-15, 1))
        for border in (1.0, 1 + 1e-9, 1 - 1e-9):
            error = _relative_error(epsilon, mu * border)
            assert error is None or error < 1e-12, (epsilon, mu)
    for z in (0.5, 3.9999, 4.0, 30.0):
        for mu in (0.02 * max(1.0, z) * (1 - 1e-12), 0.02 * max(1.0, z)):
            assert (_relative_error(z * mu, mu) or 0) < 1e-13, (z, mu)


@pytest.mark.parametrize(("epsilon", "mu"), [(1e-9, 1e-9), (0.0, 1e-12), (0.0, 1e-17), (1e-8, 2e-9)])
def test_tiny_distances_do_not_cancel(epsilon, mu):
    """Points where Phi - e^epsilon Phi loses up to every digit keep fourteen (hostile corpus of the R code, B9)."""
    assert _relative_error(epsilon, mu) < 1e-14


@pytest.mark.parametrize(
    ("epsilon", "delta", "expected"),
    [
        (1.0, 0.2, 1.196174093241028),
        (1.0, 0.25, 1.323321612719459),
        (1.0, 0.3, 1.448791214059002),
        (1.0, 0.4, 1.702910833658340),
        (0.1, 0.2, 0.602599151451185),
    ],
)
def test_largest_mu_where_newton_diverges(epsilon, delta, expected):
    """The largest mu is found where a Newton iteration with a wrong derivative runs away (B1)."""
    assert accountant.mu(epsilon, delta) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    ("mu", "delta", "expected"),
    [(4.0, 1e-5, 24.381610883113673), (5.0, 1e-5, 33.103732335922465), (4.0, 1e-8, 29.824858035199563)],
)
def test_least_epsilon_where_newton_overshoots(mu, delta, expected):
    """The least epsilon is found where plain Newton from 0.01 returns minus infinity (B3)."""
    assert accountant.epsilon(delta, mu=mu) == pytest.approx(expected, rel=1e-13)


def test_inverses_round_towards_privacy():
    """Over sixty orders of delta the inverses achieve it, and a part in 1e9 less noise or epsilon does not."""
    for delta in (1e-300, 1e-60, 1e-12, 1e-3, 0.7):
        for epsilon in (0.0, 1e-3, 1.0, 40.0, 700.0):
            mu = accountant.mu(epsilon, delta)
            assert accountant.delta(epsilon, mu=mu) <= delta < accountant.delta(epsilon, mu=mu * (1 + 1e-9))
            back = accountant.epsilon(delta, mu=mu * 1.5)
            assert back > epsilon
            assert accountant.delta(back, mu=mu * 1.5) <= delta < accountant.delta(back * (1 - 1e-9), mu=mu * 1.5)
            assert accountant.sigma(epsilon, delta, sensitivity=3.0) == pytest.approx(3 / mu, rel=1e-14)


@pytest.mark.parametrize("epsilon", [-1e-12, -0.3, -40.0, -700.0])
@pytest.mark.parametrize("mu", [1e-12, 1e-3, 1.0, 30.0])
def test_negative_epsilon_keeps_its_digits(epsilon, mu):
    """Below zero the profile is the reflection of the one above, to twelve digits (wilkins2024 Observation 2.1)."""
    assert _relative_error(epsilon, mu) < 1e-12


def test_trivial_cases():
    """Distance 0 costs nothing; delta 0 and 1 are answered at their limits."""
    assert accountant.delta(0.0, mu=0.0) == 0.0
    assert accountant.epsilon(0.0, mu=0.0) == 0.0
    assert accountant.epsilon(0.0, mu=1.0) == math.inf
    assert accountant.mu(1.0, 0.0) == 0.0
    assert accountant.mu(1.0, 1.0) == math.inf
    assert accountant.sigma(1.0, 0.0, sensitivity=1.0) == math.inf


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: accountant.delta(math.nan, mu=1.0), "expected a real epsilon (nats), got epsilon=nan"),
        (lambda: accountant.delta(1.0, mu=math.nan), "expected mu >= 0 (no unit), got mu=nan"),
        (lambda: accountant.epsilon(1e-5, mu=math.inf), "expected 0 <= mu < infinity (no unit), got mu=inf"),
        (lambda: accountant.mu(math.nan, 1e-5), "expected 0 <= epsilon < infinity (nats), got epsilon=nan"),
        (lambda: accountant.sigma(1.0, 1e-5, sensitivity=0.0), "expected 0 < sensitivity < infinity (counts), got "),
    ],
)
def test_bad_input_gets_one_clear_line(call, message):
    """Values out of range are refused with the value and the domain."""
    with pytest.raises(ValueError, match="expected") as caught:
        call()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("epsilon", "mu"), [(1000.0, 0.1), (1.0, 1e-200), (0.0, 5e-324)])
def test_a_positive_delta_that_no_double_holds_is_told_as_the_least_one(epsilon, mu):
    """It is above the truth, as 0 is not; at a distance of 0 nothing is told."""
    assert gaussian_profile(MpReal(50), epsilon, mu) > 0
    assert accountant.delta(epsilon, mu=mu) == 5e-324
    assert accountant.delta(epsilon, mu=0.0) == accountant.delta(math.inf, mu=mu) == 0
