"""Tables with columns of the user's own as rows: one column is the user, one the value, and the others are the key.

A frame, an array, a list of numbers or of dictionaries becomes rows of (user, key, value). From the layout, the worker
makes the table again (`auditor.target.forms`).
"""

import datetime as dt
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from auditor.errors import UsageError
from auditor.inputs.data import Row, Rows
from auditor.target.forms import described, type_without_values

USER = re.compile(r"(?i)(u|user|person|customer|client|patient|member|subject|account|visitor)?_?(id|name)?")
"""Pattern of the names of a column of users."""
ALL = "all"
"""Key of every row of a table with only a column of values."""
FIRST, LAST = 0, -1
NEW_TEXT, FAR_NUMBERS = "new", (0, -1, 10**6)
"""A text that data lack, and numbers that they may lack."""
COLUMNS_REMEDY = "--columns user=NAME,value=NAME names the columns of users and of values"


@dataclass(frozen=True)
class Column:
    """A column: name, type (str, int, float, bool or time), its dtype in `library`, and categories if it has some."""

    name: str
    type: str
    dtype: str | None = None
    library: str | None = None
    categories: tuple[Any, ...] = ()

    @property
    def integers(self) -> tuple[int, int] | None:
        """Return the least and the largest integer that the column can hold; None for other columns."""
        if self.type != "int":
            return None
        match = re.match(r"(u?)int(\d+)", (self.dtype or "").lower())
        unsigned, bits = (bool(match[1]), int(match[2])) if match else (False, 64)
        return (0, 2**bits - 1) if unsigned else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@dataclass(frozen=True)
class Layout:
    """The columns of a table.

    Attributes:
        columns: the columns, in order.
        user, value: places of the columns of users and of values; None if there is none.
        cells: the cells of the other columns, by key.
        source: form of the data; None for a file, which fits any form.
    """

    columns: tuple[Column, ...]
    user: int | None
    value: int | None
    cells: Mapping[str, Sequence[Any]]
    source: str | None

    @property
    def names_keys(self) -> bool:
        """Return whether a key may have any name: the key is one column of texts."""
        others = [column for place, column in enumerate(self.columns) if place not in (self.user, self.value)]
        return len(others) == 1 and others[0].type == "str" and not others[0].categories

    @property
    def integers(self) -> tuple[int, int] | None:
        """Return the least and the largest value that rows can have; None if values are no integers."""
        return None if self.value is None else self.columns[self.value].integers

    def to_json(self) -> dict[str, Any]:
        """Return the layout in the form for the worker."""
        columns = [{name: each for name, each in asdict(column).items() if each} for column in self.columns]
        return {"columns": columns, "user": self.user, "value": self.value, "cells": dict(self.cells)}


class Table(Rows):
    """Rows of a table with columns of its own.

    Attributes:
        layout: layout of the columns.
        keys_to_try: keys of the data, and keys with the ends of other columns of numbers.
        new_keys: keys with a cell that the data lack, each with its description: a new text or number, or no cell.
    """

    def __init__(
        self, rows: Sequence[Row], layout: Layout, keys_to_try: Sequence[str], new_keys: Sequence[tuple[str, str]] = ()
    ) -> None:
        super().__init__(rows)
        self.layout, self.keys_to_try, self.new_keys = layout, tuple(keys_to_try), tuple(new_keys)

    def another(self, content: Mapping[str, Any], where: str) -> "Table":
        """Return the rows of another table with the same columns, and record its keys."""
        columns, cells = self.layout.columns, self.layout.cells
        assert isinstance(cells, dict)  # noqa: S101 - the layout was made by `table`
        rows = _rows(content["cells"], columns, (self.layout.user, self.layout.value), cells, where)
        return Table(rows, self.layout, self.keys_to_try, self.new_keys)

    def note(self) -> str | None:
        """Return a note that each record counts as one user; None if a column names users, or records are numbers."""
        if self.layout.user is not None or len(self.layout.columns) == 1:
            return None
        value = "no column" if self.layout.value is None else self.layout.columns[self.layout.value].name
        return f"each record counts as one user, and {value} varies as the value: {COLUMNS_REMEDY}"


def has_own_columns(records: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether records are neither rows of user and partition nor a histogram of key and count."""
    return not any(names <= records[0].keys() for names in ({"user", "partition"}, {"key", "count"}))


def table_of(value: Any, *, whatever: bool = False) -> dict[str, Any] | None:
    """Return a frame, an array, a list of numbers or of dictionaries, column by column; None for other objects.

    A list of dictionaries with user and partition, or with key and count, is a table only if `whatever`.
    """
    if isinstance(value, Mapping):
        sent: dict[str, Any] | None = value.get("table") if value.keys() == {"table"} else None
        return sent if isinstance(sent, dict) else None
    content: dict[str, Any] | None = described(value)
    if content is not None or not isinstance(value, Sequence) or isinstance(value, str | Rows):
        return content
    records = list(value)
    if records and all(_is_number(each) for each in records):
        kind = "int" if all(isinstance(each, int) for each in records) else "float"
        return {"kind": "numbers", "columns": [{"name": "value", "type": kind}], "cells": [records]}
    if not records or not all(isinstance(each, Mapping) for each in records):
        return None
    return records_table(records, "records") if whatever or has_own_columns(records) else None


def records_table(records: Sequence[Mapping[str, Any]], kind: str | None) -> dict[str, Any]:
    """Return records column by column, with a type for each column; UsageError if their columns differ."""
    names = list(records[0])
    if any(each.keys() != records[0].keys() for each in records):
        raise UsageError(f"expected records with the same columns, got one without {', '.join(map(str, names))}")
    columns, cells, strange = [], [], {}
    for name in names:
        column_type, column = _typed([each[name] for each in records])
        columns.append({"name": str(name), "type": column_type})
        cells.append(column)
        strange[str(name)] = type_without_values([each[name] for each in records])
    return {"kind": kind, "columns": columns, "cells": cells, "strange": strange}


def parsed(records: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the records of a file, with texts of numbers as numbers."""
    return [{name: _parsed(cell) for name, cell in each.items()} for each in records]


def table(content: Mapping[str, Any], roles: Mapping[str, str], where: str) -> Table:
    """Return the rows of a table.

    Args:
        content: `kind`, `columns` and `cells`, see `auditor.target.forms.described`.
        roles: names of the columns `user` and `value`, if the user gives them.
        where: description of the data in messages.

    Raises:
        UsageError: an unknown column, no column, no record, or cells of a type that the audit cannot vary.
    """
    for name, kind in content.get("strange", {}).items():
        if kind:
            raise UsageError(
                f"expected columns of texts, numbers, booleans or times in {where}, got {kind} in the column {name}: "
                "convert it, or leave the column out"
            )
    columns = tuple(Column(**{**each, "categories": tuple(each.get("categories", ()))}) for each in content["columns"])
    cells = content["cells"]
    if not columns or not cells[0]:
        raise UsageError(f"expected at least one record in {where}, got none")
    if len({column.name for column in columns}) < len(columns):
        raise UsageError(f"expected columns with different names in {where}, got one name twice")
    user, value = _roles(columns, roles, where)
    cells_of: dict[str, list[Any]] = {}
    rows = _rows(cells, columns, (user, value), cells_of, where)
    others = [place for place in range(len(columns)) if place not in (user, value)]
    keys = [*cells_of]
    for place, bound in ((FIRST, max), (LAST, min)):
        extreme = [_end(columns[column], cells[column], bound, cells_of[keys[0]][i]) for i, column in enumerate(others)]
        key = _key(extreme, cells_of)
        if key not in keys:
            keys.insert(0 if place == FIRST else len(keys), key)
    first = cells_of[keys[0]]
    new_keys = [
        (f"{'no cell' if cell is None else f'{cell!r}'} in the column {columns[column].name}", _key(changed, cells_of))
        for place, column in enumerate(others)
        for cell in _new_cells(columns[column], cells[column])
        for changed in ([*first[:place], cell, *first[place + 1 :]],)
    ]
    return Table(rows, Layout(columns, user, value, cells_of, content["kind"]), keys, new_keys)


def _new_cells(column: Column, cells: Sequence[Any]) -> list[Any]:
    """Return cells that a column lacks and may have by its type; none if its categories name all."""
    extra: dict[str, tuple[Any, ...]] = {"str": (NEW_TEXT, None), "int": FAR_NUMBERS, "float": (*FAR_NUMBERS, None)}
    low, high = column.integers or (-math.inf, math.inf)
    present = {None if isinstance(cell, float) and math.isnan(cell) else cell for cell in cells}
    return [
        cell
        for cell in extra.get(column.type, ())
        if not column.categories and cell not in present and (not _is_number(cell) or low <= cell <= high)
    ]


def _rows(
    cells: Sequence[Sequence[Any]],
    columns: Sequence[Column],
    roles: tuple[int | None, int | None],
    cells_of: dict[str, list[Any]],
    where: str,
) -> list[Row]:
    """Return rows of (user, key, value), and record the cells of each key."""
    user, value = roles
    others = [place for place in range(len(columns)) if place not in roles]
    rows: list[Row] = []
    for place in range(len(cells[0])):
        key = _key([cells[column][place] for column in others], cells_of)
        number = 1.0 if value is None else _number(cells[value][place], columns[value], where)
        rows.append((f"record {place}" if user is None else str(cells[user][place]), key, number))
    return rows


def _roles(columns: Sequence[Column], roles: Mapping[str, str], where: str) -> tuple[int | None, int | None]:
    """Return the places of the columns of users and of values."""
    names = [column.name for column in columns]
    for role, name in roles.items():
        if role not in ("user", "value") or name not in names:
            raise UsageError(
                f"expected --columns user=NAME,value=NAME of {', '.join(names)} ({where}), got {role}={name}"
            )
    users = (place for place, name in enumerate(names) if name and USER.fullmatch(name) and name.lower() != "name")
    user = names.index(roles["user"]) if "user" in roles else next(users, None)
    if "value" in roles:
        return user, names.index(roles["value"])
    numbers = [place for place, column in enumerate(columns) if column.type in ("float", "int") and place != user]
    called = [place for place in numbers if names[place].lower() == "value"]
    floats = [place for place in numbers if columns[place].type == "float"]
    return user, next(iter([*called, *floats, *numbers]), None)


def _key(cells: list[Any], cells_of: dict[str, list[Any]]) -> str:
    """Return the key of the cells, and record it."""
    text = ", ".join("missing" if cell is None else str(cell) for cell in cells) or ALL
    if repr(cells_of.setdefault(text, cells)) != repr(cells):
        text = json.dumps(cells)
        cells_of.setdefault(text, cells)
    return text


def _end(column: Column, cells: Sequence[Any], bound: Any, otherwise: Any) -> Any:
    """Return the largest or the least number of a column; for other columns, the cell of the first record."""
    numbers = [cell for cell in cells if _is_number(cell) and math.isfinite(cell)]
    return bound(numbers) if column.type in ("int", "float") and numbers else otherwise


def _number(cell: Any, column: Column, where: str) -> float:
    if cell is None:
        return math.nan
    if not _is_number(cell):
        raise UsageError(f"expected numbers in the column {column.name} of {where}, got {cell!r}; {COLUMNS_REMEDY}")
    return float(cell)


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _typed(cells: Iterable[Any]) -> tuple[str, list[Any]]:
    """Return the type of a column, and its cells as JSON values."""
    values = [cell.isoformat() if isinstance(cell, dt.date) else cell for cell in cells]
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds and kinds <= {int}:
        return "int" if None not in values else "float", values
    if kinds and kinds <= {int, float}:
        return "float", values
    if kinds == {bool} and None not in values:
        return "bool", values
    times = bool(kinds) and all(issubclass(kind, dt.date) for kind in kinds)
    return ("time" if times else "str"), [cell if cell is None or times else str(cell) for cell in values]


def _parsed(cell: Any) -> Any:
    """Return the number that a cell of a file denotes, or its text; None if the cell is empty."""
    if not isinstance(cell, str):
        return cell
    if not cell:
        return None
    for read in (int, float):
        try:
            return read(cell)
        except ValueError:
            continue
    return {"True": True, "False": False}.get(cell, cell)
