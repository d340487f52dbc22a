r"""The adversary's game over releases of any thresholds, in their order: its value between two doubles, certified.

U(y) is the least ``P[not named] + y Q[named]`` that an adversary reaches from the level y = e^epsilon on, 1 - U what
delta is from there. After all releases it is min(1, y); a release of C rows, a of them at the threshold with the user
on the left, b with the user on the right and the others far above, makes of it

    p^a E[U(p^(b - a) y e^-loss)],   loss ~ N((C - a - b) k^2/2, (C - a - b) k^2),   p = Phi(gap/sigma).

From above. U is concave and grows, so both kinds at the threshold leave at least ``p^(a + b) U(y)``: they cost the
factor and leave the level. Rows far above and rows at the threshold then commute. Of many releases next to each other
rows may be divided and taken in any order. Those far above come first then, in the order of ``L / k^2``, for what is
left has the most to lose in that order whenever one stops; so in ``clock`` s of squares

    inf over stopping times of E[e^(-Lam(s - time)) U(y_time)],   Lam(r): the most losses of rows with squares r.

Who stops within a step of the clock does no better than at its end with the factor of its beginning: Lam grows, and
E[U(y)] does not, as U is concave and y a martingale. So a step is the mean of the lesser of stopping before it and
going on after it. Blocks keep the order of the releases, but within one.

From below. The adversary looks after groups of releases only and plays one of a few choices in each, on a grid.

1 - U is convex in y and does not grow. On an even grid of levels chords between values above it bound its mean from
above, and the values c - s y of the tests that the adversary's plans are bound it from below. Masses are certified
in balls, and only nonnegative doubles are added up and multiplied.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from proofs_numeric.arithmetic.special import normal_cdf
from proofs_numeric.expression.vocabulary import *

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LOOKS = 100
"""More releases are looked at in so many groups from below, and in blocks of so many steps from above."""
_BLOCKS = 16
"""Blocks of releases whose order matters."""
_CELLS = 20
"""Cells of the grid in a step's standard deviation; at most ``_COARSEST`` wide."""
_COARSEST = 0.1
_REACH = 10
"""Standard deviations of a step that the grid's sums reach; the mass beyond is bounded."""
_SINGLE = 4
"""Rows of a release, at either end, that are counted one by one; others by factors of ``_FACTOR``."""
_FACTOR = 4
_UP = 1 + 2.0**-52
_SUMMED = 1 + 2.0**-30
"""Above the relative rounding of a million doubles added one by one."""
_BITS = 96


class Rows(NamedTuple):
    """One release: C rows, and below and above L and k^2 of a row, by doubles."""

    rows: int
    loss: tuple[float, float]
    square: tuple[float, float]

    @property
    def ratio(self) -> float:
        """L / k^2, by which rows are sorted; no bound depends on its last digits."""
        return self.loss[1] / self.square[1]


Runs = Sequence[tuple[int, Rows]]
"""Releases in their order, equal ones that follow each other counted."""


def ends(ball: Any) -> tuple[float, float]:
    """Doubles below and above it."""
    return math.nextafter(float(ball.lower()), -math.inf), math.nextafter(float(ball.upper()), math.inf)


def _all(balls: Any, side: int) -> Floats:
    """Nonnegative doubles below (side 0) or above (side 1)."""
    bounds = [float(ball.upper() if side else ball.lower()) for ball in balls]
    return np.asarray(np.maximum(np.nextafter(bounds, math.inf if side else -math.inf), 0))


@dataclass(frozen=True)
class _Loss:
    """A Gaussian loss on the grid: masses of where the level goes, by cells from ``-reach`` on.

    Attributes:
        chords: from above, what V at each level counts in the mean of its chords.
        P, Q: from below and from above, the two laws' masses of the cells about the levels.
        beyond: what P has beyond them all, from above.
    """

    reach: int
    chords: Floats
    P: Floats
    Q: Floats
    beyond: float

    @classmethod
    @functools.lru_cache(maxsize=256)  # games of the same releases share them, whatever their epsilon
    def of(cls, A: Ball, square: tuple[float, float], h: float) -> _Loss:
        mu = A.sqrt(A.interval(*map(Fraction, square)))
        spread, width = float(mu), A.number(Fraction(h))
        reach = math.ceil(spread / h * (_REACH + spread / 2)) + 1
        unit, middle = width / 2 / mu, mu / 2
        below = [normal_cdf(A, d * unit + middle) for d in range(-2 * reach - 1, 2 * reach + 2)]
        P, P_about = (np.diff(np.array(below[i::2])) for i in (1, 0))
        Q, Q_about = P[::-1], P_about[::-1]  # the laws are each other's mirror images
        # A chord's share of its two ends: those with the mean of 1 and of the level, one under P and the other Q.
        step, y = A.expm1(width), np.array([A.exp(-d * width) for d in range(-reach, reach)])
        right = (Q * y - P) / step
        shares = np.append(P - right, A.number(0)) + np.append(A.number(0), right)
        beyond = 1 - below[-2] + below[1]
        return cls(reach, _all(shares, 1), _all(P_about, 0), _all(Q_about, 1), ends(beyond)[1])

    @property
    def up(self) -> float:
        """Above the rounding of a sum of so many terms."""
        return _UP ** (4 * self.reach + 8)

    def mean(self, masses: Floats, values: Floats, low: float) -> Floats:
        """Sums of nonnegative values by masses, ``low`` below the grid and the last value beyond it."""
        n = self.reach
        return np.convolve(np.concatenate([np.full(n, low), values, np.full(n, values[-1])]), masses[::-1], "valid")

    def above(self, values: Floats) -> Floats:
        """Above the mean of a convex function that does not grow, at most 1, of values above it."""
        return np.minimum(1, self.mean(self.chords, values, 1.0) * self.up + self.beyond)


class _Play(NamedTuple):
    """Some rows at the threshold, the probability that they name the side, and the loss of some far above."""

    naming: tuple[float, float]
    far: _Loss | None


def _cut(runs: Runs, parts: int) -> list[list[tuple[int, Rows]]]:
    """At most so many groups of releases next to each other, of like squares and losses."""
    run = np.repeat(np.arange(len(runs)), [times for times, _release in runs])
    weights = sum(
        values[run] / max(values[run].sum(), 1e-300)
        for values in (np.array([r.rows * getattr(r, name)[1] for _times, r in runs]) for name in ("loss", "square"))
    )
    group = np.floor((np.cumsum(weights) - weights / 2) * (parts / 2)).astype(int)
    parts_of_runs, times = np.unique(group * len(runs) + run, return_counts=True)
    counted = zip(*divmod(parts_of_runs, len(runs)), times.tolist(), strict=True)
    return [
        [(count, runs[i][1]) for _group, i, count in runs_of_group]
        for _g, runs_of_group in itertools.groupby(counted, lambda x: x[0])
    ]


def _numbers(count: int) -> list[int]:
    """Numbers of rows from 0 to count, all near both ends and some between."""
    near, numbers = 0, {0}
    while near < count / 2:
        near = near + 1 if near < _SINGLE else near * _FACTOR
        numbers.add(near)
    return sorted({n for near in numbers if near <= count for n in (near, count - near)})


def _sums(rows: Sequence[tuple[float, tuple[float, float]]]) -> tuple[float, float]:
    """Doubles below and above the sum of so many times each."""
    low, high = (math.fsum(count * one[side] for count, one in rows) for side in (0, 1))
    return low / _UP**2, high * _UP**2  # fsum rounds once, and each product did


class _Game:
    """An even grid of levels about epsilon, for so many steps, and the losses on it.

    Attributes:
        at: index of epsilon.
        negative: 1 at the levels below 0.
        shortfall, y: above 1 - e^level, or 0, and above e^level.

    """

    def __init__(self, A: Ball, level: Any, runs: Runs, steps: int) -> None:
        whole = math.sqrt(_sums([(times * release.rows, release.square) for times, release in runs])[1])
        self.A, self.h = A, min(whole / _CELLS / math.sqrt(steps), _COARSEST)
        self.at = math.ceil(min(float(level) + 6 * whole, 12 * whole + whole**2 / 2) / self.h)
        right, width = math.ceil(5 * whole / self.h), A.number(Fraction(self.h))
        levels = [level + i * width for i in range(-self.at, right + 1)]
        self.negative = np.array([float(float(x) < 0) for x in levels])
        self.shortfall, self.y = _all([-A.expm1(x) for x in levels], 1), _all([A.exp(x) for x in levels], 1)
        self.attained = functools.cache(self._attained)

    def loss(self, square: tuple[float, float]) -> _Loss | None:
        return _Loss.of(self.A, square, self.h) if square[1] else None

    def play(self, new: Sequence[tuple[float, Rows]], far: Sequence[tuple[float, Rows]]) -> _Play:
        """So many rows of each release at the threshold, and so many far above."""
        loss = self.A.interval(*map(Fraction, _sums([(n, release.loss) for n, release in new])))
        low, high = ends(-self.A.expm1(-loss))
        square = _sums([(n, release.square) for n, release in far])
        return _Play((max(0.0, low), min(1.0, high)), self.loss(square))

    def _attained(self, *group: tuple[int, Rows]) -> list[_Play]:
        """Choices in a group of releases, a release's own by numbers of rows."""
        if sum(times for times, _release in group) == 1:
            ((_once, one),) = group
            return [self.play([(a, one)], [(one.rows - a, one)]) for a in _numbers(one.rows)]
        whole = sorted(((times * one.rows, one) for times, one in group), key=lambda rows: rows[1].ratio)
        ordered = [one for _rows, one in whole]
        kinds = [i for i in range(1, len(ordered)) if ordered[i].ratio > ordered[i - 1].ratio * _SUMMED]
        inner = kinds if len(kinds) < 3 else [kinds[len(kinds) * i // 3] for i in (1, 2)]
        return [self.play(whole[i:], whole[:i]) for i in (0, *inner, len(ordered))]

    def after(self, release: Rows, upper: Floats) -> Floats:
        """From above, a release: of numbers of rows between two the larger at the threshold, all but the less above."""
        numbers, count = [-1, *_numbers(release.rows)], release.rows
        above = (count - (a if a - less == 1 else less) for less, a in itertools.pairwise(numbers))
        plays = (self.play([(a, release)], [(far, release)]) for a, far in zip(numbers[1:], above, strict=True))
        means = ((naming, upper if far is None else far.above(upper)) for (_low, naming), far in plays)
        return functools.reduce(np.maximum, (_after_naming(naming, mean) for naming, mean in means))

    def block(self, runs: Runs, upper: Floats) -> Floats:
        """From above, the releases' rows divided and in any order: the clock in steps."""
        ordered = sorted(runs, key=lambda run: -run[1].ratio)
        squares, losses = (
            np.cumsum([0.0] + [times * one.rows * getattr(one, name)[1] for times, one in ordered]) * _SUMMED
            for name in ("square", "loss")
        )
        step = float(squares[-1]) / LOOKS * _SUMMED
        loss = self.loss((step, step))
        assert loss is not None  # noqa: S101  # squares are positive
        above, before = upper, upper
        for left in range(1, LOOKS + 1):
            most = float(np.interp(left * step * _SUMMED, squares, losses)) * _SUMMED
            above = loss.above(np.maximum(above, _after_naming(-math.expm1(-most) * _SUMMED, before)))
        return above


def _after_naming(naming: float, values: Floats) -> Floats:
    """From above, 1 - (1 - naming)(1 - values)."""
    return np.minimum(1, (naming + (1 - naming) * values) * _UP**4)


@functools.lru_cache(maxsize=64)
def value(
    epsilon: tuple[float, float], runs: tuple[tuple[int, Rows], ...], any_order: bool = False
) -> tuple[float, float]:
    """Doubles below and above the delta of releases whose neighbours are chosen as one goes.

    Args:
        epsilon: doubles about the level, nats.
        runs: how many of which release, in their order, each of one row at least.
        any_order: the adversary has them in the order it likes; from below, in that of ``L / k^2``.

    """
    if any_order:
        runs = tuple(sorted(runs, key=lambda run: run[1].ratio))
    releases = sum(times for times, _release in runs)
    with Ball(_BITS) as A:
        level = A.interval(*map(Fraction, epsilon))
        few = _Game(A, level, runs, min(releases, LOOKS))
        each = [[(1, release)] for times, release in runs for _ in range(times)] if releases <= LOOKS else None
        c = s = few.negative
        for group in reversed(each or _cut(runs, LOOKS)):
            c, s = _best(few.attained(*group), c, s, few.y)
        low = A.number(Fraction(c[few.at])) - A.number(Fraction(s[few.at])) * A.exp(level)
        if each and not any_order:
            game, upper = few, few.shortfall
            for ((_once, release),) in reversed(each):
                upper = game.after(release, upper)
        else:
            rising = all(a.ratio <= b.ratio * _SUMMED for (_m, a), (_n, b) in itertools.pairwise(runs))
            blocks = _cut(runs, 1 if rising else _BLOCKS)
            steps = LOOKS * len(blocks)
            game = few if steps == min(releases, LOOKS) else _Game(A, level, runs, steps)
            upper = game.shortfall
            for block in reversed(blocks):
                upper = game.block(block, upper)
        return ends(low)[0], min(1.0, float(upper[game.at]))


def _best(plays: Sequence[_Play], c: Floats, s: Floats, y_up: Floats) -> tuple[Floats, Floats]:
    """Tests of a group's best play at each level: c below P[named], s above Q[named]."""
    best_c, best_s, most = c, s, np.full(len(c), -math.inf)
    for (low, high), far in plays:
        mean_c = c if far is None else far.mean(far.P, c, 1.0) / far.up
        mean_s = s if far is None else np.minimum(1, far.mean(far.Q, s, 1.0) * far.up)
        # The user on the left: named or the rest; on the right: what is named is known not to be P's.
        for new_c, new_s in (((low + (1 - high) * mean_c) / _UP**4, mean_s), (mean_c, mean_s * (1 - low) * _UP**2)):
            gain = new_c - new_s * y_up
            better = gain > most
            best_c, best_s, most = (
                np.where(better, new, old)
                for new, old in zip((new_c, new_s, gain), (best_c, best_s, most), strict=True)
            )
    return best_c, best_s
