"""The settings of a run, checked before anything else happens."""

import os
from decimal import Decimal, InvalidOperation
from typing import Any

from auditor.errors import UsageError

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "POLARS_MAX_THREADS"), "1")
"""Environment in which linear algebra and Polars have one thread, if it is set before they are loaded."""
SELDOM = 100_000, 20, 20
"""How seldom a process looks for objects that hold each other: proofs make millions that do not."""
CACHE_VARIABLE = "AUDITOR_CACHE"
"""Environment variable that names the folder of kept findings where nobody else does."""
SMALLEST_PROBABILITY = Decimal("1e-300")
"""Below it shares of the probability are no doubles any more."""
LONGEST_PROBABILITY = 100
"""Characters of a probability as text."""
MOST_JOBS = 1024
MOST_SAMPLES = 10**8
"""Releases a side of an audit that nothing else ends."""


def checked_probability(text: str, name: str) -> str:
    """Return the decimal a user wrote for a probability.

    Raises:
        UsageError: it is no decimal, or not in (0, 1).
    """
    if not isinstance(text, str) or len(text) > LONGEST_PROBABILITY:
        raise UsageError(f"expected 0 < {name} < 1 as a decimal such as 1e-6 in a string, got {name}={text!r}")
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise UsageError(f"expected 0 < {name} < 1 as a decimal such as 1e-6, got {name}={text}") from None
    if not (value.is_finite() and 0 < value < 1):
        raise UsageError(f"expected 0 < {name} < 1, got {name}={text}")
    if value < SMALLEST_PROBABILITY:
        raise UsageError(f"expected {name} >= {SMALLEST_PROBABILITY:e}, got {name}={text}")
    return text


def checked_seed(seed: object) -> int:
    """Return the seed.

    Raises:
        UsageError: it is no integer >= 0.
    """
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise UsageError(f"expected an integer seed >= 0, got seed={seed!r}")
    return seed


def checked_settings(profile: str, seed: int, alpha: str, jobs: int) -> None:
    """Raise UsageError, in one line, for the first setting that cannot be used."""
    from auditor.profile import profile as profile_named

    profile_named(profile)
    checked_probability(alpha, "alpha")
    checked_seed(seed)
    checked_jobs(jobs)


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checked_jobs(jobs: int) -> None:
    """Raise UsageError for a number of processes that cannot be used."""
    if not 1 <= jobs <= MOST_JOBS:
        raise UsageError(f"expected 1 <= jobs <= {MOST_JOBS} (worker processes), got jobs={jobs}")


def shortest_decimal(value: Any) -> Any:
    """Return a float as its shortest decimal, so that 0.1 means 1/10; anything else as it is."""
    return repr(float(value)) if isinstance(value, float) else value
