"""Algorithm 3 that does not print bottom."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mechanisms.mechanism import Control
from mechanisms.unknown_domain.gumbel import mechanism as correct

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> correct.UnknownDomainGumbel:
    """Algorithm 3 that ends its list in silence."""
    return replace(correct.build(k_bar=k_bar, k=k, beta=beta, delta=delta), bottom=False)


_PARAMETERS: Parameters = {"k_bar": 3, "k": 2, "beta": 1, "delta": "1/20"}

CONTROL = Control(
    id="unknown_domain_gumbel_without_bottom",
    title="bottom is not printed",
    mechanism="unknown_domain_gumbel",
    satisfies="rogers2024.thm9.profile",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pairs(_PARAMETERS)[0],
    epsilon=2,
    proof=(
        "Whether bottom ends the list follows from its length: nothing is lost or added. Inside Algorithm 4 "
        "the same change is a fault, as bottoms must be paid for."
    ),
)
