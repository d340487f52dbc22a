"""Releases a side until known-broken mechanisms are refuted (medians over 20 seeds, alpha = .05), told only the pair.

Each figure is a ratio to what StatDP (at epsilon .7, told its events' form) or a betting process told the event (at .1)
needed, and to what a bet told both laws would need.
"""

from __future__ import annotations

import math
from statistics import median

import pytest

from auditor.black_box.audit import Budget, audit_pairs
from auditor.black_box.pair_audit import histogram_sampler
from proofs_numeric.statements.verdict import Verdict
from tests.known_violations.laws import releases_needed
from tests.known_violations.mechanisms import Known
from tests.known_violations.test_known_violations import BROKEN

PRICE = 1.25
"""Of finding the event where hardly more releases are needed than its search takes."""
FIGURES = [
    ("noisy max with its value", 0.1, 190_572),
    ("noisy max with its value, exponential noise", 0.1, 179_362),
    ("sparse vector without query noise", 0.1, PRICE * 370),
    ("sparse vector without cap", 0.1, 99_535),
    ("noisy max with its value", 0.7, 5_000),
    ("noisy max with its value, exponential noise", 0.7, 1_000),
    ("sparse vector without query noise", 0.7, 1_000),
]


@pytest.mark.parametrize(("name", "claim", "figure"), FIGURES)
def test_releases_needed(name: str, claim: float, figure: float, benchmark) -> None:
    """The median stays below the figure of others, and above the bet that is told both laws."""
    row = BROKEN[name]
    sampler = histogram_sampler(Known(row.release, claim))

    def needed(seed: int) -> float:
        budget = Budget(int(10 * figure), confirmation=0.0)
        result = audit_pairs(sampler, [row.pair], claim, 0.0, alpha=0.05, seed=seed, budget=budget)
        return result.samples if result.verdict is Verdict.REFUTED else math.inf

    used = benchmark.pedantic(lambda: median(needed(seed) for seed in range(20)), rounds=1, iterations=1)
    told = releases_needed(row.laws(claim), claim, 0.05)
    benchmark.extra_info.update(median=used, figure=figure, ratio=used / figure, ratio_to_told=used / told)
    assert told < used <= figure
