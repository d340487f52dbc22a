"""Chapters of the report beyond its findings, each a function from the run to a section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.report.model import Finding, Section

if TYPE_CHECKING:
    from auditor.registry import Registry
    from auditor.runner import Settings


def sections(known: Registry, by_subject: Mapping[str, Sequence[Finding]], settings: Settings) -> list[Section]:
    """Sections in reading order."""
    return []
