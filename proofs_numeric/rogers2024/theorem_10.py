"""Theorem 10: delta, rho and privacy profile of Algorithm 4."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

from proofs_numeric.arithmetic import Arithmetic, Ball, Number
from proofs_numeric.rogers2024.conversion import converted
from proofs_numeric.rogers2024.enumeration import Items
from proofs_numeric.rogers2024.neighbours import PAY_WHAT_YOU_GET
from proofs_numeric.rogers2024.parameters import ANY_EPSILON, BETA, DELTA, DELTA_LINEAR, EPSILON, LEVEL, ours, printed
from proofs_numeric.rogers2024.peeling import gumbel_law, pay_what_you_get, stream_decomposition, stream_law
from proofs_numeric.rogers2024.theorem_5 import ORDERS
from proofs_numeric.rogers2024.theorem_9.any_size import RACE, width_of_race
from proofs_numeric.rogers2024.theorem_9.proof import peeling_on_common
from proofs_numeric.rogers2024.theorem_9.statement import BASES, PICKS, inverse_scale, picks_from_many, picks_rho
from proofs_numeric.rogers2024.thresholds import gumbel_threshold
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.concentrated import approximate_delta_upper
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import DeltaBound, FiniteStatement, Inequality, Recurrence
from proofs_numeric.statements.profiles import Promised
from proofs_numeric.statements.races import Conditioning, Lists
from proofs_numeric.statements.tactics import (
    ByClaim,
    Derivative,
    Increasing,
    Induction,
    Part,
    Product,
    Rewrite,
    Sign,
    Steps,
    Through,
)
from proofs_numeric.statements.verdict import Expectation

ELL_STAR = Parameter(
    "l_star", "number of top-k queries", "queries", lower=1, upper=10**6, integer=True, log=True, default=1
)


K_STAR = Parameter(
    "k_star",
    "entries that may be printed in all, bottom included",
    "entries",
    lower=1,
    upper=10**6,
    integer=True,
    log=True,
    default=1,
)


def stream_delta(A: Arithmetic, *, l_star: Number, k_star: Number, delta: Number) -> Number:
    """``l* delta`` (Theorem 10)."""
    return l_star * A.number(delta)


def calls_times_delta(A: Arithmetic, *, l_star: Number, k_star: Number, delta: Number) -> Number:
    """``min(l*, k*) delta``."""
    return A.minimum(A.number(l_star), A.number(k_star)) * A.number(delta)


def stream_new_mass(A: Arithmetic, *, l_star: Number, k_star: Number, delta: Number) -> Number:
    """Exact worst new-item mass ``1 - (1 + delta)^-min(l*, k*)``: every query prints at least one entry."""
    calls = A.minimum(A.number(l_star), A.number(k_star))
    return -A.expm1(-calls * A.log1p(A.number(delta)))


def one_minus_total(A: Arithmetic, *, l_star: Number, delta: Number) -> Number:
    """``1 - l* delta``."""
    return 1 - l_star * A.number(delta)


def product_of_goods(A: Arithmetic, *, l_star: Number, delta: Number) -> Number:
    """``(1 - delta)^l*``."""
    return A.exp(l_star * A.log1p(-A.number(delta)))


def all_bottom_remainder(A: Arithmetic, *, l_star: Number, delta: Number) -> Number:
    """``P''(bot, ..., bot)`` of the printed mixture for all-new queries: ``((1+d)^-l - (1-d)) / d``, a probability."""
    delta = A.number(delta)
    return (A.exp(-l_star * A.log1p(delta)) - (1 - delta)) / delta


def all_bottom_remainder_corrected(A: Arithmetic, *, l_star: Number, delta: Number) -> Number:
    """The same with ``l* delta`` for delta: ``((1+d)^-l - (1 - l d)) / (l d)``."""
    delta = A.number(delta)
    return (A.exp(-l_star * A.log1p(delta)) - (1 - l_star * delta)) / (l_star * delta)


def crossing_with_literal_scale(
    A: Arithmetic, *, delta_inf: Number, k_bar: Number, epsilon: Number, delta: Number
) -> Number:
    """Exact mass of k_bar new items of count Delta_inf at ``beta = Delta_inf/epsilon`` and the T of Theorem 9."""
    lead = (gumbel_threshold(A, k_bar=k_bar, epsilon=epsilon, delta=delta) - delta_inf) * A.number(epsilon) / delta_inf
    odds = k_bar * A.exp(-lead)
    return odds / (1 + odds)


def crossing_with_scaled_threshold(
    A: Arithmetic, *, delta_inf: Number, k_bar: Number, epsilon: Number, delta: Number
) -> Number:
    """The same with ``T = Delta_inf (1 + log(k_bar/delta)/epsilon)``."""
    scaled = delta_inf * gumbel_threshold(A, k_bar=k_bar, epsilon=epsilon, delta=delta)
    odds = k_bar * A.exp(-(scaled - delta_inf) * A.number(epsilon) / delta_inf)
    return odds / (1 + odds)


def target(A: Arithmetic, *, delta: Number, **_parameters: Any) -> Number:
    """``delta``."""
    return A.number(delta)


def stream_rho(A: Arithmetic, *, k_star: Number, epsilon: Number) -> Number:
    """``k* epsilon^2/8``."""
    return picks_rho(A, k=k_star, epsilon=epsilon)


def stream_promise(A: Arithmetic, *, l_star: Number, k_star: Number, beta: Number, delta: Number) -> tuple[Any, Any]:
    """``(min(1, l* delta), k*/(8 beta^2))`` of Theorem 10."""
    return A.minimum(1, l_star * A.number(delta)), picks_rho(A, k=k_star, epsilon=1 / A.number(beta))


def stream_bound(A: Arithmetic, *, epsilon: Number, **parameters: Any) -> Number:
    """Delta that :func:`stream_promise` implies at ``epsilon``; 1 where ``l* delta >= 1``."""
    delta, rho = stream_promise(A, **parameters)
    return approximate_delta_upper(A, rho=rho, delta=delta, epsilon=epsilon)


def stream_worst_known(
    A: Arithmetic, *, epsilon: Number, l_star: Number, k_star: int, beta: Number, delta: Number
) -> Number:
    """The worse of the exact profile of the all-new stream (D1) and k* picks of one query from high counts."""
    new = stream_new_mass(A, l_star=l_star, k_star=k_star, delta=delta)
    return A.maximum(new, picks_from_many(A, epsilon=epsilon, k=k_star, beta=beta))


def _delta_of_lists(A: Arithmetic, *, l_star: Number, delta: Number, **_rest: Number) -> Any:
    return l_star * A.number(delta)


def _rho_of_lists(A: Arithmetic, *, k_star: Number, epsilon: Number, **_rest: Number) -> Any:
    return stream_rho(A, k_star=k_star, epsilon=epsilon)


def _log_of_calls(A: Arithmetic, *, l_star: Number, delta: Number, **_rest: Number) -> Any:
    """``-l* log(1 + delta)``: the log of the probability that no call misses its event."""
    return -l_star * A.log1p(A.number(delta))


def _log_of_goods(A: Arithmetic, *, l_star: Number, delta: Number, **_rest: Number) -> Any:
    return l_star * A.log1p(-A.number(delta))


_ALL_CALLS = Through(
    lambda A, *, l_star, delta, **_rest: product_of_goods(A, l_star=l_star, delta=delta),
    ByClaim("rogers2024.thm10.union"),
    Increasing("exp", _log_of_goods, _log_of_calls, Derivative("delta", "lower")),
)
"""``1 - l* delta <= (1 - delta)^l* <= (1 + delta)^-l*``."""


_ENTRIES = Recurrence(
    state=Box((Parameter("rest", "entries that may still be printed", "entries"),)),
    given=Box((Parameter("asked", "that the query prints if it may", "entries", lower=1, integer=True),)),
    start={"rest": lambda A, *, k_star: A.number(k_star)},
    step={"rest": lambda A, *, rest, asked, **_at: rest - A.minimum(A.number(asked), rest)},
    left=lambda A, *, k_star, rest: k_star - A.number(rest),
    right=lambda A, *, k_star, **_rest: A.number(k_star),
)
"""Each query prints at most what is left: what is printed after any number of them."""


StreamCase = tuple[tuple[Items, Items], tuple[Items, Items], int, int, int, Fraction, Fraction]
"""(stream, neighbour stream, k_bar, k, k*, e^epsilon, delta)."""


_ROUND_PAIRS = (
    ((("a", 1), ("b", 1)), (("a", 1),)),
    ((("a", 1), ("b", 1)), ()),
    ((("a", 1), ("b", 3)), (("b", 3),)),
    ((("a", 2), ("b", 1)), (("a", 1), ("b", 1))),
    ((("a", 1),), (("a", 1),)),
)
"""Round pairs: partly new, all new, new below high, a shared count moves, nothing moves."""


def stream_cases(size: int) -> Iterator[StreamCase]:
    """Two-round streams over the round pairs, ``k <= k_bar <= 2``, ``k* <= size``."""
    for first, second in product(_ROUND_PAIRS, repeat=2):
        for k_bar, k, k_star in product((1, 2), (1, 2), range(1, size + 1)):
            if k <= k_bar:
                for base in BASES[1:]:
                    yield (first[0], second[0]), (first[1], second[1]), k_bar, k, k_star, base, Fraction(1, 10)


def _settings(case: StreamCase) -> dict[str, Any]:
    _left, _right, k_bar, k, k_star, base, delta = case
    return {"k_bar": k_bar, "k": k, "k_star": k_star, "base": base, "delta": delta}


def stream_certificate_holds(case: StreamCase) -> bool:
    """Repair 3.1 applied round by round: a decomposition with mass ``(1-delta)^l*`` and ``k* epsilon^2/8``."""
    decomposition = stream_decomposition(case[0], case[1], **_settings(case))
    ball = Ball(128)
    with ball:
        rho = stream_rho(ball, k_star=case[4], epsilon=ball.log(ball.number(case[5])))
    return decomposition.certifies(1 - (1 - case[6]) ** len(case[0]), rho, (1, 2, 8))


def printed_product_holds(case: StreamCase) -> bool:
    """``P(y) = prod_i Pr[E_i] P'_i(y_i)`` on common outcomes with the printed P'_i (peeling over common items)."""
    left, right, k_bar, k, k_star, base, delta = case
    law = stream_law(left, **_settings(case))

    def good_round(i: int, k_i: int) -> dict[tuple[str, ...], Fraction]:
        single = (left[i], right[i], k_bar, k_i, base, delta)
        good = peeling_on_common(left[i], right[i], single)
        own = gumbel_law(left[i], k_bar=k_bar, k=k_i, base=base, delta=delta)
        mass = sum((own[y] for y in good), Fraction(0))
        return {y: mass * p for y, p in good.items()}

    return all(law[y] == p for y, p in pay_what_you_get(good_round, len(left), k_star, k).items())


def entries_are_capped(case: StreamCase) -> bool:
    """At most k* entries, bottom included, and at least one a query until they are used up; the law has mass 1."""
    left, _right, _k_bar, _k, k_star, _base, _delta = case
    law = stream_law(left, **_settings(case))
    counts = [[len(entries) for entries in lists] for lists in law]
    return (
        sum(law.values()) == 1
        and all(sum(c) <= k_star and min(c) >= 1 for c in counts)
        and all(len(c) == len(left) or sum(c) == k_star for c in counts)
    )


def all_new_streams(size: int) -> Iterator[tuple[int, int, int]]:
    """(l*, k*, k_bar) of streams whose every query holds k_bar new items."""
    return product(range(1, size + 1), range(1, size + 1), (1, 2))


def all_new_mass_is_exact(case: tuple[int, int, int]) -> bool:
    """The mass of anything but bottoms is ``1 - (1 + delta)^-min(l*, k*)``."""
    l_star, k_star, k_bar = case
    delta, base = Fraction(1, 20), Fraction(3, 2)
    items: Items = tuple((label, 1) for label in "ab"[:k_bar])
    law = stream_law((items,) * l_star, k_bar=k_bar, k=k_bar, k_star=k_star, base=base, delta=delta)
    quiet = sum((p for lists, p in law.items() if all(entries == ("⊥",) for entries in lists)), Fraction(0))
    return quiet == (1 + delta) ** -min(l_star, k_star)


def _promised_delta(A: Arithmetic, *, epsilon: Number, **at: Any) -> Any:
    return stream_promise(A, **at)[0]


_PROFILE = Box((LEVEL, ELL_STAR, K_STAR, BETA, DELTA))
_STREAMS = Lists(
    RACE, Box((ORDERS["alpha"], ELL_STAR, K_STAR)), "k_star", delta=_delta_of_lists, rho=_rho_of_lists, calls="l_star"
)
SIZES = {"quick": 2, "standard": 3, "deep": 4}


CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="rogers2024.thm10.delta",
        source=printed("Theorem 10"),
        title="Pay-what-you-get: total delta l* delta",
        statement=r"1 - (1+\delta)^{-\min(\ell^*, k^*)} \le \ell^*\delta",
        kind=DeltaBound(
            stream_delta, exact=stream_new_mass, proof=Through(calls_times_delta, ByClaim("rogers2024.sharp.pay"))
        ),
        domain=Box((ELL_STAR, K_STAR, DELTA)),
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=PAY_WHAT_YOU_GET,
        loose="min(l*, k*) delta suffices (rogers2024.sharp.pay)",
    ),
    Claim(
        id="rogers2024.thm10.new_item_mass",
        source=ours("Theorem 10"),
        title="Exact worst mass of new items over a stream",
        statement=r"1 - (1+\delta)^{-\min(\ell^*, k^*)}",
        kind=FiniteStatement(all_new_streams, all_new_mass_is_exact, {"quick": 3, "standard": 4, "deep": 6}, "l*, k*"),
        domain=Box((ELL_STAR, K_STAR, DELTA)),
        quantity=QuantityKind.PROBABILITY,
        evaluates=stream_new_mass,
    ),
    Claim(
        id="rogers2024.thm10.rho",
        source=printed("Theorem 10"),
        title="Algorithm 4 is l* delta-approximate k* epsilon^2/8-CDP",
        statement=r"P \ge (1-\delta)^{\ell^*}P',\ Q \ge (1-\delta)^{\ell^*}Q',\ "
        r"D_\alpha(P'\|Q'), D_\alpha(Q'\|P') \le \alpha k^*\varepsilon^2/8",
        kind=FiniteStatement(
            stream_cases,
            stream_certificate_holds,
            SIZES,
            "k*",
            every=_STREAMS,
            proof=Conditioning(
                width=width_of_race,
                given=ByClaim("rogers2024.repair.race"),
                range=ByClaim("rogers2024.thm9.range"),
                likely=_ALL_CALLS,
                picks=ByClaim("rogers2024.thm9.picks", {"k": lambda _A, *, k_star, **_rest: k_star}),
            ),
        ),
        domain=Box((K_STAR, ANY_EPSILON)),
        quantity=QuantityKind.RHO,
        role=Role.UPPER,
        privacy=PAY_WHAT_YOU_GET,
        evaluates=stream_rho,
        note="The repaired decomposition round by round; two-round streams over five kinds of round.",
    ),
    Claim(
        id="rogers2024.thm10.profile",
        source=ours("Theorem 10 and its best conversion"),
        title="Privacy profile that Theorem 10 promises",
        statement=(
            r"\delta(\varepsilon) \le d + (1-d) B_\rho(\varepsilon),\ d = \min(1, \ell^*\delta),\ \rho = "
            r"k^*/(8\beta^2)"
        ),
        kind=DeltaBound(
            stream_bound,
            exact=stream_worst_known,
            pairs=Promised(_STREAMS, {"epsilon": inverse_scale}),
            proof=converted(
                ByClaim("rogers2024.thm10.rho"), stream_promise, _PROFILE, most=_promised_delta, within=Sign()
            ),
        ),
        domain=_PROFILE,
        quantity=QuantityKind.DELTA,
        role=Role.UPPER,
        privacy=PAY_WHAT_YOU_GET,
        points=tuple({**{n: v for n, v in p.items() if n != "k"}, "k_star": p["k"], "l_star": 1} for p in PICKS),
        promise=stream_promise,
    ),
    Claim(
        id="rogers2024.thm10.union",
        source=printed("Theorem 10, proof item 1"),
        title="Union bound over queries",
        statement=r"(1-\delta)^{\ell^*} \ge 1 - \ell^*\delta",
        kind=Inequality(
            one_minus_total,
            product_of_goods,
            proof=Induction("l_star", factor=lambda A, *, delta, **_rest: 1 - A.number(delta)),
        ),
        domain=Box((ELL_STAR, DELTA)),
        quantity=QuantityKind.PROBABILITY,
    ),
    Claim(
        id="rogers2024.thm10.product",
        source=printed("Theorem 10, proof item 2", reconstruction=True),
        title="The law of a stream is a product of factored rounds",
        statement=r"P(y) = \prod_i \Pr[E^{(i)}] P'^{(i)}(y^{(i)}; y^{(<i)})",
        kind=FiniteStatement(
            stream_cases,
            printed_product_holds,
            SIZES,
            "k*",
            seen=lambda case: dict(
                zip(("streams", "of neighbours", "k_bar", "k", "k*", "e^epsilon", "delta"), case, strict=True)
            ),
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm10.rho",
        note="With the repaired good parts it holds as an inequality.",
    ),
    Claim(
        id="rogers2024.thm10.kstar",
        source=printed("Theorem 10, proof item 3"),
        title="At most k* picks in all",
        statement=r"\sum_i |y^{(i)}| \le k^*",
        kind=FiniteStatement(stream_cases, entries_are_capped, SIZES, "k*", every=_ENTRIES, proof=Steps(factor=zero)),
        domain=Box((K_STAR,)),
    ),
    Claim(
        id="rogers2024.thm10.mixture",
        source=printed("Theorem 10, proof, last display", reconstruction=True),
        title="A mixture with weight delta for the whole stream",
        statement=r"P = (1-\delta)P' + \delta P'',\ P'' \ge 0",
        kind=Inequality(zero, all_bottom_remainder),
        domain=Box((replace(ELL_STAR, upper=100), DELTA_LINEAR)),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm10.mixture.corrected",
        note="All-new queries: P''(bot, bot) = -0.7355 at l* = 2, delta = .1.",
    ),
    Claim(
        id="rogers2024.thm10.mixture.corrected",
        source=printed("Theorem 10, proof, last display", reconstruction=True),
        title="A mixture with weight l* delta",
        statement=r"P = (1-\ell^*\delta)P' + \ell^*\delta P'',\ P'' \ge 0",
        kind=Inequality(
            zero,
            all_bottom_remainder_corrected,
            proof=Product(
                (
                    Part(lambda A, *, l_star, delta: 1 / (l_star * delta)),
                    Part(
                        lambda A, *, l_star, delta: A.exp(-l_star * A.log1p(A.number(delta))) - 1 + l_star * delta,
                        Derivative(
                            "delta",
                            "lower",
                            Rewrite(
                                Sign(),
                                right=lambda A, *, l_star, delta: (
                                    l_star * (1 - A.exp(-(l_star + 1) * A.log1p(A.number(delta))))
                                ),
                            ),
                        ),
                    ),
                )
            ),
        ),
        domain=Box(
            (replace(ELL_STAR, upper=100), DELTA_LINEAR), lambda l_star, delta: l_star * delta < 1, "l_star * delta < 1"
        ),
    ),
    Claim(
        id="rogers2024.thm10.params",
        source=printed("Theorem 10"),
        title="beta = Delta_inf/epsilon with the T of Theorem 9",
        statement=r"\beta = \Delta_\infty/\varepsilon,\ T = 1 + \log(\bar k/\delta)/\varepsilon",
        kind=Inequality(crossing_with_literal_scale, target),
        domain=Box(
            (
                Parameter("delta_inf", "most by which one count changes", "counts", lower=1, upper=100, integer=True),
                Parameter("k_bar", "items of a query", "items", lower=1, upper=100, integer=True),
                EPSILON,
                DELTA,
            )
        ),
        expected=Expectation.REFUTED,
        corrected_by="rogers2024.thm10.params.corrected",
        note="Consistent only for Delta_inf = 1; and one T for all queries needs the largest k_bar^(i).",
    ),
    Claim(
        id="rogers2024.thm10.params.corrected",
        source=printed("Theorem 10"),
        title="T scaled with Delta_inf",
        statement=r"\beta = \Delta_\infty/\varepsilon,\ T = \Delta_\infty(1 + \log(\bar k/\delta)/\varepsilon)",
        kind=Inequality(crossing_with_scaled_threshold, target, proof=Sign()),
        domain=Box(
            (
                Parameter("delta_inf", "most by which one count changes", "counts", lower=1, upper=100, integer=True),
                Parameter("k_bar", "items of a query", "items", lower=1, upper=100, integer=True),
                EPSILON,
                DELTA,
            )
        ),
    ),
)
