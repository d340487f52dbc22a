"""What the light verbs cost: CPU time against that of importing NumPy and mpmath."""

from __future__ import annotations

import resource
import subprocess
import sys

RUNS = 5
BARE = ("-c", "import numpy, mpmath")
VERBS = (
    ("--help",),
    ("list", "claims"),
    ("explain", "wilkins2024.thm5.4"),
    ("evaluate", "wilkins2024.thm5.4", "epsilon=1", "c_u=1", "sigma=2", "gap=3", "mu_o=1"),
)


def seconds(*arguments: str) -> float:
    """Least user and system time, in seconds, of an interpreter with these arguments, of several runs."""
    return min(_once(arguments) for _ in range(RUNS))


def _once(arguments: tuple[str, ...]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)  # noqa: S603 - ours
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_the_light_verbs_against_a_bare_interpreter() -> None:
    """Prints ratios, and the seconds beyond; asserts no time."""
    bare = seconds(*BARE)
    sys.stdout.write(f"\npython {BARE[0]} '{BARE[1]}': {bare:.2f} s\n")
    for verb in VERBS:
        spent = seconds("-m", "auditor", *verb)
        sys.stdout.write(f"auditor {verb[0]:10} {spent / bare:5.2f} times that, {spent - bare:+.2f} s\n")
