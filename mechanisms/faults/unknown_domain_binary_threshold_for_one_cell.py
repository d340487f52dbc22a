"""The binary mechanism's threshold takes one noise for the sum of several: sigma instead of sigma sqrt(B)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.unknown_domain.binary import mechanism as correct
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, L: Exact, delta_0: Exact, sigma: Exact, delta: Exact) -> correct.UnknownDomainBinary:
    """T = 1 + sigma z."""
    mechanism = correct.build(L=L, delta_0=delta_0, sigma=sigma, delta=delta)
    return replace(mechanism, threshold=1 + (mechanism.threshold - 1) / int(L).bit_length() ** 0.5)


def low_threshold(A: Any, **parameters: Any) -> Any:
    """1 + (T - 1)/sqrt(2) at L = 3."""
    return 1 + (correct.threshold(A, **parameters) - 1) / A.sqrt(2)


_PARAMETERS: Parameters = {"L": 3, "delta_0": 1, "sigma": 4, "delta": "1/100"}

FAULT = Fault(
    id="unknown_domain_binary_threshold_for_one_cell",
    title="threshold for one cell",
    mechanism="unknown_domain_binary",
    violates="rogers2024.thm11.profile",
    caught_by="empirical.black_box",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.pair_u1(_PARAMETERS, at=low_threshold),
    direction=Direction.FORWARD,
    epsilon=2,
    explanation="A count is the sum of up to ceil(log2(L + 1)) noisy cells.",
)
