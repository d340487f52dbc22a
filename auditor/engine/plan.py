"""What a run has to do: units of a check and a subject, in levels, under settings."""

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
        deepest, last = 0, []
        for check in checks_for(subjects[identifier], known):
            needs = sorted(check.after(subjects[identifier]))
            missing = next((need for need in needs if need not in known.claims), None)
            if missing is not None:
                raise ValueError(f"expected {identifier} to rest on registered claims, got {missing!r}")
            others = (need for need in needs if need != identifier)
            level = max((depth(need, (*trail, identifier)) + 1 for need in others), default=0)
            if identifier in needs:
                last.append((check.name, level))
                continue
            levels[Unit(identifier, check.name)] = level
            deepest = max(deepest, level)
        for name, level in last:  # checks that need the verdict of the subject's other checks
            levels[Unit(identifier, name)] = max(level, deepest + 1)
        deepest = max([deepest, *(levels[Unit(identifier, name)] for name, _level in last)])
        depths[identifier] = deepest
        return deepest

    for identifier in known.select(selection):
        depth(identifier, ())
    count = max(levels.values(), default=-1) + 1
    return [sorted(unit for unit, level in levels.items() if level == wanted) for wanted in range(count)]


def checks_for(subject: Subject, known: Registry) -> list[Check]:
    """The checks that apply to a subject."""
    return [check for check in known.checks.values() if check.applies(subject, known)]


class Agenda:
    """Units to run, each after all units of the claims that it rests on: first what begins the longest chains.

    A worker that has run a unit gets others of its kin, with which it shares proofs, enclosures and libraries, before
    another does: kin are the units of one check and one paper or library, with which their ids begin.

    Args:
        units: those of a plan, level by level.
        known: the catalogue.
        seconds: what units took when they last ran, by id; one that is not among them is taken for a mean one.

    """

    def __init__(self, units: Sequence[Unit], known: Registry, seconds: Mapping[str, float] | None = None) -> None:
        self.of: dict[str, list[Unit]] = {}
        """Units of each subject."""
        for unit in units:
            self.of.setdefault(unit.subject, []).append(unit)
        self.needs = {unit: sorted(known.checks[unit.check].after(known.subjects[unit.subject])) for unit in units}
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
        """By kin."""
        self._workers: dict[tuple[str, str], int] = {}
        """Who has run the first of them."""
        self._taken: set[Unit] = set()
        for unit in units:
            self._offer(unit)

    def __len__(self) -> int:
        """How many are not taken yet."""
        return len(self._before) - len(self._taken)

    def take(self, worker: int | None = None) -> Unit | None:
        """The next unit, for that worker if one asks; None where all that are left wait for one that is under way."""
        if not self._ready:
            return None
        of_others = {kin for kin, its in self._workers.items() if worker not in {None, its}}
        kin = min(self._ready, key=lambda each: (each in of_others, self._ready[each][0]))
        _chain, unit = heapq.heappop(self._ready[kin])
        if not self._ready[kin]:
            del self._ready[kin]
        if worker is not None and kin[1]:
            self._workers.setdefault(kin, worker)
        self._taken.add(unit)
        return unit

    def give_back(self) -> None:
        """Offer again what was taken and is not done."""
        lost, self._taken = self._taken, set()
        for unit in lost:
            self._offer(unit)

    def done(self, unit: Unit) -> None:
        """Let go what waits for a unit that was taken."""
        self._taken.discard(unit)
        del self._before[unit]
        for each in self._after[unit]:
            self._before[each].discard(unit)
            self._offer(each)

    def _offer(self, unit: Unit) -> None:
        if not self._before[unit]:
            first, dot, _rest = unit.subject.partition(".")
            heapq.heappush(self._ready.setdefault((unit.check, first * bool(dot)), []), (-self._chains[unit], unit))
