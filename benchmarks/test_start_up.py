"""What a start costs: CPU time beyond the bare interpreter's, as a ratio to importing NumPy and mpmath.

All commands are run in turn, several times, and the least time of each counts: what a busy machine adds to one it adds
to all.
"""

import os
import resource
import subprocess
import sys

import pytest

ROUNDS = 7
START = ("-c", "pass")
BARE = ("-c", "import numpy, mpmath")
PLUGIN = (
    "import time; start = time.process_time(); import pytest; between = time.process_time(); "
    "import auditor.pytest_plugin; print(between - start, time.process_time() - between)"
)
POINT = ("epsilon=1", "c_u=1", "sigma=2", "gap=3", "mu_o=1")
GOALS = {
    ("--help",): 1,
    ("list",): 1,
    ("explain", "wilkins2024.thm5.4"): 2.5,
    ("evaluate", "wilkins2024.thm5.4", *POINT): 2.5,
    ("doctor",): 2.5,
}
"""Most that a verb may cost, in imports of NumPy and mpmath: 2.5 of them are half a second where one takes a fifth of a
second, and what needs neither costs less than they do."""


@pytest.fixture(scope="module")
def seconds() -> dict[tuple[str, ...], float]:
    """Least user and system time of an interpreter with each list of arguments, beyond that of `START`."""
    commands = [START, BARE, *(("-m", "auditor", *verb) for verb in GOALS)]
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for command in commands:
            least[command] = min(least[command], _once(command)[0])
    return {command: spent - least[START] for command, spent in least.items()}


def _once(arguments: tuple[str, ...]) -> tuple[float, str]:
    """User and system time of an interpreter, and what it printed."""
    # as installed: what was compiled once is kept
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 - ours
        [sys.executable, *arguments], check=True, capture_output=True, text=True, env=environment
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, done.stdout


@pytest.mark.parametrize("verb", GOALS, ids=lambda verb: verb[0])
def test_a_light_verb_against_importing_numpy_and_mpmath(verb, seconds):
    """At most its goal."""
    spent, bare = seconds["-m", "auditor", *verb], seconds[BARE]
    sys.stdout.write(
        f"\nauditor {verb[0]}: {spent / bare:.2f} imports of NumPy and mpmath ({spent:.2f} s, {bare:.2f} s)\n"
    )
    assert spent <= GOALS[verb] * bare


def test_the_pytest_plugin_against_pytest():
    """A session that has the plug-in installed and uses none of it starts as one without: within a twentieth."""
    spent = [tuple(map(float, _once(("-c", PLUGIN))[1].split())) for _ in range(ROUNDS)]
    without, more = map(min, zip(*spent, strict=True))
    sys.stdout.write(f"\nthe plug-in: {more / without:.3f} of pytest ({1000 * more:.0f} ms, {1000 * without:.0f} ms)\n")
    assert more <= without / 20
