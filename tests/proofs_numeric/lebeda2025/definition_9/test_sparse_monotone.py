"""Top-k reductions keep Definition 9 on generated histograms; sketches of words are tested with their mechanism."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from proofs_numeric.lebeda2025.algorithm_3 import kept_largest, top_k
from proofs_numeric.lebeda2025.definition_9.sparse_monotone import neighbours
from proofs_numeric.lebeda2025.theorem_11 import intermediate

_SEARCH = settings(
    max_examples=300, deadline=None, derandomize=True, database=None, phases=(Phase.generate,),
    report_multiple_bugs=False,
)  # fmt: skip
"""A search that is expected to find something: the first thing found will do."""


@pytest.mark.slow
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


@st.composite
def _neighbours(draw):
    """K-sparse histograms, the larger of which has one more in some keys, new ones among them."""
    k = draw(st.integers(1, 9))
    keys = [f"k{i}" for i in range(draw(st.integers(1, k)))]
    smaller = {key: count for key in keys if (count := draw(st.integers(0, 30)))}
    changed = draw(st.sets(st.sampled_from(keys), min_size=1))
    larger = {key: smaller.get(key, 0) + (key in changed) for key in keys}
    pair = smaller, {key: count for key, count in larger.items() if count}
    return (*(pair if draw(st.booleans()) else reversed(pair)), k)


def _between(found, left, right, k):
    """Theorem 11's histogram: like one up to shared counts, like the other but for new counters of 1."""
    larger, smaller = sorted((left, right), key=lambda side: -sum(side.values()))
    new = set(larger) - set(found)
    assert set(found) == set(smaller)
    assert neighbours(found, smaller, k)
    assert {key: larger[key] for key in found} == found
    assert all(larger[key] == 1 for key in new)
    assert len(new) + len(found) <= k


@pytest.mark.slow
@settings(max_examples=300, deadline=None, derandomize=True)
@given(_neighbours())
def test_a_histogram_lies_between_any_two_neighbours(case):
    """Whichever comes first, and whether or not their supports differ."""
    left, right, k = case
    if len(left) != len(right):
        _between(intermediate(left, right), left, right, k)
    else:
        between = intermediate(left, right)
        assert set(between) == set(left) == set(right)
        assert between in (left, right)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda left, right: dict(min(left, right, key=len)),
        lambda left, right: dict(max(left, right, key=len)),
        lambda left, right: {key: max(left.get(key, 0), right.get(key, 0)) for key in {*left, *right}},
    ],
    ids=["the smaller itself", "the larger itself", "the union"],
)
def test_another_histogram_between_is_found_wrong(wrong):
    """The search above finds neighbours on which each plausible choice fails."""

    @settings(_SEARCH)
    @given(_neighbours())
    def holds(case):
        left, right, k = case
        _between(wrong(left, right), left, right, k)

    with pytest.raises(AssertionError):
        holds()
