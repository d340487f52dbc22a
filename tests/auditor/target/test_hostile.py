"""A target that fights its process ends as a named finding, and nothing that it started is left running."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from auditor.target import keeper as keeper_module
from auditor.target import process
from auditor.target.target import Limits, MisbehavedError, as_target, locate
from tests.auditor.target import hostile

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
HISTOGRAM = {"k0": 3}
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc and prctl")


def alive(pid):
    """Whether a process runs: neither gone nor waiting to be read."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] not in {"Z", "X"}
    except OSError:
        return False


def gone(pid, seconds=60.0):
    """Wait until a process has ended."""
    deadline = time.monotonic() + seconds
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not alive(pid)


def target(name, seconds=60.0):
    """A hostile target, with little patience for one that hangs."""
    return locate(f"{HERE / 'hostile.py'}:{name}", "mechanism", Limits(answer_seconds=seconds))


@pytest.mark.slow
@pytest.mark.parametrize("how", ["file", "live"])
def test_what_is_printed_is_counted(how):
    """To the byte, whoever below the target prints it; a pipe that fills up stops nobody."""
    live = as_target(hostile.prints_a_line, "mechanism")
    with target("prints_a_line", 10.0) if how == "file" else live as chatty:
        for n in (1, 3, 10):
            before = chatty.printed
            chatty.sample(HISTOGRAM, n, 0)
            assert chatty.printed - before == 18 * n


@pytest.mark.slow
def test_a_flood_is_named_with_its_size():
    """It counts as a release that never ends."""
    with target("floods", 2.0) as flooding, pytest.raises(MisbehavedError) as told:
        flooding.sample(HISTOGRAM, 1, 0)
    words = re.fullmatch(r"gives no answer within 2 s; it wrote ([\d,]+) bytes to standard output", str(told.value))
    assert int(words[1].replace(",", "")) > 2**17, "more than a pipe holds"
    assert told.value.what.name == "hangs"


@pytest.mark.slow
@linux
@pytest.mark.parametrize(
    "name",
    [
        "leaves_a_child",
        "leaves_a_session",
        "leaves_an_orphan",
        "leaves_a_child_and_hangs",
        "leaves_an_orphan_and_hangs",
        "leaves_an_orphan_and_dies",
        "stops_its_parent",
    ],
)
def test_nothing_is_left_running(name, tmp_path, monkeypatch):
    """Children, sessions of their own and orphans end with the target, however it ends."""
    monkeypatch.setenv("AUDITOR_TEST_PIDS", str(pids := tmp_path / "pids"))
    for patience in (2.0, 20.0, 200.0):  # on a busy machine it takes long to start what it leaves
        with target(name, patience) as hostile:
            try:
                hostile.sample(HISTOGRAM, 1, 0)
            except MisbehavedError as error:
                assert error.what.name in {"hangs", "dies"}  # noqa: PT017 - most of them answer
        if pids.exists() and pids.read_text("utf-8"):
            break
    assert gone(int(pids.read_text("utf-8")))


WRITES = dict.fromkeys(
    ("answers_for_a_later_request", "announces_a_frame_without_end", "writes_brackets_without_end", "patches_json"),
    "dies: it writes over the auditor's own pipe",
)
KILLS = dict.fromkeys(("kills_its_parent", "kills_its_group"), "dies: killed by SIGKILL")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "words"), [*WRITES.items(), *KILLS.items()])
def test_an_answer_that_is_none_and_a_killed_worker_are_named(name, words):
    """Forged, for another request, without end, or killed: said, and the next release comes from a fresh process."""
    with target(name) as hostile:
        for _ in range(2):
            with pytest.raises(MisbehavedError) as told:
                hostile.sample(HISTOGRAM, 1, 0)
            assert str(told.value) == words


@pytest.mark.slow
def test_our_own_kill_is_not_told_as_the_end_of_the_target():
    """What closes its pipe and stays is said to stay; a signal is named only where it was not ours."""
    with target("closes_its_pipes_and_stays") as hostile, pytest.raises(MisbehavedError) as told:
        hostile.sample(HISTOGRAM, 1, 0)
    assert str(told.value) == "dies: still running: it closed its pipe and did not end within 2 s"


@pytest.mark.slow
def test_an_end_that_a_busy_machine_is_late_to_tell_is_told(monkeypatch):
    """The keeper gets no time until long after the worker has ended: its status counts, not the silence."""
    monkeypatch.setattr(process, "FINISH_SECONDS", 0.01)
    monkeypatch.setattr(process, "STARVED", 1e6)
    with target("exits") as hostile:
        hostile._connected()
        keeper, worker, *_ = keeper_module.family(hostile._connection.child.pid)
        os.kill(keeper, signal.SIGSTOP)

        def resume():
            while process.task_times(f"/proc/{worker}/stat")[0] != "Z":
                time.sleep(0.01)
            time.sleep(0.5)  # past all patience with a process that does nothing
            os.kill(keeper, signal.SIGCONT)

        resuming = threading.Thread(target=resume)
        resuming.start()
        with pytest.raises(MisbehavedError) as told:
            hostile.sample(HISTOGRAM, 1, 0)
        resuming.join()
    assert str(told.value) == "dies: exited with status 3"


@pytest.mark.slow
def test_a_target_without_batches_is_not_said_to_have_them():
    """`release_many raises` is said of targets that have it."""
    with locate(f"{HERE / 'hostile.py'}:RaisesWithoutBatches", "mechanism") as hostile:
        with pytest.raises(MisbehavedError) as told:
            hostile.sample(HISTOGRAM, 1, 0)
        assert "release_many" not in str(told.value)
        assert "raises ValueError: of its own at hostile.py:" in str(told.value)


def test_a_target_outlives_the_thread_that_started_it():
    """It ends with the auditor's process: the word of the kernel that a thread has ended is held against its parent."""
    with as_target(lambda histogram, rng: {"k0": 1.0}, "mechanism") as live:
        thread = threading.Thread(target=live.sample, args=(HISTOGRAM, 1, 0))
        thread.start()
        thread.join()
        started = live._connection.child.pid
        live.sample(HISTOGRAM, 1, 0)
        assert live._connection.child.pid == started


ALONE = """
import sys
from auditor.target.target import Limits, as_target
from tests.auditor.target import hostile
from tests.auditor.target.test_hostile import HISTOGRAM
given = getattr(hostile, sys.argv[1])
if sys.argv[2] == "file":
    given = f"{hostile.__file__}:{sys.argv[1]}"
with as_target(given, "mechanism", Limits(answer_seconds=60.0)) as started:
    started._connected()
    print(started._connection.child.pid, flush=True)
    started.sample(HISTOGRAM, 1, 0)
"""


def children(pid):
    """Processes that a process started, and those that they started."""
    try:
        lists = [path.read_text("utf-8") for path in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:
        return []
    below = [int(word) for text in lists for word in text.split()]
    return [*below, *(other for child in below for other in children(child))]


@linux
@pytest.mark.slow
def test_no_worker_of_a_run_outlives_it(tmp_path):
    """A run that is killed takes its pool and its targets with it."""
    arguments = ["run", "thresholds.*", "--profile", "quick", "--jobs", "2", "--out", str(tmp_path)]
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "auditor", *arguments], cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as process:
        while not re.match(rb"\[ *1/", line := process.stderr.readline()):
            assert line, "the run ended before its first check"
        started = children(process.pid)
        process.kill()
    assert len(started) >= 2
    assert [pid for pid in started if not gone(pid)] == []


@pytest.mark.slow
@linux
@pytest.mark.parametrize("how", ["file", "live"])
@pytest.mark.parametrize("name", ["leaves_a_child_and_hangs", "leaves_an_orphan_and_hangs"])
def test_no_target_outlives_the_auditor(name, how, tmp_path):
    """Killed without a word, it takes with it what its target started, in sessions of their own and orphans too."""
    pids = tmp_path / "pids"
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "AUDITOR_TEST_PIDS": str(pids)}
    with subprocess.Popen(  # noqa: S603 - our own code
        [sys.executable, "-c", ALONE, name, how], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        keeper = int(process.stdout.readline())
        while not (pids.exists() and pids.read_text("utf-8")):
            assert process.poll() is None
            time.sleep(0.05)
        started = children(keeper)
        process.send_signal(signal.SIGKILL)
        assert process.wait(30) == -signal.SIGKILL
    left = int(pids.read_text("utf-8"))
    assert [pid for pid in (keeper, left, *started) if not gone(pid)] == []
