"""Releases as arrays: nothing of an output is lost, order of keys and exceptions included."""

import math
from collections import Counter

import numpy as np
import pytest

from auditor.statistics.sample import Sample, concatenate, released_keys, sample_of_outputs

NAN = math.nan


def test_patterns_of_release_are_categories_in_the_order_of_emission() -> None:
    """Without shapes the category is the list of released keys as the mechanism orders them."""
    sample = Sample(("b", "a"), np.array([[1.0, 2.0], [NAN, 2.0], [NAN, NAN]]))
    names, index = sample.categories()
    assert [names[i] for i in index] == ['{"b":#,"a":#}', '{"a":#}', "{}"]


def test_json_outputs_and_exceptions_become_categories_and_columns() -> None:
    """Dictionaries of numbers give columns; lists, strings and errors are told apart by their text."""
    sample = sample_of_outputs([{"a": 1.5}, ["x", 2], ValueError("no"), {"b": 2, "a": 3}])
    names, index = sample.categories()
    assert [names[i] for i in index] == ['{"a":#}', '["x",2]', "raised ValueError: no", '{"b":#,"a":#}']
    np.testing.assert_array_equal(sample.column("a"), [1.5, NAN, NAN, 3.0])
    np.testing.assert_array_equal(sample.column("absent"), [NAN] * 4)


def test_concatenation_keeps_columns_apart_and_order_visible() -> None:
    """Samples with other columns or another order of emission are joined without mixing either up."""
    joined = concatenate([Sample(("a", "b"), np.array([[1.0, 2.0]])), Sample(("b", "a"), np.array([[3.0, 4.0]]))])
    names, index = joined.categories()
    np.testing.assert_array_equal(joined.values, [[1.0, 2.0], [4.0, 3.0]])
    assert names[index[0]] != names[index[1]]


def test_more_than_62_columns_have_one_category_for_each_order() -> None:
    """Patterns of many columns are no categories; the order of the columns still is."""
    keys = tuple(f"k{i}" for i in range(70))
    names, index = Sample(keys, np.ones((3, 70))).categories()
    assert len(names) == 1
    assert index.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("values", "shapes", "index", "message"),
    [
        (np.zeros((2, 2)), None, None, r"shape \(n, 1\)"),
        (np.zeros((2, 1)), ("a",), None, "together or neither"),
        (np.zeros((2, 1)), ("a",), np.zeros(3, dtype=np.int64), "shape_index of shape"),
    ],
)
def test_arrays_that_disagree_are_refused(values, shapes, index, message: str) -> None:
    """Shapes that do not fit are named."""
    with pytest.raises(ValueError, match=message):
        Sample(("a",), values, shapes, index)


def test_nothing_cannot_be_concatenated() -> None:
    """An empty list of samples has no columns."""
    with pytest.raises(ValueError, match="at least one sample"):
        concatenate([])


@pytest.mark.parametrize("columns", [0, 1, 3, 8, 9, 16, 17, 40, 62, 63, 70])
def test_forms_are_the_categories_with_their_numbers(columns: int) -> None:
    """However wide the patterns are, and whether they are counted in a table or sorted."""
    rng = np.random.default_rng(columns)
    values = np.where(rng.random((500, columns)) < 0.05, np.nan, rng.standard_normal((500, columns)))
    sample = Sample(tuple(f"k{i}" for i in range(columns)), values)
    names, counts = sample.forms
    same_names, index = sample.categories()
    assert names == same_names
    assert counts.tolist() == np.bincount(index, minlength=len(names)).tolist()
    assert len(set(names)) == len(names)
    outputs = [released_keys([k for k, v in zip(sample.keys, row, strict=True) if not math.isnan(v)]) for row in values]
    assert dict(zip(names, counts.tolist(), strict=True)) == Counter(outputs)


def test_forms_of_outputs_are_counted_too() -> None:
    """Shapes that came with the outputs."""
    names, counts = sample_of_outputs([{"a": 1.0}, [1], {"a": 2.0}, ValueError("no")]).forms
    assert dict(zip(names, counts.tolist(), strict=True)) == {'{"a":#}': 2, "[1]": 1, "raised ValueError: no": 1}


def test_the_form_of_a_release_does_not_depend_on_what_was_not_released() -> None:
    """Columns that a release lacks, however many, are no part of it: else a right mechanism leaks its input's keys."""
    narrow = Sample(("k0", "k1"), np.array([[1.0, np.nan], [np.nan, np.nan]]))
    for width in (62, 63, 64, 65, 200):
        keys = tuple(f"k{i}" for i in range(width))
        values = np.full((2, width), np.nan)
        values[0, 0] = 1.0
        wide = Sample(keys, values)
        assert sorted(wide.forms[0]) == sorted(narrow.forms[0]) == ['{"k0":#}', "{}"]
        names, index = wide.categories()
        assert [names[place] for place in index] == ['{"k0":#}', "{}"]
