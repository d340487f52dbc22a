"""The exact accountants of Algorithm 1 of rogers2024."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.gaussian_sparse_histogram import accountant as sparse_histogram
from mechanisms.unknown_domain.histogram import accountant
from mechanisms.unknown_domain.histogram import laplace as unknown_domain_laplace
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.laplace import laplace_counts_profile
from proofs_numeric.standard.laplace_composition import composed
from proofs_numeric.statements.neighbours import Direction, Neighbours


@pytest.mark.parametrize(
    ("n", "scale", "epsilon"), [(2, 2, Fraction(1, 2)), (5, 7, Fraction(1, 4)), (20, 10, Fraction(1, 2))]
)
def test_the_profile_of_many_laplace_counts_is_that_of_as_many_releases(n, scale, epsilon):
    """Counts that each move by one are as many releases (`standard.laplace.composition`); 30 digits."""
    with Ball(256) as ball:
        at = {"epsilon": ball.number(epsilon), "scale": ball.number(scale), "k": n}
        exact = laplace_counts_profile(ball, at["epsilon"], n=n, distance=1 / ball.number(scale))
        assert exact.overlaps(composed(ball, **at))
        assert exact.rel_accuracy_bits() > 100
        double = laplace_counts_profile(Float64(), np.float64(epsilon), n=n, distance=np.float64(1 / scale))
        assert float(exact.mid()) == pytest.approx(float(double), rel=1e-12)


def test_the_profile_below_zero_is_the_reflection():
    """P and Q of shifted Laplace noise are mirror images: H(-e) = 1 - e^-e + e^-e H(e), and 1 - e^-e beyond n s."""
    profile = [laplace_counts_profile(Float64(), np.float64(e), n=3, distance=np.float64(0.5)) for e in (-1, 1, -9)]
    assert profile[0] == pytest.approx(1 - math.exp(-1) + math.exp(-1) * profile[1], rel=1e-14)
    assert profile[2] == pytest.approx(1 - math.exp(-9), rel=1e-14)


def test_one_new_item_beside_one_shared_count_beats_two_of_either_kind():
    """Epsilon = 0, s = 1/b, L = s/4: (s + L)/2 against s/2 = 2 L, 5/4 in the limit of large b."""
    b = 1e4
    result = accountant.laplace_delta(0, delta_0=2, delta_inf=1, b=b, T=1 + b * math.log(2 * b))
    assert result * b == pytest.approx(5 / 8, rel=1e-3)


def test_a_law_of_new_and_shared_items_attains_the_delta_of_the_accountant():
    """T of delta = 1/20, three labels: the largest over new items beside shared ones, both orders."""
    parameters = unknown_domain_laplace.MECHANISM.parameters
    T = unknown_domain_laplace.build(**parameters).threshold
    deltas = [
        float(law.profile(Float64(), np.float64(0.1), way))
        for a in range(4)
        for way in Direction
        for high in ({f"h{i}": 500 for i in range(3 - a)},)
        for left in ({**dict.fromkeys(high, 501), **{f"n{i}": 1 for i in range(a)}},)
        for law in (unknown_domain_laplace.law(Neighbours("any", left, high), parameters),)
    ]
    assert max(deltas) == pytest.approx(accountant.laplace_delta(0.1, delta_0=3, delta_inf=1, b=2, T=T), rel=1e-12)


@pytest.mark.parametrize(("epsilon", "delta", "delta_0", "delta_inf"), [(1, 1e-6, 1, 1), (0.5, 1e-9, 20, 7)])
def test_the_least_gaussian_noise_and_threshold_meet_the_target_and_nothing_less_does(
    epsilon, delta, delta_0, delta_inf
):
    """A part in 10^9 less of either exceeds delta."""
    who = {"delta_0": delta_0, "delta_inf": delta_inf}
    sigma, T = accountant.gaussian_noise(epsilon, delta, **who)
    assert accountant.gaussian_delta(epsilon, **who, sigma=sigma, T=T) <= delta
    assert accountant.gaussian_delta(epsilon, **who, sigma=sigma, T=T * (1 - 1e-9)) > delta
    assert accountant.gaussian_delta(epsilon, **who, sigma=sigma * (1 - 1e-9), T=T) > delta


def test_algorithm_1_is_a_release_of_the_sparse_histogram():
    """The same delta, in its units."""
    at = {"delta_0": 3, "delta_inf": 2, "sigma": 9.0, "T": 41.0}
    release = accountant.release(**at)
    value = sparse_histogram.delta(0.7, c_u=release.c_u, sigma=release.sigma, gap=release.gap)
    assert value == pytest.approx(accountant.gaussian_delta(0.7, **at), rel=1e-13)


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"epsilon": -1}, "epsilon >= 0"),
        ({"delta_0": 1.5}, "integer delta_0 >= 1"),
        ({"delta_0": 51}, "delta_0 <= 50"),
        ({"delta_inf": 0}, "integer delta_inf >= 1"),
        ({"b": math.nan}, "0 < b < inf"),
        ({"T": 0}, "0 < T < inf"),
    ],
)
def test_a_parameter_out_of_range_is_refused_with_its_value(changed, wrong):
    """One line: what was expected."""
    at = {"epsilon": 1.0, "delta_0": 2, "delta_inf": 1, "b": 2.0, "T": 9.0, **changed}
    with pytest.raises(ValueError, match=wrong):
        accountant.laplace_delta(at.pop("epsilon"), **at)


def test_what_exceeds_the_doubles_below_one_is_one_and_no_more():
    """Ten labels of eleven counts each at b = T = 1: a sum that rounds to 1 + 2^-52."""
    assert accountant.laplace_delta(0.04, delta_0=10, delta_inf=11, b=1.0, T=1.0) == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("epsilon", "delta", "who"),
    [(1.0, 1e-5, {"delta_0": 10, "delta_inf": 1}), (0.0, 1e-2, {"delta_0": 2, "delta_inf": 3})],
)
def test_the_least_laplace_noise_and_threshold_meet_the_target_and_nothing_less_does(epsilon, delta, who):
    """At a millionth less noise no threshold does, at a millionth less threshold this noise does not."""
    b, T = accountant.laplace_noise(epsilon, delta, **who)
    assert accountant.laplace_delta(epsilon, b=b, T=T, **who) <= delta
    assert accountant.laplace_delta(epsilon, b=b * (1 - 1e-6), T=1e6, **who) > delta
    assert accountant.laplace_delta(epsilon, b=b, T=T * (1 - 1e-6), **who) > delta


@pytest.mark.slow
def test_ten_labels_with_laplace_noise_as_documented():
    """A part in a hundred less than Theorem 7 asks for at (1, 1e-5)."""
    b, T = accountant.laplace_noise(1.0, 1e-5, delta_0=10, delta_inf=1)
    assert (round(b, 2), round(T, 1)) == (9.9, 130.9)
