"""What a run costs of which nothing has changed, as a share of the same run's CPU time when nothing is kept.

All that a developer waits for beside the checks of what was changed: reading what files say, what libraries have
installed, the findings, and the report. A run of everything costs some 4 per cent.
"""

import resource
import subprocess
import sys

SELECTED = ("wilkins2024.*", "dp_accounting.*")
GOAL = 0.1
"""Of a part of the catalogue, what is done once weighs more."""


def cost(folder, out):
    """CPU seconds of a run in a process of its own, with all that it starts."""
    before = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    words = ("run", *SELECTED, "--profile", "quick", "--jobs", "2", "--cache", str(folder), "--out", str(out))
    done = subprocess.run([sys.executable, "-m", "auditor", *words], capture_output=True, text=True)  # noqa: S603, PLW1510 - our own words
    assert done.returncode == 0, done.stderr
    return sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - before, done.stdout


def test_a_run_of_which_nothing_has_changed_costs_a_small_part_of_it(tmp_path):
    """Libraries' accountants included: nothing is run again."""
    first, _ = cost(tmp_path / "cache", tmp_path / "first")
    again, output = cost(tmp_path / "cache", tmp_path / "again")
    assert "not run again: nothing that they depend on has changed" in output
    assert "run again because" not in output
    assert again < GOAL * first
