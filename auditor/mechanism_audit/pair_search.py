"""Search for neighbouring pairs: families for histograms with and without thresholds, and random pairs.

These pairs are tested beside the worst-case pairs of a claim, or alone without a claim. `left` is the histogram with
the user, `right` the histogram without; the user adds 1 to at most `c_u` keys. The search draws many pairs and ranks
them on a few releases with separate randomness. The best pairs join the families. The verdict rests on fresh releases.
"""

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cache, partial
from itertools import pairwise
from random import Random

import numpy as np

from auditor.black_box.pair_audit import Side
from auditor.inputs.data import related
from auditor.mechanism_audit.sampler import LOGGING, LONG, Sampler, releases_key
from auditor.search.events import learn, outstanding, played_growth
from auditor.search.past import HALVES, take
from auditor.statistics.betting import Floats, Hypotheses
from auditor.statistics.sample import Sample, concatenate
from auditor.statistics.seeds import block_generator, seed_of
from auditor.target.target import Batch
from proofs_numeric.statements.adjacency import Adjacency
from proofs_numeric.statements.neighbours import Neighbours

Changed = Callable[[Batch, Batch], float]
DIGITS = re.compile(r"\d+")
MOST_SEARCHED_PAIRS = 4
"""Number of searched pairs that join the families."""
SEARCH_SHARE, TURNS_SHARE = 0.2, 0.1
"""Shares of the time for the search, and for finding counts at which releases change."""
TURNS_RELEASES = 1300
"""Approximate number of releases to find these counts."""
NEW_KEY_SHARE = 0.5
"""Share of capital and releases with which the pair of a new key starts: thresholds exist to protect it."""
MOST_KEYS = 256
"""Largest number of keys in a family's pair: beyond, sampling costs more than further keys add."""
LARGEST_COUNT = 10**6
"""Largest count that is tried without data of the user."""
FEW_USERS = 1000
"""Largest count that is tried, at least, with data: small data may be a sample below every threshold."""
MOST_TURNS = 4
"""Largest number of transitions: counts at which releases take another form, or jump."""
SMALL_COUNT, LARGEST_TURN = 32, 2**14
"""Largest count up to which every count is tried, and largest count at which transitions are looked for if the caller
gives no largest count."""
MOSTLY = 0.25
"""Smallest share of releases that take another form at a transition."""
TIED = 0.5
"""Share of random pairs whose counts are all equal before some change."""
JUMP = 3.0
"""Ratio of the change of a number at a transition to its usual change."""
EVEN = 0.5
"""Difference up to which a number moves as evenly as its count, in moves of one count."""
WIDER = 0.1
"""Smallest change of the logarithm of a number's spread at the count where it changes most."""
LOGGED = 4
"""Releases with logged draws at each count tried."""
QUICK = 0.1
"""CPU seconds of a few releases, at the default budget, beyond which counts are not tried one by one."""
GIVEN_SHARE = 0.5
"""Share of the capital of a claim's worst-case pairs if other pairs are searched beside them."""


def size(pair: Neighbours) -> tuple[int, int]:
    """Return the sort key of a pair: number of keys, then sum of counts."""
    return (len(pair.left), sum(pair.left.values()))


def families(c_u: int, per_key: int, threshold: int) -> tuple[Neighbours, ...]:
    """Return the fixed families for a mechanism that starts to release keys near `threshold`.

    Args:
        c_u: largest number of keys that the user changes.
        per_key: largest change of each key by the user.
        threshold: count at which about half of the releases hold the key; 1 if every key is released.
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
        if threshold > 2:
            pairs.append(one_more("heavy user, keys at the threshold", dict.fromkeys(keys, threshold), keys))
    return tuple(pairs)


def without_user(left: Mapping[str, int], changed: Sequence[str]) -> dict[str, int]:
    """Return the histogram without the user who added 1 to each of the changed keys."""
    right = {key: count - (key in changed) for key, count in left.items()}
    return {key: count for key, count in right.items() if count}


SHAPES = (
    "free",
    "new keys",
    "ties with the user",
    "ties without the user",
    "half of the largest",
    "tenth of the largest",
)
"""Forms of the counts of changed keys, derived from the other counts."""


@cache  # shared by the tests of one session
def draw_pairs(
    c_u: int, threshold: int, number: int, seed: int, largest: int = LARGEST_COUNT, *, moves: bool = False
) -> tuple[Neighbours, ...]:
    """Return distinct random pairs, reproducible by the seed: up to six keys, counts of all sizes, any subset changed.

    Counts may be tied. With `moves`, a part of the subset may increase while the rest decreases.
    """
    random = Random(seed)  # noqa: S311 - a search, not a secret
    round_counts = [count for count in (10, 20, 50, 100, 1000) if count <= largest] or [1]
    ranges = ((1, 5), (max(1, threshold - 3), threshold + 3), (1, min(largest, 4 * threshold + 100)))

    def count() -> int:
        kind = random.randrange(len(ranges) + 1)
        return random.randint(*ranges[kind]) if kind < len(ranges) else random.choice(round_counts)

    def neighbours() -> tuple[dict[str, int], dict[str, int]]:
        tied = random.random() < TIED
        values = [count()] * random.randint(2, 6) if tied else [count() for _ in range(random.randint(1, 6))]
        order = random.sample(range(len(values)), random.randint(1, len(values)))
        changed, ups = order[:c_u], random.randint(0, 3) if moves else 0
        others = [value for i, value in enumerate(values) if i not in changed]
        least, most = min(others, default=values[0]), max(others, default=values[0])
        counts = dict(zip(SHAPES[1:], (1, least, least + 1, max(1, most // 2), max(1, most // 10)), strict=True))
        shape = random.choice(SHAPES)
        left = {f"k{i}": counts.get(shape, value) if i in changed else value for i, value in enumerate(values)}
        right = {**left, **{f"k{i}": left[f"k{i}"] + 1 for i in changed[:ups]}}
        return left, without_user(right, [f"k{i}" for i in changed[ups:]])

    distinct_pairs: dict[str, Neighbours] = {}
    for _ in range(20 * number):
        left, right = neighbours()
        distinct_pairs.setdefault(f"{left}|{right}", Neighbours(f"drawn {len(distinct_pairs)}", left, right))
        if len(distinct_pairs) == number:
            break
    return tuple(distinct_pairs.values())


def release_threshold(mostly: Callable[[int], bool | None], largest: int = LARGEST_COUNT) -> int:
    """Return the least count whose key is mostly released, by bisection; 1 if there is none up to the largest.

    Args:
        mostly: returns whether at least half of a few releases hold a key of this count; None if not, and if larger
            counts take too long.
        largest: largest count tried.
    """
    if mostly(1):
        return 1
    high = 2
    while not (is_released := high <= largest and mostly(high)):
        high *= 2
        if high > largest or is_released is None:
            return 1
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if mostly(middle) else (middle, high)
    return high


def turning_points(look: Callable[[int], Batch | None], largest: int) -> tuple[int, ...]:
    """Return the transitions: counts at which releases of equal randomness differ most from releases at one less.

    The clearest comes first. Small counts are tried one by one, larger counts only where a doubled count changes the
    form. If noise smears all transitions, the result is the last small count with any change: bounded noise ends near
    it.

    Args:
        look: returns a few releases at a count; None if they took too long.
        largest: largest count tried.
    """
    steps = small_steps(look, largest)
    if steps is None:
        return ()
    changed, (turns, moves, widths) = steps
    widest = (widths == widths.max()) & (widths > WIDER)
    jumps = (moves > JUMP * np.median(moves[2:] if len(moves) > 2 else moves)) | widest
    clear = clearest(turns + jumps, look, largest, changed)
    clear = clear or (tuple(np.flatnonzero(turns)[-1:].tolist()) if changed is changed_forms else ())
    return tuple(dict.fromkeys((*clear, *large_jumps(look, largest))))[:MOST_TURNS]


def large_jumps(
    look: Callable[[int], Batch | None], largest: int, low: int = SMALL_COUNT, *, rounded: bool = False
) -> tuple[int, ...]:
    """Return the large counts, one between each count and its double, at which a released number jumps.

    Bisection follows the half in which the number moves more, with equal randomness. It ends where both halves move as
    evenly as the whole: the number follows the count.

    Args:
        look: returns a few releases at a count; None if they took too long.
        largest: largest count tried.
        low: smallest count tried.
        rounded: whether the number may have many jumps, each below `JUMP`; bisection then goes on to one count.
    """
    jump_counts = list[int]()
    while 2 * low <= largest and (ends := (look(low), look(2 * low))) and None not in ends:
        below, above, whole = low, 2 * low, _move(*ends)
        while above - below > 1:
            middle = (below + above) // 2
            first, last = (_move(look(one), look(other)) for one, other in ((below, middle), (middle, above)))
            even = whole / low * (above - below) / 2
            if not rounded and max(abs(first - even), abs(last - even)) <= EVEN * whole / low:
                break
            below, above = (below, middle) if first >= last else (middle, above)
        jumps = above - below == 1 and _move(look(below), look(above)) > max(0 if rounded else JUMP, JUMP * whole / low)
        jump_counts += [above] if jumps else []
        low *= 2
    return tuple(jump_counts)


def _move(one: Batch | None, other: Batch | None) -> float:
    """Return the largest mean change of a number between two looks; 0 if one took too long."""
    return 0.0 if one is None or other is None else moved_by(one, other)[0]


def common_turn(look: Callable[[int], Batch | None], largest: int) -> tuple[int, ...]:
    """Return the count at which releases of equal randomness change form; empty if there is none.

    If noise smears the change over small counts, the result is their median.
    """
    steps = small_steps(look, largest)
    if steps is None:
        return ()
    changed, (turns, *_) = steps
    if turns.sum() >= MOSTLY:
        return (int(np.searchsorted(turns.cumsum(), turns.sum() / 2)),)
    return clearest(turns, look, largest, changed)[:1]


def small_steps(look: Callable[[int], Batch | None], largest: int) -> tuple[Changed, Floats] | None:
    """Return the comparison of forms, and the change at each step between small counts.

    If at least half of the steps change the form, the form contains numbers; the comparison then ignores digits.

    Returns:
        The comparison, which gives a share of changed releases; and for each step the changes of the form, of a number
            and of its spread, (3, counts + 1). None if releases took too long.
    """
    steps, batches = np.zeros((3, min(SMALL_COUNT, largest) + 1)), []
    for n in range(1, steps.shape[1]):
        if (batch := look(n)) is None:
            return None
        batches.append(batch)
    changed: Changed = changed_forms
    for way in (changed, changed_words):
        changed, steps[0, 2:] = way, [way(*pair) for pair in pairwise(batches)]
        if np.median(steps[0, 2:]) < MOSTLY:
            break
    steps[1:, 2:] = np.array([moved_by(*pair) for pair in pairwise(batches)]).reshape(-1, 2).T
    return changed, steps


def clearest(turns: Floats, look: Callable[[int], Batch | None], largest: int, changed: Changed) -> tuple[int, ...]:
    """Return the counts at which most releases change, including larger counts where a doubled count changes them.

    Args:
        turns: change of the releases at each small count.
        look: returns a few releases at a count; None if they took too long.
        largest: largest count tried.
        changed: returns the share of releases that change between two counts.
    """
    scores, small = dict(enumerate(turns.tolist())), len(turns) - 1
    low = small
    while 2 * low <= largest and (top := look(2 * low)) is not None and (bottom := look(low)) is not None:
        share, high, middle = changed(bottom, top), 2 * low, low
        while share >= MOSTLY and high - middle > 1:
            n = (middle + high) // 2
            here = look(n)
            middle, high = (n, high) if here is None or changed(bottom, here) < MOSTLY else (middle, n)
        scores |= {high: share} if share >= MOSTLY else {}
        low *= 2
    clear = [n for n, score in scores.items() if score >= MOSTLY]
    return tuple(sorted(clear, key=lambda n: -scores[n])[:MOST_TURNS])


def drawing_places(sampler: Sampler, histogram: Mapping[str, int], seed: int) -> Hashable | None:
    """Return the lines that draw in each of a few releases; None if draws are not visible or this takes too long."""
    if not sampler.sees_draws:
        return None
    batch = sampler.batch(histogram, LOGGED, seed, plan=LOGGING)
    assert batch.steered is not None  # noqa: S101 - the plan asks for it
    # a log of a few wide releases costs as much as hundreds of plain releases
    if batch.cpu_seconds > sampler.pace.share_of(QUICK):
        return None
    return tuple(
        frozenset((site, method) for site, method, _order, size, _parameters in draws if size)
        for draws in batch.steered.logged
    )


def drawing_turns(places: Callable[[int], Hashable | None], largest: int) -> tuple[int, ...]:
    """Return the counts at which a target starts or stops drawing at some line, smallest first.

    A draw above a threshold on the true count decides whether a key is released; its effect may be rare.

    Args:
        places: returns the lines that draw in a few releases of a count, with equal randomness; None if too slow.
        largest: largest count tried.
    """
    change_points, low = [], 1
    while 2 * low <= largest and None not in (ends := (places(low), places(2 * low))):
        below, above = low, 2 * low
        while ends[0] != ends[1] and above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if places(middle) == ends[0] else (below, middle)
        change_points += [above] if ends[0] != ends[1] else []
        low *= 2
    return tuple(change_points[:MOST_TURNS])


def forms_of(batch: Batch, map_form: Callable[[str], str] = str) -> list[tuple[str, ...]]:
    """Return the form of each release, mapped by `map_form`, with the numbers that are equal in all of them."""
    missing = np.isnan(batch.values)
    alike = ((batch.values == batch.values[0]) | missing).all(axis=0) & ((~missing).sum(axis=0) > 1)
    constant = tuple(column for column, same in zip(batch.columns, alike, strict=True) if same)
    shapes = [""] * len(missing)
    if batch.shapes is not None and batch.shape_index is not None:
        forms = [map_form(shape) for shape in batch.shapes]
        shapes = [forms[place] for place in batch.shape_index.tolist()]
    return [(shape, str(np.flatnonzero(row)), *constant) for shape, row in zip(shapes, missing, strict=True)]


def changed_forms(before: Batch, after: Batch, map_form: Callable[[str], str] = str) -> float:
    """Return the share of releases whose form, mapped by `map_form`, has changed."""
    pairs = zip(forms_of(before, map_form), forms_of(after, map_form), strict=True)
    return float(np.mean([one != other for one, other in pairs]))


def changed_words(before: Batch, after: Batch) -> float:
    """Return the share of releases whose form without digits has changed."""
    return changed_forms(before, after, partial(DIGITS.sub, "0"))


def moved_by(before: Batch, after: Batch) -> tuple[float, float]:
    """Return the largest mean change of a released number, and the largest change of the logarithm of a spread.

    Each is the maximum over the numbers. Equal randomness makes both exact for additive noise.
    """
    places = {column: place for place, column in enumerate(before.columns)}
    both = [(places[column], place) for place, column in enumerate(after.columns) if column in places]
    one, other = before.values[:, [first for first, _ in both]], after.values[:, [second for _, second in both]]
    spreads = [np.nan_to_num(side - np.nan_to_num(side).mean(axis=0)).std(axis=0) for side in (one, other)]
    varies = (spreads[0] > 0) & (spreads[1] > 0)
    wider = np.abs(np.log(spreads[1][varies] / spreads[0][varies]))
    move = np.nan_to_num(np.abs(other - one)).mean(axis=0)
    return float(move.max(initial=0.0)), float(wider.max(initial=0.0))


def both_sides(sampler: Sampler, pair: Neighbours, n: int, seed: int) -> tuple[Sample, Sample]:
    """Return n fresh releases of each side, with common columns."""
    sides = [sampler(pair, side, n, block_generator(seed, "look", pair.id, str(side), n)) for side in Side]
    both = concatenate(sides)
    return take(both, slice(0, n)), take(both, slice(n, None))


def suspicion(left: Sample, right: Sample, hypotheses: Hypotheses) -> float:
    """Return the log-wealth of a bet learnt on one half of the releases and evaluated on the other half."""
    training, evaluation = ((take(left, half), take(right, half)) for half in HALVES)
    choice = learn(*training, hypotheses)
    return float(played_growth(hypotheses, choice.past, choice.view.counts(*evaluation)).max())


ROUNDS = ((96, 32, outstanding), (16, 128, outstanding), (6, 512, suspicion))
"""Rounds of the search: number of pairs, releases per dataset, and score; the best of a round reach the next."""


def suspects(
    sampler: Sampler, candidates: Sequence[Neighbours], hypotheses: Hypotheses, seed: int, seconds: float
) -> list[Neighbours]:
    """Return the candidates, best first; if time cuts a round short, its positive scores lead.

    The recorded block counts include the number of scored pairs.

    Errors:
        BudgetSpentError: the whole budget is exhausted.
    """
    pace = sampler.pace
    limit, until, looks = pace.limit(), pace.clock() + seconds, 0
    ranked_pairs = list(candidates)
    for width, n, score in ROUNDS:
        gains: list[float] = []
        for pair in ranked_pairs[:width]:
            cost = 2 * n * sampler.release_seconds
            if looks >= limit if limit is not None else pace.clock() + cost >= until:
                break
            gains.append(score(*both_sides(sampler, pair, n, seed), hypotheses))
            looks += 1
        order = sorted(range(len(gains)), key=lambda place: -gains[place])
        if len(gains) < len(ranked_pairs[:width]):
            first = [ranked_pairs[place] for place in order if gains[place] > 0]
            ranked_pairs = [*first, *(pair for pair in ranked_pairs if pair not in first)]
            break
        ranked_pairs = [ranked_pairs[place] for place in order]
    pace.blocks.append(looks)
    return ranked_pairs


def halves(c_u: int) -> tuple[list[str], list[str]]:
    """Return the keys that change one way and the keys that change the other way, as many as allowed."""
    one, two = ([f"{letter}{i}" for i in range(min(max(1, c_u // 2), MOST_KEYS // 2))] for letter in "ks")
    return one, two


def moved(c_u: int, threshold: int) -> tuple[Neighbours, ...]:
    """Return pairs in which one user exchanges keys for others, or in which answers change both ways."""
    far = 2 * threshold + 50
    one, two = halves(c_u)
    several = (
        ()
        if len(one) == 1
        else (
            Neighbours("many new keys for new keys", dict.fromkeys(one, 1), dict.fromkeys(two, 1)),
            both_ways("many move both ways, far above", c_u, far + 1),
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


def both_ways(name: str, c_u: int, count: int) -> Neighbours:
    """Return the pair in which half of the keys rise from one less to the count, and the other half fall back."""
    one, two = halves(c_u)
    left, right = ({**dict.fromkeys([*one, *two], count - 1), **dict.fromkeys(up, count)} for up in (one, two))
    first, last = ({key: n for key, n in side.items() if n} for side in (left, right))
    return Neighbours(name, first, last)


def together(c_u: int, count: int) -> tuple[Neighbours, ...]:
    """Return pairs of many keys at a count or one less: all change one way, or half of them each way."""
    one, two = halves(c_u)
    left = dict.fromkeys([*one, *two], count)
    return (
        Neighbours(f"many at count {count}, where releases turn", left, without_user(left, [*left])),
        both_ways(f"many move both ways at count {count}, where releases turn", c_u, count),
    )


def at_turns(
    sampler: Sampler, look: Callable[[tuple[str, ...], int], Batch | None], seed: int, adjacency: Adjacency
) -> list[Neighbours]:
    """Return the pairs at transitions: of one key, and of as many keys as may change.

    Args:
        sampler: source of the releases; it gives the keys and the largest count.
        look: returns a few releases of keys with a count; None if they took too long.
        seed: seed of the releases whose draws are logged.
        adjacency: neighbouring relation; if no user may be removed, a user moves to another key.
    """
    largest = sampler.most_users or min(sampler.largest, LARGEST_TURN)
    c_u, key = adjacency.most_changed, sampler.first_key
    leaves = related(adjacency, {"k0": 1}, {})

    @cache
    def places(count: int) -> Hashable | None:
        return None if look((key,), count) is None else drawing_places(sampler, {key: count}, seed)

    drawing = drawing_turns(places, largest)
    turns = dict.fromkeys((*drawing, *turning_points(partial(look, (key,)), largest)))
    pairs = [
        Neighbours(f"count {n}, where releases turn", {"k0": n}, {"k0": n - 1, **({} if leaves else {"s0": 1})})
        for n in turns
    ]
    many = sampler.accepted(both_ways("many", c_u, 2)) if c_u > 1 or not leaves else None
    if many is not None:
        common = common_turn(partial(look, (*many.left,)), largest // len(many.left))
        pairs += (pair for n in common for pair in together(c_u, n))
    return pairs


def searched(
    sampler: Sampler, adjacency: Adjacency, hypotheses: Hypotheses, seed: int, seconds: float, *, hunt: bool
) -> tuple[Neighbours, ...]:
    """Return the neighbouring pairs to test, a new key first; the search also estimates the threshold.

    Pairs that are no neighbours under the adjacency, or that the target refuses, are left out.

    Args:
        sampler: source of the releases.
        adjacency: neighbouring relation.
        hypotheses: the levels of the claim.
        seed: seed of a separate stream.
        seconds: CPU seconds, of which the search takes its share.
        hunt: whether to search random pairs besides the fixed families. If a few releases take longer than `LONG`,
            almost none are searched, because each costs the time of the test.

    Errors:
        BudgetSpentError: the budget was exhausted before the threshold was found.
    """
    key, c_u, pace, looks = sampler.first_key, adjacency.most_changed, sampler.pace, sampler.looks

    @cache
    def drawn_at(keys: tuple[str, ...], count: int) -> Batch | None:
        """Return a few releases of keys at a count, with equal randomness for all counts; None if they raise."""
        return sampler.look_at(dict.fromkeys(keys, count), seed_of(seed, "threshold"), looks)

    def look_quickly(keys: tuple[str, ...], count: int) -> Batch | None:
        batch = drawn_at(keys, count)
        slow = batch is None or batch.cpu_seconds > pace.share_of(QUICK) or batch.seconds > LONG
        return None if slow else batch

    def mostly_released(count: int) -> bool | None:
        batch = drawn_at((key,), count)
        if batch is None:
            return None
        mostly = bool(releases_key(batch, key).mean() >= 0.5)
        return mostly if mostly or batch.seconds <= pace.share_of(LONG) else None

    def taken(pairs: Sequence[Neighbours], share: float = SEARCH_SHARE * seconds, each: int = 1) -> list[Neighbours]:
        """Return the pairs that the target accepts; for a slow target, as many as the time allows.

        Every other pair has users of up to `each` keys.
        """
        accepted = []
        for place, pair in enumerate(sampler.pace.within(pairs, share, fewest=1)):
            candidate = usable(pair, sampler, adjacency, 1 if place % 2 else each)
            if candidate is not None and sampler.accepts(candidate, seed):
                accepted.append(candidate)
        return accepted

    threshold = release_threshold(mostly_released, sampler.largest)
    turn_pairs = (
        at_turns(sampler, look_quickly, seed_of(seed, "places"), adjacency)
        if hunt and pace.decide_whether(TURNS_RELEASES * sampler.expected_seconds <= TURNS_SHARE * seconds)
        else []
    )
    declared = taken((*families(c_u, adjacency.per_key, threshold), *moved(c_u, threshold), *turn_pairs))
    if not hunt:
        return tuple(declared)
    moves = related(adjacency, {"k0": 1}, {"s0": 1})
    batch = drawn_at((key,), 2)
    share = 0.0 if batch is not None and batch.seconds > LONG else SEARCH_SHARE * seconds
    candidates = taken(draw_pairs(c_u, threshold, ROUNDS[0][0], seed, sampler.largest, moves=moves), share, c_u)
    best = suspects(sampler, candidates, hypotheses, seed, share)
    return (*declared, *best[:MOST_SEARCHED_PAIRS])


def usable(pair: Neighbours, sampler: Sampler, adjacency: Adjacency, each: int = 1) -> Neighbours | None:
    """Return the pair in the form that the target takes, with users of up to `each` keys in rows.

    None if the target accepts too few keys, if the result is no neighbouring pair, or if there are more users than
    declared.
    """
    result = sampler.accepted(pair)
    if result is None or not related(adjacency, result.left, result.right):
        return None
    has_too_many = sampler.most_users is not None and sum(result.left.values()) > sampler.most_users
    return None if has_too_many else sampler.formed(result, each)


def beside(
    pairs: Sequence[Neighbours], others: Sequence[Neighbours]
) -> tuple[tuple[Neighbours, ...], tuple[float, ...]]:
    """Return a claim's worst-case pairs with the searched pairs added, and the initial capital of each."""
    if not pairs:
        return tuple(others), initial_shares(others)
    if not others:
        return tuple(pairs), (1.0 / len(pairs),) * len(pairs)
    shares = (GIVEN_SHARE / len(pairs),) * len(pairs)
    return (*pairs, *others), (*shares, *((1 - GIVEN_SHARE) * share for share in initial_shares(others)))


def initial_shares(pairs: Sequence[Neighbours]) -> tuple[float, ...]:
    """Return the initial capital of each searched pair, sum 1."""
    if len(pairs) < 2:
        return (1.0,) * len(pairs)
    return (NEW_KEY_SHARE, *((1 - NEW_KEY_SHARE) / (len(pairs) - 1),) * (len(pairs) - 1))
