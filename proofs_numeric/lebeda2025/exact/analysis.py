"""The exact delta of the correlated stability histogram: certificate, search, and bracket.

``A_l``: some of l new counters is released.  ``dg(d)``: the worst hockey stick of d shared counters.  Every pair of
neighbours is a post-processing of a pair (l, j) (exact.pair), and

1. reverse <= forward for epsilon >= 0 (``sec3.reverse``), so only forward pairs count;
2. forward(l, j) <= ``1 - (1 - A_l)(1 - dg(k - l))`` <= ``A_l + dg(k - l)`` (``sec3.cert``, exact.pair step 5);
3. forward(k, 0) = ``A_k``, and forward(0, j) at the worst j is ``G_k = dg(k)``.

So the exact delta is ``max(A_k, G_k)`` wherever no ceiling of step 2 with 0 < l < k exceeds it: A grows and dg(k - l)
falls with l, so blocks of l are settled at once and a few hundred evaluations do at k = 10^6.  Where some ceiling
exceeds it (near epsilon = 0 with tiny delta) the forward pairs under it are enclosed one by one for
``k <= SEARCHED_K``; beyond, the result is a bracket above the largest pair seen, 1 % wide at most (``bracket``).
Doubles return its upper end, so they are never below the truth; mpmath returns its middle.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from proofs_numeric.arithmetic import Arithmetic, Ball, Float64, Number
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf
from proofs_numeric.lebeda2025.exact.mixed_pair import distances
from proofs_numeric.lebeda2025.exact.noise_maximum import released, shared_slope
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_delta, shared_mu

SEARCHED_K = 16
"""Largest k at which pairs under an open ceiling are enclosed one by one."""
_COARSE_BITS = 44
_BLOCKS = 3000
"""Most blocks of l evaluated before a maximum over l is returned as a bracket."""
WIDTH = Fraction(1, 100)
"""Relative width of a bracket that is not narrowed further."""
_BRACKET_BITS = 64
_CLOSE_BITS = 20
"""How close to the top a bracket is found: it is wider than that anyway."""

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
    """Whether every ceiling with ``0 < l < k`` is certified to be at most ``two = max(A_k, G_k)`` (sec3.cert).

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
    point = _Point(epsilon=A.number(epsilon), k=k, sigma=A.number(sigma), gap=A.number(gap))
    two = two_terms(A, **vars(point))
    near_one: Any = A.between(two, 1)
    if A.encloses and near_one.rel_accuracy_bits() >= A.bits // 2:
        return near_one  # some counter is all but certain to be released: nothing is left to decide
    rough = A if A.encloses else Float64()
    known = two if A.encloses else rough.number(float(two))
    if collapses(rough, **vars(point.rounded(rough)), two=known):
        return two
    if k <= SEARCHED_K:
        return _searched(A, point, two)
    if A.encloses:
        seen, top = _bracket_of_balls(*(float(x) for x in (point.epsilon, point.sigma, point.gap)), k=k)
        return A.between(A.maximum(two, seen), A.minimum(top, 1))
    seen, top = bracket(rough, **vars(point.rounded(rough)), two=known)
    return top if isinstance(A, Float64) else A.number((Fraction(float(seen)) + Fraction(float(top))) / 2)


@functools.lru_cache(maxsize=64)
def _bracket_of_balls(*reals: float, k: int) -> tuple[Any, Any]:
    """The bracket over all epsilon, sigma, gap that round to these doubles: more precision would not narrow it."""
    with Ball(_BRACKET_BITS) as A:
        epsilon, sigma, gap = (flint.arb(x, abs(x) * 2.0**-52 + 2.0**-1022) for x in reals)
        at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
        return bracket(A, **at, two=two_terms(A, **at))


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

    return maximum_by_blocks(A, lambda l: at(l, k - l), lambda a, b: at(b, k - a), 1, k - 1, two, _CLOSE_BITS)


def bracket(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number, two: Number) -> tuple[Any, Any]:
    """``two`` or a larger pair's delta, and an upper bound on the exact one: ``WIDTH`` above, or the highest ceiling.

    Boxes of l in [l0, l1] and j in [j0, j1] are split from the highest bound down.  The pairs of a box are
    post-processings of l1 new beside ``d = k - l0`` shared counters of which j change; centred under the neighbour with
    the larger counts, what it shows does not depend on j, and the other's law moves with ``(mu_1, mu_2)``. So none is
    above the pair in the middle by more than ``e^epsilon`` times the total variation of that move.
    """
    at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
    top = bracket_top(A, **at, two=two)
    if top <= two * A.number(1 + WIDTH):
        return two, top
    heap: list[tuple[float, int, int, int, int, Any]] = []
    seen = reached = two

    @functools.cache
    def new(l: int) -> Any:
        return released(A, l=l, t=gap / sigma, b=shared_slope(A, k), bits=_COARSE_BITS)

    def push(l0: int, l1: int, j0: int, j1: int, known: Any) -> None:
        nonlocal reached
        j1 = min(j1, k - l0)
        if l0 > l1 or j0 > j1:
            return
        worst = A.minimum(A.maximum((k - l0 + A.sqrt(A.number(k))) / 2, j0), j1)
        mu = A.sqrt(worst - worst * worst / (k - l0 + A.sqrt(A.number(k)))) / sigma
        bound = A.minimum(known, new(l1) + (1 - new(l1)) * gaussian_profile(A, epsilon, mu))
        if bound <= seen * A.number(1 + WIDTH):
            reached = A.maximum(reached, bound)
        else:
            heapq.heappush(heap, (-float(bound), l0, l1, j0, j1, bound))

    push(1, k - 1, 1, k - 1, top)
    for _evaluation in range(_BLOCKS):
        if not heap:
            return seen, reached
        _order, l0, l1, j0, j1, bound = heapq.heappop(heap)
        middle, d = (j0 + j1) // 2, k - l0
        here = pair_delta(A, **at, l=l1, d=d, j=middle, direction="forward", bits=_COARSE_BITS // 2)
        move = A.exp(epsilon) * _variation(A, k=k, sigma=sigma, d=d, j0=j0, j1=j1, middle=middle)
        if l0 == l1:
            seen = A.maximum(seen, here)
        bound = A.minimum(bound, here + move)
        if bound <= seen * A.number(1 + WIDTH) or (l0 == l1 and j0 == j1):
            reached = A.maximum(reached, bound)
        elif l0 < l1 and float(new(l1) - new(l0)) >= float(move):
            push(l0, (l0 + l1) // 2, j0, j1, bound)
            push((l0 + l1) // 2 + 1, l1, j0, j1, bound)
        else:
            push(l0, l1, j0, middle, bound)
            push(l0, l1, middle + 1, j1, bound)
    return seen, A.maximum(reached, *(item[-1] for item in heap))


def _variation(A: Arithmetic, *, k: int, sigma: Number, d: int, j0: int, j1: int, middle: int) -> Any:
    """At least the total variation of unit normals at ``(mu_1, mu_2)`` of a j in [j0, j1] and of the middle one."""
    if j0 == j1:
        return A.number(0)
    places = (j0, middle, j1, min(max(Fraction(d, 2), Fraction(j0)), Fraction(j1)))
    low, here, high, peak = (distances(A, k=k, sigma=sigma, d=d, j=j) for j in places)
    along = A.maximum(peak[0] - here[0], here[0] - low[0], here[0] - high[0])  # mu_1 is concave in j, largest at d/2
    mean = A.maximum(high[1] - here[1], here[1] - low[1])
    half = A.sqrt(along * along + mean * mean) / 2
    return normal_cdf(A, half) - normal_cdf(A, -half)


def _pairs(k: int) -> Iterator[tuple[int, int]]:
    """Mixed forward pairs; j = 0 gives A_l <= A_k and needs no look."""
    return ((l, j) for l in range(1, k) for j in range(1, k - l + 1))


def searched_delta(A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> Any:
    """Exact delta by enclosing every forward pair that may be the largest, whatever the certificate says; any k."""
    point = _Point(epsilon=A.number(epsilon), k=k, sigma=A.number(sigma), gap=A.number(gap))
    return _searched(A, point, two_terms(A, **vars(point)))


def _searched(A: Arithmetic, point: _Point, two: Number) -> Number:
    """The largest forward pair: estimated in doubles, then certified from the most promising down."""
    doubles = point.rounded(Float64())
    estimate = {
        (l, j): float(pair_delta(Float64(), **vars(doubles), l=l, j=j, direction="forward")) for l, j in _pairs(point.k)
    }
    order = sorted(estimate, key=lambda pair: -estimate[pair])
    if not A.encloses:
        near = order[:1] if isinstance(A, Float64) else order[:2]
        return A.maximum(two, *(pair_delta(A, **vars(point), l=l, j=j, direction="forward") for l, j in near))
    best = two
    for l, j in order:
        if _pair_ceiling(A, point, l, j) <= best:
            continue
        if any(
            pair_delta(A, **vars(point), l=l, j=j, direction="forward", bits=bits) <= best
            for bits in (_COARSE_BITS // 4, _COARSE_BITS // 2)
        ):
            continue
        best = A.maximum(best, pair_delta(A, **vars(point), l=l, j=j, direction="forward"))
    return best


def _pair_ceiling(A: Arithmetic, point: _Point, l: int, j: int) -> Any:
    new = released(A, l=l, t=point.gap / point.sigma, b=shared_slope(A, point.k), bits=_COARSE_BITS)
    mu = shared_mu(A, k=point.k, sigma=point.sigma, d=point.k - l, j=j)
    return new + (1 - new) * gaussian_profile(A, point.epsilon, mu)
