"""Results of a simulation as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.experiments.measures import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from auditor.experiments.experiment import Experiment, Panel, Simulated

_COLOURS = {
    "sample-and-threshold": "#0072b2",
    "Laplace": "#d55e00",
    "shuffle": "#009e73",
    "Hadamard": "#cc79a7",
    "hierarchical": "#0072b2",
    "one level": "#e69f00",
}


def _grid(result: Simulated) -> tuple[int, int]:
    rows = len({panel.buckets for panel in result.panels})
    return rows, len(result.panels) // rows


def size(result: Simulated) -> tuple[float, float]:
    """Width and height of the figure in inches."""
    rows, columns = _grid(result)
    return 3.5 * columns, 2.7 * rows + 1.1


def draw(result: Simulated, figure: Figure) -> None:
    """A row of panels a number of buckets, a column a population; bars are one standard error either way."""
    axes = figure.subplots(*_grid(result), sharex=True, squeeze=False)
    for place, panel in zip(axes.flat, result.panels, strict=True):
        _draw_panel(place, panel, result.experiment)
    for place in axes[-1]:
        place.set_xlabel("epsilon (nats)")
    figure.supylabel(result.experiment.measure.value)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)


def _draw_panel(axes: Axes, panel: Panel, experiment: Experiment) -> None:
    for curve, line in zip(experiment.curves, panel.lines, strict=True):
        axes.errorbar(
            [point.epsilon for point in line.points],
            [point.mean for point in line.points],
            [point.standard_error for point in line.points],
            color=_COLOURS[curve.family],
            linestyle="--" if curve.dashed else "-",
            marker="o",
            markersize=2.5,
            linewidth=1.1,
            label=line.title,
        )
    if experiment.measure is Measure.ERROR:
        axes.axhline(1 / panel.buckets, color="#777777", linestyle=":", linewidth=1.1, label="zero for every bucket")
    if experiment.measure is Measure.RECALL:
        axes.set_ylim(-0.03, 1.03)
    else:
        axes.set_yscale("log")
    axes.set_title(f"{panel.title}, B = {panel.buckets}", fontsize=10)
    axes.grid(visible=True, linewidth=0.4, alpha=0.5)
