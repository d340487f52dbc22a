"""Sketches, merges and Top-k reductions keep Definition 9, on generated and on real frequencies."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofs_numeric.lebeda2025.sparse_monotone import kept_largest, merge, misra_gries, neighbours, top_k

_WORDS = [
    "the",
    "and",
    "to",
    "of",
    "I",
    "you",
    "my",
    "a",
    "that",
    "in",
    "is",
    "not",
    "with",
    "me",
    "thou",
    "love",
    "king",
]
_WEIGHTS = [18, 17, 13, 11, 13, 9, 8, 10, 7, 7, 6, 5, 5, 5, 4, 2, 2]
"""Rounded relative frequencies of frequent words in an English corpus."""
_STREAM = st.lists(
    st.sampled_from([word for word, weight in zip(_WORDS, _WEIGHTS, strict=True) for _ in range(weight)]),
    min_size=1,
    max_size=80,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(_STREAM, st.integers(1, 6), st.data())
def test_a_sketch_changes_like_definition_9(stream, k, data):
    """Dropping one element moves the sketch by a vector of {0,1}^d or {0,-1}^d."""
    at = data.draw(st.integers(0, len(stream) - 1))
    assert neighbours(misra_gries(stream, k), misra_gries(stream[:at] + stream[at + 1 :], k), k)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(_STREAM, _STREAM, _STREAM, st.integers(1, 6), st.data())
def test_merged_sketches_change_like_definition_9(first, second, third, k, data):
    """Flat and chained merges of three sketches keep the property."""
    at = data.draw(st.integers(0, len(first) - 1))
    shorter = first[:at] + first[at + 1 :]
    others = [misra_gries(second, k), misra_gries(third, k)]
    left, right = misra_gries(first, k), misra_gries(shorter, k)
    assert neighbours(merge([left, *others], k), merge([right, *others], k), k)
    chain = [merge([merge([side, others[0]], k), others[1]], k) for side in (left, right)]
    assert neighbours(*chain, k)


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


@pytest.mark.parametrize("k", [1, 3])
def test_a_sketch_undercounts_by_at_most_its_decrements(k):
    """Counters never exceed the truth and miss at most n/(k+1)."""
    stream = [_WORDS[i * i % 7] for i in range(100)]
    sketch = misra_gries(stream, k)
    for word in set(stream):
        assert stream.count(word) - len(stream) / (k + 1) <= sketch.get(word, 0) <= stream.count(word)
