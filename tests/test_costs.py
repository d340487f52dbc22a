"""What a test took of processors is counted where the work is done."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import spent

WORK = "print(sum(range(5_000_000)), flush=True); input()"


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
