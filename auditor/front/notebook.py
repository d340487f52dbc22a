"""Notebooks of claims and findings: built as data, executed in a fresh kernel."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import html
import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from auditor.engine.registry import registry
from auditor.errors import UnknownIdError, UsageError
from auditor.front.notebooks.pages import about_registered
from auditor.report.notebook import Cell, Code, Notebook, Prose

if TYPE_CHECKING:
    from nbclient import NotebookClient

SECONDS = 600
"""Time limit for one cell, in seconds."""
SVG = "image/svg+xml"
INLINE = "module://matplotlib_inline.backend_inline"
FIGURES = (
    "--InlineBackend.figure_formats=svg",
    "--InlineBackend.print_figure_kwargs={'metadata': {'Date': None}}",
    "--InlineBackend.rc=svg.hashsalt=auditor",
)
"""Kernel options for stored figures: scalable, with reproducible bytes."""
SILENT = "--log-level=50"
"""Log level of a kernel. Its log concerns only the kernel itself: open ports, an end within a cell. Errors of a cell
are in its output."""
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;color-scheme:light dark}main{max-width:60rem;margin:auto;padding:1rem}"
    "pre{overflow-x:auto;padding:.5rem;border:1px solid #8886}p{overflow-wrap:anywhere}p[tabindex]{overflow-x:auto}"
    "td code,td:last-child{overflow-wrap:anywhere}table{border-collapse:collapse;display:block;overflow-x:auto}"
    "td,th{padding:.2rem .6rem;border-bottom:1px solid #8886}img,svg{max-width:100%;height:auto;background:#fff}"
)
_FORMULA = re.compile(r"\$\$(?P<block>.+?)\$\$|(?<![\\$])\$(?P<inline>[^$\n]+?)\$", re.DOTALL)


def story_of(identifier: str) -> Notebook:
    """Return the notebook registered under an id, or a page about the claim, mechanism, fault, control or accountant.

    Raises:
        UnknownIdError: no such id, or the check of a finding does not exist.
    """
    catalogue = registry()
    _subject, finding, check = identifier.partition("::")
    if finding and check.partition("::")[0] not in catalogue.checks:
        raise UnknownIdError("check", check, catalogue.checks)
    story = catalogue.notebooks.get(identifier) or about_registered(identifier, catalogue)
    if story is None:
        everything = (
            catalogue.notebooks,
            catalogue.claims,
            catalogue.mechanisms,
            catalogue.faults,
            catalogue.controls,
            catalogue.accountants,
        )
        raise UnknownIdError("notebook", identifier, [name for table in everything for name in table])
    return story


def build(story: Notebook) -> Any:
    """Return the notebook as an nbformat node without outputs; cell ids are hashes of position and text."""
    import nbformat

    cells = [_cell(Prose(f"# {story.title}"), 0), *(_cell(cell, i) for i, cell in enumerate(story.cells, start=1))]
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    return nbformat.v4.new_notebook(cells=cells, metadata=metadata)


def _cell(cell: Cell, position: int) -> Any:
    import nbformat

    text = cell.text if isinstance(cell, Prose) else cell.source
    identifier = hashlib.sha256(f"{position}:{text}".encode()).hexdigest()[:8]
    if isinstance(cell, Prose):
        return nbformat.v4.new_markdown_cell(text, id=identifier)
    metadata = {"tags": list(cell.tags)} if isinstance(cell, Code) and cell.tags else {}
    return nbformat.v4.new_code_cell(text, id=identifier, metadata=metadata)


def execute_cells(node: Any, folder: Path | None = None) -> Any:
    """Run every cell in a fresh kernel; leave out output that depends on the clock: times, and splits of prints.

    Figures are SVG with reproducible bytes and a text alternative. Paths in cells are relative to `folder`, or to the
    working directory.

    Raises:
        UsageError: a cell fails, takes longer than `SECONDS` or ends its kernel, or its result cannot be displayed.
        KeyboardInterrupt: the caller interrupted; the kernel has ended.
    """
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    client = NotebookClient(
        node,
        timeout=SECONDS,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=[*FIGURES, SILENT],
        resources={} if folder is None else {"metadata": {"path": str(folder)}},
    )
    try:
        _complete(client)
    except CellExecutionError as error:
        raise _cell_error(error.ename, error.evalue) from None
    except (CellTimeoutError, DeadKernelError) as error:
        raise _cell_error(type(error).__name__, " ".join(str(error).split())) from None
    for output in (output for cell in node.cells for output in cell.get("outputs", [])):
        if output.output_type == "error":  # from a failed figure, which ends no cell
            raise _cell_error(output.ename, output.evalue)
        if SVG in output.get("data", {}):
            output.data[SVG] = label_figure(output.data[SVG])
    node.metadata["language_info"] = {"name": "python"}
    return node


def _complete(client: NotebookClient) -> None:
    """Run the cells outside the main thread, where nbclient would replace the signal handlers of the command.

    The kernel runs this interpreter, independent of the user's kernels, start-up files and home.
    """
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager

    with TemporaryDirectory() as home, asyncio.Runner() as runner, ThreadPoolExecutor(1) as thread:
        client.km = AsyncKernelManager(
            kernel_name=client.kernel_name,
            kernel_spec_manager=KernelSpecManager(kernel_dirs=[]),
            connection_file=str(Path(home, "kernel.json")),
        )
        loop = runner.get_loop()
        # With the caller's backend, figures would be neither drawn nor closed.
        environment = {**os.environ, "MPLBACKEND": INLINE, "IPYTHONDIR": home}
        cells = loop.create_task(client.async_execute(env=environment))
        ended = thread.submit(loop.run_until_complete, cells)
        try:
            ended.result()
        except KeyboardInterrupt:
            loop.call_soon_threadsafe(cells.cancel)
            ended.exception()  # waits until the kernel has ended
            raise


def _cell_error(name: str, words: str) -> UsageError:
    return UsageError(f"a cell of the notebook fails: {name}: {words}; without --execute it is written as it is")


def label_figure(figure: str) -> str:
    """Name a matplotlib figure by its text, which matplotlib draws as paths and repeats in comments."""
    words = [html.unescape(text) for text in re.findall(r"<!-- (.*?) -->", figure)]
    names = dict.fromkeys(word for word in words if re.search(r"[^\W\d_]", word) and not word.startswith("$"))
    name = html.escape("Figure: " + "; ".join(names), quote=True)
    return re.sub(r"<svg\b", f'<svg role="img" aria-label="{name}"'.replace("\\", r"\\"), figure, count=1)


def write_notebook(story: Notebook, folder: Path, *, execute: bool) -> Any:
    """Return the notebook for a folder, executed there if requested."""
    node = build(story)
    return execute_cells(node, folder) if execute else node


def save(node: Any, path: Path) -> None:
    """Write a notebook."""
    import nbformat

    nbformat.write(node, path)


def body(node: Any) -> str:
    """Return the cells and outputs as HTML with formulas as MathML, which needs no external resources."""
    from nbconvert import HTMLExporter

    from auditor.report.svg import unique

    copied = copy.deepcopy(node)
    for place, cell in enumerate(copied.cells):
        if cell.cell_type == "markdown":
            cell.source = _FORMULA.sub(_mathml, cell.source)
        for data in (output.get("data", {}) for output in cell.get("outputs", [])):
            if SVG in data:  # inline with its accessible name, which an image would lose
                figure = data.pop(SVG)
                data["text/html"] = unique(figure[figure.index("<svg") :], str(place))
    exporter = HTMLExporter(template_name="basic", exclude_input_prompt=True, exclude_output_prompt=True)
    text: str = exporter.from_notebook_node(copied)[0]
    # scrollable elements are focusable by keyboard
    return text.replace("<pre>", '<pre tabindex="0">').replace('class="dataframe"', 'class="dataframe" tabindex="0"')


def _mathml(match: re.Match[str]) -> str:
    from auditor.report.latex import to_mathml

    formula = to_mathml(match["block"] or match["inline"])
    return f'<p tabindex="0">{formula}</p>' if match["block"] else formula


def page(node: Any) -> str:
    """Return the notebook as one page without a script."""
    title = node.cells[0].source.partition("\n")[0].removeprefix("# ")
    head = f'<meta charset="utf-8"><title>{html.escape(title)}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="en"><head>{head}</head><body><main>{body(node)}</main></body></html>\n'
