"""Counts that finite statements run through."""

from dataclasses import replace

import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic.binary import numbers_by_ones

KINDS = {
    name: registry().claims[f"rogers2024.{name}"].kind for name in ("thm7.gaussian.rho", "thm7.laplace.rho", "thm8.rho")
}


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
    (one,) = KINDS["thm8.rho"].holds.of(((("a", 1), ("b", 1)), (("b", 1),), 1, 1, 1))

    def within(lead, squared):
        moved = replace(one.moved, distances=frozenset({squared}), squared=squared)
        return replace(one, leads=((lead,), (0,)), moved=moved).holds()

    assert within(-1, 1)
    assert not within(-2, 1)
    assert not within(-1, 4)


@pytest.mark.parametrize("noise", ["gaussian", "laplace"])
def test_a_pair_is_concentrated_at_its_own_threshold_and_distance_alone(noise):
    """A threshold of twice the delta shows new items too often; counts twice as far are further than rho allows."""
    holds = KINDS[f"thm7.{noise}.rho"].holds
    new, moved = ((("a", 1),), (), 1, 1), ((("a", 2),), (("a", 1),), 1, 1)
    assert holds(new)
    assert holds(moved)
    assert not holds(((("a", 3),), (("a", 1),), 1, 1))
    for case, passes in ((new, False), (moved, True)):
        (one,) = holds.of(case)
        lower = lambda A, *, delta, threshold=one.threshold, **at: threshold(A, delta=2 * delta, **at)
        assert replace(one, threshold=lower).holds() is passes
