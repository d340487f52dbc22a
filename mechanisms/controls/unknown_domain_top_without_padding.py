"""Algorithm 2 without bottoms: a short top stays short, c_(k_bar+1) = 0 is kept."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Control
from mechanisms.pair import Pair
from mechanisms.unknown_domain.pairs import one_sided, users
from mechanisms.unknown_domain.top import mechanism as correct

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, k_bar: Exact, delta_0: Exact, delta_inf: Exact, sigma: Exact, delta: Exact) -> correct.UnknownDomainTop:
    """Algorithm 2 without bottoms."""
    mechanism = correct.build(k_bar=k_bar, delta_0=delta_0, delta_inf=delta_inf, sigma=sigma, delta=delta)
    return replace(mechanism, padding=False)


def new_mass(A: Any) -> Any:
    """One new item passes with probability delta."""
    return A.number(1) / 20


_PARAMETERS: Parameters = {"k_bar": 2, "delta_0": 1, "delta_inf": 1, "sigma": 1, "delta": "1/20"}

CONTROL = Control(
    id="unknown_domain_top_without_padding",
    title="no padding",
    mechanism="unknown_domain_top",
    satisfies="rogers2024.thm8.profile",
    build=build,
    parameters=_PARAMETERS,
    pair=Pair(
        "b1.short",
        {"a": 50, "b": 1},
        {"a": 50},
        "a new item in a short top; the shared one is far above T",
        users(_PARAMETERS),
        partial(one_sided, mass=new_mass),
    ),
    epsilon=3,
    proof=(
        "Dropping the bottoms is a function of the padded release: post-processing. It stays so only while "
        "the missing next count reads as zero."
    ),
)
