"""Counts that finite statements run through."""

import pytest

from proofs_numeric.arithmetic.binary import numbers_by_ones
from proofs_numeric.rogers2024.theorem_7 import statement
from proofs_numeric.rogers2024.theorem_8.proof import parts_are_within


def test_rounds_by_digits_counts_every_round():
    """The closed count of rounds by noise terms agrees with counting."""
    for L in (1, 2, 3, 7, 8, 100, 1023):
        counted = {}
        for r in range(1, L + 1):
            counted[r.bit_count()] = counted.get(r.bit_count(), 0) + 1
        assert numbers_by_ones(L) == counted


def test_a_streams_rounds_are_counted_at_once():
    """2^49 rounds in O(log^2 L)."""
    assert sum(numbers_by_ones(2**49).values()) == 2**49


def test_small_tops_that_break_theorem_8_are_seen():
    """An own item two above the next count, vectors twice as far apart, edges that nothing moved by so much leaves."""
    assert parts_are_within(1, 1, 1, 1, ((-1,), (0,)))
    assert not parts_are_within(1, 1, 1, 1, ((-2,), (0,)))
    assert not parts_are_within(1, 1, 1, 4, ((-1,), (0,)))


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_a_pair_is_concentrated_at_its_own_threshold_and_distance_alone(noise, monkeypatch):
    """A threshold of twice the delta shows new items too often; counts twice as far are further than rho allows."""
    holds = getattr(statement, f"{noise}_is_concentrated")
    new, moved = ((("a", 1),), (), 1, 1), ((("a", 2),), (("a", 1),), 1, 1)
    assert holds(new)
    assert holds(moved)
    assert not holds(((("a", 3),), (("a", 1),), 1, 1))
    threshold = getattr(statement, f"{noise}_threshold")
    monkeypatch.setattr(statement, f"{noise}_threshold", lambda A, *, delta, **at: threshold(A, delta=2 * delta, **at))
    assert not holds(new)
    assert holds(moved)
