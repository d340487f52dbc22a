"""What a start costs: CPU time beyond the bare interpreter's, as a ratio to importing NumPy and mpmath.

All commands are run in turn, several times, and the least time of each counts: what a busy machine adds to one it adds
to all.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys

import pytest

ROUNDS = 7
START = ("-c", "pass")
BARE = ("-c", "import numpy, mpmath")
PYTEST = ("-c", "import pytest")
PLUGIN = ("-c", "import pytest, auditor.pytest_plugin")
POINT = ("epsilon=1", "c_u=1", "sigma=2", "gap=3", "mu_o=1")
GOALS = {
    ("--help",): 1.0,
    ("list",): 1.0,
    ("explain", "wilkins2024.thm5.4"): 2.0,
    ("evaluate", "wilkins2024.thm5.4", *POINT): 2.0,
    ("doctor",): 2.0,
}
"""Most that a verb may cost, in imports of NumPy and mpmath: 1 where neither is needed, else as much again for Arb, the
parser, the catalogue's index and the one claim. On an idle core such an import takes about 0.2 s, so that each stays
below half a second."""


@pytest.fixture(scope="module")
def seconds() -> dict[tuple[str, ...], float]:
    """Least user and system time of an interpreter with each list of arguments, beyond that of `START`."""
    commands = [START, BARE, PYTEST, PLUGIN, *(("-m", "auditor", *verb) for verb in GOALS)]
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for command in commands:
            least[command] = min(least[command], _once(command))
    return {command: spent - least[START] for command, spent in least.items()}


def _once(arguments: tuple[str, ...]) -> float:
    # as installed: what was compiled once is kept
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)  # noqa: S603 - ours
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


@pytest.mark.parametrize("verb", GOALS, ids=lambda verb: verb[0])
def test_a_light_verb_against_importing_numpy_and_mpmath(verb, seconds):
    """At most its goal."""
    spent, bare = seconds["-m", "auditor", *verb], seconds[BARE]
    sys.stdout.write(
        f"\nauditor {verb[0]}: {spent / bare:.2f} imports of NumPy and mpmath ({spent:.2f} s, {bare:.2f} s)\n"
    )
    assert spent <= GOALS[verb] * bare


def test_the_pytest_plugin_against_pytest(seconds):
    """A session that has the plug-in installed and uses none of it starts as one without: within a twentieth."""
    with_it, without = seconds[PLUGIN], seconds[PYTEST]
    sys.stdout.write(
        f"\npytest with the plug-in: {with_it / without:.3f} of pytest ({with_it:.2f} s, {without:.2f} s)\n"
    )
    assert with_it <= 1.05 * without
