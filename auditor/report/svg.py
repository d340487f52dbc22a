"""Plots as inline SVG: drawn by matplotlib, with colours from the page, so that dark mode applies."""

from __future__ import annotations

import hashlib
import re
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from auditor.report.model import Plot, Series

_INK: Final = "#010101"
_GRID: Final = "#020202"
_COLOURS: Final = {_INK: "var(--ink)", _GRID: "var(--line)"} | {f"#0{i}0f0f": f"var(--plot-{i})" for i in range(6)}
"""Colours used in no drawing, and the page's variables that replace them."""

_STYLE: Final[Any] = {
    "font.size": 9.0,
    "font.family": "sans-serif",
    "svg.fonttype": "none",
    "svg.hashsalt": "auditor",
    "axes.edgecolor": _INK,
    "axes.labelcolor": _INK,
    "text.color": _INK,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "grid.color": _GRID,
    "grid.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "mathtext.default": "regular",
}
_FORMATS: Final = {"line": ("-", ""), "dashed": ("--", ""), "points": ("", "o")}


def render(plot: Plot) -> str:
    """Return one plot as SVG with the caption as accessible name; equal data give equal bytes."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(4.4, 3.2), layout="constrained")
        axes = figure.subplots()
        for index, series in enumerate(plot.series):
            _draw(axes, series, f"#0{index % 6}0f0f")
        axes.set(xlabel=plot.x_label, ylabel=plot.y_label)
        axes.set_xscale("log" if plot.x_log else "linear")
        axes.set_yscale("log" if plot.y_log else "linear")
        axes.grid(visible=True)
        if len(plot.series) > 1:
            axes.legend(loc="best")
        buffer = StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _inline(buffer.getvalue(), plot.caption)


def _draw(axes: Axes, series: Series, colour: str) -> None:
    line, marker = _FORMATS[series.style]
    points = [(float(x), float(y)) for x, y in zip(series.x, series.y, strict=True) if "undefined" not in (x, y)]
    # a label with a leading underscore is left out of the legend, and dollars start mathematics
    label = "\u200b" + series.name.replace("$", r"\$")
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        linestyle=line,
        marker=marker,
        color=colour,
        markersize=4,
        label=label,
    )


def unique(svg: str, name: str) -> str:
    """Return a drawing with ids that are unique among other drawings on a page, and among copies under other names."""
    prefix = "p" + hashlib.sha256((name + svg).encode()).hexdigest()[:8]
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", svg)


def _inline(document: str, caption: str) -> str:
    """Return the SVG without the XML prologue, with an accessible name, unique ids and the page's colours."""
    from html import escape

    svg = document[document.index("<svg") :]
    for literal, variable in _COLOURS.items():
        svg = svg.replace(literal, variable)
    svg = unique(svg, caption)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'^<svg([^>]*?) width="[^"]*"', r"<svg\1", svg)
    svg = re.sub(r'^<svg([^>]*?) height="[^"]*"', r"<svg\1", svg)
    name = escape(caption)
    return svg.replace("<svg", f'<svg role="img" aria-label="{name}"', 1).strip()
