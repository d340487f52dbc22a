"""Notebooks from claims and findings: built as data, executed in a fresh kernel."""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

from auditor.engine.registry import registry
from auditor.errors import UnknownIdError
from auditor.report.notebook import Cell, Code, Notebook, Prose
from proofs_numeric.statements.claim import Claim

SECONDS = 600
"""Limit for one cell."""
SVG = "image/svg+xml"


def story_of(identifier: str) -> Notebook:
    """The notebook registered under an id, or a page about one claim.

    Raises:
        UnknownIdError: neither a notebook nor a claim.

    """
    known = registry()
    if identifier in known.notebooks:
        return known.notebooks[identifier]
    if identifier in known.claims:
        return about_claim(known.claims[identifier])
    raise UnknownIdError("notebook", identifier, [*known.notebooks, *known.claims])


def about_claim(claim: Claim) -> Notebook:
    """A page about one claim: the statement, and its findings."""
    cells: list[Cell] = [
        Prose(f"{claim.source.paper}, {claim.source.locator}\n\n$${claim.statement}$$\n\n{claim.note}".rstrip()),
        Code(
            f"import auditor\n\nreport = auditor.run([{claim.id!r}], profile='quick')\n"
            "for finding in report.findings:\n"
            "    print(f'{finding.subject} {finding.check}: {finding.verdict.value}\\n  {finding.headline}')"
        ),
    ]
    return Notebook(claim.id, claim.title, tuple(cells))


def build(story: Notebook) -> Any:
    """The notebook as an nbformat node, without outputs; cell ids are those of their position and text."""
    cells = [_cell(Prose(f"# {story.title}"), 0), *(_cell(cell, i) for i, cell in enumerate(story.cells, start=1))]
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _cell(cell: Cell, position: int) -> Any:
    text = cell.text if isinstance(cell, Prose) else cell.source
    identifier = hashlib.sha256(f"{position}:{text}".encode()).hexdigest()[:8]
    if isinstance(cell, Prose):
        return nbformat.v4.new_markdown_cell(text, id=identifier)
    return nbformat.v4.new_code_cell(text, id=identifier)


def executed(node: Any) -> Any:
    """Run every cell in a fresh kernel, without what depends on the clock: times, and where a print was cut in two.

    Figures get a text for those who do not see them.
    """
    NotebookClient(node, timeout=SECONDS, kernel_name="python3", record_timing=False, coalesce_streams=True).execute()
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


def write(identifier: str, folder: Path, *, execute: bool) -> Path:
    """Write the notebook ``<id>.ipynb`` into a folder, executed or not, and return its path."""
    story = story_of(identifier)
    node = build(story)
    if execute:
        node = executed(node)
    path = folder / f"{story.id}.ipynb"
    nbformat.write(node, path)
    return path
