"""Backends change nothing about a report, a lost worker loses nothing, and what is missing is said in one line."""

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from auditor.engine import backends, runner
from auditor.engine.backends import InProcess, Processes, WorkerLostError, backend_of, versions
from auditor.engine.checkpoint import CHECKPOINT
from auditor.engine.plan import Agenda, Settings, plan
from auditor.engine.registry import registry
from auditor.engine.runner import UnitDone, run
from auditor.errors import ClusterError, MissingPackageError, UsageError
from auditor.report import json as report_json
from proofs_numeric.statements.verdict import Verdict

FEW = ["bharadwaj2022.base*"]
DEADLY = "bharadwaj2022.base.laplace"
QUICK = Settings("quick", 0, "1e-6")


def test_the_number_of_jobs_chooses_the_backend():
    """One job is this process, more are worker processes."""
    assert backend_of(None, 1) == InProcess()
    assert backend_of(None, 3) == Processes(3)


@pytest.mark.parametrize("jobs", [-1, 0, 1025])
def test_a_number_of_workers_out_of_range_is_refused(jobs):
    """Without workers no unit would run, and each would seem to wait for another."""
    with pytest.raises(UsageError, match=f"expected 1 <= jobs <= 1024 .* got jobs={jobs}"):
        backend_of(None, jobs)


@pytest.mark.parametrize("text", ["dask", "dask://", "dask://host", "dask://host:port", "ray://host:1", "dask://a b:1"])
def test_a_malformed_backend_is_refused(text):
    """One line with what is allowed."""
    with pytest.raises(UsageError, match="expected --backend dask://host:port, got"):
        backend_of(text, 1)


def test_a_missing_package_is_named_with_the_remedy(monkeypatch):
    """Without distributed the extra is named."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'sparse-histogram-auditor\[dask\]'"):
        backend_of("dask://localhost:8786", 1)


REMEDY = "distributed is not installed: pip install '.[dask]'"
clustered = pytest.mark.filterwarnings("ignore")


@contextmanager
def cluster(workers, **options):
    """A Dask cluster of this machine, and the backend that runs on it."""
    distributed = pytest.importorskip("distributed", reason=REMEDY)
    usual = {"threads_per_worker": 1, "processes": False, "protocol": "tcp", "host": "127.0.0.1"}
    with distributed.LocalCluster(n_workers=workers, dashboard_address=None, **{**usual, **options}) as found:
        yield found, f"dask://{found.scheduler_address.removeprefix('tcp://')}"


@pytest.mark.slow
@clustered
def test_a_silent_address_is_one_line(monkeypatch):
    """No scheduler there: said before any work."""
    pytest.importorskip("distributed", reason=REMEDY)
    monkeypatch.setattr(backends, "CONNECT_SECONDS", 1)
    with pytest.raises(ClusterError, match="no Dask scheduler answers at localhost:9"):
        run(FEW, profile="quick", backend="dask://localhost:9")


@pytest.fixture(scope="module")
def here():
    """The report of this process."""
    return report_json.render(run(FEW, profile="quick"))


@pytest.mark.slow
@clustered
def test_a_dask_cluster_gives_the_same_bytes(here):
    """One and two worker processes of a LocalCluster against this process, which computes nothing for them."""
    with cluster(1, processes=True) as (local, address):
        for workers in (1, 2):
            local.scale(workers)
            local.wait_for_workers(workers)
            assert os.getpid() not in set(backend_of(address, 1).unordered(os.getpid, [(), ()]))
            assert report_json.render(run(FEW, profile="quick", backend=address)) == here


@pytest.mark.parametrize(
    ("seen", "size"),
    [([], 1), ([(1, 0.0)], 1), ([(1, 9.0)], 1), ([(1, 0.01)], 1), ([(1, 0.01)] * 20, 20), ([(1, 0.04)] * 40, 12)],
)
def test_tasks_hold_as_many_calls_as_take_half_a_second(seen, size):
    """By what calls have taken: one until that is known, never more than have been made."""
    sizes = backends.Sizes()
    for calls, seconds in seen:
        sizes.note(calls, seconds)
    assert sizes.size == size


@pytest.mark.slow
@clustered
def test_calls_are_taken_as_workers_have_room_for_them(monkeypatch):
    """Each is made once; those that come later are not asked for while every worker has its tasks."""
    monkeypatch.setattr(backends, "TASK_SECONDS", 1e-9)  # a call a task
    requests = []
    with cluster(1) as (_local, address):
        answers = backend_of(address, 1).unordered(abs, ((requests.append(number) or number,) for number in range(40)))
        results = [next(answers)]
        assert len(requests) <= 2 * backends.AHEAD
        assert sorted([*results, *answers]) == list(range(40)) == requests


@pytest.mark.slow
@clustered
def test_a_dask_worker_that_is_killed_loses_nothing(here):
    """Kill -9 of a worker with tasks in its hands, which its nanny starts again: the same bytes."""
    killed = []

    def kill(event):
        if isinstance(event, UnitDone) and not killed:
            busy = [at for at, tasks in local.scheduler.workers.items() if tasks.processing]
            killed.append(next(worker.pid for worker in local.workers.values() if worker.worker_address in busy))
            os.kill(killed[0], signal.SIGKILL)

    with cluster(2, processes=True) as (local, address):
        assert report_json.render(run(FEW, profile="quick", backend=address, events=kill)) == here
        assert killed[0] not in set(backend_of(address, 1).unordered(os.getpid, [()] * 8))


@pytest.mark.slow
@clustered
def test_workers_that_vanish_for_good_are_one_line(monkeypatch):
    """The scheduler stays and nobody works: said after the time stated, with what to do."""
    monkeypatch.setattr(backends, "VANISHED_SECONDS", 3)
    with cluster(1, processes=True) as (local, address):
        answers = backend_of(address, 1).unordered(slowly, [(number,) for number in range(4)])
        next(answers)
        local.scale(0)
        with pytest.raises(ClusterError, match=r"are gone, and none came back within 3 s; .* --resume"):
            list(answers)


def slowly(number):
    """Take a second."""
    time.sleep(1)
    return number


def asked_by_the_client():
    """Whether this is the thread of the test; a worker's tasks, late ones too, run in threads of its own."""
    return threading.current_thread() is threading.main_thread()


@pytest.mark.slow
@clustered
def test_workers_that_would_not_give_the_same_report_are_refused(monkeypatch):
    """Threads that share a process, other versions, other libraries to judge: one line each, from the worker."""
    threads = r"expected Dask workers of one thread each, got 2 at .*--nthreads 1"
    with cluster(1, threads_per_worker=2) as (_local, address), pytest.raises(ClusterError, match=threads):
        run(FEW, profile="quick", backend=address)
    here, there = versions(), {**versions(), "numpy": "1.0"}
    with cluster(1) as (_local, address):
        monkeypatch.setattr(backends, "versions", lambda: here if asked_by_the_client() else there)
        with pytest.raises(ClusterError, match=r"expected numpy 2\..* as here, got 1\.0 at the Dask worker"):
            run(FEW, profile="quick", backend=address)
        monkeypatch.undo()
        monkeypatch.setattr(backends, "library_versions", lambda: {"riskcal": "1.0"} if asked_by_the_client() else {})
        with pytest.raises(ClusterError, match=r"expected riskcal 1\.0 as here, got absent at the Dask worker"):
            run(FEW, profile="quick", backend=address)


@pytest.mark.slow
@clustered
def test_a_cluster_without_workers_is_one_line(monkeypatch):
    """Nobody waits for ever; the scheduler itself may be slow to answer."""
    client = pytest.importorskip("distributed", reason=REMEDY).Client
    waits = client.wait_for_workers
    monkeypatch.setattr(client, "wait_for_workers", lambda self, workers, timeout: waits(self, workers, timeout / 100))
    with cluster(0) as (_local, address), pytest.raises(ClusterError, match="has no worker within 10 s; start one"):
        run(FEW, profile="quick", backend=address)


@pytest.mark.slow
@clustered
def test_a_cluster_that_goes_away_is_one_line(tmp_path, capfd, here):
    """What was done stays in the checkpoint, and a run here completes the same report."""
    with cluster(1) as (local, address):

        def close(event):
            if isinstance(event, UnitDone):
                local.close()

        with pytest.raises(ClusterError, match=r"stopped answering .*--resume keeps finished checks"):
            run(FEW, profile="quick", backend=address, out=tmp_path, events=close)
    assert "Traceback" not in capfd.readouterr().err
    assert len((tmp_path / CHECKPOINT).read_text("utf-8").splitlines()) > 1
    assert report_json.render(run(FEW, profile="quick", out=tmp_path, resume=True)) == here


@dataclass(frozen=True)
class Deadly:
    """Two processes, one of which is killed when it takes a subject, once or every time."""

    subject: str
    marker: Path | None = None

    def unordered(self, function, arguments):
        """Yield results as they come."""
        calls = (each and (self.subject, self.marker, function, *each) for each in arguments)
        return Processes(2).unordered(killed, calls)


def killed(subject, marker, function, unit, *rest):
    """End this process at the subject; with a marker only the first time."""
    if unit.subject == subject and not (marker is not None and marker.exists()):
        if marker is not None:
            marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return function(unit, *rest)


def execute(workers):
    """Findings of a few units."""
    catalogue = registry()
    units = [unit for level in plan(FEW, catalogue) for unit in level]
    agenda = Agenda(units, catalogue)
    return units, {ran.unit: ran.findings for ran in runner._execute(agenda, QUICK, lambda _unit: {}, workers)}


@pytest.fixture(scope="module")
def undisturbed():
    """Findings of this process."""
    return execute(InProcess())[1]


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_nothing(tmp_path, undisturbed):
    """Kill -9 in the middle: the same findings as without."""
    marker = tmp_path / "killed"
    _units, found = execute(Deadly(DEADLY, marker))
    assert marker.exists()
    assert found == undisturbed


@pytest.mark.slow
def test_a_unit_that_kills_every_worker_is_an_error_of_its_own(undisturbed):
    """The others keep their verdicts; the deadly one says nothing about privacy."""
    _units, found = execute(Deadly(DEADLY))
    deadly = {unit for unit in found if unit.subject == DEADLY}
    assert all(found[unit][0]["verdict"] == Verdict.ERROR.value for unit in deadly)
    assert {u: f for u, f in found.items() if u not in deadly} == {
        u: f for u, f in undisturbed.items() if u not in deadly
    }


@dataclass
class Flaky:
    """Gives the results of a few calls and then loses its workers, so many times."""

    losses: int

    def unordered(self, function, arguments):
        """Yield the results of this process until the loss."""
        for place, each in enumerate(arguments):
            if self.losses and place == 1:
                self.losses -= 1
                raise WorkerLostError
            yield function(*each)


@pytest.mark.parametrize("losses", [1, 2])
def test_units_that_were_lost_are_run_again_and_only_they(losses, monkeypatch):
    """Each unit is run once, however often workers are lost between units."""
    ran = []
    monkeypatch.setattr("auditor.engine.unit.run_unit", lambda unit, *_rest: ran.append(unit) or [])
    units, found = execute(Flaky(losses))
    assert sorted(ran) == sorted(units) == sorted(found)
