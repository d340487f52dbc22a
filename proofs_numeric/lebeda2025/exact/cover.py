"""Certificate that no pair (l, j) was left out of a maximum: cells that cover all pairs, each with a bound of its own.

The search of :mod:`analysis` proposes cells.  Nothing here knows how they were found: every pair with ``1 <= l``,
``1 <= j`` and ``l + j <= k`` must lie in a cell, and every cell must be bounded by steps 2 and 4 of that module.
"""

import functools
from collections.abc import Iterable
from typing import Any, NamedTuple

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.mixed_pair import distances
from proofs_numeric.arithmetic.noise_maximum import released
from proofs_numeric.arithmetic.special import gaussian_profile, normal_cdf, normal_pdf
from proofs_numeric.lebeda2025.exact.noise_maximum import shared_slope
from proofs_numeric.lebeda2025.exact.pair import pair_delta

COARSE_BITS = 44


class Cell(NamedTuple):
    """The pairs with ``l0 <= l <= l1`` and ``j0 <= j <= j1``."""

    l0: int
    l1: int
    j0: int
    j1: int


class CoverError(RuntimeError):
    """Cells do not cover all pairs, or one of them is not bounded: the maximum is not certified."""


class Bounds:
    """Bounds of cells, in one arithmetic at one point; each number is computed once."""

    def __init__(self, A: Arithmetic, *, epsilon: Number, k: int, sigma: Number, gap: Number) -> None:
        self.A, self.k = A, k
        self._at: dict[str, Any] = {"epsilon": epsilon, "k": k, "sigma": sigma, "gap": gap}
        self.new = functools.cache(self._new)
        self.pair = functools.cache(self._pair)
        self.by_ceiling = functools.cache(self._by_ceiling)
        self.between = functools.cache(self._between)

    def _new(self, l: int) -> Any:
        """Probability that some of l new counters is released."""
        lead = self._at["gap"] / self._at["sigma"]
        return released(self.A, l=l, t=lead, b=shared_slope(self.A, k=self.k), bits=COARSE_BITS)

    def _pair(self, l: int, d: int, j: int) -> Any:
        """Forward hockey stick of l new counters beside d shared ones of which j change."""
        at = {"l": l, "d": d, "j": j, "new": self.new(l), "bits": COARSE_BITS // 2}
        return pair_delta(self.A, **self._at, **at, direction="forward")

    def _by_ceiling(self, cell: Cell) -> Any:
        """Step 2: at least every pair of the cell, from its largest l and the worst of its j."""
        A, (l0, l1, j0, j1) = self.A, cell
        spread = self.k - l0 + A.sqrt(A.number(self.k))
        worst = A.minimum(A.maximum(spread / 2, j0), j1)
        mu = A.sqrt(worst - worst * worst / spread) / self._at["sigma"]
        return self.new(l1) + (1 - self.new(l1)) * gaussian_profile(A, self._at["epsilon"], mu)

    def _between(self, cell: Cell) -> Any:
        """Step 4: how far a pair with j strictly between j0 and j1 may be above both ends; 0 where there is none."""
        if cell.j1 - cell.j0 <= 1:
            return self.A.number(0)
        known = {name: self._at[name] for name in ("epsilon", "k", "sigma")}
        return above_ends(self.A, **known, d=self.k - cell.l0, j0=cell.j0, j1=cell.j1)

    def by_ends(self, cell: Cell) -> Any:
        """Step 4: at least every pair of the cell, which are post-processings of pairs with l1 and d = k - l0."""
        ends = (self.pair(cell.l1, self.k - cell.l0, j) for j in (cell.j0, cell.j1))
        return self.A.maximum(*ends) + self.between(cell)


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
        if not (bounds.by_ceiling(cell) <= best or bounds.by_ends(cell) <= best):
            raise CoverError(f"expected a cell whose pairs are at most {best}, got {cell}")


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
