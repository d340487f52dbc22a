"""Exact finite laws: privacy loss, hockey sticks and Algorithm 1 with rational noise.

What the paper says about privacy loss does not use the shape of the noise.  Those statements are decided here in
rationals: atoms, zeros on one side (infinite loss) and ties ``P = e^epsilon Q`` included.  ``ratio`` is ``e^epsilon``.
"""

import functools
import math
from collections.abc import Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import TypeVar

FiniteLaw = Mapping[Hashable, Fraction]
"""Probability of each outcome; absent outcomes have probability 0."""

_NOTHING = Fraction(0)
_Outcome = TypeVar("_Outcome")

INFINITE = "infinity"
"""The likelihood ratio of an outcome that the other law cannot produce."""

RATIOS = (Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(2), Fraction(5))
"""Values of ``e^epsilon`` on both sides of 1, met exactly by small fractions."""


@functools.cache
def laws(atoms: int, denominator: int) -> tuple[FiniteLaw, ...]:
    """Every law on ``atoms`` outcomes whose probabilities are multiples of ``1/denominator``."""
    return tuple(
        {i: Fraction(w, denominator) for i, w in enumerate(weights)}
        for weights in product(range(denominator + 1), repeat=atoms)
        if sum(weights) == denominator
    )


def coin(head: str) -> FiniteLaw:
    """Law of a coin that shows heads with the given probability."""
    return {"head": Fraction(head), "tail": 1 - Fraction(head)}


def masses(left: FiniteLaw, right: FiniteLaw) -> list[tuple[Fraction, Fraction]]:
    """Both probabilities of every outcome."""
    return [(left.get(outcome, _NOTHING), right.get(outcome, _NOTHING)) for outcome in {**left, **right}]


def law_pairs(atoms: int, denominator: int) -> Iterator[tuple[FiniteLaw, FiniteLaw, Fraction]]:
    """Every pair of such laws with every ratio."""
    yield from product(laws(atoms, denominator), laws(atoms, denominator), RATIOS)


def events(law: FiniteLaw) -> Iterator[frozenset[Hashable]]:
    """Every set of outcomes."""
    outcomes = tuple(law)
    for size in range(len(outcomes) + 1):
        yield from map(frozenset, combinations(outcomes, size))


def probability(law: FiniteLaw, event: frozenset[Hashable]) -> Fraction:
    """Probability of a set of outcomes."""
    return sum((p for outcome, p in law.items() if outcome in event), _NOTHING)


def best_event(left: FiniteLaw, right: FiniteLaw, ratio: Fraction) -> Fraction:
    """``max_S P(S) - e^epsilon Q(S)`` over every set, as Definition 2.2 asks."""
    return max(probability(left, event) - ratio * probability(right, event) for event in events({**left, **right}))


def hockey_stick(left: FiniteLaw, right: FiniteLaw, ratio: Fraction) -> Fraction:
    """The same maximum as the sum of positive parts."""
    gains = (p - ratio * right.get(outcome, _NOTHING) for outcome, p in left.items())
    return sum((gain for gain in gains if gain > 0), _NOTHING)


def loss_difference(left: FiniteLaw, right: FiniteLaw, ratio: Fraction) -> Fraction:
    """Left side of (2.2): ``P(L_{X,X'} >= epsilon) - e^epsilon P(L_{X',X} <= -epsilon)``."""
    at_least = sum((p for o, p in left.items() if p and p >= ratio * right.get(o, _NOTHING)), _NOTHING)
    at_most = sum((q for o, q in right.items() if q and left.get(o, _NOTHING) and q * ratio <= left[o]), _NOTHING)
    return at_least - ratio * at_most


def _gathered(masses: Iterable[tuple[_Outcome, Fraction]]) -> dict[_Outcome, Fraction]:
    """Law of outcomes that are named with a part of their mass each time."""
    law: dict[_Outcome, Fraction] = {}
    for outcome, p in masses:
        law[outcome] = law.get(outcome, _NOTHING) + p
    return law


def loss_law(left: FiniteLaw, right: FiniteLaw) -> dict[Fraction | str, Fraction]:
    """Law of the likelihood ratio ``e^L`` when the outcome is drawn from ``left`` (Definition 2.3)."""
    shared = ((p, right.get(outcome, _NOTHING)) for outcome, p in left.items() if p)
    return _gathered((p / q if q else INFINITE, p) for p, q in shared)


def loss_sum(
    first: Mapping[Fraction | str, Fraction], second: Mapping[Fraction | str, Fraction]
) -> dict[Fraction | str, Fraction]:
    """Law of the sum of independent losses: ratios multiply, an infinite one absorbs."""
    return _gathered(
        (x * y if isinstance(x, Fraction) and isinstance(y, Fraction) else INFINITE, p * q)
        for (x, p), (y, q) in product(first.items(), second.items())
    )


def joint(*rows: FiniteLaw) -> FiniteLaw:
    """Law of independent outcomes."""
    law: dict[Hashable, Fraction] = {(): Fraction(1)}
    for row in rows:
        law = {(*o, new): p * q for o, p in law.items() for new, q in row.items() if p and q}  # type: ignore[misc]
    return law


def merges(atoms: int) -> Iterator[tuple[int, ...]]:
    """Every way to merge outcomes: the block of each atom, blocks numbered by first appearance."""

    def extend(blocks: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(blocks) == atoms:
            yield blocks
            return
        for block in range(max(blocks, default=-1) + 2):
            yield from extend((*blocks, block))

    yield from extend(())


def merged(law: FiniteLaw, blocks: tuple[int, ...]) -> FiniteLaw:
    """Law after post-processing that maps outcome ``i`` to ``blocks[i]``."""
    return _gathered((blocks[int(str(outcome))], p) for outcome, p in law.items())


# --- Algorithm 1 with noise uniform on {-width, ..., width} --------------------------------------------------------

Counts = tuple[int, ...]


def noise(width: int) -> Mapping[int, Fraction]:
    """Uniform integer noise."""
    return {v: Fraction(1, 2 * width + 1) for v in range(-width, width + 1)}


@functools.cache
def row_law(count: int, tau: Fraction | int, tau_star: Fraction | int, width: int) -> FiniteLaw:
    """Output of Algorithm 1 on one group: ``None`` or the noisy count; only nonempty groups are visited."""
    visited, masses = count > 0 and count >= tau, noise(width).items()
    return _gathered((count + v if visited and count + v >= tau_star else None, p) for v, p in masses)


def printed_row_law(count: int, tau: Fraction | int, tau_star: Fraction | int, width: int) -> FiniteLaw:
    """The row formula of Section 3: empty iff the count is below tau or the noisy count below tau*."""
    masses = noise(width).items()
    return _gathered((None if count < tau or count + v < tau_star else count + v, p) for v, p in masses)


@functools.lru_cache(maxsize=1024)  # a histogram is the neighbour of several
def output_law(counts: Counts, tau: Fraction | int, tau_star: Fraction | int, width: int) -> FiniteLaw:
    """Output of Algorithm 1 on a histogram: rows are independent."""
    return joint(*(row_law(count, tau, tau_star, width) for count in counts))


def neighbours(groups: int, largest: int, c_u: int) -> Iterator[tuple[Counts, Counts]]:
    """Histograms with and without one user, who has one record in each of 1 to ``c_u`` groups."""
    for counts in product(range(largest + 1), repeat=groups):
        for group_count in range(1, c_u + 1):
            for chosen in combinations(range(groups), group_count):
                if all(counts[i] for i in chosen):
                    yield counts, tuple(count - (i in chosen) for i, count in enumerate(counts))


def least_delta(
    ratio: Fraction, *, groups: int, c_u: int, tau: Fraction | int, tau_star: Fraction | int, width: int
) -> Fraction:
    """Least delta of Algorithm 1 by Definition 2.2: every pair of neighbours in both orders.

    Counts up to ``tau* + width + 1`` are enumerated; above, both rows are always released and no pair is new.
    """
    largest = max(math.ceil(tau_star) + width + 1, math.ceil(tau) + 1)
    return max(
        hockey_stick(output_law(one, tau, tau_star, width), output_law(other, tau, tau_star, width), ratio)
        for pair in neighbours(groups, largest, c_u)
        for one, other in (pair, pair[::-1])
    )
