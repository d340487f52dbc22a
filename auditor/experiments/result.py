"""What a run of an experiment found: a figure, a frame, and the same numbers as JSON and CSV; same run, same bytes."""

from __future__ import annotations

import csv
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from auditor.extras import required
from auditor.findings.card import format_facts, render_image

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

Progress = Callable[[str], object] | None
"""Called before each curve of a panel with which it is, of how many."""
Row = tuple[str | int | float, ...]

_DIGITS = 6
_FORMATS: Mapping[str, dict[str, Any]] = {
    "svg": {"metadata": {"Date": None, "Creator": None}},
    "png": {"metadata": {"Software": None}, "dpi": 150},
}


class Described(Protocol):
    """A figure as data, of a paper or of this project.

    Attributes:
        id: its name on the command line.
        title: what it shows.
        source: where it stands.
        settings: what is stated, in words.
        unstated: what the source leaves open, with the choice made here.
    """

    @property
    def id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def settings(self) -> tuple[str, ...]: ...
    @property
    def unstated(self) -> tuple[str, ...]: ...

    def run(self, *, full: bool = False, seed: int = 0, progress: Progress = None) -> Result:
        """Compute every curve of every panel; `full` at every size and place."""


@dataclass(frozen=True)
class Result(ABC):
    """What a run of an experiment found; a notebook shows it as its figure.

    Attributes:
        experiment: what was run.
    """

    experiment: Described
    columns: ClassVar[tuple[str, ...]]
    """Of the frame and of the CSV; those before `values` name a row."""
    values: ClassVar[int]
    """How many of the columns, the last ones, are numbers found."""
    by: ClassVar[str]
    """What the figure is read along."""

    @abstractmethod
    def rows(self) -> Sequence[Row]:
        """A row a point, by `columns`."""

    @abstractmethod
    def content(self) -> dict[str, Any]:
        """What the JSON document holds beside what the experiment says of itself."""

    @abstractmethod
    def lines(self) -> tuple[list[str], list[list[str]]]:
        """Headings, and a row a panel and curve with all its points in one cell."""

    @abstractmethod
    def gaps(self) -> list[str]:
        """One line a curve and place without a point, with the reason."""

    @abstractmethod
    def size(self) -> tuple[float, float]:
        """Width and height of the figure in inches."""

    @abstractmethod
    def draw(self, figure: Figure) -> None:
        """Draw every panel on an empty figure of matplotlib."""

    def to_frame(self) -> DataFrame:
        """Return a row a point as a frame of pandas, indexed by what names it.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        columns = list(self.columns)
        return required("pandas").DataFrame(self.rows(), columns=columns).set_index(columns[: -self.values])

    def plot(self) -> Figure:
        """Draw a panel a population and number of buckets, or a chart, and return the figure of matplotlib.

        Raises:
            MissingPackageError: matplotlib is not installed.
        """
        required("matplotlib")
        from matplotlib.figure import Figure

        figure = Figure(figsize=self.size(), layout="constrained")
        self.draw(figure)
        return figure

    def picture(self, kind: str) -> bytes:
        """The figure as ``svg`` or ``png``."""
        import matplotlib as mpl

        buffer = BytesIO()
        with mpl.rc_context({"svg.hashsalt": "auditor", "svg.fonttype": "none"}):
            self.plot().savefig(buffer, format=kind, **_FORMATS[kind])
        return buffer.getvalue()

    def document(self) -> str:
        """The numbers as JSON; real numbers are decimal strings rounded to nearest, no bounds."""
        one = self.experiment
        head = {"experiment": one.id, "title": one.title, "source": one.source}
        settings = {"settings": list(one.settings), "unstated": list(one.unstated)}
        return json.dumps(head | settings | self.content(), indent=2, ensure_ascii=False) + "\n"

    def table(self) -> str:
        """The numbers as CSV, a row a point, rounded as in the document."""
        text = StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(
            [format_number(cell) if isinstance(cell, float) else cell for cell in row] for row in self.rows()
        )
        return text.getvalue()

    def __repr__(self) -> str:
        return f"<{self.experiment.id}: {self.experiment.title}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the figure, what is measured, and what the source leaves open."""
        one = self.experiment
        figure = render_image(self.draw, f"{one.title}, by {self.by}", self.size())
        facts = [("settings", one.settings), ("left open by the paper", one.unstated)]
        return f"<div>{figure}{format_facts((name, '; '.join(each)) for name, each in facts)}</div>"


def format_number(value: float) -> str:
    """A real number, six digits."""
    return f"{value:.{_DIGITS}g}"
