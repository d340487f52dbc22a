"""Theorem 10: delta, rho and privacy profile of Algorithm 4."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.expression.vocabulary import *
from proofs_numeric.rogers2024.conversion import Promise, converted
from proofs_numeric.rogers2024.enumeration import Items, with_names
from proofs_numeric.rogers2024.neighbours import PAY_WHAT_YOU_GET
from proofs_numeric.rogers2024.parameters import *
from proofs_numeric.rogers2024.peeling import gumbel_law, pay_what_you_get, stream_decomposition, stream_law
from proofs_numeric.rogers2024.theorem_5 import ORDERS
from proofs_numeric.rogers2024.theorem_9.any_size import RACE
from proofs_numeric.rogers2024.theorem_9.proof import peeling_on_common
from proofs_numeric.rogers2024.theorem_9.statement import BASES, PICKS, picks_from_many, picks_rho
from proofs_numeric.rogers2024.thresholds import gumbel_threshold
from proofs_numeric.statements.instances import LawInstances, ListsAt
from proofs_numeric.statements.profiles import Promised
from proofs_numeric.statements.races import Lists, Picked

rest, asked = symbols("rest asked")
_calls = minimum(l_star, k_star)
stream_delta = l_star * delta
"""Delta of Theorem 10."""
calls_times_delta = _calls * delta
stream_new_mass = -expm1(-_calls * log1p(delta))
"""Exact worst new-item mass ``1 - (1 + delta)^-min(l*, k*)``: every query prints at least one entry."""
product_of_goods = exp(l_star * log1p(-delta))
"""``(1 - delta)^l*``."""
_all_bottom = exp(-l_star * log1p(delta))
all_bottom_remainder = (_all_bottom - (1 - delta)) / delta
"""``P''(bot, ..., bot)`` of the printed mixture for all-new queries: ``((1+d)^-l - (1-d)) / d``, a probability."""
_odds = k_bar * exp(-((gumbel_threshold - delta_inf) * epsilon / delta_inf))
crossing_with_literal_scale = _odds / (1 + _odds)
"""Exact mass of k_bar new items of count Delta_inf at ``beta = Delta_inf/epsilon`` and the T of Theorem 9."""
_odds_scaled = k_bar * exp(-(delta_inf * gumbel_threshold - delta_inf) * epsilon / delta_inf)
stream_rho = picks_rho(k=k_star)
STREAM = Promise(stream_rho(epsilon=1 / beta), minimum(1, stream_delta))
"""Of Theorem 10; 1 where ``l* delta >= 1``."""

_ALL_CALLS = Through(
    product_of_goods, ByClaim("rogers2024.thm10.union"),
    Increasing("exp", l_star * log1p(-delta), -l_star * log1p(delta), Derivative("delta", "lower")),
)  # fmt: skip
"""``1 - l* delta <= (1 - delta)^l* <= (1 + delta)^-l*``: the last is the probability that no call misses its event."""

_ENTRIES = Recurrence(
    state=Box((Parameter("rest", "entries that may still be printed", "entries"),)),
    inputs=Box((Parameter("asked", "that the query prints if it may", "entries", lower=1, integer=True),)),
    start={"rest": k_star}, step={"rest": rest - minimum(asked, rest)}, left=k_star - rest, right=k_star,
)  # fmt: skip
"""Each query prints at most what is left: what is printed after any number of them."""

StreamCase = tuple[tuple[Items, Items], tuple[Items, Items], int, int, int, Fraction, Fraction]
"""(stream, neighbour stream, k_bar, k, k*, e^epsilon, delta)."""

_ROUND_PAIRS = (
    ((("a", 1), ("b", 1)), (("a", 1),)), ((("a", 1), ("b", 1)), ()), ((("a", 1), ("b", 3)), (("b", 3),)),
    ((("a", 2), ("b", 1)), (("a", 1), ("b", 1))), ((("a", 1),), (("a", 1),)),
)  # fmt: skip
"""Round pairs: partly new, all new, new below high, a shared count moves, nothing moves."""


def stream_cases(size: int) -> Iterator[StreamCase]:
    """Two-round streams over the round pairs, ``k <= k_bar <= 2``, ``k* <= size``."""
    for first, second in product(_ROUND_PAIRS, repeat=2):
        for items, picks, entries in product((1, 2), (1, 2), range(1, size + 1)):
            if picks <= items:
                for base in BASES[1:]:
                    yield (first[0], second[0]), (first[1], second[1]), items, picks, entries, base, Fraction(1, 10)


def _settings(case: StreamCase) -> dict[str, Any]:
    return dict(zip(("k_bar", "k", "k_star", "base", "delta"), case[2:], strict=True))


def stream_certificate(case: StreamCase) -> Iterator[ListsAt]:
    """Repair 3.1 applied round by round: a decomposition with mass ``(1-delta)^l*`` and ``k* epsilon^2/8``."""
    larger, smaller, k_bar, k, k_star, base, delta = case
    rounds = len(larger)
    at = {
        "k_bar": lift(k_bar), "epsilon": log(lift(base)), "delta": lift(delta), "l_star": lift(rounds),
        "k_star": lift(k_star),
    }  # fmt: skip
    calls = tuple((dict(left), dict(right)) for left, right in zip(larger, smaller, strict=True))
    parts = stream_decomposition(larger, smaller, **_settings(case))
    yield ListsAt(at, calls, k, parts, 1 - (1 - delta) ** rounds, rounds * delta, stream_rho)


def printed_product_holds(case: StreamCase) -> bool:
    """``P(y) = prod_i Pr[E_i] P'_i(y_i)`` on common outcomes with the printed P'_i (peeling over common items)."""
    left, right, k_bar, k, k_star, base, delta = case
    law = stream_law(left, **_settings(case))

    def good_round(i: int, k_i: int) -> dict[tuple[str, ...], Fraction]:
        single = (left[i], right[i], k_bar, k_i, base, delta)
        good = peeling_on_common(left[i], right[i], single)
        marginal = gumbel_law(left[i], k_bar=k_bar, k=k_i, base=base, delta=delta)
        mass = sum((marginal[y] for y in good), Fraction(0))
        return {y: mass * p for y, p in good.items()}

    return all(law[y] == p for y, p in pay_what_you_get(good_round, len(left), k_star, k).items())


def entries_are_capped(case: StreamCase) -> bool:
    """At most k* entries, bottom included, and at least one a query until they are used up; the law has mass 1."""
    left, k_star, law = case[0], case[4], stream_law(case[0], **_settings(case))
    counts = [[len(entries) for entries in lists] for lists in law]
    are_capped = all(sum(c) <= k_star and min(c) >= 1 for c in counts)
    return sum(law.values()) == 1 and are_capped and all(len(c) == len(left) or sum(c) == k_star for c in counts)


def printed_entries(case: StreamCase) -> Iterator[Instance]:
    """How many entries each query prints, for each way of numbers that the law has."""
    k_star = case[4]
    for lengths in sorted({tuple(map(len, lists)) for lists in stream_law(case[0], **_settings(case))}):
        total = Fraction(sum(lengths))
        steps = tuple({"asked": Fraction(length)} for length in lengths)
        yield Instance({"k_star": lift(k_star)}, steps, total, Fraction(k_star), {"rest": k_star - total})


def all_new_mass_is_exact(case: tuple[int, int, int]) -> bool:
    """The mass of anything but bottoms is ``1 - (1 + delta)^-min(l*, k*)``."""
    l_star, k_star, k_bar = case
    delta, items = Fraction(1, 20), tuple((label, 1) for label in "ab"[:k_bar])
    law = stream_law((items,) * l_star, k_bar=k_bar, k=k_bar, k_star=k_star, base=Fraction(3, 2), delta=delta)
    quiet = sum((p for lists, p in law.items() if all(entries == ("⊥",) for entries in lists)), Fraction(0))
    return quiet == (1 + delta) ** -min(l_star, k_star)


_STREAMS = Lists(
    RACE, Box((ORDERS["alpha"], ELL_STAR, K_STAR)), "k_star", delta=stream_delta, rho=stream_rho, calls="l_star"
)
_REMAINDER = (
    _all_bottom - 1 + stream_delta,
    Derivative("delta", "lower", Rewrite(Sign(), right=l_star * (1 - exp(-(l_star + 1) * log1p(delta))))),
)
_FEW_ITEMS = (
    Parameter("delta_inf", "most by which one count changes", "counts", lower=1, upper=100, integer=True),
    Parameter("k_bar", "items of a query", "items", lower=1, upper=100, integer=True), EPSILON, DELTA,
)  # fmt: skip
SIZES = {"quick": 2, "standard": 3, "deep": 4}

CLAIMS = (
    stated(
        "thm10.delta", "Theorem 10", "Pay-what-you-get: total delta l* delta",
        r"1 - (1+\delta)^{-\min(\ell^*, k^*)} \le \ell^*\delta",
        DeltaBound(
            stream_delta, exact=stream_new_mass, by=Achieved("rogers2024.thm10.new_item_mass"),
            proof=Through(calls_times_delta, ByClaim("rogers2024.sharp.pay")),
        ),
        domain=(ELL_STAR, K_STAR, DELTA), role=Role.UPPER, privacy=PAY_WHAT_YOU_GET,
        loose="min(l*, k*) delta suffices (rogers2024.sharp.pay)",
    ),
    own(
        "thm10.new_item_mass", "Theorem 10", "Exact worst mass of new items over a stream",
        r"1 - (1+\delta)^{-\min(\ell^*, k^*)}",
        FiniteStatement(
            lambda size: product(range(1, size + 1), range(1, size + 1), (1, 2)), all_new_mass_is_exact,
            {"quick": 3, "standard": 4, "deep": 6}, "l*, k*"
        ),
        domain=(ELL_STAR, K_STAR, DELTA), quantity=QuantityKind.PROBABILITY, evaluates=stream_new_mass,
    ),
    stated(
        "thm10.rho", "Theorem 10", "Algorithm 4 is l* delta-approximate k* epsilon^2/8-CDP",
        r"P \ge (1-\delta)^{\ell^*}P',\ Q \ge (1-\delta)^{\ell^*}Q',\ D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha "
        r"k^*\varepsilon^2/8",
        FiniteStatement(
            stream_cases, LawInstances(stream_certificate), SIZES, "k*", every=_STREAMS,
            proof=Picked(
                width=epsilon, condition=ByClaim("rogers2024.repair.race"), range=ByClaim("rogers2024.thm9.range"),
                likely=_ALL_CALLS, picks=ByClaim("rogers2024.thm9.picks", {"k": k_star}),
            ),
        ),
        domain=(K_STAR, EPSILON), quantity=QuantityKind.RHO, role=Role.UPPER, privacy=PAY_WHAT_YOU_GET,
        evaluates=stream_rho,
        note="The repaired decomposition round by round; two-round streams over five kinds of round.",
    ),
    own(
        "thm10.profile", "Theorem 10 and its best conversion", "Privacy profile that Theorem 10 promises",
        r"\delta(\varepsilon) \le d + (1-d) B_\rho(\varepsilon),\ d = \min(1, \ell^*\delta),\ \rho = k^*/(8\beta^2)",
        DeltaBound(
            # The worse of the all-new stream (D1) and k* picks of one query from high counts.
            STREAM.profile, exact=maximum(stream_new_mass, algorithm(picks_from_many)(k=k_star)),
            pairs=Promised(_STREAMS, {"epsilon": 1 / beta}),
            proof=converted(ByClaim("rogers2024.thm10.rho"), STREAM, most=STREAM.delta, within=Sign()),
        ),
        domain=(LEVEL, ELL_STAR, K_STAR, BETA, DELTA), role=Role.UPPER, privacy=PAY_WHAT_YOU_GET,
        points=tuple({**{n: v for n, v in p.items() if n != "k"}, "k_star": p["k"], "l_star": 1} for p in PICKS),
        promise=STREAM,
    ),
    stated(
        "thm10.union", "Theorem 10, proof item 1", "Union bound over queries", None,
        1 - stream_delta <= product_of_goods, proof=Induction("l_star", factor=1 - delta), domain=(ELL_STAR, DELTA),
        quantity=QuantityKind.PROBABILITY,
    ),
    refuted(
        "thm10.product", "Theorem 10, proof item 2", "The law of a stream is a product of factored rounds",
        r"P(y) = \prod_i \Pr[E^{(i)}] P'^{(i)}(y^{(i)}; y^{(<i)})",
        FiniteStatement(
            stream_cases, printed_product_holds, SIZES, "k*",
            describe=with_names("streams", "of neighbours", "k_bar", "k", "k*", "e^epsilon", "delta"),
        ),
        reconstruction=True, by="thm10.rho", note="With the repaired good parts it holds as an inequality.",
    ),
    stated(
        "thm10.kstar", "Theorem 10, proof item 3", "At most k* picks in all", r"\sum_i |y^{(i)}| \le k^*",
        FiniteStatement(
            stream_cases, Instances(printed_entries), SIZES, "k*", every=_ENTRIES, proof=Steps(factor=zero),
        ),
        domain=(K_STAR,),
    ),
    refuted(
        "thm10.mixture", "Theorem 10, proof, last display", "A mixture with weight delta for the whole stream",
        r"P = (1-\delta)P' + \delta P'',\ P'' \ge 0", all_bottom_remainder >= 0, reconstruction=True,
        by="thm10.mixture.corrected", domain=(replace(ELL_STAR, upper=100), DELTA_LINEAR),
        note="All-new queries: P''(bot, bot) = -0.7355 at l* = 2, delta = .1.",
    ),
    stated(
        "thm10.mixture.corrected", "Theorem 10, proof, last display", "A mixture with weight l* delta",
        r"P = (1-\ell^*\delta)P' + \ell^*\delta P'',\ P'' \ge 0",
        (_all_bottom - (1 - stream_delta)) / stream_delta >= 0,
        proof=product_of(1 / stream_delta, _REMAINDER), reconstruction=True,
        domain=Box(
            (replace(ELL_STAR, upper=100), DELTA_LINEAR), lambda l_star, delta: l_star * delta < 1,
            "l_star * delta < 1",
        ),
    ),
    refuted(
        "thm10.params", "Theorem 10", "beta = Delta_inf/epsilon with the T of Theorem 9",
        r"\beta = \Delta_\infty/\varepsilon,\ T = 1 + \log(\bar k/\delta)/\varepsilon",
        crossing_with_literal_scale <= delta, by="thm10.params.corrected", domain=_FEW_ITEMS,
        note="Consistent only for Delta_inf = 1; and one T for all queries needs the largest k_bar^(i).",
    ),
    stated(
        "thm10.params.corrected", "Theorem 10", "T scaled with Delta_inf",
        r"\beta = \Delta_\infty/\varepsilon,\ T = \Delta_\infty(1 + \log(\bar k/\delta)/\varepsilon)",
        _odds_scaled / (1 + _odds_scaled) <= delta, proof=Sign(), domain=_FEW_ITEMS,
    ),
)  # fmt: skip
