"""Algorithm 3 with T = beta log(k_bar/delta), the new item's count left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from mechanisms.mechanism import Fault
from mechanisms.unknown_domain.gumbel import mechanism as correct
from mechanisms.unknown_domain.pairs import labels
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact, Parameters


def build(*, k_bar: Exact, k: Exact, beta: Exact, delta: Exact) -> correct.UnknownDomainGumbel:
    """Algorithm 3 with T too low by one; bottom is not printed."""
    mechanism = correct.build(k_bar=k_bar, k=k, beta=beta, delta=delta)
    return replace(mechanism, threshold=mechanism.threshold - 1, bottom=False)


def low_threshold(A: Any) -> Any:
    """T less one."""
    return correct.threshold(A, k_bar=3, beta=1, delta="1/20") - 1


_PARAMETERS: Parameters = {"k_bar": 3, "k": 1, "beta": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_gumbel_threshold_without_one",
    title="threshold without the count of a new item",
    mechanism="unknown_domain_gumbel",
    violates="rogers2024.thm9.profile",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=correct.peeled_pair(
        _PARAMETERS, "c1", dict.fromkeys(labels(3), 1), {}, "k_bar new items", threshold=low_threshold
    ),
    direction=Direction.FORWARD,
    epsilon=5,
    explanation="New items have count 1: their mass is e^epsilon delta/(1 + e^epsilon delta).",
)
