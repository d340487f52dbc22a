"""The text of an issue for the authors of a library: the defect, a script without this project, the exact number."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from importlib import import_module
from pathlib import Path

from auditor.accountant_audit import adapters
from auditor.accountant_audit.environments import Library, LibraryAccountant
from auditor.accountant_audit.result import AccountantAudit
from auditor.errors import EmptySelectionError
from auditor.findings.evidence import AccountantPoint


def script(accountant: LibraryAccountant, point: AccountantPoint) -> str:
    """Return a program that calls the library at a point: the adapter's own function, and nothing of ours."""
    module = import_module(f"{adapters.__name__}.{Path(accountant.environment.file).stem}")
    tree = ast.parse(textwrap.dedent(inspect.getsource(getattr(module, accountant.function))))
    (function,) = tree.body
    assert isinstance(function, ast.FunctionDef)  # noqa: S101 - an adapter is functions
    function.body = function.body[1:]  # the docstring is for our readers
    function.returns = None
    for argument in function.args.args:
        argument.annotation = None
    given = ", ".join(f"{name}={value}" for name, value in point.parameters.items())
    return f"{ast.unparse(tree)}\n\n\nprint({accountant.function}({given}))  # {point.returned}\n"


def issue(accountant: LibraryAccountant, audit: AccountantAudit) -> str:
    """Return the text, in Markdown.

    Errors:
        EmptySelectionError: the audit saw no wrong answer.

    """
    point = audit.unsafe or audit.invalid
    if point is None:
        raise EmptySelectionError("wrong answer", accountant.id, [])
    library = accountant.environment
    held = f"exact {audit.achieves} achieved" if audit.achieves else "exact value"
    digits = "" if point.truth is None else point.truth.value or point.truth.lower
    exact = f"{held}: {digits}, at the binary values of the arguments, in interval arithmetic.\n" if digits else ""
    wrong = [name for name in ("unsafe", "rounding", "invalid", "inconsistent") if name in audit.classes]
    counts = ", ".join(f"{name} in {audit.classes[name].calls} of {audit.examples} calls" for name in wrong)
    ranges = ", ".join(f"{name} in [{lower}, {upper}]" for name, (lower, upper) in audit.box.items())
    worst = audit.classes[wrong[0]].worst_practical
    more = ""
    if worst is not None and worst.ratio is not None:
        at = ", ".join(f"{name}={value}" for name, value in worst.parameters.items())
        more = f"\nWorst in the practical range: {audit.quotient} {worst.ratio} at {at}."
    return (
        f"# {accountant.title}: {point.reason}\n\n"
        f"{library.distribution} {library.version}, Python {_python(library)}.\n\n"
        f"```python\n{script(accountant, point)}```\n\n"
        f"{exact}{counts}, over {ranges}.{more}\n"
    )


def _python(library: Library) -> str:
    if library.python is None:
        return ".".join(map(str, sys.version_info[:2]))
    (folder,) = library.folder.glob("lib/python3*")
    return folder.name.removeprefix("python")
