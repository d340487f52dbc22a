"""Locations of findings in the checkout: the declaration of the subject, the target, or the test."""

from __future__ import annotations

import ast
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.errors import UnknownIdError
from auditor.reading import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.findings.finding import Finding


def places(findings: Iterable[Finding]) -> dict[str, tuple[str, int]]:
    """Return file (relative to the working folder) and line of each finding whose subject or test is in that folder."""
    lines = {}
    for finding in findings:
        for path, line in _candidates(finding):
            path_text = os.path.relpath(path)
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
