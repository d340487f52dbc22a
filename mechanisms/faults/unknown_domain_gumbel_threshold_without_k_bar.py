"""Algorithm 3 with T = 1 + beta log(1/delta)."""

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
    """Algorithm 3 with the T of k_bar = 1; bottom is not printed."""
    low = correct.build(k_bar=1, k=1, beta=beta, delta=delta)
    return replace(correct.build(k_bar=k_bar, k=k, beta=beta, delta=delta), threshold=low.threshold, bottom=False)


def low_threshold(A: Any) -> Any:
    """T of k_bar = 1."""
    return correct.threshold(A, k_bar=1, beta=1, delta="1/20")


_PARAMETERS: Parameters = {"k_bar": 3, "k": 1, "beta": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_gumbel_threshold_without_k_bar",
    title="threshold for one item",
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
    explanation="k_bar new items pass with probability k_bar delta/(1 + k_bar delta).",
)
