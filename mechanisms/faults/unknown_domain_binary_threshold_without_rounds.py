"""The binary mechanism's threshold forgets the union over rounds: z(delta/Delta_0)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.unknown_domain.binary import mechanism as correct
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.special import normal_quantile_complement
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> correct.UnknownDomainBinary:
    """T for one round."""
    mechanism = correct.build(L=L, delta_0=delta_0, sigma=sigma, delta=delta)
    lead = (mechanism.threshold - 1) * _one_round() / _all_rounds(int(L))
    return replace(mechanism, threshold=1 + lead)


def _one_round() -> float:
    return float(normal_quantile_complement(Float64(), 0.05))


def _all_rounds(rounds: int) -> float:
    return float(normal_quantile_complement(Float64(), 0.05 / rounds))


def low_threshold(A: Any, **_parameters: Any) -> Any:
    """1 + sigma sqrt(2) z(delta) at L = 3, sigma = 4."""
    return 1 + 4 * A.sqrt(2) * normal_quantile_complement(A, A.number(1) / 20)


_PARAMETERS: Parameters = {"L": 3, "delta_0": 1, "sigma": 4, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_binary_threshold_without_rounds",
    title="threshold for one round",
    mechanism="unknown_domain_binary",
    violates="rogers2024.thm11.profile",
    caught_by="numeric.pair_profile",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pair_u1(_PARAMETERS, at=low_threshold),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="A new item has a chance to pass in each of L rounds.",
)
