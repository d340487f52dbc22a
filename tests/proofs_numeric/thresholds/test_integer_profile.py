"""The profile from the definition: joint outputs in ascending order stand for all joint outputs."""

import itertools

from proofs_numeric.thresholds.integer_profile import orders


def test_ascending_outputs_with_their_orders_are_all_outputs():
    """Three keys with outputs in {0, 1, 2, 3}: each of the 64 triples is an order of one ascending triple."""
    counted = {outputs: orders(outputs) for outputs in itertools.combinations_with_replacement(range(4), 3)}
    triples = [tuple(sorted(outputs)) for outputs in itertools.product(range(4), repeat=3)]
    assert counted == {outputs: triples.count(outputs) for outputs in triples}
    assert orders(()) == 1
