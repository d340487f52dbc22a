"""Algorithm 3 with noise for scores that move one way taken for scores of both: beta/2."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mechanisms.mechanism import Fault
from mechanisms.unknown_domain.gumbel import mechanism as correct
from mechanisms.unknown_domain.pairs import labels
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> correct.UnknownDomainGumbel:
    """Algorithm 3 with half the noise: the range of the scores is taken for twice what it is."""
    mechanism = correct.build(k_bar=k_bar, k=k, beta=beta, delta=delta)
    return replace(mechanism, scale=mechanism.scale / 2)


_PARAMETERS: Parameters = {"k_bar": 10, "k": 1, "beta": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_gumbel_half_noise",
    title="half the noise",
    mechanism="unknown_domain_gumbel",
    violates="rogers2024.thm9.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.peeled_pair(
        _PARAMETERS,
        "c2",
        dict.fromkeys(labels(10), 50) | {"k00": 51},
        dict.fromkeys(labels(10), 50),
        "one of ten high counts moves",
        beta="1/2",
    ),
    direction=Direction.FORWARD,
    epsilon=1,
    explanation="Every pick costs four times the promised rho.",
)
