"""Public functions of a library that no adapter of this suite calls."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator

from auditor.accountant_audit import public_names
from auditor.accountant_audit.environments import Library
from auditor.errors import MissingPackageError, TargetError


def unaudited(library: Library) -> list[str]:
    """Return the public functions and methods with a privacy parameter that the library's adapter does not name.

    Of a class that it does not name, only the class is in the list. Only modules that the adapter imports are read.

    Errors:
        MissingPackageError: the library is not installed.
        TargetError: its interpreter cannot list the names.
    """
    if library.version is None:
        raise MissingPackageError(f"the public functions of {library.distribution} are unknown", library.remedy)
    tree = ast.parse(library.file.read_text(encoding="utf-8"))
    modules = sorted(set(_modules(tree)))
    command = [str(library.python or sys.executable), str(public_names.__file__), library.distribution, *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - our own words
    if done.returncode:
        raise TargetError(f"{library.distribution}: {(done.stderr.strip().splitlines() or ['no names'])[-1]}")
    called = set(_called(tree))
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return [name for name in names if is_left_out(name, called)]


def is_left_out(name: str, called: set[str]) -> bool:
    """Return whether a function or a class is not named, or a method of a named class is not."""
    owner, _, last = name.rpartition(".")
    return last not in called and (not owner or owner in called)


def _modules(tree: ast.AST) -> Iterator[str]:
    """Yield the modules that a source imports, and imported names, which may be modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _called(tree: ast.AST) -> Iterator[str]:
    """Yield the names and attributes in a source, and the names that formatted strings with its constants give."""
    texts = [one.value for one in ast.walk(tree) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.alias):
            yield node.name
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            yield from (ast.literal_eval(node.values[0]) + text for text in texts)
    yield from texts
