"""The exact accountant of the discrete correlated stability histogram."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.discrete_correlated import accountant
from mechanisms.integer_sparse_histogram import accountant as integer
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.lebeda2025.discrete import release_probability
from proofs_numeric.lebeda2025.theorem_21.enumeration import exact_delta_by_enumeration, theorem_21
from proofs_numeric.lebeda2025.theorem_21.exact_profile import exact_profile, pair_sticks


@pytest.mark.parametrize(("k", "l", "j", "gap"), [(2, 1, 1, "2"), (3, 1, 1, "7/2"), (2, 0, 1, "4"), (3, 2, 0, "3")])
def test_sums_with_the_shared_noise_summed_out_are_the_enumeration_given_it(k, l, j, gap):
    """Another formula of the same masses: the matrices over (Z, sum), sigma = 1, both orders."""
    with Ball(64) as A:
        result = pair_sticks(
            A, epsilon=A.number("3/10"), k=k, sigma=A.number(1), twice=math.floor(2 * Fraction(gap)), l=l, j=j
        )
        for stick, way in zip(result, ("forward", "reverse"), strict=True):
            at = {"epsilon": Fraction(3, 10), "k": k, "sigma": Fraction(1), "gap": Fraction(gap), "l": l, "j": j}
            assert stick.overlaps(exact_delta_by_enumeration(**at, direction=way))
            assert stick.rel_accuracy_bits() > 30


def test_doubles_are_the_certified_number():
    """Both where shared counters decide and where new ones do."""
    for epsilon, gap in ((Fraction(1, 2), 6), (Fraction(4), 3)):
        with Ball(80) as A:
            exact = exact_profile(A, epsilon=A.number(epsilon), k=2, sigma=A.number(1), gap=A.number(gap))
        value = accountant.delta(float(epsilon), k=2, sigma=1.0, gap=gap)
        assert value == pytest.approx(float(exact.mid()), rel=1e-12)


@pytest.mark.slow
def test_the_least_threshold_is_on_the_grid_and_below_the_papers():
    """At k = 4, sigma = 4 Theorem 21 needs more at the same epsilon and delta; half a count less is too little."""
    delta = accountant.delta(1.0, k=4, sigma=4.0, gap=100)  # what the shared counters leave
    gap = accountant.gap(1.0, delta * 1.01, k=4, sigma=4.0)
    assert 2 * gap % 1 == 0
    assert accountant.delta(1.0, k=4, sigma=4.0, gap=gap) <= delta * 1.01
    assert accountant.delta(1.0, k=4, sigma=4.0, gap=gap - Fraction(1, 2)) > delta * 1.01
    at = {"epsilon": np.float64(1), "k": 4, "sigma": np.float64(4), "gap": np.float64(float(gap))}
    assert float(theorem_21(Float64(), **at)) > delta * 1.5


@pytest.mark.slow
@pytest.mark.parametrize("sums", [None, (8.0, 1)])
def test_the_least_noise_and_threshold_keep_the_promise_and_no_less_does(sums):
    """Two counters at (2, 1e-3); independent integer noise of a released count's deviation and threshold is more."""
    sigma, gap = accountant.least(2.0, 1e-3, k=2, sums=sums)

    def kept(sigma, gap):
        at = {"k": 2, "sigma": float(sigma), "gap": gap}
        if sums is None:
            return accountant.delta(2.0, **at) <= 1e-3
        return accountant.delta_with_sums(2.0, **at, sigma_s=sums[0], per_sum=sums[1]) <= 1e-3

    assert kept(sigma, gap)
    assert not kept(sigma, gap - Fraction(1, 2))
    assert not kept(sigma - Fraction(1, 100), 100)
    independent, threshold = integer.least(2.0, 1e-3, c_u=2, sums=sums)
    assert sigma * math.sqrt(1 + 2**-0.5) < independent
    assert 1 + gap < threshold - 1


@pytest.mark.slow
def test_three_counters_with_sums_as_quoted():
    """The numbers of docs/how-to/one-release.md: sigma = 4.16 and a gap of 23.5 at (1, 1e-5), and no less of either."""
    at = {"k": 3, "sigma_s": 20.0, "per_sum": 1}
    assert accountant.delta_with_sums(1.0, sigma=4.16, gap=23.5, **at) <= 1e-5
    assert accountant.delta_with_sums(1.0, sigma=4.16, gap=23, **at) > 1e-5
    assert accountant.delta_with_sums(1.0, sigma=4.15, gap=80, **at) > 1e-5


def test_sums_beside_one_counter_are_a_second_shared_counter_of_independent_noise():
    """K = 1 from the definition: (Z + Z_1)/2 against its shift by one, times a sum against its shift by three."""
    x = np.arange(-90, 91)
    own, shared = (np.exp(-(x**2) / 8.0) for _law in range(2))
    count = np.convolve(own, shared) / (own.sum() * shared.sum())
    column = np.exp(-(x**2) / (2 * 3.0**2)) / np.exp(-(x**2) / (2 * 3.0**2)).sum()
    here = np.outer(np.pad(count, (2, 0)), np.pad(column, (3, 0)))
    there = np.outer(np.pad(count, (0, 2)), np.pad(column, (0, 3)))
    released = 1 - count[: 2 * 10 + 181].sum()  # centred at 180: Z + Z_1 <= 2 tau
    plain = max(np.maximum(here - math.e * there, 0).sum(), released)
    value = accountant.delta_with_sums(1.0, k=1, sigma=1.0, gap=10, sigma_s=3.0, per_sum=3)
    assert value == pytest.approx(plain, rel=1e-11)


@pytest.mark.slow
def test_the_accountant_of_sums_is_the_certified_number():
    """Doubles against balls where a mixed pair is among those searched."""
    with Ball(80) as A:
        exact = exact_profile(
            A, epsilon=A.number(1), k=2, sigma=A.number(1), gap=A.number(6), sigma_s=A.number(4), per_sum=2
        )
    value = accountant.delta_with_sums(1.0, k=2, sigma=1.0, gap=6, sigma_s=4.0, per_sum=2)
    assert value == pytest.approx(float(exact.mid()), rel=1e-11)
    assert value > accountant.delta(1.0, k=2, sigma=1.0, gap=6)


@pytest.mark.parametrize("epsilon", [1000, 10**300])
def test_an_epsilon_whose_exponential_is_no_double_has_the_certified_number(epsilon):
    """What new counters tell: no epsilon buys it away."""
    with Ball(128) as A:
        exact = release_probability(A, k=2, sigma=A.number("1/2"), gap=A.number(3))
    value = accountant.delta(float(epsilon), k=2, sigma=0.5, gap=3.0)
    assert value == pytest.approx(float(exact.mid()), rel=1e-11, abs=0)


@pytest.mark.parametrize("sigma", [1e-300, 1e-160, 1e-5])
def test_noise_that_is_none_in_doubles_tells_everything(sigma):
    """A counter more loses 1/(2 sigma^2), beside which epsilon = 1 is nothing; the sums' noise alike."""
    assert accountant.delta(1.0, k=2, sigma=sigma, gap=3.0) == 1
    assert accountant.delta_with_sums(1.0, k=2, sigma=0.5, gap=3.0, sigma_s=sigma, per_sum=1) == 1
