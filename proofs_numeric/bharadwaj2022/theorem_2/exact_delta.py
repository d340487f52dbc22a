"""The exact add/remove delta: closed form against scans, exact enumeration and brute force over small histograms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import ANY_K, ANY_TAU, EPSILON, EPSILON_ALPHA_TAU, SETTINGS, TAU, P, Q, own
from proofs_numeric.bharadwaj2022.rational import Rational
from proofs_numeric.statements import moves
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind, Quoted, Role, Turn
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.derivation import Derivation, Premise
from proofs_numeric.statements.kinds import DeltaBound, FiniteStatement, Inequality
from proofs_numeric.statements.profiles import AtCount, BadCounts, Counts
from proofs_numeric.statements.tactics import (
    ByClaim,
    Given,
    Induction,
    Maximum,
    Part,
    Peak,
    Product,
    Substitute,
    Sum,
    Symbolic,
    Tactic,
    Through,
)

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


def _worst(A: Arithmetic, *, q: Number, tau: int, **_p: Number) -> int:
    return floor_of(A, (tau - 1) / A.number(q)) + 1


def _at_worst(A: Arithmetic, *, p: Number, q: Number, tau: int, **_k: int) -> Any:
    return cells.at_threshold(A, p=p, q=q, k=_worst(A, q=q, tau=tau), tau=tau)


def _mass_below(A: Arithmetic, *, p: Number, q: Number, k: int, tau: int) -> Number:
    """``p b_k(tau - 1)/(k (1 - q))``: times ``tau - 1 - k q`` what one copy more adds."""
    return p * (cells.upper_tail(A, k, p, tau - 1) - cells.upper_tail(A, k, p, tau)) / (k * (1 - q))


def _before_worst(_A: Arithmetic, *, q: Number, k: int, tau: int, **_p: Number) -> Number:
    return tau - 1 - k * q


def _past_worst(_A: Arithmetic, *, q: Number, k: int, tau: int, **_p: Number) -> Number:
    return k * q - (tau - 1)


def _threshold_above(_A: Arithmetic, *, tau: int, more: int, **_rest: Any) -> int:
    return tau + more


def _at_threshold_above(A: Arithmetic, *, tau: int, more: int, **at: Any) -> Any:
    return cells.at_threshold(A, **at, tau=tau + more)


def _closed_form(A: Arithmetic, *, more: int, **at: Any) -> Any:
    del more
    return _at_worst(A, **at)


def _at_worst_above(A: Arithmetic, *, tau: int, more: int, **at: Any) -> Any:
    return _at_worst(A, **at, tau=tau + more)


def _one_less(A: Arithmetic, *, q: Number, tau: int, more: int, **_rest: Any) -> int:
    """One copy less than is worst at the threshold above t: ``floor(t/q)``, so that t is not below the bad counts."""
    return _worst(A, q=q, tau=tau + more + 1) - 1


def _gap_of_one_less(A: Arithmetic, *, p: Number, q: Number, tau: int, more: int, k: int) -> Any:
    one_less = _one_less(A, q=q, tau=tau, more=more)
    return _at_worst(A, p=p, q=q, tau=tau, k=k) - cells.at_threshold(A, p=p, q=q, k=one_less, tau=tau + more)


def _mass_of_one_less(A: Arithmetic, *, p: Number, q: Number, tau: int, more: int, **_k: int) -> Number:
    one_less, t = _one_less(A, q=q, tau=tau, more=more), tau + more
    mass = cells.upper_tail(A, one_less, p, t) - cells.upper_tail(A, one_less, p, t + 1)
    return (1 - p) * mass / (one_less * (1 - q))


def _short_of_one_less(A: Arithmetic, *, q: Number, tau: int, more: int, **_rest: Any) -> Number:
    return tau + more - _one_less(A, q=q, tau=tau, more=more) * q


def _unseen_above(A: Arithmetic, *, tau: int, more: int, **at: Any) -> Any:
    return cells.unseen_at(A, **at, tau=tau + more)


def _unseen_at_worst(A: Arithmetic, *, p: Number, q: Number, tau: int, **_rest: int) -> Any:
    return cells.unseen_at(A, p=p, q=q, k=_worst(A, q=q, tau=tau), tau=tau)


def _factor_of(A: Arithmetic, *, p: Number, q: Number, **_counts: int) -> Any:
    """``e^epsilon`` of c = q."""
    return (1 - A.number(q)) / (1 - A.number(p))


def _short_of_closed_form(A: Arithmetic, **at: Any) -> Any:
    return _closed_form(A, **at) - _at_threshold_above(A, **at)


def _rate(A: Arithmetic, *, epsilon: Number, alpha: Number, **_counts: int) -> Number:
    return cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)


def _worst_of(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> int:
    return _worst(A, q=cells.bad_rate(A, epsilon=epsilon, alpha=alpha), tau=tau)


def _more_than_worst(A: Arithmetic, *, epsilon: Number, alpha: Number, tau: int) -> int:
    last = floor_of(A, tau / cells.bad_rate(A, epsilon=epsilon, alpha=alpha))
    return last - _worst_of(A, epsilon=epsilon, alpha=alpha, tau=tau)


def _shown_of_worst(A: Arithmetic, **at: Any) -> Number:
    return cells.upper_tail(A, _worst_of(A, **at), _rate(A, **at), at["tau"])


def _shown_of_one_less(A: Arithmetic, **at: Any) -> Number:
    return cells.upper_tail(A, _worst_of(A, **at) - 1, _rate(A, **at), at["tau"])


def _factor(A: Arithmetic, *, epsilon: Number, **_rest: Any) -> Number:
    return A.exp(epsilon)


def _threshold(_A: Arithmetic, *, tau: int, **_rest: Number) -> int:
    return tau


def _copies(_A: Arithmetic, *, copies: int, **_rest: Number) -> int:
    return copies


def _beyond(_A: Arithmetic, *, beyond: int, **_rest: Number) -> int:
    return beyond


def _one(_A: Arithmetic, **_rest: Number) -> int:
    return 1


def _bad_rate(A: Arithmetic, *, epsilon: Number, alpha: Number, **_counts: int) -> Number:
    return cells.bad_rate(A, epsilon=epsilon, alpha=alpha)


def _less_shown_by_fewer(less: int) -> Part:
    """That one copy less shows less than the threshold and ``beyond``, and ``less`` under that: a probability."""

    def place(_A: Arithmetic, *, tau: int, beyond: int, **_rest: Number) -> int:
        return tau + beyond - less

    def chance(A: Arithmetic, *, copies: int, epsilon: Number, alpha: Number, **counts: int) -> Number:
        return 1 - cells.upper_tail(A, copies - 1, _rate(A, epsilon=epsilon, alpha=alpha), place(A, **counts))

    at: dict[str, Formula] = {"p": _rate, "k": lambda _A, *, copies, **_rest: copies - 1, "tau": place, "s": zero}
    return Part(chance, ByClaim("bharadwaj2022.thm2.tail", at))


def _by_share(share: Formula, less: int) -> Part:
    def grown(A: Arithmetic, **at: Any) -> Any:
        return share(A, **at) * A.expm1(at["epsilon"])

    shown = _less_shown_by_fewer(less)
    return Part(lambda A, **at: grown(A, **at) * shown.formula(A, **at), Product((Part(grown), shown)))


def _every_count(copies: Formula, beyond: Formula) -> Tactic:
    return ByClaim("bharadwaj2022.tight.every_count", {"p": _rate, "q": _bad_rate, "k": copies, "more": beyond})


_EVERY_COUNT = _every_count(_copies, _beyond)
_NOTHING_FOR_FEWER = Through(
    zero,
    Sum((_by_share(lambda A, *, alpha, **_rest: 1 - A.number(alpha), 0), _by_share(parameter_named("alpha"), 1))),
    _every_count(_one, _one),
)
"""Of a law F, a copy less shows less no more than r times as often: by ``(r (1 - p) - 1) F(t - 1) + r p F(t - 2)``."""


# --- a fixed rate -----------------------------------------------------------------------------------------------------


FIXED_RATE = Box(
    (
        replace(EPSILON, lower=0),
        replace(P, lower="1/50", upper="19/20", open_lower=False, open_upper=False),
        replace(TAU, upper=60),
    )
)


def _fixed_rate(A: Arithmetic, *, p: Number, **_rest: Number) -> Number:
    return A.number(p)


FIXED_RATE_COUNTS = Counts(_fixed_rate, _threshold)
"""Whatever epsilon."""


def _bad_rate_of(A: Arithmetic, *, epsilon: Number, p: Number, **_rest: Number) -> Any:
    return cells.bad_rate_of(A, factor=A.exp(A.number(epsilon)), p=p)


def _closed_forward(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, **_counts: int) -> Any:
    return cells.tight_of(A, factor=A.exp(A.number(epsilon)), p=p, tau=tau)


def _backward_rate(A: Arithmetic, *, epsilon: Number, p: Number, **_rest: Number) -> Any:
    return cells.backward_rate(A, epsilon=epsilon, p=p)


def _positive_rate(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, **_rest: int) -> Any:
    return cells.positive_backward_rate(A, epsilon=epsilon, p=p, tau=tau)


def _all_sampled(A: Arithmetic, *, p: Number, tau: int, **_rest: Number) -> Any:
    return A.number(p) ** tau


def _closed_backward(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, **_counts: int) -> Any:
    return _unseen_at_worst(A, p=p, q=_positive_rate(A, epsilon=epsilon, p=p, tau=tau), tau=tau)


def _unseen(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, copies: int, beyond: int) -> Any:
    q = _positive_rate(A, epsilon=epsilon, p=p, tau=tau)
    return cells.unseen_at(A, p=p, q=q, k=copies, tau=tau + beyond)


def _above_backward(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, **_rest: int) -> Any:
    return _positive_rate(A, epsilon=epsilon, p=p, tau=tau) - _backward_rate(A, epsilon=epsilon, p=p)


def _worst_forward(A: Arithmetic, *, epsilon: Number, p: Number, tau: int) -> int:
    return _worst(A, q=_bad_rate_of(A, epsilon=epsilon, p=p), tau=tau)


def _worst_backward(A: Arithmetic, *, epsilon: Number, p: Number, tau: int) -> int:
    return _worst(A, q=_positive_rate(A, epsilon=epsilon, p=p, tau=tau), tau=tau)


def _fewer(_A: Arithmetic, *, copies: int, **_rest: Number) -> int:
    return copies - 1


def _hidden(A: Arithmetic, *, p: Number, tau: int, copies: int, beyond: int, **_epsilon: Number) -> Any:
    return cells.lower_tail(A, copies, p, tau + beyond - 1)


def _unseen_of_fewer(A: Arithmetic, *, k: int, **at: Any) -> Any:
    """Against one copy more."""
    return _unseen(A, **at, copies=k + 1, beyond=0)


def _unseen_of_level(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, k: int) -> Any:
    return cells.unseen_at(A, p=p, q=_backward_rate(A, epsilon=epsilon, p=p), k=k + 1, tau=tau)


def _either(A: Arithmetic, *, k: int, **at: Any) -> Any:
    return A.maximum(_closed_forward(A, **at), _unseen_of_level(A, **at, k=k))


_NOT_ALL = Part(
    lambda A, **at: 1 - _all_sampled(A, **at),
    Induction("tau", Sum((Part(lambda A, *, p, **_rest: 1 - A.number(p)),)), factor=_fixed_rate),
)
_HIDDEN_BELOW = Part(
    lambda A, *, p, tau, k, **_epsilon: 1 - cells.upper_tail(A, k, p, tau - 1),
    ByClaim("bharadwaj2022.thm2.tail", {"tau": lambda _A, *, tau, **_rest: tau - 1, "s": zero}),
)


def _unseen_by_fewer(A: Arithmetic, *, k: int, **at: Any) -> Any:
    """Of k copies against k + 1."""
    return cells.unseen_at(A, **at, k=k + 1)


_ODDS_LEFT = Part(lambda A, *, p, q, **_counts: p * (1 - A.number(q)) / (1 - A.number(p)))
_BELOW_RATE = Sum(
    (
        Part(lambda A, *, p, q, k, tau: q * cells.upper_tail(A, k, p, tau)),
        Part(
            lambda A, **at: _ODDS_LEFT.formula(A, **at) * _HIDDEN_BELOW.formula(A, **at),
            Product((_ODDS_LEFT, _HIDDEN_BELOW)),
        ),
    )
)
_BELOW_ALL = Through(
    _all_sampled,
    ByClaim("bharadwaj2022.tight.unseen.limit", {"q": _all_sampled}, {"q <": _NOT_ALL.proof}),
    Through(
        _closed_forward,
        ByClaim("bharadwaj2022.tight.every_count", {"q": _bad_rate_of, "k": _threshold, "more": lambda _A, **_rest: 0}),
        Symbolic(),
    ),
)
_ATTAINED = Maximum(
    (
        Part(_closed_forward, Symbolic()),
        Part(
            _closed_backward,
            Substitute(
                Box((*FIXED_RATE.parameters, replace(ANY_K, lower=0))),
                {"k": lambda A, **at: _worst_backward(A, **at) - 1},
                Maximum(
                    (
                        Part(_backward_rate, Through(_unseen_of_level, Symbolic(), Symbolic())),
                        Part(_all_sampled, _BELOW_ALL),
                    ),
                    inside=True,
                ),
                _unseen_of_fewer,
                _either,
            ),
        ),
    )
)
"""Where p^tau stands for c, that is no more than what tau copies give away forward."""
_BELOW_ONE = Maximum((Part(_backward_rate), Part(_all_sampled, _NOT_ALL.proof)))
_FORWARD = ByClaim("bharadwaj2022.tight.every_count", {"q": _bad_rate_of, "k": _copies, "more": _beyond})
_BACKWARD = Through(
    _unseen,
    Product(
        (
            Part(lambda A, *, p, **_rest: 1 / (1 - A.number(p))),
            Part(_above_backward, Maximum((Part(_backward_rate), Part(_all_sampled, Given())), inside=True)),
            Part(
                _hidden,
                ByClaim(
                    "bharadwaj2022.thm2.tail",
                    {"k": _copies, "tau": lambda _A, *, tau, beyond, **_rest: tau + beyond, "s": zero},
                ),
            ),
        )
    ),
    Through(
        _closed_backward,
        ByClaim(
            "bharadwaj2022.tight.unseen", {"q": _positive_rate, "k": _copies, "more": _beyond}, {"q <": _BELOW_ONE}
        ),
        Symbolic(),
    ),
)
_EITHER_WAY = BadCounts(
    Through(_closed_forward, _FORWARD, Symbolic()),
    _BACKWARD,
    (AtCount(_worst_forward), AtCount(_worst_backward, fewer=True)),
    _ATTAINED,
)


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
            pairs=Counts(_rate, _threshold),
            proof=BadCounts(_EVERY_COUNT, _NOTHING_FOR_FEWER, (AtCount(_worst_of),), Symbolic()),
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
        note="Closed form; why it holds is in the docstring of proofs_numeric.bharadwaj2022.cells.",
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
            pairs=FIXED_RATE_COUNTS,
            proof=_EITHER_WAY,
        ),
        domain=FIXED_RATE,
        quantity=QuantityKind.DELTA,
        privacy=neighbours.ITEM,
        falls=("epsilon", "tau"),
        rises=("p",),
        cost=3,
    ),
    own(
        "tight.worst_count",
        "Theorem 2",
        "Of all counts, the one next to (t - 1)/q gives most away by being shown at threshold t",
        r"S_k(t)-e^\epsilon S_{k-1}(t)\le S_{k'}(t)-e^\epsilon S_{k'-1}(t),\ k'=\lfloor(t-1)/q\rfloor+1",
        Inequality(
            cells.at_threshold,
            _at_worst,
            proof=Peak(
                "k",
                _worst,
                rises=Product((Part(_mass_below), Part(_before_worst))),
                falls=Product((Part(_mass_below), Part(_past_worst))),
            ),
        ),
        domain=Box((P, Q, ANY_K, ANY_TAU)),
        quantity=QuantityKind.PROBABILITY,
    ),
    own(
        "tight.every_count",
        "Theorem 2",
        "The closed form dominates every count and every event that a count is large and shown",
        r"S_k(t)-e^\epsilon S_{k-1}(t)\le S_{k^*}-e^\epsilon S_{k^*-1}\ \forall k,\ \forall t\ge\tau",
        Inequality(
            _at_threshold_above,
            _closed_form,
            proof=Through(
                _at_worst_above,
                ByClaim("bharadwaj2022.tight.worst_count", {"tau": _threshold_above}),
                Induction(
                    "more",
                    Through(
                        _gap_of_one_less,
                        ByClaim("bharadwaj2022.tight.worst_count", {"k": _one_less, "tau": _threshold_above}),
                        Product((Part(_mass_of_one_less), Part(_short_of_one_less))),
                    ),
                ),
            ),
        ),
        domain=Box((P, Q, ANY_K, ANY_TAU, Parameter("more", "how far t is above tau", "clients", integer=True))),
        quantity=QuantityKind.PROBABILITY,
        note="At k* = floor((tau - 1)/q) + 1, which gives what ceil((tau - 1)/q) gives.",
    ),
    own(
        "tight.unseen",
        "Theorem 2",
        "The closed form dominates every count and every event that a count is small, or not shown",
        r"F_{k-1}(t)-e^\epsilon F_k(t)\le F_{k^*-1}-e^\epsilon F_{k^*},\ F_k(t)=\Pr[\mathrm{Bin}(k,p)<t],\ "
        r"e^\epsilon=\tfrac{1-c}{1-p}\ \forall k,\ \forall t\ge\tau",
        Inequality(
            _unseen_above,
            _unseen_at_worst,
            proof=Product((Part(_factor_of), Part(_short_of_closed_form, ByClaim("bharadwaj2022.tight.every_count")))),
        ),
        domain=Box((P, Q, ANY_K, ANY_TAU, Parameter("more", "how far t is above tau", "clients", integer=True))),
        quantity=QuantityKind.PROBABILITY,
        note="q is c = 1 - e^epsilon (1 - p); at k* = floor((tau - 1)/c) + 1.",
    ),
    own(
        "tight.unseen.limit",
        "Theorem 2",
        "That a count is small, or not shown, gives no more away than the rate c, however many copies there are",
        r"F_k(t)-\tfrac{1-c}{1-p}F_{k+1}(t)\le c",
        Inequality(_unseen_by_fewer, parameter_named("q"), proof=_BELOW_RATE),
        domain=Box((P, Q, replace(ANY_K, lower=0), ANY_TAU)),
        quantity=QuantityKind.PROBABILITY,
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
            proof=Through(
                _shown_of_worst,
                Product((Part(_factor), Part(_shown_of_one_less))),
                ByClaim("bharadwaj2022.thm2.case1", {"p": _rate, "k": _worst_of, "more": _more_than_worst}),
            ),
        ),
        domain=EPSILON_ALPHA_TAU,
        points=SETTINGS,
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=neighbours.ITEM,
    ),
)
