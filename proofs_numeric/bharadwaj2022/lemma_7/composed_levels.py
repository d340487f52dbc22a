"""Section 4.1: the delta of L fresh levels, exactly for one path and from above for every path.

One path of prefixes holds k clients at every level, k - 1 without the one that leaves: its delta at a total epsilon is
the hockey stick of an L-fold product, summed over multisets of outcomes (`path`), or, for many levels, enclosed with
every loss rounded down and up to a lattice (`path_bound`).

Every path.  The counts of a path may differ from level to level, and which is worst depends on epsilon.  The largest
hockey stick of a level over all counts is itself convex in x = e^epsilon, hence the profile of one pair of laws that
dominates every count, and the L-fold product of that pair dominates every path (post-processing, induction over
levels).  Between points of a lattice of losses a convex function lies below its chords, and the piecewise linear
function is the profile of a law with atoms on the lattice: slopes are minus the mass of Q above (`dominating`).  Its
convolution is exact but for losses far from epsilon, which are rounded up (`Window`).  In balls both bounds are
certified.
Replacement: a level is one cell that loses a client and one that gains it, a product of a pair and a reversed pair.
"""

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from typing import Any

from proofs_numeric.arithmetic.convolution import convolved
from proofs_numeric.arithmetic.enclosure import NotEnclosedError
from proofs_numeric.arithmetic.integer_part import floors
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.lemma_7 import composition
from proofs_numeric.bharadwaj2022.lemma_7.composition import DELTA_STEP, LEVELS, STEP, levels
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.theorem_2.replacement import replacement_by_products, replacement_rate
from proofs_numeric.expression.vocabulary import *

STEPS = 64
"""Lattice steps to one level's share of epsilon (at least to 1/4 of a nat)."""
_REACH = 4
"""A level's losses beyond this many nats above the total epsilon count as infinite; of sums, twice as many."""
_FEW_TERMS = 3000


@dataclass(frozen=True)
class Atoms:
    """A loss law on a lattice: P's mass at losses (low + i) step, and P's mass of infinite loss."""

    low: int
    masses: Sequence[Any]
    infinite: Any


@dataclass(frozen=True)
class Window:
    """What is kept of a sum of losses, in steps of the lattice: what lies outside is rounded in, up or down.

    Up, a loss above ``last`` becomes infinite and one below ``first`` that; down, it becomes ``last`` or counts for
    nothing.  Deltas grow with every loss, so they grow with one way of rounding and fall with the other.
    """

    first: int
    last: int
    up: bool

    def around(self, A: Arithmetic, loss: Atoms) -> Atoms:
        """The law rounded into the window."""
        below = max(0, self.first - loss.low)
        above = max(0, loss.low + len(loss.masses) - 1 - self.last)
        masses = list(loss.masses[below : len(loss.masses) - above])
        if not masses:
            raise NotEnclosedError("expected losses within the window, got none")
        infinite = loss.infinite
        if above and self.up:
            infinite = infinite + A.sum(loss.masses[-above:])
        elif above:
            masses[-1] = masses[-1] + A.sum(loss.masses[-above:])
        if below and self.up:
            masses[0] = masses[0] + A.sum(loss.masses[:below])
        return Atoms(loss.low + below, masses, infinite)


def path(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int, k: int) -> Number:
    """Exact hockey stick of ``levels`` fresh samples of one path, k against k - 1 clients, at a total epsilon >= 0."""
    more, fewer = cells.cell_outcomes(A, k, p, tau), cells.cell_outcomes(A, k - 1, p, tau)
    fewer = [*fewer, *[A.number(0)] * (len(more) - len(fewer))]
    factor, zero = A.exp(A.number(epsilon)), A.number(0)

    def term(chosen: tuple[int, ...]) -> Any:
        ways = math.factorial(levels)
        for outcome in set(chosen):
            ways //= math.factorial(chosen.count(outcome))
        return ways * A.maximum(zero, _product(more, chosen) - factor * _product(fewer, chosen))

    return A.sum(map(term, combinations_with_replacement(range(len(more)), levels)))


def _product(law: Sequence[Any], chosen: tuple[int, ...]) -> Any:
    return functools.reduce(lambda x, y: x * y, (law[outcome] for outcome in chosen))


def dominating(A: Arithmetic, *, deltas: Sequence[Any], step: Number, low: int, forward: bool) -> Atoms:
    """The law on the lattice that dominates k against k - 1 copies for every k (backward: k - 1 against k).

    Args:
        A: the arithmetic; balls certify.
        deltas: the exact delta of a level at every lattice point from 0 on.
        step: lattice step (nats).
        low: a number of steps at or below ln(1 - p), where no loss is smaller.
        forward: whether k is on the left.
    """
    steps = len(deltas) - 1
    if forward:
        # No loss lies below low: there the profile is 1 - x.
        points = [low, *range(steps + 1)]
        profile = [1 - A.exp(low * step), *deltas]
    else:
        # H_x(Q || P) = 1 - x + x H_(1/x)(P || Q); no loss lies above -low.
        points = [*range(-steps, 1), -low]
        profile = [1 - A.exp(-i * step) * (1 - deltas[i]) for i in range(steps, -1, -1)]
        profile.append(A.number(0))
    xs = [A.exp(i * step) for i in points]
    # The chord from x = 0, where every profile is 1, carries Q's mass of loss minus infinity: none of P's.
    ends, heights = [A.number(0), *xs], [A.number(1), *profile]
    slopes = [(heights[i + 1] - heights[i]) / (ends[i + 1] - ends[i]) for i in range(len(xs))]
    mass_q = [after - before for before, after in zip(slopes, [*slopes[1:], A.number(0)], strict=True)]
    masses = [A.number(0)] * (points[-1] - points[0] + 1)
    for point, x, q in zip(points, xs, mass_q, strict=True):
        masses[point - points[0]] = x * q
    return Atoms(points[0], masses, profile[-1])


def plus(A: Arithmetic, left: Atoms, right: Atoms) -> Atoms:
    """The law of a sum of two independent losses."""
    masses = convolved(A, left.masses, right.masses)
    return Atoms(left.low + right.low, masses, 1 - (1 - left.infinite) * (1 - right.infinite))


def times(A: Arithmetic, level: Atoms, levels: int, window: Window) -> Atoms:
    """The law of a sum of ``levels`` independent copies of a loss, by squaring, every sum rounded into the window."""
    if levels == 1:
        return level
    half = times(A, level, levels // 2, window)
    whole = window.around(A, plus(A, half, half))
    return window.around(A, plus(A, whole, level)) if levels % 2 else whole


def hockey_stick(A: Arithmetic, loss: Atoms, *, epsilon: Number, step: Number) -> Any:
    """Delta at epsilon of a lattice loss: infinite mass and sum of (1 - e^(epsilon - loss))_+."""
    zero = A.number(0)
    start = max(0, math.floor(float(epsilon) / float(step)) - 1 - loss.low)  # below it the losses are under epsilon
    masses = enumerate(loss.masses[start:], start=loss.low + start)
    return loss.infinite + A.sum(mass * A.maximum(zero, -A.expm1(epsilon - i * step)) for i, mass in masses)


def lattice_step(epsilon: Number, levels: int, steps: int = STEPS) -> tuple[int, int]:
    """(numerator, denominator) of a dyadic step near 1/steps of a level's share of epsilon, at least of 1/4."""
    power = round(math.log2(max(float(epsilon) / levels, 1 / 4) / steps))
    return (1, 1 << -power) if power < 0 else (1 << power, 1)


def every_path(
    A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int, forward: bool = True, replacement: bool = False
) -> Any:
    """Upper bound on the delta of L fresh levels at a total epsilon >= 0, whatever the counts (certified in balls)."""
    law, delta = _level(A, epsilon=epsilon, p=p, tau=tau, levels=levels)
    return delta(plus(A, law(forward), law(not forward)) if replacement else law(forward))


def either_order(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int) -> Number:
    """The larger of `every_path` forward and backward: a client leaves, or joins."""
    law, delta = _level(A, epsilon=epsilon, p=p, tau=tau, levels=levels)
    return A.maximum(*(delta(law(forward)) for forward in (True, False)))


def _level(
    A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int
) -> tuple[Callable[[bool], Atoms], Callable[[Atoms], Any]]:
    """One level at a total epsilon: its dominating law forward or backward, and the delta of as many of a law."""
    epsilon, p = A.number(epsilon), A.number(p)
    above, below = lattice_step(epsilon, levels)
    step, window = A.number(above) / below, _window(float(epsilon), above / below, up=True)
    # One step to spare: low must not lie above ln(1 - p).
    low = math.floor(math.log1p(-float(p)) * below / above) - 1
    steps = math.ceil((float(epsilon) + _REACH) * below / above)
    # The rate as a sum of terms of one sign: at the first levels a small p is all there is of it.
    rates = [(p + A.expm1(i * step)) / A.exp(i * step) for i in range(steps + 1)]
    deltas = [cells.tight_of(A, factor=A.exp(i * step), p=p, tau=tau, q=q) for i, q in enumerate(rates)]
    return (
        lambda forward: dominating(A, deltas=deltas, step=step, low=low, forward=forward),
        lambda law: hockey_stick(A, times(A, law, levels, window), epsilon=epsilon, step=step),
    )


def _window(epsilon: float, step: float, *, up: bool) -> Window:
    """Up to where a loss gives all but e^-8 of its mass; down to where as little of the mass comes back to epsilon."""
    return Window(math.floor(-(epsilon + _REACH) / step), math.ceil((epsilon + 2 * _REACH) / step), up)


def path_bound(
    A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int, k: int, steps: int = STEPS, up: bool
) -> Any:
    """Bound on `path` from above (``up``) or from below, certified in balls.

    It is `path` itself where it has few terms, else rounded.
    """
    point: dict[str, Any] = {"epsilon": epsilon, "p": p, "tau": tau, "levels": levels, "k": k}
    few = math.comb(max(k - tau, 0) + 1 + levels, levels) <= _FEW_TERMS
    return path(A, **point) if few else rounded_path(A, **point, steps=steps, up=up)


def rounded_path(
    A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int, k: int, steps: int = STEPS, up: bool
) -> Any:
    """`path` with every loss rounded to a lattice of ``steps`` to a level's share of epsilon: a bound, as `path_bound`.

    The loss of showing nothing, which most levels have, lies on the lattice.
    """
    more, fewer = cells.cell_outcomes(A, k, p, tau), cells.cell_outcomes(A, k - 1, p, tau)
    above, below = lattice_step(epsilon, levels, steps)
    infinite = more[k - tau + 1] if k >= tau else A.number(0)
    nothing = A.log(more[0] / fewer[0])
    losses = [A.log((1 - A.number(p)) * k / (k - v)) for v in range(tau, k)]
    floored = [floors(A, (loss - nothing) * below / above) for loss in losses]
    rounded = [0, *((ends[-1] + 1 if up else ends[0]) for ends in floored)]
    low = min(rounded)
    masses = [A.number(0)] * (max(rounded) - low + 1)
    for index, mass in zip(rounded, more, strict=False):
        masses[index - low] = masses[index - low] + mass
    left = A.number(epsilon) - levels * nothing
    window = _window(float(left), above / below, up=up)
    loss = times(A, window.around(A, Atoms(low, masses, infinite)), levels, window)
    return hockey_stick(A, loss, epsilon=left, step=A.number(above) / below)


_PATH = Box(
    (
        replace(LEVEL, upper=5), rate_within("1/10", "3/5"), replace(TAU, upper=5), replace(LEVELS, upper=3),
        replace(K, upper=12),
    ),
    lambda *, epsilon, p, tau, levels, k: k >= tau, "k >= tau",
)  # fmt: skip
"""What enumeration reaches; with fewer copies nothing is ever shown."""

_every_path = algorithm(every_path)()


def replaced_path(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int, ka: int, kb: int) -> Any:
    """Hockey stick of ``levels`` fresh samples of two paths, (ka, kb) against (ka - 1, kb + 1), outcome by outcome."""
    counts, p = [(ka, ka - 1), (kb, kb + 1)] * levels, A.number(p)
    laws = composition.composed_laws([composition.cell_laws(tau, (x, p), (y, p)) for x, y in counts])
    return cells.hockey_stick(A, [x for x, _y in laws], [y for _x, y in laws], A.exp(A.number(epsilon)))


def every_replaced_path(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int) -> Any:
    """:func:`every_path` of two paths, one of which gets the client of the other."""
    return every_path(A, epsilon=epsilon, p=p, tau=tau, levels=levels, replacement=True)


_replacement_bound = algorithm(every_replaced_path)()
basic_replacement = levels * algorithm(replacement_rate)(epsilon=epsilon / levels)
"""``levels`` times the exact replacement delta of one level at epsilon/levels."""
basic_replacement_by_products = levels * algorithm(replacement_by_products)(epsilon=epsilon / levels)
"""The same from the product laws of all counts."""


def kov_by_outcomes(A: Arithmetic, *, epsilon: Number, levels: int, step: Number, delta_step: Number) -> Any:
    """Delta of ``levels`` copies of the worst (step, delta_step)-DP pair, over all sequences of its four outcomes."""
    e = A.exp(step)
    left = [delta_step, (1 - delta_step) * e / (1 + e), (1 - delta_step) / (1 + e), A.number(0)]
    right = left[::-1]
    laws = composition.composed_laws([list(zip(left, right, strict=True))] * levels)
    return cells.hockey_stick(A, [x for x, _y in laws], [y for _x, y in laws], A.exp(epsilon))


CLAIMS = (
    own(
        "lem7.path", "Lemma 7", "Exact delta of one path of equal counts through L fresh levels",
        r"H_{e^\epsilon}(P_k^{\otimes L}\|P_{k-1}^{\otimes L})",
        DeltaBound(
            path, algorithm(composition.composed_profile)(factor=exp(epsilon)),
            points("epsilon p tau levels k", (1, "3/10", 3, 3, 5), (0, "1/2", 2, 2, 6)),
        ),
        domain=_PATH, cost=3, assumptions=("a fresh independent sample at each level",),
    ),
    own(
        "lem7.every_path", "Lemma 7", "The dominating law bounds every path of equal counts",
        r"H_{e^\epsilon}(P_k^{\otimes L}\|P_{k-1}^{\otimes L})\le H_{e^\epsilon}(P_*^{\otimes L}\|Q_*^{\otimes L})",
        algorithm(path)() <= _every_path, domain=_PATH, cost=7, evaluates=_every_path, quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        note="The proof for all paths is in the docstring of proofs_numeric.bharadwaj2022.lemma_7.composed_levels.",
    ),
    own(
        "lem7.every_path.replacement", "Lemma 7",
        "Under replacement the product with the reversed law bounds two paths",
        r"H_{e^\epsilon}((P_{k_a}P_{k_b})^{\otimes L}\|(P_{k_a-1}P_{k_b+1})^{\otimes L})\le\delta_*",
        algorithm(replaced_path)() <= _replacement_bound,
        domain=(
            *_PATH.parameters[:2], replace(TAU, upper=2), replace(LEVELS, upper=2), replace(K_A, upper=4, log=False),
            replace(K_B, upper=4),
        ),
        cost=7, evaluates=_replacement_bound, quantity=QuantityKind.DELTA, role=Role.UPPER, privacy=neighbours.PATHS,
    ),
    own(
        "lem7.rate.replacement", "Lemma 7",
        "L levels at total epsilon under replacement: L times the exact replacement delta of a level at epsilon/L",
        r"L\,\delta_{\mathrm{repl}}(\epsilon/L)",
        DeltaBound(
            basic_replacement, basic_replacement_by_products, ({"epsilon": "1/10", "p": "1/2", "tau": 2, "levels": 2},),
            composition.shown_path,
        ),
        domain=(LEVEL_TO_TEN, rate_within("1/5", "4/5"), replace(TAU, upper=6), replace(LEVELS, upper=4)),
        falls=("epsilon", "tau"), rises=("p", "levels"),
        moves=composition.by_levels("bharadwaj2022.tight.replacement.rate"),
        assumptions=("a fresh independent sample at each level",), role=Role.UPPER, privacy=neighbours.PATHS, cost=7,
        note="Compared with a path of tau clients, one of whom moves to a string nobody holds.",
    ),
    own(
        "lem7.kov", "Lemma 7", "Exact delta of L copies of the worst (epsilon', delta')-DP pair",
        r"1-(1-\delta')^L\left(1-\sum_i\tbinom "
        r"Li\frac{(e^{(L-i)\epsilon'}-e^{\epsilon+i\epsilon'})_+}{(1+e^{\epsilon'})^L}\right)",
        DeltaBound(
            composition.kov, kov_by_outcomes,
            points(
                "epsilon levels step delta_step", ("1/2", 3, "1/3", "1e-3"), ("1/10", 4, "1/10", "1e-6"),
                ("1/10", 5, "1/3", "1e-3"),
            ),
        ),
        domain=(LEVEL_TO_TEN, LEVELS, STEP, DELTA_STEP),
        points=({"epsilon": "5.8", "levels": 100, "step": "1/10", "delta_step": "1e-12"},),
        note="Kairouz, Oh and Viswanath 2015; what any composition theorem is held against.",
    ),
)  # fmt: skip
