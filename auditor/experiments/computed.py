"""Figures whose curves are computed: a number a place, by accountants in doubles, to be read and not relied on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any

from auditor.experiments.result import Progress, Result, Row, format_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")


@dataclass(frozen=True)
class Curve:
    """One curve of a chart.

    Attributes:
        id: short name, in the numbers.
        title: what the legend calls it; equal titles of one figure share a colour.
        at: its value at a place; infinite, NaN or ValueError where there is none.
        dashed: drawn dashed.
    """

    id: str
    title: str
    at: Callable[[float], float]
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """One panel.

    Attributes:
        id: short name, in the numbers.
        title: what it is of.
        x, y: quantities on the axes, with units.
        places: where curves are computed; `full_places` in the full size.
        curves: what is compared.
        marks: places of dotted lines, by what they are.
        log: which axes are logarithmic, of "xy".
    """

    id: str
    title: str
    x: str
    y: str
    places: tuple[float, ...]
    full_places: tuple[float, ...]
    curves: tuple[Curve, ...]
    marks: Mapping[str, Callable[[], float]] = field(default_factory=dict)
    log: str = ""


@dataclass(frozen=True)
class Figure:
    """One figure; attributes as of `Described`, and its charts."""

    id: str
    title: str
    source: str
    charts: tuple[Chart, ...]
    settings: tuple[str, ...]
    unstated: tuple[str, ...]

    def run(self, *, full: bool = False, seed: int = 0, progress: Progress = None) -> Computed:
        """Compute every curve; nothing is drawn at random, so the seed changes nothing."""
        del seed
        total, done = sum(len(chart.curves) for chart in self.charts), count(1)

        def line(chart: Chart, curve: Curve) -> Line:
            if progress is not None:
                progress(f"curve {next(done)} of {total}: {curve.title}, {chart.title}")
            return _line(curve, chart.full_places if full else chart.places)

        panels = tuple(Panel(chart, tuple(line(chart, curve) for curve in chart.curves)) for chart in self.charts)
        return Computed(self, panels)


@dataclass(frozen=True)
class Line:
    """One curve: (place, value) where it has one, and why not elsewhere."""

    curve: Curve
    points: tuple[tuple[float, float], ...]
    missing: Mapping[str, str]


@dataclass(frozen=True)
class Panel:
    """One chart with its lines."""

    chart: Chart
    lines: tuple[Line, ...]

    def line(self, curve: str) -> Line:
        """The line of one curve, by its id."""
        return next(line for line in self.lines if line.curve.id == curve)


@dataclass(frozen=True, repr=False)
class Computed(Result):
    """What a run of a figure found."""

    experiment: Figure
    panels: tuple[Panel, ...]
    columns = ("chart", "curve", "x", "y")
    values = 1
    by = "the quantity on the axis of each chart"

    def panel(self, chart: str) -> Panel:
        """The panel of one chart, by its id."""
        return next(panel for panel in self.panels if panel.chart.id == chart)

    def rows(self) -> list[Row]:
        """A row a chart, curve and place."""
        return [
            (panel.chart.id, line.curve.id, x, y)
            for panel in self.panels
            for line in panel.lines
            for x, y in line.points
        ]

    def lines(self) -> tuple[list[str], list[list[str]]]:
        """One row a chart and curve."""
        return ["chart", "curve", "x: y"], [
            [panel.chart.id, line.curve.title, "  ".join(f"{x:.6g}: {y:.6g}" for x, y in line.points)]
            for panel in self.panels
            for line in panel.lines
        ]

    def gaps(self) -> list[str]:
        """One line a curve and reason: the places without a value."""
        return [
            f"no point: {line.curve.title}, {panel.chart.title}, {panel.chart.x} = {places}: {reason}"
            for panel in self.panels
            for line in panel.lines
            for reason in dict.fromkeys(line.missing.values())
            for places in [", ".join(x for x, other in line.missing.items() if other == reason)]
        ]

    def content(self) -> dict[str, Any]:
        """Every chart: axes, marks, curves."""
        return {
            "panels": [
                {
                    "chart": panel.chart.id,
                    "title": panel.chart.title,
                    "x": panel.chart.x,
                    "y": panel.chart.y,
                    "marks": {title: format_number(place()) for title, place in panel.chart.marks.items()},
                    "lines": [
                        {
                            "curve": line.curve.id,
                            "title": line.curve.title,
                            "points": [{"x": format_number(x), "y": format_number(y)} for x, y in line.points],
                            "missing": dict(line.missing),
                        }
                        for line in panel.lines
                    ],
                }
                for panel in self.panels
            ]
        }

    def size(self) -> tuple[float, float]:
        """A column a chart, three at most in a row."""
        rows, columns = self._grid()
        entries = len(self._titles()) + len({title for panel in self.panels for title in panel.chart.marks})
        return 4.2 * columns, 3.1 * rows + 0.25 * entries / columns + 0.3

    def draw(self, figure: Drawing) -> None:
        """A panel a chart, one legend for all."""
        axes = figure.subplots(*self._grid(), squeeze=False)
        colours = dict(zip(self._titles(), _COLOURS * len(self._titles()), strict=False))
        for place, panel in zip(axes.flat, self.panels, strict=False):
            _draw(place, panel, colours)
        for place in axes.flat[len(self.panels) :]:
            place.set_axis_off()
        legend: dict[str, Any] = {}
        for place in axes.flat:
            legend |= {label: handle for handle, label in zip(*place.get_legend_handles_labels(), strict=True)}
        columns = self._grid()[1]
        figure.legend(legend.values(), legend.keys(), loc="outside lower center", ncols=columns, frameon=False)

    def _grid(self) -> tuple[int, int]:
        charts = len(self.panels)
        columns = 2 if charts == 4 else min(charts, 3)
        return math.ceil(charts / columns), columns

    def _titles(self) -> list[str]:
        """Titles of the curves, each once."""
        return list(dict.fromkeys(line.curve.title for panel in self.panels for line in panel.lines))


def _line(curve: Curve, places: tuple[float, ...]) -> Line:
    points, missing = [], {}
    for x in places:
        try:
            y = curve.at(x)
        except ValueError as error:
            missing[f"{x:.6g}"] = str(error)
            continue
        if math.isfinite(y):
            points.append((x, y))
        else:
            missing[f"{x:.6g}"] = "no finite value"
    return Line(curve, tuple(points), missing)


_MARKED = 30
"""Most points that are marked one by one."""


def _covers(above: Line, below: Line, panel: Panel) -> bool:
    """Whether one runs within a two-hundredth of the panel's height of the other at half of their common places."""
    bend = math.log10 if "y" in panel.chart.log else float
    every = [bend(y) for line in panel.lines for _x, y in line.points]
    covered, near = dict(above.points), (max(every, default=0.0) - min(every, default=0.0)) / 200
    away = [abs(bend(covered[x]) - bend(y)) for x, y in below.points if x in covered]
    return bool(away) and 2 * sum(distance <= near for distance in away) >= len(away)


def _draw(axes: Axes, panel: Panel, colours: Mapping[str, str]) -> None:
    """Curves over one another; one that a later one covers is drawn broad, so that both are seen."""
    chart = panel.chart
    for above, line in enumerate(panel.lines, 1):
        covered = any(_covers(other, line, panel) for other in panel.lines[above:])
        axes.plot(
            [x for x, _y in line.points],
            [y for _x, y in line.points],
            color=colours[line.curve.title],
            linestyle="--" if line.curve.dashed else "-",
            marker="o" if len(line.points) <= _MARKED else "",
            markersize=5 if covered else 2.5,
            linewidth=3.2 if covered else 1.1,
            alpha=0.45 if covered else 1,
            label=line.curve.title,
        )
    for title, place in chart.marks.items():
        colour = colours.get(title.rpartition(": ")[2], "#777777")
        axes.axvline(place(), color=colour, linestyle=":", linewidth=1.1, label=title)
    if "x" in chart.log:
        axes.set_xscale("log")
    if "y" in chart.log:
        axes.set_yscale("log")
    axes.set_xlabel(chart.x)
    axes.set_ylabel(chart.y)
    axes.set_title(chart.title, fontsize=10)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
