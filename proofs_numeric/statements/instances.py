"""Cases of enumerated statements as instances of laws: what each gives, and when what the law says holds there.

The numbers of an instance are computed by the enumeration's code; the kernel compares them with the law's own.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.arithmetic.enclosure import exact_value
from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.arithmetic.special import integral, log_normal_cdf, normal_cdf, normal_pdf
from proofs_numeric.statements.concentrated import Decomposition, hockey_stick

Counts = Mapping[str, int]


@dataclass(frozen=True)
class ReducedAt(OfFormulas):
    """`Reduced` of two neighbours: their counts, what is kept of each, and the sparsity."""

    at: Mapping[str, Formula]
    counts: tuple[Counts, Counts]
    reduced: tuple[Counts, Counts]
    most: int

    def holds(self) -> bool:
        """Whether at most so many are kept of each, and what is kept differs by one at most, one way."""
        left, right = self.reduced
        moves = {left.get(key, 0) - right.get(key, 0) for key in {*left, *right}}
        few = all(sum(count != 0 for count in side.values()) <= self.most for side in self.reduced)
        return few and (moves <= {0, 1} or moves <= {0, -1})


@dataclass(frozen=True)
class RelabelledAt(OfFormulas):
    """`Relabelled` of a larger and a smaller histogram: squared distances, one for each matching, and their bound.

    Ties are broken by the order of labels.
    """

    at: Mapping[str, Formula]
    counts: tuple[Counts, Counts]
    distances: frozenset[int]
    squared: int

    def holds(self) -> bool:
        """Whether every matching is within the bound."""
        return max(self.distances) <= self.squared


@dataclass(frozen=True)
class GoodPartsAt(OfFormulas):
    """`GoodParts` of a pair of laws: their good parts, e^epsilon and rho."""

    at: Mapping[str, Formula]
    parts: Decomposition
    ratio: Fraction
    rho: Formula

    def holds(self) -> bool:
        """Whether the good parts certify the promise at the pair's own delta, at orders 2 and 8."""
        left, right = self.parts.left, self.parts.right
        delta = max(hockey_stick(left, right, self.ratio), hockey_stick(right, left, self.ratio))
        return bool(delta == 1) or self.parts.certifies(delta, _number(self.rho, self.at), (2, 8), _BITS)


@dataclass(frozen=True)
class InRangeAt(OfFormulas):
    """`InRange` of a larger and a smaller histogram: rates of the common items and of the merged threshold, e^width.

    Ties are broken by the order of labels.
    """

    at: Mapping[str, Formula]
    counts: tuple[Counts, Counts]
    rates: tuple[Mapping[str, Fraction], Mapping[str, Fraction]]
    merged: tuple[Fraction, Fraction]
    factor: Fraction

    def holds(self) -> bool:
        """Whether every rate moves by a factor in its range."""
        larger, smaller = self.rates
        moves = [larger[key] / smaller[key] for key in larger] + [self.merged[0] / self.merged[1]]
        return larger.keys() == smaller.keys() and all(1 <= move <= self.factor for move in moves)


@dataclass(frozen=True)
class ConditionedAt(OfFormulas):
    """`Conditioned` of one call: who picks at which rate, the law of the race, and the law by merged rates.

    The race has the items and the `BOTTOM` of ``scores``, ``members`` among them, and prints ``picks`` entries.
    """

    at: Mapping[str, Formula]
    scores: Mapping[str, Formula]
    members: frozenset[str]
    picks: int
    raced: Mapping[Outcome, Fraction]
    merged: Mapping[Outcome, Fraction]

    def holds(self) -> bool:
        """Whether both laws are the same."""
        return self.raced == self.merged


@dataclass(frozen=True)
class ListsAt(OfFormulas):
    """`Lists` of calls on a larger and a smaller histogram each: both laws with their good parts, delta and rho.

    A call prints at most ``each`` entries.  The laws are of all lists, in order; of one call that is no stream, of its
    list.  The good parts leave out the mass ``missed``.  Ties are broken by the order of labels.
    """

    at: Mapping[str, Formula]
    calls: tuple[tuple[Counts, Counts], ...]
    each: int
    parts: Decomposition
    missed: Fraction
    delta: Fraction
    rho: Formula

    def holds(self) -> bool:
        """Whether the good parts certify the promise, at orders 1, 2 and 8."""
        near = self.parts.certifies(self.missed, _number(self.rho, self.at), (1, 2, 8), _BITS)
        return near and self.missed <= self.delta


@dataclass(frozen=True)
class TruncatedAt(OfFormulas):
    """`Truncated` in the plane: P has this mean, Q the mean 0, both given ``strip`` around x and x + y <= ``edge``."""

    at: Mapping[str, Formula]
    mean: tuple[int, int]
    strip: tuple[int, int]
    edge: int
    bound: Formula

    def holds(self) -> bool:
        """Whether the divergence, of masses that are integrated, is within the bound."""
        with Ball(_BITS) as A:
            alpha = self.at["alpha"](A)
            origin, beyond = (0, 0), [alpha * part for part in self.mean]
            tilted = self._log_mass(A, beyond) - alpha * self._log_mass(A, self.mean)
            tilted += (alpha - 1) * self._log_mass(A, origin)
            squared = sum(part * part for part in self.mean)
            return bool(alpha * squared / 2 + tilted / (alpha - 1) <= _number(self.bound, self.at))

    def _log_mass(self, A: Ball, mean: Sequence[Any]) -> Any:
        def slice_(B: Arithmetic, x: Number) -> Number:
            return normal_pdf(B, x - mean[0]) * normal_cdf(B, self.edge - x - mean[1])

        return A.log(integral(A, slice_, *self.strip))


@dataclass(frozen=True)
class TopsAt(OfFormulas):
    """`Tops` of neighbours: how their counts move, the next count's leads over the items of one top only, and numbers.

    A smaller top is made up by items of count 0.  A case is decided at a threshold that is `ABOVE` more: at the law's
    own, the bound of what is missed may be attained, which no ball decides.
    """

    at: Mapping[str, Formula]
    moved: RelabelledAt
    leads: tuple[tuple[int, ...], tuple[int, ...]]
    noise: Formula
    threshold: Formula
    delta: Formula
    rho: Formula

    def holds(self) -> bool:
        """Whether own items pass with probability delta at most, and the divergences given that are within alpha rho.

        Orders 2 and 8, where there is one own item, whose truncated divergence has a closed form.
        """
        numbers = self.noise, self.threshold, self.delta, self.rho
        squared = max(self.moved.distances)
        return self.moved.holds() and _tops_within(tuple(sorted(self.at.items())), self.leads, squared, *numbers)


@functools.cache
def _tops_within(
    at: tuple[tuple[str, Formula], ...], leads: tuple[tuple[int, ...], ...], squared: int, *numbers: Formula
) -> bool:
    with Ball(_BITS) as A:
        noise, threshold, delta, rho = (_number(formula, dict(at)) for formula in numbers)
        edges = [[(threshold + A.number(ABOVE) + lead) / (A.sqrt(2) * noise) for lead in side] for side in leads]
        likely = all(bool(A.sum(normal_cdf(A, -edge) for edge in side) <= delta) for side in edges if side)
        # Edges as far on either side add nothing: the distance decides, which no ball can where it is attained.
        one = len(leads[0]) == 1 and leads[0] != leads[1]
        ways = [(edges[0][0], edges[1][0]), (edges[1][0], edges[0][0])] if one else []
        free = A.number(squared) / (2 * noise**2)
        return likely and all(
            bool(alpha * free + _excess(A, alpha, *way) <= alpha * rho) for way in ways for alpha in (2, 8)
        )


def _excess(A: Ball, alpha: int, left: Any, right: Any) -> Any:
    """What truncation to one half-space adds, whose edge is so far from either mean."""
    beyond, here, there = (log_normal_cdf(A, x) for x in (alpha * left + (1 - alpha) * right, left, right))
    return (beyond - alpha * here + (alpha - 1) * there) / (alpha - 1)


@dataclass(frozen=True)
class RowsAt(OfFormulas):
    """`ConcentratedRows` of a larger and a smaller histogram: at most ``rows`` counts fall, each by at most ``fall``.

    A count has noise of the scale; ``tail`` is how likely noise is above so many scales, ``divergence`` that of counts
    ``epsilon`` scales apart, at the order alpha.  A case is decided at a threshold that is `ABOVE` more, as tops are.
    """

    at: Mapping[str, Formula]
    counts: tuple[Counts, Counts]
    rows: int
    fall: int
    scale: Formula
    threshold: Formula
    tail: Callable[[Any, Any], Any]
    divergence: Formula
    delta: Formula
    rho: Formula

    def holds(self) -> bool:
        """Whether new items pass with probability delta at most, and the others' divergences add up to alpha rho.

        At orders 2 and 8.
        """
        larger, smaller = self.counts
        numbers = self.scale, self.threshold, self.delta, self.rho
        with Ball(_BITS) as A:
            scale, threshold, delta, rho = (_number(formula, self.at) for formula in numbers)
            silent = A.number(1)
            for key in larger.keys() - smaller.keys():
                silent = silent * (1 - self.tail(A, (threshold + A.number(ABOVE) - larger[key]) / scale))
            moves = [(larger[key] - count) / scale for key, count in smaller.items() if larger[key] > count]
            near = (
                A.sum(self.divergence(A, alpha=alpha, epsilon=move) for move in moves) <= alpha * rho
                for alpha in (2, 8)
            )
            return bool(silent >= 1 - delta) and all(map(bool, near))


@dataclass(frozen=True)
class StreamsAt(OfFormulas):
    """`Streams` of neighbours: items that all come in these rounds, and not in the event's in the neighbour.

    The event is in so many ``cells``; ``sums`` are the cells of each sum that only one side may print, which is 1.
    """

    at: Mapping[str, Formula]
    items: int
    rounds: frozenset[int]
    event: int
    cells: int
    sums: tuple[int, ...]
    noise: Formula
    threshold: Formula
    delta: Formula
    rho: Formula

    def holds(self) -> bool:
        """Whether such sums pass with probability delta at most, and the divergences are within alpha rho.

        Given that they do not, orders 2 and 8, where there is one such sum, whose divergence has a closed form.
        """
        numbers = self.noise, self.threshold, self.delta, self.rho
        with Ball(_BITS) as A:
            noise, threshold, delta, rho = (_number(formula, self.at) for formula in numbers)
            scales = [noise * A.sqrt(A.number(cells)) for cells in self.sums]
            edges = [((threshold - 1) / scale, threshold / scale) for scale in scales]
            likely = self.items * A.sum(normal_cdf(A, -edge) for edge, _other in edges) <= delta
            free = A.number(self.cells) / (2 * noise**2)
            ways = [edges[0], edges[0][::-1]] if len(edges) == 1 else []
            near = (
                self.items * (alpha * free + _excess(A, alpha, *way)) <= alpha * rho for way in ways for alpha in (2, 8)
            )
            return bool(likely) and bool(self.items * free <= rho) and all(map(bool, near))


ABOVE = Fraction(1, 2**20)
"""Of a threshold, as above."""
BOTTOM = "⊥"
"""Printed where the threshold comes first."""
Outcome = tuple[str, ...]
"""A printed list, `BOTTOM` last where the threshold ended it."""
_BITS = 128


def values_of(A: Any, at: Mapping[str, Formula]) -> dict[str, Any]:
    """Parameters as numbers: integers as they are."""
    exact = {name: exact_value(formula, {}) for name, formula in at.items()}
    return {
        name: int(value) if value is not None and value.denominator == 1 else A.number(at[name](A))
        for name, value in exact.items()
    }


def _number(formula: Formula, at: Mapping[str, Formula]) -> Any:
    with Ball(_BITS) as A:
        return A.number(formula(A, **values_of(A, at)))


LawInstance = (
    ReducedAt
    | RelabelledAt
    | GoodPartsAt
    | InRangeAt
    | ConditionedAt
    | ListsAt
    | TruncatedAt
    | TopsAt
    | RowsAt
    | StreamsAt
)


@dataclass(frozen=True)
class LawInstances:
    """That a case holds: so does each of its instances of a law, of which it has at least one."""

    of: Callable[[Any], Iterable[LawInstance]]

    def __call__(self, case: Any) -> bool:
        """Whether it holds."""
        results = [one.holds() for one in self.of(case)]
        return bool(results) and all(results)
