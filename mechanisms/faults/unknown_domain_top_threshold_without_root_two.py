"""Algorithm 2 with a threshold for one noise: T = Delta_inf + sigma z(delta/Delta_0)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import labels, one_sided, users
from mechanisms.unknown_domain.top import mechanism as correct
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.top_counts import mass_above_noisy_threshold
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> correct.UnknownDomainTop:
    """Algorithm 2 without the sqrt(2) of two noises; bottoms are not printed."""
    mechanism = correct.build(k_bar=k_bar, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)
    lead = (mechanism.threshold - float(delta_inf)) / 2**0.5
    return replace(mechanism, threshold=float(delta_inf) + lead, padding=False)


def new_mass(A: Any) -> Any:
    """Three items against one noisy threshold that leads by z sigma only."""
    return mass_above_noisy_threshold(A, items=3, margin=normal_quantile_complement(A, A.number(1) / 60))


_PARAMETERS: Parameters = {"k_bar": 3, "delta_0": 3, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_top_threshold_without_root_two",
    title="threshold for one noise",
    mechanism="unknown_domain_top",
    violates="rogers2024.thm8.profile",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "b1'",
        dict.fromkeys(labels(3), 1),
        {},
        "only new items",
        users(_PARAMETERS),
        partial(one_sided, mass=new_mass),
    ),
    direction=Direction.FORWARD,
    epsilon=5,
    explanation="The threshold is noisy too: the difference of two noises has standard deviation sqrt(2) sigma.",
)
