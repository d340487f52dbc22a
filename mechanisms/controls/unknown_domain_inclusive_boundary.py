"""Algorithm 1 releases a noisy count that equals T: probability zero for continuous noise."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mechanisms.mechanism import Boundary, Control
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainHistogram:
    """Algorithm 1 with >= in place of >."""
    return replace(
        correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta), boundary=Boundary.INCLUSIVE
    )


_PARAMETERS: Parameters = {"delta_0": 3, "delta_inf": 1, "sigma": 2, "delta": "1/20"}

CONTROL = Control(
    id="unknown_domain_inclusive_boundary",
    title=">= in place of >",
    mechanism="unknown_domain_gaussian",
    satisfies="rogers2024.thm7.gaussian.profile",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pairs(_PARAMETERS)[0],
    epsilon=3,
    proof=(
        "The decision is taken on the unrounded noisy count, which equals T with probability zero: the two "
        "mechanisms have the same law in the real-number model. With discrete noise the same change would "
        "raise the new-item mass."
    ),
)
