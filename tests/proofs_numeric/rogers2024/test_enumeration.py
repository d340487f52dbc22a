"""Counts that finite statements run through."""

from proofs_numeric.rogers2024.enumeration import rounds_by_digits


def test_rounds_by_digits_counts_every_round():
    """The closed count of rounds by noise terms agrees with counting."""
    for L in (1, 2, 3, 7, 8, 100, 1023):
        counted = {}
        for r in range(1, L + 1):
            counted[r.bit_count()] = counted.get(r.bit_count(), 0) + 1
        assert rounds_by_digits(L) == counted


def test_a_streams_rounds_are_counted_at_once():
    """2^49 rounds in O(log^2 L)."""
    assert sum(rounds_by_digits(2**49).values()) == 2**49
