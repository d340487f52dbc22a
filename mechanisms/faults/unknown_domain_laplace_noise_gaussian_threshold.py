"""Laplace noise of the Gaussian's scale with the Gaussian's threshold."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.noise import laplace
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import labels, one_sided, users
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.rogers2024.laws import above_any, laplace_tail
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainHistogram:
    """Algorithm 1 with noise and threshold of different laws."""
    return replace(correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta), noise=laplace.sample)


def new_mass(A: Any) -> Any:
    """Three items pass with probability e^-z/2 each."""
    return above_any(A, 3, laplace_tail(A, normal_quantile_complement(A, A.number(1) / 60)))


_PARAMETERS: Parameters = {"delta_0": 3, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_laplace_noise_gaussian_threshold",
    title="Laplace noise with the Gaussian threshold",
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
    explanation="The Laplace tail is heavier: a new item passes with probability e^-z/2 instead of delta/Delta_0.",
)
