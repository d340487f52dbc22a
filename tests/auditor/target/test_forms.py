"""Rows become a frame, an array or a list, and an annotation names the form."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import pytest

from auditor.errors import TargetError
from auditor.target import forms
from auditor.target.target import as_target

ROWS = [("7", "home", 3.5), ("9", "cart", 60.0), ("one more user", "new", 1.0)]
LAYOUT = {
    "columns": [
        {"name": "visitor", "type": "int"}, {"name": "page", "type": "str"},
        {"name": "premium", "type": "bool"}, {"name": "minutes", "type": "float"},
    ],
    "user": 0, "value": 3,
    "cells": {"home": ["home", True], "cart": ["cart", False]},
}  # fmt: skip
INTEGERS = {"columns": [{"name": "age", "type": "int"}], "user": None, "value": 0, "cells": {}}


def test_a_frame_has_the_columns_and_types_of_the_layout():
    """An invented user is a number, and an invented key has its other cells from a key that is known."""
    frame = forms.made("pandas", ROWS, LAYOUT)
    assert frame.columns.tolist() == ["visitor", "page", "premium", "minutes"]
    assert [str(dtype) for dtype in frame.dtypes] == ["int64", "str", "bool", "float64"]
    assert frame["page"].tolist() == ["home", "cart", "new"]
    assert frame["premium"].tolist() == [True, False, True]
    assert frame["visitor"].tolist()[:2] == [7, 9]
    assert frame["visitor"].tolist()[2] >= forms.FIRST_NUMBER
    assert forms.made("records", ROWS, LAYOUT) == frame.to_dict("records")


def test_an_empty_frame_keeps_its_columns():
    """A data set of nobody is one that a target is given."""
    frame = forms.made("pandas", [], LAYOUT)
    assert frame.shape == (0, 4)
    assert forms.made("numpy", [], None).shape == (0,)


def test_numbers_keep_their_type_unless_one_is_missing():
    """Integers among which one is NaN are doubles, as in a frame that is read from a file."""
    rows = [("a", "all", 3.0), ("b", "all", 4.0)]
    assert forms.made("numbers", rows, INTEGERS) == [3, 4]
    assert forms.made("numpy", rows, INTEGERS).dtype == np.int64
    assert forms.made("pandas", rows, INTEGERS)["age"].dtype == np.int64
    missing = [*rows, ("c", "all", float("nan"))]
    assert forms.made("numpy", missing, INTEGERS).dtype == np.float64
    assert forms.made("pandas", missing, INTEGERS)["age"].isna().tolist() == [False, False, True]


def test_texts_are_no_numbers():
    """A column of names of users is left out of a list of numbers and of an array; the users move whole records."""
    columns = [{"name": "who", "type": "str"}, {"name": "age", "type": "float"}]
    layout = {"columns": columns, "user": 0, "value": 1, "cells": {}}
    rows = [("ann", "all", 0.5), ("bob", "all", 2.0)]
    assert forms.made("numbers", rows, layout) == [0.5, 2.0]
    assert forms.made("numpy", rows, layout).tolist() == [0.5, 2.0]


def test_a_frame_of_polars_is_made_and_described():
    """The types of its columns come back."""
    polars = pytest.importorskip("polars")
    frame = forms.made("polars", ROWS, LAYOUT)
    assert frame.schema == {
        "visitor": polars.Int64, "page": polars.String, "premium": polars.Boolean, "minutes": polars.Float64,
    }  # fmt: skip
    described = forms.described(frame)
    assert [column["type"] for column in described["columns"]] == ["int", "str", "bool", "float"]
    assert described["cells"][1] == ["home", "cart", "new"]


def test_a_frame_is_described_with_missing_cells_categories_and_times():
    """JSON holds times as texts and missing cells as None."""
    frame = pd.DataFrame(
        {
            "day": pd.to_datetime(["2020-01-02", None]),
            "size": pd.Categorical(["S", "L"], categories=["S", "M", "L"]),
            "n": pd.array([1, None], dtype="Int32"),
        }
    )
    described = forms.described(frame)
    assert [column["type"] for column in described["columns"]] == ["time", "str", "int"]
    assert described["columns"][1]["categories"] == ["S", "M", "L"]
    assert described["cells"] == [["2020-01-02T00:00:00", None], ["S", "L"], [1, None]]


@pytest.mark.parametrize("kind", ["pandas", "numpy", "records", "numbers"])
def test_a_change_of_a_copy_is_seen_and_the_original_keeps_its_cells(kind):
    """Each release is given a copy."""
    given = forms.made(kind, [("a", "all", 3.0), ("b", "all", float("nan"))], INTEGERS)
    copy = forms.copied(given)
    assert forms.same(copy, given)
    if kind == "pandas":
        copy.loc[0, "age"] = 5.0
    elif kind == "records":
        copy[0]["age"] = 5
    else:
        copy[0] = 5
    assert not forms.same(copy, given)


def unannotated(given, _rng):
    """Take anything."""


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        (np.ndarray, "numpy"), (pd.DataFrame, "pandas"), ("pd.DataFrame", "pandas"), ("pl.DataFrame", "polars"),
        (list[float], "numbers"), (list[dict[str, Any]], "records"), (list[tuple[str, str, float]], "rows"),
        (list[tuple[str, str]], "tuples"),
        (Mapping[str, int], "histogram"), (None, None),
    ],
)  # fmt: skip
def test_the_annotation_of_the_first_argument_names_the_form(annotation, kind, monkeypatch):
    """By the class, or by its text: polars need not be imported."""
    monkeypatch.setattr(unannotated, "__annotations__", {"given": annotation} if annotation else {})
    assert forms.annotated(unannotated) == kind
    with as_target(unannotated, "mechanism") as target:
        assert target.input == kind


def test_an_argument_named_rows_takes_rows():
    """Without an annotation only."""
    assert forms.annotated(lambda rows, rng: rows) == "rows"
    assert forms.annotated(lambda table, rng: table) is None


def test_tuples_have_the_cells_of_the_columns():
    """Without data, the user and the partition."""
    assert forms.made("tuples", [("a", "tea", 1.0)], None) == [("a", "tea")]
    assert forms.made("tuples", [("a", "all", 3.0)], INTEGERS) == [(3,)]


def mean(frame, rng):
    """Release the type of the input and a mean."""
    return {"type": type(frame).__name__, "mean": frame["minutes"].mean() + rng.laplace()}


def test_a_target_is_given_its_form_again_after_a_death():
    """The form is sent to each process."""
    with as_target(mean, "mechanism") as target:
        target.take({"kind": "pandas", "layout": LAYOUT})
        first = target.sample(ROWS, 3, 1)
        target.close()
        again = target.sample(ROWS, 3, 1)
        assert first.shapes == again.shapes == ('{"mean":#,"type":"DataFrame"}',)
        np.testing.assert_array_equal(first.values, again.values)
        assert not first.mutated


def empties(frame, _rng):
    """Change the input."""
    frame.drop(frame.index, inplace=True)  # noqa: PD002 - what is tested
    return 1


def test_a_target_that_changes_its_frame_is_noticed():
    """Each release has a fresh one all the same."""
    with as_target(empties, "mechanism") as target:
        target.take({"kind": "pandas", "layout": LAYOUT})
        assert target.sample(ROWS, 2, 1).mutated


def test_a_missing_library_is_one_line_with_the_remedy(tmp_path):
    """In the interpreter of the target: here a package that cannot be imported is in the place of pandas."""
    (tmp_path / "pandas.py").write_text("raise ImportError", encoding="utf-8")
    (tmp_path / "own.py").write_text("def release(frame, rng):\n    return 1\n", encoding="utf-8")
    target = as_target(f"{tmp_path}/own.py:release", "mechanism")
    target.form = {"kind": "pandas", "layout": None}
    extra = r"pip install 'sparse-histogram-auditor\[frames\]'"
    with pytest.raises(TargetError, match=rf"own.py:release takes its input as pandas, .*: {extra}"), target:
        pass
    assert forms.missing_library("rows") is None
