"""What a start and a short audit cost: CPU time beyond the bare interpreter's, in imports of NumPy and mpmath.

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


TARGETS = """
import math

import numpy as np


class HalfTheNoise:
    def release_many(self, histogram, n, rng):
        counts = np.array([*histogram.values()], dtype=float)
        return tuple(histogram), counts + rng.laplace(0.0, 0.5, (n, len(counts)))


def gaussian(epsilon, sigma, k):
    def cdf(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    mu = math.sqrt(k) / sigma
    return cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * cdf(-mu / 2 - epsilon / mu)
"""
AUDITS = {
    ("mechanism", "targets.py:HalfTheNoise", "--epsilon", "1", "--delta", "0"): 14,
    ("accountant", "targets.py:gaussian", "--against", "standard.gaussian.composition"): 18,
}
"""Most that an audit may cost that refutes at once: 2 and 3 s where the imports take a sixth of a second."""
AUDITED = 3
"""Rounds of these."""


@pytest.fixture(scope="module")
def seconds() -> dict[tuple[str, ...], float]:
    """Least user and system time of an interpreter with each list of arguments, beyond that of `START`."""
    commands = [START, BARE, *(("-m", "auditor", *verb) for verb in GOALS)]
    least = dict.fromkeys(commands, float("inf"))
    for _ in range(ROUNDS):
        for command in commands:
            least[command] = min(least[command], _once(command)[0])
    return {command: spent - least[START] for command, spent in least.items()}


def _once(arguments: tuple[str, ...], code: int = 0) -> tuple[float, str]:
    """User and system time of an interpreter that ends with this exit code, and what it printed."""
    # as installed: what was compiled once is kept
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(  # noqa: S603 - ours
        [sys.executable, *arguments], check=False, capture_output=True, text=True, env=environment
    )
    assert done.returncode == code, done.stderr
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


@pytest.mark.parametrize("audit", AUDITS, ids=lambda audit: audit[0])
def test_an_audit_that_refutes_at_once_against_importing_numpy_and_mpmath(audit, seconds, tmp_path, monkeypatch):
    """At most its goal, with all that is said of the refutation."""
    (tmp_path / "targets.py").write_text(TARGETS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    spent = min(_once(("-m", "auditor", *audit), code=1)[0] for _ in range(AUDITED))
    bare = seconds[BARE]
    sys.stdout.write(f"\nauditor {audit[0]}: {spent / bare:.1f} imports of NumPy and mpmath ({spent:.2f} s)\n")
    assert spent <= AUDITS[audit] * bare


def test_the_pytest_plugin_against_pytest():
    """A session that has the plug-in installed and uses none of it starts as one without: within a twentieth."""
    spent = [tuple(map(float, _once(("-c", PLUGIN))[1].split())) for _ in range(ROUNDS)]
    without, more = map(min, zip(*spent, strict=True))
    sys.stdout.write(f"\nthe plug-in: {more / without:.3f} of pytest ({1000 * more:.0f} ms, {1000 * without:.0f} ms)\n")
    assert more <= without / 20
