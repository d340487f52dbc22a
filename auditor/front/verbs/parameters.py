"""What verbs share of their command lines: the types and options that several take, and completion of ids."""

from __future__ import annotations

import pathlib
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from collections.abc import Callable

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

PATH = click.Path(path_type=pathlib.Path)

as_json_option = click.option("--json", "as_json", is_flag=True, help="Write one JSON document to standard output.")
python_option = click.option(
    "--python", metavar="PATH", help="Interpreter that imports the target; it needs nothing of ours."
)
report_argument = click.argument("file", metavar="FILE", type=PATH, help="report.json, or the directory that holds it.")


def ids(*collections: str, files: bool = False) -> Completer:
    """Complete the suite's ids of these collections, from the index: no module of the catalogue is imported.

    `files` lets the shell complete paths where no id begins with what is typed.
    """

    def complete(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        from auditor.engine.index import index

        found = [name for each in collections for name in index()[each] if name.startswith(typed)]
        return [CompletionItem(name) for name in found] or [CompletionItem(typed, type="file")] * files

    return complete
