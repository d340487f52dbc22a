"""The accountants of prior work beside the exact one: add the deltas, and f-DP."""

import math

import numpy as np
import pytest

from mechanisms.gaussian_sparse_histogram import accountant as exact
from mechanisms.gaussian_sparse_histogram import add_the_deltas_accountant as add
from mechanisms.gaussian_sparse_histogram import f_dp_accountant as f_dp
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.special import gaussian_profile, log_normal_cdf

REFERENCES = {
    "R01": ((1, 1, 2, 5, 0), 0.01303926030889071055121312, 0.006829594983114575384235013),
    "R02": ((0, 100, 100, 334.8, 0), 0.07976700875280794168829550, 0.04941406982655417618468085),
    "R03": ((0.349, 51914, 2228, 13947, 0), 2.003190490602835999855340e-5, 1.003103848512687018142232e-5),
    "R05": ((0.5, 10, 3, 10, 0.25), 0.3676897124196538895416113, 0.3634073837909987132204812),
    "R07": ((5, 1_000_000, 1000, 9000, 0.0005), 9.377209101230951377491363e-6, 9.377208988372110782113667e-6),
    "R08": ((0.3, 3, 1, -1, 0), 1.0, 0.9960064109256702249303200),
    "R10": ((20, 20, 1.2, 9, 0.3), 0.0005725820547147656309223995, 0.0005725820540765872963404137),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_reference_values_are_met(name):
    """The reference values of both bounds are met to twelve digits; a sum above one is reported as one."""
    (epsilon, c_u, sigma, gap, mu_o), sum_of_deltas, f_dp_bound = REFERENCES[name]
    parameters = {"c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": mu_o}
    assert add.delta(epsilon, **parameters) == pytest.approx(sum_of_deltas, rel=1e-12)
    assert f_dp.delta(epsilon, **parameters) == pytest.approx(f_dp_bound, rel=1e-12)


def _brute_force(epsilon, c_u, sigma, gap, mu_o):
    """Theorem 7.1 as printed, term by term, at enough digits for its cancellation."""
    A = MpReal(320)
    s, m = A.number(sigma), A.number(mu_o)
    log_p = log_normal_cdf(A, A.number(gap) / s)
    terms = []
    for equal in range(c_u + 1):
        mu = A.sqrt((c_u - equal) * (1 / s**2 + m**2))
        p = A.exp(equal * log_p)
        terms.append(1 - p + p * gaussian_profile(A, A.number(epsilon), mu))
    return float(max(terms))


@pytest.mark.slow
def test_f_dp_search_meets_brute_force():
    """The block search returns the maximum over every a_=, never below it and within 1e-12 above."""
    rng = np.random.default_rng(71)
    interior = 0
    for _case in range(60):
        c_u, sigma = int(rng.integers(1, 60)), float(rng.uniform(1, 50))
        epsilon, mu_o = float(rng.choice([0.0, rng.uniform(0, 2)])), float(rng.choice([0.0, 0.1]))
        level = exact.delta(epsilon, c_u=c_u, sigma=sigma, gap=1e3 * sigma, mu_o=mu_o)
        gap = exact.threshold(min(0.999, level * float(rng.uniform(0.5, 2))), c_u=c_u, sigma=sigma)
        truth = _brute_force(epsilon, c_u, sigma, gap, mu_o)
        value = f_dp.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
        assert truth * (1 - 1e-14) <= value <= truth * (1 + 1e-12)
        interior += value > 1.001 * exact.delta(epsilon, c_u=c_u, sigma=sigma, gap=gap, mu_o=mu_o)
    assert interior >= 10


@pytest.mark.slow
def test_the_bounds_are_ordered():
    """Exact <= f-DP <= sum of the deltas, and the sum is at most twice the exact value (Section 7, Corollary 5.4.1)."""
    rng = np.random.default_rng(7)
    for _case in range(300):
        epsilon, sigma = float(rng.uniform(0, 3)), float(10 ** rng.uniform(-1, 3))
        gap, c_u, mu_o = float(sigma * rng.uniform(-1, 8)), int(10 ** rng.uniform(0, 6)), float(rng.choice([0, 0.01]))
        parameters = {"c_u": c_u, "sigma": sigma, "gap": gap, "mu_o": mu_o}
        low, middle, high = (a.delta(epsilon, **parameters) for a in (exact, f_dp, add))
        assert low <= middle <= high * (1 + 2e-13)
        assert high <= 2 * low


def test_add_the_deltas_calibration():
    """Thresholds of the sum: the case study's value at sigma = 2396, and none at the least sigma."""
    assert add.gap(0.349, 1e-5, c_u=51914, sigma=2396.0) == pytest.approx(15148.71682197614133136743, rel=1e-12)
    assert add.gap(0.349, 1e-5, c_u=51914, sigma=2228.482632459165) == math.inf
    assert add.epsilon(exact.delta_infinite(3, 2.0, 8.0), c_u=3, sigma=2.0, gap=8.0) == math.inf
    assert add.epsilon(1.0, c_u=3, sigma=2.0, gap=-1e3) == 0.0


@pytest.mark.slow
def test_inverses_achieve_their_delta():
    """Epsilon and gap of both bounds achieve the delta asked for and lie above the exact ones."""
    for accountant in (add, f_dp):
        epsilon = accountant.epsilon(1e-3, c_u=20, sigma=10.0, gap=45.0)
        assert accountant.delta(epsilon, c_u=20, sigma=10.0, gap=45.0) <= 1e-3 * (1 + 1e-12)
        assert epsilon >= exact.epsilon(1e-3, c_u=20, sigma=10.0, gap=45.0)
        gap = accountant.gap(2.0, 1e-3, c_u=20, sigma=10.0)
        assert accountant.delta(2.0, c_u=20, sigma=10.0, gap=gap) <= 1e-3 * (1 + 1e-12)
        assert gap >= exact.gap(2.0, 1e-3, c_u=20, sigma=10.0)
    infinite = exact.delta_infinite(10**6, 1000.0, 6000.0)
    assert math.isfinite(f_dp.epsilon(infinite * (1 + 1e-12), c_u=10**6, sigma=1000.0, gap=6000.0))
    assert f_dp.gap(1.0, 1.0, c_u=20, sigma=10.0) == -math.inf
    assert f_dp.epsilon(1e-9, c_u=20, sigma=10.0, gap=45.0) == math.inf
    assert f_dp.gap(0.0, 1e-9, c_u=20, sigma=10.0) == math.inf


@pytest.mark.parametrize("accountant", [add, f_dp], ids=["add_the_deltas", "f_dp"])
def test_bad_input_gets_one_clear_line(accountant):
    """Values out of range are refused as by the exact accountant."""
    with pytest.raises(ValueError, match=r"expected epsilon >= 0 \(nats\), got epsilon=nan"):
        accountant.delta(math.nan, c_u=1, sigma=1.0, gap=3.0)
    with pytest.raises(ValueError, match=r"expected an integer c_u >= 1 \(rows\), got c_u=0"):
        accountant.epsilon(1e-5, c_u=0, sigma=1.0, gap=3.0)
    with pytest.raises(ValueError, match=r"expected 0 <= delta <= 1 \(a probability\), got delta=2"):
        accountant.gap(1.0, 2, c_u=1, sigma=1.0)


@pytest.mark.parametrize("module", [exact, f_dp, add])
def test_a_positive_delta_that_no_double_holds_is_told_as_the_least_one(module):
    """Its logarithm is below -5e5: 0 would be below the truth. Rows that no double holds are refused in one line."""
    at = {"sigma": 1e10, "gap": 1e300, "mu_o": 0.0}
    assert module.delta(1000.0, c_u=1, **at) == 5e-324
    with pytest.raises(ValueError, match="expected c_u of size at most"):
        module.delta(1000.0, c_u=10**400, **at)
    with pytest.raises(ValueError, match="expected c_u of size at most"):
        module.gap(1.0, 1e-5, c_u=10**400, sigma=1.0)
