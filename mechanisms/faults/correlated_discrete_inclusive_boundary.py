"""The discrete mechanism releases a count equal to its threshold: ">=" where Theorem 21 has ">"."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from mechanisms.correlated_stability_histogram.pairs import counters
from mechanisms.discrete_correlated import mechanism as correct
from mechanisms.mechanism import Boundary, Fault
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Exact


def build(*, k: Exact, sigma: Exact, gap: Exact) -> correct.DiscreteCorrelated:
    """Theorem 21's mechanism with the other comparison."""
    return replace(correct.build(k=k, sigma=sigma, gap=gap), boundary=Boundary.INCLUSIVE)


_PARAMETERS: dict[str, int | Fraction] = {"k": 1, "sigma": Fraction(3, 10), "gap": 1}

FAULT = Fault(
    id="correlated_discrete_inclusive_boundary",
    title="a count equal to the threshold is released",
    mechanism="discrete_correlated",
    violates="lebeda2025.thm21",
    caught_by="empirical.impossible_key",
    build=build,
    parameters=_PARAMETERS,
    pair=counters(
        "n1",
        "the only counter is new",
        _PARAMETERS,
        new=1,
        shared=(),
        changed=0,
        # On half-integers ">= 1 + gap" is "> 1 + gap - 1/2".
        profile=partial(correct.all_new_profile, k=1, sigma=Fraction(3, 10), gap=Fraction(1, 2)),
    ),
    direction=Direction.FORWARD,
    epsilon=20,
    explanation="On a grid the threshold itself has mass: a new counter passes as if tau were half a step smaller.",
)
