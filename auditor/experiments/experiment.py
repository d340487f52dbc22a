"""An experiment as data, and its run: every curve on every panel, repeated, with standard errors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from auditor.experiments.curves import Curve
from auditor.experiments.measures import MEASURES, Measure, summary
from auditor.experiments.populations import POPULATIONS, Population
from auditor.statistics.seeds import block_generator

REPETITIONS = 10
SEED = 0


@dataclass(frozen=True)
class Experiment:
    """One figure of a paper.

    Attributes:
        id: its name on the command line.
        title: what it shows.
        source: where it stands in the paper.
        measure: what is measured.
        curves: what is compared.
        buckets: histogram sizes B, a row of panels each; `full_buckets` in the full size.
        epsilons: where curves are computed; `full_epsilons` in the full size.
        settings: what the paper states, in words.
        unstated: what the paper leaves open, with the choice made here.
    """

    id: str
    title: str
    source: str
    measure: Measure
    curves: tuple[Curve, ...]
    buckets: tuple[int, ...]
    full_buckets: tuple[int, ...]
    epsilons: tuple[float, ...]
    full_epsilons: tuple[float, ...]
    settings: tuple[str, ...]
    unstated: tuple[str, ...]


@dataclass(frozen=True)
class Point:
    """Mean over repetitions at one epsilon, its standard error, and the mechanism's parameters."""

    epsilon: float
    mean: float
    standard_error: float
    parameters: Mapping[str, float]


@dataclass(frozen=True)
class Line:
    """One curve on one panel; `missing` says at which epsilon there is none, and why."""

    curve: str
    title: str
    points: tuple[Point, ...]
    missing: Mapping[str, str]

    def at(self, epsilon: float) -> Point:
        """The point at one epsilon; KeyError where the curve has none."""
        for point in self.points:
            if point.epsilon == epsilon:
                return point
        raise KeyError(self.missing.get(f"{epsilon:g}", f"no point of {self.curve} at epsilon={epsilon:g}"))


@dataclass(frozen=True)
class Panel:
    """All curves on one population at one number of buckets."""

    population: str
    title: str
    buckets: int
    clients: int
    lines: tuple[Line, ...]

    def line(self, curve: str) -> Line:
        """The line of one curve."""
        return next(line for line in self.lines if line.curve == curve)


@dataclass(frozen=True)
class Result:
    """What a run found."""

    experiment: Experiment
    repetitions: int
    seed: int
    panels: tuple[Panel, ...]

    def panel(self, population: str, buckets: int) -> Panel:
        """The panel of one population and size."""
        return next(panel for panel in self.panels if (panel.population, panel.buckets) == (population, buckets))


def run(experiment: Experiment, *, full: bool = False, seed: int = SEED, repetitions: int = REPETITIONS) -> Result:
    """Run an experiment; a point depends on the seed, its population, B, curve and epsilon, and on nothing else."""
    sizes, epsilons = (
        (experiment.full_buckets, experiment.full_epsilons) if full else (experiment.buckets, experiment.epsilons)
    )
    panels = tuple(
        _panel(experiment, population, buckets, epsilons, seed, repetitions)
        for buckets in sizes
        for population in POPULATIONS
    )
    return Result(experiment, repetitions, seed, panels)


def _panel(
    experiment: Experiment,
    population: Population,
    buckets: int,
    epsilons: tuple[float, ...],
    seed: int,
    repetitions: int,
) -> Panel:
    counts = population.counts(buckets)
    measured = MEASURES[experiment.measure]
    lines = []
    for curve in experiment.curves:
        points, missing = [], {}
        for epsilon in epsilons:
            try:
                parameters = curve.calibrate(epsilon, counts)
            except ValueError as error:
                missing[f"{epsilon:g}"] = str(error)
                continue
            rng = block_generator(seed, population.id, buckets, curve.id, f"{epsilon:g}")
            estimates = curve.estimate(counts, parameters, repetitions, rng)
            points.append(Point(epsilon, *summary(measured(estimates, counts)), parameters))
        lines.append(Line(curve.id, curve.title, tuple(points), missing))
    return Panel(population.id, population.title, buckets, int(counts.sum()), tuple(lines))
