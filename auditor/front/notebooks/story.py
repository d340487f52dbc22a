"""The notebooks of the suite: percent-format files in ``stories``.

A line ``# %% [markdown]`` begins a cell of prose, whose lines are comments. A line ``# %%`` begins a cell of code. A
line ``# %% violation`` begins a cell of code that defines a violation: the cells that draw it follow. The docstring of
the file precedes the first cell. The first cell is the title, and the stem of the file is the id.
"""

import json
import re
from pathlib import Path

from auditor.front.notebooks import violation
from auditor.report.notebook import Cell, Code, Notebook, Prose

_BEGINS = re.compile(r"^# %%(?= \[markdown\]$| tags=\[.*\]$| violation$|$)", re.MULTILINE)


def read(path: Path) -> Notebook:
    """Return the notebook of a percent-format file.

    Raises:
        ValueError: the first cell is no title.
    """
    _docstring, *pieces = _BEGINS.split(path.read_text(encoding="utf-8"))
    title, *cells = (cell for piece in pieces for cell in _cells(piece))
    if not (isinstance(title, Prose) and title.text.startswith("# ")):
        raise ValueError(f"{path}: expected a first cell '# %% [markdown]' with a title '# # ...', got {title}")
    return Notebook(path.stem, title.text.removeprefix("# "), tuple(cells))


def _cells(piece: str) -> tuple[Cell, ...]:
    kind, _, body = piece.partition("\n")
    if kind == " violation":
        return Code(body.strip("\n")), *violation.CELLS
    return (_cell(kind, body),)


def _cell(kind: str, body: str) -> Cell:
    if not kind or kind.startswith(" tags="):
        return Code(body.strip("\n"), tuple(json.loads(kind.removeprefix(" tags="))) if kind else ())
    return Prose(re.sub(r"^# ?", "", body, flags=re.MULTILINE).strip("\n"))


NOTEBOOKS = tuple(read(path) for path in sorted(Path(__file__).with_name("stories").glob("*.py")))
