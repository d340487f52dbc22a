"""The threshold's quantile is taken at 1 - q in doubles, where q = delta/Delta_0 is lost."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

from scipy import special

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import one_sided, users
from proofs_numeric.rogers2024.laws import gaussian_tail
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainHistogram:
    """Algorithm 1 with T = Delta_inf + sigma ppf(1 - q)."""
    mechanism = correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)
    quantile = special.ndtri(1 - float(Fraction(delta) / Fraction(delta_0)))
    return replace(mechanism, threshold=float(delta_inf) + mechanism.scale * float(quantile))


def new_mass(A: Any) -> Any:
    """The tail at the quantile that doubles give for 1 - 10^-16."""
    return gaussian_tail(A, A.number(Fraction(float(special.ndtri(1 - 1e-16)))))


_PARAMETERS: Parameters = {"delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1e-16"}

FAULT = Fault(
    id="unknown_domain_quantile_of_complement",
    title="quantile at 1 - q",
    mechanism="unknown_domain_gaussian",
    violates="rogers2024.thm7.gaussian.profile",
    caught_by="numeric.pair_profile",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "a1.new",
        {"a": 1},
        {},
        "one new item",
        users(_PARAMETERS),
        partial(one_sided, mass=new_mass),
    ),
    direction=Direction.FORWARD,
    epsilon=12,
    explanation=(
        "1 - 10^-16 rounds to 1 - 1.11 10^-16: the tail is 1.11 times delta, and below 5 10^-17 the quantile "
        "is infinite."
    ),
)
