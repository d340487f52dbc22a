"""An experiment as data, and its run: every curve on every panel, repeated, with standard errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING

from auditor.experiments.curves import Curve
from auditor.experiments.measures import MEASURES, Measure, summary
from auditor.experiments.populations import POPULATIONS, Population
from auditor.extras import required
from auditor.findings.card import drawn, named
from auditor.statistics.seeds import block_generator

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

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
    """What a run of an experiment found; a notebook shows it as its figure."""

    experiment: Experiment
    repetitions: int
    seed: int
    panels: tuple[Panel, ...]

    def panel(self, population: str, buckets: int) -> Panel:
        """The panel of one population and size."""
        return next(panel for panel in self.panels if (panel.population, panel.buckets) == (population, buckets))

    def __repr__(self) -> str:
        return f"<{self.experiment.id}: {self.experiment.title}>"

    def to_frame(self) -> DataFrame:
        """Return a row a panel, curve and epsilon as a frame of pandas: the mean and its standard error.

        Raises:
            MissingPackageError: pandas is not installed.

        """
        rows = [
            (panel.title, panel.buckets, line.title, point.epsilon, point.mean, point.standard_error)
            for panel in self.panels
            for line in panel.lines
            for point in line.points
        ]
        columns = ["population", "buckets", "mechanism", "epsilon", "mean", "standard_error"]
        return required("pandas").DataFrame(rows, columns=columns).set_index(columns[:4])

    def plot(self) -> Figure:
        """Draw a panel a population and number of buckets, and return the figure of matplotlib.

        Raises:
            MissingPackageError: matplotlib is not installed.

        """
        required("matplotlib")
        from auditor.experiments.drawing import draw

        return draw(self)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the figure, what is measured, and what the paper leaves open."""
        from auditor.experiments.drawing import draw, size

        figure = drawn(lambda figure: draw(self, figure), f"{self.experiment.title}, by epsilon", size(self))
        told = [("settings", self.experiment.settings), ("left open by the paper", self.experiment.unstated)]
        return f"<div>{figure}{named((name, '; '.join(each)) for name, each in told)}</div>"


def run(
    experiment: Experiment,
    *,
    full: bool = False,
    seed: int = SEED,
    repetitions: int = REPETITIONS,
    progress: Callable[[str], object] | None = None,
) -> Result:
    """Run an experiment; a point depends on the seed, its population, B, curve and epsilon, and on nothing else.

    `progress` is called before each curve of a panel with which it is, of how many.
    """
    sizes, epsilons = (
        (experiment.full_buckets, experiment.full_epsilons) if full else (experiment.buckets, experiment.epsilons)
    )
    total, done = len(sizes) * len(POPULATIONS) * len(experiment.curves), count(1)

    def told(population: Population, buckets: int, curve: Curve) -> None:
        if progress is not None:
            progress(f"curve {next(done)} of {total}: {curve.title} on {population.title}, B = {buckets}")

    panels = tuple(
        _panel(experiment, population, buckets, epsilons, seed, repetitions, told)
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
    told: Callable[[Population, int, Curve], None],
) -> Panel:
    counts = population.counts(buckets)
    measured = MEASURES[experiment.measure]
    lines = []
    for curve in experiment.curves:
        told(population, buckets, curve)
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
