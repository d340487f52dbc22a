"""The settings of a run, checked before anything else happens."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from auditor.errors import UsageError


def checked_probability(text: str, name: str) -> str:
    """Return the decimal a user wrote for a probability.

    Raises:
        UsageError: it is no decimal, or not in (0, 1).

    """
    try:
        value = Decimal(text)
    except InvalidOperation:
        raise UsageError(f"expected 0 < {name} < 1 as a decimal such as 1e-6, got {name}={text}") from None
    if not (value.is_finite() and 0 < value < 1):
        raise UsageError(f"expected 0 < {name} < 1, got {name}={text}")
    return text


def checked_settings(profile: str, seed: int, alpha: str, jobs: int) -> None:
    """Raise UsageError, in one line, for the first setting that cannot be used."""
    from auditor.profile import profile as profile_named

    profile_named(profile)
    checked_probability(alpha, "alpha")
    if seed < 0:
        raise UsageError(f"expected seed >= 0, got seed={seed}")
    if jobs < 1:
        raise UsageError(f"expected jobs >= 1 (worker processes), got jobs={jobs}")
