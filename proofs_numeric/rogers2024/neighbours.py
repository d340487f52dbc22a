"""Adjacency and worst-case neighbours of the unknown-domain algorithms, and of the mechanisms they are built from.

A1 Algorithm 1; B Algorithm 2; C Algorithm 3; D Algorithm 4; U the Unknown Domain Binary Mechanism. Neighbours with new
items show too low a threshold; those where only the next count moves (B2, C5, D3) show a threshold without noise:
either kind alone misses what the other finds.

Parameters go by the claims' names. The noise has the scale that a claim names (sigma, b, beta), else delta_inf/epsilon.
What only places counts has a default where it is none of the claim's: delta, k_bar, and the number of rounds. No
histogram has more than `MOST_KEYS` keys and one; descriptions say what was cut.
"""

import functools
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.thresholds import gaussian_threshold, gumbel_threshold, laplace_threshold, top_threshold
from proofs_numeric.statements.adjacency import AddRemoveUser, EventLevel, encode, stream_key
from proofs_numeric.statements.neighbours import ByParameters, Neighbours, Privacy
from proofs_numeric.statements.releases import Noisy

Parameters = Mapping[str, Any]
delta_1 = symbol("delta_1")

MOST_KEYS = 200
ANY_NUMBER = 10**9
"""Stands for Delta_0 = infinity: Algorithms 3 and 4 bound nobody's number of items."""
USUAL_DELTA = Fraction(1, 10**6)
"""The delta that places counts where a claim has none."""
NEXT = 5
"""The count just below the top, in neighbours of Algorithm 2 that need one."""
SELECTED_AMONG = ("a", "b", "c")
"""The universe of the selections."""

users = ByParameters(AddRemoveUser, {"c_u": "delta_0", "per_key": "delta_inf"})
"""One user who changes at most delta_0 counts by at most delta_inf, 1 each unless given."""
unbounded_users = ByParameters(AddRemoveUser, {"per_key": "delta_inf"}, {"c_u": ANY_NUMBER})
"""One user who changes any number of counts by at most delta_inf, 1 unless given."""
one_count = ByParameters(AddRemoveUser, {"per_key": "delta_1"}, {"c_u": 1})
"""One user whose count in one key moves by at most delta_1, 1 unless given."""
events = ByParameters(EventLevel, {"delta_0": "delta_0"})
"""One event of at most delta_0 items added or removed."""


def _with_k_bar(parameters: Parameters) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read k_bar where it is none of the claim's."""
    others = dict(parameters)
    return others, {"k_bar": K_BAR.parse(others.pop("k_bar"))} if "k_bar" in others else {}


def _whole(parameters: Parameters, name: str, default: int = 1) -> int:
    return int(Fraction(parameters.get(name, default)))


def _scale(parameters: Parameters, name: str) -> Fraction:
    """Return the noise's scale (counts)."""
    if name in parameters:
        return Fraction(parameters[name])
    return _whole(parameters, "delta_inf") / Fraction(parameters.get("epsilon", 1))


def _threshold(parameters: Parameters, formula: Expression, **at: Value) -> float:
    """Return the threshold at the claim's delta, `USUAL_DELTA` where it has none."""
    return float(evaluate_in(Float64(), formula, {**at, "delta": Fraction(parameters.get("delta", USUAL_DELTA))}))


def _cut(name: str, number: int, most: int = MOST_KEYS) -> tuple[int, str]:
    """Return the number, at most `most`, and what a description says of it."""
    return (number, "") if number <= most else (most, f" ({most} for {name} = {number})")


def labels(number: int, prefix: str = "k") -> list[str]:
    """k00, k01, ...: sorted in order."""
    width = max(2, len(str(number - 1)))
    return [f"{prefix}{index:0{width}d}" for index in range(number)]


def far(threshold: float, scale: float) -> int:
    """A count more than 40 scales above the threshold: it is held back with probability below 1e-17 (Laplace)."""
    return int(threshold + 40 * scale) + 2


# --- A1: Algorithm 1 --------------------------------------------------------------------------------------------------


def _histograms(parameters: Parameters, *, formula: Expression, scale: str, edge: str) -> tuple[Neighbours, ...]:
    """A1.new, A1.high, the edge under its name, and A1.mix; counts below c_min (1 unless given) are as good as 0."""
    number, step, absent = (_whole(parameters, name) for name in ("delta_0", "delta_inf", "c_min"))
    absent -= 1
    noise = _scale(parameters, scale)
    at: dict[str, Value] = {"delta_0": number, "delta_inf": step, "epsilon": step / noise}
    T = float(parameters["T"]) if "T" in parameters else absent + _threshold(parameters, formula, **at)
    number, cut = _cut("delta_0", number)
    keys, high, near = labels(number), far(T, float(noise)), max(round(T), absent + 1) + step
    new, before = dict.fromkeys(keys, absent + step), dict.fromkeys(keys, absent) if absent else {}
    moved, shared = dict.fromkeys(keys, high + step), dict.fromkeys(keys, high)
    pairs = [
        Neighbours("a1.new", new, before, "delta_0 new items of the largest count a new item can have" + cut),
        Neighbours("a1.high", moved, shared, "delta_0 shared counts far above the threshold" + cut),
        Neighbours(edge, {keys[0]: near}, {keys[0]: near - step}, "one shared count at the threshold"),
    ]
    if number > 1:
        right = shared | {keys[0]: absent} if absent else dict.fromkeys(keys[1:], high)
        left, text = moved | {keys[0]: absent + step}, "one new item beside shared counts far above the threshold"
        pairs.append(Neighbours("a1.mix", left, right, text + cut))
    return tuple(pairs)


GAUSSIAN_HISTOGRAM, LAPLACE_HISTOGRAM = (
    Privacy(
        users, functools.partial(_histograms, formula=formula, scale=name, edge=edge),
        release=Noisy(
            symbol(name), keys=delta_0, change=delta_inf, laplace=name == "b",
            margin=formula(epsilon=delta_inf / symbol(name)) - delta_inf,
        ),
    )
    for name, formula, edge in (("sigma", gaussian_threshold, "a1.edge"), ("b", laplace_threshold, "a1.lapedge"))
)  # fmt: skip
"""Algorithm 1: delta_0, delta_inf, sigma or b (or epsilon), delta or T, c_min."""

# --- B: Algorithm 2 ---------------------------------------------------------------------------------------------------


def _tops(parameters: Parameters) -> tuple[Neighbours, ...]:
    """B1 to B7, as far as delta_0 (B7 needs two) and delta_inf (B5 needs two) allow.

    B1, B1', B4, B5: items of one side's top only. B2: only the threshold moves. B3: high counts move. B6: ties. B7: the
    top count and the threshold move together. Where neighbours need fewer places than k_bar, counts far above every
    threshold fill the rest.
    """
    d0, step = _whole(parameters, "delta_0"), _whole(parameters, "delta_inf")
    k_bar, cut = _cut("k_bar", _whole(parameters, "k_bar", d0))
    sigma = _scale(parameters, "sigma")
    T = _threshold(parameters, top_threshold, delta_0=d0, delta_inf=step, epsilon=step / sigma)
    near = NEXT + step + max(round(T), 0)
    high, keys, many = far(T, float(sigma)) + near, labels(k_bar), min(k_bar, d0)

    def filled(places: int, entries: dict[str, int]) -> dict[str, int]:
        """Entries on the last `places` places of the top."""
        return dict.fromkeys(labels(k_bar - places, "s"), high) | entries

    full, tied = dict.fromkeys(keys, near), dict.fromkeys(labels(min(2 * k_bar, MOST_KEYS) + 1, "t"), NEXT)
    moved, new = labels(many, "m"), dict.fromkeys(labels(many, "n"), step)
    table: list[tuple[bool, str, dict[str, int], dict[str, int], str]] = [
        (True, "b1", filled(1, {"new": step}), filled(1, {}), "one new item on the last place"),
        (
            True, "b2", full | {"z": NEXT + step}, full | {"z": NEXT}, "only the threshold moves, under k_bar items",
        ),
        (
            True, "b3", filled(many, dict.fromkeys(moved, high + step)), filled(many, dict.fromkeys(moved, high)),
            "shared counts far above the threshold",
        ),
        (
            True, "b4", filled(1, {"z": NEXT + step, "b": NEXT}), filled(1, {"z": NEXT, "b": NEXT}),
            "the last item of the top loses its place to an equal one",
        ),
        (
            True, "b6", tied, {key: NEXT - (i == 0) for i, key in enumerate(reversed(tied))},
            "one of more than 2 k_bar equal counts falls, and rows come in another order",
        ),
        (many > 1, "b1'", filled(many, new), filled(many, {}), "only new items"),
        (
            step > 1, "b5", filled(1, {"a": NEXT + 1, "m": NEXT}),
            filled(1, {"a": NEXT + 1 - min(step, NEXT), "m": NEXT}),
            "an item of the top falls below the next: two places and the threshold move",
        ),
        (
            d0 > 1, "b7", filled(1, {"k": near + step, "z": NEXT + step}), filled(1, {"k": near, "z": NEXT}),
            "a count of the top and the threshold move together",
        ),
    ]  # fmt: skip
    return tuple(Neighbours(name, left, right, text + cut) for is_one, name, left, right, text in table if is_one)


TOP = Privacy(users, _tops, _with_k_bar, release=Noisy(sigma, keys=delta_0, change=delta_inf))
"""Algorithm 2: delta_0, delta_inf, sigma (or epsilon), delta; k_bar is delta_0 unless given."""
TOP_OF_K_BAR = Privacy(users, _tops)
"""The same for claims that have a k_bar."""

# --- C: Algorithm 3 ---------------------------------------------------------------------------------------------------


def _lists(parameters: Parameters) -> tuple[Neighbours, ...]:
    """C1 (all new), C2 (one of two high counts moves), C3, C4 (new beside shared), C5 (only the threshold moves).

    In C5 the largest of the k_bar noisy counts lies about T above the next: Gumbel noise lifts it by beta ln(k_bar).
    """
    beta = _scale(parameters, "beta")
    k_bar, cut = _cut("k_bar", _whole(parameters, "k_bar", max(2, _whole(parameters, "k"))))
    T = _threshold(parameters, gumbel_threshold, k_bar=k_bar, epsilon=1 / beta)
    high, keys = math.ceil(T + 30 * float(beta)), labels(k_bar)
    near, other = max(2, math.ceil(T + 1 - float(beta) * math.log(k_bar))), {"b": high} if k_bar > 1 else {}
    pairs = [
        Neighbours("c1", dict.fromkeys(keys, 1), {}, "k_bar new items" + cut),
        Neighbours(
            "c5", dict.fromkeys(keys, near) | {"next": 1}, dict.fromkeys(keys, near), "only the threshold moves" + cut
        ),
        Neighbours("c2", {"a": high + 1} | other, {"a": high} | other, "a high count moves, beside one that does not"),
    ]
    if k_bar > 1:
        pairs += [
            Neighbours("c3", dict.fromkeys(keys, 1), {keys[0]: 1}, "all but one of the items of count 1 are new" + cut),
            Neighbours("c4", {"a": 1, "b": 3}, {"b": 3}, "one new item beside a shared one"),
        ]
    return tuple(pairs)


GUMBEL = Privacy(unbounded_users, _lists, _with_k_bar, release=Noisy(beta, keys=None))
"""Algorithm 3: k, beta (or epsilon), delta; k_bar is k, at least 2, unless given."""
GUMBEL_OF_K_BAR = Privacy(unbounded_users, _lists)
"""The same for claims that have a k_bar."""

# --- D: Algorithm 4 ---------------------------------------------------------------------------------------------------


def _queries(parameters: Parameters) -> tuple[Neighbours, ...]:
    """D1: k_bar new items in every query; D2: half of the shared counts move in every query; D3: the threshold does."""
    beta = _scale(parameters, "beta")
    k_bar, cut = _cut("k_bar", _whole(parameters, "k_bar", 2))
    queries = _whole(parameters, "l_star", _whole(parameters, "k_star"))
    rounds, cut_rounds = _cut("l_star", queries, MOST_KEYS // (k_bar + 1) or 1)
    T = _threshold(parameters, gumbel_threshold, k_bar=k_bar, epsilon=1 / beta)
    near, high = math.ceil(T), max(39, math.ceil(T + 30 * float(beta)))

    def stream(name: str, left: dict[str, int], right: dict[str, int], description: str) -> Neighbours:
        return Neighbours(name, encode([left] * rounds), encode([right] * rounds), description + cut + cut_rounds)

    full = dict.fromkeys(labels(k_bar), near)
    pairs = [
        stream("d1", dict.fromkeys(labels(k_bar), 1), {}, "every query holds new items only"),
        stream("d3", full | {"z": 1}, full, "only the threshold moves, in every query"),
    ]
    if k_bar > 1:
        high_counts = dict.fromkeys(labels(k_bar), high)
        moved = {key: count + (i < k_bar // 2) for i, (key, count) in enumerate(high_counts.items())}
        pairs.append(stream("d2", moved, high_counts, "half of the high counts move in every query"))
    return tuple(pairs)


PAY_WHAT_YOU_GET = Privacy(unbounded_users, _queries, _with_k_bar, any_key=False, release=Noisy(beta, keys=None))
"""Algorithm 4: l_star (k_star unless given), beta (or epsilon), delta; k_bar is 2 unless given."""

# --- U: streams -------------------------------------------------------------------------------------------------------


def without_event(rounds: int, removed: int) -> Neighbours:
    """U2: an item of every round up to `rounds`, removed at one; its counts come to lie far above T."""
    always = [["u"]] * rounds
    return Neighbours(
        "u2", encode(always), encode([*always[: removed - 1], [], *always[removed:]]),
        f"an item of every round, removed at round {removed}",
    )  # fmt: skip


def _new_streams(parameters: Parameters) -> tuple[Neighbours, ...]:
    """U1 up to three rounds, U3 at three; U2 for longer streams, at the round 2^j + 1 of the longest path."""
    L = _whole(parameters, "L")
    if L > 3:
        rounds, cut = _cut("L", L)
        pair = without_event(rounds, 2 ** (rounds.bit_length() - 2) + 1)
        return (Neighbours(pair.id, pair.left, pair.right, pair.description + cut),)
    items, cut = _cut("delta_0", _whole(parameters, "delta_0"))
    first = Neighbours("u1", encode([labels(items, "u")]), {}, "items of the first event that never return" + cut)
    returning = Neighbours(
        "u3", encode([[], ["u"], ["u"]]), encode([[], [], ["u"]]),
        "a suppressed count shares a partial sum with the released one",
    )  # fmt: skip
    return (first, returning) if L == 3 else (first,)


def _declared_streams(parameters: Parameters) -> tuple[Neighbours, ...]:
    """Return an event of all items in the first round (the longest path of cells), and one in the last."""
    items, cut = _cut("delta_0", _whole(parameters, "delta_0"))
    return tuple(
        Neighbours(
            name, {stream_key(round_, item): 1 for item in labels(items, "u")}, {}, f"the {name} round's event" + cut
        )
        for name, round_ in (("first", 1), ("last", _whole(parameters, "L")))
    )


UNKNOWN_STREAM = Privacy(events, _new_streams, any_key=False, release=Noisy(sigma, keys=delta_0))
"""The Unknown Domain Binary Mechanism: L, delta_0."""
DECLARED_STREAM = Privacy(events, _declared_streams, any_key=False)
"""The binary mechanism over a declared universe u00, u01, ...: L, delta_0."""

# --- declared universes -----------------------------------------------------------------------------------------------


def _selections(parameters: Parameters) -> tuple[Neighbours, ...]:
    return tuple(
        Neighbours(name, left, right, "counts of a user's items move by one")
        for name, left, right in (
            ("c2", {"a": 9, "b": 8}, {"a": 8, "b": 8}),
            ("all", {"a": 9, "b": 8, "c": 8}, {"a": 8, "b": 8, "c": 8}),
            ("low", {"a": 7, "b": 9, "c": 7}, {"a": 7, "b": 8, "c": 7}),
        )
    )


def _counts(parameters: Parameters) -> tuple[Neighbours, ...]:
    step = _whole(parameters, "delta_1")
    if step < 1:
        raise ValueError(
            f"expected delta_1 >= 1 (counts) where histograms are compared, got delta_1={parameters['delta_1']}: "
            "no count of users moves by less"
        )
    others = {"k1": 5}
    return (Neighbours("one", {"k0": step} | others, others, "one count moves by delta_1"),)


SELECTION = Privacy(unbounded_users, _selections, any_key=False, release=Noisy(beta, keys=None))
"""One key of the universe a, b, c: one of two equal counts moves, one of three, or the largest of unequal ones."""
COUNTS = Privacy(one_count, _counts, release=Noisy(b, change=delta_1, laplace=True))
"""Noisy counts of the universe k0, k1: delta_1."""
