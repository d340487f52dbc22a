"""Plan of a run: units of a check and a subject, in levels, with settings."""

import heapq
from collections.abc import Mapping, Sequence
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
    """Settings that, with the versions, determine the bytes of a report."""

    profile: str
    seed: int
    alpha: str
    continued: Continuation | None = None
    """The open run in the history that this run continues."""


def plan(selection: Sequence[str], catalogue: Registry) -> list[list[Unit]]:
    """Return the units in levels: the units of a level need only claims of earlier levels."""
    subjects = catalogue.subjects
    levels: dict[Unit, int] = {}
    depths: dict[str, int] = {}

    def depth(identifier: str, trail: tuple[str, ...]) -> int:
        if identifier in trail:
            raise ValueError(f"expected proofs without circles, got {' -> '.join((*trail, identifier))}")
        if identifier in depths:
            return depths[identifier]
        deepest, last = 0, []
        for check in checks_for(subjects[identifier], catalogue):
            needs = sorted(check.after(subjects[identifier]))
            missing = next((need for need in needs if need not in catalogue.claims), None)
            if missing is not None:
                raise ValueError(f"expected {identifier} to rest on registered claims, got {missing!r}")
            needs_beside = (need for need in needs if need != identifier)
            level = max((depth(need, (*trail, identifier)) + 1 for need in needs_beside), default=0)
            if identifier in needs:
                last.append((check.name, level))
                continue
            levels[Unit(identifier, check.name)] = level
            deepest = max(deepest, level)
        for name, level in last:  # checks that need the verdict of their own subject's other checks
            levels[Unit(identifier, name)] = max(level, deepest + 1)
        deepest = max([deepest, *(levels[Unit(identifier, name)] for name, _level in last)])
        depths[identifier] = deepest
        return deepest

    for identifier in catalogue.select(selection):
        depth(identifier, ())
    count = max(levels.values(), default=-1) + 1
    return [sorted(unit for unit, level in levels.items() if level == target_level) for target_level in range(count)]


def checks_for(subject: Subject, catalogue: Registry) -> list[Check]:
    """Return the checks that apply to a subject."""
    return [check for check in catalogue.checks.values() if check.applies(subject, catalogue)]


class Agenda:
    """Queue of units: a unit comes after all units of its premises, and the longest chain of units comes first.

    The units of one check and one paper or library (the prefix of their ids) form a group. They share proofs,
    enclosures and libraries, so a worker that has run a unit of a group has priority for the others.

    Args:
        units: the units of a plan, level by level.
        catalogue: all registered items.
        seconds: seconds of each unit's last run, by id; a missing unit counts as the mean.

    """

    def __init__(self, units: Sequence[Unit], catalogue: Registry, seconds: Mapping[str, float] | None = None) -> None:
        self.of: dict[str, list[Unit]] = {}
        """Units of each subject."""
        for unit in units:
            self.of.setdefault(unit.subject, []).append(unit)
        self.needs = {
            unit: sorted(catalogue.checks[unit.check].after(catalogue.subjects[unit.subject])) for unit in units
        }
        """Claims that each unit rests on."""
        self._before = {
            unit: {each for need in self.needs[unit] for each in self.of.get(need, ()) if each != unit}
            for unit in units
        }
        self._after: dict[Unit, list[Unit]] = {unit: [] for unit in units}
        for unit, before in self._before.items():
            for each in before:
                self._after[each].append(unit)
        took = seconds or {}
        mean = sum(took.values()) / len(took) if took else 1.0
        self._chains: dict[Unit, float] = {}
        for unit in reversed(units):
            after = max((self._chains[each] for each in self._after[unit]), default=0.0)
            self._chains[unit] = took.get(unit.id, mean) + after
        self._ready: dict[tuple[str, str], list[tuple[float, Unit]]] = {}
        """Heap of ready units by group."""
        self._workers: dict[tuple[str, str], int] = {}
        """Worker that ran the first unit of a group."""
        self._taken: set[Unit] = set()
        for unit in units:
            self._offer(unit)

    def __len__(self) -> int:
        """Return the number of units that are not taken."""
        return len(self._before) - len(self._taken)

    def take(self, worker: int | None = None) -> Unit | None:
        """Return the next unit for a worker; None if all other units wait for a running one."""
        if not self._ready:
            return None
        of_others = {group for group, owner in self._workers.items() if worker not in {None, owner}}
        group = min(self._ready, key=lambda each: (each in of_others, self._ready[each][0]))
        _chain, unit = heapq.heappop(self._ready[group])
        if not self._ready[group]:
            del self._ready[group]
        if worker is not None and group[1]:
            self._workers.setdefault(group, worker)
        self._taken.add(unit)
        return unit

    def give_back(self) -> None:
        """Put units that were taken and are not done back in the queue."""
        lost, self._taken = self._taken, set()
        for unit in lost:
            self._offer(unit)

    def done(self, unit: Unit) -> None:
        """Mark a taken unit as done, and queue the units that waited for it alone."""
        self._taken.discard(unit)
        del self._before[unit]
        for each in self._after[unit]:
            self._before[each].discard(unit)
            self._offer(each)

    def _offer(self, unit: Unit) -> None:
        if not self._before[unit]:
            first, dot, _rest = unit.subject.partition(".")
            heapq.heappush(self._ready.setdefault((unit.check, first * bool(dot)), []), (-self._chains[unit], unit))
