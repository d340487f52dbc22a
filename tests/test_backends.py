"""Backends change nothing about a report, a lost worker loses nothing, and what is missing is said in one line."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from auditor import backends, runner
from auditor.backends import InProcess, Processes, WorkerLostError, backend_of
from auditor.errors import MissingPackageError, UsageError
from auditor.registry import registry
from auditor.report import json as report_json
from auditor.runner import Settings, plan, run
from proofs_numeric.verdict import Verdict

FEW = ["wilkins2024.A.9", "wilkins2024.A.12", "wilkins2024.def2.*"]
QUICK = Settings("quick", 0, "1e-6")


def test_the_number_of_jobs_chooses_the_backend():
    """One job is this process, more are worker processes."""
    assert backend_of(None, 1) == InProcess()
    assert backend_of(None, 3) == Processes(3)


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


@pytest.mark.filterwarnings("ignore")
def test_a_silent_address_is_one_line(monkeypatch):
    """No scheduler there: said before any work."""
    pytest.importorskip("distributed", reason="distributed is not installed: pip install '.[dask]'")
    monkeypatch.setattr(backends, "CONNECT_SECONDS", 1)
    with pytest.raises(UsageError, match="no Dask scheduler answers at localhost:9"):
        run(FEW, profile="quick", backend="dask://localhost:9")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_cluster_gives_the_same_bytes():
    """Two worker processes of a LocalCluster against this process."""
    distributed = pytest.importorskip("distributed", reason="distributed is not installed: pip install '.[dask]'")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        clustered = run(FEW, profile="quick", backend=f"dask://{address}")
    assert report_json.render(clustered) == report_json.render(run(FEW, profile="quick"))


@dataclass(frozen=True)
class Deadly:
    """Two processes, one of which is killed when it takes a subject, once or every time."""

    subject: str
    marker: Path | None = None

    def unordered(self, function, arguments):
        """Yield results as they come."""
        return Processes(2).unordered(killed, [(self.subject, self.marker, function, *each) for each in arguments])


def killed(subject, marker, function, unit, *rest):
    """End this process at the subject; with a marker only the first time."""
    if unit.subject == subject and not (marker is not None and marker.exists()):
        if marker is not None:
            marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return function(unit, *rest)


def execute(workers):
    """Findings of a few units."""
    known = registry()
    units = [unit for level in plan(FEW, known) for unit in level]
    return units, dict(runner._execute(units, QUICK, {}, known, workers))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*worker:UserWarning")
def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    """Kill -9 in the middle: the same findings as without."""
    _units, undisturbed = execute(InProcess())
    marker = tmp_path / "killed"
    _units, found = execute(Deadly("wilkins2024.A.9", marker))
    assert marker.exists()
    assert found == undisturbed


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*worker:UserWarning")
def test_a_unit_that_kills_every_worker_is_an_error_of_its_own():
    """The others keep their verdicts; the deadly one says nothing about privacy."""
    _units, undisturbed = execute(InProcess())
    _units, found = execute(Deadly("wilkins2024.A.9"))
    deadly = {unit for unit in found if unit.subject == "wilkins2024.A.9"}
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
    monkeypatch.setattr(runner, "run_unit", lambda unit, settings, verdicts: ran.append(unit) or [])
    units, found = execute(Flaky(losses))
    assert sorted(ran) == sorted(units) == sorted(found)
