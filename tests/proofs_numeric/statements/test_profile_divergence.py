"""Renyi divergences bounded from hockey sticks: never too large, nearly exact, and blind to what delta may hide."""

from fractions import Fraction

import numpy as np
import pytest

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.concentrated import hockey_stick, renyi_divergence
from proofs_numeric.statements.profile_divergence import good_profile_lower, renyi_lower

ORDERS = (1, Fraction(3, 2), 2, 4, 8)


def _levels(A, reach, steps):
    return [A.number(Fraction(reach) * Fraction(i, steps) ** 2) for i in range(steps + 1)]


@pytest.mark.parametrize("alpha", ORDERS)
def test_the_gaussian_divergence_is_nearly_found(alpha):
    """D_alpha of unit normals at distance one is alpha/2: above nine tenths of it at 24 levels, never above it."""
    with Ball(96) as A:
        levels = _levels(A, 9, 24)
        profile = [gaussian_profile(A, level, A.number(1)) for level in levels]
        found = renyi_lower(A, [A.exp(level) for level in levels], profile, profile, alpha)
        exact = A.number(alpha) / 2
        assert found < exact
        assert found > exact * 9 / 10


def _law(rng, size):
    weights = rng.integers(1, 20, size)
    return {f"y{i}": Fraction(int(w), int(weights.sum())) for i, w in enumerate(weights)}


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_never_exceeds_the_divergence_of_finite_laws(seed):
    """Random laws on four outcomes, hockey sticks and divergences exact."""
    rng = np.random.default_rng(seed)
    left, right = _law(rng, 4), _law(rng, 4)
    ratios = [Fraction(1) + Fraction(i * i, 16) for i in range(13)]
    with Ball(128) as A:
        forward, backward = (
            [A.number(Fraction(hockey_stick(p, q, r))) for r in ratios] for p, q in ((left, right), (right, left))
        )
        for alpha in ORDERS:
            found = renyi_lower(A, [A.number(r) for r in ratios], forward, backward, alpha)
            assert found <= renyi_divergence(A, left, right, alpha)


@pytest.mark.parametrize("seed", range(20))
def test_no_good_parts_are_closer_than_the_bound(seed):
    """Mix a fifth of anything into two good laws: what the mixtures show, less delta, is below the good divergence."""
    rng = np.random.default_rng(100 + seed)
    good, other, spoilt, spoilt_other = (_law(rng, 4) for _law_number in range(4))
    delta = Fraction(1, 5)
    left = {y: (1 - delta) * good[y] + delta * spoilt[y] for y in good}
    right = {y: (1 - delta) * other[y] + delta * spoilt_other[y] for y in other}
    ratios = [Fraction(1) + Fraction(i * i, 16) for i in range(13)]
    with Ball(128) as A:
        forward, backward = (
            good_profile_lower(A, [A.number(Fraction(hockey_stick(p, q, r))) for r in ratios], A.number(delta))
            for p, q in ((left, right), (right, left))
        )
        for alpha in ORDERS:
            found = renyi_lower(A, [A.number(r) for r in ratios], forward, backward, alpha)
            assert found <= renyi_divergence(A, good, other, alpha)


def test_mass_beyond_delta_on_impossible_outcomes_grows_without_bound():
    """A tenth on a new label against delta = 1/20: the bound passes any rho as the levels reach out."""
    found = []
    for reach in (2, 8, 20):
        with Ball(96) as A:
            levels = _levels(A, reach, 24)
            shown = good_profile_lower(A, [A.number(1) / 10 for _level in levels], A.number(1) / 20)
            found.append(renyi_lower(A, [A.exp(level) for level in levels], shown, [A.number(0)] * 25, 8))
            hidden = good_profile_lower(A, [A.number(1) / 10 for _level in levels], A.number(1) / 10)
            assert all(value < A.number("1e-20") for value in hidden)
    assert float(found[0].mid()) < float(found[1].mid()) < float(found[2].mid())
    assert float(found[2].lower()) > 8
