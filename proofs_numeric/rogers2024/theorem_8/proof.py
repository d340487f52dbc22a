"""Section 4.2: the steps of Theorem 8's proof: which counts may move between the tops of neighbours."""

import functools
import operator
from collections.abc import Iterator
from itertools import permutations, product
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.enumeration import (
    Items,
    count_at,
    neighbour_pairs,
    top,
    tops_under_any_tie_order,
    with_names,
)
from proofs_numeric.rogers2024.lemma_4_1 import ABOVE_TANGENT, half_spaces_bound
from proofs_numeric.rogers2024.neighbours import TOP
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.theorem_7.proof import COUNT_NOISE, COUNT_THRESHOLD
from proofs_numeric.rogers2024.theorem_7.statement import rho_of_ratio
from proofs_numeric.rogers2024.thresholds import top_threshold
from proofs_numeric.statements.events import GivenEvent
from proofs_numeric.statements.gaussians import Matching, Relabelled, Tops
from proofs_numeric.statements.instances import LawInstances, RelabelledAt, TopsAt

TopCase = tuple[Items, Items, int, int, int]
"""(h, h', k_bar, D_0, D_inf)."""
_top_seen = with_names("h", "h'", "k_bar", "Delta_0", "Delta_inf")


def top_cases(size: int, most_items: int = 2) -> Iterator[TopCase]:
    """Neighbours on three labels with counts up to ``size``; at size 4 four labels with counts up to 5."""
    labels, largest = (4, 5) if size >= 4 else (3, size)
    for items, most in product(range(1, most_items + 1), (1, 2)):
        for larger, smaller in neighbour_pairs(labels, largest, items, most):
            for k_bar in range(1, labels + 1):
                yield larger, smaller, k_bar, items, most


def tie_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on four labels with counts up to ``size``, unit changes of one label."""
    return ((*pair, k_bar, 1, 1) for pair in neighbour_pairs(4, size, 1, 1) for k_bar in (1, 2, 3))


def own_labels(case: TopCase) -> tuple[list[str], list[str]]:
    """Labels of one top only: (of h, of h')."""
    larger, smaller, k_bar, _delta_0, _delta_inf = case
    left, right = top(larger, k_bar), top(smaller, k_bar)
    return sorted(set(left) - set(right)), sorted(set(right) - set(left))


def few_own_labels_any_ties(case: TopCase) -> bool:
    r"""``|top(h) \ top(h')| <= min(k_bar, D_0)`` for every way of breaking ties on either side."""
    larger, smaller, k_bar, delta_0, _delta_inf = case
    tops = product(tops_under_any_tie_order(larger, k_bar), tops_under_any_tie_order(smaller, k_bar))
    return all(len(left - right) <= min(k_bar, delta_0) for left, right in tops)


def counts_of_own(case: TopCase, side: int) -> list[tuple[int, int]]:
    """``(c_j, c'_j)`` of the items of one top only."""
    before, after = dict(case[0]), dict(case[1])
    return [(before[j], after.get(j, 0)) for j in own_labels(case)[side]]


def rises(*numbers: int) -> bool:
    """Whether none is less than the one before."""
    return list(numbers) == sorted(numbers)


def chain_printed(case: TopCase) -> bool:
    """``c_j <= c'_j + D <= c'_(k_bar) + D <= c_(k_bar) + D <= c_(k_bar+1) + D`` for items of h's top only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    bounds = count_at(smaller, k_bar), count_at(larger, k_bar), count_at(larger, k_bar + 1)
    return all(rises(c - delta_inf, after, *bounds) for c, after in counts_of_own(case, 0))


def chain_corrected(case: TopCase) -> bool:
    """``c_j <= c'_j + D <= c'_(k_bar+1) + D <= c_(k_bar+1) + D`` for items of h's top only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    bounds = count_at(smaller, k_bar + 1), count_at(larger, k_bar + 1)
    return all(rises(c - delta_inf, after, *bounds) for c, after in counts_of_own(case, 0))


def chain_of_smaller(case: TopCase) -> bool:
    """``c'_j <= c_j <= c_(k_bar+1) <= c'_(k_bar+1) + D`` for items of the top of h' only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    bounds = count_at(larger, k_bar + 1), count_at(smaller, k_bar + 1) + delta_inf
    return all(rises(after, c, *bounds) for c, after in counts_of_own(case, 1))


def relabelled_shifts(case: TopCase) -> Iterator[list[int]]:
    """Coordinate changes of the relabelled vectors for every matching of own items; the threshold comes last.

    Tops are padded with zero counts to ``k_bar`` entries, so both sides have as many own items.
    """
    larger, smaller, k_bar, _delta_0, _delta_inf = case
    left, right = top(larger, k_bar), top(smaller, k_bar)
    ours, other = own_labels(case)
    padding = len(ours) - len(other)
    shared = [left[label] - right[label] for label in left if label in right]
    threshold = count_at(larger, k_bar + 1) - count_at(smaller, k_bar + 1)
    counts = [right[label] for label in other] + [0] * padding
    for matched in set(permutations(counts)):
        yield [*shared, *(left[a] - b for a, b in zip(ours, matched, strict=True)), threshold]


def few_coordinates_move(case: TopCase) -> bool:
    """At most D_0 coordinates move, the threshold among them, each by at most D_inf, for any matching."""
    *_tops, delta_0, delta_inf = case
    every = relabelled_shifts(case)
    return all(sum(s != 0 for s in shifts) <= delta_0 and max(map(abs, shifts)) <= delta_inf for shifts in every)


def squared_distance(case: TopCase, coordinates: int) -> RelabelledAt:
    """Squared l2 distance of the relabelled vectors, threshold included, against so many moves of ``D_inf``."""
    larger, smaller, k_bar, delta_0, delta_inf = case
    return RelabelledAt(
        {"delta_0": lift(delta_0), "k_bar": lift(k_bar), "delta_inf": lift(delta_inf)}, (dict(larger), dict(smaller)),
        frozenset(sum(s * s for s in shifts) for shifts in relabelled_shifts(case)), coordinates * delta_inf**2,
    )  # fmt: skip


l2_is_bounded = LawInstances(lambda case: (squared_distance(case, case[3]),))
"""At most ``D_0 D_inf^2``."""
l2_is_bounded_by_k_bar = LawInstances(lambda case: (squared_distance(case, min(case[3], case[2] + 1)),))
"""At most ``min(D_0, k_bar + 1) D_inf^2``."""


def factor_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on two labels, for the exact law under finite noise."""
    for items, most, k_bar in product((1, 2), repeat=3):
        yield from ((*pair, k_bar, items, most) for pair in neighbour_pairs(2, size, items, most))


def top_law_factors(case: TopCase) -> bool:
    """``P(y) = Pr[E] P(y | E)`` for every outcome possible given E: no own item beats the noisy threshold."""
    larger, _smaller, k_bar, _delta_0, _delta_inf = case
    ours = set(own_labels(case)[0])
    entries = sorted(top(larger, k_bar).items())
    base = count_at(larger, k_bar + 1) + COUNT_THRESHOLD
    law: set[tuple[frozenset[tuple[str, int]], bool]] = set()
    for *steps, last in product(COUNT_NOISE, repeat=len(entries) + 1):
        noisy = [(label, count + step) for (label, count), step in zip(entries, steps, strict=True)]
        output = frozenset((label, value) for label, value in noisy if value > base + last)
        law.add((output, all(value <= base + last for label, value in noisy if label in ours)))
    return all((outcome, False) not in law for outcome, good in law if good)


@functools.cache
def _parameters(k_bar: int, delta_0: int, delta_inf: int) -> dict[str, Formula]:
    """At epsilon 1 and delta 1/10."""
    values: dict[str, int | str] = {"delta_0": delta_0, "k_bar": k_bar, "delta_inf": delta_inf, "epsilon": 1}
    return {name: lift(value) for name, value in (*values.items(), ("delta", "1/10"))}


def certificate(case: TopCase, coordinates: int, rho: Formula) -> TopsAt:
    """Of a pair: its own items' leads, and relabelled vectors as near as so many coordinates."""
    larger, smaller, k_bar, items, most = case
    counts = [c for c, _after in counts_of_own(case, 0)], [after for _c, after in counts_of_own(case, 1)]
    counts[1].extend([0] * (len(counts[0]) - len(counts[1])))
    nexts = count_at(larger, k_bar + 1), count_at(smaller, k_bar + 1)
    first, second = (tuple(sorted(beyond - c for c in side)) for beyond, side in zip(nexts, counts, strict=True))
    return TopsAt(
        _parameters(k_bar, items, most), squared_distance(case, coordinates), (first, second),
        delta_inf / epsilon, top_threshold, delta, rho,
    )  # fmt: skip


# --- histograms of any size -------------------------------------------------------------------------------------------

left_of_d, left_outside, of_e, outside, of_d = symbols("left_of_d left_outside of_e outside of_d")
_FALLEN, _NEXT_TO_E, _ABOVE_NEXT, _E_ABOVE, _D_FALLS = (
    (gap, Hypothesis())
    for gap in (
        left_outside - left_of_d,
        outside - of_e,
        of_d - outside,
        of_e - left_outside,
        left_of_d + delta_inf - of_d,
    )
)
_D_BELOW = _FALLEN, _D_FALLS
"""The next count of the smaller side is at least that of d, which falls by at most delta_inf."""


def _total(*parts: tuple[Expression, Tactic]) -> Part:
    return Part(functools.reduce(operator.add, (one for one, _proof in parts)), sum_of(*parts))


_BY_ONE_SIDE: dict[str, Any] = {
    "bounds": (sum_of(*_D_BELOW, _E_ABOVE, _NEXT_TO_E), sum_of(*_D_BELOW, _ABOVE_NEXT, _NEXT_TO_E)),
    "pair": product_of(_total(*_D_BELOW, _E_ABOVE), _total((delta_inf, Sign()), _ABOVE_NEXT, _NEXT_TO_E)),
    # s^2 - x^2 - y^2 = (s - x - y)(s + x + y) + 2 x y, x = c_d - b, y = b - b'
    "next": sum_of(
        factors(_total(*_D_BELOW), _total((delta_inf, Sign()), _ABOVE_NEXT, _NEXT_TO_E, _E_ABOVE)),
        factors(2, _ABOVE_NEXT, _total(_NEXT_TO_E, _E_ABOVE)),
    ),
    "moved": Sign(),
}
SIDES = Relabelled(Box((DELTA_0, K_BAR, DELTA_INF)), "delta_0", "k_bar", delta_inf, delta_0 * delta_inf**2)


def matched(total: Tactic) -> Matching:
    """The proof of `Relabelled`, whatever the squared distance."""
    return Matching(total=total, **_BY_ONE_SIDE)


TOPS = Tops(SIDES, Box((ALPHA, EPSILON, DELTA)), delta_inf / epsilon, top_threshold, delta, rho_of_ratio)
BELOW = GivenEvent(
    bound=half_spaces_bound, positive=Sign(), counts=ByClaim("rogers2024.thm8.lem6.4.corrected"), likely=Symbolic(),
    truncated=ByClaim("rogers2024.lem4.1.half_spaces"), moved=Sign(), printed=ABOVE_TANGENT,
)  # fmt: skip

_SIZES = {"quick": 2, "standard": 3, "deep": 4}
_SIZE_TEXT = "largest count, three labels (at 4: four labels, counts up to 5)"

CLAIMS = (
    stated(
        "thm8.rho", "Theorem 8", "Algorithm 2 is delta-approximate Delta_0 epsilon^2/2-CDP",
        r"P \ge (1-\delta)P',\ Q \ge (1-\delta)Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha\rho,\ \rho = "
        r"\Delta_0\varepsilon^2/2",
        FiniteStatement(
            top_cases, LawInstances(lambda case: (certificate(case, case[3], rho_of_ratio),)), _SIZES, _SIZE_TEXT,
            every=TOPS, proof=BELOW,
        ),
        domain=(DELTA_0, EPSILON), quantity=QuantityKind.RHO, role=Role.UPPER, privacy=TOP, evaluates=rho_of_ratio,
        assumptions=("ties are broken by an order of labels fixed before the data",),
        note="Own items and the threshold share noise: given that it is above them, both sides lie in the same "
        "half-spaces (rogers2024.lem4.1.half_spaces), in whatever way they are matched.",
        loose="min(Delta_0, k_bar + 1) may replace Delta_0 (rogers2024.sharp.top)",
    ),
    stated(
        "thm8.lem5.2", "Theorem 8, proof", "Few items differ between the tops",
        r"|\text{top}(h) \setminus \text{top}(h')| \le \min(\bar k, \Delta_0)",
        FiniteStatement(
            top_cases, lambda case: len(own_labels(case)[0]) <= min(case[2], case[3]), _SIZES, _SIZE_TEXT
        ),
        equation="Lemma 5.2 of [6]", assumptions=("ties are broken by an order of labels fixed before the data",),
    ),
    refuted(
        "thm8.lem5.2.as_printed", "Algorithm 2", "Few items differ however ties are broken",
        r"|\text{top}(h) \setminus \text{top}(h')| \le \min(\bar k, \Delta_0) \text{ for any ties}",
        FiniteStatement(
            tie_cases, few_own_labels_any_ties, {"quick": 1, "standard": 2, "deep": 3}, "largest count",
            describe=_top_seen,
        ),
        equation="breaking ties arbitrarily", by="thm8.lem5.2",
        note="With tops {a, b} and {c, d} of five equal counts the disjoint mass is 1.4033e-6 at delta = 1e-6.",
    ),
    refuted(
        "thm8.chain", "Theorem 8, proof item 1", "Chain of counts",
        r"c_j \le c'_j + \Delta_\infty \le c'_{(\bar k)} + \Delta_\infty \le c_{(\bar k)} + \Delta_\infty \le "
        r"c_{(\bar k+1)} + \Delta_\infty",
        FiniteStatement(top_cases, chain_printed, _SIZES, _SIZE_TEXT, describe=_top_seen), by="thm8.chain.corrected",
        note="The last step is backwards: c_(k_bar) >= c_(k_bar+1).",
    ),
    stated(
        "thm8.chain.corrected", "Theorem 8, proof item 1", "Chain of counts through c'_(k_bar+1)",
        r"c_j \le c'_j + \Delta_\infty \le c'_{(\bar k+1)} + \Delta_\infty \le c_{(\bar k+1)} + \Delta_\infty",
        FiniteStatement(top_cases, chain_corrected, _SIZES, _SIZE_TEXT),
    ),
    stated(
        "thm8.Eprime", "Theorem 8, proof item 1", "Own items of the smaller side",
        r"c'_j \le c_j \le c_{(\bar k+1)} \le c'_{(\bar k+1)} + \Delta_\infty",
        FiniteStatement(top_cases, chain_of_smaller, _SIZES, _SIZE_TEXT), equation="the analysis of E' is similar",
    ),
    stated(
        "thm8.factor", "Theorem 8, proof item 2", "The law factors on the good event",
        r"P(y) = \Pr[E] P(y \mid E),\ y \in S",
        FiniteStatement(factor_cases, top_law_factors, {"quick": 2, "standard": 3, "deep": 5}, "largest count"),
        note="Exact enumeration of a noise law with four atoms: the good event is a function of the outcome.",
        partial="a noise law on four outcomes; Gaussian noise is left out",
    ),
    refuted(
        "thm8.lem6.4", "Theorem 8, proof item 2", "At most Delta_0 coordinates move, threshold included",
        r"\|\text{relabelled } h - h'\|_0 \le \Delta_0,\ \|\cdot\|_\infty \le \Delta_\infty",
        FiniteStatement(top_cases, few_coordinates_move, _SIZES, _SIZE_TEXT, describe=_top_seen),
        equation="Lemma 6.4 of [17]", by="thm8.lem6.4.corrected",
        note="Needs Delta_inf >= 2: an own pair and the threshold can both move.",
    ),
    stated(
        "thm8.lem6.4.corrected", "Theorem 8, proof item 2", "Squared l2 distance of the relabelled vectors",
        r"\|\text{relabelled } h - h'\|_2^2 \le \Delta_0\Delta_\infty^2",
        FiniteStatement(
            top_cases, l2_is_bounded, _SIZES, _SIZE_TEXT, every=SIDES,
            proof=matched(product_of((delta_0 - symbol("moved"), Hypothesis()), delta_inf**2)),
        ),
        note="A matched pair that spends Delta_inf - s leaves s for the threshold: (Delta_inf - s)^2 + s^2 <= "
        "Delta_inf^2; otherwise a spare changed label pays s^2.",
    ),
    uncheckable(
        "thm8.proof.letters", "Theorems 8, 9 and 10, proofs", "Primes that are missing, and one divergence for two",
        r"h_{(\bar k)} \text{ and } h_{(\bar k)}; \quad D_\lambda(P'\|Q') \text{ twice}",
        Editorial(
            printed="the items that differ between h_(k_bar) and h_(k_bar); D(P'||Q') <= b and D(P'||Q') <= b",
            corrected="the items that differ between h_(k_bar) and h'_(k_bar); D(P'||Q') <= b and D(Q'||P') <= b",
            reason="Nothing differs from itself; approximate CDP bounds the divergence in both directions.",
        ),
    ),
)  # fmt: skip
