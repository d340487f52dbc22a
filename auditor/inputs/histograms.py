"""Neighbouring pairs of histograms: counts of all sizes, powers of two among them, and answers that move either way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from auditor.inputs.candidates import CROWDS, MANY_KEYS, Candidate, crowd_sizes, interleaved
from auditor.inputs.data import related
from auditor.inputs.keys import KEYS_REMEDY, UNUSUAL, alike
from proofs_numeric.statements.adjacency import Adjacency, EachAnswer, ReplaceUser
from proofs_numeric.statements.neighbours import Neighbours

COUNTS = (1, 2, 3, 5, 10, 40, 200, 1000)
LEAST_POWER, FEW, LARGEST_POWER = 7, 20, 33
"""Exponents of the powers of two up to which counts are tried: 2^20 for every target, 2^33 if a release of a large
count takes no longer."""
PRECISIONS = ((24, LARGEST_POWER), (11, 15))
"""Binary digits of numbers in single and in half precision, each with the largest exponent tried."""
FAR_ABOVE = 40
"""Difference of the one answer that moves against the others from these."""
MOST_KEYS = 6
"""Number of keys of a pair if no keys are named."""
MOST_ALONE = 12
"""Largest number of named keys whose count alone passes powers of two."""
COUNT_REMEDY = "--largest-count gives the most users of an invented input"
ZERO_REMEDY = "--dataset with a count of 0 includes such data, a ValueError for a count of 0 excludes them"


@dataclass(frozen=True)
class HistogramModel:
    """The known properties of histograms.

    Attributes:
        keys: keys that the target knows; k0, k1, ... if none are named.
        has_keys: whether the keys are named; otherwise keys are interchangeable.
        adjacency: neighbouring relation.
        largest: largest number of users of the data or of the declaration.
        seed: seed of the order of the pairs.
        limit: largest number of users to try; more users than `largest` are beyond the data.
    """

    keys: tuple[str, ...]
    has_keys: bool
    adjacency: Adjacency
    largest: int
    seed: int
    limit: int = 2**LARGEST_POWER

    @property
    def moves(self) -> bool:
        """Return whether some keys may rise while others fall."""
        return isinstance(self.adjacency, EachAnswer)

    def candidates(self) -> Iterator[Candidate]:
        """Yield the pairs to try, all families in turn."""
        groups = [[*self._levels(few)] for few in self._sets()]
        yield from interleaved([*groups, [*self._one_against_others()], [*self._crowd_pairs()]], self.seed)

    def of_code(self, texts: Sequence[str]) -> Iterator[Candidate]:
        """Yield pairs in which one user has a key that the target's source knows, alone and beside other keys."""
        others = tuple(key for key in self.keys if key not in texts)[: MOST_KEYS - 1]
        for text, rest, count in product(texts, ({}, dict.fromkeys(others, 40)), (1, 40)):
            name = f"count {count} beside {len(rest)} other keys"
            yield from self._moved(name, {text: count, **rest}, [text], f"key of the code: {text}")

    def of_counts(self, counts: Sequence[int]) -> Iterator[Candidate]:
        """Yield pairs whose count is a number in the target's source, or one more."""
        for number, key in product(counts, self.keys[:MOST_KEYS]):
            for count in (number, number + 1):
                beyond = f"{count} users" if count > self.largest else ""
                for one in self._moved(f"count {count} of the code", {key: count}, (key,), f"number {number}"):
                    yield replace(one, beyond=beyond, remedy=COUNT_REMEDY if beyond else "")

    def zeros(self, *, beyond: bool) -> Iterator[Candidate]:
        """Yield pairs in which a key stays with a count of 0, alone and beside other keys.

        Args:
            beyond: whether a count of 0 is beyond the data.
        """
        for keys in self._sets():
            changed = keys[: self.adjacency.most_changed]
            left = {key: 1 if key in changed else 40 for key in keys}
            right = {key: count - (key in changed) for key, count in left.items()}
            if sum(left.values()) <= self.limit and related(self.adjacency, left, right):
                pair = Neighbours(f"{len(changed)} of {len(keys)} keys with a count of 0", left, right)
                yield Candidate(pair, "count of 0", "a count of 0" if beyond else "", ZERO_REMEDY if beyond else "")

    def alike(self, *, opened: bool, beyond: bool) -> Iterator[Candidate]:
        """Yield pairs in which one user has keys that a target may take for one.

        Args:
            opened: whether data may have other keys than those that the target knows.
            beyond: whether other keys are beyond the data.
        """
        for name, keys in alike(self.keys):
            within = {*keys} <= {*self.keys}
            outside = name if not within and (beyond or name in UNUSUAL) else ""
            for some, count in product((keys, keys[:1], keys[1:]) if opened or within else (), (1, 40)):
                for one in self._moved(f"{name}, count {count}", dict.fromkeys(some, count), some, "keys alike"):
                    yield replace(one, beyond=outside, remedy=KEYS_REMEDY if outside else "")
            for place, order in (("last", keys[:2]), ("first", keys[1::-1])) if opened or within else ():
                base = {key: 1 if key == keys[1] else 40 for key in order}
                for one in self._moved(f"{name}, new key {place}", base, keys[1:2], "keys alike, one new"):
                    yield replace(one, beyond=outside, remedy=KEYS_REMEDY if outside else "")

    def powers(self, least: int, most: int) -> Iterator[Candidate]:
        """Yield pairs in which a count, or a sum of several, passes a power of two between 2^`least` and 2^`most`."""
        alone = ((key,) for key in self.keys[:MOST_ALONE] if self.has_keys)
        sets = [*dict.fromkeys((*self._sets(), *alone))]
        for exponent in range(least, most + 1):
            for keys in sets:
                each, rest = divmod(2**exponent, len(keys))
                if each > 1:
                    name = f"counts that sum to 2^{exponent} in {len(keys)} of the keys"
                    base = {key: each + (rest if place == 0 else 0) for place, key in enumerate(keys)}
                    yield from self._of_size(name, base, keys[:1], "powers of two", f"2^{exponent} users")

    def roundings(self, least: int, most: int) -> Iterator[Candidate]:
        """Yield pairs between which a count in single or half precision jumps: it rounds down, then up.

        Args:
            least: exponent of the smallest power of two above which a count is.
            most: exponent of the largest.
        """
        keys = self.keys[: MOST_ALONE if self.has_keys else 1]
        counts = [
            2**exponent + 2 ** (exponent - digits) + 1
            for digits, highest in PRECISIONS
            for exponent in range(max(least, digits + 1), min(most, highest) + 1)
        ]
        for count, key in product(counts, keys):
            yield from self._of_size(f"count {count}", {key: count}, (key,), "precision", f"{count} users")

    def _of_size(
        self, name: str, base: dict[str, int], changed: Sequence[str], family: str, users: str
    ) -> Iterator[Candidate]:
        """Yield the pairs of a histogram; with more users than the data have they are a family of their own."""
        beyond = users if sum(base.values()) > self.largest else ""
        for one in self._moved(name, base, changed, "more users" if beyond else family):
            yield replace(one, beyond=beyond, remedy=COUNT_REMEDY if beyond else "")

    def _sets(self) -> list[tuple[str, ...]]:
        """Return the sets of keys with counts: the first, the last, the first two, and all."""
        sets = [
            self.keys[:1],
            self.keys[-1:] if self.has_keys else self.keys[:1],
            self.keys[:2],
            self.keys[: max(MOST_KEYS, self.adjacency.most_changed)],
        ]
        return [*dict.fromkeys(sets)]

    def _levels(self, keys: tuple[str, ...]) -> Iterator[Candidate]:
        """Yield pairs of equal counts, and pairs with one count far above the others."""
        for count in COUNTS:
            for other in dict.fromkeys((count, 1, 40)) if len(keys) > 1 else (count,):
                base = {key: count if place == 0 else other for place, key in enumerate(keys)}
                changes = [keys[:1], keys[-1:], keys[: self.adjacency.most_changed]]
                for changed in dict.fromkeys(changes):
                    name = f"count {count}, others {other}, in {len(keys)} keys, {len(changed)} changed"
                    yield from self._moved(name, base, changed, f"{len(keys)} keys")

    def _crowd_pairs(self) -> Iterator[Candidate]:
        """Yield pairs of few keys, and of more and more keys; the first or the last key changes."""
        keys = self.keys if self.has_keys else tuple(f"k{i}" for i in range(CROWDS[-1]))
        sizes = crowd_sizes(len(self._sets()[-1]), len(keys))
        for count, size, place in product((40, 1000), sizes, ("first", "last")):
            changed = keys[:1] if place == "first" else keys[size - 1 : size]
            name, family = f"count {count} in {size} keys", f"{MANY_KEYS}, count {count}, {place}"
            yield from self._moved(name, dict.fromkeys(keys[:size], count), changed, family)

    def _one_against_others(self) -> Iterator[Candidate]:
        """Yield pairs in which one answer rises and all others fall."""
        if not self.moves:
            return
        keys = self.keys[: self.adjacency.most_changed]
        for low in (2, 5, 10, 40):
            high = low + FAR_ABOVE
            for one in dict.fromkeys((keys[-1], keys[0])):
                left = {key: high if key == one else low for key in keys}
                if sum(left.values()) > self.limit:
                    continue
                right = {key: count + (1 if key == one else -1) for key, count in left.items()}
                title = f"{one} at {high} moves up, the others at {low} move down"
                yield Candidate(Neighbours(title, left, right), f"{one} against others at {low}")

    def _moved(self, name: str, base: dict[str, int], changed: Sequence[str], family: str) -> Iterator[Candidate]:
        """Yield the counts and those with one user less in the changed keys, or with one user moved to another key."""
        if sum(base.values()) > self.limit:
            return
        changed = changed[: self.adjacency.most_changed]
        fewer = {key: count - (key in changed) for key, count in base.items()}
        if isinstance(self.adjacency, ReplaceUser):
            other = next((key for key in reversed(self.keys) if key not in changed[:1]), None)
            if other is None:
                return
            fewer = {key: count - (key in changed[:1]) for key, count in base.items()}
            fewer[other] = fewer.get(other, 0) + 1
        right = {key: count for key, count in fewer.items() if count}
        if right != base and related(self.adjacency, base, right):
            yield Candidate(Neighbours(f"{name}, first {changed[0]}", base, right), family)
