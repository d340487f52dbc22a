"""Algorithm 4 keeps the threshold of a query with k_bar = 1 for queries with more items."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.gumbel import mechanism as unknown_domain_gumbel
from mechanisms.unknown_domain.pairs import labels, one_sided, users
from mechanisms.unknown_domain.pay_what_you_get import mechanism as correct
from mechanisms.unknown_domain.release import encode
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, l_star: Exact, k_star: Exact, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> correct.PayWhatYouGet:
    """Algorithm 4 with the T of k_bar = 1."""
    mechanism = correct.build(l_star=l_star, k_star=k_star, k_bar=k_bar, k=k, beta=beta, delta=delta)
    low = unknown_domain_gumbel.build(k_bar=1, k=1, beta=beta, delta=delta)
    return replace(mechanism, query=replace(mechanism.query, threshold=low.threshold))


def new_mass(A: Any) -> Any:
    """Ninety new items at the threshold of one: 90 delta/(1 + 90 delta)."""
    return A.number(90) / 1000 / (1 + A.number(90) / 1000)


_PARAMETERS: Parameters = {"l_star": 1, "k_star": 1, "k_bar": 90, "k": 1, "beta": 1, "delta": "1/1000"}

FAULT = Fault(
    id="unknown_domain_pay_threshold_of_first_query",
    title="threshold of a smaller query",
    mechanism="unknown_domain_pay_what_you_get",
    violates="rogers2024.thm10.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "d1",
        encode([dict.fromkeys(labels(90), 1)]),
        {},
        "ninety new items",
        users({}),
        partial(one_sided, mass=new_mass),
    ),
    direction=Direction.FORWARD,
    epsilon=3,
    explanation="T must be that of the largest k_bar: ninety new items share the failure probability of one.",
)
