"""Neighbours worth trying: families for histograms with and without thresholds, and a Hypothesis strategy.

Tried beside the worst cases of a claim, and alone where there is none. `left` is the histogram with the user, `right`
the one without; the user adds 1 to at most `c_u` keys. Many pairs are drawn and looked at in a few releases, on
randomness that nothing else uses; the ones that stand out join the families, and the verdict rests on fresh releases.
"""

from __future__ import annotations

import contextlib
import json
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from auditor.black_box.pair_audit import Side
from auditor.mechanism_audit.sampler import LONG, LOOKS, has_key
from auditor.search.events import HALVES, learn, played_growth
from auditor.search.partitions import take
from auditor.search.reproducible import find
from auditor.statistics.sample import concatenate
from auditor.statistics.seeds import block_generator, seed_of
from auditor.target.target import RELEASE_MANY_RAISES, MisbehavedError
from proofs_numeric.statements.neighbours import Neighbours

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from auditor.mechanism_audit.sampler import Sampler
    from auditor.statistics.betting import Hypotheses
    from proofs_numeric.statements.adjacency import Adjacency

ROUNDS = ((96, 32), (16, 128), (6, 512))
"""Pairs that a round of the search looks at, and releases a side: the best of one round reach the next."""
KEPT = 4
"""Pairs of the search that join the families."""
SEARCH_SHARE = 0.2
"""Share of the time that the search may take."""
NEW_KEY_SHARE = 0.5
"""Share of capital and samples with which a new key starts: the pair that thresholds are there for."""
MOST_KEYS = 256
"""Keys of a family's pair at most: beyond, sampling costs more than the user's further keys add."""
LARGEST_COUNT = 10**6
"""Largest count that is looked at, where nothing is known of the user's data."""
GIVEN_SHARE = 0.5
"""Share of the capital of a claim's own worst cases, where others are searched beside them."""


def size(pair: Neighbours) -> tuple[int, int]:
    """Order pairs by keys, then by the sum of counts."""
    return (len(pair.left), sum(pair.left.values()))


def families(c_u: int, per_key: int, threshold: int) -> tuple[Neighbours, ...]:
    """Return the hand-made families for a mechanism whose keys start to be released near `threshold`.

    Args:
        c_u: most keys the user changes.
        per_key: most by which the user changes each.
        threshold: count at which about half of the releases hold the key; 1 where every key is released.

    """
    far = 2 * threshold + 50
    rest = {f"s{i}": far + i for i in range(3)}
    near = {"s0": threshold, "s1": max(1, threshold - 1)}

    def one_more(name: str, left: dict[str, int], changed: Sequence[str] = ("k0",)) -> Neighbours:
        return Neighbours(name, left, without_user(left, changed))

    pairs = [
        one_more("new key", {"k0": 1}),
        one_more("new key beside another", {"k0": 1, "s0": far}),
        one_more("new key beside others", {"k0": 1, **rest}),
        one_more("count one of two", {"k0": 2}),
        one_more("key far above", {"k0": far}),
        one_more("ties", {"k0": 3, "s0": 2, "s1": 2}),
        one_more("ties far above", {"s0": far, "s1": far, "t0": far + 1}, ["t0"]),
        one_more("all counts equal", {"k0": 2, "s0": 2, "s1": 2, "s2": 2}),
        one_more("all counts equal, far above", {"k0": far, "s0": far}),
        one_more("new key shifts the threshold of others", {"k0": 1, **near}),
        one_more("key far above shifts the threshold of others", {"k0": far, **near}),
    ]
    if threshold > 2:
        pairs += [
            one_more("key at the threshold", {"k0": threshold}),
            one_more("key below the threshold", {"k0": threshold - 1}),
        ]
    if per_key > 1:
        pairs += [
            Neighbours("new key of all that one user may have", {"k0": per_key}, {}),
            Neighbours("key far above, all that one user may have", {"k0": far + per_key}, {"k0": far}),
        ]
    if c_u > 1:
        keys = [f"k{i}" for i in range(min(c_u, MOST_KEYS))]
        pairs += [
            one_more("heavy user, new keys", dict.fromkeys(keys, 1), keys),
            one_more("heavy user, keys far above", dict.fromkeys(keys, far), keys),
        ]
    return tuple(pairs)


def without_user(left: Mapping[str, int], changed: Sequence[str]) -> dict[str, int]:
    """Return the histogram without the user who added 1 to each of the changed keys."""
    right = {key: count - (key in changed) for key, count in left.items()}
    return {key: count for key, count in right.items() if count}


def strategy(c_u: int, threshold: int, largest: int) -> st.SearchStrategy[tuple[dict[str, int], dict[str, int]]]:
    """Return the strategy over (left, right): up to six keys, counts of all sizes, perhaps tied, any subset changed."""
    counts = st.one_of(
        st.integers(1, 5),
        st.integers(max(1, threshold - 3), threshold + 3),
        st.integers(1, min(largest, 4 * threshold + 100)),
        st.sampled_from([count for count in (10, 20, 50, 100, 1000) if count <= largest] or [1]),
    )
    shapes = st.sampled_from(
        [
            "free",
            "new keys",
            "ties with the user",
            "ties without the user",
            "half of the largest",
            "tenth of the largest",
        ]
    )

    def neighbours(values: list[int], order: list[int], shape: str) -> tuple[dict[str, int], dict[str, int]]:
        changed = sorted(set(order[:c_u]), key=order.index)
        moved = [i % len(values) for i in changed]
        others = [value for i, value in enumerate(values) if i not in moved]
        least, largest = min(others, default=values[0]), max(others, default=values[0])
        own = {
            "new keys": 1,
            "ties with the user": least,
            "ties without the user": least + 1,
            "half of the largest": max(1, largest // 2),
            "tenth of the largest": max(1, largest // 10),
        }
        left = {f"k{i}": own.get(shape, value) if i in moved else value for i, value in enumerate(values)}
        return left, without_user(left, [f"k{i}" for i in moved])

    return st.builds(
        neighbours,
        st.one_of(
            st.lists(counts, min_size=1, max_size=6),
            st.builds(lambda count, n: [count] * n, counts, st.integers(2, 6)),
        ),
        st.lists(st.integers(0, 5), min_size=1, max_size=6),
        shapes,
    )


def drawn(c_u: int, threshold: int, number: int, seed: int, largest: int = LARGEST_COUNT) -> tuple[Neighbours, ...]:
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
        find(strategy(c_u, threshold, largest), collect, settings=quiet, random=random)
    return tuple(found.values())[:number]


def release_threshold(released: Callable[[int], bool | None], largest: int = LARGEST_COUNT) -> int:
    """Return the least count whose key is mostly released, by bisection; 1 where none is found up to the largest.

    Args:
        released: whether a key with this count is released in at least half of a few releases; None where it is not,
            and larger counts take too long.
        largest: where the search ends.

    """
    if released(1):
        return 1
    high = 2
    while not (found := high <= largest and released(high)):
        high *= 2
        if high > largest or found is None:
            return 1
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if released(middle) else (middle, high)
    return high


def suspicion(sampler: Sampler, pair: Neighbours, hypotheses: Hypotheses, n: int, seed: int) -> float:
    """Return the log-wealth of a bet learnt on one half of n fresh releases a side and played on the other."""
    sides = [sampler(pair, side, n, block_generator(seed, "look", pair.id, str(side), n)) for side in Side]
    both = concatenate(sides)  # with common columns
    left, right = take(both, slice(0, n)), take(both, slice(n, None))
    seen, played = ((take(left, half), take(right, half)) for half in HALVES)
    learnt = learn(*seen, hypotheses)
    return float(played_growth(hypotheses, learnt.past, learnt.view.counts(*played))[0])


def suspects(
    sampler: Sampler, candidates: Sequence[Neighbours], hypotheses: Hypotheses, seed: int, seconds: float
) -> list[Neighbours]:
    """Return the candidates, those first on which a bet gained most; of a round that time cuts short the gainers lead.

    The number of looks is the next stage of the pace.

    Errors:
        BudgetSpentError: the whole budget was over.

    """
    pace = sampler.pace
    limit, until, looks = pace.limit(), pace.clock() + seconds, 0
    ranked = list(candidates)
    for width, n in ROUNDS:
        gains: list[float] = []
        for pair in ranked[:width]:
            if looks >= limit if limit is not None else pace.clock() >= until:
                break
            gains.append(suspicion(sampler, pair, hypotheses, n, seed))
            looks += 1
        order = sorted(range(len(gains)), key=lambda place: -gains[place])
        if len(gains) < len(ranked[:width]):
            first = [ranked[place] for place in order if gains[place] > 0]
            ranked = [*first, *(pair for pair in ranked if pair not in first)]
            break
        ranked = [ranked[place] for place in order]
    pace.drawn.append(looks)
    return ranked


def moved(c_u: int, threshold: int) -> tuple[Neighbours, ...]:
    """Return neighbours of which one user exchanges keys for others, or of which answers move both ways."""
    far = 2 * threshold + 50
    one, two = ([f"{letter}{i}" for i in range(min(max(1, c_u // 2), MOST_KEYS // 2))] for letter in "ks")
    both = dict.fromkeys([*one, *two], far)
    several = (
        ()
        if len(one) == 1
        else (
            Neighbours("many new keys for new keys", dict.fromkeys(one, 1), dict.fromkeys(two, 1)),
            Neighbours(
                "many move both ways, far above",
                {**both, **dict.fromkeys(one, far + 1)},
                {**both, **dict.fromkeys(two, far + 1)},
            ),
        )
    )
    return several + tuple(
        Neighbours(f"one user moves, {name}", left, {k: v for k, v in right.items() if v})
        for name, left, right in (
            ("new key for new key", {"k0": 1}, {"k0": 0, "s0": 1}),
            ("far above", {"k0": far, "s0": far}, {"k0": far - 1, "s0": far + 1}),
            ("at the threshold", {"k0": threshold, "s0": far}, {"k0": threshold - 1, "s0": far + 1}),
            ("one of two", {"k0": 2, "s0": 1}, {"k0": 1, "s0": 2}),
        )
    )


def searched(
    sampler: Sampler,
    adjacency: Adjacency,
    hypotheses: Hypotheses,
    seed: int,
    seconds: float,
    *,
    hunt: bool,
) -> tuple[Neighbours, ...]:
    """Return neighbours among which wealth has to choose, a new key first; the threshold is looked for on the way.

    Those that are no neighbours under the adjacency, and those that the target refuses, are left out.

    Args:
        sampler: draws releases.
        adjacency: who is a neighbour of whom.
        hypotheses: the claim.
        seed: of a stream that nothing else uses.
        seconds: CPU seconds, of which the search may take its share.
        hunt: whether pairs are drawn and looked at besides the declared families.

    Errors:
        BudgetSpentError: the time was over before the threshold was found.

    """
    key, c_u, pace = (sampler.keys or ("k0",))[0], adjacency.most_changed, sampler.pace

    def mostly_released(count: int) -> bool | None:
        try:
            batch = sampler.batch({key: count}, LOOKS, seed_of(seed, "threshold", count))
        except MisbehavedError as error:
            if error.what.name != RELEASE_MANY_RAISES:
                raise
            return None
        if key in batch.columns:
            shown = ~np.isnan(batch.values[:, batch.columns.index(key)])
        else:  # a list, a label; a key without a number is not released
            absent = f"{json.dumps(key)}:null"
            shown = has_key(batch, [key]) & ~np.any([absent in shape for shape in batch.shapes or ()])
        released = bool(shown.mean() >= 0.5)
        return released if released or batch.seconds <= LONG else None

    def taken(pairs: Sequence[Neighbours]) -> list[Neighbours]:
        """The pairs that the target takes; of a slow one those that the search came to in its share of the time."""
        limit, until = pace.limit(), pace.clock() + SEARCH_SHARE * seconds
        kept, looks = [], 0
        for pair in pairs:
            if looks >= limit if limit is not None else looks and pace.clock() >= until:
                break
            looks += 1
            known = usable(pair, sampler, adjacency)
            if known is not None and sampler.accepts(known, seed):
                kept.append(known)
        pace.drawn.append(looks)
        return kept

    threshold = release_threshold(mostly_released, sampler.largest)
    declared = taken((*families(c_u, adjacency.per_key, threshold), *moved(c_u, threshold)))
    if not hunt:
        return tuple(declared)
    candidates = taken(drawn(c_u, threshold, ROUNDS[0][0], seed, sampler.largest))
    best = suspects(sampler, candidates, hypotheses, seed, SEARCH_SHARE * seconds)
    return (*declared, *best[:KEPT])


def usable(pair: Neighbours, sampler: Sampler, adjacency: Adjacency) -> Neighbours | None:
    """Return the pair as the target takes it; None where its keys do not suffice, or it is none of neighbours."""
    known = pair.named(sampler.keys) if sampler.keys else pair
    try:
        if known is not None:
            adjacency.check(known.left, known.right)
    except ValueError:
        return None
    return None if known is None else sampler.formed(known)


def beside(
    given: Sequence[Neighbours], found: Sequence[Neighbours]
) -> tuple[tuple[Neighbours, ...], tuple[float, ...]]:
    """Return a claim's worst cases with the neighbours found beside them, and the capital each starts with."""
    if not given:
        return tuple(found), initial_shares(found)
    if not found:
        return tuple(given), (1.0 / len(given),) * len(given)
    shares = (GIVEN_SHARE / len(given),) * len(given)
    return (*given, *found), (*shares, *((1 - GIVEN_SHARE) * share for share in initial_shares(found)))


def initial_shares(pairs: Sequence[Neighbours]) -> tuple[float, ...]:
    """Return the capital that each searched pair starts with, sum 1."""
    if len(pairs) < 2:
        return (1.0,) * len(pairs)
    return (NEW_KEY_SHARE, *((1 - NEW_KEY_SHARE) / (len(pairs) - 1),) * (len(pairs) - 1))
