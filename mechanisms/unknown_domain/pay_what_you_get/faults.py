"""Faults of Algorithm 4 of rogers2024."""

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mechanisms.laws.events import one_sided
from mechanisms.mechanism import AccountantFault, InDoubles
from mechanisms.unknown_domain.gumbel.mechanism import build as build_query
from mechanisms.unknown_domain.gumbel.mechanism import threshold
from mechanisms.unknown_domain.pay_what_you_get.mechanism import MECHANISM, PayWhatYouGet, build
from mechanisms.unknown_domain.profiles import finite
from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import lift
from proofs_numeric.rogers2024.bounded_range import independent_picks
from proofs_numeric.rogers2024.neighbours import labels
from proofs_numeric.rogers2024.theorem_10 import stream_new_mass
from proofs_numeric.statements.adjacency import encode
from proofs_numeric.statements.neighbours import Neighbours
from proofs_numeric.wilkins2024.composition.budgets import filter_bound


@InDoubles
def fixed_queries(A: Arithmetic, *, epsilon: Number, l_star: int, k_star: int, beta: Number, delta: Number) -> Any:
    """What queries cost that are fixed in advance, by the optimal composition of picks of bounded range."""
    new = stream_new_mass(A, l_star=l_star, k_star=k_star, delta=delta)
    return new + (1 - new) * independent_picks(A, epsilon=epsilon, k=k_star, step=1 / A.number(beta))


@InDoubles
def deviation_alone(A: Arithmetic, *, epsilon: Number, l_star: int, k_star: int, beta: Number, delta: Number) -> Any:
    """Picks within a ledger at ``sqrt(k)/(2 beta)``, the deviation of their loss."""
    loss, mu = min(l_star, k_star) * A.log1p(A.number(delta)), A.sqrt(A.number(k_star)) / (2 * A.number(beta))
    return filter_bound(A, epsilon=epsilon, loss=loss, mu=mu)


class BottomFree(PayWhatYouGet):
    """Algorithm 4 that pays for labels only."""

    def paid(self, ranks: NDArray[np.float64]) -> NDArray[np.int64]:
        """Labels printed, bottom left out."""
        return super().paid(ranks[:, :-1])


def bottoms_before_a_label(A: Arithmetic, *, next_count: int) -> dict[str, Any]:
    """How many bottoms come before the first label, in twenty queries with k* = 1."""
    T = threshold(A, k_bar=1, beta=1, delta="1/10000")
    odds = A.exp(9 - T - next_count)
    quiet = 1 / (1 + odds)
    stops = {str(i): quiet**i * (1 - quiet) for i in range(20)}
    return {**stops, "never": quiet**20}


def build_threshold_of_first_query(*, beta: Value, delta: Value, **rest: Value) -> PayWhatYouGet:
    """Algorithm 4 with the T of k_bar = 1."""
    mechanism = build(beta=beta, delta=delta, **rest)
    low = build_query(k_bar=1, k=1, beta=beta, delta=delta)
    return replace(mechanism, query=replace(mechanism.query, threshold=low.threshold))


class Uncapped(PayWhatYouGet):
    """Algorithm 4 that checks its budget between queries only."""

    def places(self, left: NDArray[np.int64]) -> NDArray[np.int64]:
        """K entries while anything is left."""
        return np.where(left > 0, self.query.k, 0)


def kinds_of_six(A: Arithmetic, *, moved: int) -> dict[str, Any]:
    """Kinds (moved or not) of the six labels printed, of six and six; their own order adds nothing.

    `moved` is 1 where the six counts of the first kind are one higher. Exact up to e^-30: no bottom.
    """
    weight = A.exp(A.number(moved) * 2)
    laws: dict[str, Any] = {"": A.number(1)}
    for _pick in range(6):
        grown = {}
        for kinds, probability in laws.items():
            first, second = 6 - kinds.count("m"), 6 - kinds.count("o")
            total = first * weight + second
            grown[kinds + "m"] = probability * first * weight / total
            grown[kinds + "o"] = probability * second / total
        laws = grown
    return laws


FAULTS = (
    AccountantFault(
        id="pay_what_you_get_fixed_queries_accountant",
        title="the composition of picks fixed in advance, for queries chosen as one goes", mechanism=MECHANISM.id,
        violates="rogers2024.range.pay", accountant=fixed_queries,
        parameters={"epsilon": 0, "l_star": 2, "k_star": 2, "beta": 1, "delta": "1e-6"},
        explanation="Who sees the first label asks next where more, or fewer, of the counts have moved: 5 % more.",
    ),
    AccountantFault(
        id="pay_what_you_get_deviation_alone_accountant",
        title="picks taken for a Gaussian pair with the deviation of their loss", mechanism=MECHANISM.id,
        violates="rogers2024.range.pool", accountant=deviation_alone,
        parameters={"epsilon": 0, "l_star": 2, "k_star": 2, "beta": 1, "delta": "1e-6"},
        explanation="What many picks tend to, few exceed: two tell 0.303 at epsilon = 0, such a pair 0.276.",
    ),
    MECHANISM.broken(
        id="unknown_domain_pay_bottom_free", title="bottoms are free", subclass=BottomFree,
        parameters={"l_star": 20, "k_star": 1, "k_bar": 1, "k": 1, "delta": "1/10000"},
        pair=Neighbours(
            "d.bottoms", encode([{"b": 9, "c": 1}] * 20), encode([{"b": 9}] * 20),
            "only the threshold moves, in twenty queries that mostly print bottom",
        ),
        profile=partial(
            finite, left=partial(bottoms_before_a_label, next_count=1),
            right=partial(bottoms_before_a_label, next_count=0),
        ),
        explanation="Every bottom is a pick of the exponential mechanism: here twenty are had for the price of one.",
    ),
    MECHANISM.broken(
        id="unknown_domain_pay_threshold_of_first_query", title="threshold of a smaller query",
        build=build_threshold_of_first_query,
        parameters={"l_star": 1, "k_star": 1, "k_bar": 90, "k": 1, "delta": "1/1000"},
        pair=Neighbours("d1", encode([dict.fromkeys(labels(90), 1)]), {}, "ninety new items"),
        profile=partial(one_sided, mass=lift(90) / 1000 / (1 + lift(90) / 1000)), epsilon=3,
        explanation="T must be that of the largest k_bar: ninety new items share the failure probability of one.",
    ),
    MECHANISM.broken(
        id="unknown_domain_pay_uncapped_query", title="the last query is not capped", subclass=Uncapped,
        parameters={"l_star": 1, "k_star": 1, "k_bar": 12, "k": 6, "beta": "1/2"}, pair="d2",
        profile=partial(finite, left=partial(kinds_of_six, moved=1), right=partial(kinds_of_six, moved=0)), epsilon=2,
        explanation="Up to k* + k - 1 entries are printed where k* are paid for: six labels instead of one.",
    ),
)  # fmt: skip
