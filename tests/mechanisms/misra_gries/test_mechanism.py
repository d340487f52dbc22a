"""Sketches of real word streams keep Definition 9 and its error, and are released by their own keys."""

import bisect
import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mechanisms.data import word_counts
from mechanisms.misra_gries import mechanism as release
from proofs_numeric.lebeda2025.definition_9.misra_gries import merge, merge_keeping_largest, misra_gries, sketch_runs
from proofs_numeric.lebeda2025.definition_9.sparse_monotone import neighbours
from proofs_numeric.statements.adjacency import SparseMonotone

_WORDS = list(word_counts())
_ENDS = list(itertools.accumulate(word_counts().values()))
_STREAM = st.lists(
    st.integers(0, _ENDS[-1] - 1).map(lambda place: _WORDS[bisect.bisect_right(_ENDS, place)]), min_size=1, max_size=150
)
"""Words as often as Shakespeare has them: a place in the bag of all his words."""
_K = st.integers(1, 12)


_SEARCH = settings(
    max_examples=300, deadline=None, derandomize=True, database=None, phases=(Phase.generate,),
    report_multiple_bugs=False,
)  # fmt: skip
"""A search that is expected to find something: the first thing found will do."""


def _drop(data: st.DataObject, stream: list[str]) -> list[str]:
    at = data.draw(st.integers(0, len(stream) - 1))
    return stream[:at] + stream[at + 1 :]


@pytest.mark.slow
@settings(max_examples=300, deadline=None, derandomize=True)
@given(_STREAM, _K, st.data())
def test_a_sketch_of_words_changes_like_definition_9(stream, k, data):
    """One word less moves the sketch by a vector of {0,1}^d or {0,-1}^d, and both sketches are k-sparse."""
    assert neighbours(misra_gries(stream, k), misra_gries(_drop(data, stream), k), k)


@pytest.mark.slow
@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(_STREAM, min_size=2, max_size=4), _K, st.data())
def test_merged_sketches_of_words_change_like_definition_9(streams, k, data):
    """Flat and chained merges keep the property, whichever stream loses a word."""
    where = data.draw(st.integers(0, len(streams) - 1))
    fewer = [*streams[:where], _drop(data, streams[where]), *streams[where + 1 :]]
    sketches = [[misra_gries(stream, k) for stream in side] for side in (streams, fewer)]
    assert neighbours(*(merge(side, k) for side in sketches), k)
    chained = []
    for side in sketches:
        total = side[0]
        for sketch in side[1:]:
            total = merge([total, sketch], k)
        chained.append(total)
    assert neighbours(*chained, k)


def _newcomer_stays(stream, k):
    """The element that makes all counters fall takes a slot that this frees."""
    sketch = {}
    for element in stream:
        if element in sketch or len(sketch) < k:
            sketch[element] = sketch.get(element, 0) + 1
        else:
            sketch = {key: count - 1 for key, count in sketch.items() if count > 1}
            sketch |= {element: 1} if len(sketch) < k else {}
    return sketch


def _falls_by_two(stream, k):
    """Counters fall by two where they should fall by one."""
    sketch = {}
    for element in stream:
        if element in sketch or len(sketch) < k:
            sketch[element] = sketch.get(element, 0) + 1
        else:
            sketch = {key: count - 2 for key, count in sketch.items() if count > 2}
    return sketch


def _zeros_keep_their_slots(stream, k):
    """A counter that has fallen to zero is never given away."""
    sketch = {}
    for element in stream:
        if element in sketch or len(sketch) < k:
            sketch[element] = sketch.get(element, 0) + 1
        else:
            sketch = {key: max(0, count - 1) for key, count in sketch.items()}
    return {key: count for key, count in sketch.items() if count}


def _least_falls(stream, k):
    """Only the least counter falls."""
    sketch = {}
    for element in stream:
        if element in sketch or len(sketch) < k:
            sketch[element] = sketch.get(element, 0) + 1
        else:
            least = min(sketch, key=lambda key: (sketch[key], key))
            sketch[least] -= 1
            sketch = {key: count for key, count in sketch.items() if count}
    return sketch


def _one_counter_more(stream, k):
    """A sketch of k + 1 counters."""
    return misra_gries(stream, k + 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    "sketch",
    [_newcomer_stays, _falls_by_two, _zeros_keep_their_slots, _least_falls, _one_counter_more],
    ids=lambda sketch: sketch.__name__.strip("_"),
)
def test_a_broken_sketch_is_found_on_words(sketch):
    """The search of the first test finds a stream for each planted mistake."""

    @settings(_SEARCH, max_examples=600)
    @given(_STREAM, _K, st.data())
    def holds(stream, k, data):
        assert neighbours(sketch(stream, k), sketch(_drop(data, stream), k), k)

    with pytest.raises(AssertionError):
        holds()


def test_a_merge_that_keeps_the_largest_breaks_the_property():
    """Some random streams of real words lose Definition 9 under the wrong merge: the property is no triviality."""
    rng = np.random.Generator(np.random.PCG64(5))
    broken = 0
    for _trial in range(400):
        first, second = (
            [_WORDS[bisect.bisect_right(_ENDS, place)] for place in rng.integers(0, _ENDS[-1], 40)] for _side in (0, 1)
        )
        k, at = int(rng.integers(1, 5)), int(rng.integers(0, 40))
        other = misra_gries(second, k)
        sketches = [misra_gries(first, k), misra_gries(first[:at] + first[at + 1 :], k)]
        broken += not neighbours(*(merge_keeping_largest([sketch, other], k) for sketch in sketches), k)
    assert broken > 0


def test_the_whole_text_is_sketched_within_its_error():
    """Of all 913572 words, k = 99 counters miss at most n/(k+1), so every word more frequent than that is kept."""
    counts, k = word_counts(), 99
    rng = np.random.Generator(np.random.PCG64(6))
    text = np.repeat(np.arange(len(counts)), list(counts.values()))
    rng.shuffle(text)
    stream = [_WORDS[i] for i in text[:100_000]]
    truth, sketch = Counter(stream), misra_gries(stream, k)
    assert len(sketch) <= k
    for word, count in truth.items():
        assert count - len(stream) / (k + 1) <= sketch.get(word, 0) <= count
    assert {word for word, count in truth.items() if count > len(stream) / (k + 1)} <= set(sketch)


def test_a_sketch_is_released_by_its_own_keys():
    """Released keys of a merged sketch are keys of the streams, and a histogram is sketched in the order of names."""
    mechanism = release.build(k=2, sigma=1, gap=3)
    rng = np.random.Generator(np.random.PCG64(7))
    assert set(mechanism.release_streams([["a"] * 50 + ["b"] * 40, ["a"] * 30], rng)) == {"a", "b"}
    keys, _values = mechanism.release_many({"b": 40, "a": 50, "c": 1}, 3, rng)
    assert keys == ("a", "b")


@pytest.mark.parametrize("pair", release.MECHANISM.pairs(release.MECHANISM.parameters), ids=lambda pair: pair.id)
def test_one_element_moves_the_sketch_as_the_law_says(pair):
    """The sketches of a pair's streams are neighbours of Definition 9 that differ in the counters its profile has."""
    mechanism = release.build(**release.MECHANISM.parameters)
    streams = [[key for key in sorted(side) for _element in range(side[key])] for side in (pair.left, pair.right)]
    left, right = (mechanism.sketch(stream) for stream in streams)
    SparseMonotone(mechanism.inner.k).check(left, right)
    new, changed = pair.profile.keywords["l"], pair.profile.keywords["j"]
    assert len(set(left) - set(right)) == new
    assert sum(left[key] != right.get(key, 0) for key in right) == changed


@pytest.mark.slow
@given(st.lists(st.tuples(st.sampled_from("abcd"), st.integers(1, 6)), max_size=12), st.integers(1, 4))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_a_stream_of_runs_is_sketched_run_by_run(runs, k):
    """As element by element, by the definition."""
    counters: dict[str, int] = {}
    for element in (element for element, times in runs for _each in range(times)):
        if element in counters or len(counters) < k:
            counters[element] = counters.get(element, 0) + 1
        else:
            counters = {key: count - 1 for key, count in counters.items() if count > 1}
    assert sketch_runs(runs, k) == counters
