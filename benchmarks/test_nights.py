"""What auditing a hundred libraries every night would cost: simulated from what the checks of two take here."""

import heapq
from collections import defaultdict
from random import Random

import pytest

from auditor.engine.runner import UnitDone, run

RECORDED = ("dp_accounting", "opendp")
LIBRARIES = 100
WORKERS = (2, 16)


def recorded() -> list[list[float]]:
    """Processor seconds of each check of the accountants of each library, at the standard profile."""
    seconds = defaultdict(list)

    def keep(event: object) -> None:
        if isinstance(event, UnitDone) and event.spent is not None:
            seconds[event.unit_id.partition(".")[0]].append(event.spent.cpu)

    run([f"{library}.*" for library in RECORDED], profile="standard", events=keep)
    return [seconds[library] for library in RECORDED]


def last_end(seconds: list[float], workers: int) -> float:
    """When the last of these checks ends, each given to the next worker that is free."""
    ends = [0.0] * workers
    for each in seconds:
        heapq.heapreplace(ends, ends[0] + each)
    return max(ends)


def test_a_hundred_libraries_a_night(benchmark) -> None:
    """Libraries drawn from those recorded, in any order: sixteen workers wait for less than a tenth of the night."""
    pytest.importorskip("dp_accounting", reason="dp-accounting is not installed: pip install '.[accountants]'")
    pytest.importorskip("opendp", reason="opendp is not installed: pip install '.[accountants]'")
    costs = benchmark.pedantic(recorded, rounds=1)
    random = Random(0)  # noqa: S311 - a simulation, not a secret
    night = [each for _ in range(LIBRARIES) for each in random.choice(costs)]
    random.shuffle(night)
    hours = sum(night) / 3600
    minutes = {workers: round(last_end(night, workers) / 60, 1) for workers in WORKERS}
    text = ", ".join(f"{taken} minutes on {workers} workers" for workers, taken in minutes.items())
    benchmark.extra_info["a night"] = f"{LIBRARIES} libraries, {len(night)} checks: {hours:.2f} CPU hours; {text}"
    assert sum(night) / (WORKERS[-1] * last_end(night, WORKERS[-1])) > 0.9
