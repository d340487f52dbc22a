"""Tables of the user's own columns: read, audited in their own form, and refused in one line."""

import json
import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from auditor.errors import UsageError
from auditor.front.cli import invoke
from auditor.inputs.data import Rows
from auditor.inputs.sources import dataset
from auditor.inputs.tables import Table
from auditor.inputs.values import Values
from auditor.pytest_plugin import assert_private
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.inputs import frames
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

VISITS = "visitor,page,minutes\n7,home,3.5\n7,cart,10\n8,home,\n9,home,45.5\n"
FRAME = pd.DataFrame({"visitor": [7, 7, 8], "page": ["home", "cart", "home"], "minutes": [3.5, 10.0, 2.0]})


def test_a_column_of_users_and_one_of_values_are_found_by_name_and_type(tmp_path):
    """The rest of a row is its key; an empty cell is a missing value."""
    (tmp_path / "a.csv").write_text(VISITS, encoding="utf-8")
    data = dataset(str(tmp_path / "a.csv"))
    assert isinstance(data, Table)
    assert [(user, key) for user, key, _ in data.rows] == [("7", "home"), ("7", "cart"), ("8", "home"), ("9", "home")]
    assert [value for *_, value in data.rows if not math.isnan(value)] == [3.5, 10.0, 45.5]
    assert data.layout.source is None
    assert data.layout.names_keys
    assert data.note() is None


@pytest.mark.parametrize(
    ("source", "kind", "keys"),
    [
        (FRAME, "pandas", ["home", "cart"]),
        (np.array([1.0, 2.5]), "numpy", ["all"]),
        (np.array([[1, 2], [3, 4]]), "numpy", ["4", "2"]),
        ([1, 2.5, 3], "numbers", ["all"]),
        ([{"city": "Rome", "sex": "f", "age": 3}], "records", ["Rome, f"]),
    ],
)
def test_data_of_every_type_become_rows_and_name_their_form(source, kind, keys):
    """Of several columns of numbers the first is the value, and the ends of the others are keys."""
    data = dataset(source)
    assert data.layout.source == kind
    assert sorted(data.keys_to_try) == sorted(keys)


def test_the_rows_of_user_partition_and_value_stay_rows():
    """As they were, unless the target takes a table."""
    records = [{"user": "u", "partition": "p", "value": 2.0}]
    assert dataset(records) == Rows([("u", "p", 2.0)])
    assert not isinstance(dataset(records), Table)
    assert isinstance(dataset(records, tables=True), Table)


def test_values_of_a_column_of_integers_are_integers_that_it_holds():
    """A column of int8 has no value of 1000 and no NaN."""
    data = dataset(np.array([3, 9], dtype=np.int8))
    assert data.layout.integers == (-128, 127)
    values = Values(3.0, 9.0, integers=data.layout.integers)
    assert values.within() == [9.0, 3.0, 6.0]
    assert {value for _, value in values.beyond()} >= {10.0, 100.0}
    assert all(float(value).is_integer() and -128 <= value <= 127 for _, value in values.beyond())


@pytest.mark.parametrize(
    ("source", "options", "words"),
    [
        (FRAME, {"columns": {"user": "visitors"}}, "user=NAME,value=NAME of visitor, page, minutes"),
        (FRAME, {"columns": {"value": "page"}}, "expected numbers in the column page"),
        (FRAME.iloc[:0], {}, "at least one record"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), {}, "one name twice"),
        ([{"a": 1}, {"b": 2}], {}, "the same columns"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_in_one_line(source, options, words):
    """With what is allowed."""
    with pytest.raises(UsageError, match=words):
        dataset(source, **options)


def test_a_file_with_columns_of_its_own_needs_a_form(tmp_path, capsys):
    """From the option, or from an annotation."""
    (tmp_path / "a.csv").write_text(VISITS, encoding="utf-8")
    words = ["mechanism", f"{frames.__file__}:records_wrong", "--dataset", str(tmp_path / "a.csv"), "--epsilon", "1"]
    assert invoke(words) == 2
    assert (
        "expected --input histogram, rows, tuples, records, numbers, numpy, pandas, polars" in capsys.readouterr().err
    )
    assert invoke([*words, "--input", "records", "--rows"]) == 2
    assert "--rows or --input" in capsys.readouterr().err


@pytest.mark.parametrize("columns", ["visitor", "user=", "who=visitor"])
def test_columns_that_cannot_be_read_are_refused(columns, capsys):
    """With the form that they have."""
    assert invoke(["mechanism", "a.py:b", "--epsilon", "1", "--columns", columns]) == 2
    assert "expected --columns user=NAME,value=NAME" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("name", ["records_wrong", "frame_wrong"])
def test_the_command_line_refutes_a_wrong_mechanism_on_a_file(name, tmp_path, capsys):
    """The command that repeats the audit names the columns."""
    (tmp_path / "a.csv").write_text(VISITS.replace("8,home,\n", "8,home,1\n"), encoding="utf-8")
    words = ["--dataset", str(tmp_path / "a.csv"), "--epsilon", "1", "--budget", "20", "--json"]
    words += ["--columns", "user=visitor"] + (["--input", "records"] if name == "records_wrong" else [])
    assert invoke(["mechanism", f"{frames.__file__}:{name}", *words]) == 1
    assert "--columns user=visitor" in json.loads(capsys.readouterr().out)["reproduce"]


@pytest.mark.slow
def test_live_data_are_audited_in_their_own_form():
    """A function of an array is given one; noise of a third of the scale, and a missing clip, are found."""
    options = {"epsilon": "1", "dataset": np.array(frames.SCORES), "budget": 30.0}
    assert audit_mechanism(frames.array_wrong_scale, **options).verdict is Verdict.REFUTED
    declared = {**options, "values": (0.0, 30.0)}
    assert audit_mechanism(frames.array_no_clip, **declared).verdict is Verdict.REFUTED
    right = audit_mechanism(frames.array_right, **{**declared, "budget": 300.0})
    assert right.verdict is Verdict.CONSISTENT, right.detail
    assert "<ndarray>" in right.reproduce


@pytest.mark.slow
def test_a_target_without_data_is_given_the_form_of_its_annotation():
    """Numbers in the declared range, each of one user."""
    options = {"epsilon": "1", "values": (0.0, 10.0)}
    assert audit_mechanism(frames.numbers_right, **options, budget=300.0).verdict is Verdict.CONSISTENT
    assert audit_mechanism(frames.array_wrong_scale, **options).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_a_missing_threshold_of_a_frame_is_found_by_the_plugin():
    """Names of pages are texts, which may have any name."""
    with pytest.raises(AssertionError, match="delta is at least"):
        assert_private(frames.frame_no_threshold, epsilon="1", delta="0.01", dataset=FRAME, budget=20.0)


@pytest.mark.slow
def test_own_neighbours_are_made_of_frames():
    """The function is given the data in the form of the target, and returns two frames."""
    result = audit_mechanism(
        frames.frame_wrong, epsilon="1", dataset=FRAME, neighbours=f"{frames.__file__}:neighbours", budget=20.0
    )
    assert result.verdict is Verdict.REFUTED
    assert result.pair.id == "custom 0"
    assert len(result.pair.left.rows) == len(result.pair.right.rows) + 1


@pytest.mark.parametrize(("cell", "kind"), [([1, 2], "list"), (Decimal("1.5"), "Decimal"), (b"x", "bytes")])
def test_cells_that_cannot_be_varied_are_refused(cell, kind):
    """In records and in frames, with the column."""
    records = [{"who": "ann", "what": cell}, {"who": "bob", "what": cell}]
    for source in (records, pd.DataFrame(records)):
        with pytest.raises(UsageError, match=f"got {kind} in the column what: convert it"):
            dataset(source, tables=True)


def test_new_cells_are_those_that_a_column_lacks_and_may_have():
    """A new text and no text, numbers that the type holds; none where categories name all, and none of users."""
    frame = pd.DataFrame(
        {
            "user": ["x", "y"],
            "item": ["tea", None],
            "grade": pd.Categorical(["a", "b"], categories=["a", "b"]),
            "day": pd.Series([0, 200], dtype="uint8"),
            "price": [1.5, 2.5],
        }
    )
    data = dataset(frame)
    cells = {what: data.layout.cells[key] for what, key in data.new_keys}
    assert {*cells} == {"'new' in the column item"}
    assert cells["'new' in the column item"] == ["new", "a", 200]
    frame["item"] = ["tea", "milk"]
    assert {what for what, _key in dataset(frame.astype({"day": "int16"})).new_keys} == {
        "'new' in the column item", "no cell in the column item", "-1 in the column day",
    }  # fmt: skip
