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
   `above_both` (``exact.chord``).
"""

from __future__ import annotations

import functools
import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, Number
from proofs_numeric.arithmetic.largest import largest_of_pairs
from proofs_numeric.arithmetic.mixed_pair import distances
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_delta

_COARSE_BITS = 44
_BLOCKS = 3000
"""Most blocks of l, or boxes of pairs, evaluated before a maximum is returned as a bracket."""
_SEARCH_BITS = 64
_TIED = 2.0**-30
"""Doubles do not tell pairs apart that are closer than this."""

Value = Callable[[int], Any]
BlockBound = Callable[[int, int], Any]


def two_terms(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    """``max(A_k, G_k)``: the larger of the two unmixed pairs; a lower bound on the exact delta."""
    new = new_released(A, k=k, sigma=sigma, gap=gap, l=k)
    return A.maximum(new, shared_delta(A, epsilon=epsilon, k=k, sigma=sigma, d=k))


def ceiling(
    A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, l: int, d: int, bits: int | None = None
) -> Any:
    """``1 - (1 - A_l)(1 - dg(d))``: at least every forward pair with at most l new and at most d shared counters."""
    new = released(A, l=l, t=gap / sigma, b=shared_slope(A, k), bits=bits)
    return new + (1 - new) * shared_delta(A, epsilon=epsilon, k=k, sigma=sigma, d=d)


def maximum_by_blocks(
    A: Arithmetic,
    value: Value,
    bound: BlockBound,
    first: int,
    last: int,
    at_least: Number,
    close_bits: int | None = None,
) -> Number:
    """``max(at_least, max of value over first..last)``, given ``bound(a, b) >= value`` on ``a..b``.

    Blocks are refined from the highest bound down.  Balls: a rigorous enclosure.  Other arithmetics: never below the
    maximum, and equal to it unless ``_BLOCKS`` evaluations did not settle it.  Blocks whose bound is within
    ``2^-close_bits`` of the best value (default: half the precision) are not refined.
    """
    close = 2 ** (close_bits or (A.bits // 2 if A.encloses else 50))
    best = A.maximum(at_least, value(first), value(last)) if first <= last else at_least
    left_open = best
    heap: list[tuple[float, int, int, Any]] = []

    def push(a: int, b: int) -> None:
        nonlocal left_open
        if a > b:
            return
        highest = bound(a, b)
        if highest <= best:
            return
        if highest <= best + best / close:
            left_open = A.maximum(left_open, highest)
            return
        heapq.heappush(heap, (-float(highest), a, b, highest))

    push(first + 1, last - 1)
    for _evaluation in range(_BLOCKS):
        if not heap:
            break
        _order, a, b, _highest = heapq.heappop(heap)
        middle = (a + b) // 2
        best = A.maximum(best, value(middle))
        push(a, middle - 1)
        push(middle + 1, b)
    highest = A.maximum(best, left_open, *(item[-1] for item in heap))
    return A.between(highest, best)


def collapses(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, two: Number) -> bool:
    """Whether every ceiling with ``0 < l < k`` is certified to be at most ``two = max(A_k, G_k)``.

    For balls a proof that the exact delta is ``two``; False proves nothing.
    """

    def at_most(l: int, d: int) -> bool:
        at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap, "l": l, "d": d}
        return any(ceiling(A, **at, bits=bits) <= two for bits in (_COARSE_BITS // 4, _COARSE_BITS))

    blocks = [(1, k - 1)] if k > 1 else []
    for _evaluation in range(_BLOCKS):
        if not blocks:
            return True
        a, b = blocks.pop()
        if at_most(b, k - a):
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
    if A.encloses and near_one.rel_accuracy_bits() >= min(A.bits // 2, _COARSE_BITS):
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
        return ceiling(A, epsilon=epsilon, k=k, sigma=sigma, gap=gap, l=l, d=d, bits=_COARSE_BITS)

    return maximum_by_blocks(A, lambda l: at(l, k - l), lambda a, b: at(b, k - a), 1, k - 1, two)


def largest_pairs(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, two: Number) -> Search:
    """The mixed pairs that may be the largest and above ``two``.

    Boxes of l in [l0, l1] and j in [j0, j1] are split from the highest bound down. The pairs of a box are
    post-processings of l1 new beside ``d = k - l0`` shared counters of which j change; of those step 4 holds.
    """
    at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
    heap: list[tuple[float, int, int, int, int, Any]] = []
    own: dict[tuple[int, int], Any] = {}
    seen = two

    @functools.cache
    def new(l: int) -> Any:
        return released(A, l=l, t=gap / sigma, b=shared_slope(A, k), bits=_COARSE_BITS)

    @functools.cache
    def pair(l: int, d: int, j: int) -> Any:
        return pair_delta(A, **at, l=l, d=d, j=j, direction="forward", bits=_COARSE_BITS // 2, new=new(l))

    def push(l0: int, l1: int, j0: int, j1: int, known: Any) -> None:
        j1 = min(j1, k - l0)
        if l0 > l1 or j0 > j1:
            return
        worst = A.minimum(A.maximum((k - l0 + A.sqrt(A.number(k))) / 2, j0), j1)
        mu = A.sqrt(worst - worst * worst / (k - l0 + A.sqrt(A.number(k)))) / sigma
        bound = A.minimum(known, new(l1) + (1 - new(l1)) * gaussian_profile(A, epsilon, mu))
        if not bound <= seen:
            heapq.heappush(heap, (-float(bound), l0, l1, j0, j1, bound))

    push(1, k - 1, 1, k - 1, A.number(1))
    for _evaluation in range(_BLOCKS):
        while heap and heap[0][-1] <= seen:
            heapq.heappop(heap)
        if not heap:
            break
        _order, l0, l1, j0, j1, bound = heapq.heappop(heap)
        middle, d = (j0 + j1) // 2, k - l0
        ends = {j: pair(l1, d, j) for j in (j0, j1)}
        more = above_both(A, epsilon=epsilon, k=k, sigma=sigma, d=d, j0=j0, j1=j1)
        if l0 == l1:
            own |= {(l0, j): value for j, value in ends.items()}
            seen = A.maximum(seen, *ends.values())
        bound = A.minimum(bound, A.maximum(*ends.values()) + more)
        if l0 < l1 and (j1 - j0 <= 1 or float(new(l1) - new(l0)) >= float(more)):
            push(l0, (l0 + l1) // 2, j0, j1, bound)
            push((l0 + l1) // 2 + 1, l1, j0, j1, bound)
        elif j1 - j0 > 1:
            push(l0, l1, j0, middle, bound)
            push(l0, l1, middle, j1, bound)
    near = seen if A.encloses else seen * (1 - _TIED)
    pairs = tuple(found for found, value in own.items() if not value < near)
    return Search(
        pairs,
        max(
            (math.nextafter(float(item[-1].upper()) if A.encloses else item[-1], math.inf) for item in heap),
            default=None,
        ),
    )


def above_both(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, d: int, j0: int, j1: int) -> Any:
    """Step 4: how far a pair with j strictly between j0 and j1 may be above both; 0 where there is none."""
    return A.number(0) if j1 - j0 <= 1 else above_ends(A, epsilon=epsilon, k=k, sigma=sigma, d=d, j0=j0, j1=j1)


def above_ends(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, d: int, j0: int, j1: int) -> Any:
    """``e^epsilon (phi(1)/4 |step|^2 + 2 Phi(away/2) - 1)``, step from ``(mu_1, mu_2)`` at j0 < j1 to that at j1."""
    ends = (distances(A, own=sigma, ratio=A.sqrt(A.number(k)), d=d, j=j) for j in (j0, j1))
    (first, mean), (last, other) = ends
    away = off_chord(A, sigma=sigma, d=d, j0=j0, j1=j1, first=first, last=last)
    moved = normal_cdf(A, away / 2) - normal_cdf(A, -away / 2)
    return A.exp(epsilon) * (normal_pdf(A, A.number(1)) * ((last - first) ** 2 + (other - mean) ** 2) / 4 + moved)


def off_chord(A: Arithmetic, *, sigma: Number, d: int, j0: int, j1: int, first: Any, last: Any) -> Any:
    """How far mu_1 is above the chord of its values ``first`` and ``last`` at j0 and j1, at most.

    The largest share (1 - t) t over the chord's value there, by that of 1/(u/t + v/(1 - t)), v, u its ends.
    """
    bend = A.number((j1 - j0) ** 2) / d / sigma**2 + (last - first) ** 2
    return bend / (2 * (A.sqrt(first) + A.sqrt(last)) ** 2)
