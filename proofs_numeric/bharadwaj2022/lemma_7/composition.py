"""Section 4.1: L histograms in a row (Lemma 7), with exact composition of the worst pair."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Rational
from proofs_numeric.arithmetic.finite_laws import binomial, released
from proofs_numeric.arithmetic.special import binomial_pmf, binomial_tail
from proofs_numeric.bharadwaj2022 import cells, neighbours
from proofs_numeric.bharadwaj2022.parameters import *
from proofs_numeric.bharadwaj2022.theorem_2.exact_delta import FIXED_RATE, FIXED_RATE_COUNTS, rational_settings
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.statements.profiles import Composed, Repeated

LEVELS = Parameter("levels", "histograms composed", "levels", 1, 128, integer=True, log=True)
STEP = Parameter("step", "epsilon of one level", "nats", "1e-3", 1, log=True, open_upper=True)
DELTA_STEP = Parameter("delta_step", "delta of one level", lower="1e-15", upper="1e-3", log=True)
OTHERS = Parameter("others", "clients of the heavy item", "clients", 1, 1000, integer=True, log=True)
Laws = list[tuple[Any, Any]]


def cell_laws(tau: int, left: tuple[int, Any], right: tuple[int, Any]) -> Laws:
    """(P, Q) by outcome of one cell, nothing shown first: copies and their rate on the left and on the right."""
    here, there = (released(binomial(copies, rate), tau) for copies, rate in (left, right))
    return [(here.get(v, 0), there.get(v, 0)) for v in sorted({*here, *there})]


def level_laws(A: Arithmetic, *, p: Number, tau: int, k: int) -> Laws:
    """(P, Q) by outcome of one level: k against k - 1 copies."""
    return cell_laws(tau, (k, A.number(p)), (k - 1, A.number(p)))


def composed_laws(laws: Sequence[Laws]) -> Laws:
    """Product of independent levels, outcome by outcome."""
    joint: Laws = [(1, 1)]
    for level in laws:
        joint = [(p * x, q * y) for p, q in joint for x, y in level]
    return joint


def composed_profile(A: Arithmetic, *, factor: Number, p: Number, tau: int, k: int, levels: int) -> Number:
    """Exact hockey stick of ``levels`` fresh samples of one cell at factor = e^(total epsilon)."""
    laws = composed_laws([level_laws(A, p=p, tau=tau, k=k)] * levels)
    return A.sum(A.maximum(A.number(0), x - factor * y) for x, y in laws)


levels, step, delta_step, others, x, y, a, b = symbols("levels step delta_step others x y a b")
basic = levels * algorithm(cells.tight_rate)(epsilon=epsilon / levels)
"""``levels`` times the exact delta of one level at epsilon/levels: basic composition of the exact accountant."""


def shown_path(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int) -> Number:
    """Delta of paths of tau, 2 tau or 4 tau clients, one of whom leaves, by how many levels show them: attained.

    With tau clients one side never shows a level: ``1 - (1 - p^tau)^L`` at every epsilon.
    """
    factor = A.exp(A.number(epsilon))

    def stick(k: int) -> Any:
        left, right = (binomial_tail(A, n, A.number(p), tau) for n in (k, k - 1))
        return A.sum(
            A.maximum(0, binomial_pmf(A, levels, left, j) - factor * binomial_pmf(A, levels, right, j))
            for j in range(1, levels + 1)
        )

    return A.maximum(-A.expm1(levels * A.log1p(-(A.number(p) ** tau))), stick(2 * tau), stick(4 * tau))


def composed_by_count(A: Arithmetic, *, epsilon: Number, p: Number, tau: int, levels: int) -> Number:
    """Largest enumerated delta of up to three levels whose cells all hold k against k - 1 copies."""
    p, last = A.number(p), 3 * tau
    factor = A.exp(A.number(epsilon))
    return A.maximum(*(composed_profile(A, factor=factor, p=p, tau=tau, k=k, levels=levels) for k in range(1, last)))


def within_basic(case: tuple[Fraction, Fraction, int, int]) -> bool:
    """Whether 2 and 3 fresh levels have at most L times the delta at L times epsilon, exactly."""
    factor, p, tau, k = case
    A = Rational()
    one = cells.tight_of(A, factor=factor, p=p, tau=tau)
    return all(
        composed_profile(A, factor=factor**levels, p=p, tau=tau, k=k, levels=levels) <= levels * one
        for levels in (2, 3)
    )


def pruning_only_hides(case: tuple[Fraction, Fraction, int, int]) -> bool:
    """Whether hiding a child whose prefix was not shown never raises the delta, exactly."""
    factor, p, tau, k = case
    A = Rational()
    one = level_laws(A, p=p, tau=tau, k=k)
    full = composed_laws([one, one])
    hidden = one[0]
    pruned = [hidden, *((p1 * p2, q1 * q2) for p1, q1 in one[1:] for p2, q2 in one)]
    sticks = [A.sum(A.maximum(0, x - factor * y) for x, y in laws) for laws in (pruned, full)]
    return bool(sticks[0] <= sticks[1])


def small_settings(size: int) -> Iterator[tuple[Fraction, Fraction, int, int]]:
    """Settings whose threefold products stay small."""
    return (case for case in rational_settings(min(size, 9)) if case[2] <= 3)


reuse_leak = sampling_rate * tail(others, sampling_rate, tau)
"""Delta of one sample used for two levels, at every epsilon: D = others x "aa" + "ab", D' = others x "aa".

The prefix "a" counts one more than "aa" only when "ab" was sampled, and both are shown: p P[Bin(others, p) >= tau].
"""


def kov(A: Arithmetic, *, epsilon: Number, levels: int, step: Number, delta_step: Number) -> Number:
    """Exact delta of the composition of ``levels`` (step, delta_step)-DP mechanisms at epsilon, worst case.

    Source: Kairouz, Oh and Viswanath 2015, from the hockey stick of binary randomised response with a failure atom.
    """
    e = A.exp(step)
    terms = (
        math.comb(levels, i) * A.maximum(A.number(0), e ** (levels - i) - A.exp(epsilon) * e**i) / (1 + e) ** levels
        for i in range(levels // 2 + 1)
    )
    failed = -A.expm1(levels * A.log1p(-A.number(delta_step)))
    return failed + (1 - failed) * A.sum(terms)


advanced_as_printed = levels * step * step + step * sqrt(-levels * log(levels * delta_step))
advanced = step * sqrt(-2 * levels * log(levels * delta_step)) + levels * step * expm1(step)
"""Dwork and Roth, Theorem 3.20, slack L d'."""
_composed = algorithm(kov)
_lost = maximum(0, x - a)


def _of_second(first: Tactic, second: Tactic) -> Tactic:
    return Maximum((Part(zero, first), Part(y - b, second)), inside=True)


def _shares(*pairs: tuple[Expression, Expression]) -> Tactic:
    return sum_of(*(factors(mass, (gap, Hypothesis())) for mass, gap in pairs))


_STICKS = Maximum(
    (
        Part(zero, _of_second(_shares((a, b - y), (y, a - x)), _shares((b, a - x)))),
        Part(x - a, _of_second(_shares((a, b - y)), Symbolic())),
    ),
    inside=True,
)
"""By whether each of the two tells something."""

_REUSE = Box((EPSILON, ALPHA, TAU_SMALL, OTHERS))
_ADVANCED = Box((LEVELS, STEP, DELTA_STEP))


def by_levels(level: str) -> dict[str, Derivation]:
    """Return why the sum of the deltas of all levels moves as the claim about one level says."""
    one = Premise(level, "the delta of a level moves so, and falls with its epsilon")
    return dict.fromkeys(("epsilon", "tau", "p", "levels"), derived(one))


BASIC: dict[str, Any] = {
    "kind": DeltaBound(
        basic, exact=shown_path, pairs=Repeated("levels", FIXED_RATE_COUNTS),
        proof=Composed(cells.tight_rate, ByClaim("bharadwaj2022.tight.rate"), ByClaim("bharadwaj2022.lem7.sticks")),
    ),
    "domain": Box((*FIXED_RATE.parameters, replace(LEVELS, upper=64))), "quantity": QuantityKind.DELTA,
    "role": Role.UPPER, "falls": ("epsilon", "tau"), "rises": ("p", "levels"),
    "moves": by_levels("bharadwaj2022.tight.rate"),
    "points": tuple({"epsilon": epsilon, "p": p, "tau": 16, "levels": 64} for epsilon, p in ((1, "1/5"), (2, "2/5"))),
    "cost": 5,
}  # fmt: skip
"""What a claim that bounds levels in a row by basic composition of the exact delta of a level says."""
_SIZES = sizes(5, 6, 8)

CLAIMS = (
    stated(
        "lem7.basic", "Lemma 7", "L levels are (L epsilon, L delta)-DP, with a fresh sample a level",
        r"(L\epsilon,L\delta)", FiniteStatement(small_settings, within_basic, _SIZES, "copies"),
        assumptions=("a fresh independent sample at each level",),
        loose="at epsilon (not L epsilon) two levels already have only twice the delta",
        note="The paper does not say that samples are fresh (lem7.reuse).",
    ),
    own(
        "lem7.rate", "Lemma 7", "L levels at total epsilon: L times the exact delta of a level at epsilon/L",
        r"L\,\delta_{\mathrm{tight}}(\epsilon/L)", assumptions=("a fresh independent sample at each level",),
        privacy=neighbours.PATH,
        note="Basic composition of bharadwaj2022.tight.rate; compared with what of long paths is shown here, with "
        "enumerated paths in lem7.rate.enumerated; sharper: lem7.every_path.",
        **BASIC,
    ),
    own(
        "lem7.sticks", "Lemma 7",
        "What two levels tell is no more than what the first does, and the second where the first does not",
        r"p_1p_2-r_1q_1r_2q_2\le(p_1-r_1q_1)_+p_2+\min(p_1,r_1q_1)(p_2-r_2q_2)_+",
        x * y - a * b <= _lost * y + (x - _lost) * maximum(0, y - b), proof=_STICKS,
        domain=Box(tuple(map(Parameter, "xyab", ("p_1", "p_2", "r_1 q_1", "r_2 q_2")))),
    ),
    own(
        "lem7.rate.enumerated", "Lemma 7",
        "Enumerated compositions of equal counts are below L times the exact delta of a level",
        r"\delta_L(\epsilon)\le L\,\delta_{\mathrm{tight}}(\epsilon/L)", algorithm(composed_by_count)() <= basic,
        domain=(
            replace(EPSILON, lower=0, upper=5), rate_within("1/10", "3/5"), replace(TAU, upper=3),
            replace(LEVELS, upper=2),
        ),
        cost=5, **PROBABILITY,
    ),
    refuted(
        "lem7.reuse", "Lemma 7", "Lemma 7 with one sample for all levels", r"\delta_{\mathrm{reuse}}\le2\delta",
        reuse_leak <= 2 * theorem_2, by="lem7.basic", domain=_REUSE, evaluates=reuse_leak,
        note="The counts of a prefix and of its child differ by the sampled others; delta tends to p.", **PROBABILITY,
    ),
    stated(
        "lem7.post", "Lemma 7", "Pruning is post-processing", r"\text{pruned trie}=f(\text{unpruned histograms})",
        FiniteStatement(small_settings, pruning_only_hides, _SIZES, "copies"),
    ),
    refuted(
        "lem7.adv", "Lemma 7", "Advanced composition as quoted",
        r"(L\epsilon'^2+\epsilon'\sqrt{L\log1/(\delta'L)},\,2L\delta')",
        _composed(epsilon=advanced_as_printed) <= 2 * levels * delta_step, by="lem7.adv.corrected", domain=_ADVANCED,
        evaluates=advanced_as_printed, note="The factor sqrt(2) and e^epsilon' - 1 are missing.",
    ),
    own(
        "lem7.adv.corrected", "Lemma 7", "Advanced composition",
        r"(\epsilon'\sqrt{2L\ln1/(L\delta')}+L\epsilon'(e^{\epsilon'}-1),\,2L\delta')",
        _composed(epsilon=advanced) <= 2 * levels * delta_step, domain=_ADVANCED, evaluates=advanced,
    ),
)  # fmt: skip
