"""The weighted Gaussian set union: its weights, its laws against the claim, and its accountant."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.weighted_set_union import accountant
from mechanisms.weighted_set_union.mechanism import MECHANISM, build
from proofs_numeric.arithmetic import Ball
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.weighted import delta_weighted


def test_a_user_spreads_the_same_length_over_any_number_of_keys():
    """One user of four keys, one of two, three of one."""
    weights = build(sigma=1, threshold=3).weights({"u/a": 1, "u/b": 1, "u/c": 1, "u/d": 1, "v/a": 1, "v/b": 1, "a": 3})
    assert weights == pytest.approx({"a": 3.5 + math.sqrt(0.5), "b": 0.5 + math.sqrt(0.5), "c": 0.5, "d": 0.5})


def test_every_law_declared_on_the_worst_pairs_is_a_term_of_the_claim():
    """The largest over the pairs and directions is the claim's value at its parameters."""
    at = {"sigma": Fraction(1), "threshold": Fraction(3), "c_u": 4}
    for threshold in (Fraction(3), Fraction(5)):
        with Ball(128) as A:
            arguments = {"epsilon": A.number(1), "sigma": A.number(1), "threshold": A.number(threshold), "c_u": 4}
            value = float(A.number(delta_weighted(A, **arguments)).mid())
            pairs = MECHANISM.pairs({**at, "threshold": threshold})
            deltas = [A.number(pair.profile(A, A.number(1), way)) for pair in pairs for way in Direction]
        assert max(float(delta.mid()) for delta in deltas) == pytest.approx(value, rel=1e-12)


def test_new_keys_are_shown_as_often_as_their_law_says():
    """A user of four keys alone, 100,000 releases: within five deviations."""
    _keys, values = build(sigma=1, threshold=1, c_u=4).release_many(
        {f"u/k{i}": 1 for i in range(4)}, 100_000, np.random.default_rng(3)
    )
    output = np.mean(~np.isnan(values).all(axis=1))
    exact = 1 - (1 - math.erfc(0.5 / math.sqrt(2)) / 2) ** 4
    assert output == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 100_000))


@pytest.mark.parametrize(("epsilon", "delta", "c_u"), [(1.0, 1e-5, 100), (0.1, 1e-9, 1), (10.0, 1e-2, 10**6)])
def test_the_least_noise_and_threshold_keep_the_promise_and_hardly_less_does(epsilon, delta, c_u):
    """A part in 1e9 less of either is too little."""
    sigma, threshold = accountant.least(epsilon, delta, c_u=c_u)
    assert accountant.delta(epsilon, sigma=sigma, threshold=threshold, c_u=c_u) <= delta
    assert accountant.delta(epsilon, sigma=sigma, threshold=threshold * (1 - 1e-9), c_u=c_u) > delta
    assert accountant.delta(epsilon, sigma=sigma * (1 - 1e-9), threshold=threshold * 2, c_u=c_u) > delta
