"""Between which neighbours a guarantee holds; each adjacency is able to check two histograms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol


class Adjacency(Protocol):
    """Who is a neighbour of whom."""

    @property
    def most_changed(self) -> int:
        """Most keys whose count differs between neighbours."""

    @property
    def per_key(self) -> int:
        """Most by which one count differs."""

    def check(self, left: Mapping[str, int], right: Mapping[str, int]) -> None:
        """Raise ValueError, naming the broken rule, unless the histograms are neighbours."""


def _reach(keys: int, each: int, unit: str = "key") -> str:
    """`in one key`, `in at most 4 keys, by at most 2 in each`."""
    where = f"in one {unit}" if keys == 1 else f"in at most {keys:,} {unit}s"
    return where if each == 1 else f"{where}, by at most {each:,} in each"


def _difference(left: Mapping[str, int], right: Mapping[str, int]) -> dict[str, int]:
    keys = sorted(set(left) | set(right))
    return {key: change for key in keys if (change := left.get(key, 0) - right.get(key, 0))}


@dataclass(frozen=True)
class AddRemoveUser:
    """One user added or removed, who holds at most ``per_key`` in each of at most ``c_u`` keys (all of one sign).

    Source: wilkins2024 Definition 2.1 and Section 3 (``per_key = 1``); rogers2024 (``c_u`` = Delta_0,
    ``per_key`` = Delta_infinity).
    """

    c_u: int
    per_key: int = 1

    def __str__(self) -> str:
        return f"one user more or less, {_reach(self.c_u, self.per_key)}"

    @property
    def most_changed(self) -> int:
        return self.c_u

    def check(self, left: Mapping[str, int], right: Mapping[str, int]) -> None:
        """Raise ValueError, naming the broken rule, unless the histograms are neighbours."""
        difference = _difference(left, right)
        if not difference:
            raise ValueError("expected neighbours that differ, got two equal histograms; change the counts of one user")
        if min(difference.values()) < 0 < max(difference.values()):
            raise ValueError(
                f"expected one user added or removed (all changes of one sign), got changes {difference}; "
                "make one histogram at least the other in every key"
            )
        if max(map(abs, difference.values())) > self.per_key:
            raise ValueError(f"expected each count to change by at most {self.per_key}, got changes {difference}")
        if len(difference) > self.c_u:
            raise ValueError(
                f"expected at most c_u={self.c_u} changed keys, got {len(difference)}: {sorted(difference)}"
            )


@dataclass(frozen=True)
class SparseMonotone:
    """Histograms with at most ``k`` non-zero counters that differ by one of one sign (lebeda2025 Definition 9).

    Where a user has at most ``c_u`` counters, in at most so many.
    """

    k: int
    c_u: int | None = None

    def __str__(self) -> str:
        return f"at most {self.k} keys each, counts differ by one, all one way, {_reach(self.most_changed, 1)}"

    @property
    def most_changed(self) -> int:
        return self.k if self.c_u is None else self.c_u  # changes of one sign: all in the support of one side

    @property
    def per_key(self) -> int:
        return 1

    def check(self, left: Mapping[str, int], right: Mapping[str, int]) -> None:
        """Raise ValueError, naming the broken rule, unless the histograms are neighbours."""
        for side, histogram in (("left", left), ("right", right)):
            support = sum(count != 0 for count in histogram.values())
            if support > self.k:
                raise ValueError(f"expected at most k={self.k} non-zero counters, got {support} on the {side}")
        AddRemoveUser(c_u=self.c_u or max(1, 2 * self.k)).check(left, right)


@dataclass(frozen=True)
class ReplaceUser:
    """One user replaced by another, each with at most ``per_key`` in each of at most ``c_u`` keys, and in one at least.

    With the defaults one user's single item is replaced (bharadwaj2022 Section 2): one count down by one, one up by
    one.
    """

    c_u: int = 1
    per_key: int = 1

    def __str__(self) -> str:
        return f"one user for another, each {_reach(self.c_u, self.per_key)}"

    @property
    def most_changed(self) -> int:
        return 2 * self.c_u

    def check(self, left: Mapping[str, int], right: Mapping[str, int]) -> None:
        """Raise ValueError, naming the broken rule, unless the histograms are neighbours."""
        difference = _difference(left, right)
        down, up = ([v for v in difference.values() if sign * v > 0] for sign in (1, -1))
        most = max(map(abs, difference.values()), default=0)
        if not (1 <= len(down) <= self.c_u and 1 <= len(up) <= self.c_u and most <= self.per_key):
            raise ValueError(
                f"expected from 1 to {self.c_u} counts down and as many up, each by at most {self.per_key}, got "
                f"changes {difference}"
            )


@dataclass(frozen=True)
class EachAnswer:
    """At most ``c_u`` answers move, each by at most ``per_key`` and any way: queries of that sensitivity."""

    c_u: int
    per_key: int = 1

    def __str__(self) -> str:
        return f"each answer moved either way, {_reach(self.c_u, self.per_key, 'answer')}"

    @property
    def most_changed(self) -> int:
        return self.c_u

    def check(self, left: Mapping[str, int], right: Mapping[str, int]) -> None:
        """Raise ValueError, naming the broken rule, unless the histograms are neighbours."""
        difference = _difference(left, right)
        if not 1 <= len(difference) <= self.c_u or max(map(abs, difference.values())) > self.per_key:
            raise ValueError(
                f"expected from 1 to {self.c_u} answers that move, each by at most {self.per_key}, got changes "
                f"{difference}"
            )


# --- streams ----------------------------------------------------------------------------------------------------------


def stream_key(round_: int, item: str) -> str:
    """Key of an item at a round (1, 2, ...): a stream is a histogram over such keys."""
    return f"{round_}/{item}"


def encode(rounds: Iterable[Mapping[str, int] | Iterable[str]]) -> dict[str, int]:
    """A stream of histograms, or of events (sets of items), as one histogram."""
    encoded: dict[str, int] = {}
    for index, items in enumerate(rounds, start=1):
        counts = dict(items) if isinstance(items, Mapping) else dict.fromkeys(items, 1)
        encoded |= {stream_key(index, item): count for item, count in counts.items()}
    return encoded


@dataclass(frozen=True)
class EventLevel:
    """Streams that differ in one round's event, all items added or all removed (rogers2024 Theorem 11)."""

    delta_0: int

    def __str__(self) -> str:
        return f"one event more or less, {_reach(self.delta_0, 1)} of one round"

    @property
    def most_changed(self) -> int:
        return self.delta_0

    @property
    def per_key(self) -> int:
        return 1

    def check(self, left: Mapping[str, int], right: Mapping[str, int]) -> None:
        """Raise ValueError, naming the broken rule, unless the streams are neighbours."""
        changes = _difference(left, right)
        if not changes:
            raise ValueError("expected streams that differ in one event, got two equal streams")
        if len({key.partition("/")[0] for key in changes}) > 1:
            raise ValueError(f"expected changes in one round only, got changes in {sorted(changes)}")
        if min(changes.values()) < 0 < max(changes.values()) or max(map(abs, changes.values())) > 1:
            raise ValueError(f"expected one event added or removed, got changes {changes}")
        if len(changes) > self.delta_0:
            raise ValueError(f"expected at most delta_0={self.delta_0} items in the event, got {len(changes)}")
