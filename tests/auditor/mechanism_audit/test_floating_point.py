"""Pairs on which last bits are tested: those that change the data of a key of both neighbours."""

from auditor.inputs.data import Rows
from auditor.mechanism_audit.floating_point import moved
from proofs_numeric.statements.neighbours import Neighbours

NEW_KEY = Neighbours("new key", {"a": 3, "b": 1}, {"a": 3})
COUNT = Neighbours("count", {"a": 3}, {"a": 2})
VALUE = Neighbours("value", Rows([("u", "a", 1.0), ("v", "b", 1.0)]), Rows([("u", "a", 2.0), ("v", "b", 1.0)]))
NEW_ROW = Neighbours("new row", Rows([("u", "a", 1.0), ("v", "b", 1.0)]), Rows([("u", "a", 1.0)]))


def test_a_number_that_one_neighbour_lacks_has_no_last_bits_to_compare():
    """Counts and values of common keys have; without such a pair all are tested."""
    assert moved([NEW_KEY, COUNT, VALUE, NEW_ROW]) == [COUNT, VALUE]
    assert moved([NEW_KEY, NEW_ROW]) == [NEW_KEY, NEW_ROW]
