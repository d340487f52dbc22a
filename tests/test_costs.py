"""What a test took of processors is counted where the work is done."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tests.conftest import RECORD, pytest_collection_modifyitems, spent

WORK = "print(sum(range(5_000_000)), flush=True); input()"


@pytest.mark.slow
def test_the_work_of_a_child_is_counted_while_it_runs_and_when_it_has_ended():
    """Its processor time, once; waiting for it takes none."""
    before = spent()
    with subprocess.Popen([sys.executable, "-c", WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:  # noqa: S603 - our own command
        child.stdout.readline()
        working = spent() - before
        child.communicate(b"\n")
    ended = spent() - before
    assert 0.02 < working <= ended + 0.05  # clocks of a hundredth, two processes
    assert ended < 2 * working + 0.5


def test_files_that_took_longest_come_first_and_stay_in_one_piece():
    """By what their tests took when last run, else by what they say; a slow one counts for more than a quick one.

    Within a file the order stays.
    """

    def test(name, *marks):
        file = name.partition("::")[0]
        return SimpleNamespace(
            nodeid=name, path=file, get_closest_marker=lambda _name: marks[0].mark if marks else None
        )

    slow = pytest.mark.slow
    items = [test("a::1"), test("b::1", slow), test("c::1"), test("c::2", slow(20)), test("a::2"), test("d::1")]
    took = {"a::2": 9.0, "c::1": 1.0, "c::2": 7.5, "gone::1": 99.0}
    config = SimpleNamespace(cache=SimpleNamespace(get=lambda key, default: took if key == RECORD else default))
    pytest_collection_modifyitems(config, items)
    assert [item.nodeid for item in items] == ["a::1", "a::2", "c::1", "c::2", "b::1", "d::1"]
    pytest_collection_modifyitems(SimpleNamespace(), items)
    assert [item.path for item in items] == ["c", "c", "b", "a", "a", "d"]


@pytest.mark.parametrize(("asked", "given"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_linear_algebra_has_one_thread_unless_the_environment_says_otherwise(asked, given):
    """A command has its workers: set before a verb, and with it NumPy, is imported."""
    program = """
import os, sys
import auditor.front.cli as cli
cli.invoke = lambda words: print("numpy" in sys.modules, os.environ["OPENBLAS_NUM_THREADS"]) or 0
cli.main()
"""
    bare = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    done = subprocess.run([sys.executable, "-c", program], env={**bare, **asked}, capture_output=True, text=True)  # noqa: S603, PLW1510 - ours
    assert done.stdout == f"False {given}\n", done.stderr
