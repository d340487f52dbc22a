"""Locations of findings in the checkout: the suspected line, the declaration of the subject, the target, the test."""

from __future__ import annotations

import ast
import os
import re
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.errors import UnknownIdError
from auditor.reading import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.findings.finding import Finding


_SUSPECT = re.compile(r"; suspect (?P<file>[^:]+\.py):(?P<line>\d+): ")


def places(findings: Iterable[Finding]) -> dict[str, tuple[str, int]]:
    """Return file and line of each finding in the repository that holds the working folder, or else in that folder.

    The path is relative to the repository.
    """
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    lines = {}
    for finding in findings:
        for path, line in _candidates(finding):
            path_text = os.path.relpath(path, root)
            if path.is_file() and not path_text.startswith(os.pardir):
                lines[finding.id] = (Path(path_text).as_posix(), line)
                break
    return lines


def _candidates(finding: Finding) -> Iterator[tuple[Path, int]]:
    """Yield candidate files and lines of a finding, nearest to the subject first."""
    from auditor.engine.declarations import ROOT
    from auditor.engine.registry import place_of

    with suppress(UnknownIdError, StopIteration):  # code of a user, or of a plug-in that is not installed
        path, _, line = place_of(finding.subject).rpartition(":")
        if line.isdigit():
            yield ROOT / path, int(line)
    file, colon, name = finding.subject.rpartition(":")
    if colon and file.endswith(".py"):
        if suspect := _SUSPECT.search(finding.headline):
            yield Path(file).with_name(suspect["file"]), int(suspect["line"])
        yield Path(file), _line(Path(file), name)
    if finding.check.startswith("pytest."):
        with suppress(ValueError, IndexError):
            file, _, name = shlex.split(finding.reproduce)[1].partition("::")
            yield Path(file), _line(Path(file), name.partition("[")[0].replace("::", "."))


def _line(file: Path, name: str) -> int:
    """Return the line of the definition of a function, class or method; 1 if there is none."""
    try:
        node: ast.AST = ast.parse(text_of(file))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return 1
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    for part in name.split("."):
        inner = (each for each in ast.walk(node) if isinstance(each, definitions) and each.name == part)
        node = next(inner, node)
    return getattr(node, "lineno", 1)
