"""Draws of one over the number of released counters."""

import math

import numpy as np
import pytest
from scipy import special

from mechanisms.correlated_stability_histogram import mechanism
from proofs_numeric.arithmetic import Float64
from proofs_numeric.lebeda2025.figure_3 import LEAST, expected_released, one_over_released

DRAWS = 10_000


@pytest.mark.parametrize("k", [1, 2, 10])
def test_draws_agree_with_releases_where_delta_is_large(k):
    """At a low threshold plain releases of the mechanism find the same probability that some counter comes out."""
    at = {"k": k, "sigma": 2.0, "gap": 2.0}
    draws = one_over_released(DRAWS, np.random.default_rng(5), **at)
    estimate = float(expected_released(Float64(), **at)) * float(draws.mean())
    built = mechanism.build(k=k, sigma=2, gap=2)
    n = 100_000
    _keys, values = built.release_many({f"k{i}": 1 for i in range(k)}, n, np.random.default_rng(6))
    released = float(np.mean(np.any(~np.isnan(values), axis=1)))
    assert abs(estimate - released) < 7 * math.sqrt(0.25 / n) + 7 * math.sqrt(0.25 / DRAWS)


@pytest.mark.parametrize(("k", "sigma", "gap"), LEAST)
def test_new_counters_without_shared_noise_are_not_mistaken(k, sigma, gap):
    """The delta of k independent counters at the same gap, one less Phi(tau/sigma)^k, is far from what is drawn."""
    at = {"k": k, "sigma": float(sigma), "gap": float(gap)}
    draws = one_over_released(DRAWS, np.random.default_rng(4), **at)
    estimate = float(expected_released(Float64(), **at)) * float(draws.mean())
    assert -math.expm1(k * special.log_ndtr(at["gap"] / at["sigma"])) < 0.98 * estimate
