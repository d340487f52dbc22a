"""An accountant as an audit target: data, plus the rule for whether its library is there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import ClassVar

from proofs_numeric.statements.verdict import Expectation


@dataclass(frozen=True, kw_only=True)
class Accountant:
    """A function that reports a delta, an epsilon, a threshold or a scale, and the claim it is held against."""

    id: str
    title: str
    against: str
    """Id of the claim whose parameters the function takes by keyword."""
    function: str
    """``package.module:callable``; imported only where the library is installed."""
    library: str = ""
    """Distribution on the package index; empty for accountants of this project."""
    box: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Searched ranges (exact strings) where they are narrower than the claim's domain."""
    tolerance: str = "1e-9"
    """Relative under-report that counts as rounding; 0 for libraries that promise outward rounding."""
    expected: Expectation = Expectation.HOLDS
    note: str = ""
    subject_kind: ClassVar[str] = "accountant"

    @property
    def held_to(self) -> str:
        """Id of the claim that it is held against."""
        return self.against

    @property
    def installed_version(self) -> str | None:
        """Version of the library, or None where it is not installed; ours have the suite's version."""
        return installed_version(self.library)


def installed_version(library: str) -> str | None:
    """Version of a distribution, the suite's where the name is empty; None where it is not installed."""
    try:
        return version(library or "sparse-histogram-auditor")
    except PackageNotFoundError:
        return None if library else "source tree"
