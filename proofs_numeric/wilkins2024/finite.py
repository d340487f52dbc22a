"""Exact finite laws: privacy loss, hockey sticks and Algorithm 1 with rational noise.

What the paper says about privacy loss does not use the shape of the noise.  Those statements are decided here in
rationals: atoms, zeros on one side (infinite loss) and ties ``P = e^epsilon Q`` included.  ``ratio`` is ``e^epsilon``.
"""

import functools
import math
from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations, product

FiniteLaw = Mapping[Hashable, Fraction]
"""Probability of each outcome; absent outcomes have probability 0."""

_NOTHING = Fraction(0)

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


def loss_law(left: FiniteLaw, right: FiniteLaw) -> dict[Fraction | str, Fraction]:
    """Law of the likelihood ratio ``e^L`` when the outcome is drawn from ``left`` (Definition 2.3)."""
    law: dict[Fraction | str, Fraction] = {}
    for outcome, p in left.items():
        if p:
            q = right.get(outcome, _NOTHING)
            value = p / q if q else INFINITE
            law[value] = law.get(value, _NOTHING) + p
    return law


def loss_sum(
    first: Mapping[Fraction | str, Fraction], second: Mapping[Fraction | str, Fraction]
) -> dict[Fraction | str, Fraction]:
    """Law of the sum of independent losses: ratios multiply, an infinite one absorbs."""
    law: dict[Fraction | str, Fraction] = {}
    for (x, p), (y, q) in product(first.items(), second.items()):
        value = x * y if isinstance(x, Fraction) and isinstance(y, Fraction) else INFINITE
        law[value] = law.get(value, _NOTHING) + p * q
    return law


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
    result: dict[Hashable, Fraction] = {}
    for outcome, p in law.items():
        block = blocks[int(str(outcome))]
        result[block] = result.get(block, _NOTHING) + p
    return result


# --- Algorithm 1 with noise uniform on {-width, ..., width} --------------------------------------------------------

Counts = tuple[int, ...]


def noise(width: int) -> FiniteLaw:
    """Uniform integer noise."""
    return {v: Fraction(1, 2 * width + 1) for v in range(-width, width + 1)}


@functools.cache
def row_law(count: int, tau: Fraction | int, tau_star: Fraction | int, width: int) -> FiniteLaw:
    """Output of Algorithm 1 on one group: ``None`` or the noisy count; only nonempty groups are visited."""
    law: dict[Hashable, Fraction] = {}
    for v, p in noise(width).items():
        noisy = count + int(str(v))
        released = count > 0 and count >= tau and noisy >= tau_star
        outcome = noisy if released else None
        law[outcome] = law.get(outcome, _NOTHING) + p
    return law


def printed_row_law(count: int, tau: Fraction | int, tau_star: Fraction | int, width: int) -> FiniteLaw:
    """The row formula of Section 3: empty iff the count is below tau or the noisy count below tau*."""
    law: dict[Hashable, Fraction] = {}
    for v, p in noise(width).items():
        noisy = count + int(str(v))
        outcome = None if count < tau or noisy < tau_star else noisy
        law[outcome] = law.get(outcome, _NOTHING) + p
    return law


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
        max(hockey_stick(with_user, without, ratio), hockey_stick(without, with_user, ratio))
        for with_user, without in (
            (output_law(x, tau, tau_star, width), output_law(y, tau, tau_star, width))
            for x, y in neighbours(groups, largest, c_u)
        )
    )
