"""The exact accountant of the Gaussian sparse histogram mechanism."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.gaussian_sparse_histogram import accountant
from proofs_numeric.arithmetic import Ball
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact

REFERENCES = {
    "R01": ((1, 1, 2, 5, 0), 0.006829594983114575384235013, 0.006209665325776135166978105),
    "R02": ((0, 100, 100, 334.8, 0), 0.03988939707606301849565256, 0.03988939707606301849565256),
    "R03": ((0.349, 51914, 2228, 13947, 0), 1.003103848512687018142232e-5, 1.000086642090148981713108e-5),
    "R05": ((0.5, 10, 3, 10, 0.25), 0.3634073837909987132204812, 0.004282328628655176321130012),
    "R07": ((5, 1_000_000, 1000, 9000, 0.0005), 9.377208988372110782113667e-6, 1.128588405953776962209685e-13),
    "R08": ((0.3, 3, 1, -1, 0), 0.9960064109256702249303200, 0.9960064109256702249303200),
    "R10": ((20, 20, 1.2, 9, 0.3), 0.0005725820540765872963404137, 6.381783345819857915497609e-13),
}
"""(epsilon, c_u, sigma, gap, mu_o), delta, and delta at infinity."""


def _truth(epsilon, c_u, sigma, gap, mu_o):
    """Theorem 5.4 at the exact binary values of the floats, as a ball of 400 bits."""
    exact = {"epsilon": epsilon, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    with Ball(400) as A:
        return delta_exact(A, c_u=c_u, **{name: A.number(Fraction(value)) for name, value in exact.items()})


def _relative_error(value, truth):
    with Ball(400) as A:
        return abs(float((A.number(Fraction(value)) - truth) / truth))


@pytest.mark.parametrize("name", REFERENCES)
def test_reference_values_are_met(name):
    """To twelve digits; the first term keeps them where 1 - Phi^C_u in doubles loses up to all of them."""
    (epsilon, c_u, sigma, gap, mu_o), expected, infinite = REFERENCES[name]
    assert accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o) == pytest.approx(expected, rel=1e-12)
    assert accountant.delta_infinite(c_u, sigma, gap) == pytest.approx(infinite, rel=1e-12)


@pytest.mark.slow
def test_relative_error_is_below_1e_12_down_to_1e_300():
    """Over epsilon to 700, C_u to 1e9, twelve decades of sigma, delta to 1e-300 the error is below 1e-12."""
    rng = np.random.default_rng(54)
    checked = 0
    for _case in range(4000):
        epsilon = float(rng.choice([0.0, 10 ** rng.uniform(-6, math.log10(700))]))
        c_u = int(10 ** rng.uniform(0, 9))
        # Aim at a Gaussian exponent between -38 and 6: a plain product of ranges meets 0 or 1 nearly always.
        a = rng.uniform(-38, 6)
        mu = a + math.sqrt(a * a + 2 * epsilon) if epsilon else 10 ** rng.uniform(-12, 1)
        mu_o = float(rng.choice([0.0, 0.6])) * mu / math.sqrt(c_u)
        sigma = float(math.sqrt(c_u) / (mu * (0.8 if mu_o else 1.0)))
        if not 1e-6 <= sigma <= 1e6:
            continue
        gap = float(sigma * rng.uniform(-3, 45))
        truth = _truth(epsilon, c_u, sigma, gap, mu_o)
        if float(truth.mid()) < 1e-300:
            continue
        checked += 1
        value = accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
        assert _relative_error(value, truth) < 1e-12, (epsilon, c_u, sigma, gap, mu_o)
    assert checked > 2000


@pytest.mark.parametrize(
    ("epsilon", "c_u", "sigma", "gap"),
    [(700.0, 1, 0.03, 1.1), (700.0, 10**9, 1000.0, 38000.0), (0.0, 10**9, 1e6, 4.2e7), (3.0, 1, 1.0, 36.9)],
)
def test_hard_corners_keep_their_digits(epsilon, c_u, sigma, gap):
    """Corners of the domain with a delta far below the resolution of 1 - delta keep twelve digits."""
    truth = _truth(epsilon, c_u, sigma, gap, 0.0)
    assert 0 < float(truth.mid()) < 1
    assert _relative_error(accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap), truth) < 1e-12


def test_values_that_underflow_or_saturate_are_the_least_double_or_one():
    """Beyond the doubles delta is the least positive one or 1, never 0 or NaN."""
    assert accountant.delta(700.0, c_u=1, sigma=1e6, gap=1e12) == 5e-324
    assert accountant.delta(1.0, c_u=1, sigma=1e-320, gap=1.0) == 1.0
    assert accountant.delta(1.0, c_u=10**9, sigma=1.0, gap=-1e300) == 1.0
    assert accountant.delta(math.inf, c_u=1, sigma=2.0, gap=5.0) == accountant.delta_infinite(1, 2.0, 5.0)


@pytest.mark.parametrize(
    ("delta", "c_u", "expected"),
    [
        (1e-10, 10**6, 8.2220822161244407),
        (1e-11, 51914, 8.1431098208676971),
        (1e-12, 51914, 8.4173023345847928),
        (1e-17, 1, 8.4937932241095981),
        (1e-16, 1, 8.2220822161304356),
    ],
)
def test_thresholds_where_the_naive_power_is_one(delta, c_u, expected):
    """The gap is finite and right where (1 - delta)^(1/C_u) rounds to 1: published R code is low or infinite there."""
    assert accountant.threshold(delta, c_u=c_u, sigma=1.0) == pytest.approx(expected, rel=1e-13)


def test_case_study_calibration():
    """The case study's least sigma and exact thresholds are met to twelve digits (wilkins2024 Section 6)."""
    assert accountant.sigma(0.349, 1e-5, c_u=51914) == pytest.approx(2228.482632459165605747292, rel=1e-12)
    assert accountant.gap(0.349, 1e-5, c_u=51914, sigma=2396.0) == pytest.approx(14998.69125978186181815314, rel=1e-12)
    assert accountant.gap(0.6, 1e-8, c_u=51914, sigma=2228.0) == pytest.approx(16176.71415145238520042635, rel=1e-12)
    assert accountant.gap(0.349, 1e-5, c_u=51914, sigma=2228.0) == math.inf


POINTS = list(itertools.product((0.0, 0.3, 8.0, 300.0), (1, 7, 10**9), (0.2, 3.0, 1e5), (0.0, 1e-5)))


@pytest.mark.parametrize(("epsilon", "c_u", "sigma", "mu_o"), POINTS)
def test_inverses_are_least_and_never_under_report(epsilon, c_u, sigma, mu_o):
    """Gap, epsilon and sigma achieve the delta asked for, and one part in 1e9 less does not."""
    for delta in (1e-300, 1e-12, 1e-5, 0.3):
        gap = accountant.gap(epsilon, delta, c_u=c_u, sigma=sigma, mu_o=mu_o)
        if math.isfinite(gap):
            assert accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o) <= delta
            less = gap - 1e-9 * abs(gap)
            assert accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=less, mu_o=mu_o) > delta
        else:
            assert accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=1e3 * sigma, mu_o=mu_o) > delta
        wide = accountant.threshold(delta / 2, c_u=c_u, sigma=sigma)
        value = accountant.epsilon(delta, c_u=c_u, sigma=sigma, gap=wide, mu_o=mu_o)
        assert accountant.delta(value, c_u=c_u, sigma=sigma, gap=wide, mu_o=mu_o) <= delta
        if value > 0:
            assert accountant.delta(value * (1 - 1e-9), c_u=c_u, sigma=sigma, gap=wide, mu_o=mu_o) > delta
        scale = accountant.sigma(epsilon, delta, c_u=c_u, mu_o=mu_o)
        if math.isfinite(scale):
            assert math.isfinite(accountant.gap(epsilon, delta, c_u=c_u, sigma=scale, mu_o=mu_o))
            assert accountant.gap(epsilon, delta, c_u=c_u, sigma=scale * (1 - 1e-9), mu_o=mu_o) == math.inf
        else:
            assert accountant.gap(epsilon, delta, c_u=c_u, sigma=1e12, mu_o=mu_o) == math.inf


def test_a_sigma_below_the_least_is_infeasible():
    """Below the least sigma the threshold is infinite, not NaN (hostile corpus of the R code, B10)."""
    least = accountant.sigma(0.349, 1e-5, c_u=51914)
    assert accountant.gap(0.349, 1e-5, c_u=51914, sigma=least * (1 - 1e-9)) == math.inf
    assert math.isfinite(accountant.gap(0.349, 1e-5, c_u=51914, sigma=least))


def test_epsilon_is_infinite_below_delta_infinite():
    """No epsilon reaches a delta below the probability of infinite loss: the answer is infinity, not a root."""
    floor = accountant.delta_infinite(4, 2.0, 6.0)
    assert accountant.epsilon(floor * (1 - 1e-12), c_u=4, sigma=2.0, gap=6.0) == math.inf
    assert math.isfinite(accountant.epsilon(floor, c_u=4, sigma=2.0, gap=6.0))


def test_delta_is_monotone_where_the_theorem_is():
    """Delta does not increase with epsilon or gap and does not decrease with C_u or mu_o."""
    rng = np.random.default_rng(5)
    for _case in range(500):
        epsilon, sigma, gap, mu_o = rng.uniform(0, 5), rng.uniform(0.5, 5), rng.uniform(-5, 20), rng.uniform(0, 1)
        c_u, step = int(rng.integers(1, 1000)), rng.uniform(0, 1)
        here = accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
        slack = 1 + 1e-13
        assert accountant.delta(epsilon + step, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o) <= here * slack
        assert accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap + step, mu_o=mu_o) <= here * slack
        assert accountant.delta(epsilon, c_u=c_u + 1, sigma=sigma, gap=gap, mu_o=mu_o) * slack >= here
        assert accountant.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o + step) * slack >= here


def test_more_noise_can_hurt_at_a_fixed_gap():
    """Delta is not monotone in sigma at a fixed gap (C_u = 10, gap = 10, epsilon = 1)."""
    values = [accountant.delta(1.0, c_u=10, sigma=sigma, gap=10.0) for sigma in (1, 2, 3, 4, 5, 8)]
    assert values == pytest.approx([0.8185, 0.3525, 0.1463, 0.0606, 0.2056, 0.6726], abs=5e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"epsilon": -1.0}, "expected epsilon >= 0 (nats), got epsilon=-1.0"),
        ({"epsilon": math.nan}, "expected epsilon >= 0 (nats), got epsilon=nan"),
        ({"c_u": 0}, "expected an integer c_u >= 1 (rows), got c_u=0"),
        ({"c_u": 1.5}, "expected an integer c_u >= 1 (rows), got c_u=1.5"),
        ({"c_u": math.inf}, "expected an integer c_u >= 1 (rows), got c_u=inf"),
        ({"sigma": 0.0}, "expected 0 < sigma < infinity (users), got sigma=0.0"),
        ({"sigma": math.nan}, "expected 0 < sigma < infinity (users), got sigma=nan"),
        ({"gap": math.nan}, "expected a finite gap = tau_star - tau (users), got gap=nan"),
        ({"mu_o": -0.1}, "expected 0 <= mu_o < infinity (no unit), got mu_o=-0.1"),
    ],
)
def test_bad_parameters_get_one_clear_line(change, message):
    """Every parameter out of its domain is refused with its value and what is allowed."""
    good = {"epsilon": 1.0, "c_u": 2, "sigma": 2.0, "gap": 5.0, "mu_o": 0.0}
    with pytest.raises(ValueError, match="expected") as caught:
        accountant.delta(**{**good, **change})
    assert str(caught.value) == message


@pytest.mark.parametrize("delta", [-1e-9, 1.5, math.nan])
def test_a_delta_that_is_no_probability_is_refused(delta):
    """The inverses refuse a delta outside [0, 1]."""
    with pytest.raises(ValueError, match=r"expected 0 <= delta <= 1 \(a probability\)"):
        accountant.epsilon(delta, c_u=1, sigma=1.0, gap=5.0)
    with pytest.raises(ValueError, match=r"expected 0 <= delta <= 1"):
        accountant.gap(1.0, delta, c_u=1, sigma=1.0)
    with pytest.raises(ValueError, match=r"expected 0 <= delta <= 1"):
        accountant.sigma(1.0, delta, c_u=1)


def test_trivial_deltas():
    """Delta 0 needs an infinite gap and epsilon, delta 1 needs nothing."""
    assert accountant.gap(1.0, 1.0, c_u=3, sigma=1.0) == -math.inf
    assert accountant.gap(1.0, 0.0, c_u=3, sigma=1.0) == math.inf
    assert accountant.epsilon(0.0, c_u=3, sigma=1.0, gap=5.0) == math.inf
    assert accountant.sigma(1.0, 1.0, c_u=3) == 0.0
    assert accountant.sigma(1.0, 0.0, c_u=3) == math.inf
