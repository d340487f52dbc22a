"""The text of an issue for the authors of a library: the defect, a script without this project, the exact number."""

import ast
import inspect
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from auditor.accountant_audit import adapters
from auditor.accountant_audit.environments import Library, LibraryAccountant
from auditor.accountant_audit.result import AccountantAudit, where
from auditor.errors import UsageError, counted
from auditor.findings.evidence import AccountantPoint
from auditor.target.target import Misbehaved


def script(accountant: LibraryAccountant, points: Sequence[AccountantPoint]) -> str:
    """Return a program that calls the library at some points: the adapter's own functions, and nothing of ours."""
    module = import_module(f"{adapters.__name__}.{Path(accountant.environment.file).stem}")
    defined = {one.name: one for one in ast.parse(inspect.getsource(module)).body if isinstance(one, ast.FunctionDef)}
    needed = [accountant.function]
    for name in needed:  # grows: what is called is needed as well
        called = {node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)}
        needed += [other for other in defined if other in called and other not in needed]
    functions = "\n\n".join(_bare(defined[name]) for name in reversed(needed))
    calls = (f"print({accountant.function}({where(point)}))  # {_answer(point)}\n" for point in points)
    return f"{functions}\n\n{''.join(calls)}"


def _answer(point: AccountantPoint) -> str:
    """What the script prints, or why it prints nothing."""
    return point.returned if point.returned != Misbehaved.returned else point.reason.partition(";")[0]


def _bare(function: ast.FunctionDef) -> str:
    """Its source without what is for our readers and runs: the docstring, the types and what keeps results."""
    if ast.get_docstring(function) is not None:
        function.body = function.body[1:]
    function.returns, function.decorator_list = None, []
    for argument in ast.walk(function.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return ast.unparse(function)


def issue(accountant: LibraryAccountant, audit: AccountantAudit, recorded: Mapping[str, str] | None = None) -> str:
    """Return the text, in Markdown.

    Args:
        accountant: of the library.
        audit: a search, or of recorded points alone.
        recorded: with those, the row of the table that they are of.

    Errors:
        UsageError: the audit saw no wrong answer.
    """
    if not audit.counterexample:
        raise UsageError(
            f"expected an accountant that was seen to be wrong, got {accountant.id}: no answer of "
            f"{counted(audit.examples, 'call')} was; more --max-examples look further"
        )
    point = audit.counterexample[-1]
    library = accountant.environment
    held = f"exact {audit.achieves} achieved" if audit.achieves else "exact value"
    wrong = [name for name in ("unsafe", "invalid", "inconsistent") if name in audit.classes]
    digits = audit.exact_digits
    exact = f"{held}: {digits}, at the binary values of the arguments, in interval arithmetic.\n" if digits else ""
    counts = ", ".join(f"{name} in {audit.classes[name].calls} of {audit.examples} calls" for name in wrong)
    ranges = ", ".join(f"{name} in [{lower}, {upper}]" for name, (lower, upper) in audit.box.items())
    worst = audit.classes[wrong[0]].worst_practical
    more = ""
    if audit.unsafe is not None and worst is not None and worst.ratio is not None:
        more = f"\nWorst in the practical range: {audit.quotient} {worst.ratio} at {where(worst)}."
    if recorded is not None:
        counts = f"Calls of a search of {recorded['library']}: {recorded['found']}"
        known = recorded["worst"] not in {"", "corner"}
        more = f"\nWorst in the practical range: {audit.quotient} {recorded['worst']}." if known else ""
    return (
        f"# {accountant.title}: {point.reason}\n\n"
        f"{library.distribution} {library.version}, Python {_python(library)}.\n\n"
        f"```python\n{script(accountant, audit.counterexample)}```\n\n"
        f"{exact}{counts}, over {ranges}.{more}\n"
    )


def _python(library: Library) -> str:
    if library.python is None:
        return ".".join(map(str, sys.version_info[:2]))
    (folder,) = library.folder.glob("lib/python3*")
    return folder.name.removeprefix("python")
