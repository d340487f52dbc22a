"""The binary mechanism's threshold leaves out the new item's count of one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.unknown_domain.binary import mechanism as correct
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> correct.UnknownDomainBinary:
    """T less one."""
    mechanism = correct.build(L=L, delta_0=delta_0, sigma=sigma, delta=delta)
    return replace(mechanism, threshold=mechanism.threshold - 1)


def low_threshold(A: Any, **parameters: Any) -> Any:
    """T less one."""
    return correct.threshold(A, **parameters) - 1


_PARAMETERS: Parameters = {"L": 1, "delta_0": 1, "sigma": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_binary_threshold_without_one",
    title="threshold without the count of a new item",
    mechanism="unknown_domain_binary",
    violates="rogers2024.thm11.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pair_u1(_PARAMETERS, at=low_threshold),
    direction=Direction.FORWARD,
    epsilon=4,
    explanation="A new item has count one, not zero.",
)
