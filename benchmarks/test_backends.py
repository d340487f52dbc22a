"""What a Dask cluster costs beside worker processes of this machine: the same calls by as many workers."""

from __future__ import annotations

import time

import psutil
import pytest

from auditor.engine.backends import Processes, backend_of

SECONDS, CALLS = 0.1, 200
"""Of processor time a call, less than a unit of the audit takes on average, and how many calls."""


def busy(_number: int) -> float:
    """Compute for so long; give what it took."""
    begun = time.process_time()
    while time.process_time() - begun < SECONDS:
        sum(range(1000))
    return time.process_time() - begun


def spent() -> float:
    """Processor seconds of this process and of all that it started and that still run."""
    here = psutil.Process()
    return sum(sum(each.cpu_times()[:2]) for each in (here, *here.children(recursive=True)))


def overhead(backend: object) -> float:
    """What the calls cost beyond their own work, as a share of it, once the workers have started."""
    list(backend.unordered(busy, [(number,) for number in range(8)]))
    begun = spent()
    work = sum(backend.unordered(busy, [(number,) for number in range(CALLS)]))
    return (spent() - begun) / work - 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("workers", [2, 4])
def test_a_cluster_adds_less_than_a_twentieth(workers: int, benchmark) -> None:
    """Scheduler, its workers' keepers and the wire, in processor time; joblib's processes beside it."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install '.[dask]'")
    usual = {"threads_per_worker": 1, "processes": True, "protocol": "tcp", "host": "127.0.0.1"}

    def of_the_cluster() -> float:
        with distributed.LocalCluster(n_workers=workers, dashboard_address=None, **usual) as cluster:
            return overhead(backend_of(f"dask://{cluster.scheduler_address.removeprefix('tcp://')}", 1))

    share = benchmark.pedantic(of_the_cluster, rounds=1)
    benchmark.extra_info |= {"cluster": round(share, 4), "processes": round(overhead(Processes(workers)), 4)}
    assert share < 0.05
