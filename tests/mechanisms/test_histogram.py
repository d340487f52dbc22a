"""Histograms, and getting one from records with C_u fixed in advance."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mechanisms.gaussian_sparse_histogram.mechanism import build
from mechanisms.histogram import Counts, aggregate, truncate, validate

RECORDS = st.lists(st.tuples(st.sampled_from("uvwx"), st.sampled_from("abcde")), max_size=30)


@pytest.mark.parametrize(
    ("histogram", "value"),
    [
        ({"a": -1}, "-1"),
        ({"a": 1.5}, "1.5"),
        ({"a": 2.0}, "2.0"),
        ({"a": True}, "True"),
        ({"a": "3"}, "'3'"),
        ({"a": math.nan}, "nan"),
        ({"a": None}, "None"),
    ],
)
def test_a_value_that_is_no_count_is_refused(histogram, value):
    """Negative, fractional, boolean and textual counts get one line with the key and the value."""
    with pytest.raises(ValueError, match="count") as caught:
        validate(histogram)
    assert str(caught.value) == f"expected an integer count >= 0 (users) for key 'a', got {value}"


@pytest.mark.parametrize("histogram", [[1, 2], None, "ab", 3])
def test_what_is_no_mapping_is_refused(histogram):
    """A list of counts has no keys."""
    with pytest.raises(ValueError, match=f"expected a histogram, .* got {type(histogram).__name__}"):
        validate(histogram)


@pytest.mark.parametrize("key", [1, ("a",), "", None])
def test_keys_are_non_empty_strings(key):
    """A key that is not a name is refused."""
    with pytest.raises(ValueError, match="expected keys that are non-empty strings"):
        validate({key: 1})


def test_numpy_integers_and_zero_are_counts():
    """Counts may be NumPy integers, and zero."""
    validate({"a": np.int64(3), "b": 0})


def test_counts_are_the_histogram_looked_at_once():
    """The same mapping and the same releases; what becomes of the histogram afterwards does not reach them."""
    histogram = {"b": 9, "c": 0, "a": 7}
    counts, mechanism = Counts(histogram), build(c_u=1, sigma=2, gap=6)
    assert (dict(counts), counts.names, counts.largest) == (histogram, ("a", "b", "c"), 9)
    released = [mechanism.release_many(each, 5, np.random.default_rng(3)) for each in (histogram, counts)]
    assert released[0][0] == released[1][0] == counts.names
    assert np.array_equal(*(values for _keys, values in released), equal_nan=True)
    histogram["a"] = -1
    assert counts["a"] == 7
    with pytest.raises(ValueError, match="read-only"):
        counts.array[0] = 8
    with pytest.raises(ValueError, match="expected an integer count >= 0"):
        Counts(histogram)


@pytest.mark.parametrize("record", [("u",), "ua", ("u", "a", "b")])
def test_what_is_no_record_is_refused(record):
    """A record is a user and a key; a word of two letters is none."""
    with pytest.raises(ValueError, match="expected records that are pairs"):
        aggregate([record], c_u=1)


def test_repeated_records_count_once():
    """A user counts once in each group, however many records there are."""
    assert aggregate([("u", "a"), ("u", "a"), ("v", "a"), ("v", "b")], c_u=2) == {"a": 2, "b": 1}


def test_more_rows_than_c_u_are_refused_with_the_remedy():
    """A user with more than C_u rows is an error, not a larger C_u."""
    with pytest.raises(ValueError, match="expected at most c_u=1 rows") as caught:
        aggregate([("u", "a"), ("u", "b")], c_u=1)
    assert str(caught.value) == (
        "expected at most c_u=1 rows for each user, got 2 rows for user 'u'; apply mechanisms.histogram.truncate first"
    )


@pytest.mark.parametrize("c_u", [0, -1, 1.5, True])
def test_c_u_is_a_positive_integer(c_u):
    """C_u itself is checked."""
    with pytest.raises(ValueError, match="expected an integer c_u >= 1"):
        truncate([], c_u=c_u)


@pytest.mark.slow
@given(RECORDS, st.integers(1, 4))
def test_truncation_keeps_at_most_c_u_rows(records, c_u):
    """Whatever the records, the truncated ones aggregate without complaint and are a subset."""
    kept = truncate(records, c_u=c_u)
    aggregate(kept, c_u=c_u)
    assert set(kept) <= set(records)


@pytest.mark.slow
@given(RECORDS, st.integers(1, 4), st.sampled_from("uvwx"))
def test_truncation_of_one_user_ignores_the_others(records, c_u, user):
    """Removing a user removes exactly that user's rows: nobody else's choice moves."""
    others = [record for record in records if record[0] != user]
    assert truncate(others, c_u=c_u) == [record for record in truncate(records, c_u=c_u) if record[0] != user]


@pytest.mark.slow
@given(RECORDS, st.integers(1, 4), st.randoms(use_true_random=False))
def test_truncation_ignores_the_order_of_records(records, c_u, random):
    """Shuffled records are truncated alike."""
    shuffled = records[:]
    random.shuffle(shuffled)
    assert truncate(shuffled, c_u=c_u) == truncate(records, c_u=c_u)


def test_the_salt_changes_the_choice():
    """Another deployment keeps other rows."""
    records = [("u", f"k{i}") for i in range(100)]
    assert truncate(records, c_u=3, salt="x") != truncate(records, c_u=3, salt="y")
