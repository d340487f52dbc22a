"""Trade-off functions of finite laws, exact in rationals: what Appendix A.3 says of them, case by case."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise, product

from proofs_numeric.wilkins2024.finite import RATIOS, FiniteLaw, events, hockey_stick, laws, probability

# --- trade-off functions of finite laws, exact ------------------------------------------------------------------------

Curve = tuple[tuple[Fraction, Fraction], ...]
"""Breakpoints (alpha, f(alpha)) of a piecewise linear trade-off function, alpha from 0 to 1."""


def tradeoff(left: FiniteLaw, right: FiniteLaw) -> Curve:
    """``T(left, right)``: least second-kind error of a test of ``left`` against ``right``, by Neyman and Pearson."""
    outcomes = sorted(
        {*left, *right},
        key=lambda o: (left.get(o, Fraction(0)) == 0, right.get(o, Fraction(0)) / (left.get(o) or 1)),
        reverse=True,
    )
    alpha, error = Fraction(0), Fraction(1)
    points = {alpha: error}
    for outcome in outcomes:
        alpha += left.get(outcome, Fraction(0))
        error -= right.get(outcome, Fraction(0))
        points[alpha] = min(error, points.get(alpha, error))
    return tuple(sorted(points.items()))


def value_of(curve: Curve, alpha: Fraction) -> Fraction:
    """``f(alpha)`` by linear interpolation."""
    below = max(point for point in curve if point[0] <= alpha)
    above = min(point for point in curve if point[0] >= alpha)
    if below[0] == above[0]:
        return below[1]
    return below[1] + (above[1] - below[1]) * (alpha - below[0]) / (above[0] - below[0])


def conjugate_of(curve: Curve, y: Fraction) -> Fraction:
    """``sup_alpha y alpha - f(alpha)``: attained at a breakpoint."""
    return max(y * alpha - value for alpha, value in curve)


def composed_curve(curve: Curve, delta: Fraction) -> Curve:
    """``g`` of (A.17): ``(1 - delta) f(alpha/(1 - delta))`` up to ``1 - delta``, then 0."""
    scaled = [((1 - delta) * alpha, (1 - delta) * value) for alpha, value in curve]
    return tuple([*scaled, (Fraction(1), Fraction(0))] if delta else scaled)


def total_variation(left: FiniteLaw, right: FiniteLaw) -> Fraction:
    """``max_S P(S) - Q(S)``."""
    return hockey_stick(left, right, Fraction(1))


def products(left: FiniteLaw, right: FiniteLaw) -> FiniteLaw:
    """Product law of two independent outcomes."""
    return {(a, b): p * q for (a, p), (b, q) in product(left.items(), right.items())}


Pair = tuple[FiniteLaw, FiniteLaw]


def pairs_of_laws(atoms: int, size: int) -> list[Pair]:
    """Every pair of laws on ``atoms`` outcomes with probabilities of denominator ``size``."""
    return list(product(laws(atoms, size), laws(atoms, size)))


def holds_a2(case: Pair) -> bool:
    """Lemma A.2: every event obeys the trade-off ``max(0, 1 - delta - y)`` of the pair's total variation."""
    left, right = case
    delta = total_variation(left, right)
    return all(
        probability(right, event) <= 1 - max(Fraction(0), 1 - delta - probability(left, event))
        for event in events({**left, **right})
    )


def composable(size: int) -> Iterator[tuple[Pair, Pair]]:
    """Pairs of pairs; the second of total variation below one."""
    every = pairs_of_laws(2, size)
    return ((first, second) for first, second in product(every, every) if total_variation(*second) < 1)


def holds_a3(case: tuple[Pair, Pair]) -> bool:
    """Lemma A.3: every event of the composition obeys ``g``."""
    (left, right), second = case
    g = composed_curve(tradeoff(left, right), total_variation(*second))
    composed_left, composed_right = products(left, second[0]), products(right, second[1])
    return all(
        1 - probability(composed_right, event) >= value_of(g, probability(composed_left, event))
        for event in events({**composed_left, **composed_right})
    )


def with_ratio(size: int, atoms: int = 3) -> Iterable[tuple[Pair, Fraction]]:
    """Pairs with a ratio ``e^epsilon``."""
    return product(pairs_of_laws(atoms, size), RATIOS)


def holds_a5(case: tuple[Pair, Fraction]) -> bool:
    """Lemma A.5 for the trade-off function of the pair itself."""
    (left, right), ratio = case
    return hockey_stick(right, left, ratio) == 1 + conjugate_of(tradeoff(left, right), -ratio)


_DELTAS = tuple(Fraction(i, 4) for i in range(4))
_SLOPES = tuple(map(Fraction, ("-5", "-2", "-1", "-1/2", "0", "1", "3")))


def cases_a6(size: int) -> Iterable[tuple[Pair, Fraction, Fraction]]:
    """Pairs, total variations and slopes of Lemma A.6."""
    return product(pairs_of_laws(2, size), _DELTAS, _SLOPES)


def holds_a6(case: tuple[Pair, Fraction, Fraction]) -> bool:
    """Lemma A.6 on one case."""
    pair, delta, y = case
    curve = tradeoff(*pair)
    # A trade-off function of the paper has f(1) = 0 and is continuous; both hold for T(P, Q) on [0, 1].
    return conjugate_of(composed_curve(curve, delta), y) == max((1 - delta) * conjugate_of(curve, y), y)


def cases_a7(size: int) -> Iterable[tuple[tuple[Pair, Pair], Fraction]]:
    """Composable pairs with a ratio of at least one."""
    return product(composable(size), [ratio for ratio in RATIOS if ratio >= 1])


def holds_a7(case: tuple[tuple[Pair, Pair], Fraction]) -> bool:
    """Lemma A.7 for any first mechanism, on one case."""
    ((left, right), second), ratio = case
    delta = total_variation(*second)
    composed = hockey_stick(products(left, second[0]), products(right, second[1]), ratio)
    return composed <= delta + (1 - delta) * hockey_stick(left, right, ratio)


def cases_max(size: int) -> Iterable[tuple[Pair, Pair, Fraction]]:
    """Two pairs and a ratio."""
    every = pairs_of_laws(2, size)
    return product(every, every, RATIOS)


def holds_max(case: tuple[Pair, Pair, Fraction]) -> bool:
    """The pointwise minimum of two trade-off functions has the larger of the two deltas."""
    first, second, ratio = case
    curves = tradeoff(*first), tradeoff(*second)
    grid = sorted({alpha for curve in curves for alpha, _value in curve})
    least: Curve = tuple((alpha, min(value_of(curve, alpha) for curve in curves)) for alpha in grid)
    largest = max(hockey_stick(right, left, ratio) for left, right in (first, second))
    return 1 + conjugate_of(least, -ratio) == largest


def satisfies_f_dp(case: tuple[FiniteLaw, FiniteLaw, Curve]) -> bool:
    """Definition A.1 for one pair of laws, both orders: ``P2(S) <= 1 - f(P1(S))`` for every S.

    ``f`` must be a trade-off function: convex, non-increasing, within [0, 1 - alpha]; it is continuous by construction.
    """
    left, right, curve = case
    return is_tradeoff(curve) and all(
        probability(b, event) <= 1 - value_of(curve, probability(a, event))
        for a, b in ((left, right), (right, left))
        for event in events({**left, **right})
    )


def is_tradeoff(curve: Curve) -> bool:
    """Whether breakpoints describe a convex, non-increasing function with ``0 <= f(alpha) <= 1 - alpha``."""
    slopes = [(v2 - v1) / (a2 - a1) for (a1, v1), (a2, v2) in pairwise(curve)]
    return (
        all(slope <= 0 for slope in slopes)
        and slopes == sorted(slopes)
        and all(0 <= value <= 1 - alpha for alpha, value in curve)
    )


def coin(head: str) -> FiniteLaw:
    """Law of a coin that shows heads with the given probability."""
    return {"head": Fraction(head), "tail": 1 - Fraction(head)}


def curve_through(*points: tuple[str, str]) -> Curve:
    """Curve through the points given as text."""
    return tuple((Fraction(alpha), Fraction(value)) for alpha, value in points)


IDENTITY_CURVE = curve_through(("0", "1"), ("1", "0"))
QUARTER_CURVE = curve_through(("0", "3/4"), ("3/4", "0"), ("1", "0"))
