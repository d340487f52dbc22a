"""False alarms of audits through the public API, of right mechanisms that tempt a test: at most alpha of them.

`AUDITOR_NULLS` says how many audits of each group of nulls, 2,000 otherwise. Each has alpha .05, a seed that nothing
else uses, and a fixed number of releases; the number of alarms is held to what chance makes once in 1e9. Audits of many
keys search for pairs, and take some 5 CPU seconds each.
"""

import os
from collections import Counter

import pytest
from scipy.stats import binom
from tests.auditor.target.test_watching import RIGHT

from auditor.mechanism_audit.draws.explored import explore
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.statistics.seeds import block_generator
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Neighbours
from tests.known_violations.nulls import ALPHA, MANY_KEYS, NULLS, alarms, audits


@pytest.mark.parametrize("nulls", [NULLS, MANY_KEYS], ids=["all tests", "many keys"])
def test_right_mechanisms_are_refuted_at_most_as_often_as_alpha_says(nulls, benchmark) -> None:
    """All together, and each null for itself."""
    wanted = int(os.environ.get("AUDITOR_NULLS", "2000"))
    asked = next(found for n in range(1, wanted + 1) if len(found := audits(nulls, range(n))) >= wanted)
    found: Counter[str] = benchmark.pedantic(alarms, args=(asked,), rounds=1, iterations=1)
    drawn = Counter(name for name, _ in asked)
    benchmark.extra_info.update(audits=drawn.total(), alarms=found.total(), by_null=dict(found))
    assert found.total() <= binom.isf(1e-9, drawn.total(), ALPHA)
    assert all(found[name] <= binom.isf(1e-9 / len(drawn), drawn[name], ALPHA) for name in drawn)


def test_explorations_of_right_mechanisms_suspect_little(benchmark) -> None:
    """What is rare of thresholds as users write them, each on its own pair and stream: suspicions and complaints.

    `AUDITOR_EXPLORATIONS` says how many, 500 otherwise. An exploration never refutes; its false suspicions have no
    level of confidence, and are held to one in a hundred.
    """
    wanted = int(os.environ.get("AUDITOR_EXPLORATIONS", "500"))

    def look() -> Counter[str]:
        found: Counter[str] = Counter()
        for seed in range(wanted):
            name = [*RIGHT][seed % len(RIGHT)]
            rng = block_generator(seed, "explored nulls")
            count, other = int(rng.integers(1, 60)), int(rng.integers(1, 60))
            left = {"k0": count, "k1": other} if seed % 3 else {"k1": other}
            pair = Neighbours("null", {"k0": count + 1 if seed % 3 else 1, "k1": other}, left)
            with as_target(RIGHT[name], "mechanism") as target:
                told = explore(Sampler(target, Pace(600.0)), (pair,), Level(1.0, 1e-6), 3e-6, seed, 300.0)
            found["suspicions"] += bool(told.suspicion)
            found["undecided"] += bool(told.why)
            found["silences"] += told.least < 1
        return found

    found: Counter[str] = benchmark.pedantic(look, rounds=1, iterations=1)
    benchmark.extra_info.update(explorations=wanted, **found)
    assert found.total() == wanted
    assert found["suspicions"] <= binom.isf(1e-9, wanted, 0.01)
    assert found["silences"] > wanted / 2
