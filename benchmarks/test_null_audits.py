"""False alarms of audits through the public API, of right mechanisms that tempt a test: at most alpha of them.

`AUDITOR_NULLS` says how many audits of each group of nulls, 2,000 otherwise. Each has alpha .05, a seed that nothing
else uses, and a fixed number of releases; the number of alarms is held to what chance makes once in 1e9. Audits of many
keys take some 0.8 CPU seconds each, the others 0.2.

`python -m benchmarks.test_null_audits GROUP SECONDS` makes a part: it goes on from the seed at which the last part
ended, for this time, and adds its counts to benchmarks/null_audits.json. Remove the file after a change of a test.
"""

import datetime as dt
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import binom

from auditor.mechanism_audit.draws.explored import explore
from auditor.mechanism_audit.promise import Level
from auditor.mechanism_audit.sampler import Pace, Sampler
from auditor.statistics.seeds import block_generator
from auditor.target.target import as_target
from proofs_numeric.statements.neighbours import Neighbours
from tests.auditor.target.draws.test_watching import RIGHT
from tests.known_violations.nulls import ALPHA, GROUPS, Null, alarms, audits

RECORD = Path(__file__).with_name("null_audits.json")


def check(audits_of: Mapping[str, int], alarms_of: Mapping[str, int]) -> None:
    """Hold the alarms of each null, and of all together, to alpha.

    Args:
        audits_of: audits of each null.
        alarms_of: alarms of each null.
    """
    assert sum(alarms_of.values()) <= binom.isf(1e-9, sum(audits_of.values()), ALPHA)
    assert all(alarms_of.get(name, 0) <= binom.isf(1e-9 / len(audits_of), n, ALPHA) for name, n in audits_of.items())


@pytest.mark.parametrize("nulls", GROUPS.values(), ids=GROUPS)
def test_right_mechanisms_are_refuted_at_most_as_often_as_alpha_says(nulls: Mapping[str, Null], benchmark) -> None:
    """All together, and each null for itself."""
    audit_count = int(os.environ.get("AUDITOR_NULLS", "2000"))
    requests = next(first for n in range(1, audit_count + 1) if len(first := audits(nulls, range(n))) >= audit_count)
    alarms_of: Counter[str] = benchmark.pedantic(alarms, args=(requests,), rounds=1, iterations=1)
    audits_of = Counter(name for name, _ in requests)
    benchmark.extra_info.update(audits=audits_of.total(), alarms=alarms_of.total(), by_null=dict(alarms_of))
    check(audits_of, alarms_of)


def recorded() -> dict[str, Any]:
    """Return the parts made so far: for each group the next seed, the date, and audits and alarms of each null."""
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def test_parts_made_so_far_have_alarms_at_most_as_often_as_alpha_says() -> None:
    """All groups, by the record."""
    for group in recorded().values():
        check(group["audits"], group["alarms"])


def make_part(name: str, seconds: float) -> None:
    """Audit the nulls of a group with the next seeds for this time, and add the counts to the record."""
    until = time.monotonic() + seconds
    group = recorded().get(name, {"next_seed": 0, "audits": {}, "alarms": {}})
    while time.monotonic() < until:
        requests = audits(GROUPS[name], [group["next_seed"]])
        audits_of, alarms_of = Counter(null for null, _seed in requests), alarms(requests)
        group["audits"], group["alarms"] = (
            dict(audits_of + Counter(group["audits"])),
            dict(alarms_of + Counter(group["alarms"])),
        )
        group |= {"next_seed": group["next_seed"] + 1, "date": f"{dt.datetime.now(dt.UTC):%Y-%m-%d}"}
        RECORD.write_text(json.dumps({**recorded(), name: group}, indent=1, sort_keys=True) + "\n")


def test_explorations_of_right_mechanisms_suspect_little(benchmark) -> None:
    """What is rare of thresholds as users write them, each on its own pair and stream: suspicions and complaints.

    `AUDITOR_EXPLORATIONS` says how many, 500 otherwise. An exploration never refutes; its false suspicions have no
    level of confidence, and are held to one in a hundred.
    """
    exploration_count = int(os.environ.get("AUDITOR_EXPLORATIONS", "500"))

    def look() -> Counter[str]:
        counts: Counter[str] = Counter()
        for seed in range(exploration_count):
            name = [*RIGHT][seed % len(RIGHT)]
            rng = block_generator(seed, "explored nulls")
            count, other = int(rng.integers(1, 60)), int(rng.integers(1, 60))
            left = {"k0": count, "k1": other} if seed % 3 else {"k1": other}
            pair = Neighbours("null", {"k0": count + 1 if seed % 3 else 1, "k1": other}, left)
            with as_target(RIGHT[name], "mechanism") as target:
                exploration = explore(Sampler(target, Pace(600.0)), (pair,), Level(1.0, 1e-6), 3e-6, seed, 300.0)
            counts["suspicions"] += bool(exploration.suspicion)
            counts["undecided"] += bool(exploration.why)
            counts["silences"] += exploration.least < 1
        return counts

    counts: Counter[str] = benchmark.pedantic(look, rounds=1, iterations=1)
    benchmark.extra_info.update(explorations=exploration_count, **counts)
    assert counts.total() == exploration_count
    assert counts["suspicions"] <= binom.isf(1e-9, exploration_count, 0.01)
    assert counts["silences"] > exploration_count / 2


if __name__ == "__main__":
    make_part(sys.argv[1], float(sys.argv[2]))
