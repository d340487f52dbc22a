"""Neighbours worth trying: families for histograms with and without thresholds, and a Hypothesis strategy.

Used where a claim declares no worst-case pairs. `left` is the histogram with the user, `right` the one without; the
user adds 1 to at most `c_u` keys.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from auditor.sampler import LOOKS
from auditor.search.reproducible import find
from auditor.statistics.seeds import seed_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from auditor.sampler import Sampler

DRAWN_PAIRS = 10
NEW_KEY_SHARE = 0.5
"""Share of capital and samples with which a new key starts: the pair that thresholds are there for."""
MOST_KEYS = 256
"""Keys of a family's pair at most: beyond, sampling costs more than the user's further keys add."""
LARGEST_COUNT = 10**6


@dataclass(frozen=True)
class Neighbours:
    """Two neighbouring histograms and why they are tried."""

    id: str
    left: Mapping[str, int]
    right: Mapping[str, int]


def families(c_u: int, threshold: int) -> tuple[Neighbours, ...]:
    """Return the hand-made families for a mechanism whose keys start to be released near `threshold`.

    Args:
        c_u: most keys the user changes.
        threshold: count at which about half of the releases hold the key; 1 where every key is released.

    """
    keys = [f"k{i}" for i in range(min(c_u, MOST_KEYS))]
    many = {f"s{i}": 2 for i in range(3)}
    far = 2 * threshold + 50
    pairs = [
        Neighbours("new key", {"k0": 1}, {}),
        Neighbours("new key beside another", {"k0": 1, "s0": far}, {"s0": far}),
        Neighbours("count one of two", {"k0": 2}, {"k0": 1}),
        Neighbours("key far above", {"k0": far}, {"k0": far - 1}),
        Neighbours("ties", {"k0": 3, "s0": 2, "s1": 2}, {"k0": 2, "s0": 2, "s1": 2}),
        Neighbours("all counts equal", {**many, "k0": 2}, {**many, "k0": 1}),
    ]
    if threshold > 2:
        pairs += [
            Neighbours("key at the threshold", {"k0": threshold}, {"k0": threshold - 1}),
            Neighbours("key below the threshold", {"k0": threshold - 1}, {"k0": threshold - 2}),
        ]
    if c_u > 1:
        pairs += [
            Neighbours("heavy user, new keys", dict.fromkeys(keys, 1), {}),
            Neighbours("heavy user, keys far above", dict.fromkeys(keys, far), dict.fromkeys(keys, far - 1)),
        ]
    return tuple(pairs)


def strategy(c_u: int, threshold: int) -> st.SearchStrategy[tuple[dict[str, int], dict[str, int]]]:
    """Return the strategy over (left, right): up to five keys, counts of all sizes, any subset changed."""
    counts = st.one_of(
        st.integers(1, 5),
        st.integers(max(1, threshold - 3), threshold + 3),
        st.integers(1, min(LARGEST_COUNT, 4 * threshold + 100)),
    )

    def neighbours(values: list[int], changed: list[bool]) -> tuple[dict[str, int], dict[str, int]]:
        left = {f"k{i}": value for i, value in enumerate(values)}
        moved = [f"k{i}" for i, change in enumerate(changed[: len(values)]) if change][:c_u] or ["k0"]
        right = {key: value - (key in moved) for key, value in left.items()}
        return left, {key: value for key, value in right.items() if value}

    return st.builds(
        neighbours, st.lists(counts, min_size=1, max_size=5), st.lists(st.booleans(), min_size=5, max_size=5)
    )


def drawn(c_u: int, threshold: int, number: int, seed: int) -> tuple[Neighbours, ...]:
    """Return distinct pairs drawn from the strategy, the same for the same seed."""
    found: dict[str, Neighbours] = {}

    def collect(pair: tuple[dict[str, int], dict[str, int]]) -> bool:
        left, right = pair
        found.setdefault(f"{left}|{right}", Neighbours(f"drawn {len(found)}", left, right))
        return len(found) >= number

    quiet = settings(
        max_examples=20 * number,
        database=None,
        deadline=None,
        phases=(Phase.generate,),
        suppress_health_check=list(HealthCheck),
    )
    random = Random(seed)  # noqa: S311 - a search, not a secret
    with contextlib.suppress(NoSuchExample):
        find(strategy(c_u, threshold), collect, settings=quiet, random=random)
    return tuple(found.values())[:number]


def simpler(pair: Neighbours) -> Iterator[Neighbours]:
    """Yield smaller pairs, smallest first: fewer unchanged keys, fewer changed keys, smaller counts."""
    changed = [key for key in pair.left if pair.left[key] != pair.right.get(key, 0)]
    rest = [key for key in pair.left if key not in changed]
    for kept_changed, kept_rest in (
        (changed[:1], []),
        (changed, []),
        (changed[: len(changed) // 2], rest),
        (changed, rest[:1]),
    ):
        if kept_changed and len(kept_changed) + len(kept_rest) < len(pair.left):
            yield restricted(pair, [*kept_changed, *kept_rest])
    for count in (1, 2, max(pair.left.values(), default=1) // 2):
        if 0 < count < max(pair.left.values(), default=1):
            left = {key: min(value, count) for key, value in pair.left.items()}
            right = {key: min(value, count) - (key in changed) for key, value in pair.left.items()}
            yield Neighbours(pair.id, left, {key: value for key, value in right.items() if value})


def restricted(pair: Neighbours, keys: list[str]) -> Neighbours:
    """Return the pair on some of its keys, renamed k0, k1, ... in order."""
    names = {key: f"k{i}" for i, key in enumerate(keys)}
    left = {names[key]: pair.left[key] for key in keys}
    return Neighbours(pair.id, left, {names[key]: pair.right[key] for key in keys if key in pair.right})


def size(pair: Neighbours) -> tuple[int, int]:
    """Order pairs by keys, then by the sum of counts."""
    return (len(pair.left), sum(pair.left.values()))


def release_threshold(released: Callable[[int], bool]) -> int:
    """Return the least count whose key is mostly released, by bisection; 1 where none is found up to a million.

    Args:
        released: whether a key with this count is released in at least half of a few releases.

    """
    if released(1):
        return 1
    high = 2
    while not released(high):
        high *= 2
        if high > LARGEST_COUNT:
            return 1
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if released(middle) else (middle, high)
    return high


def searched(sampler: Sampler, c_u: int, seed: int) -> tuple[Neighbours, ...]:
    """Return the pairs among which wealth has to choose, a new key first; the threshold is looked for on the way.

    Errors:
        BudgetSpentError: the time was over before the threshold was found.

    """

    def mostly_released(count: int) -> bool:
        batch = sampler.batch({"k0": count}, LOOKS, seed_of(seed, "threshold", count))
        column = batch.columns.index("k0") if "k0" in batch.columns else None
        return column is not None and bool(np.mean(~np.isnan(batch.values[:, column])) >= 0.5)

    threshold = release_threshold(mostly_released)
    return (*families(c_u, threshold), *drawn(c_u, threshold, DRAWN_PAIRS, seed))


def initial_shares(pairs: Sequence[Neighbours]) -> tuple[float, ...]:
    """Return the capital that each searched pair starts with, sum 1."""
    return (NEW_KEY_SHARE, *((1 - NEW_KEY_SHARE) / (len(pairs) - 1),) * (len(pairs) - 1))
