"""The documentation page of the options of an audit, grouped by task, from the commands' own options.

``python -m auditor.front.options_page`` writes the page.
"""

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from auditor.front.cli import app
from auditor.report.markdown import table_text

PAGE = Path("docs/reference/options.md")
COMMAND = "python -m auditor.front.options_page"
OUTPUT = ("--junit", "--sarif", "--github", "--verbose", "--quiet", "--json")
"""Options with the same meaning for all audits."""
MECHANISM = {
    "State the promise": ("--claim", "--epsilon", "--delta", "--rho", "--mu", "--privacy-profile"),
    "State the neighbours": ("--adjacency", "--c-u", "--per-key", "--direction", "--pair", "--neighbours"),
    "Give data": ("--dataset", "--columns", "--strategy", "--keys", "--values", "--largest-count"),
    "Describe the target": (*("--input", "--rows", "--inside", "--only-input-keys", "--python", "--answer-seconds"),),
    "Set power and time": ("--detect", "--budget", "--wall", "--samples", "--jobs", "--alpha"),
    "Choose the tests": ("--steer", "--floating-point", "--key-order", "--one-run"),
    "Repeat an audit": ("--seed", "--blocks"),
    "Write the result": OUTPUT,
}
"""Options of `auditor mechanism` by task."""
ACCOUNTANT = {
    "State the truth": ("--against", "--solves", "--returns", "--tolerance", "--floor"),
    "Declare what holds without a truth": ("--rises", "--falls", "--integers", "--counts", "--refines"),
    "Choose the parameters": ("--box", "--max-examples", "--seed"),
    "Describe the target": ("--methods", "--python"),
    "Set time and memory": ("--budget", "--call-timeout", "--memory", "--jobs"),
    "Decide the exit code": ("--strict",),
    "Write the result": OUTPUT,
}
"""Options of `auditor accountant` by task."""
LINKS = {
    "State the promise": "../tutorials/mechanism-promise.md",
    "State the neighbours": "../tutorials/mechanism-promise.md#state-which-datasets-are-neighbours",
    "Give data": "../tutorials/mechanism-data.md#use-your-own-data",
    "Set power and time": "../tutorials/mechanism-budget.md",
    "Choose the tests": "../explanation/importance-sampling.md",
    "State the truth": "truths.md",
    "Declare what holds without a truth": "../tutorials/accountant-class.md#audit-without-a-truth",
    "Write the result": "../tutorials/ci.md",
}
"""The page about a task."""
INTRO = """# Options by task

Each option of `auditor mechanism` and `auditor accountant`, grouped by task. In Python and in pytest an option is a
keyword argument with underscores: `--c-u 3` is `c_u=3`.

This page is generated from the commands: `{command}`.
"""


def options(verb: str) -> dict[str, tuple[str, str, str]]:
    """Return name, meaning and default of each option of a command, by its first long name."""
    with click.Context(app, info_name="auditor") as context:
        command = app.get_command(context, verb)
        if command is None:
            raise ValueError(f"expected a command of auditor, got {verb!r}")
        inner = click.Context(command, info_name=f"auditor {verb}", show_default=True)
        table = {}
        for each in command.get_params(inner):
            record = each.get_help_record(inner)
            if isinstance(each, click.Option) and record is not None and "--help" not in each.opts:
                name = next(option for option in each.opts if option.startswith("--"))
                meaning, default = _meaning_and_default(record[1])
                table[name] = (record[0], meaning, "enabled" if each.secondary_opts and each.default else default)
        return table


def _meaning_and_default(text: str) -> tuple[str, str]:
    """Split the text of an option into its meaning and its default; the range of a number is left out."""
    meaning, _, brackets = " ".join(text.split()).partition(" [default: ")
    default = re.split(r"(?:; [\dx].*)?\]", brackets)[0]
    return re.sub(r" \[[\dx<>=]+\]$", "", meaning), default


def _table(rows: Iterable[tuple[str, str, str]]) -> str:
    cells = [[text.replace("|", r"\|") for text in (f"`{name}`", *others)] for name, *others in rows]
    return table_text(["Option", "Meaning", "Default"], cells)


def _section(verb: str, tasks: Mapping[str, Iterable[str]]) -> str:
    table = options(verb)
    parts = [f"## auditor {verb}\n"]
    for task, names in tasks.items():
        rows = [table[name] for name in names]
        link = f"More: [{task[0].lower()}{task[1:]}]({LINKS[task]}).\n\n" if task in LINKS else ""
        parts.append(f"### {task}\n\n{link}{_table(rows)}\n")
    return "\n".join(parts)


def render() -> str:
    """Return the page as Markdown."""
    links = (
        "[All commands](commands.md)",
        "[Use it from Python](api.md)",
        "[Undecided: what now](../how-to/undecided.md)",
    )
    parts = [INTRO.format(command=COMMAND), _section("mechanism", MECHANISM), _section("accountant", ACCOUNTANT)]
    return "\n".join([*parts, "## Next\n", *(f"- {link}" for link in links)]) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
    sys.stdout.write(f"wrote {PAGE}\n")
