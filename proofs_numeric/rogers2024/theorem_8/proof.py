"""Section 4.2: the steps of Theorem 8's proof: which counts may move between the tops of neighbours."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.definition_2_2 import share_used
from proofs_numeric.rogers2024.enumeration import (
    Items,
    count_at,
    histograms,
    neighbour_pairs,
    neighbours,
    top,
    tops_under_any_tie_order,
)
from proofs_numeric.rogers2024.laws import truncated_renyi_excess
from proofs_numeric.rogers2024.neighbours import TOP
from proofs_numeric.rogers2024.parameters import ALPHA, DELTA, DELTA_0, EPSILON, printed
from proofs_numeric.rogers2024.theorem_7.proof import COUNT_NOISE, COUNT_THRESHOLD
from proofs_numeric.rogers2024.theorem_7.statement import rho_of_ratio
from proofs_numeric.rogers2024.theorem_8.statement import new_item_mass
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.constants import one
from proofs_numeric.statements.derivation import Derivation, Premise
from proofs_numeric.statements.kinds import Editorial, FiniteStatement, Inequality
from proofs_numeric.statements.verdict import Expectation

# --- combinatorics of tops --------------------------------------------------------------------------------------------

TopCase = tuple[Items, Items, int, int, int]
"""(h, h', k_bar, D_0, D_inf)."""


def _top_seen(case: TopCase) -> dict[str, object]:
    return dict(zip(("h", "h'", "k_bar", "Delta_0", "Delta_inf"), case, strict=True))


def top_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on three labels with counts up to ``size``; at size 4 four labels with counts up to 5."""
    labels, largest = (4, 5) if size >= 4 else (3, size)
    for delta_0, delta_inf in product((1, 2), (1, 2)):
        for larger, smaller in neighbour_pairs(labels, largest, delta_0, delta_inf):
            for k_bar in range(1, labels + 1):
                yield larger, smaller, k_bar, delta_0, delta_inf


def tie_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on four labels with counts up to ``size``, unit changes of one label."""
    for larger in histograms(4, size):
        for smaller in neighbours(larger, 1, 1):
            for k_bar in (1, 2, 3):
                yield larger, smaller, k_bar, 1, 1


def own_labels(case: TopCase) -> tuple[list[str], list[str]]:
    """Labels of one top only: (of h, of h')."""
    larger, smaller, k_bar, _delta_0, _delta_inf = case
    left, right = top(larger, k_bar), top(smaller, k_bar)
    return sorted(set(left) - set(right)), sorted(set(right) - set(left))


def few_own_labels(case: TopCase) -> bool:
    r"""``|top(h) \ top(h')| <= min(k_bar, D_0)`` with a fixed label order."""
    return len(own_labels(case)[0]) <= min(case[2], case[3])


def few_own_labels_any_ties(case: TopCase) -> bool:
    """The same for every way of breaking ties on either side."""
    larger, smaller, k_bar, delta_0, _delta_inf = case
    return all(
        len(left - right) <= min(k_bar, delta_0)
        for left in tops_under_any_tie_order(larger, k_bar)
        for right in tops_under_any_tie_order(smaller, k_bar)
    )


def chain_printed(case: TopCase) -> bool:
    """``c_j <= c'_j + D <= c'_(k_bar) + D <= c_(k_bar) + D <= c_(k_bar+1) + D`` for items of h's top only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    before, after = dict(larger), dict(smaller)
    return all(
        before[j] <= after.get(j, 0) + delta_inf
        and after.get(j, 0) <= count_at(smaller, k_bar) <= count_at(larger, k_bar) <= count_at(larger, k_bar + 1)
        for j in own_labels(case)[0]
    )


def chain_corrected(case: TopCase) -> bool:
    """``c_j <= c'_j + D <= c'_(k_bar+1) + D <= c_(k_bar+1) + D`` for items of h's top only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    before, after = dict(larger), dict(smaller)
    return all(
        before[j] <= after.get(j, 0) + delta_inf
        and after.get(j, 0) <= count_at(smaller, k_bar + 1) <= count_at(larger, k_bar + 1)
        for j in own_labels(case)[0]
    )


def chain_of_smaller(case: TopCase) -> bool:
    """``c'_j <= c_j <= c_(k_bar+1) <= c'_(k_bar+1) + D`` for items of the top of h' only."""
    larger, smaller, k_bar, _delta_0, delta_inf = case
    before, after = dict(larger), dict(smaller)
    return all(
        after[j] <= before[j] <= count_at(larger, k_bar + 1) <= count_at(smaller, k_bar + 1) + delta_inf
        for j in own_labels(case)[1]
    )


def relabelled_shifts(case: TopCase) -> Iterator[list[int]]:
    """Coordinate changes of the relabelled vectors for every matching of own items; the threshold comes last.

    Tops are padded with zero counts to ``k_bar`` entries, so both sides have as many own items.
    """
    larger, smaller, k_bar, _delta_0, _delta_inf = case
    left, right = top(larger, k_bar), top(smaller, k_bar)
    own, other = own_labels(case)
    padding = len(own) - len(other)
    shared = [left[label] - right[label] for label in left if label in right]
    threshold = count_at(larger, k_bar + 1) - count_at(smaller, k_bar + 1)
    counts = [right[label] for label in other] + [0] * padding
    for matched in set(permutations(counts)):
        yield [*shared, *(left[a] - b for a, b in zip(own, matched, strict=True)), threshold]


def few_coordinates_move(case: TopCase) -> bool:
    """At most D_0 coordinates move, the threshold among them, each by at most D_inf, for any matching."""
    _larger, _smaller, _k_bar, delta_0, delta_inf = case
    return all(
        sum(s != 0 for s in shifts) <= delta_0 and max(map(abs, shifts)) <= delta_inf
        for shifts in relabelled_shifts(case)
    )


def l2_is_bounded(case: TopCase) -> bool:
    """Squared l2 distance of the relabelled vectors, threshold included, is at most ``D_0 D_inf^2``."""
    _larger, _smaller, _k_bar, delta_0, delta_inf = case
    return all(sum(s * s for s in shifts) <= delta_0 * delta_inf**2 for shifts in relabelled_shifts(case))


def l2_is_bounded_by_k_bar(case: TopCase) -> bool:
    """The same with ``min(D_0, k_bar + 1) D_inf^2``."""
    _larger, _smaller, k_bar, delta_0, delta_inf = case
    bound = min(delta_0, k_bar + 1) * delta_inf**2
    return all(sum(s * s for s in shifts) <= bound for shifts in relabelled_shifts(case))


def factor_cases(size: int) -> Iterator[TopCase]:
    """Neighbours on two labels, for the exact law under finite noise."""
    for delta_0, delta_inf in product((1, 2), (1, 2)):
        for larger, smaller in neighbour_pairs(2, size, delta_0, delta_inf):
            for k_bar in (1, 2):
                yield larger, smaller, k_bar, delta_0, delta_inf


def top_law_factors(case: TopCase) -> bool:
    """``P(y) = Pr[E] P(y | E)`` for every outcome possible given E: no own item beats the noisy threshold."""
    larger, _smaller, k_bar, _delta_0, _delta_inf = case
    own = set(own_labels(case)[0])
    entries = sorted(top(larger, k_bar).items())
    base = count_at(larger, k_bar + 1) + COUNT_THRESHOLD
    law: dict[tuple[frozenset[tuple[str, int]], bool], Fraction] = {}
    for steps in product(COUNT_NOISE, repeat=len(entries) + 1):
        mass = Fraction(1)
        for step in steps:
            mass *= COUNT_NOISE[step]
        bar = base + steps[-1]
        shown = {(label, count + s) for (label, count), s in zip(entries, steps, strict=False) if count + s > bar}
        good = all(count + s <= bar for (label, count), s in zip(entries, steps, strict=False) if label in own)
        key = (frozenset(shown), good)
        law[key] = law.get(key, Fraction(0)) + mass
    return all((outcome, False) not in law for outcome, good in law if good)


def _given_event(
    A: Arithmetic, *, alpha: Number, delta_0: Number, epsilon: Number, delta: Number, move: Number
) -> Number:
    """``D_alpha`` given that the one own item stays below the noisy threshold, D_0 - 1 shared counts moving by D_inf.

    Own item and threshold move by ``(1 - move) D_inf`` and ``move D_inf``; the half-space's edge lies ``T`` less what
    the own item's count is above the threshold's, in units of sqrt(2) sigma.
    """
    epsilon, move = A.number(epsilon), A.number(move)
    squared = (A.number(delta_0) - 1 + (1 - move) ** 2 + move**2) * epsilon**2
    nearest = normal_quantile_complement(A, A.number(delta) / delta_0)
    edges = [nearest + part * epsilon / A.sqrt(2) for part in (move, 1 - move)]
    both_ways = (
        truncated_renyi_excess(A, alpha=alpha, left=left, right=right) for left, right in (edges, reversed(edges))
    )
    return A.number(alpha) * squared / 2 + A.maximum(*both_ways)


def share_of_top(A: Arithmetic, *, alpha: Number, delta_0: Number, epsilon: Number, delta: Number, move: Number) -> Any:
    """What Algorithm 2 uses up: delta where D_0 new items are its own, rho on pairs with one own item."""
    return share_used(
        A,
        missed=new_item_mass(A, delta_0=delta_0, delta=delta),
        delta=delta,
        divergence=_given_event(A, alpha=alpha, delta_0=delta_0, epsilon=epsilon, delta=delta, move=move),
        alpha=alpha,
        rho=rho_of_ratio(A, delta_0=delta_0, epsilon=epsilon),
    )


# --- claims -----------------------------------------------------------------------------------------------------------

_SIZES = {"quick": 2, "standard": 3, "deep": 4}
_SIZE_TEXT = "largest count, three labels (at 4: four labels, counts up to 5)"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm8.rho",
        source=printed("Theorem 8"),
        title="Algorithm 2 is delta-approximate Delta_0 epsilon^2/2-CDP",
        statement=r"\max\left(\frac{\Pr[\neg E]}{\delta}, \frac{D_\alpha(P'\|Q')}{\alpha\rho}\right) \le 1,\ "
        r"\rho = \Delta_0\varepsilon^2/2",
        kind=Inequality(
            share_of_top,
            one,
            proof=Derivation(
                (
                    Premise("rogers2024.thm8.T", "own items beat the noisy threshold with probability at most delta"),
                    Premise(
                        "rogers2024.thm8.lem6.4.corrected",
                        "for any matching of own items the means are at most sqrt(Delta_0) Delta_inf apart",
                    ),
                    Premise(
                        "rogers2024.lem4.1.half_spaces",
                        "given the good event either side's noise lies in the same half-spaces, in units of sigma: "
                        "D_alpha <= alpha Delta_0 epsilon^2/2",
                    ),
                )
            ),
        ),
        domain=Box(
            (
                ALPHA,
                replace(DELTA_0, lower=2, upper=10**4, default=2),
                EPSILON,
                DELTA,
                Parameter("move", "share of Delta_inf by which the threshold's count moves", lower=0, upper=1),
            )
        ),
        cost=7,
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        privacy=TOP,
        evaluates=lambda A, *, delta_0, epsilon, **_rest: rho_of_ratio(A, delta_0=delta_0, epsilon=epsilon),
        points=tuple(
            {"alpha": 2, "delta_0": d, "epsilon": 1, "delta": "1/10", "move": move}
            for d, move in ((2, 0), (2, 1), (3, "1/2"))
        ),
        note="Compared on the pairs whose two divergences have a closed form, one own item and one half-space; those "
        "with more own items rest on rogers2024.lem4.1.half_spaces, and at Delta_0 = 1 the mass is delta "
        "(rogers2024.thm8.sum). The l2 lemma is decided on the small pairs of rogers2024.thm8.lem6.4.corrected.",
        loose="min(Delta_0, k_bar + 1) may replace Delta_0 (rogers2024.sharp.top)",
    ),
    Claim(
        id="rogers2024.thm8.lem5.2",
        source=printed("Theorem 8, proof", "Lemma 5.2 of [6]"),
        title="Few items differ between the tops",
        statement=r"|\text{top}(h) \setminus \text{top}(h')| \le \min(\bar k, \Delta_0)",
        kind=FiniteStatement(top_cases, few_own_labels, _SIZES, _SIZE_TEXT),
        assumptions=("ties are broken by an order of labels fixed before the data",),
    ),
    Claim(
        id="rogers2024.thm8.lem5.2.as_printed",
        source=printed("Algorithm 2", "breaking ties arbitrarily"),
        title="Few items differ however ties are broken",
        statement=r"|\text{top}(h) \setminus \text{top}(h')| \le \min(\bar k, \Delta_0) \text{ for any ties}",
        kind=FiniteStatement(
            tie_cases, few_own_labels_any_ties, {"quick": 1, "standard": 2, "deep": 3}, "largest count", seen=_top_seen
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm8.lem5.2",
        note="With tops {a, b} and {c, d} of five equal counts the disjoint mass is 1.4033e-6 at delta = 1e-6.",
    ),
    Claim(
        id="rogers2024.thm8.chain",
        source=printed("Theorem 8, proof item 1"),
        title="Chain of counts",
        statement=r"c_j \le c'_j + \Delta_\infty \le c'_{(\bar k)} + \Delta_\infty \le c_{(\bar k)} + \Delta_\infty "
        r"\le c_{(\bar k+1)} + \Delta_\infty",
        kind=FiniteStatement(top_cases, chain_printed, _SIZES, _SIZE_TEXT, seen=_top_seen),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm8.chain.corrected",
        note="The last step is backwards: c_(k_bar) >= c_(k_bar+1).",
    ),
    Claim(
        id="rogers2024.thm8.chain.corrected",
        source=printed("Theorem 8, proof item 1"),
        title="Chain of counts through c'_(k_bar+1)",
        statement=(
            r"c_j \le c'_j + \Delta_\infty \le c'_{(\bar k+1)} + \Delta_\infty \le c_{(\bar k+1)} + "
            r"\Delta_\infty"
        ),
        kind=FiniteStatement(top_cases, chain_corrected, _SIZES, _SIZE_TEXT),
    ),
    Claim(
        id="rogers2024.thm8.Eprime",
        source=printed("Theorem 8, proof item 1", "the analysis of E' is similar"),
        title="Own items of the smaller side",
        statement=r"c'_j \le c_j \le c_{(\bar k+1)} \le c'_{(\bar k+1)} + \Delta_\infty",
        kind=FiniteStatement(top_cases, chain_of_smaller, _SIZES, _SIZE_TEXT),
    ),
    Claim(
        id="rogers2024.thm8.factor",
        source=printed("Theorem 8, proof item 2"),
        title="The law factors on the good event",
        statement=r"P(y) = \Pr[E] P(y \mid E),\ y \in S",
        kind=FiniteStatement(factor_cases, top_law_factors, {"quick": 2, "standard": 3, "deep": 5}, "largest count"),
        note="Exact enumeration of a noise law with four atoms: the good event is a function of the outcome.",
    ),
    Claim(
        id="rogers2024.thm8.lem6.4",
        source=printed("Theorem 8, proof item 2", "Lemma 6.4 of [17]"),
        title="At most Delta_0 coordinates move, threshold included",
        statement=r"\|\text{relabelled } h - h'\|_0 \le \Delta_0,\ \|\cdot\|_\infty \le \Delta_\infty",
        kind=FiniteStatement(top_cases, few_coordinates_move, _SIZES, _SIZE_TEXT, seen=_top_seen),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm8.lem6.4.corrected",
        note="Needs Delta_inf >= 2: an own pair and the threshold can both move.",
    ),
    Claim(
        id="rogers2024.thm8.lem6.4.corrected",
        source=printed("Theorem 8, proof item 2"),
        title="Squared l2 distance of the relabelled vectors",
        statement=r"\|\text{relabelled } h - h'\|_2^2 \le \Delta_0\Delta_\infty^2",
        kind=FiniteStatement(top_cases, l2_is_bounded, _SIZES, _SIZE_TEXT),
        note="A matched pair that spends Delta_inf - s leaves s for the threshold: (Delta_inf - s)^2 + s^2 <= "
        "Delta_inf^2; otherwise a spare changed label pays s^2.",
    ),
    Claim(
        id="rogers2024.thm8.proof.letters",
        source=printed("Theorems 8, 9 and 10, proofs"),
        title="Primes that are missing, and one divergence for two",
        statement=r"h_{(\bar k)} \text{ and } h_{(\bar k)}; \quad D_\lambda(P'\|Q') \text{ twice}",
        kind=Editorial(
            printed="the items that differ between h_(k_bar) and h_(k_bar); D(P'||Q') <= b and D(P'||Q') <= b",
            corrected="the items that differ between h_(k_bar) and h'_(k_bar); D(P'||Q') <= b and D(Q'||P') <= b",
            reason="Nothing differs from itself; approximate CDP bounds the divergence in both directions.",
        ),
        expected=Expectation.NOT_CHECKABLE,
    ),
)
