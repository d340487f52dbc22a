"""What a Dask cluster takes beyond the work that is sent to it, against worker processes of this machine.

Units of a quick run are run once, and then replayed: each takes the processor time that it took, and comes back with
its findings. So both do the same work, however warm their caches are, and what is measured beyond it is theirs. The
cluster is set up as docs/how-to/dask.yaml says.

A cluster takes processor time while it waits, too, and a busy machine makes it wait: what it takes in a second of
waiting is measured beside it, and counts for the seconds that the work needs on as many processors as there are.
"""

import time
from pathlib import Path

import pytest

from auditor.engine.backends import Backend, InProcess, Processes, backend_of
from auditor.engine.plan import Settings, plan
from auditor.engine.registry import registry
from auditor.engine.unit import Ran, Spent, run_named
from auditor.front.verbs.run import processors
from tests.auditor.engine.test_backends import REMEDY, cluster

pytest.importorskip("distributed", reason=REMEDY)
import psutil

SELECTION = ("bharadwaj2022.*",)
SETTINGS = Settings("quick", 0, "1e-6")
HOUSEKEEPING = Path(__file__).parents[1] / "docs" / "how-to" / "dask.yaml"
ROUNDS = 3
WAITING_SECONDS = 3
MOST = 1.05


def replay(ran: Ran) -> Ran:
    """Take as much processor time as the unit did, beside what threads of the worker take, and give back the same."""
    until = time.thread_time() + ran.spent.cpu
    while time.thread_time() < until:
        pass
    return ran


@pytest.fixture(scope="module")
def work() -> list[tuple[Ran]]:
    """Units of the selection that need no other, as they were run here."""
    units = plan(SELECTION, registry())[0]
    return [(ran,) for ran in InProcess().unordered(run_named, [(unit, SETTINGS, {}) for unit in units])]


def spent() -> float:
    """Processor seconds of this process and of all that it started, alive or not."""
    here = psutil.Process()
    return sum(sum(process.cpu_times()[:4]) for process in (here, *here.children(recursive=True)))


def measured(backend: Backend, work: list[tuple[Ran]], workers: int) -> tuple[float, float]:
    """Processor seconds, and seconds by the clock, until all is back from workers that have been called before."""
    nothing = work[0][0]._replace(spent=Spent(0, 0))
    list(backend.unordered(replay, [(nothing,)] * 8 * workers))  # imports what the units are made of
    waiting, start = spent(), time.monotonic()
    time.sleep(WAITING_SECONDS)
    rate = (spent() - waiting) / (time.monotonic() - start)
    before, start = spent(), time.monotonic()
    assert sum(1 for _ in backend.unordered(replay, work)) == len(work)
    took = time.monotonic() - start
    needed = sum(ran.spent.cpu for (ran,) in work) / min(workers, processors())
    return spent() - before - rate * max(0.0, took - needed), took


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [2, 4])
def test_a_cluster_against_processes(workers, work, benchmark) -> None:
    """At most a twentieth more processor time, and a twentieth more by the clock, than worker processes take.

    Of each the least of the rounds counts: what a busy machine adds to one it adds to both.
    """
    config = pytest.importorskip("dask.config", reason=REMEDY)

    def rounds() -> list[tuple[tuple[float, float], tuple[float, float]]]:
        times = []
        with config.set(config.merge(config.config, *config.collect_yaml([HOUSEKEEPING]))):
            for _ in range(ROUNDS):
                # closed before the others are measured: idle workers would count beside them
                with cluster(workers, processes=True) as (_local, address):
                    of_cluster = measured(backend_of(address, 1), work, workers)
                times.append((of_cluster, measured(Processes(workers), work, workers)))
        return times

    times = benchmark.pedantic(rounds, rounds=1)
    units = sum(ran.spent.cpu for (ran,) in work)
    least = [[min(each[side][place] for each in times) for place in range(2)] for side in range(2)]
    for name, (cpu, _clock) in zip(("cluster", "processes"), least, strict=True):
        benchmark.extra_info[f"CPU of the {name}, over that of the units"] = round(cpu / units, 3)
    ratio = {kind: ours / theirs for kind, ours, theirs in zip(("CPU", "clock"), *least, strict=True)}
    benchmark.extra_info["of the cluster over processes"] = {kind: round(each, 3) for kind, each in ratio.items()}
    benchmark.extra_info["CPU seconds of the units"] = round(units, 1)
    assert max(ratio.values()) <= MOST
