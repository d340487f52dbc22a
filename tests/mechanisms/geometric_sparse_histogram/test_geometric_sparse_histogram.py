"""The geometric sparse histogram: its samplers, its laws against the claim, and its accountant."""

import math
from fractions import Fraction

import numpy as np
import pytest

from mechanisms.geometric_sparse_histogram import accountant
from mechanisms.geometric_sparse_histogram.mechanism import MECHANISM, build
from mechanisms.unknown_domain.histogram.accountant import laplace_delta
from proofs_numeric.arithmetic import Ball
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.thresholds.laplace import laplace_integer_profile


def exact(A, **point):
    """The claim's value at exact parameters."""
    reals = {name: A.number(Fraction(point.pop(name))) for name in ("epsilon", "scale")}
    return laplace_integer_profile(A, **reals, **point)


@pytest.mark.parametrize(("scale", "n"), [("3/2", 4000), ("2/5", 4000)])
def test_one_release_and_many_are_drawn_from_the_two_sided_geometric_law(scale, n):
    """Both samplers against the exact masses of one key: chi-square, 1e-9."""
    mechanism, rng, b = build(scale=scale, threshold=3), np.random.default_rng(8), float(Fraction(scale))
    one = [mechanism.release({"a": 3}, rng).get("a", 0.0) for _release in range(n)]
    many = np.nan_to_num(mechanism.release_many({"a": 3}, n, rng)[1][:, 0])
    weights = {x: math.exp(-abs(x - 3) / b) for x in range(-200, 207)}
    total = sum(weights.values())
    expected = np.array([sum(w for x, w in weights.items() if x < 3), *(weights[x] for x in (3, 4, 5))]) / total
    expected = n * np.append(expected, 1 - expected.sum())
    for drawn in (one, many):
        observations = np.array([np.sum(np.equal(drawn, x)) for x in (0, 3, 4, 5)])
        assert (
            np.sum((np.append(observations, n - observations.sum()) - expected) ** 2 / expected) < 48
        )  # chi^2 of 4, p = 1e-9


def test_a_declared_loss_has_the_hockey_stick_of_its_profile():
    """E[(1 - e^(epsilon - L))_+] over every value of its parts, and what is infinite."""
    for pair in MECHANISM.pairs({**MECHANISM.parameters, "per_key": 2}):
        for way in Direction:
            atom, total = pair.loss(way).parts
            losses, weights = (
                atom.value + np.array(total.values),
                math.exp(atom.log_finite) * np.array(total.probabilities),
            )
            found = 1 - weights.sum() + weights @ np.maximum(0, -np.expm1(np.minimum(0.5 - losses, 1)))
            with Ball(96) as A:
                assert float(pair.profile(A, A.number(Fraction(1, 2)), way).mid()) == pytest.approx(found, abs=1e-13)


def test_fine_counts_approach_continuous_noise():
    """Users who add a hundred to one count, noise of a thousand: the real histogram's delta to a part in a hundred."""
    for epsilon in (0.0, 0.05, 0.2):
        value = accountant.delta(epsilon, scale=1000.0, threshold=5000, c_u=1, per_key=100)
        real = laplace_delta(epsilon, delta_0=1, delta_inf=100, b=1000.0, T=5000.0 - 0.5)
        assert value == pytest.approx(real, rel=0.01)


def test_the_accountant_is_the_certified_number():
    """Doubles against balls, at deltas from 1e-1 to 1e-60."""
    for point in (
        {"epsilon": "1", "scale": "2", "threshold": 9, "c_u": 2, "per_key": 2},
        {"epsilon": "3", "scale": "4", "threshold": 30, "c_u": 10, "per_key": 1},
        {"epsilon": "8", "scale": "1/2", "threshold": 80, "c_u": 3, "per_key": 1},
    ):
        with Ball(256) as A:
            value = exact(A, **point)
            assert value.rel_accuracy_bits() > 60
        at = {name: float(Fraction(x)) if isinstance(x, str) else x for name, x in point.items()}
        assert accountant.delta(**at) == pytest.approx(float(value.mid()), rel=1e-11, abs=0)


def test_the_least_noise_and_threshold_keep_the_promise_and_nothing_less_does():
    """Epsilon 1, delta 1e-5, three keys: one hundredth less noise, or one count less, is too little."""
    scale, threshold = accountant.least(1.0, 1e-5, c_u=3)
    assert accountant.delta(1.0, scale=float(scale), threshold=threshold, c_u=3) <= 1e-5
    assert accountant.delta(1.0, scale=float(scale), threshold=threshold - 1, c_u=3) > 1e-5
    assert accountant.delta(1.0, scale=float(scale) - 0.01, threshold=10**4, c_u=3) > 1e-5
