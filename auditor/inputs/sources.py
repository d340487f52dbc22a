"""The user's own data from a file, a callable or an object, and neighbours from the user's own function."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.errors import MissingPackageError, TargetError, UsageError
from auditor.inputs.data import Data, Row, Rows, own_neighbours, related
from auditor.inputs.tables import Table, has_own_columns, parsed, records_table, table, table_of
from auditor.reading import text_of
from auditor.target.target import Target, as_target
from mechanisms.histogram import validate
from proofs_numeric.statements.adjacency import Adjacency
from proofs_numeric.statements.neighbours import Neighbours

EXAMPLES = 100
"""Number of examples of a strategy."""
Example = tuple[Data] | tuple[Data, Data]
"""A dataset, or a pair of datasets."""
Source = str | Mapping[str, int] | Sequence[Any] | Callable[..., Any]
"""A file, `FILE.py:callable`, a histogram, rows, a frame, an array, or a callable."""
CUSTOM_PAIRS = 8
"""Number of pairs from the user's own function."""
FORMS = "rows of user, partition and (optional) value, or of key and count; a frame, an array, numbers or records"


def dataset(
    source: Source,
    python: str | None = None,
    seed: int = 0,
    *,
    columns: Mapping[str, str] | None = None,
    tables: bool = False,
) -> Data:
    """Return the data of a source; a frame, an array, numbers or records become a `Table`.

    Args:
        source: `FILE.csv`, `FILE.json` or `FILE.parquet` with columns user, partition and perhaps value, or key and
            count; `package.module:callable`, `FILE.py:callable` or a live callable that takes a generator; or the data.
        python: the interpreter that imports the callable.
        seed: seed of the generator.
        columns: names of the columns `user` and `value` of a table.
        tables: whether records are a table with any columns; then each cell of a file keeps its type.

    Errors:
        UsageError: unreadable source, other columns, invalid values, or a callable that takes no generator.
        MissingPackageError: no package reads Parquet.
    """
    if callable(source) or (isinstance(source, str) and ":" in source and not Path(source).exists()):
        with as_target(source, "source", python=python) as target:
            made = _call_source(target, [], seed, 1, "a generator")[0]
            return _read(made, f"what {target.name} returns", columns or {}, tables=tables)
    if not isinstance(source, str):
        return _read(source, "the dataset", columns or {}, tables=tables)
    path = Path(source)
    try:
        match path.suffix:
            case ".csv":
                text = io.StringIO(text_of(path).removeprefix("\ufeff"), newline="")
                return _read_file([*csv.DictReader(text)], source, columns or {}, tables=tables)
            case ".json":
                return _read(json.loads(text_of(path)), source, columns or {}, tables=tables)
            case ".parquet":
                return _read_file(_parquet(path), source, columns or {}, tables=tables)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise UsageError(f"cannot read the dataset {source}: {reason}") from None
    except (csv.Error, ValueError, RecursionError) as error:
        raise UsageError(f"cannot read the dataset {source}: {error}") from None
    raise UsageError(f"expected --dataset FILE.csv, FILE.json, FILE.parquet or FILE.py:callable, got '{source}'")


def _call_source(source: Target, arguments: Sequence[Any], seed: int, times: int, takes: str) -> list[Any]:
    """Return the results of a user's callable; the error of one that raises names its arguments."""
    try:
        return source.make(arguments, seed, times)
    except TargetError as error:
        raise UsageError(f"{error}; it is called with {takes}") from None


def _parquet(path: Path) -> list[dict[str, Any]]:
    try:
        from pyarrow import parquet
    except ImportError:
        raise MissingPackageError(f"{path} is read by pyarrow, which is not installed", "pip install pyarrow") from None
    records: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return records


def _read(content: Any, where: str, columns: Mapping[str, str], *, tables: bool) -> Data:
    """Return a table, or other data unchanged."""
    raw_table = table_of(content, whatever=tables or bool(columns))
    return _data(content, where) if raw_table is None else table(raw_table, columns, where)


def _read_file(records: list[dict[str, Any]], where: str, columns: Mapping[str, str], *, tables: bool) -> Data:
    """Return the records of a file: a table that fits any form, or other data."""
    if not records or not (tables or columns or has_own_columns(records)):
        return _data(records, where)
    return table(records_table(parsed(records), None), columns, where)


def _data(content: Any, where: str) -> Data:
    """Return a histogram, rows from records by their columns, or rows from sequences by position."""
    try:
        if isinstance(content, Rows):
            return content
        if isinstance(content, Mapping):
            validate(content)
            return dict(content)
        records = list(content)
        if records and all(isinstance(each, Mapping) for each in records):
            if {"key", "count"} <= records[0].keys():
                return _histogram(records)
            return Rows([_row(each["user"], each["partition"], each.get("value")) for each in records])
        return Rows([_row(*_cells(each)) for each in records])
    except (KeyError, TypeError, ValueError) as error:
        reason = f"no column {error}" if isinstance(error, KeyError) else str(error)
        raise UsageError(f"expected {FORMS} in {where}, got another: {reason}") from None


def _cells(row: Any) -> Sequence[Any]:
    if isinstance(row, list | tuple) and len(row) in (2, 3):
        return row
    raise ValueError(f"a row {row!r:.60}")


def _row(user: Any, partition: Any, value: Any = None) -> Row:
    return str(user), _partition_name(partition), 1.0 if value in (None, "") else float(value)


def _partition_name(partition: Any) -> str:
    if partition in (None, ""):
        raise ValueError("a partition without a name")
    return str(partition)


def _histogram(records: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    histogram = {_partition_name(record["key"]): int(record["count"]) for record in records}
    if len(histogram) < len(records):
        raise ValueError("a key twice")
    validate(histogram)
    return histogram


def custom_neighbours(
    source: str | Callable[..., Any], data: Data, python: str | None, seed: int, form: Mapping[str, Any] | None = None
) -> tuple[Neighbours, ...]:
    """Return the neighbours of the user's own function: `neighbours(dataset, rng)` -> (left, right).

    The function gets the data in the form that the target takes, and returns two such inputs.

    Errors:
        UsageError: the function raises, or does not return two inputs that differ.
    """
    argument = list(data.rows) if isinstance(data, Rows) else data
    with as_target(source, "source", python=python) as target:
        if form is not None:
            target.take(form)
        made = _call_source(target, [argument], seed, CUSTOM_PAIRS, "the data and a generator")
    pairs: dict[str, Neighbours] = {}
    for pair in made:
        if not (isinstance(pair, list) and len(pair) == 2):
            raise UsageError(f"expected {target.name} to return two inputs, got a {type(pair).__name__}")
        left, right = (side_like(data, side, f"what {target.name} returns") for side in pair)
        if left != right:
            pairs.setdefault(json.dumps(pair), Neighbours(f"custom {len(pairs)}", left, right))
    if not pairs:
        raise UsageError(f"expected {target.name} to return two inputs that differ, got the same one twice")
    return tuple(pairs.values())


def side_like(data: Data | None, side: Any, where: str) -> Data:
    """Return one input of a user's pair, with the columns of the user's data if the data are a table."""
    if not isinstance(data, Table):
        return _data(side, where)
    raw_table = table_of(side)
    if raw_table is None and isinstance(side, list) and side and all(isinstance(each, Mapping) for each in side):
        raw_table = records_table(side, None)
    names = [column.name for column in data.layout.columns]
    names_found = None if raw_table is None else [column["name"] for column in raw_table["columns"]]
    if raw_table is None or names_found != names:
        described = "another" if names_found is None else f"the columns {', '.join(names_found)}"
        raise UsageError(f"expected a table with the columns {', '.join(names)} in {where}, got {described}")
    return data.another(raw_table, where)


def examples(
    source: Any, data: Data | None, python: str | None, seed: int, columns: Mapping[str, str], *, tables: bool
) -> list[Example]:
    """Return the examples of a user's strategy: a tuple of two datasets is a pair, other examples are datasets.

    All examples have the columns of the user's data, or of the first dataset.

    Args:
        source: the strategy, a function that returns it, or the name of one.
        data: the user's data; None if there are none.
        python: the interpreter that imports the strategy.
        seed: seed of the examples.
        columns: names of the columns `user` and `value` of tables.
        tables: whether records are a table with any columns.

    Raises:
        UsageError: the strategy yields nothing, or an example is no dataset.
    """
    with as_target(source, "source", python=python) as target:
        try:
            made = target.make([], seed, EXAMPLES, strategy=True)
        except TargetError as error:
            raise UsageError(f"{error}; expected --strategy FILE.py:name of a strategy of Hypothesis") from None
        where = f"what {target.name} yields"
    first = data
    results: list[Example] = []
    for one in made:
        sides = one["pair"] if isinstance(one, dict) and one.keys() == {"pair"} else [one]
        read: list[Data] = []
        for side in sides:
            content = side_like(first, side, where) if isinstance(first, Table) and side else _read(
                side, where, columns, tables=tables and bool(side)
            )  # fmt: skip
            first = first or content
            read.append(content)
        results.append((read[0], read[1]) if len(read) == 2 else (read[0],))
    if not first:
        raise UsageError(f"expected a data set with at least one key in {where}, got none in {EXAMPLES} examples")
    return results


def yielded_neighbours(
    datasets: Sequence[Example], adjacency: Adjacency, values: Sequence[float] | None
) -> list[Neighbours]:
    """Return the pairs of neighbours among the examples, and pairs made from single datasets.

    Raises:
        UsageError: there are no neighbours.
    """
    pairs: dict[str, Neighbours] = {}
    for place, example in enumerate(datasets):
        if len(example) == 2:
            left, right = example
            made = [Neighbours("its pair", left, right)] if left != right and related(adjacency, left, right) else []
        else:
            made = [*own_neighbours(example[0], adjacency, values)] if example[0] else []
        for pair in made:
            name = f"example {place} of the strategy, {pair.id.removeprefix('own data, ').removeprefix('own data ')}"
            pairs[name] = Neighbours(name, pair.left, pair.right)
    if not pairs:
        raise UsageError(
            f"expected --strategy to yield neighbours ({adjacency}) or data sets, got none in {len(datasets)} examples"
            ": --adjacency, --c-u and --per-key define the neighbours"
        )
    return [*pairs.values()]
