"""A file's imports done once: its targets run in forks that start afresh, and nothing outlives the auditor."""

import subprocess
import sys
from dataclasses import replace

import pytest

from auditor.errors import TargetError
from auditor.target import process
from auditor.target.target import Misbehaved, Returned, locate
from tests.auditor.target.test_hostile import gone

LIBRARY = """
from pathlib import Path
with Path({log!r}).open("a") as log:
    log.write("imported\\n")
calls = 0
"""
ADAPTER = """
def count(epsilon):
    import counted_library
    counted_library.calls += 1
    return counted_library.calls

def absent(epsilon):
    from counted_library import nothing_of_the_kind

def death(epsilon):
    import os
    os._exit(7)
"""


@pytest.fixture
def adapter(tmp_path, monkeypatch):
    """Return what makes the target of a function of an adapter, whose library tells of its imports in a file."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "counted_library.py").write_text(LIBRARY.format(log=str(tmp_path / "log")), encoding="utf-8")
    (tmp_path / "adapter.py").write_text(ADAPTER, encoding="utf-8")
    yield lambda name: replace(locate(f"{tmp_path}/adapter.py:{name}", "accountant"), imports_kept=True)
    process.zygote.cache_clear()


@pytest.mark.slow
def test_imports_are_done_once_and_every_process_starts_from_them(adapter, tmp_path):
    """Four processes of two targets: what one call leaves behind moves no answer of another process."""
    for name in ("count", "count"):
        with adapter(name) as target:
            assert [target.call({"epsilon": 1.0}) for _ in range(2)] == [Returned(1), Returned(2)]
            target.close()
            assert target.call({"epsilon": 1.0}) == Returned(1)
    assert (tmp_path / "log").read_text(encoding="utf-8") == "imported\n"


@pytest.mark.slow
def test_an_import_that_fails_is_told_by_the_function_that_needs_it(adapter):
    """And by no other; so is a death, with its status."""
    with adapter("absent") as target:
        assert "ImportError" in target.call({"epsilon": 1.0}).detail
    with adapter("death") as target:
        assert target.call({"epsilon": 1.0}) == Misbehaved("dies", "dies: exited with status 7")


@pytest.mark.slow
def test_an_import_that_ends_the_interpreter_is_an_error_and_is_tried_again(adapter, tmp_path):
    """The next target has a zygote of its own."""
    library = tmp_path / "counted_library.py"
    good = library.read_text(encoding="utf-8")
    library.write_text("import os\nos._exit(3)\n", encoding="utf-8")
    with pytest.raises(TargetError, match=r"the imports of .*adapter\.py end the interpreter"):
        adapter("count").__enter__()
    library.write_text(good, encoding="utf-8")
    with adapter("count") as target:
        assert target.call({"epsilon": 1.0}) == Returned(1)


@pytest.mark.slow
def test_processor_time_counts_zygotes_and_what_they_started(adapter):
    """Before and after one is ended, by the same account."""
    before = process.cpu_seconds()
    with adapter("count") as target:
        target.call({"epsilon": 1.0})
    alive = process.cpu_seconds()
    process.zygote.cache_clear()
    assert not process.ZYGOTES
    assert before < alive <= process.cpu_seconds()


@pytest.mark.slow
def test_a_zygote_ends_with_the_auditor(adapter, tmp_path):
    """However that ends."""
    program = (
        "import os; from dataclasses import replace; from auditor.target import process;"
        "from auditor.target.target import locate;"
        f"t = replace(locate({str(tmp_path / 'adapter.py') + ':count'!r}, 'accountant'), imports_kept=True);"
        "t.call({'epsilon': 1.0});"
        "print(*(z._process.pid for z in process.ZYGOTES), t._connection.child.pid, flush=True);"
        "os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == -9, done.stderr
    pids = [int(word) for word in done.stdout.split()]
    assert len(pids) == 2
    assert all(map(gone, pids))
