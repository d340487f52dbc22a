"""Top-k reductions keep Definition 9 on generated histograms; sketches of words are tested with their mechanism."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.lebeda2025.sparse_monotone import kept_largest, neighbours, top_k


@settings(max_examples=300, deadline=None, derandomize=True)
@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 6)),
    st.sets(st.sampled_from("abcdefgh"), min_size=1),
    st.integers(1, 5),
)
def test_top_k_changes_like_definition_9(histogram, user, k):
    """One user with any set of keys moves the reduced histogram by one sign and at most one."""
    larger = {key: histogram.get(key, 0) + (key in user) for key in {*histogram, *user}}
    assert neighbours(top_k(histogram, k), top_k(larger, k), k)


def test_keeping_the_largest_is_not_monotonic():
    """Ties make one user swap which counters survive."""
    left, right = {"a": 5, "b": 5, "c": 5}, {"a": 4, "b": 5, "c": 5}
    assert not neighbours(kept_largest(left, 2), kept_largest(right, 2), 2)
    assert neighbours(top_k(left, 2), top_k(right, 2), 2)


def test_top_k_ignores_the_order_of_keys():
    """Subtraction has no ties to break."""
    histogram = {"a": 3, "b": 3, "c": 3, "d": 7}
    assert top_k(histogram, 2) == top_k(dict(reversed(histogram.items())), 2) == {"d": 4}
