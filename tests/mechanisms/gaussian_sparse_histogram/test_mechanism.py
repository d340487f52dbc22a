"""Algorithm 1: its law, its conventions and what it refuses."""

import math
import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from mechanisms.gaussian_sparse_histogram.mechanism import (
    MECHANISM,
    Aggregates,
    GaussianSparseHistogram,
    build,
    grid_for,
)
from mechanisms.mechanism import Boundary, Mechanism

N = 200_000
DKW = math.sqrt(math.log(2 / 1e-10) / (2 * N))


def _rng(seed=1):
    return np.random.default_rng(seed)


def _mechanism(**changes):
    return replace(GaussianSparseHistogram(tau=3, tau_star=6.0, sigma=1.5), **changes)


@pytest.mark.parametrize("count", [3, 4, 6, 9])
def test_a_row_is_released_with_its_probability(count):
    """A row with count c >= tau comes out with probability Phi((c - tau*)/sigma)."""
    _keys, values = _mechanism().release_many({"a": count}, N, _rng())
    released = int(np.sum(~np.isnan(values)))
    assert stats.binomtest(released, N, stats.norm.cdf((count - 6) / 1.5)).pvalue > 1e-10


def test_a_row_below_tau_is_never_released():
    """Counts below tau stay out however lucky the noise."""
    _keys, values = _mechanism(sigma=1e4).release_many({"a": 2, "b": 0}, 10_000, _rng())
    assert np.all(np.isnan(values))


def test_released_values_follow_the_censored_normal():
    """Released values are N(c, sigma^2) given that they reach tau*, up to half a grid step."""
    _keys, values = _mechanism().release_many({"a": 7}, N, _rng())
    released = np.sort(values[~np.isnan(values)])
    law = stats.truncnorm((6 - 7) / 1.5, np.inf, loc=7, scale=1.5)
    ranks = np.arange(1, len(released) + 1) / len(released)
    band = math.sqrt(math.log(2 / 1e-10) / (2 * len(released))) + 2.0**-10
    assert np.max(np.abs(ranks - law.cdf(released))) < band


def test_rows_are_independent():
    """Two rows far above tau* have uncorrelated noise within a 1e-10 band."""
    _keys, values = _mechanism().release_many({"a": 100, "b": 100}, N, _rng())
    correlation = np.corrcoef(values.T)[0, 1]
    assert abs(correlation) < 6.5 / math.sqrt(N)


def test_probability_of_any_new_row_is_delta_infinite():
    """Two rows at tau: the chance that one appears is 1 - Phi(2)^2 = .044983 (wilkins2024 A.1)."""
    keys, values = _mechanism().release_many({"a": 3, "b": 3, "c": 99, "d": 99}, N, _rng())
    any_new = int(np.sum(np.any(~np.isnan(values[:, [keys.index("a"), keys.index("b")]]), axis=1)))
    assert stats.binomtest(any_new, N, 0.044982695393).pvalue > 1e-10


def test_releases_lie_on_the_declared_grid():
    """Every released value is a multiple of the grid: low bits of the sum are gone."""
    for grid in (2.0**-10, 1.0, 16.0):
        _keys, values = _mechanism(grid=grid).release_many({"a": 7, "b": 10**9}, 1000, _rng())
        released = values[~np.isnan(values)]
        assert np.array_equal(np.round(released / grid) * grid, released)
        assert len(np.unique(released % grid)) == 1


def test_the_grid_depends_on_sigma_only():
    """The default grid is a power of two between sigma/2048 and sigma/1024."""
    for sigma in (1e-3, 0.9, 1.0, 2228.0):
        grid = grid_for(sigma)
        assert sigma / 2048 < grid <= sigma / 1024
        assert math.frexp(grid)[0] == 0.5


def test_keys_come_out_by_name_whatever_the_input_order():
    """The order of keys in the output does not depend on the order or the counts of the input."""
    forwards, backwards = {"a": 100, "b": 900, "c": 500}, {"c": 1, "b": 2000, "a": 700}
    assert list(build(c_u=1, sigma=2, gap=6).release(forwards, _rng())) == ["a", "b", "c"]
    assert build(c_u=1, sigma=2, gap=6).release_many(backwards, 2, _rng())[0] == ("a", "b", "c")


def test_an_empty_histogram_releases_nothing():
    """No groups, no rows."""
    assert _mechanism().release({}, _rng()) == {}
    assert _mechanism().release_many({}, 5, _rng())[1].shape == (5, 0)


def test_mechanism_travels_to_workers():
    """The mechanism and its specification survive pickling, and it satisfies the protocol."""
    assert pickle.loads(pickle.dumps(_mechanism())) == _mechanism()  # noqa: S301  # our own bytes
    assert pickle.loads(pickle.dumps(MECHANISM)).build is build  # noqa: S301  # our own bytes
    assert isinstance(_mechanism(), Mechanism)
    assert _mechanism().releases_only_input_keys


def test_boundaries_decide_about_equality():
    """At tau, > acts as tau + 1 and the gap of the theorem shrinks by one; at tau* it holds an equal value back."""
    exclusive = _mechanism(lower_boundary=Boundary.EXCLUSIVE)
    assert exclusive.least_count == 4
    assert exclusive.gap == _mechanism().gap - 1
    assert np.all(np.isnan(exclusive.release_many({"a": 3}, 2000, _rng())[1]))
    tiny = {"tau_star": 6.0, "sigma": 5e-324, "grid": 1.0}
    assert _mechanism(**tiny).release({"a": 6}, _rng(3)) == {"a": 6.0}
    assert _mechanism(**tiny, upper_boundary=Boundary.EXCLUSIVE).release({"a": 6}, _rng(3)) == {}


@pytest.mark.parametrize(("tau", "acts_as"), [(0, 1), (-2, 1), (1.5, 2), (2.0, 2), ("3", 1), (math.nan, 1), (True, 1)])
def test_a_tau_that_breaks_the_theorem_is_refused_with_the_reason(tau, acts_as):
    """Erratum E1: tau = 0 acts as 1 and a non-integer tau as its ceiling, so the printed delta would be too small."""
    with pytest.raises(ValueError, match="expected an integer tau >= 1") as caught:
        _mechanism(tau=tau)
    assert str(caught.value) == (
        f"expected an integer tau >= 1 (users), got tau={tau}; counts are integers and only nonempty groups visited: "
        f"it would act as tau={acts_as} and the delta at gap tau_star - {tau} would be too small; pass tau={acts_as}"
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tau_star": 0.0}, "expected 0 < tau_star < infinity (users), got tau_star=0.0"),
        ({"tau_star": -3.0}, "expected 0 < tau_star < infinity (users), got tau_star=-3.0"),
        ({"tau_star": math.nan}, "expected 0 < tau_star < infinity (users), got tau_star=nan"),
        ({"tau_star": math.inf}, "expected 0 < tau_star < infinity (users), got tau_star=inf"),
        ({"sigma": 0.0}, "expected 0 < sigma < infinity (users), got sigma=0.0"),
        ({"sigma": math.nan}, "expected 0 < sigma < infinity (users), got sigma=nan"),
        ({"grid": 0.1}, "expected grid to be a power of two (users), got grid=0.1"),
        ({"grid": math.nan}, "expected grid to be a power of two (users), got grid=nan"),
    ],
)
def test_bad_parameters_get_one_clear_line(change, message):
    """Thresholds, scale and grid out of their domains are refused with value and domain."""
    with pytest.raises(ValueError, match="expected") as caught:
        _mechanism(**change)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_count_that_the_grid_cannot_hold_is_refused():
    """Doubles of that size are wider apart."""
    with pytest.raises(ValueError, match="expected"):
        _mechanism().release({"a": 2**60}, _rng())


@pytest.mark.parametrize("c_u", [0, "1/2"])
def test_build_checks_c_u(c_u):
    """The builder refuses a C_u that is no number of rows."""
    with pytest.raises(ValueError, match="expected an integer c_u >= 1"):
        build(c_u=c_u, sigma=1, gap=3)


AGGREGATES = Aggregates(("likes", "shares"), (2.0, 1.0), ((4.0, 1.0), (1.0, 2.0)))


def test_aggregates_come_with_their_count():
    """Aggregates of a row are released when its count is, under keys of their own."""
    mechanism = _mechanism(aggregates=AGGREGATES)
    keys, values = mechanism.release_many({"b": 7, "a": 2}, 5000, _rng())
    assert keys == ("count/a", "likes/a", "shares/a", "count/b", "likes/b", "shares/b")
    assert not mechanism.releases_only_input_keys
    assert np.all(np.isnan(values[:, :3]))
    assert np.array_equal(np.isnan(values[:, 3]), np.isnan(values[:, 5]))
    assert 0 < np.sum(np.isnan(values[:, 3])) < 5000


def test_aggregates_noise_has_covariance_sigma():
    """The noise of the aggregates has covariance Sigma and no correlation with the count's."""
    _keys, values = _mechanism(aggregates=AGGREGATES).release_many({"a": 100}, N, _rng())
    expected = np.array([[2.25, 0, 0], [0, 4, 1], [0, 1, 2]])
    assert np.allclose(values.mean(axis=0), [100, 200, 100], atol=6.5 * 2 / math.sqrt(N))
    assert np.allclose(np.cov(values.T), expected, atol=6.5 * 4 * math.sqrt(2 / N))


def test_mu_o_is_the_largest_mahalanobis_distance():
    """The distance of equation (5.1) is sqrt(d^T Sigma^-1 d), maximised over the differences."""
    inverse = np.linalg.inv(np.array(AGGREGATES.covariance))
    differences = [(1.0, 0.0), (2.0, 1.0), (-3.0, 1.0)]
    expected = max(float(np.sqrt(np.array(d) @ inverse @ np.array(d))) for d in differences)
    assert AGGREGATES.mu_o(differences) == pytest.approx(expected, rel=1e-12)
    assert build(c_u=1, sigma=1, gap=3, mu_o="1/4").aggregates.mu_o() == pytest.approx(0.25, rel=1e-12)


def test_tables_are_released_by_row():
    """A table of counts and aggregates is released row by row, in the order of names."""
    table = {"b": (50, (7.0, 1.0)), "a": (60, (8.0, 2.0)), "c": (1, (0.0, 0.0))}
    released = _mechanism(aggregates=AGGREGATES).release_table(table, _rng())
    assert list(released) == ["a", "b"]
    assert all(len(row) == 3 for row in released.values())
    assert abs(released["a"][1] - 8.0) < 20
    assert list(_mechanism().release_table({"a": (50, ())}, _rng())) == ["a"]


@pytest.mark.parametrize("row", [(50, (1.0,)), (50, (1.0, math.nan)), (-1, (1.0, 2.0))])
def test_bad_tables_are_refused(row):
    """Rows with too few, non-finite or miscounted aggregates are refused."""
    with pytest.raises(ValueError, match="expected"):
        _mechanism(aggregates=AGGREGATES).release_table({"a": row}, _rng())


@pytest.mark.parametrize(
    "arguments",
    [
        ((), (), ()),
        (("x",), (1.0, 2.0), ((1.0,),)),
        (("x",), (1.0,), ((0.0,),)),
        (("x", "y"), (1.0, 1.0), ((1.0, 2.0), (2.0, 1.0))),
        (("x", "y"), (1.0, 1.0), ((1.0, 0.5), (0.0, 1.0))),
        (("count",), (1.0,), ((1.0,),)),
        (("x", "x"), (1.0, 1.0), ((1.0, 0.0), (0.0, 1.0))),
        (("x/y",), (1.0,), ((1.0,),)),
    ],
)
def test_columns_that_are_none_are_refused(arguments):
    """Empty, misshapen, singular, indefinite and asymmetric Sigma, and names that others' keys might have."""
    with pytest.raises(ValueError, match="expected"):
        Aggregates(*arguments)
