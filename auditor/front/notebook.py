"""Notebooks from claims and findings: built as data, executed in a fresh kernel."""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path
from typing import Any

from auditor.engine.registry import registry
from auditor.errors import UnknownIdError
from auditor.front.notebooks.pages import about_registered
from auditor.report.notebook import Cell, Code, Notebook, Prose

SECONDS = 600
"""Limit for one cell."""
SVG = "image/svg+xml"


def story_of(identifier: str) -> Notebook:
    """The notebook registered under an id, or a page about the claim, mechanism, fault, control or accountant.

    Raises:
        UnknownIdError: nothing has the id.

    """
    known = registry()
    story = known.notebooks.get(identifier) or about_registered(identifier, known)
    if story is None:
        everything = (known.notebooks, known.claims, known.mechanisms, known.faults, known.controls, known.accountants)
        raise UnknownIdError("notebook", identifier, [name for table in everything for name in table])
    return story


def build(story: Notebook) -> Any:
    """The notebook as an nbformat node, without outputs; cell ids are those of their position and text."""
    from nbformat.v4 import new_notebook

    cells = [_cell(Prose(f"# {story.title}"), 0), *(_cell(cell, i) for i, cell in enumerate(story.cells, start=1))]
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return new_notebook(cells=cells, metadata=metadata)


def _cell(cell: Cell, position: int) -> Any:
    from nbformat.v4 import new_code_cell, new_markdown_cell

    text = cell.text if isinstance(cell, Prose) else cell.source
    identifier = hashlib.sha256(f"{position}:{text}".encode()).hexdigest()[:8]
    if isinstance(cell, Prose):
        return new_markdown_cell(text, id=identifier)
    metadata = {"tags": list(cell.tags)} if isinstance(cell, Code) and cell.tags else {}
    return new_code_cell(text, id=identifier, metadata=metadata)


def executed(node: Any, folder: Path | None = None) -> Any:
    """Run every cell in a fresh kernel, without what depends on the clock: times, and where a print was cut in two.

    Figures get a text for those who do not see them. Paths in cells are relative to `folder`, or to where the command
    was given.
    """
    from nbclient import NotebookClient

    client = NotebookClient(
        node,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        resources={} if folder is None else {"metadata": {"path": str(folder)}},
    )
    client.execute()
    for output in (output for cell in node.cells for output in cell.get("outputs", [])):
        if SVG in output.get("data", {}):
            output.data[SVG] = labelled(output.data[SVG])
    node.metadata["language_info"] = {"name": "python"}
    return node


def labelled(figure: str) -> str:
    """Name a figure of matplotlib by the words in it: axes and lines; it draws them as paths, and notes them."""
    words = [html.unescape(text) for text in re.findall(r"<!-- (.*?) -->", figure)]
    names = dict.fromkeys(word for word in words if re.search(r"[^\W\d_]", word) and not word.startswith("$"))
    name = html.escape("Figure: " + "; ".join(names), quote=True)
    return re.sub(r"<svg\b", f'<svg role="img" aria-label="{name}"'.replace("\\", r"\\"), figure, count=1)


def write(story: Notebook, folder: Path, *, execute: bool) -> Path:
    """Write the notebook ``<id>.ipynb`` into a folder, executed there or not, and return its path."""
    import nbformat

    node = build(story)
    if execute:
        node = executed(node, folder)
    path = folder / f"{story.id}.ipynb"
    nbformat.write(node, path)
    return path
