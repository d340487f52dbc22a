"""Theorem 9: threshold, rho and privacy profile of Algorithm 3."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic.integer_part import floor_of
from proofs_numeric.arithmetic.special import binomial_tail, integral
from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.achieved import GUMBEL_MASS
from proofs_numeric.rogers2024.conversion import Promise, converted
from proofs_numeric.rogers2024.enumeration import Items, neighbour_pairs
from proofs_numeric.rogers2024.neighbours import GUMBEL, GUMBEL_OF_K_BAR
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.peeling import good_parts, gumbel_decomposition
from proofs_numeric.rogers2024.theorem_5 import ORDERS
from proofs_numeric.rogers2024.theorem_9.any_size import RACE
from proofs_numeric.rogers2024.thresholds import gumbel_threshold
from proofs_numeric.statements.box import points
from proofs_numeric.statements.instances import InRangeAt, LawInstances, ListsAt
from proofs_numeric.statements.profiles import Promised
from proofs_numeric.statements.races import Lists, Matched, Picked

value, outside, rise, score = symbols("value outside rise score")
_odds = k_bar * exp(-(value - 1) * epsilon)
gumbel_new_mass = _odds / (1 + _odds)
"""Exact Pr[some of k_bar new items of count c_(k_bar+1) + 1 beats the noisy threshold]: race of exponentials."""
worst_new_mass = delta / (1 + delta)


def new_mass_by_race(A: Arithmetic, *, delta: Number) -> Number:
    """The same by quadrature: three new items of score 1 beat the threshold's own Gumbel noise, epsilon = 1."""
    lead = gumbel_threshold(A, k_bar=3, epsilon=1, delta=delta) - 1

    def none_beats(B: Arithmetic, x: Number) -> Number:
        # The threshold's noise is x: its density, and the three items' noise below lead + x.
        return B.exp(-x - B.exp(-x) - 3 * B.exp(-x - lead))

    return 1 - A.sum(integral(A, none_beats, A.number(n), A.number(n + 2)) for n in range(-8, 80, 2))


picks_rho = k * epsilon * epsilon / 8
"""Of k picks of an exponential mechanism of range one."""
GUMBEL_PROMISE = Promise(picks_rho(epsilon=1 / beta), delta)
"""Of Theorem 9."""


def picks_from_many(A: Arithmetic, *, epsilon: Number, k: int, beta: Number) -> Number:
    """Hockey stick of k picks from ever more equal high counts, of which a user moves a share by one.

    In the limit the picks are independent: how many are of those that moved is binomial, and what is told of their
    number is a lower bound wherever it is cut. The share is the one of largest Kullback-Leibler divergence; what more
    than a thousand picks tell is left out.
    """
    k, step = min(k, 1000), 1 / A.number(beta)
    least = A.exp(-step)
    share = (step / A.expm1(step) - least) / (1 - least)
    weight = share * A.exp(step)
    cut = floor_of(A, (epsilon + k * A.log(weight + 1 - share)) / step) + 1
    moved = binomial_tail(A, k, weight / (weight + 1 - share), cut)
    return moved - A.exp(A.number(epsilon)) * binomial_tail(A, k, share, cut)


PICKS = points("k beta epsilon delta", (1000, 5, 40, "1e-60"), (20, "1/5", 60, "1e-60"))
"""Points where ten per cent less of rho is too little: many picks, far out."""
logistic_tail_closed = delta / (k_bar + delta)

GumbelCase = tuple[Items, Items, int, int, Fraction, Fraction]
"""(h, h', k_bar, k, e^epsilon, delta)."""

BASES = (Fraction(51, 50), Fraction(3, 2), Fraction(3))


def gumbel_cases(size: int) -> Iterator[GumbelCase]:
    """(infinity, 1)-neighbours on three labels, every ``k <= k_bar``, three values of epsilon, delta = 1/10."""
    for pair, items in product(neighbour_pairs(3, size, 3, 1), (1, 2, 3)):
        for picks, base in product(range(1, items + 1), BASES):
            yield *pair, items, picks, base, Fraction(1, 10)


def arguments_of(case: GumbelCase) -> tuple[Items, Items, dict[str, Any]]:
    """h, h', and the settings of the exact law by name."""
    larger, smaller, k_bar, k, base, delta = case
    return larger, smaller, {"k_bar": k_bar, "k": k, "base": base, "delta": delta}


def parameters_of(case: GumbelCase) -> dict[str, Formula]:
    """What the laws of any size call the numbers of a case."""
    _larger, _smaller, k_bar, _k, base, delta = case
    return {"k_bar": lift(k_bar), "epsilon": log(lift(base)), "delta": lift(delta)}


def certificate(case: GumbelCase) -> Iterator[ListsAt]:
    """Repair 3.1 on one pair: ``P >= P'/(1 + delta)``, and every Renyi divergence within ``k epsilon^2/8``."""
    larger, smaller, settings = arguments_of(case)
    parts = gumbel_decomposition(larger, smaller, **settings)
    at: dict[str, Formula] = {**parameters_of(case), "k": lift(case[3])}
    missed = case[5] / (1 + case[5])
    yield ListsAt(at, ((dict(larger), dict(smaller)),), case[3], parts, missed, case[5], picks_rho)


def matched_weights(case: GumbelCase) -> Iterator[InRangeAt]:
    """The certificate's key step: common weights and the merged threshold move by factors in ``[1, e^epsilon]``."""
    larger, smaller, k_bar, _k, base, delta = case
    parts = good_parts(larger, smaller, k_bar=k_bar, base=base, delta=delta)
    weights, merged, _mass, other, other_merged, _other = parts
    yield InRangeAt(parameters_of(case), (dict(larger), dict(smaller)), (weights, other), (merged, other_merged), base)


_log_rate, _log_rate_of_threshold = (score + rise) * epsilon, (outside + rise + gumbel_threshold) * epsilon


def _within(log_rate: Expression) -> tuple[Tactic, Tactic]:
    """A rate that moves by a factor between 1 and ``e^epsilon`` as its score rises by one at most: by logarithms."""
    earlier = log_rate(rise=0)
    return Increasing("exp", earlier, log_rate), Increasing("exp", log_rate, earlier + epsilon)


SIZES, SIZE_TEXT = {"quick": 1, "standard": 2, "deep": 3}, "largest count on three labels"
LISTS = Lists(RACE, Box((ORDERS["alpha"], K)), "k", delta=delta, rho=picks_rho)
_T_BOX = Box((K_BAR, EPSILON, DELTA))

CLAIMS = (
    stated(
        "gumbel.logistic", "Theorem 9, proof item 1", "One new item against the noisy threshold",
        r"\Pr[1 + G_1 > T + G_2] = 1/(1 + e^{(T-1)/\beta}) = \delta/(\bar k + \delta)",
        eq(1 / (1 + exp((gumbel_threshold - 1) * epsilon)), logistic_tail_closed), proof=Symbolic(), domain=_T_BOX,
        quantity=QuantityKind.PROBABILITY, evaluates=logistic_tail_closed,
    ),
    stated(
        "thm9.T", "Theorem 9", "Threshold of Algorithm 3", r"T = 1 + \tfrac1\varepsilon\log(\bar k/\delta)",
        Calibration(gumbel_threshold, gumbel_new_mass, tight=False, by=GUMBEL_MASS, proof=Sign()), domain=_T_BOX,
        quantity=QuantityKind.THRESHOLD, falls=("delta",), rises=("k_bar",),
        role=Role.CALIBRATION, privacy=GUMBEL_OF_K_BAR, points=({"k_bar": 10, "epsilon": 1, "delta": "1e-6"},),
        loose="the worst mass is delta/(1 + delta); T = 1 + log(k_bar (1 - delta)/delta)/epsilon is exact "
        "(rogers2024.sharp.gumbel)",
    ),
    own(
        "thm9.new_item_mass", "Theorem 9", "Exact worst mass of new items under Algorithm 3",
        r"\Pr[\neg E] = \delta/(1 + \delta)",
        DeltaBound(
            worst_new_mass, oracle=new_mass_by_race,
            oracle_points=points("delta", ("1/10",), ("1e-3",), ("1e-6",)),
        ),
        domain=(replace(DELTA, upper="infinity", open_upper=False, searched=("1e-300", 1)),),
        quantity=QuantityKind.PROBABILITY,
    ),
    stated(
        "thm9.rho", "Theorem 9", "Algorithm 3 is delta-approximate k epsilon^2/8-CDP",
        r"P \ge (1-\delta)P',\ Q \ge (1-\delta)Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha k\varepsilon^2/8",
        FiniteStatement(
            gumbel_cases, LawInstances(certificate), SIZES, SIZE_TEXT, every=LISTS,
            proof=Picked(
                width=epsilon, condition=ByClaim("rogers2024.repair.race"), range=ByClaim("rogers2024.thm9.range"),
                likely=ByClaim("rogers2024.thm9.T"), picks=ByClaim("rogers2024.thm9.picks"),
            ),
        ),
        domain=(K, EPSILON), quantity=QuantityKind.RHO, role=Role.UPPER, privacy=GUMBEL, evaluates=picks_rho,
        note="By the repaired decomposition, checked exactly on every small pair; the printed one is false.",
    ),
    own(
        "thm9.range", "Theorem 9, repaired proof", "The merged threshold and the common items move by range one",
        r"1 \le \tilde w/\tilde w' \le e^\varepsilon",
        FiniteStatement(
            gumbel_cases, LawInstances(matched_weights), SIZES, SIZE_TEXT, every=RACE.in_range(epsilon),
            proof=Matched(
                order=ByClaim("rogers2024.thm9.places"), item=(Sign(), *_within(_log_rate)),
                bottom=(Sign(), *_within(_log_rate_of_threshold)), merged=ByClaim("rogers2024.thm9.mediant"),
            ),
        ),
        note="Mediant inequality over matched own items: c_d - c'_d' in [0, 1].",
    ),
    own(
        "thm9.profile", "Theorem 9 and its best conversion", "Privacy profile that Theorem 9 promises",
        r"\delta(\varepsilon) \le \delta + (1-\delta) B_\rho(\varepsilon),\ \rho = k/(8\beta^2)",
        DeltaBound(
            # The worse of the exact profile of C1 (all new) and high counts of which some move, a lower bound.
            GUMBEL_PROMISE.profile, exact=maximum(worst_new_mass, algorithm(picks_from_many)()),
            pairs=Promised(LISTS, {"epsilon": 1 / beta}),
            proof=converted(ByClaim("rogers2024.thm9.rho"), GUMBEL_PROMISE),
        ),
        domain=(LEVEL, K, BETA, DELTA), role=Role.UPPER, privacy=GUMBEL, points=PICKS, promise=GUMBEL_PROMISE,
    ),
)  # fmt: skip
