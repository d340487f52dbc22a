"""What the light verbs cost: CPU time beyond the interpreter's start, and against importing NumPy and mpmath."""

from __future__ import annotations

import os
import resource
import subprocess
import sys

RUNS = 5
START = ("-c", "pass")
BARE = ("-c", "import numpy, mpmath")
VERBS = (
    ("--help",),
    ("list", "claims"),
    ("explain", "wilkins2024.thm5.4"),
    ("evaluate", "wilkins2024.thm5.4", "epsilon=1", "c_u=1", "sigma=2", "gap=3", "mu_o=1"),
    ("doctor",),
)


def seconds(*arguments: str) -> float:
    """Least user and system time, in seconds, of an interpreter with these arguments, of several runs."""
    return min(_once(arguments) for _ in range(RUNS))


def _once(arguments: tuple[str, ...]) -> float:
    # as installed: what was compiled once is kept
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)  # noqa: S603 - ours
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_the_light_verbs_against_a_bare_interpreter() -> None:
    """Prints ratios, and the seconds beyond; asserts no time."""
    start, bare = seconds(*START), seconds(*BARE)
    sys.stdout.write(f"\npython -c '{BARE[1]}': {bare:.2f} s, of which {start:.2f} s are the interpreter's start\n")
    for verb in VERBS:
        spent = seconds("-m", "auditor", *verb)
        sys.stdout.write(
            f"auditor {verb[0]:10} {spent / bare:5.2f} times that; {spent - start:.2f} s beyond the start\n"
        )
