"""Shared parts of the verbs' command lines: types, options, and completion of ids."""

from __future__ import annotations

import pathlib
from enum import Enum
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from collections.abc import Callable

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

PATH = click.Path(path_type=pathlib.Path)

as_json_option = click.option("--json", "as_json", is_flag=True, help="Write one JSON document to standard output.")
python_option = click.option(
    "--python", metavar="PATH", help="Interpreter that imports the target. The auditor need not be installed there."
)


class Amount(Enum):
    """Amount of output of a verb."""

    QUIET = "quiet"
    USUAL = "usual"
    VERBOSE = "verbose"


HEAD = 2
"""Lines of an audit printed under --quiet: the verdict and its sentence. A command that would decide is one more."""


def amount_option(command: Callable[..., int]) -> Callable[..., int]:
    """Add -q and -v; the later one counts."""
    for flag, letter, amount, says in (
        ("--quiet", "-q", Amount.QUIET, "Print only the verdict, without progress."),
        ("--verbose", "-v", Amount.VERBOSE, "Print everything that was tried."),
    ):
        attributes: dict[str, Any] = {
            "flag_value": amount,
            "type": click.UNPROCESSED,
            "default": Amount.USUAL,
            "show_default": False,
        }
        command = click.option(flag, letter, "amount", help=says, **attributes)(command)
    return command


def forms_options(command: Callable[..., int]) -> Callable[..., int]:
    """Add --junit, --sarif and --github: the result in the forms for continuous integration."""
    forms: tuple[tuple[str, dict[str, Any]], ...] = (
        ("--github", {"is_flag": True, "help": "Also print annotations for GitHub."}),
        ("--sarif", {"metavar": "FILE", "type": PATH, "help": "Also write SARIF for code scanning."}),
        ("--junit", {"metavar": "FILE", "type": PATH, "help": "Also write JUnit XML."}),
    )
    for flag, attributes in forms:
        command = click.option(flag, **attributes)(command)
    return command


report_argument = click.argument("file", metavar="FILE", type=PATH, help="report.json, or its directory.")


def ids(*collections: str, files: bool = False) -> Completer:
    """Return a completer for the suite's ids in these collections; it reads the index, not the catalogue.

    `files` enables completion of paths if no id begins with the typed text.
    """

    def complete(_context: click.Context, _parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        from auditor.engine.index import index

        names = [name for each in collections for name in index()[each] if name.startswith(typed)]
        return [CompletionItem(name) for name in names] or [CompletionItem(typed, type="file")] * files

    return complete
