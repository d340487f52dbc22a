"""Histograms: how many users are in each group, and how to get one from records with C_u enforced in advance."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from numbers import Integral
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Histogram = Mapping[str, int]
"""Number of users by key. A key that is absent has count 0; a key with count 0 is the same as an absent one."""
Released = tuple[tuple[str, ...], "NDArray[np.float64]"]
"""Releases: the columns' keys, and an array of a row a release, NaN where a key is not in it."""


class Counts(Mapping[str, int]):
    """A histogram that was checked and put in order once, and does not change.

    Where keys are many, looking at each takes longer than drawing its noise: what is released again and again is made
    one of these first.

    Attributes:
        names: the keys in order.
        largest: the largest count (users); 0 where there is none.

    Raises:
        ValueError: it is no histogram (`validate`).
    """

    def __init__(self, histogram: Histogram) -> None:
        validate(histogram)
        self._count_of = dict(histogram)
        self.names = tuple(sorted(self._count_of))
        self.largest = max(self._count_of.values(), default=0)

    @cached_property
    def array(self) -> NDArray[np.float64]:
        """Counts in the order of the names, read-only; what 2^53 or more loses in a double is lost."""
        import numpy as np

        counts = np.fromiter(map(self._count_of.__getitem__, self.names), np.float64, len(self.names))
        counts.flags.writeable = False
        return counts

    def __getitem__(self, key: str) -> int:
        return self._count_of[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def validate(histogram: Histogram) -> None:
    """Refuse anything that is not a histogram of users.

    Raises:
        ValueError: one line naming the key, the value and what is allowed.
    """
    check_mapping(histogram)
    if isinstance(histogram, Counts) or _is_plain(histogram):
        return
    for key, count in histogram.items():
        if not (isinstance(key, str) and key):
            raise ValueError(f"expected keys that are non-empty strings, got {key!r}; name the groups by strings")
        if not _is_integer(count) or count < 0:
            raise ValueError(f"expected an integer count >= 0 (users) for key {key!r}, got {count!r}")


def _is_plain(histogram: Histogram) -> bool:
    """Whether keys are `str` and counts `int`, as allowed: told without a step of the interpreter for each key."""
    counts = histogram.values()
    kinds = {*map(type, histogram)} <= {str} and {*map(type, counts)} <= {int}
    return kinds and "" not in histogram and min(counts, default=0) >= 0


def check_mapping(histogram: object) -> None:
    """Refuse what is no mapping.

    Raises:
        ValueError: it is a list of counts, say.
    """
    if not isinstance(histogram, Mapping):
        raise ValueError(  # noqa: TRY004 - every histogram that is none is refused alike
            f"expected a histogram, a mapping of keys to counts such as {{'a': 3}}, got {type(histogram).__name__}"
        )


def column(name: str, key: str) -> str:
    """The key under which a release of several columns shows one of them: no two pairs of column and key share one.

    Names hold no "/": what stands before the first one is the column.
    """
    return f"{name}/{key}"


def check_releases(n: object) -> None:
    """Refuse what is no number of releases.

    Raises:
        ValueError: n is not an integer >= 0.
    """
    if not isinstance(n, Integral) or isinstance(n, bool) or n < 0:
        raise ValueError(f"expected an integer n >= 0 (releases), got n={n!r}")


def aggregate(records: Iterable[tuple[str, str]], *, c_u: int) -> dict[str, int]:
    """Histogram of (user, key) records; repeated records of a user in one group count once.

    Args:
        records: (user, key) pairs, in any order.
        c_u: most keys one user may touch; fixed before the data are seen.

    Raises:
        ValueError: a user touches more than c_u keys. The bound is not raised to fit: C_u would depend on the data.
    """
    keys_of = _keys_by_user(records, c_u=c_u)
    for user, keys in keys_of.items():
        if len(keys) > c_u:
            raise ValueError(
                f"expected at most c_u={c_u} rows for each user, got {len(keys)} rows for user {user!r}; "
                "apply mechanisms.histogram.truncate first"
            )
    return dict(Counter(key for keys in keys_of.values() for key in sorted(keys)))


def truncate(records: Iterable[tuple[str, str]], *, c_u: int, salt: str = "") -> list[tuple[str, str]]:
    """Keep at most c_u distinct keys of each user, chosen without looking at any other user.

    The keys kept are the first c_u in the order of SHA-256(salt, user, key): a function of this user's own records and
    of a salt fixed in advance, so adding or removing a user changes nothing for the others. The result is sorted.

    Args:
        records: (user, key) pairs.
        c_u: most keys a user keeps, at least 1; fixed before the data are seen.
        salt: public constant of the deployment.
    """
    bounded_records = [
        (user, key)
        for user, keys in _keys_by_user(records, c_u=c_u).items()
        for key in sorted(keys, key=partial(_rank, salt, user))[:c_u]
    ]
    return sorted(bounded_records)


def _keys_by_user(records: Iterable[tuple[str, str]], *, c_u: int) -> dict[str, set[str]]:
    if not _is_integer(c_u) or c_u < 1:
        raise ValueError(f"expected an integer c_u >= 1 (rows), got c_u={c_u!r}")
    keys_of: dict[str, set[str]] = {}
    for record in records:
        if isinstance(record, str) or len(record) != 2:
            raise ValueError(f"expected records that are pairs (user, key), got {record!r}")
        user, key = record
        keys_of.setdefault(user, set()).add(key)
    return keys_of


def _is_integer(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def _rank(salt: str, user: str, key: str) -> bytes:
    # Each part is length-prefixed: ("ab", "c") and ("a", "bc") must not collide.
    return hashlib.sha256(
        b"".join(len(part.encode()).to_bytes(8) + part.encode() for part in (salt, user, key))
    ).digest()


def users_of(records: Histogram) -> tuple[dict[str, int], list[tuple[str, ...]]]:
    """Return how many users have a key alone, and the keys of each other user.

    A key `user/key` is a record of that user; a plain key counts users who have it alone.
    """
    alone: dict[str, int] = {}
    users: dict[str, list[str]] = defaultdict(list)
    for record, count in sorted(records.items()):
        user, slash, key = record.partition("/")
        if count and slash:
            users[user].append(key)
        elif count:
            alone[record] = count
    return alone, [tuple(keys) for keys in users.values()]
