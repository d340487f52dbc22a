"""The user's own data, a histogram or rows of users, and neighbours made from them.

A target of rows gets rows of (user, partition, value). In a histogram that the audit makes, every user has one row in
one partition, except the user by whom neighbours differ. In half of the searched neighbours, users have as many
partitions as the relation allows: what a target keeps of one partition may depend on the others.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial

from auditor.errors import UsageError
from proofs_numeric.statements.adjacency import Adjacency
from proofs_numeric.statements.neighbours import Neighbours

Row = tuple[str, str, float]
"""User, partition, value."""
OTHER_USER = "one more user"


class Rows(Mapping[str, int]):
    """Rows of users, also a histogram: partition -> number of its users."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = tuple(rows)
        self._users = Counter(partition for _, partition in dict.fromkeys((user, part) for user, part, _ in self.rows))

    def __getitem__(self, partition: str) -> int:
        return self._users[partition] if partition in self._users else self._missing(partition)

    def __iter__(self) -> Iterator[str]:
        return iter(self._users)

    def __len__(self) -> int:
        return len(self._users)

    @cached_property
    def shares(self) -> dict[str, Counter[str]]:
        """Return the number of rows of each user in each partition."""
        counts: dict[str, Counter[str]] = {}
        for user, partition, _ in self.rows:
            counts.setdefault(user, Counter())[partition] += 1
        return counts

    @property
    def together(self) -> int:
        """Return the largest number of partitions of a user that both neighbours have; 1 if there is no such user."""
        return max((len(partitions) for user, partitions in self.shares.items() if user != OTHER_USER), default=1)

    @property
    def reach(self) -> tuple[int, int]:
        """Return the most partitions of one user and the most rows of one user in a partition; (1, 1) without rows."""
        shares = self.shares.values()
        return max(map(len, shares), default=1), max((max(each.values()) for each in shares), default=1)

    @property
    def value_ends(self) -> tuple[float, float]:
        """Return the least and the largest finite value of a row; (1, 1) without rows."""
        values = [value for *_, value in self.rows if math.isfinite(value)] or [1.0]
        return min(values), max(values)

    @property
    def special_values(self) -> tuple[float, ...]:
        """Return NaN and the infinities among the values of rows, each once."""
        special = [value for *_, value in self.rows if not math.isfinite(value)]
        infinite = {value for value in special if math.isinf(value)}
        return (*sorted(infinite), *([math.nan] if any(map(math.isnan, special)) else []))

    def __eq__(self, other: object) -> bool:
        return self.rows == other.rows if isinstance(other, Rows) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.rows)

    @staticmethod
    def _missing(partition: str) -> int:
        raise KeyError(partition)


Data = Rows | dict[str, int]


def renamed(side: Mapping[str, int], names: Mapping[str, str]) -> Rows | dict[str, int]:
    """Return a histogram, or rows of the same users, with some keys renamed."""
    if isinstance(side, Rows):
        return Rows([(user, names.get(partition, partition), value) for user, partition, value in side.rows])
    return {names.get(key, key): count for key, count in side.items()}


def left_out(data: Data | None, adjacency: Adjacency) -> str | None:
    """Return a note on users of the data who exceed the relation's limits; None if there are none."""
    if not isinstance(data, Rows):
        return None
    shares = data.shares.values()
    more = sum(len(counts) > adjacency.most_changed or max(counts.values()) > adjacency.per_key for counts in shares)
    if not more:
        return None
    who = f"{more} of the {len(shares)} users of the data"
    return (
        f"{who} have more keys or larger counts than neighbours may differ in ({adjacency}): outputs that depend on "
        "the excess are not tested"
    )


def as_rows(left: Mapping[str, int], right: Mapping[str, int], value: float = 1.0, each: int = 1) -> tuple[Rows, Rows]:
    """Return two histograms as rows of one value: one user holds the difference, the others up to `each` partitions."""
    common = {key: min(count, right.get(key, 0)) for key, count in left.items()}
    others = []
    for i in range(max(common.values(), default=0)):
        keys = [key for key, count in common.items() if count > i]
        others += [(f"{keys[n - n % each]} {i}", key, value) for n, key in enumerate(keys)]
    differing = (
        [(OTHER_USER, key, value) for key, count in side.items() for _ in range(count - common.get(key, 0))]
        for side in (left, right)
    )
    first, second = (Rows([*others, *rows]) for rows in differing)
    return first, second


def ends_of(data: Data | None, values: Sequence[float] | None) -> tuple[float, float]:
    """Return the declared ends of the values of rows, or those of the data; the end further from 0 is last."""
    ends = values[:2] if values else data.value_ends if isinstance(data, Rows) else (1.0, 1.0)
    near, far = sorted(ends, key=abs)
    return near, far


def own_neighbours(data: Data, adjacency: Adjacency, values: Sequence[float] | None = None) -> tuple[Neighbours, ...]:
    """Return neighbours made from the user's data under a relation, with the rarest and the commonest keys.

    The neighbours have one user more, with as much as the relation allows; one user less; or one user in another key,
    with the same and with another value. In rows, the user who leaves is one of the data, with all rows. Rows of the
    added user have the declared value furthest from 0, or that of the data.
    """
    keys = sorted(data, key=lambda key: (data[key], key))
    if not keys:
        raise UsageError("expected a dataset with at least one key, got none")
    most, unit = adjacency.most_changed, adjacency.per_key
    rarest, commonest = keys[:1], keys[-1:]
    groups = {"the rarest key": rarest, "the commonest key": commonest}
    if most > 1:
        groups |= {"the rarest keys": keys[:most], "the commonest keys": keys[-most:]}
    near, far = ends_of(data, values)
    more = partial(with_user, data, unit=unit, value=far)
    pairs = [(f"own data, one more user in {name}", more(some), data) for name, some in groups.items()]
    pairs += [
        (f"own data without {who}", data, rest)
        for who, rest in (_leavers(data, most, unit) if isinstance(data, Rows) else _lowered(data, groups, unit))
    ]
    pairs.append(("own data, one user moves", more(rarest), more(commonest)))
    if near != far:
        pairs.append(("own data, one user moves to another value", more(rarest), more(commonest, value=near)))
    return tuple(Neighbours(*pair) for pair in pairs if related(adjacency, *pair[1:]))


def with_user(data: Data, keys: Sequence[str], unit: int, value: float) -> Data:
    """Return the data with one more user, `unit` times in each of the keys; rows get the value."""
    if isinstance(data, Rows):
        return Rows([*data.rows, *((OTHER_USER, key, value) for key in keys for _ in range(unit))])
    return {**data, **{key: data.get(key, 0) + unit for key in keys}}


def _lowered(
    data: Mapping[str, int], groups: Mapping[str, Sequence[str]], unit: int
) -> Iterator[tuple[str, dict[str, int]]]:
    for name, some in groups.items():
        fewer = {key: count - min(unit, count) * (key in some) for key, count in data.items()}
        yield f"one user in {name}", {key: count for key, count in fewer.items() if count}


def _leavers(data: Rows, most: int, unit: int) -> Iterator[tuple[str, Rows]]:
    """Yield users within the limits of the relation: in the rarest, in the commonest, and in the most partitions."""
    shares = data.shares
    allowed = [user for user, counts in shares.items() if len(counts) <= most and max(counts.values()) <= unit]
    chosen = {
        "a user in the rarest partition": min(allowed, key=lambda u: min(data[p] for p in shares[u]), default=None),
        "a user in the commonest partition": max(allowed, key=lambda u: max(data[p] for p in shares[u]), default=None),
        "the user in the most partitions": max(allowed, key=lambda u: len(shares[u]), default=None),
    }
    for who, user in {user: who for who, user in reversed(chosen.items())}.items():
        if who is not None:
            yield user, Rows([row for row in data.rows if row[0] != who])


def related(adjacency: Adjacency, left: Mapping[str, int], right: Mapping[str, int]) -> bool:
    """Return whether the two are neighbours."""
    try:
        adjacency.check(left, right)
    except ValueError:
        return False
    return True
