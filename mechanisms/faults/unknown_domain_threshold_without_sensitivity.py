"""The threshold leaves out Delta_inf: T = sigma z(delta/Delta_0)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import labels, one_sided, users
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.laws import above_any, gaussian_tail
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainHistogram:
    """Algorithm 1 with T too low by Delta_inf."""
    mechanism = correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)
    return replace(mechanism, threshold=mechanism.threshold - float(delta_inf))


def new_mass(A: Any) -> Any:
    """Three items pass with probability Phi(1 - z) each."""
    return above_any(A, 3, gaussian_tail(A, normal_quantile_complement(A, A.number(1) / 60) - 1))


_PARAMETERS: Parameters = {"delta_0": 3, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_threshold_without_sensitivity",
    title="threshold without the count of a new item",
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
    explanation=(
        "A new item has count Delta_inf, not 0: it passes with probability Phi(epsilon - z) instead of delta/Delta_0."
    ),
)
