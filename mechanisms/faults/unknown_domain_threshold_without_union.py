"""The threshold is set for one new item: T = Delta_inf + sigma z(delta)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import labels, one_sided, users
from proofs_numeric.rogers2024.laws import above_any
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainHistogram:
    """Algorithm 1 with the T of Delta_0 = 1."""
    del delta_0
    return correct.build(delta_0=1, delta_inf=delta_inf, sigma=sigma, delta=delta)


def new_mass(A: Any) -> Any:
    """Three items pass with probability delta each."""
    return above_any(A, 3, A.number(1) / 20)


_PARAMETERS: Parameters = {"delta_0": 3, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_threshold_without_union",
    title="threshold for one new item",
    mechanism="unknown_domain_gaussian",
    violates="rogers2024.thm7.gaussian.profile",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "a1.new",
        dict.fromkeys(labels(3), 1),
        {},
        "new items of the largest count a new item can have",
        users(_PARAMETERS),
        partial(one_sided, mass=new_mass),
    ),
    direction=Direction.FORWARD,
    epsilon=5,
    explanation="Delta_0 new items pass with probability 1 - (1 - delta)^Delta_0.",
)
