"""Releases as arrays: the input of every test and every event learner."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.statistics.forms import Part, part_table
from auditor.target.worker import EXCEPTION_PREFIX

NUMBER = "#"
"""Placeholder of each finite number in the text of a shape."""
WIDEST_PATTERN = 62
"""Most columns whose NaN pattern is packed in a 64-bit integer."""

TABLE_BYTES = 2
"""Bytes up to which NaN patterns are counted in a table; wider patterns are sorted."""


@dataclass(frozen=True)
class Sample:
    """Independent releases of one histogram.

    Attributes:
        keys: location of each number: a released key, or a path such as `[2]` in another JSON value. The order is the
            order in which the mechanism emits them, and is part of its output.
        values: float64 (n, len(keys)), NaN where a release lacks the number.
        shapes: texts of the distinct forms of the outputs (JSON with `#` for each number, or the text of an exception);
            None if the NaN pattern determines the form of a release.
        shape_index: index of each release's form in `shapes`, (n,); None exactly if `shapes` is None.

    Raises:
        ValueError: the shapes of the arrays disagree.
    """

    keys: tuple[str, ...]
    values: NDArray[np.float64]
    shapes: tuple[str, ...] | None = None
    shape_index: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        if self.values.ndim != 2 or self.values.shape[1] != len(self.keys):
            raise ValueError(f"expected values of shape (n, {len(self.keys)}), got {self.values.shape}")
        if (self.shapes is None) != (self.shape_index is None):
            raise ValueError("expected shapes and shape_index together or neither, got one of them")
        if self.shape_index is not None and self.shape_index.shape != (len(self),):
            raise ValueError(f"expected shape_index of shape ({len(self)},), got {self.shape_index.shape}")

    def __len__(self) -> int:
        return int(self.values.shape[0])

    @property
    def alike(self) -> bool:
        """Whether all releases are equal."""
        first, index = self.values[:1], self.shape_index
        same = (self.values == first) | (np.isnan(self.values) & np.isnan(first))
        return bool(same.all()) and (index is None or bool((index == index[:1]).all()))

    @cached_property
    def _places(self) -> dict[str, int]:
        return {key: place for place, key in enumerate(self.keys)}

    def column(self, key: str | Part) -> NDArray[np.float64]:
        """Return the numbers under a key, or a part of the form, (n,); NaN where a release lacks it."""
        if isinstance(key, Part):
            names, index = self.categories()
            numbers = np.full(len(names), math.nan)
            places, part_numbers = part_table(names).get(key.name, ([], []))
            numbers[places] = part_numbers
            return numbers[index]
        place = self._places.get(key)
        return np.full(len(self), math.nan) if place is None else self.values[:, place]

    def columns(self, keys: Sequence[str | Part]) -> NDArray[np.float64]:
        """Return the columns of several keys, (n, len(keys))."""
        return self.values if tuple(keys) == self.keys else np.stack([self.column(key) for key in keys], axis=1)

    def categories(self) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """Return the texts of the distinct forms and the index of each release's form, (n,).

        Without shapes the form of a release is the list of its released keys in the order of emission: a function of
        the release alone, independent of other columns in the sample.
        """
        if self.shapes is not None and self.shape_index is not None:
            return self.shapes, self.shape_index
        if len(self.keys) > WIDEST_PATTERN:
            rows, index = np.unique(self._packed(), axis=0, return_inverse=True)
            return self._row_names(rows), index.reshape(-1).astype(np.int64)
        codes = self._patterns()
        distinct, index = np.unique(codes, return_inverse=True)
        return self._pattern_names(distinct), index.astype(np.int64)

    @cached_property
    def forms(self) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        """Texts of the distinct forms and their numbers of releases; computed without sorting if possible."""
        if self.shapes is not None and self.shape_index is not None:
            return self.shapes, np.bincount(self.shape_index, minlength=len(self.shapes))
        if len(self.keys) > WIDEST_PATTERN:
            rows, counts = np.unique(self._packed(), axis=0, return_counts=True)
            return self._row_names(rows), counts
        codes = self._patterns()
        if codes.itemsize <= TABLE_BYTES:
            table = np.bincount(codes)
            distinct = np.flatnonzero(table)
            return self._pattern_names(distinct), table[distinct]
        distinct, counts = np.unique(codes, return_counts=True)
        return self._pattern_names(distinct), counts

    def _patterns(self) -> NDArray[np.unsignedinteger[Any]]:
        """Return the NaN pattern of each release as an integer of the smallest sufficient type, (n,)."""
        kind = np.min_scalar_type((1 << len(self.keys)) - 1)
        present = (~np.isnan(self.values)).view(np.uint8)
        codes = np.zeros(len(self), dtype=kind)
        for position in range(len(self.keys)):
            codes |= present[:, position].astype(kind, copy=False) << kind.type(position)
        return codes

    def _packed(self) -> NDArray[np.uint8]:
        """Return the NaN pattern of each release as bytes, (n, bytes), for more columns than an integer holds."""
        return np.packbits(~np.isnan(self.values), axis=1)

    def _row_names(self, rows: NDArray[np.uint8]) -> tuple[str, ...]:
        keys = np.array(self.keys, dtype=object)
        released = np.unpackbits(rows, axis=1, count=len(keys)).astype(bool)
        return tuple(released_keys(keys[row].tolist()) for row in released)

    def _pattern_names(self, codes: NDArray[Any]) -> tuple[str, ...]:
        return tuple(released_keys([k for i, k in enumerate(self.keys) if code >> i & 1]) for code in codes.tolist())


def released_keys(keys: Sequence[str]) -> str:
    """Return the canonical text of a dictionary with the keys in the given order, `{"k0":#}`."""
    return "{" + ",".join(f"{json.dumps(key)}:{NUMBER}" for key in keys) + "}"


def sample_of_outputs(outputs: Sequence[object]) -> Sample:
    """Return the sample of JSON outputs: dictionaries of numbers become columns, other outputs categories by text.

    Args:
        outputs: for each release a dict[str, number], another JSON value, or an exception (its type and message count).
    """
    columns: dict[str, int] = {}
    shapes: dict[str, int] = {}
    index = np.empty(len(outputs), dtype=np.int64)
    rows: list[Mapping[str, float]] = []
    for place, output in enumerate(outputs):
        row: Mapping[str, float] = {}
        if isinstance(output, dict) and all(isinstance(v, int | float) and math.isfinite(v) for v in output.values()):
            row, shape = output, released_keys(list(output))
        elif isinstance(output, BaseException):
            shape = f"{EXCEPTION_PREFIX}{type(output).__name__}: {output}"
        else:
            shape = json.dumps(output, separators=(",", ":"))
        for key in row:
            columns.setdefault(key, len(columns))
        index[place] = shapes.setdefault(shape, len(shapes))
        rows.append(row)
    values = np.full((len(outputs), len(columns)), math.nan)
    for place, row in enumerate(rows):
        for key, value in row.items():
            values[place, columns[key]] = value
    return Sample(tuple(columns), values, tuple(shapes), index)


def concatenate(samples: Sequence[Sample]) -> Sample:
    """Return one sample of all releases, in order; columns and shapes are unions.

    The result keeps the order of emission: if two samples emit their columns in different orders, it has shapes.

    Raises:
        ValueError: `samples` is empty.
    """
    if not samples:
        raise ValueError("expected at least one sample, got none")
    first = samples[0]
    if all(s.keys == first.keys and s.shapes is None for s in samples):
        return Sample(first.keys, np.concatenate([s.values for s in samples]))
    keys = tuple(dict.fromkeys(key for s in samples for key in s.keys))
    values = np.concatenate([s.columns(keys) for s in samples])
    shapes: dict[str, int] = {}
    pieces = []
    for s in samples:
        names, index = s.categories()
        pieces.append(np.array([shapes.setdefault(name, len(shapes)) for name in names], dtype=np.int64)[index])
    return Sample(keys, values, tuple(shapes), np.concatenate(pieces))
