"""The noise ignores how much a user adds to one count: sigma is not scaled by Delta_inf."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.mechanism import Fault
from mechanisms.pair import Pair
from mechanisms.unknown_domain.histogram import gaussian as correct
from mechanisms.unknown_domain.histogram.release import UnknownDomainHistogram
from mechanisms.unknown_domain.pairs import gaussian_shift, users
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> UnknownDomainHistogram:
    """Algorithm 1 with noise for changes of one."""
    mechanism = correct.build(delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)
    return replace(mechanism, scale=mechanism.scale / float(delta_inf))


_PARAMETERS: Parameters = {"delta_0": 1, "delta_inf": 2, "sigma": 2, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_unit_noise",
    title="noise for changes of one",
    mechanism="unknown_domain_gaussian",
    violates="rogers2024.thm7.gaussian.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "a1.high",
        {"a": 102},
        {"a": 100},
        "a shared count moves by two standard deviations",
        users(_PARAMETERS),
        partial(gaussian_shift, squared=4),
    ),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="A shared count moves by Delta_inf standard deviations instead of one.",
)
