"""Results of an experiment as a figure and as a JSON document: same run, same bytes."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING, Any

from auditor.experiments.measures import Measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from auditor.experiments.experiment import Experiment, Panel, Result

_COLOURS = {
    "sample-and-threshold": "#0072b2",
    "Laplace": "#d55e00",
    "shuffle": "#009e73",
    "Hadamard": "#cc79a7",
    "hierarchical": "#0072b2",
    "one level": "#e69f00",
}
_FORMATS: dict[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None, "Creator": None}},
    "png": {"metadata": {"Software": None}, "dpi": 150},
}
DIGITS = 6


def _grid(result: Result) -> tuple[int, int]:
    rows = len({panel.buckets for panel in result.panels})
    return rows, len(result.panels) // rows


def size(result: Result) -> tuple[float, float]:
    """Width and height of the figure in inches."""
    rows, columns = _grid(result)
    return 3.5 * columns, 2.7 * rows + 1.1


def draw(result: Result, figure: Figure | None = None) -> Figure:
    """A row of panels a number of buckets, a column a population; bars are one standard error either way."""
    from matplotlib.figure import Figure

    figure = figure or Figure(figsize=size(result), layout="constrained")
    axes = figure.subplots(*_grid(result), sharex=True, squeeze=False)
    for place, panel in zip(axes.flat, result.panels, strict=True):
        _draw_panel(place, panel, result.experiment)
    for place in axes[-1]:
        place.set_xlabel("epsilon (nats)")
    figure.supylabel(result.experiment.measure.value)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return figure


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


def picture(result: Result, kind: str) -> bytes:
    """The figure as ``svg`` or ``png``."""
    import matplotlib as mpl

    buffer = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "auditor", "svg.fonttype": "none"}):
        draw(result).savefig(buffer, format=kind, **_FORMATS[kind])
    return buffer.getvalue()


def _text(value: float) -> str:
    return f"{value:.{DIGITS}g}"


def document(result: Result) -> str:
    """The numbers as JSON; real numbers are decimal strings rounded to nearest, no bounds."""
    experiment = result.experiment
    content = {
        "experiment": experiment.id,
        "title": experiment.title,
        "source": experiment.source,
        "measure": experiment.measure.value,
        "settings": list(experiment.settings),
        "unstated": list(experiment.unstated),
        "repetitions": result.repetitions,
        "seed": result.seed,
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
                                "epsilon": _text(point.epsilon),
                                "mean": _text(point.mean),
                                "standard_error": _text(point.standard_error),
                                "parameters": {name: _text(value) for name, value in point.parameters.items()},
                            }
                            for point in line.points
                        ],
                        "missing": dict(line.missing),
                    }
                    for line in panel.lines
                ],
            }
            for panel in result.panels
        ],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
