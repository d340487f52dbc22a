"""Declared privacy losses of the correlated histogram's pairs agree with their exact profiles."""

from __future__ import annotations

import math

import pytest

from mechanisms.correlated_stability_histogram.pairs import pairs
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.statements.neighbours import Direction

PARAMETERS = {"k": 6, "sigma": 2, "gap": 3}
PAIRS = {pair.id: pair for pair in pairs(PARAMETERS)}


@pytest.mark.parametrize("epsilon", [0.01, 0.3])
@pytest.mark.parametrize("direction", list(Direction))
def test_all_new_counters_have_one_finite_loss(direction, epsilon):
    """Hockey stick of N1: the infinite loss has the left's release probability; on the right the atom is -log of it."""
    loss = PAIRS["n1"].loss(direction)
    infinite = -math.expm1(loss.log_finite)
    stick = infinite + math.exp(loss.log_finite) * max(0.0, -math.expm1(epsilon - loss.tilted_mean(0.0)))
    assert stick == pytest.approx(float(PAIRS["n1"].profile(Float64(), epsilon, direction)), rel=1e-10)


@pytest.mark.parametrize("direction", list(Direction))
def test_shared_counters_have_the_loss_of_one_normal(direction):
    """Hockey stick of N2 from the loss's own distance."""
    loss, A = PAIRS["n2"].loss(direction), Float64()
    expected = float(PAIRS["n2"].profile(A, 0.7, direction))
    assert float(gaussian_profile(A, A.number(0.7), loss.mu)) == pytest.approx(expected, rel=1e-10)


def test_every_pair_has_a_profile_and_a_loss():
    """N1 to N6 can be held against tilted losses and releases, in both directions."""
    assert list(PAIRS) == ["n1", "n2", "n3", "n4", "n5", "n6"]
    for pair in PAIRS.values():
        assert pair.profile is not None
        for direction in Direction:
            assert 0 <= float(pair.profile(Float64(), 0.3, direction)) <= 1
            assert pair.loss(direction).log_finite <= 0
