"""A simulation as data, and its run: every curve on every panel, repeated, with standard errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from auditor.experiments.curves import Curve
from auditor.experiments.measures import MEASURES, Measure, summary
from auditor.experiments.populations import POPULATIONS, Population
from auditor.experiments.result import Progress, Result, Row, format_number
from auditor.extras import required
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

    def run(
        self, *, full: bool = False, seed: int = SEED, repetitions: int = REPETITIONS, progress: Progress = None
    ) -> Simulated:
        """Simulate; a point depends on the seed, its population, B, curve and epsilon, and on nothing else."""
        sizes, epsilons = (self.full_buckets, self.full_epsilons) if full else (self.buckets, self.epsilons)
        total, done = len(sizes) * len(POPULATIONS) * len(self.curves), count(1)

        def report_progress(population: Population, buckets: int, curve: Curve) -> None:
            if progress is not None:
                progress(f"curve {next(done)} of {total}: {curve.title} on {population.title}, B = {buckets}")

        panels = tuple(
            _panel(self, population, buckets, epsilons, seed, repetitions, report_progress)
            for buckets in sizes
            for population in POPULATIONS
        )
        return Simulated(self, repetitions, seed, panels)


@dataclass(frozen=True)
class Point:
    """Mean over repetitions at one epsilon, its standard error, and the mechanism's parameters.

    `measured` has the value of each repetition.
    """

    epsilon: float
    mean: float
    standard_error: float
    parameters: Mapping[str, float]
    measured: tuple[float, ...] = ()


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


@dataclass(frozen=True, repr=False)
class Simulated(Result):
    """What a run of a simulation found."""

    experiment: Experiment
    repetitions: int
    seed: int
    panels: tuple[Panel, ...]
    columns = ("population", "buckets", "mechanism", "epsilon", "mean", "standard_error")
    values = 2
    by = "epsilon"

    def panel(self, population: str, buckets: int) -> Panel:
        """The panel of one population and size."""
        return next(panel for panel in self.panels if (panel.population, panel.buckets) == (population, buckets))

    def rows(self) -> list[Row]:
        """A row a panel, curve and epsilon: the mean and its standard error."""
        return [
            (panel.title, panel.buckets, line.title, point.epsilon, point.mean, point.standard_error)
            for panel in self.panels
            for line in panel.lines
            for point in line.points
        ]

    def intervals(self, level: float = 0.95) -> DataFrame:
        """Return a confidence interval of each mean as a frame of pandas, by Student's t (statsmodels).

        Args:
            level: probability in (0, 1) that the interval covers the mean, for values that are nearly normal.

        Raises:
            MissingPackageError: pandas or statsmodels is not installed.
        """
        required("statsmodels")
        statistics = required("statsmodels.stats.weightstats").DescrStatsW
        rows = [
            (panel.title, panel.buckets, line.title, point.epsilon, point.mean, *map(float, ends))
            for panel in self.panels
            for line in panel.lines
            for point in line.points
            for ends in [statistics(point.measured).tconfint_mean(1 - level)]
        ]
        columns = [*self.columns[:-1], "low", "high"]
        return required("pandas").DataFrame(rows, columns=columns).set_index(columns[:4])

    def lines(self) -> tuple[list[str], list[list[str]]]:
        """One row a panel and curve: mean and standard error at every epsilon."""
        return ["population", "B", "mechanism", "epsilon: mean (standard error)"], [
            [
                panel.title,
                str(panel.buckets),
                line.title,
                "  ".join(f"{p.epsilon:g}: {p.mean:.3g} ({p.standard_error:.1g})" for p in line.points),
            ]
            for panel in self.panels
            for line in panel.lines
        ]

    def gaps(self) -> list[str]:
        """One line a curve and epsilon without a point."""
        return sorted(
            {
                f"no point: {line.title}, epsilon = {epsilon}: {reason}"
                for panel in self.panels
                for line in panel.lines
                for epsilon, reason in line.missing.items()
            }
        )

    def content(self) -> dict[str, Any]:
        """Measure, seed, and every panel with the parameters of its points."""
        return {
            "measure": self.experiment.measure.value,
            "repetitions": self.repetitions,
            "seed": self.seed,
            "panels": [
                {
                    "population": panel.title,
                    "buckets": panel.buckets,
                    "clients": panel.clients,
                    "lines": [
                        {
                            "curve": line.curve,
                            "title": line.title,
                            "points": [
                                {
                                    "epsilon": format_number(point.epsilon),
                                    "mean": format_number(point.mean),
                                    "standard_error": format_number(point.standard_error),
                                    "parameters": {
                                        name: format_number(value) for name, value in point.parameters.items()
                                    },
                                }
                                for point in line.points
                            ],
                            "missing": dict(line.missing),
                        }
                        for line in panel.lines
                    ],
                }
                for panel in self.panels
            ],
        }

    def size(self) -> tuple[float, float]:
        """A row of panels a number of buckets."""
        from auditor.experiments.drawing import size

        return size(self)

    def draw(self, figure: Figure) -> None:
        """A row of panels a number of buckets, a column a population."""
        from auditor.experiments.drawing import draw

        draw(self, figure)


def _panel(
    experiment: Experiment,
    population: Population,
    buckets: int,
    epsilons: tuple[float, ...],
    seed: int,
    repetitions: int,
    announce: Callable[[Population, int, Curve], None],
) -> Panel:
    counts = population.counts(buckets)
    measured = MEASURES[experiment.measure]
    lines = []
    for curve in experiment.curves:
        announce(population, buckets, curve)
        points, missing = [], {}
        for epsilon in epsilons:
            try:
                parameters = curve.calibrate(epsilon, counts)
            except ValueError as error:
                missing[f"{epsilon:g}"] = str(error)
                continue
            rng = block_generator(seed, population.id, buckets, curve.id, f"{epsilon:g}")
            estimates = curve.estimate(counts, parameters, repetitions, rng)
            values = measured(estimates, counts)
            points.append(Point(epsilon, *summary(values), parameters, tuple(map(float, values))))
        lines.append(Line(curve.id, curve.title, tuple(points), missing))
    return Panel(population.id, population.title, buckets, int(counts.sum()), tuple(lines))
