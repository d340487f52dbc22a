"""`auditor init`: the list of a project's targets, from the functions of its files."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from auditor.errors import UsageError
from auditor.front.project import CONFIGURATION
from auditor.front.verbs.output import emit, say
from auditor.front.verbs.parameters import as_json_option
from auditor.reading import text_of
from auditor.writing import write

if TYPE_CHECKING:
    from collections.abc import Iterator

GENERATORS = {"rng", "generator", "random_state"}
"""Names of the last argument of a mechanism."""
SKIPPED = {"tests", "test", "docs", "build", "dist", "node_modules", "site-packages", "venv", "env"}
"""Folders without targets; folders of a hidden name and files `test_*.py` are skipped too."""
MOST_FILES = 1000
COMPUTES_DELTA = re.compile(r"delta\((.*)\)")
"""What an exact claim about delta computes, with its parameters."""


@click.command
@click.option("--epsilon", default="1", help="Promised epsilon of the mechanisms.")
@click.option("--delta", help="Promised delta of the mechanisms.  [default: 0]")
@as_json_option
def command(*, epsilon: str, delta: str | None, as_json: bool) -> int:
    """List the targets of this folder in pyproject.toml.

    A mechanism is a function of (data, rng). An accountant is a function of the parameters of a claim. Correct the
    list; check the promises first. `auditor check` then audits all targets.
    """
    file = Path(CONFIGURATION)
    text = text_of(file) if file.exists() else ""
    if "[tool.auditor]" in text:
        raise UsageError(f"{file} has a table [tool.auditor] already; edit it, or remove it first")
    mechanisms, accountants = _targets()
    if not mechanisms and not accountants:
        raise UsageError(
            "expected a function of (data, rng) or of the parameters of a claim in the Python files here, got none; "
            "write [tool.auditor] by hand"
        )
    promise = f"epsilon = {epsilon!r}" + (f"\ndelta = {delta!r}" if delta else "")
    entries = [f"[[tool.auditor.mechanism]]\ntarget = '{each}'\n{promise}" for each in mechanisms]
    entries += [f"[[tool.auditor.accountant]]\ntarget = '{each}'\nagainst = '{truth}'" for each, truth in accountants]
    head = "[tool.auditor]  # `auditor check` audits these targets; correct their promises first"
    write(file, "\n\n".join([*([text.rstrip()] if text.strip() else []), head, *entries, ""]).rstrip() + "\n")
    if as_json:
        emit({"file": str(file), "mechanisms": mechanisms, "accountants": [each for each, _ in accountants]})
    else:
        say(*(f"mechanism  {each}: {promise.replace(chr(10), ', ')}" for each in mechanisms))
        say(*(f"accountant {each}: against {truth}" for each, truth in accountants))
        say(f"wrote [tool.auditor] to {file}: correct the promises, then run `auditor check`")
    return 0


def _targets() -> tuple[list[str], list[tuple[str, str]]]:
    """Return the mechanisms, and the accountants with their claims, of the Python files below the working folder."""
    mechanisms, accountants = [], []
    for path in _files():
        for node in _definitions(path):
            target = f"{path.as_posix()}:{node.name}"
            if isinstance(node, ast.ClassDef) or _is_mechanism(node):
                mechanisms.append(target)
            elif truth := _truth(node):
                accountants.append((target, truth))
    return mechanisms, accountants


def _files() -> Iterator[Path]:
    count = 0
    for folder, inner, files in os.walk("."):
        inner[:] = sorted(name for name in inner if name not in SKIPPED and not name.startswith("."))
        for name in sorted(files):
            if name.endswith(".py") and not name.startswith(("test_", "conftest")) and count < MOST_FILES:
                count += 1
                yield Path(folder, name)


def _definitions(path: Path) -> list[ast.FunctionDef | ast.ClassDef]:
    """Return the public functions of a file, and its classes with a method `release` or `release_many`."""
    try:
        body = ast.parse(text_of(path)).body
    except (OSError, ValueError, SyntaxError, RecursionError):
        return []
    functions = [each for each in body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
    methods = {"release", "release_many"}
    return functions + [
        each
        for each in body
        if isinstance(each, ast.ClassDef)
        and methods & {one.name for one in each.body if isinstance(one, ast.FunctionDef)}
    ]


def _required_arguments(node: ast.FunctionDef) -> list[ast.arg]:
    positional = [*node.args.posonlyargs, *node.args.args]
    optional = len(node.args.defaults)
    keywords = [
        each for each, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if default is None
    ]
    return positional[: len(positional) - optional] + keywords


def _is_mechanism(node: ast.FunctionDef) -> bool:
    """Return whether a function takes data and a generator of random numbers."""
    required = _required_arguments(node)
    if len(required) != 2:
        return False
    last = required[1]
    return last.arg in GENERATORS or (last.annotation is not None and "Generator" in ast.unparse(last.annotation))


def _truth(node: ast.FunctionDef) -> str | None:
    """Return a claim about delta with exactly the parameters of a function, an exact value first; None without one."""
    from auditor.engine.index import index

    names = {each.arg for each in _required_arguments(node)}
    fitting = []
    for identifier, claim in index()["claims"].items():
        computed = COMPUTES_DELTA.fullmatch(claim["computes"])
        if claim["expected"] == "HOLDS" and computed and {*computed[1].split(", ")} == names:
            fitting.append((not claim["title"].lower().startswith("exact"), identifier))
    return min(fitting)[1] if fitting else None
