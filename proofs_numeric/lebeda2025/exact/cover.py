"""The certified largest pair (l, j): cells that cover all pairs, each with a bound of its own.

The search of :mod:`analysis` proposes pairs and cells.  Nothing here knows how they were found: every pair with
``1 <= l``, ``1 <= j`` and ``l + j <= k`` is evaluated or lies in a cell, and every cell is bounded by steps 2 and 4 of
that module.
"""

import functools
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, NamedTuple

import flint

from proofs_numeric.arithmetic.ball import both
from proofs_numeric.arithmetic.mixed_pair import distances
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.pair import new_released, pair_delta, shared_delta, shared_mu, worst_change
from proofs_numeric.lebeda2025.parameters import *

COARSE_BITS = 44
_SEARCH_BITS = 64
two_terms = maximum(new_released(l=k), shared_delta(d=k))
"""``max(A_k, G_k)``: the larger of the two unmixed pairs; a lower bound on the exact delta."""


class Cell(NamedTuple):
    """The pairs with ``l0 <= l <= l1`` and ``j0 <= j <= j1``."""

    l0: int
    l1: int
    j0: int
    j1: int


class CoverError(RuntimeError):
    """Cells do not cover all pairs, or one of them is not bounded: the maximum is not certified."""


class Proposal(NamedTuple):
    """The mixed pairs that may be the largest, a bound on pairs left open (None: there are none), and cells."""

    pairs: tuple[tuple[int, int], ...]
    top: float | None
    cells: tuple[Cell, ...]


class Bounds:
    """Bounds of cells, in one arithmetic at one point; each number is computed once."""

    def __init__(self, A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> None:
        self.A, self.k = A, k
        self._at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
        self.new = functools.cache(self._new)
        self.pair = functools.cache(self._pair)
        self.by_ceiling = functools.cache(self._by_ceiling)
        self.between = functools.cache(self._between)

    @functools.cached_property
    def two(self) -> Any:
        """The larger of the two unmixed pairs."""
        return two_terms(self.A, **self._at)

    def _new(self, l: int, bits: int = COARSE_BITS) -> Any:
        """Probability that some of l new counters is released."""
        lead = self._at["gap"] / self._at["sigma"]
        return released(self.A, l=l, t=lead, b=shared_slope(self.A, k=self.k), bits=bits)

    def _pair(self, l: int, d: int, j: int) -> Any:
        """Forward hockey stick of l new counters beside d shared ones of which j change."""
        at = {"l": l, "d": d, "j": j, "new": self.new(l), "bits": COARSE_BITS // 2}
        return pair_delta(self.A, **self._at, **at, direction="forward")

    def _by_ceiling(self, cell: Cell, bits: int = COARSE_BITS) -> Any:
        """Step 2: at least every pair of the cell, from its largest l and the worst of its j."""
        d, new = self.k - cell.l0, self.new(cell.l1, bits)
        worst = min(max(worst_change(self.k, d), cell.j0), cell.j1)
        mu = shared_mu(self.A, k=self.k, sigma=self._at["sigma"], d=d, j=worst)
        return new + (1 - new) * gaussian_profile(self.A, self._at["epsilon"], mu)

    def is_below_ceiling(self, cell: Cell, best: Any) -> bool:
        """Return whether step 2 certifies that every pair of the cell is at most ``best``."""
        return any(self.by_ceiling(cell, bits) <= best for bits in (COARSE_BITS // 4, COARSE_BITS))

    def _between(self, cell: Cell) -> Any:
        """Step 4: how far a pair with j strictly between j0 and j1 may be above both ends; 0 where there is none."""
        if cell.j1 - cell.j0 <= 1:
            return self.A.number(0)
        at = {name: self._at[name] for name in ("epsilon", "k", "sigma")}
        return above_ends(self.A, **at, d=self.k - cell.l0, j0=cell.j0, j1=cell.j1)

    def by_ends(self, cell: Cell) -> Any:
        """Step 4: at least every pair of the cell, which are post-processings of pairs with l1 and d = k - l0."""
        ends = (self.pair(cell.l1, self.k - cell.l0, j) for j in (cell.j0, cell.j1))
        return self.A.maximum(*ends) + self.between(cell)


@functools.lru_cache(maxsize=64)
def _bounds_near(*reals: float, k: int, encloses: bool) -> Bounds:
    """Bounds over all epsilon, sigma, gap that round to these doubles, in balls, or at the doubles."""
    names = "epsilon", "sigma", "gap"
    if not encloses:
        rough = Float64()
        return Bounds(rough, **dict(zip(names, map(rough.number, reals), strict=True)), k=k)
    with Ball(_SEARCH_BITS) as A:
        balls = (flint.arb(x, abs(x) * 2.0**-52 + 2.0**-1022) for x in reals)
        return Bounds(A, **dict(zip(names, balls, strict=True)), k=k)


def certified_largest(
    A: Arithmetic, search: Callable[[Bounds], Proposal], *, epsilon: Number, k: int, sigma: Number, gap: Number
) -> Any:
    """Return the largest forward pair, of the two unmixed ones and the mixed ones that the search proposes.

    For balls a certified enclosure: all other pairs lie in cells, each of which is bounded.

    Raises:
        CoverError: the proposal leaves out a pair or has a cell that is not bounded, in balls.

    """
    at: dict[str, Any] = {"epsilon": A.number(epsilon), "k": k, "sigma": A.number(sigma), "gap": A.number(gap)}
    two = two_terms(A, **at)
    near_one: Any = A.between(two, 1)
    if A.encloses and near_one.rel_accuracy_bits() >= min(A.bits // 2, COARSE_BITS):
        return near_one  # some counter is all but certain to be released: pairs are too near to be told apart
    bounds = _bounds_near(*(float(at[name]) for name in ("epsilon", "sigma", "gap")), k=k, encloses=A.encloses)
    pairs, top, cells = search(bounds)
    new = {l: new_released(A, k=k, sigma=at["sigma"], gap=at["gap"], l=l) for l, _j in pairs}
    values: list[Any] = [pair_delta(A, **at, l=l, j=j, new=new[l], direction="forward") for l, j in pairs]
    if A.encloses:
        values = [both(value, bounds.pair(l, k - l, j)) for value, (l, j) in zip(values, pairs, strict=True)]
    best = A.maximum(two, *values)
    highest = best if top is None else A.maximum(best, A.number(Fraction(top)))
    if A.encloses:
        check_cover(bounds, cells, pairs, highest)
    return best if top is None else A.between(highest, best)


def check_cover(bounds: Bounds, cells: Iterable[Cell], pairs: Iterable[tuple[int, int]], best: Any) -> None:
    """Check that all pairs but ``pairs`` lie in ``cells``, and that every cell is certainly at most ``best``.

    Raises:
        CoverError: a pair lies in no cell, or a cell is not bounded; the message names the first.

    """
    cells = list(dict.fromkeys(cells))
    missing = first_uncovered([*cells, *(Cell(l, l, j, j) for l, j in pairs)], bounds.k)
    if missing is not None:
        raise CoverError(f"expected cells that cover all pairs of {bounds.k} counters, got none with l, j = {missing}")
    for cell in cells:
        if not (bounds.is_below_ceiling(cell, best) or bounds.by_ends(cell) <= best):
            raise CoverError(f"expected a cell whose pairs are at most {best}, got {cell}")


def check_line(
    bound: Callable[[int, int], Any], blocks: Iterable[tuple[int, int]], first: int, last: int, highest: Any
) -> None:
    """Check that blocks cover the integers from first to last, and that each is bounded by ``highest``, in balls.

    Raises:
        CoverError: an integer lies in no block, or a block's bound is larger; the message names the first.

    """
    reached = first - 1
    for a, b in sorted(blocks):
        largest = bound(a, b)
        if not largest.upper() <= highest:
            raise CoverError(f"expected a block whose values are at most {highest}, got {a} to {b}: {largest}")
        if a <= reached + 1:
            reached = max(reached, b)
    if reached < last:
        raise CoverError(f"expected blocks that cover {first} to {last}, got none with {reached + 1}")


def first_uncovered(cells: Iterable[Cell], k: int) -> tuple[int, int] | None:
    """Return the first pair with ``1 <= l``, ``1 <= j`` and ``l + j <= k`` that lies in no cell; None if there is none.

    Between two neighbouring ends of cells the cells of every l are the same, and the least l has the most pairs.
    """
    by_start = sorted(cells, key=lambda cell: cell.j0)
    starts = sorted({1, *(end for cell in by_start for end in (cell.l0, cell.l1 + 1))})
    for l in (start for start in starts if 1 <= start < k):
        reached = 0
        for cell in by_start:
            if cell.l0 <= l <= cell.l1 and cell.j0 <= reached + 1:
                reached = max(reached, cell.j1)
        if reached < k - l:
            return l, reached + 1
    return None


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
