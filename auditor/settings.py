"""The settings of a run, checked before anything else happens."""

from __future__ import annotations

from fractions import Fraction

from auditor.errors import UsageError


def exact_probability(text: str, name: str) -> str:
    """Return the exact number a user wrote for a probability; refuse what is not in (0, 1)."""
    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UsageError(f"expected 0 < {name} < 1 as an exact number such as 1e-6, got {name}={text}") from None
    if not 0 < value < 1:
        raise UsageError(f"expected 0 < {name} < 1, got {name}={text}")
    return text


def checked_settings(profile: str, seed: int, alpha: str, jobs: int) -> None:
    """Raise UsageError, in one line, for the first setting that cannot be used."""
    from auditor.profile import profile as profile_named

    profile_named(profile)
    exact_probability(alpha, "alpha")
    if seed < 0:
        raise UsageError(f"expected seed >= 0, got seed={seed}")
    if jobs < 1:
        raise UsageError(f"expected jobs >= 1 (worker processes), got jobs={jobs}")
