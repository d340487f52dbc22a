"""The exact add/remove delta: closed form against scans, exact enumeration and brute force over small histograms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import EPSILON, EPSILON_ALPHA_TAU, SETTINGS, TAU, P, own
from proofs_numeric.bharadwaj2022.rational import Rational
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import QuantityKind, Quoted, Role, Turn
from proofs_numeric.statements.derivation import Derivation, Premise, SymbolicIdentity, Unchecked
from proofs_numeric.statements.kinds import DeltaBound, FiniteStatement

RATES = (Fraction(3, 2), Fraction(2), Fraction(3))
"""e^epsilon of the exact enumerations."""
Setting = tuple[Fraction, Fraction, int, int]


def tight_by_scan(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> Number:
    """Exact delta from the definition: the largest enumerated hockey stick over k = 1 .. 2 tau / q, both directions."""
    p = A.number(alpha) * (1 - A.exp(-A.number(epsilon)))
    factor = A.exp(A.number(epsilon))
    last = int(2 * tau / float(cells.bad_rate_of(A, factor=factor, p=p))) + 1
    return A.maximum(
        *(
            cells.cell_profile(A, factor=factor, p=p, tau=tau, k=k, forward=forward)
            for k in range(1, last)
            for forward in (True, False)
        )
    )


def rate_by_scan(A: Arithmetic, *, epsilon: Number, p: Number, tau: int) -> Number:
    """Exact delta at a fixed rate from the definition: enumerated hockey sticks over k, both directions."""
    factor, p = A.exp(A.number(epsilon)), A.number(p)
    last = int(3 * tau / float(p)) + 10
    return A.maximum(
        *(
            cells.cell_profile(A, factor=factor, p=p, tau=tau, k=k, forward=forward)
            for k in range(1, last)
            for forward in (True, False)
        )
    )


def rational_settings(size: int) -> Iterator[Setting]:
    """(e^epsilon, p, tau, k) with p <= 1 - e^-epsilon, everything rational."""
    for factor, share, tau, k in product(RATES, (1, 2, 5), range(1, 4), range(1, size + 1)):
        yield factor, (1 - 1 / factor) / share, tau, k


def below_closed_form(case: Setting) -> bool:
    """Whether the enumerated hockey stick of one count is at most the closed form, exactly."""
    factor, p, tau, k = case
    A = Rational()
    stick = cells.cell_profile(A, factor=factor, p=p, tau=tau, k=k)
    return bool(stick <= cells.tight_of(A, factor=factor, p=p, tau=tau))


def histograms_of_three(size: int) -> Iterator[tuple[Fraction, Fraction, int, tuple[int, int, int]]]:
    """(e^epsilon, p, tau, counts of three items), at most ``size`` clients, p below and above 1 - e^-epsilon."""
    size = min(size, 8)
    for (factor, tau), share in product(((Fraction(3, 2), 2), (Fraction(2), 3)), (Fraction(1, 2), Fraction(3, 2))):
        for a, b, c in product(range(1, size + 1), range(size + 1), range(size + 1)):
            if a + b + c <= size:
                yield factor, (1 - 1 / factor) * share, tau, (a, b, c)


def law_by_subsets(counts: tuple[int, ...], p: Fraction, tau: int) -> dict[tuple[int, ...], Fraction]:
    """Law of the released histogram, by running over every subset of the clients."""
    items = [item for item, count in enumerate(counts) for _client in range(count)]
    law: dict[tuple[int, ...], Fraction] = {}
    for taking_part in product((False, True), repeat=len(items)):
        sampled = [item for item, part in zip(items, taking_part, strict=True) if part]
        shown = tuple(v if (v := sampled.count(item)) >= tau else 0 for item in range(len(counts)))
        mass = p ** len(sampled) * (1 - p) ** (len(items) - len(sampled))
        law[shown] = law.get(shown, Fraction(0)) + mass
    return law


def output_law(counts: tuple[int, ...], p: Fraction, tau: int) -> dict[tuple[int, ...], Fraction]:
    """Law of the released histogram, cell by cell."""
    A = Rational()
    law: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for count in counts:
        cell: dict[int, Fraction] = {}
        for v, mass in enumerate(cells.binomial_law(A, count, p)):
            shown = v if v >= tau else 0
            cell[shown] = cell.get(shown, Fraction(0)) + mass
        law = {(*key, v): mass * m for key, mass in law.items() for v, m in cell.items()}
    return law


def neighbours_within_formulas(case: tuple[Fraction, Fraction, int, tuple[int, int, int]]) -> bool:
    """Whether brute force over subsets of clients agrees exactly with the formulas: removed, added and replaced."""
    factor, p, tau, counts = case
    A, (a, b, c) = Rational(), counts
    fewer, moved = (a - 1, b, c), (a - 1, b + 1, c)
    histograms: tuple[tuple[int, ...], ...] = (counts, fewer, moved)
    laws = {histogram: law_by_subsets(histogram, p, tau) for histogram in histograms}

    def stick(left: tuple[int, ...], right: tuple[int, ...]) -> Fraction:
        excess = (mass - factor * laws[right].get(key, Fraction(0)) for key, mass in laws[left].items())
        return sum((x for x in excess if x > 0), Fraction(0))

    return bool(
        stick(counts, fewer) == cells.cell_profile(A, factor=factor, p=p, tau=tau, k=a)
        and stick(fewer, counts) == cells.cell_profile(A, factor=factor, p=p, tau=tau, k=a, forward=False)
        and stick(counts, moved) == cells.replacement_at(A, factor=factor, p=p, tau=tau, ka=a, kb=b)
        and stick(moved, counts) == cells.replacement_at(A, factor=factor, p=p, tau=tau, ka=b + 1, kb=a - 1)
    )


def _odds(A: Arithmetic, *, k: Number, p: Number, tau: Number, factor: Number) -> Number:
    """``(k - tau + 1) (b_k/b_(k-1) - e^epsilon)``, b_k the mass of Bin(k, p) at tau - 1."""
    return k * (1 - p) - factor * (k - tau + 1)


def _below_the_worst(A: Arithmetic, *, k: Number, p: Number, tau: Number, factor: Number) -> Number:
    return factor * (tau - 1 - k * (1 - (1 - p) / factor))


def _backward_odds(A: Arithmetic, *, k: Number, p: Number, tau: Number, factor: Number) -> Number:
    """``(k - tau + 1) (e^epsilon b_k/b_(k-1) - 1)``."""
    return factor * k * (1 - p) - (k - tau + 1)


def _below_the_worst_backward(A: Arithmetic, *, k: Number, p: Number, tau: Number, factor: Number) -> Number:
    return tau - 1 - k * (1 - factor * (1 - p))


CLAIMS = (
    own(
        "tight",
        "Theorem 2",
        "Exact add/remove delta of sample-and-threshold",
        r"\delta(\epsilon)=S_{k^*}-e^\epsilon S_{k^*-1},\ S_k=\Pr[\mathrm{Bin}(k,p)\ge\tau],\ "
        r"k^*=\lceil(\tau-1)/q\rceil,\ p=\alpha(1-e^{-\epsilon}),\ q=1-e^{-\epsilon}(1-p)",
        DeltaBound(
            cells.tight,
            oracle=tight_by_scan,
            oracle_points=(
                *SETTINGS[1:3],
                {"epsilon": 1, "alpha": "1/6", "tau": 10},
                {"epsilon": 2, "alpha": "0.9", "tau": 1},
            ),
            proof=Derivation(
                (
                    Premise("bharadwaj2022.thm2.bad", "the delta of a count: S_k - e^epsilon S_(k-1) for k <= tau/q"),
                    Premise("bharadwaj2022.thm2.lower.iff", "no backward loss for p <= 1 - e^-epsilon"),
                    Unchecked(
                        "S_k = S_(k-1) + p b_(k-1) (the last client decides), so S_k - e^epsilon S_(k-1) grows from k "
                        "to k + 1 by p (b_k - e^epsilon b_(k-1)), and b_k/b_(k-1) = k (1 - p)/(k - tau + 1)"
                    ),
                    SymbolicIdentity(
                        "that increment has the sign of (tau - 1)/q - k",
                        _odds,
                        _below_the_worst,
                        ("k", "p", "tau", "factor"),
                        ("factor",),
                        "so it is largest at k* = ceil((tau - 1)/q) over k <= tau/q, which k* is as 1/q > 1",
                    ),
                    Premise("bharadwaj2022.thm2.case2.corrected", "beyond tau/q it never grows"),
                )
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        falls=("tau",),
        rises=("alpha",),
        moves={
            name: Derivation((Premise("bharadwaj2022.tight", "it is the largest over all counts"), *each.steps))
            for name, each in {"tau": moves.THRESHOLD, "alpha": moves.THINNED}.items()
        },
        turns=(Turn("epsilon", {"alpha": "1/6", "tau": 11}, ("1/50", "2/5", 2)),),
        points=SETTINGS,
        quantity=QuantityKind.DELTA,
        privacy=neighbours.ITEM,
        note="Closed form; the proof is in the docstring of proofs_numeric.bharadwaj2022.cells.",
        quoted=(Quoted("each client with a fixed chance, threshold 11", {"epsilon": 1, "alpha": "1/6", "tau": 11}),),
    ),
    own(
        "tight.rate",
        "Theorem 2",
        "Exact add/remove delta at any epsilon for a fixed sampling rate",
        r"\max\left(S_{k^*}-e^\epsilon S_{k^*-1},\ \max_kH_{e^\epsilon}(k-1\|k)\right)",
        DeltaBound(
            cells.tight_rate,
            oracle=rate_by_scan,
            oracle_points=(
                {"epsilon": 0, "p": "3/10", "tau": 5},
                {"epsilon": "1/10", "p": "1/2", "tau": 3},
                {"epsilon": 1, "p": "3/10", "tau": 5},
                {"epsilon": "1/100", "p": "19/20", "tau": 21},  # the other direction is the larger
            ),
            proof=Derivation(
                (
                    Premise("bharadwaj2022.thm2.bad", "forward, whatever the rate, S_k - e^epsilon S_(k-1) to tau/q"),
                    SymbolicIdentity(
                        "its increment has the sign of (tau - 1)/q - k",
                        _odds,
                        _below_the_worst,
                        ("k", "p", "tau", "factor"),
                        ("factor",),
                    ),
                    Premise("bharadwaj2022.thm2.case2.corrected", "beyond tau/q it never grows"),
                    Premise("bharadwaj2022.lem1.mono", "backward the bad counts are the least, and nothing shown"),
                    SymbolicIdentity(
                        "backward the increment has the sign of (tau - 1)/c - k, c = 1 - e^epsilon (1 - p)",
                        _backward_odds,
                        _below_the_worst_backward,
                        ("k", "p", "tau", "factor"),
                        (),
                        "F_(k-1) - e^epsilon F_k, F_k = P[Bin(k, p) < tau], grows by p (e^epsilon b_k - b_(k-1))",
                    ),
                    Unchecked(
                        "for k c >= tau - 1 it is E[(1 - B/k - e^epsilon (1 - p))_+]/(1 - p), which never grows with "
                        "k: the mean of k draws is the mean of its k means without one draw, and (.)_+ is convex"
                    ),
                )
            ),
        ),
        domain=Box(
            (
                replace(EPSILON, lower=0),
                replace(P, lower="1/50", upper="19/20", open_lower=False, open_upper=False),
                replace(TAU, upper=60),
            )
        ),
        quantity=QuantityKind.DELTA,
        privacy=neighbours.ITEM,
        falls=("epsilon", "tau"),
        rises=("p",),
        cost=3,
    ),
    own(
        "tight.enumerated",
        "Theorem 2",
        "The closed form dominates every count, in exact fractions",
        r"H_{e^\epsilon}(k\|k-1)\le\delta(\epsilon)\ \forall k",
        FiniteStatement(
            rational_settings, below_closed_form, {"quick": 24, "standard": 48, "deep": 120}, "copies of the item"
        ),
    ),
    own(
        "tight.brute_force",
        "Section 2",
        "Brute force over all small histograms agrees with both formulas, in exact fractions",
        r"\text{add/remove and replacement hockey sticks of the output laws}",
        FiniteStatement(histograms_of_three, neighbours_within_formulas, {"quick": 4, "standard": 6, "deep": 8}, "n"),
    ),
    own(
        "delta_binom",
        "Theorem 2",
        "A simple rigorous bound: the exact binomial at floor(tau / q)",
        r"\delta\le\Pr[\mathrm{Bin}(\lfloor\tau/q\rfloor,p)\ge\tau]",
        DeltaBound(
            cells.delta_binom,
            exact=cells.tight,
            proof=Derivation(
                (
                    Premise("bharadwaj2022.tight", "the delta is S_k - e^epsilon S_(k-1) <= S_k at k* <= tau/q"),
                    Unchecked("S_k grows with k, one more client: at k* it is at most at floor(tau/q)"),
                )
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=neighbours.ITEM,
    ),
)
