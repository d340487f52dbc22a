"""False alarms of audits through the public API, of right mechanisms that tempt a test: at most alpha of them.

`AUDITOR_NULLS` says how many audits, 2,000 otherwise. Each has alpha .05, a seed that nothing else uses, and a fixed
number of releases, so that no clock decides; the number of alarms is held to what chance makes once in 1e9.
"""

import os
from collections import Counter

from scipy.stats import binom

from tests.known_violations.nulls import ALPHA, alarms, audits


def test_right_mechanisms_are_refuted_at_most_as_often_as_alpha_says(benchmark) -> None:
    """All together, and each null for itself."""
    wanted = int(os.environ.get("AUDITOR_NULLS", "2000"))
    seeds = next(range(n) for n in range(1, wanted + 1) if len(audits(range(n))) >= wanted)
    found: Counter[str] = benchmark.pedantic(alarms, args=(seeds,), rounds=1, iterations=1)
    drawn = Counter(name for name, _ in audits(seeds))
    benchmark.extra_info.update(audits=drawn.total(), alarms=found.total(), by_null=dict(found))
    assert found.total() <= binom.isf(1e-9, drawn.total(), ALPHA)
    assert all(found[name] <= binom.isf(1e-9 / len(drawn), drawn[name], ALPHA) for name in drawn)
