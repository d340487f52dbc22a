"""Planted faults of the Gaussian sparse histogram mechanism: their stated delta, and their code showing it."""

import math

import numpy as np
import pytest
from scipy import stats

from mechanisms.gaussian_sparse_histogram import accountant
from mechanisms.gaussian_sparse_histogram.faults import accountant as accountant_faults
from mechanisms.gaussian_sparse_histogram.faults import noise, output, rounding, threshold
from mechanisms.mechanism import Fault
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.neighbours import Direction
from tests.mechanisms.variants import shows_its_delta

PARTS = (noise, threshold, output, rounding, accountant_faults)
ALL = {fault.id: fault for part in PARTS for fault in part.FAULTS}
FAULTS = {stem: fault for stem, fault in ALL.items() if isinstance(fault, Fault)}
N = 200_000


@pytest.mark.parametrize("stem", FAULTS)
def test_profiles_of_faults_are_profiles(stem):
    """A fault's profile falls with epsilon, stays in [max(0, 1 - e^epsilon), 1] and reflects between the directions."""
    profile = FAULTS[stem].pair.profile
    grid = [-1.5, -0.5, 0.0, 0.5, 1.5] if stem != "half_precision_noise" else [-0.5, 0.5]
    forward, backward = ([float(profile(Float64(), np.float64(e), d)) for e in grid] for d in Direction)
    for values in (forward, backward):
        assert np.all(np.diff(values) <= 1e-12)
        assert all(max(0.0, -math.expm1(e)) - 1e-9 <= v <= 1 for e, v in zip(grid, values, strict=True))
    for epsilon, f, b in zip(grid, forward, reversed(backward), strict=True):
        assert f == pytest.approx(-math.expm1(epsilon) + math.exp(epsilon) * b, abs=1e-9)


def _column(keys, values, name):
    return values[:, keys.index(name)] if name in keys else np.full(len(values), np.nan)


def _any(keys, values, fault):
    del keys, fault
    return np.any(~np.isnan(values), axis=1)


def _first_at_least(shift):
    def event(keys, values, fault):
        return _column(keys, values, "k0") >= fault.pair.left["k0"] + shift

    return event


def _separate(keys, values, fault):
    del fault
    log_ratio = stats.norm.logcdf(0.0) - stats.norm.logcdf(-1.0)
    return _column(keys, values, "k0") >= 5.5 + 1 - log_ratio


def _covariance(keys, values, fault):
    n = fault.pair.left["k0"]
    return (_column(keys, values, "count/k0") - n + 0.5) / 4 + 16 * (_column(keys, values, "value/k0") - n + 0.5) > 4


def _scales(keys, values, fault):
    new = np.any([~np.isnan(_column(keys, values, f"k{i}")) for i in range(3)], axis=0)
    shifted = 1 - 3 * stats.norm.logcdf(30 / 8)
    cut = math.sqrt(2 * (shifted + math.log(2)) / (1 / 16 - 1 / 64))
    return new | (np.abs(_column(keys, values, "k3") - fault.pair.left["k3"]) >= cut)


def _scaled(keys, values, fault):
    del fault
    y = _column(keys, values, "k0")
    return stats.norm.logpdf(y, 6, 12 / 7) - stats.norm.logpdf(y, 5, 10 / 7) > 1


def _fine_bits(keys, values, fault):
    column = _column(keys, values, "k0")
    released = ~np.isnan(column)
    x = np.where(released, column, 0.0) - fault.pair.left["k0"]
    here, partner = x.astype(np.float16), (x + 1).astype(np.float16)
    mass, other = (np.spacing(np.abs(v)).astype(float) * stats.norm.pdf(v.astype(float)) for v in (here, partner))
    return released & (here == x) & ((partner != x + 1) | (mass > math.e * other))


def _off_the_coarse_grid(keys, values, fault):
    del fault
    y = _column(keys, values, "k0")
    mass, other = (stats.norm.cdf(y + g, m, 2) - stats.norm.cdf(y - g, m, 2) for g, m in ((1, 127), (2, 128)))
    return (y % 4 == 2) | ((y % 4 == 0) & (mass > math.e * other))


def _not_as_in_right(keys, values, fault):
    return _column(keys, values, "k0") != fault.build(**fault.parameters).release(fault.pair.right, None)["k0"]


# The event on which the fault shows, and whether the other side can never produce it.
EVENTS = {
    "aggregates_not_thresholded": (lambda k, v, f: ~np.isnan(_column(k, v, "value/k0")), True),
    "bounded_noise": (_first_at_least(3.0 + 2**-9), True),
    "covariance_for_its_root": (_covariance, False),
    "data_dependent_c_u": (_scales, False),
    "data_dependent_threshold": (_any, True),
    "exact_count_released": (lambda k, v, f: _column(k, v, "k0") == f.pair.left["k0"], True),
    "grid_follows_count": (_off_the_coarse_grid, False),
    "half_noise": (_first_at_least(0.5), False),
    "half_precision_noise": (_fine_bits, False),
    "keys_by_true_count": (lambda k, v, f: np.full(len(v), k[0] == "k0"), True),
    "laplace_noise": (_any, True),
    "noise_reused_across_rows": (lambda k, v, f: _column(k, v, "k0") == _column(k, v, "k1"), True),
    "noise_scaled_by_count": (_scaled, False),
    "noise_seeded_by_key": (_not_as_in_right, True),
    "non_integer_tau": (_any, True),
    "one_sided_noise": (lambda k, v, f: _column(k, v, "k0") < f.pair.left["k0"], True),
    "rounded_noise": (lambda k, v, f: _column(k, v, "k0") % 4 == f.pair.left["k0"] % 4, True),
    "second_chance": (_any, True),
    "separate_decision_noise": (_separate, False),
    "suppressed_count_published": (
        lambda k, v, f: (~np.isnan(_column(k, v, "k0"))) + _column(k, v, "suppressed") == 1,
        True,
    ),
    "tau_star_off_by_one": (_any, True),
    "tau_zero": (_any, True),
    "threshold_on_true_count": (_any, True),
}


@pytest.mark.slow
@pytest.mark.parametrize("stem", FAULTS)
def test_the_code_of_a_fault_shows_its_exact_delta(stem):
    """On its best event."""
    event, impossible = EVENTS[stem]
    shows_its_delta(FAULTS[stem], event, impossible=impossible)


def test_printed_errata_are_reproduced():
    """Erratum E1's numbers: tau = 0 understates by 42.6, tau = 3/2 by 5.8 (sigma = 1, epsilon = 5, C_u = 1)."""
    true = accountant.delta(5.0, c_u=1, sigma=1.0, gap=3.0)
    assert true == pytest.approx(1.34990e-3, rel=1e-5)
    assert accountant.delta(5.0, c_u=1, sigma=1.0, gap=4.0) == pytest.approx(3.1671e-5, rel=1e-4)
    assert accountant.delta(5.0, c_u=1, sigma=1.0, gap=3.5) == pytest.approx(2.3263e-4, rel=1e-4)
    build = FAULTS["tau_zero"].build
    for tau, gap, count in ((0, 4, 1), ("3/2", "7/2", 2)):
        _keys, values = build(c_u=1, sigma=1, gap=gap, tau=tau).release_many({"a": count}, N, np.random.default_rng(2))
        assert stats.binomtest(int(np.sum(~np.isnan(values))), N, true).pvalue > 1e-10
