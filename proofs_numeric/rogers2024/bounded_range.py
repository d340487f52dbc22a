r"""Algorithms 3 and 4 by composition of picks of bounded range, sharper than ``k epsilon^2/8``.

Given the good event of the repaired proof, each pick of the common items is of range ``s = 1/beta`` whatever was picked
before: its loss lies in some ``[t - s, t]``. So ``P >= c P'`` and ``Q >= c Q'`` with ``c = 1/(1 + delta)``, and

    H_e(P || Q) <= 1 - c + c V_k(e),   V_0(e) = (1 - e^e)_+,
    V_k(e) = max over t in [0, s] of p V_(k-1)(e - t) + (1 - p) V_(k-1)(e + s - t),   p = (e^s - e^t)/(e^s - 1),

as ``r V(e - log r)`` is convex in the ratio r: on its range it lies below the chord of a law on the two ends. In
``y = e^e`` a step takes the highest chord over y between points x and ``x e^s``, and ``V_1`` is
``standard.bounded_range``. A list that ends early is no better: chords lie above.

Picks that are fixed in advance do less (Dong, Durfee and Rogers 2020, Optimal differential privacy composition for
exponential mechanisms): the largest, over t, of k independent pairs. Who sees a list before asking for the next, as
Algorithm 4 allows, attains V_k; a list of Algorithm 3 is drawn without replacement, and lies between the two at most.
"""

import functools
import math
import operator
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import flint
import numpy as np

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.neighbours import GUMBEL, PAY_WHAT_YOU_GET
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.peeling import good_parts, peel
from proofs_numeric.rogers2024.theorem_9.statement import SIZE_TEXT, SIZES, GumbelCase, gumbel_cases, worst_new_mass
from proofs_numeric.rogers2024.theorem_10 import stream_new_mass
from proofs_numeric.statements.box import points

CELLS = 16
"""Cells of the grid in one range: epsilon at a given delta is a part in 500 above that of V_k."""
PARTS = 4
"""Of a cell, where doubles bound its chords."""
_ROUNDED, _TINY = 2.0**-40, 1e-280
"""More than what dozens of operations on doubles err by, relatively, above the second."""
_DOUBLE = np.vectorize(lambda value: float(value.mid() if hasattr(value, "mid") else value), otypes=[float])


def one_pick(A: Arithmetic, y: Number, step: Number) -> Any:
    """``V_1`` at ``y = e^epsilon``: ``(e^(s/2) - y^(1/2))^2/(e^s - 1)`` within the range, ``(1 - y)_+`` beyond it."""
    root = A.exp(A.number(step) / 2)
    gap = root - A.sqrt(A.minimum(A.maximum(y, A.exp(-A.number(step))), A.exp(A.number(step))))
    return A.maximum(1 - y, gap * gap / A.expm1(A.number(step)))


def adaptive_picks(A: Arithmetic, *, epsilon: Number, k: int, beta: Number, cells: int = CELLS) -> Any:
    """A number that an adversary attains with k picks of range ``1/beta``, each seen before the next.

    On levels ``1/(cells beta)`` apart: t is one of them, so that no level in between is met.
    """
    return bounds_on_picks(A, epsilon=epsilon, k=k, beta=beta, cells=cells, attained=True)[0]


def bound_on_picks(A: Arithmetic, *, epsilon: Number, k: int, beta: Number, cells: int = CELLS) -> Any:
    """A number that no adversary exceeds with k picks of range ``1/beta``."""
    return bounds_on_picks(A, epsilon=epsilon, k=k, beta=beta, cells=cells)[0]


def finer(A: Arithmetic, *, k: int, beta: Number) -> Arithmetic:
    """Balls of more bits: tangents cost 12 a pick at beta = 10, and more at more."""
    if not isinstance(A, Ball):
        return A
    return replace(A, bits=A.bits + k * (11 + math.ceil(math.log2(float(A.number(beta))))))


def bounds_on_picks(
    A: Arithmetic, *, epsilon: Number, k: int, beta: Number, cells: int, levels: int = 1, attained: bool = False
) -> Any:
    """The same at so many levels, from epsilon on ``1/(cells beta)`` apart; or what is ``attained`` on them.

    The step goes from the values at the levels of a pick to those of the pick before it. Between levels V is replaced
    by its chords, whose best chord over y is a maximum of ``C - a x - b/x`` in each cell.
    """
    before = _attained if attained else _bound
    with finer(A, k=k, beta=beta):
        step = 1 / A.number(beta)
        epsilon, reach = A.minimum(A.number(epsilon), k * step), (k - 1) * cells
        nodes: Any = np.array([A.exp(epsilon + i * step / cells) for i in range(-reach, reach + levels)])
        values: Any = None
        for pick in range(1, k + 1):
            y = nodes if values is None else nodes[cells:-cells]
            below, beyond = y <= A.exp(-pick * step), y >= A.exp(pick * step)
            bounds, between = np.where(below, 1 - y, 0 * y), np.flatnonzero(~(below | beyond))
            if values is None:
                bounds[between] = [one_pick(A, level, step) for level in y[between]]
            elif len(between):
                bounds[between] = before(A, step, nodes, values, between, cells)
            nodes, values = y, bounds
        return values


def _larger(A: Arithmetic) -> Any:
    if isinstance(A, Float64):
        return np.maximum
    return np.frompyfunc(flint.arb.max if isinstance(A, Ball) else A.maximum, 2, 1)


def _chord(y: Any, values: Any, level: Any, start: Any, cells: int) -> Any:
    """At each level on the chord from a start on, both by their places in y, to what is a range above that."""
    end, first, rest = start + cells, values[start], values[start + cells]
    return rest + (first - rest) * ((y[end] - y[level]) / (y[end] - y[start]))


def _attained(A: Arithmetic, step: Any, y: Any, values: Any, starts: Any, cells: int) -> Any:
    """Where a t on the levels leads, at its best: on levels a range above the starts."""
    near, place = _DOUBLE(values), starts[:, None] + np.arange(cells + 1)
    rest = np.expm1(float(step) * np.arange(cells, -1, -1) / cells) / math.expm1(float(step))
    chords = near[place] * (1 - rest) + near[place + cells] * rest  # to doubles' precision
    place, j = np.nonzero(~(chords < chords.max(axis=1, keepdims=True) * (1 - _ROUNDED)))
    chord = _chord(y, values, starts[place] + cells, starts[place] + j, cells)
    return _larger(A).reduceat(chord, np.flatnonzero(np.diff(place, prepend=-1)))


def _bound(A: Arithmetic, step: Any, y: Any, values: Any, starts: Any, cells: int) -> Any:
    """The highest chord of any cell, on levels a range above the starts."""
    larger, growth = _larger(A), A.exp(step)
    place, j = np.nonzero(_contenders(float(step), values, starts, cells))
    level, start = starts[place] + cells, starts[place] + j
    inner = y[level]
    # Both ends of the cell, and both where x e^s is: the values of V there, from above.
    x0, w, v = y[start], values[start], values[start + cells]
    x1, w1, v1 = y[start + 1], values[start + 1], values[start + cells + 1]
    # growth V(x) - V(x e^s) - y (V(x) - V(x e^s))/x is C - a x - b/x: no higher than a tangent if b >= 0, and else
    # than at an end of the cell.
    width = x1 - x0
    a = (v1 - v - growth * (w1 - w)) / width
    b = inner * (w - v - x0 / width * (w1 - w - v1 + v))
    x = x0 + width * _share(a, b, x0, width)
    part, share = (x - x0) / width, (x * growth - inner) / (x * (growth - 1))
    chord = share * (w + (w1 - w) * part) + (1 - share) * (v + (v1 - v) * part)
    slope = (b / (x * x) - a) / (growth - 1)
    tangent = chord + larger(0 * chord, larger(slope * (x1 - x), slope * (x0 - x)))
    ends = (_chord(y, values, level, start + end, cells) for end in (0, 1))
    return larger.reduceat(functools.reduce(larger, ends, tangent), np.flatnonzero(np.diff(place, prepend=-1)))


def _contenders(step: float, values: Any, starts: Any, cells: int) -> Any:
    """Which cells, (levels, cells), may hold the highest chord: all that doubles do not rule out.

    In ``x/y`` the chord about y is ``v + share (w - v)``, w and v linear in a cell, from x on and a range above it, and
    ``share = (e^s - y/x)/(e^s - 1)`` concave. Over each part of a cell it lies below the quadratic that share's tangent
    gives, and that below its control points: sums of what is not negative, which doubles keep relatively.
    """
    if values.dtype != object:
        return np.ones((len(starts), cells), dtype=bool)
    growth, at, first = math.exp(step), np.arange(PARTS + 1) / PARTS, np.arange(cells)[:, None]
    width = np.exp((first / cells - 1) * step) * math.expm1(step / cells)
    x = np.exp((first / cells - 1) * step) + width * at
    above = (np.expm1(first * step / cells) + growth * width * at) / (growth - 1)  # of share, times x
    middle = (x[:, 1:] + x[:, :-1]) / 2
    share, bend = (above[:, 1:] + above[:, :-1]) / (2 * middle), np.diff(x) / (2 * middle * middle * (growth - 1))
    left, right = share - bend, share + bend
    place = starts[:, None] + np.arange(cells)

    def along(ends: Any, start: Any) -> Any:
        return ends[start][..., None] * (1 - at) + ends[start + 1][..., None] * at

    def spread(ends: Any) -> tuple[Any, Any]:
        rest = along(ends, place + cells)
        return rest, along(ends, place) - rest

    enclosures = [(v.lower(), v.upper()) if hasattr(v, "lower") else (v, v) for v in values]
    lower, upper = np.array([(float(least), float(most)) for least, most in enclosures]).T
    rest, gain = spread(np.where(lower < _TINY, 0.0, lower))
    least = (rest + above / x * gain).max(axis=2) * (1 - _ROUNDED)
    rest, gain = spread(np.where(upper == 0, 0.0, np.maximum(upper, _TINY)))
    gain = np.maximum(gain, 0)
    ends = rest[..., :-1] + left * gain[..., :-1], rest[..., 1:] + right * gain[..., 1:]
    inside = (rest[..., :-1] + rest[..., 1:] + left * gain[..., 1:] + right * gain[..., :-1]) / 2
    most = functools.reduce(np.maximum, ends, inside).max(axis=2) * (1 + _ROUNDED)
    may = ~(most <= least.max(axis=1, keepdims=True))
    may[np.arange(len(starts)), least.argmax(axis=1)] = True
    return may


def _share(a: Any, b: Any, x0: Any, width: Any) -> Any:
    """Where ``-a x - b/x`` is about largest on each ``[x0, x0 + width]``, as a part of it in [0, 1]: exact doubles."""
    if a.dtype == object:
        a, b, x0, width = (_DOUBLE(part) for part in (a, b, x0, width))
    with np.errstate(all="ignore"):
        return np.clip(np.nan_to_num((np.sqrt(b / a) - x0) / width), 0, 1)


def independent_picks(A: Arithmetic, *, epsilon: Number, k: int, step: Number) -> Any:
    """Hockey stick of k equal pairs of range ``step``, at the worst of ``t = (epsilon + l step)/(k + 1)``, l >= 1.

    ``sum_i C(k, i) p^(k-i) (1-p)^i (1 - e^(epsilon - k t + i step))_+``; other t do less (Dong, Durfee, Rogers 2020).
    """
    epsilon, step = A.number(epsilon), A.number(step)

    def pairs(place: int) -> Any:
        t = A.minimum(A.maximum((epsilon + place * step) / (k + 1), 0), step)
        ends = A.expm1(step - t) / A.expm1(step) * A.exp(t), A.expm1(t) / A.expm1(step)
        high, low = ([*accumulate([end] * k, operator.mul, initial=A.number(1))] for end in ends)
        return A.sum(
            math.comb(k, i) * high[k - i] * low[i] * A.maximum(0, -A.expm1(epsilon - k * t + i * step))
            for i in range(k + 1)
        )

    return A.maximum(*map(pairs, range(1, k + 2)))


_picks_bound = algorithm(bound_on_picks)()
fixed_picks = algorithm(independent_picks)(step=1 / beta)
"""The optimal composition of picks that are fixed in advance."""
gumbel_range_bound = worst_new_mass + (1 - worst_new_mass) * _picks_bound
"""``(delta + V_k(epsilon))/(1 + delta)``, V_k from above."""
gumbel_attained = maximum(worst_new_mass, fixed_picks)
"""New items only, or picks from ever more equal high counts of which a user moves the worst share."""
stream_range_bound = stream_new_mass + (1 - stream_new_mass) * _picks_bound(k=k_star)
"""``1 - c + c V_k*(epsilon)`` with ``c = (1 + delta)^-min(l*, k*)``."""


def stream_attained(A: Arithmetic, *, epsilon: Number, l_star: int, k_star: int, beta: Number, delta: Number) -> Any:
    """New items only, or high counts: each query chosen after the last answer, where there is one for each pick."""
    new = stream_new_mass(A, l_star=l_star, k_star=k_star, delta=delta)
    picks = adaptive_picks if l_star >= k_star else fixed_picks
    return A.maximum(new, picks(A, epsilon=epsilon, k=k_star, beta=beta))


def picks_by_search(epsilon: float, k: int, beta: float, grid: int = CELLS, levels: int = 1) -> Any:
    """:func:`bound_on_picks` in doubles, chord by chord: where each starts is sought by golden section.

    At so many levels from epsilon on, ``1/(grid beta)`` apart.
    """
    step, part = 1 / beta, (math.sqrt(5) - 1) / 2
    growth, places = math.exp(step), np.arange(-(k - 1) * grid, (k - 1) * grid + levels)
    nodes: Any = np.exp(min(epsilon, k * step) + places * step / grid)
    values: Any = None
    for _pick in range(k):
        # Starts between which the values at both ends of a chord are lines: (1 - x)_+ before a pick, then the grid's.
        if values is None:
            y, cells = nodes, [(np.maximum(nodes, 1) / growth, np.minimum(nodes, 1))]
        else:
            y = nodes[grid:-grid]
            cells = [*pairwise(y * math.exp(i * step / grid - step) for i in range(grid + 1))]

        def chord(x: Any, y: Any = y, nodes: Any = nodes, values: Any = values) -> Any:
            ends = (np.maximum(0, 1 - at) if values is None else np.interp(at, nodes, values) for at in (x, x * growth))
            left, right = ends
            return left + (right - left) * (y - x) / (x * growth - x)

        best = np.maximum(0, 1 - y)
        for cell in cells:
            low, high = cell
            for _halving in range(40):
                one, two = high - part * (high - low), low + part * (high - low)
                first = chord(one) > chord(two)
                low, high = np.where(first, low, one), np.where(first, two, high)
            best = functools.reduce(np.maximum, map(chord, (low, *cell)), best)
        nodes, values = y, best
    return values


def stream_range_by_search(
    A: Arithmetic, *, epsilon: Number, l_star: int, k_star: int, beta: Number, delta: Number
) -> Any:
    """No new item in any query, against odds delta in each, then picks; else all is told."""
    silent = 1 / (1 + A.number(delta)) ** min(l_star, k_star)
    return 1 - silent + silent * A.number(Fraction(float(picks_by_search(float(epsilon), k_star, float(beta))[0])))


gumbel_range_by_search = algorithm(stream_range_by_search)(l_star=1, k_star=k)
"""A list is a stream of one query that k picks answer."""
LEVELS = (Fraction(0), Fraction(1, 4), Fraction(1, 2))
"""Parts of k ranges at which lists are compared."""


@functools.cache
def _worst_independent(k: int, base: Fraction, part: Fraction) -> tuple[Any, Any]:
    """``e^epsilon`` and the hockey stick of k independent picks, weights moving by ``base``, in balls."""
    with Ball(128) as ball:
        step = ball.log(ball.number(base))
        level = ball.number(k * part) * step
        return ball.exp(level), independent_picks(ball, epsilon=level, k=k, step=step)


def list_is_no_worse_than_independent_picks(entry: tuple[GumbelCase, Fraction]) -> bool:
    """Good parts of one pair, both orders: their hockey stick is not above that of independent picks."""
    (larger, smaller, k_bar, k, base, delta), part = entry
    left, bottom, _mass, right, other_bottom, _other = good_parts(larger, smaller, k_bar=k_bar, base=base, delta=delta)
    laws = peel(left, bottom, k), peel(right, other_bottom, k)
    growth, worst = _worst_independent(k, base, part)
    with Ball(128) as ball:
        return all(
            not ball.sum(ball.maximum(0, ball.number(p[y]) - growth * ball.number(q[y])) for y in p) > worst
            for p, q in (laws, laws[::-1])
        )


_K = replace(K, upper=12)
_BETA = replace(BETA, lower=1, upper=1000)
LISTS = points(
    "epsilon k beta delta", ("0.64", 10, 10, "1e-6"), ("7.7", 10, 1, "1e-6"), ("1/5", 1, 3, "1e-2"), (0, 2, 1, "1e-3"),
    ("13/10", 12, 2, "1/5"),
)  # fmt: skip
POINTS = LISTS[:2]
STREAMS: tuple[dict[str, Value], ...] = tuple(
    {**{name: value for name, value in at.items() if name != "k"}, "k_star": at["k"], "l_star": queries}
    for at, queries in zip(LISTS, (10, 1, 5, 7, 4), strict=True)
)
_CHORDS = Unchecked(
    "extreme laws of a pick",
    "the mean of V_(k-1)(epsilon - loss) over a pick, r V(y/r) over its ratio r, is at most that of a law on the ends "
    "of its range, as r V(y/r) is convex for convex V; stopping is no better, as chords lie above V",
)

_NEW_AND_PICKS = "1 - c (1 - V) grows with V <= 1 and falls with c, a power of 1/(1 + delta): "
_PICKS = derived(
    Unchecked(
        "chords of the profile",
        _NEW_AND_PICKS + "V_k is V_(k-1) on the best chord about a level, whose ends are at fixed ratios to it: by "
        "induction it falls with the level, and a chord of length 0 is one, so it grows with k",
    )
)  # fmt: skip

ratio, share = symbols("ratio share")
_start = 1 / (1 - share + share * ratio)
"""Mean of the two-point law that starts at the lower end of a cell, over the level: ``r_j/x``; above, ``r_(j+1)/x``."""
_RANGES = derived(
    Unchecked(
        "extreme laws on the grid",
        _NEW_AND_PICKS + "V_k(y) is the largest E V_(k-1)(y R): R is on r_i or r_i e^s with mean r_i/x, i = j or "
        "j + 1 with chances 1 - l and l, r_i = e^(i s/cells), x = (1 - l) r_j + l r_(j+1); no law of R depends on "
        "y, and V_(k-1) is convex in y",
    ),
    SymbolicIdentity(
        "the two means have mean 1", (1 - share) * _start + share * ratio * _start, lift(1), ("ratio", "share"),
        ("ratio", "share"), "ratio = r_(j+1)/r_j, share = l",
    ),
    Unchecked(
        "longer ranges",
        "at a longer range and the same j and l, both intervals hold the shorter ones, so the chords of a convex "
        "function over them are higher; the lower mean falls and the upper rises, by shares that keep their mean, "
        "and the interval that starts later has the steeper chord: E of a convex function never falls. V_1, over "
        "two points of any such interval, neither: by induction V_k grows with the range 1/beta",
    ),
)  # fmt: skip

CLAIMS = (
    own(
        "range.gumbel", "Theorem 9, by bounded range",
        "Privacy profile of Algorithm 3 by composition of picks of bounded range",
        r"\delta(\varepsilon) \le \tfrac{\delta}{1+\delta} + \tfrac{1}{1+\delta} V_k(\varepsilon)",
        DeltaBound(
            gumbel_range_bound, exact=gumbel_attained, oracle=gumbel_range_by_search, oracle_points=LISTS,
            proof=derived(
                Premise("rogers2024.thm9.range", "each pick of the good parts is of range 1/beta"),
                Premise("rogers2024.thm9.rho", "P >= P'/(1 + delta), and Q >= Q'/(1 + delta)"), _CHORDS,
            ),
        ),
        domain=(LEVEL, _K, _BETA, DELTA), role=Role.UPPER, falls=("epsilon", "beta"), rises=("k", "delta"),
        moves={**dict.fromkeys(("epsilon", "k", "delta"), _PICKS), "beta": _RANGES}, privacy=GUMBEL, points=POINTS,
        loose="compared with picks from many equal counts: what a list without replacement adds is not known",
        note="k = 10, beta = 10, delta 1e-6 beside that of new items: epsilon 0.636, where rho with Theorem 3 says "
        "0.844 and rho with its best conversion 0.700.",
        cost=400, quoted=(Quoted("a list of ten labels, Gumbel noise", POINTS[0]),),
    ),
    own(
        "range.pay", "Theorem 10, by bounded range",
        "Privacy profile of Algorithm 4 by composition of picks of bounded range, queries chosen as one goes",
        r"\delta(\varepsilon) \le 1 - c + c V_{k^*}(\varepsilon),\ c = (1+\delta)^{-\min(\ell^*, k^*)}",
        DeltaBound(
            stream_range_bound, exact=stream_attained, oracle=stream_range_by_search, oracle_points=STREAMS,
            proof=derived(
                Premise("rogers2024.range.gumbel", "each list, given those before"),
                Premise("rogers2024.thm10.kstar", "at most k* picks, each list has one at least"), _CHORDS,
            ),
        ),
        domain=(LEVEL, replace(ELL_STAR, upper=1000), replace(K_STAR, upper=12), _BETA, DELTA), role=Role.UPPER,
        falls=("epsilon", "beta"), rises=("l_star", "k_star", "delta"),
        moves={**dict.fromkeys(("epsilon", "l_star", "k_star", "delta"), _PICKS), "beta": _RANGES},
        privacy=PAY_WHAT_YOU_GET, points=STREAMS[:2],
        loose="new items and high counts are never worst together; else exact in the limit where every pick has its "
        "query",
        cost=400,
        quoted=(
            Quoted(
                "ten lists with ten labels in all, queries chosen as one goes",
                {"epsilon": "0.64", "l_star": 10, "k_star": 10, "beta": 10, "delta": "1e-6"},
            ),
        ),
    ),
    own(
        "range.independent", "Theorem 10, by bounded range",
        "The optimal composition of picks fixed in advance, for queries chosen as one goes",
        r"V_k(\varepsilon) \le \max_t \sum_i \tbinom ki p_t^{k-i}(1-p_t)^i(1 - e^{\varepsilon - kt + i/\beta})_+",
        Inequality(adaptive_picks, fixed_picks), domain=(LEVEL, _K, _BETA), expected=Expectation.REFUTED,
        corrected_by="rogers2024.range.pay", quantity=QuantityKind.DELTA, privacy=PAY_WHAT_YOU_GET, cost=400,
        # V_2 is 0.303 or more, two independent pairs do 0.2884 at most.
        points=({"epsilon": 0, "k": 2, "beta": 1},),
        note="Two queries of one pick each: after a loss the best second query moves a larger share of the counts.",
    ),
    own(
        "range.list", "Theorem 9, by bounded range", "One list without replacement is no worse than independent picks",
        r"H_\varepsilon(P'\|Q') \le \max_t \sum_i \tbinom ki p_t^{k-i}(1-p_t)^i(1 - e^{\varepsilon - kt + i/\beta})_+",
        FiniteStatement(
            lambda size: ((case, level) for case in gumbel_cases(size) if case[3] > 1 for level in LEVELS),
            list_is_no_worse_than_independent_picks, SIZES, SIZE_TEXT
        ),
        note="On small histograms only. An item that was picked is gone: where it had moved, the share that moved is "
        "less from then on, the opposite of what an adversary would choose.",
    ),
)  # fmt: skip
