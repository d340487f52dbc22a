"""Mechanisms held to other neighbours, or with another law, than their own; faults held to the delta they state."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats

from auditor.checks.promise import promised_delta
from auditor.engine.registry import registry
from mechanisms.mechanism import Mechanism
from mechanisms.pair import ExactLaw
from proofs_numeric.arithmetic import Float64
from proofs_numeric.statements.neighbours import Direction, Neighbours, Privacy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mechanisms.mechanism import Fault, MechanismSpec
    from mechanisms.pair import Pair


def with_pairs(spec: MechanismSpec, pairs: Sequence[Pair], **rest: Any) -> MechanismSpec:
    """Return the mechanism with these pairs and their laws, whatever its parameters are."""
    laws = {pair.id: ExactLaw(pair.profile, pair.loss) for pair in pairs}
    results = tuple(Neighbours(pair.id, pair.left, pair.right, pair.description) for pair in pairs)
    privacy = Privacy(spec.privacy.adjacency, lambda _parameters: results)
    return replace(spec, privacy=privacy, law=lambda neighbours, _parameters: laws[neighbours.id], **rest)


def shows_its_delta(fault: Fault, event: Callable[..., Any], *, impossible: bool, n: int = 200_000) -> None:
    """Assert that P - e^epsilon Q of an event in releases brackets a fault's exact delta and exceeds its claim.

    Args:
        fault: with its pair and direction.
        event: which of the releases (keys, values, fault) show it; its best one.
        impossible: whether the other side never shows it.
        n: releases per dataset; each end of an interval is wrong with probability 2.5e-12.
    """
    mechanism = fault.build(**fault.parameters)
    assert isinstance(mechanism, Mechanism)
    sides = [fault.pair.left, fault.pair.right]
    if fault.direction is Direction.BACKWARD:
        sides.reverse()
    counts = []
    for seed, histogram in enumerate(sides):
        before = dict(histogram)
        keys, values = mechanism.release_many(histogram, n, np.random.default_rng([23, seed]))
        assert histogram == before
        assert values.shape == (n, len(keys))
        counts.append(int(np.sum(event(keys, values, fault))))
    (p_low, p_high), (q_low, q_high) = (ends(count, n) for count in counts)
    if impossible:
        assert counts[1] == 0
        q_low = q_high = 0.0
    factor, epsilon = math.exp(Fraction(fault.epsilon)), Fraction(fault.epsilon)
    exact = float(fault.exact_delta(Float64(), np.float64(epsilon)))
    assert p_low - factor * q_high <= exact * (1 + 1e-9)
    assert exact <= p_high - factor * q_low + 1e-3 * exact  # values are rounded to a grid
    claimed = promised_delta(registry().claim(fault.violates), fault.parameters, epsilon)
    assert p_low - factor * q_high > float(claimed.upper)


def ends(hits: int, n: int, level: float = 2.5e-12) -> tuple[float, float]:
    """Return the Clopper-Pearson interval of a probability; each end is wrong with probability `level`."""
    low = stats.beta.ppf(level, hits, n - hits + 1) if hits else 0.0
    return low, stats.beta.isf(level, hits + 1, n - hits) if hits < n else 1.0
