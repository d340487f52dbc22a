"""Neighbouring pairs of rows: many data sets, and one user whose rows are added, removed or replaced.

The order of rows, the place of the user, values, keys and sizes vary. Rows are not assumed to be a set.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice, pairwise, product, takewhile

from auditor.inputs.candidates import CROWDS, MANY_KEYS, Candidate, crowd_sizes, interleaved
from auditor.inputs.data import OTHER_USER, Row, Rows
from auditor.inputs.histograms import COUNT_REMEDY
from auditor.inputs.keys import KEYS_REMEDY, UNUSUAL, alike
from auditor.inputs.values import FINITE, Values
from proofs_numeric.statements.neighbours import Neighbours

SIZES = (1, 2, 5, 20, 100, 400)
"""Numbers of users of the made-up data sets."""
LEAST_POWER, LARGEST_POWER = 9, 17
"""Exponents of the powers of two of further numbers of users."""
LARGEST_DATA = 2**LARGEST_POWER
FEW = 10
"""Number of users below which a data set counts as one of few users."""
LEAST_SHARE, MOST_SHARE = 1024, 4096
"""Least and most users of the largest value among users of the other values, in data of both."""
CROWD = 50
"""Number of users of each key beside a user larger than the declared, and of each of many keys."""
OWN_FAMILY = "own data"
PLACES = ("last", "first", "in the middle", "apart")
"""Places of the one user's rows among the others; apart: evenly between them, if the user has several rows."""
MOST_REMOVED = 64
"""Largest number of users of the data who are removed, one in each pair."""
MOST_KEYS = 3
"""Number of keys in which the user is tried, one at a time."""
MOST_VALUES = 8
"""Number of values of the user's rows in each data set."""
SPECIAL = frozenset({"NaN", "infinity"})
"""Families of values other than finite numbers."""
LARGER = 4
"""Contribution of a larger user, as a multiple of the largest difference of neighbours."""
VALUES_REMEDY = "--values LOW:HIGH gives the range of values in rows (LOW:HIGH,nan includes missing values)"
SIZE_REMEDY = "--c-u gives the most keys of one user, --per-key the most rows of one user in a key"

Entry = tuple[str, float]
"""Key and value of a row of the one user."""


@dataclass(frozen=True)
class RowModel:
    """The known properties of rows.

    Attributes:
        data: the user's data; None if there are none.
        keys: keys that rows may have, at least one.
        values: values that rows may have.
        c_u, per_key: largest number of keys of the one user, and of rows in each.
        replaces: whether the one user is replaced by another, not added or removed.
        declared: whether the caller declared `c_u` and `per_key`; then larger users are not tried.
        seed: seed of the order of the pairs.
        largest: largest number of users of the data or of the declaration.
        limit: largest number of users of a made-up data set; more users than `largest` are beyond the data.
        new_keys: keys with a cell that the data lack, each with its description.
        has_keys: whether the keys are named; otherwise data may have any other keys.
    """

    data: Rows | None
    keys: tuple[str, ...]
    values: Values
    c_u: int
    per_key: int
    replaces: bool
    declared: tuple[bool, bool]
    seed: int
    largest: int = LARGEST_DATA
    limit: int = LARGEST_DATA
    new_keys: Sequence[tuple[str, str]] = ()
    has_keys: bool = True

    def candidates(self) -> Iterator[Candidate]:
        """Yield pairs within the data and the declarations, all data sets in turn."""
        groups = [[*self._around(name, base, family)] for name, base, family in self.bases()]
        if self.data is not None:
            groups.insert(0, [*self._removals(self.data)])
        yield from interleaved([*groups, [*self._crowd_pairs()]], self.seed)

    def _crowd_pairs(self) -> Iterator[Candidate]:
        """Yield pairs of few keys, and of more and more keys; the one user has the first or the last key."""
        keys = self.keys if self.has_keys else tuple(f"k{i}" for i in range(CROWDS[-2]))
        for size, place in product(crowd_sizes(MOST_KEYS, len(keys)), ("first", "last")):
            users = [(f"w{key} {i}", key, self.values.far) for key in keys[:size] for i in range(CROWD)]
            if len(users) < self.largest:
                entries = [(keys[0] if place == "first" else keys[size - 1], self.values.near)]
                name = f"{CROWD} other users in each of {size} keys, one user in the {place}"
                yield self._larger(name, Rows(users), "", entries, "", f"{MANY_KEYS}, {place}", "")

    def bases(self) -> Iterator[tuple[str, Rows, str]]:
        """Yield the data sets that the one user joins, each with its name and its family."""
        far, near = self.values.far, self.values.near
        kinds = {f"values {far:g}": (far,), f"values {near:g}": (near,), "values by turns": (far, near)}
        kinds = kinds if far != near else {"": (far,)}
        kinds |= {f"values {special:g}": (special,) for special in self.values.special}
        if self.data is not None and self.data.rows:
            yield "own data", self.data, OWN_FAMILY
            yield "own data in reverse", Rows(self.data.rows[::-1]), OWN_FAMILY
            for name, values in kinds.items() if far != near else ():
                changed = zip(self.data.rows, cycle(values), strict=False)
                yield (
                    f"own data with {name}",
                    Rows([(user, key, value) for (user, key, _), value in changed]),
                    OWN_FAMILY,
                )
        yield "no other rows", Rows([]), "few other users"
        arrangements = {"in one key": self.keys[:1], "in the last key": self.keys[-1:], "in keys by turns": self.keys}
        sizes = [size for size in SIZES if size < self.limit]
        for size, (where, keys), (name, values) in product(sizes, arrangements.items(), kinds.items()):
            if len(self.keys) == 1 and where != "in one key":
                continue
            rows = [
                (f"w{i}", key, value) for i, key, value in islice(zip(range(size), cycle(keys), cycle(values)), size)
            ]
            family = "few other users" if size < FEW else "many other users"
            yield f"{size} other users {where}" + (name and f", {name}"), Rows(rows), family

    def powers(self) -> Iterator[tuple[int, Candidate]]:
        """Yield 2^k users and pairs in which one of them joins the others, smallest first, up to the most to try.

        The one user has one row, or as many rows as neighbours may differ in, apart from one another.
        """
        many = [(key, self.values.far) for key in self.keys[: self.c_u] for _ in range(self.per_key)]
        for size in (2**exponent for exponent in range(LEAST_POWER, LARGEST_POWER + 1) if 2**exponent <= self.limit):
            yield size, self._of_size(size, self.keys[0], "powers of two")
            if len(many) > 1:
                yield size, self._of_size(size, self.keys[0], "powers of two, rows apart", many, "apart")

    def of_counts(self, counts: Sequence[int]) -> Iterator[Candidate]:
        """Yield pairs of as many users of a key as a number in the target's source, or one more.

        The one user joins last with the key of the others, and first with another key: a limit on rows drops the last.
        """
        some = self._some_keys()
        others = [] if self.replaces else [*pairwise(some[:2])]
        for size in dict.fromkeys(size for number in counts for size in (number, number + 1) if size <= self.limit):
            yield from (self._of_size(size, key, f"number {size}") for key in some)
            for key, other in others:
                yield self._of_size(size, other, f"number {size}, first", [(key, self.values.far)], "first")

    def mixed(self, count: int) -> Rows:
        """Return data in which so many users have the largest value, and others the smallest.

        If a user replaces another, the number of users is `MOST_SHARE`. Otherwise this is half of it and the count.
        """
        others = MOST_SHARE - count if self.replaces else MOST_SHARE // 2
        values = [self.values.low] * others + [self.values.high] * count
        return Rows([(f"w{i}", self.keys[0], value) for i, value in enumerate(values)])

    def of_shares(self, counts: Sequence[int]) -> Iterator[Candidate]:
        """Yield pairs of mixed data that differ in the last of so many users of the largest value."""
        low, high = self.values.low, self.values.high
        for count in counts:
            others = Rows(self.mixed(count).rows[:-1])
            left, other = (placed(others, OTHER_USER, [(self.keys[0], value)], "last") for value in (high, low))
            title = f"{count} of {len(others.rows) + 1} users have {high:g}, the others {low:g}"
            yield self._pair(title, left, other if self.replaces else others, "mixed values")

    def _some_keys(self) -> list[str]:
        return [*dict.fromkeys((*self.keys[: MOST_KEYS - 1], self.keys[-1]))]

    def _of_size(
        self, size: int, key: str, family: str, entries: Sequence[Entry] = (), place: str = "last"
    ) -> Candidate:
        """Return the pair in which one of `size` users of a key joins the others, with one row or with the entries."""
        value = self.values.far
        entries = entries or [(self.keys[-1], self.values.near) if self.replaces else (key, value)]
        others = Rows([(f"w{i}", key, value) for i in range(size - 1)])
        beyond = f"{size} users" if size > self.largest else ""
        name, remedy = f"{size - 1} other users of {key}", COUNT_REMEDY if beyond else ""
        family = ("more users, rows apart" if len(entries) > 1 else "more users") if beyond else family
        more = f" and {len(entries) - 1} rows more" if len(entries) > 1 else ""
        what = f"{entries[0][1]:g} in {entries[0][0]}{more}{'' if place == 'last' else f' {place}'}"
        return self._larger(name, others, what, entries, remedy, family, beyond, place)

    def entries(self) -> Iterator[tuple[str, list[Entry]]]:
        """Yield the possible rows of the one user, each with a name."""
        values = self.values.within()[:MOST_VALUES]
        mixed = values[:2]
        some, (many, *further) = self._some_keys(), self._groups()
        for value in values:
            for key in some:
                yield f"{value:g} in {key}", [(key, value)]
                if self.per_key > 1:
                    yield f"{value:g} in {self.per_key} rows of {key}", [(key, value)] * self.per_key
            if len(many) > 1:
                yield f"{value:g} in {len(many)} keys", [(key, value) for key in many for _ in range(self.per_key)]
        for value, group in product(mixed, further):
            entries = [(key, value) for key in group for _ in range(self.per_key)]
            yield f"{value:g} in {len(group)} keys from {group[0]} to {group[-1]}", entries
        if len(mixed) > 1 and self.per_key * len(many) > 1:
            cells = zip((key for key in many for _ in range(self.per_key)), cycle(mixed), strict=False)
            yield f"{mixed[0]:g} and {mixed[1]:g} by turns", [*cells]

    def _groups(self) -> list[tuple[str, ...]]:
        """Return the groups of keys of a user with the most keys: the first, the last, and those most alike."""
        ordered, most = sorted(self.keys), min(self.c_u, len(self.keys))
        windows = [tuple(ordered[place : place + most]) for place in range(len(ordered) - most + 1)]
        most_alike = max(windows, key=lambda window: _common_start(window[0], window[-1]))
        return [*{frozenset(group): group for group in (self.keys[-most:], most_alike, self.keys[:most])}.values()][
            ::-1
        ]

    def _around(self, name: str, base: Rows, family: str) -> Iterator[Candidate]:
        """Yield pairs of one data set that differ by the one user; in the user's own data, one of its users."""
        is_own = family == OWN_FAMILY
        for who in self._names(base) if is_own else (OTHER_USER,):
            others = Rows([row for row in base.rows if row[0] != who])
            called = f"user {who}" if is_own else "one user"
            for place in PLACES if others.rows else PLACES[:1]:
                sides = [
                    (text, placed(others, who, entries, place))
                    for text, entries in self.entries()
                    if len(entries) > 1 or place != "apart"
                ]
                if self.replaces:
                    for (one, left), (other, right) in pairwise(sides):
                        yield self._pair(f"{name}, {called} {place} with {one} or {other}", left, right, family)
                else:
                    for text, left in sides:
                        yield self._pair(f"{name}, {called} {place} with {text}", left, others, family)

    @staticmethod
    def _pair(title: str, left: Rows, right: Rows, family: str) -> Candidate:
        return Candidate(Neighbours(title, left, right), family)

    def _names(self, base: Rows) -> list[str]:
        """Return the users whose rows are replaced: the last, the first and one between."""
        users = [*base.shares]
        return [*dict.fromkeys((users[-1], users[0], users[len(users) // 2]))]

    def _removals(self, data: Rows) -> Iterator[Candidate]:
        """Yield the user's data with and without each user within the limits of the relation."""
        if self.replaces:
            return
        allowed = [
            u for u, shares in data.shares.items() if len(shares) <= self.c_u and max(shares.values()) <= self.per_key
        ]
        for user in allowed[:: max(1, -(-len(allowed) // MOST_REMOVED))]:
            rest = Rows([row for row in data.rows if row[0] != user])
            yield self._pair(f"own data without user {user}", data, rest, "removals")

    def alike(self, *, opened: bool) -> Iterator[Candidate]:
        """Yield pairs in which one user has keys that a target may take for one: beyond data with keys of their own.

        Args:
            opened: whether data may have other keys than those that the target knows.
        """
        for name, keys in alike(self.keys):
            within = {*keys} <= {*self.keys}
            beyond = name if not within and (self.data is not None or name in UNUSUAL) else ""
            few = min(FEW, self.limit - 1)
            others = Rows([(f"w{i}", key, self.values.far) for i in range(few) for key in keys])
            first = Rows([row for row in others.rows if row[1] == keys[0]])
            bases = [("no other rows", Rows([])), (f"{few} other users in both", others), (f"{few} in one", first)]
            bases += [] if self.data is None else [("own data", self.data)]
            parts = dict.fromkeys((keys[: self.c_u], keys[:1], keys[1 : self.c_u + 1])) if opened or within else ()
            for (called, base), some in product(bases, parts):
                entries = [(key, self.values.far) for key in some for _ in range(self.per_key)]
                yield self._larger(
                    called, base, f"{name}, in {len(some)}", entries, beyond and KEYS_REMEDY, "keys alike", beyond
                )

    def beyond(self) -> Iterator[Candidate]:
        """Yield pairs with values and users outside the data and the declarations."""
        one = Rows([("w0", self.keys[0], self.values.far)] if self.limit > 1 else [])
        bases = [("no other rows", Rows([])), ("one other user", one)]
        if self.data is not None and self.data.rows:
            bases.append(("own data", self.data))
        keys, rows = LARGER * self.c_u, LARGER * self.per_key
        names = [*dict.fromkeys((*self.keys, *(f"k{i}" for i in range(keys))))][: max(keys, len(self.keys))]
        many = min(CROWD, self.limit - 1)
        crowd = Rows([(f"w{i}", key, self.values.far) for i in range(many) for key in names])  # hides keys of the user
        for name, base in [*bases, (f"{many} other users in each key", crowd)]:
            for kind, value in self.values.beyond():
                text = kind if kind != FINITE else f"a value of {value:g}"
                yield self._larger(name, base, f"{text}", [(self.keys[0], value)], VALUES_REMEDY, kind)
            for what, key in self.new_keys:
                family = "no cell" if what.startswith("no cell") else "a new cell"
                yield self._larger(name, base, what, [(key, self.values.far)], KEYS_REMEDY, family)
            if not self.declared[0]:
                entries = [(key, self.values.far) for key in names[:keys]]
                yield self._larger(name, base, f"a user in {keys} keys", entries, SIZE_REMEDY, "more keys")
            if not self.declared[1]:
                entries = [(self.keys[0], self.values.far)] * rows
                yield self._larger(name, base, f"a user of {rows} rows in one key", entries, SIZE_REMEDY, "more rows")

    def _larger(
        self,
        name: str,
        base: Rows,
        what: str,
        entries: Sequence[Entry],
        remedy: str,
        family: str,
        beyond: str | None = None,
        place: str = "last",
    ) -> Candidate:
        """Return the pair of a data set with and without a user; `what` is beyond unless `beyond` states another."""
        left = placed(base, OTHER_USER, entries, place)
        right = placed(base, OTHER_USER, [(self.keys[0], self.values.far)], "last") if self.replaces else base
        return Candidate(
            Neighbours(f"{name} and {what}", left, right), family, what if beyond is None else beyond, remedy
        )


def _common_start(one: str, other: str) -> int:
    """Return the number of characters with which both texts begin."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def placed(others: Rows, user: str, entries: Sequence[Entry], place: str) -> Rows:
    """Return the rows with one user's rows at a place of `PLACES`."""
    rows: list[Row] = [(user, key, value) for key, value in entries]
    size, n = len(others.rows), len(rows)
    match place:
        case "apart":
            return merged(others.rows, rows, [size * i // max(1, n - 1) for i in range(n)])
        case _:
            return merged(others.rows, rows, [{"first": 0, "last": size, "in the middle": size // 2}[place]] * n)


def merged(others: Sequence[Row], rows: Sequence[Row], places: Sequence[int]) -> Rows:
    """Return the rows of others with one user's rows, each before the other row of its place; places rise."""
    result: list[Row] = []
    for row, start, end in zip(rows, (0, *places), places, strict=False):
        result += [*others[start:end], row]
    return Rows([*result, *others[places[-1] :]])
