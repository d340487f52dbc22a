"""What a notebook is: an id, a title and cells; the suite's own are percent-format files in ``stories``.

A line ``# %% [markdown]`` begins a cell of prose, whose lines are comments, and ``# %%`` one of code.  What stands
before the first of them is the file's docstring, the first cell is the title, and the stem is the id.
"""

import json
import re
from pathlib import Path

from auditor.report.notebook import Cell, Code, Notebook, Prose

_BEGINS = re.compile(r"^# %%(?= \[markdown\]$| tags=\[.*\]$|$)", re.MULTILINE)


def read(path: Path) -> Notebook:
    """The notebook of a percent-format file; ValueError where its first cell is no title."""
    _docstring, *pieces = _BEGINS.split(path.read_text(encoding="utf-8"))
    title, *cells = (_cell(piece) for piece in pieces)
    if not (isinstance(title, Prose) and title.text.startswith("# ")):
        raise ValueError(f"{path}: expected a first cell '# %% [markdown]' with a title '# # ...', got {title}")
    return Notebook(path.stem, title.text.removeprefix("# "), tuple(cells))


def _cell(piece: str) -> Cell:
    kind, _, body = piece.partition("\n")
    if not kind or kind.startswith(" tags="):
        return Code(body.strip("\n"), tuple(json.loads(kind.removeprefix(" tags="))) if kind else ())
    return Prose(re.sub(r"^# ?", "", body, flags=re.MULTILINE).strip("\n"))


NOTEBOOKS = tuple(read(path) for path in sorted(Path(__file__).with_name("stories").glob("*.py")))
