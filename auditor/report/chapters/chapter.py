"""What a chapter of the report is: a rule for the runs it belongs to, and a function that writes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from auditor.profile import Profile
from auditor.report.model import Finding, Section

if TYPE_CHECKING:
    from auditor.engine.registry import Registry

Findings = Mapping[str, Sequence[Finding]]
"""Findings of the run by subject."""


@dataclass(frozen=True)
class Chapter:
    """One chapter.  ``id`` orders the chapters; ``needs`` tells whether a subject of the run calls for it."""

    id: str
    needs: Callable[[str, Registry], bool]
    write: Callable[[Registry, Findings, Profile], Section]


def chapters(known: Registry, findings: Findings, profile: Profile) -> list[Section]:
    """The chapters that belong to a run, in order of id."""
    return [
        chapter.write(known, findings, profile)
        for chapter in known.sections.values()
        if any(chapter.needs(subject, known) for subject in findings)
    ]
