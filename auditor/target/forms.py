"""Input forms of a target: the conversion of rows to a frame, an array or a list just before the call.

The worker loads this file in any Python from 3.9. It imports nothing of the auditor, and pandas, polars and NumPy only
if a form needs them. A layout describes the columns of a table: `columns` (name, type, dtype of `library`, and
categories), the indices of the columns `user` and `value`, and `cells`, the other cells of each key.
"""

from __future__ import annotations

import datetime as dt
import importlib
import inspect
import math
import re
import zlib
from typing import Any

Columns = dict[str, Any]
"""A layout or one of its columns."""
TYPES: dict[str, dict[str, Any]] = {
    "pandas": {"str": None, "int": "int64", "float": "float64", "bool": "bool", "time": "datetime64[ns]"},
    "polars": {"str": "String", "int": "Int64", "float": "Float64", "bool": "Boolean", "time": "Datetime"},
    "numpy": {"str": "str", "int": "int64", "float": "float64", "bool": "bool", "time": "datetime64[ns]"},
}
"""Default dtype of each column type, used if the user's data come from another library."""
FIRST_NUMBER = 10**9
"""First number of the users that the audit invents, if users are integers."""
TABLE: Columns = {
    "columns": [
        {"name": "user", "type": "str"}, {"name": "partition", "type": "str"}, {"name": "value", "type": "float"},
    ],
    "user": 0, "value": 2, "cells": {},
}  # fmt: skip
"""Default layout of tables, without user data."""
PAIRS: Columns = {"columns": TABLE["columns"][:2], "user": 0, "value": None, "cells": {}}
"""Default layout of tuples, without user data."""
NUMBERS: Columns = {"columns": [{"name": "value", "type": "float"}], "user": None, "value": 0, "cells": {}}
"""Default layout of numbers, without user data: each number is one user."""


def columns_of(rows: list[Any], layout: Columns) -> list[Any]:
    """Return the cells of each column of a table, given rows of (user, key, value)."""
    user, value, stored = layout["user"], layout["value"], layout["cells"]
    columns = layout["columns"]
    others = [place for place in range(len(columns)) if place not in (user, value)]
    template = next(iter(stored.values()), None)
    cells: list[Any] = [[] for _ in columns]
    for who, key, number in rows:
        values = stored.get(key)
        if values is None:  # a key invented by the audit
            values = [
                key if template is None or columns[place]["type"] == "str" else template[i]
                for i, place in enumerate(others)
            ]
        for place, cell in zip(others, values):  # noqa: B905 - Python 3.9
            cells[place].append(cell)
        if user is not None:
            cells[user].append(_user(who, columns[user]["type"]))
        if value is not None:
            whole = columns[value]["type"] == "int" and math.isfinite(number) and number == int(number)
            cells[value].append(int(number) if whole else number)
    return cells


def _user(who: str, kind: str) -> object:
    if kind != "int":
        return who
    try:
        return int(who)
    except ValueError:
        return FIRST_NUMBER + zlib.crc32(who.encode()) % FIRST_NUMBER


def _dtype(column: Columns, library: str) -> Any:
    return column["dtype"] if column.get("library") == library else TYPES[library][column["type"]]


def rows(table: list[Any], _layout: Columns) -> list[Any]:
    """Return rows of (user, key, value) as tuples."""
    return [tuple(row) for row in table]


def tuples(table: list[Any], layout: Columns) -> list[Any]:
    """Return a list of tuples of the cells of each row."""
    return list(zip(*columns_of(table, layout)))  # noqa: B905 - Python 3.9


def records(table: list[Any], layout: Columns) -> list[Any]:
    """Return a list of dictionaries keyed by column name."""
    names = [column["name"] for column in layout["columns"]]
    return [dict(zip(names, cells)) for cells in zip(*columns_of(table, layout))]  # noqa: B905 - Python 3.9


def _of_numbers(table: list[Any], layout: Columns) -> list[tuple[Columns, list[Any]]]:
    """Return the columns that are no texts, each with its cells; all columns if none is."""
    every = list(zip(layout["columns"], columns_of(table, layout)))  # noqa: B905 - Python 3.9
    return [one for one in every if one[0]["type"] != "str"] or every


def numbers(table: list[Any], layout: Columns) -> list[Any]:
    """Return the values as a list; with several columns of numbers, one list per row."""
    cells = [cells for _column, cells in _of_numbers(table, layout)]
    return cells[0] if len(cells) == 1 else [list(row) for row in zip(*cells)]  # noqa: B905 - Python 3.9


def array(table: list[Any], layout: Columns) -> Any:
    """Return a NumPy array, one-dimensional for one column of numbers, else of shape (rows, columns)."""
    import numpy as np

    columns = _of_numbers(table, layout)
    kinds = {_dtype(column, "numpy") for column, _cells in columns}
    arrays = [np.array(cells) if cells else np.zeros(0) for _column, cells in columns]
    kind = kinds.pop() if len(kinds) == 1 else "float64"
    whole = np.dtype(kind).kind in "iu"
    matrix = arrays[0] if len(arrays) == 1 else np.column_stack(arrays)
    fits = not whole or (np.isfinite(matrix).all() and (matrix == np.round(matrix)).all())
    return matrix.astype(kind) if fits else matrix


def pandas_frame(table: list[Any], layout: Columns) -> Any:
    """Return a pandas DataFrame."""
    import pandas as pd

    def series(column: Columns, cells: list[Any]) -> Any:
        if column.get("categories"):
            return pd.Series(pd.Categorical(cells, categories=column["categories"]))
        try:
            return pd.Series(cells, dtype=_dtype(column, "pandas"))
        except (TypeError, ValueError, OverflowError):  # integers with a missing one become doubles
            return pd.Series(cells)

    columns = zip(layout["columns"], columns_of(table, layout))  # noqa: B905 - Python 3.9
    return pd.DataFrame({column["name"]: series(column, cells) for column, cells in columns})


def polars_frame(table: list[Any], layout: Columns) -> Any:
    """Return a polars DataFrame."""
    import polars as pl

    def series(column: Columns, cells: list[Any]) -> Any:
        name, kind = column["name"], str(_dtype(column, "polars"))
        if column.get("categories"):
            return pl.Series(name, cells, dtype=pl.Enum(column["categories"]))
        if column["type"] == "time":
            text = pl.Series(name, cells, dtype=pl.String).str
            return text.to_date() if kind == "Date" else text.to_datetime()
        dtype = getattr(pl, kind, None) or getattr(pl, TYPES["polars"][column["type"]])
        try:
            return pl.Series(name, cells, dtype=dtype)
        except (TypeError, ValueError, OverflowError):  # integers with a missing one become doubles
            return pl.Series(name, cells)

    columns = zip(layout["columns"], columns_of(table, layout))  # noqa: B905 - Python 3.9
    return pl.DataFrame([series(column, cells) for column, cells in columns])


KINDS: dict[str, Any] = {
    "histogram": None,
    "rows": rows,
    "tuples": tuples,
    "records": records,
    "numbers": numbers,
    "numpy": array,
    "pandas": pandas_frame,
    "polars": polars_frame,
}
"""Each form and its function of rows and a layout; None for the histogram, which takes no rows."""
LAYOUTS = {"tuples": PAIRS, "numbers": NUMBERS, "numpy": NUMBERS}
"""The default layout of each form that is no table of user, partition and value."""
LIBRARIES = {"numpy": "numpy", "pandas": "pandas", "polars": "polars"}
"""The package that each form needs."""


def missing_library(kind: str) -> str | None:
    """Return the library that a form needs and that is not installed; None if the form is available."""
    library = LIBRARIES.get(kind)
    try:
        if library is not None:
            importlib.import_module(library)
    except ImportError:
        return library
    return None


def made(kind: str, table: list[Any], layout: Columns | None) -> Any:
    """Return rows converted to a form."""
    return KINDS[kind](table, layout or LAYOUTS.get(kind, TABLE))


def copied(value: Any) -> Any:
    """Return a copy of an input, with copies of its rows."""
    if hasattr(value, "clone"):  # polars
        return value.clone()
    nested = isinstance(value, list) and value and isinstance(value[0], (dict, list))
    return [row.copy() for row in value] if nested else value.copy()


def same(one: Any, other: Any) -> bool:
    """Return whether two inputs have equal type, cells and order."""
    if type(one) is not type(other):
        return False
    if hasattr(one, "equals"):
        return bool(one.equals(other))
    if hasattr(one, "dtype"):
        return bool(one.shape == other.shape and one.tobytes() == other.tobytes())
    return bool(one == other and [*one] == [*other])


# --- guesses from a function's annotation and from the type of data ---------------------------------------------------

LISTS = r"\b(?:list|List|Sequence|Iterable|Collection)\[\s*(?:typing\.|collections\.abc\.)?"
PATTERNS = (
    (r"ndarray|NDArray|ArrayLike", "numpy"),
    (LISTS + r"(?:dict|Dict|Mapping)\b", "records"),
    (LISTS + r"(?:tuple|Tuple)\[\s*\w+\s*,\s*\w+\s*\]", "tuples"),
    (LISTS + r"(?:tuple|Tuple)\b", "rows"),
    (LISTS + r"(?:float|int)\b", "numbers"),
    (r"^(?:typing\.|collections\.abc\.|builtins\.|collections\.)?(?:dict|Dict|Mapping|Counter)\b", "histogram"),
)


def annotated(function: Any) -> str | None:
    """Return the form named by the annotation of the first argument; without one, by its name; None for neither."""
    try:
        first = next(iter(inspect.signature(function).parameters.values()))
    except (TypeError, ValueError, StopIteration):
        return None
    annotation = first.annotation
    if annotation is first.empty:
        return "rows" if first.name == "rows" else None
    plain = isinstance(annotation, type) and not getattr(annotation, "__args__", None)
    text = f"{annotation.__module__}.{annotation.__qualname__}" if plain else str(annotation)
    frame = re.search(r"(?:(\w+)[\w.]*\.)?DataFrame\b", text)
    if frame is not None:
        names = getattr(inspect.unwrap(getattr(function, "__func__", function)), "__globals__", {})
        source = names.get(frame.group(1) or "DataFrame")
        module = getattr(source, "__name__" if frame.group(1) else "__module__", None) or frame.group(1) or ""
        return "polars" if module.startswith(("pl", "polars")) else "pandas"
    return next((kind for pattern, kind in PATTERNS if re.search(pattern, text)), None)


def described(value: Any) -> Any:
    """Return a frame or array as JSON: `kind`, `columns` as in a layout, `cells` by column; None for other values."""
    library = type(value).__module__.partition(".")[0]
    if type(value).__name__ == "DataFrame" and library in ("pandas", "polars"):
        names = list(value.columns)
        at = value.to_series if library == "polars" else lambda place: value.iloc[:, place]
        columns = [at(place) for place in range(len(names))]
        description: Columns = {
            "kind": library,
            "columns": [_column(str(name), each, library) for name, each in zip(names, columns)],  # noqa: B905
            "cells": [[_cell(cell) for cell in _listed(each)] for each in columns],
        }
        strange = {str(name): type_without_values(_listed(each)) for name, each in zip(names, columns)}  # noqa: B905
        return {**description, "strange": strange} if any(strange.values()) else description
    if library == "numpy" and getattr(value, "ndim", 0) in (1, 2) and value.dtype.kind in "iufb":
        table = value.reshape(len(value), -1)
        kind = {"i": "int", "u": "int", "f": "float", "b": "bool"}[value.dtype.kind]
        column = {"type": kind, "dtype": str(value.dtype), "library": "numpy"}
        names = ["value"] if value.ndim == 1 else [f"column {i}" for i in range(table.shape[1])]
        return {"kind": "numpy", "columns": [{"name": n, **column} for n in names], "cells": table.T.tolist()}
    return None


def _listed(column: Any) -> list[Any]:
    """Return the cells of a column, scalars of NumPy as those of Python."""
    return [cell.item() if type(cell).__module__ == "numpy" else cell for cell in column.to_list()]


def type_without_values(cells: list[Any]) -> str:
    """Return the type of the first cell of which the audit cannot make values; "" if there is none."""
    plain = (bool, int, float, str, dt.date)
    strange = (cell for cell in cells if cell is not None and not isinstance(cell, plain))
    names = (type(cell).__name__ for cell in strange)
    return next((name for name in names if name not in ("NAType", "NaTType")), "")


def _column(name: str, column: Any, library: str) -> Columns:
    dtype = str(column.dtype)
    text = dtype.lower()
    kinds = (("int", "int"), ("float", "float"), ("double", "float"), ("bool", "bool"), ("date", "time"))
    kind = next((kind for begin, kind in kinds if text.lstrip("u").startswith(begin)), "str")
    description: Columns = {"name": name, "type": kind, "dtype": dtype, "library": library}
    categories = getattr(column.dtype, "categories", None)
    if categories is not None and (library == "pandas" or dtype.startswith("Enum")):
        description["categories"] = [_cell(each) for each in _listed(categories)]
    elif library == "pandas" and kind == "str":
        whole = [cell for cell in _listed(column) if cell is not None]
        integers = whole and all(isinstance(cell, int) and not isinstance(cell, bool) for cell in whole)
        description["type"] = "int" if integers else "str"
    return description


def _cell(cell: Any) -> Any:
    """Return a cell as a JSON value: times as text, missing values as None."""
    if cell is None or isinstance(cell, (bool, int, float, str)):
        return cell
    if type(cell).__name__ in ("NAType", "NaTType"):
        return None
    return cell.isoformat() if isinstance(cell, (dt.date, dt.datetime)) else str(cell)
