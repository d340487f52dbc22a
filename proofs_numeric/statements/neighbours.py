"""Neighbours: which two histograms are compared, in which direction, and what a claim about privacy says of them.

A claim about privacy owns both: its adjacency (who is a neighbour of whom) and its worst-case neighbours, as data. A
mechanism, a fault and somebody's file that are audited against the claim are all audited on these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from proofs_numeric.statements.adjacency import Adjacency
from proofs_numeric.statements.releases import Release

MOST_CHANGED_KEYS = 500
"""Worst cases of a claim for users with more keys than this have this many: histograms stay small enough to sample."""


class Direction(StrEnum):
    """Which histogram plays P and which Q in sup_S P(S) - e^epsilon Q(S)."""

    FORWARD = "forward"
    """P is the law on `left`, Q the law on `right`."""
    BACKWARD = "backward"
    """P is the law on `right`, Q the law on `left`."""


@dataclass(frozen=True)
class Neighbours:
    """Two neighbouring histograms, and what they expose.

    Attributes:
        id: name within the claim, e.g. `wc3`.
        left: key -> count; by convention the histogram with the user's contribution.
        right: key -> count; the histogram without it.
        description: what the neighbours expose, one sentence.

    """

    id: str
    left: Mapping[str, int]
    right: Mapping[str, int]
    description: str = ""

    @property
    def changes(self) -> dict[str, tuple[int, int]]:
        """Key -> (count on the left, count on the right), for the keys whose counts differ, in the order of names."""
        counts = {key: (self.left.get(key, 0), self.right.get(key, 0)) for key in sorted({*self.left, *self.right})}
        return {key: (here, there) for key, (here, there) in counts.items() if here != there}

    def with_keys(self, keys: Sequence[str]) -> Neighbours | None:
        """Return the neighbours with these keys for their own, in order; None where the keys do not suffice."""
        names = sorted({*self.left, *self.right})
        if len(names) > len(keys):
            return None
        name = dict(zip(names, keys, strict=False))
        left, right = ({name[key]: count for key, count in side.items()} for side in (self.left, self.right))
        return replace(self, left=left, right=right)


@dataclass(frozen=True)
class Always:
    """What is one value, whatever the parameters."""

    value: Any

    def __call__(self, _parameters: Mapping[str, Any]) -> Any:
        return self.value

    at = __call__


@dataclass(frozen=True)
class ByParameters:
    """The adjacency whose bounds are parameters of the claim, by name: the whole part of each, and 1 unless given.

    The kernel compares such an adjacency with a release at all parameters. It refuses code, which it cannot read.
    """

    kind: type[Any]
    bounds: Mapping[str, str]
    """Field of the adjacency -> name of the parameter."""
    fixed: Mapping[str, int] = field(default_factory=dict)
    """Field of the adjacency -> value."""

    def __call__(self, parameters: Mapping[str, Any]) -> Any:
        whole = {name: int(Fraction(parameters.get(name, 1))) for name in self.bounds.values()}
        return self.at(whole)

    def at(self, values: Mapping[str, Any]) -> Any:
        """The adjacency with these values themselves for its bounds."""
        return self.kind(**{part: values.get(name, 1) for part, name in self.bounds.items()}, **self.fixed)


def as_given(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all values as parameters of the claim."""
    return dict(values), {}


@dataclass(frozen=True)
class Privacy:
    """What a claim about privacy speaks of: who are neighbours, and which of them are the worst known.

    Attributes:
        adjacency: parameters of the claim (epsilon only where it is calibrated at one) -> the neighbouring relation.
        worst_cases: the same -> neighbours under that relation, at least one, those with the largest known delta
            among them. Parameters that place counts and are none of the claim's (tau, where only the gap counts) have
            defaults. ValueError where a calibration has no finite answer to place them by.
        reads: what a caller gives, by name -> (parameters of the claim, parameters that only place its neighbours).
        any_key: whether other names than those of the worst cases may be keys too: not where names have a form, as
            strings of a fixed length and rounds of a stream do, or the worst cases have all that there are.
        records: whether a key is a record of one user, so that no other change of counts is one user's: an audit tries
            the worst cases alone.
        release: what is released of a histogram. With the adjacency it determines the pairs of laws, with which the
            kernel compares those of a proof. None: no proof about pairs of laws.

    """

    adjacency: Callable[[Mapping[str, Any]], Adjacency]
    worst_cases: Callable[[Mapping[str, Any]], tuple[Neighbours, ...]]
    reads: Callable[[Mapping[str, Any]], tuple[dict[str, Any], dict[str, Any]]] = as_given
    any_key: bool = True
    records: bool = False
    release: Release | None = None

    def __getstate__(self) -> dict[str, Any]:
        # Workers sample; the formulas of a release are the kernel's, and functions without a name do not travel.
        return {**self.__dict__, "release": None}

    def releasing(self, **changes: Any) -> Privacy:
        """Return the same of a release with other fields."""
        if self.release is None:
            raise ValueError("expected a release, got none; give Privacy(release=...)")
        return replace(self, release=replace(self.release, **changes))
