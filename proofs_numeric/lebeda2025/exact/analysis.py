"""The exact delta of the correlated stability histogram: certificate, search, and bracket.

``A_l``: some of l new counters is released.  ``dg(d)``: the worst hockey stick of d shared counters.  Every pair of
neighbours is a post-processing of a pair (l, j) (exact.pair), and

1. reverse <= forward for epsilon >= 0 (``sec3.reverse``), so only forward pairs count;
2. forward(l, j) <= ``1 - (1 - A_l)(1 - dg(k - l))`` <= ``A_l + dg(k - l)`` (``sec3.cert.ceiling``);
3. forward(k, 0) = ``A_k``, and forward(0, j) at the worst j is ``G_k = dg(k)``.

So the exact delta is ``max(A_k, G_k)`` wherever no ceiling of step 2 with 0 < l < k exceeds it: A grows and dg(k - l)
falls with l, so blocks of l are settled at once and a few hundred evaluations do at k = 10^6.  Where some ceiling
exceeds it (near epsilon = 0 with tiny delta) the largest pair is sought in boxes of pairs (`largest_pairs`), by

4. with j0 and j1 of d shared counters changed, every pair between is at most the larger of the two and
   `above_ends` (``exact.chord``).
"""

from __future__ import annotations

import functools
import heapq
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, Number
from proofs_numeric.arithmetic.largest import largest_of_pairs
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.expression import maximum
from proofs_numeric.lebeda2025.exact.cover import COARSE_BITS, Bounds, Cell, CoverError, check_cover, first_uncovered
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_delta
from proofs_numeric.lebeda2025.parameters import k

_BLOCKS = 3000
"""Most blocks of l, or boxes of pairs, evaluated before a maximum is returned as a bracket."""
_SEARCH_BITS = 64
_TIED = 2.0**-30
"""Doubles do not tell pairs apart that are closer than this."""

Value = Callable[[int], Any]
BlockBound = Callable[[int, int], Any]

two_terms = maximum(new_released(l=k), shared_delta(d=k))
"""``max(A_k, G_k)``: the larger of the two unmixed pairs; a lower bound on the exact delta."""


def ceiling(
    A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, d: int, bits: int | None = None
) -> Any:
    """``1 - (1 - A_l)(1 - dg(d))``: at least every forward pair with at most l new and at most d shared counters."""
    new = released(A, l=l, t=gap / sigma, b=shared_slope(A, k=k), bits=bits)
    return new + (1 - new) * shared_delta(A, epsilon=epsilon, k=k, sigma=sigma, d=d)


def maximum_by_blocks(
    A: Arithmetic, value: Value, bound: BlockBound, first: int, last: int, at_least: Number, close_bits: int = 0
) -> Number:
    """``max(at_least, max of value over first..last)``, given ``bound(a, b) >= value`` on ``a..b``.

    Blocks are refined from the highest bound down.  Balls: a rigorous enclosure.  Other arithmetics: never below the
    maximum, and equal to it unless ``_BLOCKS`` evaluations did not settle it.  Blocks whose bound is within
    ``2^-close_bits`` of the best value (0: half the precision) are not refined.

    Raises:
        CoverError: the blocks left out an integer, in balls.

    """
    close = 2 ** (close_bits or (A.bits // 2 if A.encloses else 50))
    best = A.maximum(at_least, value(first), value(last)) if first <= last else at_least
    left_open = best
    heap: list[tuple[float, int, int, Any]] = []
    settled = {(end, end) for end in (first, last)}

    def push(a: int, b: int) -> None:
        nonlocal left_open
        if a > b:
            return
        highest = bound(a, b)
        if highest <= best:
            settled.add((a, b))
            return
        if highest <= best + best / close:
            left_open = A.maximum(left_open, highest)
            settled.add((a, b))
            return
        heapq.heappush(heap, (-float(highest), a, b, highest))

    push(first + 1, last - 1)
    for _evaluation in range(_BLOCKS):
        if not heap:
            break
        _order, a, b, _highest = heapq.heappop(heap)
        middle = (a + b) // 2
        best = A.maximum(best, value(middle))
        settled.add((middle, middle))
        push(a, middle - 1)
        push(middle + 1, b)
    if A.encloses:
        _check_line({*settled, *(item[1:3] for item in heap)}, first, last)
    highest = A.maximum(best, left_open, *(item[-1] for item in heap))
    return A.between(highest, best)


def _check_line(blocks: Iterable[tuple[int, int]], first: int, last: int) -> None:
    reached = first - 1
    for a, b in sorted(blocks):
        if a <= reached + 1:
            reached = max(reached, b)
    if reached < last:
        raise CoverError(f"expected blocks that cover {first} to {last}, got none with {reached + 1}")


def collapses(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, two: Number) -> bool:
    """Whether every ceiling with ``0 < l < k`` is certified to be at most ``two = max(A_k, G_k)``.

    For balls a proof that the exact delta is ``two``; False proves nothing.

    Raises:
        CoverError: the blocks left out an l, in balls.

    """

    def at_most(l: int, d: int) -> bool:
        at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap, "l": l, "d": d}
        return any(ceiling(A, **at, bits=bits) <= two for bits in (COARSE_BITS // 4, COARSE_BITS))

    blocks, settled = [(1, k - 1)] if k > 1 else [], list[Cell]()
    for _evaluation in range(_BLOCKS):
        if not blocks:
            if A.encloses and (missing := first_uncovered(settled, k)) is not None:
                raise CoverError(f"expected blocks that cover all l from 1 to {k - 1}, got none with l = {missing[0]}")
            return True
        a, b = blocks.pop()
        if at_most(b, k - a):
            settled.append(Cell(a, b, 1, k - a))
            continue
        if a == b:
            return False
        middle = (a + b) // 2
        blocks += [(a, middle), (middle + 1, b)]
    return False


def exact_delta(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    """Exact delta over all k-sparse monotonic neighbours, ``epsilon >= 0``; the module says where it is a bracket."""
    at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
    return largest_of_pairs(
        A, lambda l, j: pair_delta(A, **at, l=l, j=j, direction="forward"), k, lambda B: _largest_found(B, **at)
    )


def _largest_found(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    """The largest forward pair, by the steps of the module."""
    point = _Point(epsilon=A.number(epsilon), k=k, sigma=A.number(sigma), gap=A.number(gap))
    two = two_terms(A, **vars(point))
    near_one: Any = A.between(two, 1)
    if A.encloses and near_one.rel_accuracy_bits() >= min(A.bits // 2, COARSE_BITS):
        return near_one  # some counter is all but certain to be released: pairs are too near to be told apart
    rough = A if A.encloses else Float64()
    known = two if A.encloses else rough.number(float(two))
    if collapses(rough, **vars(point.rounded(rough)), two=known):
        return two
    found = _searched(*(float(x) for x in (point.epsilon, point.sigma, point.gap)), k=k, encloses=A.encloses)
    new = {l: new_released(A, k=k, sigma=point.sigma, gap=point.gap, l=l) for l, _j in found.pairs}
    forward = partial(pair_delta, A, **vars(point), direction="forward")
    best = A.maximum(two, *(forward(l=l, j=j, new=new[l]) for l, j in found.pairs))
    return best if found.top is None else A.between(A.maximum(best, A.number(Fraction(found.top))), best)


class Search(NamedTuple):
    """The forward pairs that may be the largest, and a bound on all others: None where they are certainly smaller."""

    pairs: tuple[tuple[int, int], ...]
    top: float | None


@functools.lru_cache(maxsize=64)
def _searched(*reals: float, k: int, encloses: bool) -> Search:
    """`largest_pairs` over all epsilon, sigma, gap that round to these doubles, or at them; not below ``two``."""
    if not encloses:
        A: Any = Float64()
        at: dict[str, Any] = dict(zip(("epsilon", "sigma", "gap"), map(A.number, reals), strict=True), k=k)
        return largest_pairs(A, **at, two=two_terms(A, **at))
    with Ball(_SEARCH_BITS) as A:
        balls = (flint.arb(x, abs(x) * 2.0**-52 + 2.0**-1022) for x in reals)
        at = dict(zip(("epsilon", "sigma", "gap"), balls, strict=True), k=k)
        return largest_pairs(A, **at, two=two_terms(A, **at))


@dataclass(frozen=True)
class _Point:
    epsilon: Any
    k: int
    sigma: Any
    gap: Any

    def rounded(self, A: Arithmetic) -> _Point:
        """The point in arithmetic A, for balls as it is."""
        if A.encloses:
            return self
        return _Point(A.number(float(self.epsilon)), self.k, A.number(float(self.sigma)), A.number(float(self.gap)))


def bracket_top(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, two: Number) -> Number:
    """``max(two, every ceiling with 0 < l < k)``: an upper bound on the exact delta."""

    def at(l: int, d: int) -> Any:
        return ceiling(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, d=d, bits=COARSE_BITS)

    return maximum_by_blocks(A, lambda l: at(l, k - l), lambda a, b: at(b, k - a), 1, k - 1, two)


def largest_pairs(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, two: Number) -> Search:
    """The mixed pairs that may be the largest and above ``two``; for balls certified by `check_cover`.

    Boxes of l in [l0, l1] and j in [j0, j1] are split from the highest bound down. The pairs of a box are
    post-processings of l1 new beside ``d = k - l0`` shared counters of which j change; of those step 4 holds.

    Raises:
        CoverError: the search left out a pair, in balls.

    """
    bounds = Bounds(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap)
    heap: list[tuple[float, Cell, Any, Cell]] = []
    own: dict[tuple[int, int], Any] = {}
    closed: list[Cell] = []
    seen = two

    def push(l0: int, l1: int, j0: int, j1: int, known: tuple[Any, Cell] | None) -> None:
        cell = Cell(l0, l1, j0, min(j1, k - l0))
        if l0 > l1 or j0 > cell.j1:
            return
        bound, by = _lower(A, known, (bounds.by_ceiling(cell), cell))
        if bound <= seen:
            closed.append(by)
        else:
            heapq.heappush(heap, (-float(bound), cell, bound, by))

    push(1, k - 1, 1, k - 1, None)
    for _evaluation in range(_BLOCKS):
        while heap and heap[0][-2] <= seen:
            closed.append(heapq.heappop(heap)[-1])
        if not heap:
            break
        _order, cell, *known = heapq.heappop(heap)
        l0, l1, j0, j1 = cell
        middle, more = (j0 + j1) // 2, bounds.between(cell)
        lower = _lower(A, (known[0], known[1]), (bounds.by_ends(cell), cell))
        if l0 == l1:
            own |= {(l0, j): bounds.pair(l0, k - l0, j) for j in (j0, j1)}
            seen = A.maximum(seen, own[l0, j0], own[l0, j1])
        if l0 < l1 and (j1 - j0 <= 1 or float(bounds.new(l1) - bounds.new(l0)) >= float(more)):
            push(l0, (l0 + l1) // 2, j0, j1, lower)
            push((l0 + l1) // 2 + 1, l1, j0, j1, lower)
        elif j1 - j0 > 1:
            push(l0, l1, j0, middle, lower)
            push(l0, l1, middle, j1, lower)
    near = seen if A.encloses else seen * (1 - _TIED)
    pairs = tuple(found for found, value in own.items() if not value < near)
    left = (math.nextafter(float(each[2].upper()) if A.encloses else each[2], math.inf) for each in heap)
    top = max(left, default=None)
    if A.encloses:
        best = A.maximum(two, *(own[pair] for pair in pairs), *(() if top is None else (A.number(Fraction(top)),)))
        cells = (*closed, *(each[3] for each in heap), *(Cell(l, l, j, j) for l, j in own.keys() - set(pairs)))
        check_cover(bounds, cells, pairs, best)
    return Search(pairs, top)


def _lower(A: Arithmetic, known: tuple[Any, Cell] | None, other: tuple[Any, Cell]) -> tuple[Any, Cell]:
    """The lower of two bounds, with the cell whose bound it is."""
    if known is None:
        return other
    lower = known[0].upper() <= other[0].upper() if A.encloses else known[0] <= other[0]
    return known if lower else other
