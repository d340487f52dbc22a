"""Locations of findings in the checkout: the suspected line, the declaration of the subject, the target, the test."""

from __future__ import annotations

import ast
import os
import shlex
import sys
import sysconfig
from contextlib import suppress
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.errors import UnknownIdError
from auditor.findings.evidence import SamplingEvidence
from auditor.reading import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from auditor.findings.finding import Finding


def places(findings: Iterable[Finding]) -> dict[str, tuple[str, int]]:
    """Return file and line of each finding in the repository that holds the working folder, or else in that folder.

    The path is relative to the repository. An installed package is not part of it, even in one of its folders.
    """
    here = Path.cwd()
    root = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    installed = sysconfig.get_path("purelib")
    lines = {}
    for finding in findings:
        for path, line in _candidates(finding):
            path_text = os.path.relpath(path, root)
            if path.is_file() and not path_text.startswith(os.pardir) and not (here / path).is_relative_to(installed):
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
    for evidence in finding.evidence:
        if isinstance(evidence, SamplingEvidence) and evidence.suspect is not None:
            yield Path(evidence.suspect.file), evidence.suspect.line
    location, colon, name = finding.subject.rpartition(":")
    if colon:
        source = Path(location) if location.endswith(".py") else _file_of_module(location)
        if source is not None:
            yield source, _line(source, name)
    if finding.check.startswith("pytest."):
        with suppress(ValueError, IndexError):
            file, _, name = shlex.split(finding.reproduce)[1].partition("::")
            yield Path(file), _line(Path(file), name.partition("[")[0].replace("::", "."))


def _file_of_module(name: str) -> Path | None:
    """Return the file of a module, which is not imported, and neither are its packages; None if there is none."""
    package, *inner = name.split(".")
    try:
        spec = PathFinder.find_spec(package, [str(Path.cwd()), *sys.path]) or find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not inner:
        return None if spec is None or spec.origin is None else Path(spec.origin)
    modules = [Path(folder, *inner) for folder in spec.submodule_search_locations or ()]
    files = [file for module in modules for file in (module / "__init__.py", module.with_suffix(".py"))]
    return next((file for file in files if file.is_file()), None)


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
