"""What a run has to do: units of a check and a subject, in levels, under settings."""

from collections.abc import Sequence
from dataclasses import dataclass

from auditor.checks.check import Check, Subject
from auditor.engine.registry import Registry
from auditor.statistics.evidence import Continuation


@dataclass(frozen=True, order=True)
class Unit:
    """One check of one subject."""

    subject: str
    check: str

    @property
    def id(self) -> str:
        """``subject::check``."""
        return f"{self.subject}::{self.check}"


@dataclass(frozen=True)
class Settings:
    """What the bytes of a report depend on, besides the versions."""

    profile: str
    seed: int
    alpha: str
    continued: Continuation | None = None
    """The history that the run adds to."""


def plan(selection: Sequence[str], known: Registry) -> list[list[Unit]]:
    """Units in levels: those of a level need only claims of earlier levels."""
    subjects = known.subjects
    levels: dict[Unit, int] = {}
    depths: dict[str, int] = {}

    def depth(identifier: str, trail: tuple[str, ...]) -> int:
        if identifier in trail:
            raise ValueError(f"expected proofs without circles, got {' -> '.join((*trail, identifier))}")
        if identifier in depths:
            return depths[identifier]
        deepest = 0
        for check in checks_for(subjects[identifier], known):
            needs = sorted(check.after(subjects[identifier]))
            missing = next((need for need in needs if need not in known.claims), None)
            if missing is not None:
                raise ValueError(f"expected {identifier} to rest on registered claims, got {missing!r}")
            level = max((depth(need, (*trail, identifier)) + 1 for need in needs), default=0)
            levels[Unit(identifier, check.name)] = level
            deepest = max(deepest, level)
        depths[identifier] = deepest
        return deepest

    for identifier in known.select(selection):
        depth(identifier, ())
    count = max(levels.values(), default=-1) + 1
    return [sorted(unit for unit, level in levels.items() if level == wanted) for wanted in range(count)]


def checks_for(subject: Subject, known: Registry) -> list[Check]:
    """The checks that apply to a subject."""
    return [check for check in known.checks.values() if check.applies(subject, known)]
