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

import contextlib
import functools
import heapq
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from proofs_numeric.arithmetic.largest import largest_of_pairs
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.lebeda2025.exact.cover import Bounds, Cell, Proposal, certified_largest, check_line
from proofs_numeric.lebeda2025.exact.pair import pair_delta

_BLOCKS = 3000
"""Most blocks of l, or boxes of pairs, evaluated before a maximum is returned as a bracket."""
_TIED = 2.0**-30
"""Doubles do not tell pairs apart that are closer than this."""


def maximum_by_blocks(
    A: Arithmetic, bound: Callable[[int, int], Any], first: int, last: int, at_least: Number, close_bits: int = 0
) -> Number:
    """``max(at_least, max of bound(l, l) over first..last)``, given that ``bound(a, b)`` is no less on ``a..b``.

    Blocks are refined from the highest bound down.  Balls: a rigorous enclosure.  Other arithmetics: never below the
    maximum, and equal to it unless ``_BLOCKS`` evaluations did not settle it.  Blocks whose bound is within
    ``2^-close_bits`` of the best value (0: half the precision, at least 50) are not refined.

    Raises:
        CoverError: the blocks left out an integer, or one is not bounded, in balls.

    """
    bound = functools.cache(bound)
    close = 2 ** (close_bits or max(50, A.bits // 2))
    best = A.maximum(at_least, bound(first, first), bound(last, last)) if first <= last else at_least
    left_open = best
    heap: list[tuple[float, int, int, Any]] = []
    final_cells = {(end, end) for end in (first, last) if first <= last}

    def push(a: int, b: int) -> None:
        nonlocal left_open
        if a > b:
            return
        highest = bound(a, b)
        if highest <= best:
            final_cells.add((a, b))
            return
        if highest <= best + best / close:
            left_open = A.maximum(left_open, highest)
            final_cells.add((a, b))
            return
        heapq.heappush(heap, (-float(highest), a, b, highest))

    push(first + 1, last - 1)
    for _evaluation in range(_BLOCKS):
        if not heap:
            break
        _order, a, b, _highest = heapq.heappop(heap)
        middle = (a + b) // 2
        best = A.maximum(best, bound(middle, middle))
        final_cells.add((middle, middle))
        push(a, middle - 1)
        push(middle + 1, b)
    highest: Any = A.maximum(best, left_open, *(item[-1] for item in heap))
    if A.encloses:
        check_line(bound, {*final_cells, *(item[1:3] for item in heap)}, first, last, highest.upper())
    return A.between(highest, best)


def cells_below_ceilings(bounds: Bounds, best: Number) -> tuple[Cell, ...] | None:
    """Cells of all mixed pairs whose ceilings are at most ``best``; None where some ceiling is not seen to be."""
    k = bounds.k
    blocks, final_cells = [(1, k - 1)] if k > 1 else [], list[Cell]()
    for _evaluation in range(_BLOCKS):
        if not blocks:
            return tuple(final_cells)
        a, b = blocks.pop()
        cell = Cell(a, b, 1, k - a)
        if bounds.is_below_ceiling(cell, best):
            final_cells.append(cell)
            continue
        if a == b:
            return None
        middle = (a + b) // 2
        blocks += [(a, middle), (middle + 1, b)]
    return None


def exact_delta(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    """Exact delta over all k-sparse monotonic neighbours, ``epsilon >= 0``; the module says where it is a bracket."""
    at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
    forward = partial(pair_delta, A, **at, direction="forward")
    return largest_of_pairs(A, lambda l, j: forward(l=l, j=j), k, lambda B: certified_largest(B, proposed, **at))


@functools.lru_cache(maxsize=64)
def proposed(bounds: Bounds) -> Proposal:
    """Return what the steps of the module find; for balls :mod:`cover` certifies it."""
    with bounds.A if isinstance(bounds.A, Ball) else contextlib.nullcontext():
        cells = cells_below_ceilings(bounds, bounds.two)
        return largest_pairs(bounds) if cells is None else Proposal((), None, cells)


def largest_pairs(bounds: Bounds) -> Proposal:
    """Return the mixed pairs that may be the largest and above the two unmixed ones, and cells of all others.

    Boxes of l in [l0, l1] and j in [j0, j1] are split from the highest bound down. The pairs of a box are
    post-processings of l1 new beside ``d = k - l0`` shared counters of which j change; of those step 4 holds.
    """
    A, k = bounds.A, bounds.k
    heap: list[tuple[float, Cell, Any, Cell]] = []
    values: dict[tuple[int, int], Any] = {}
    closed: list[Cell] = []
    best = bounds.two

    def push(l0: int, l1: int, j0: int, j1: int, bound_before: tuple[Any, Cell] | None) -> None:
        cell = Cell(l0, l1, j0, min(j1, k - l0))
        if l0 > l1 or j0 > cell.j1:
            return
        bound, by = _lower(A, bound_before, (bounds.by_ceiling(cell), cell))
        if bound <= best:
            closed.append(by)
        else:
            heapq.heappush(heap, (-float(bound), cell, bound, by))

    push(1, k - 1, 1, k - 1, None)
    for _evaluation in range(_BLOCKS):
        while heap and heap[0][-2] <= best:
            closed.append(heapq.heappop(heap)[-1])
        if not heap:
            break
        _order, cell, bound, by = heapq.heappop(heap)
        l0, l1, j0, j1 = cell
        middle, more = (j0 + j1) // 2, bounds.between(cell)
        lower = _lower(A, (bound, by), (bounds.by_ends(cell), cell))
        if l0 == l1:
            values |= {(l0, j): bounds.pair(l0, k - l0, j) for j in (j0, j1)}
            best = A.maximum(best, values[l0, j0], values[l0, j1])
        if l0 < l1 and (j1 - j0 <= 1 or float(bounds.new(l1) - bounds.new(l0)) >= float(more)):
            push(l0, (l0 + l1) // 2, j0, j1, lower)
            push((l0 + l1) // 2 + 1, l1, j0, j1, lower)
        elif j1 - j0 > 1:
            push(l0, l1, j0, middle, lower)
            push(l0, l1, middle, j1, lower)
    near = best if A.encloses else best * (1 - _TIED)
    pairs = tuple(pair for pair, value in values.items() if not value < near)
    left = (math.nextafter(float(each[2].upper()) if A.encloses else each[2], math.inf) for each in heap)
    top = max(left, default=None)
    cells = (*closed, *(each[3] for each in heap), *(Cell(l, l, j, j) for l, j in values.keys() - set(pairs)))
    return Proposal(pairs, top, cells)


def _lower(A: Arithmetic, first: tuple[Any, Cell] | None, second: tuple[Any, Cell]) -> tuple[Any, Cell]:
    """The lower of two bounds, with the cell whose bound it is."""
    if first is None:
        return second
    lower = first[0].upper() <= second[0].upper() if A.encloses else first[0] <= second[0]
    return first if lower else second
