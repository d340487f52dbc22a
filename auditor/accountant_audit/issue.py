"""Issue text for a library's authors: the defect, a script without this project, the exact number."""

import ast
import inspect
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from auditor.accountant_audit import adapters
from auditor.accountant_audit.environments import Library, LibraryAccountant
from auditor.accountant_audit.practical import PRACTICAL
from auditor.accountant_audit.result import INCONSISTENT, AccountantAudit, where
from auditor.accountant_audit.straight_code import parameters_of, straight_code
from auditor.errors import UsageError, counted
from auditor.findings.evidence import AccountantPoint
from auditor.target.target import Misbehaved
from proofs_numeric.statements.claim import Claim, Role
from proofs_numeric.wilkins2024.section_2 import CLAIMS

DEFECTS = {
    "unsafe": "too small",
    "invalid": "not in the valid range",
    INCONSISTENT: "in contradiction to another answer",
}
"""Words for the classes of defective answers."""
LETTERS = {
    "rate": "q", "steps": "n", "scale": "b", "b": "b", "delta_1": r"\Delta_1", "categories": "m", "sensitivity": "d",
    "threshold": "T", "per_key": "m", "c_u": "C_u", "keys": "t", "mean": "m", "threshold_scale": "b_1",
    "query_scale": "b_2", "tops": "c", "divergence": "r", "k": "k",
}  # fmt: skip
"""LaTeX of parameters in the formulas of claims; epsilon, delta, mu, alpha and sigma need no explanation."""
PROFILE = "wilkins2024.thm2.2"
"""Id of the claim that defines f, the delta of Gaussian noise, which other claims' formulas use."""
ARITHMETIC = ("numpy", "scipy", "mpmath", "torch", "jax")
"""Packages whose version may affect an answer."""


def script(accountant: LibraryAccountant, points: Sequence[AccountantPoint]) -> str:
    """Return a program that calls the library at some points and needs only the library."""
    module = import_module(f"{adapters.__name__}.{Path(accountant.environment.file).stem}")
    tree = ast.parse(inspect.getsource(module))
    functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
    parameters = {argument.arg for argument in parameters_of(functions[accountant.function].args)}
    taken = [{name: text for name, text in point.parameters.items() if name in parameters} for point in points]
    printed = {"infinity": "inf", "-infinity": "-inf"}
    answers = [
        printed.get(point.returned, point.returned) if point.returned != Misbehaved.returned else _reason(point)
        for point in points
    ]
    return straight_code(functions, accountant.function, taken, answers)


def _reason(point: AccountantPoint) -> str:
    """Return the reason without its explanation."""
    return point.reason.partition(";")[0]


def issue(
    accountant: LibraryAccountant, claim: Claim, audit: AccountantAudit, recorded: Mapping[str, str] | None = None
) -> str:
    """Return the issue in Markdown.

    Args:
        accountant: the library's accountant.
        claim: the claim with the exact value.
        audit: a search, or an audit of recorded points only.
        recorded: row of the recorded table, for recorded points.

    Errors:
        UsageError: the audit has no wrong answer.
    """
    if not audit.counterexample:
        raise UsageError(
            f"expected an accountant with a wrong answer, got {accountant.id}: no answer of "
            f"{counted(audit.examples, 'call')} was wrong; more --max-examples search further"
        )
    return "\n\n".join(
        [
            f"# {accountant.title}: {_defect(accountant, claim, audit)}",
            *([accountant.note] if accountant.note else []),
            *([f"Public issue: {accountant.reported}"] if accountant.reported else []),
            f"```python\n{script(accountant, audit.counterexample)}```",
            *_exact(accountant, claim, audit),
            f"{_extent(audit, recorded)}\n\nVersions: {_versions(accountant.environment)}.\n",
        ]
    )


def _returned(accountant: LibraryAccountant, claim: Claim) -> str:
    """Return the names of the returned quantities."""
    return " and ".join(accountant.solves) or str(claim.quantity)


def _defect(accountant: LibraryAccountant, claim: Claim, audit: AccountantAudit) -> str:
    """Return the defect at the counterexample in one phrase."""
    point = audit.counterexample[-1]
    if audit.unsafe is None:
        return f"{_returned(accountant, claim)} {_reason(point)}" if len(audit.counterexample) > 1 else _reason(point)
    of = f" for the requested {audit.achieves}" if audit.achieves and audit.achieves not in accountant.solves else ""
    return f"{_returned(accountant, claim)} too small{of}"


def _exact(accountant: LibraryAccountant, claim: Claim, audit: AccountantAudit) -> list[str]:
    """Return the exact number beside the returned one, and its formula; empty for a contradiction."""
    if not audit.exact_digits:
        return []
    point = audit.counterexample[-1]
    returned = _returned(accountant, claim)
    at_least = ", at least" if claim.role is Role.LOWER else ""
    rows = [(f"returned {returned}", point.returned), (f"exact {returned}{at_least}", audit.exact_digits)]
    if audit.achieves:
        target = point.parameters.get(audit.achieves)
        rows = [(f"requested {audit.achieves}", target)] if target is not None else []
        rows += [
            (f"returned {returned}", point.returned),
            (f"exact {audit.achieves} at the returned {returned}", audit.exact_digits),
        ]
    table = "\n".join(["| quantity | value |", "| --- | --- |", *(f"| {name} | {value} |" for name, value in rows)])
    profile = next(one for one in CLAIMS if one.id == PROFILE)
    where_f = f", with $`{profile.statement}`$" if "f(" in claim.statement and claim.id != PROFILE else ""
    point_parts = [f"{name} = {value}" for name, value in point.parameters.items() if name != audit.achieves]
    point_parts += [f"the returned {returned}"] if audit.achieves else []
    letters = ["$Z$ is the noise"] if "Z" in claim.statement else []
    letters += [
        f"${LETTERS[one.name]}$ is {one.name} ({one.description})"
        for one in claim.domain.parameters
        if one.name in LETTERS
    ]
    formula = (
        f"{claim.title}: $`{claim.statement}`${where_f}{'; ' if letters else ''}{', '.join(letters)}. The exact value "
        f"was computed in interval arithmetic for the binary values of these numbers: {', '.join(point_parts)}."
    )
    stated = f"requested {audit.achieves}" if audit.achieves else f"returned {returned}"
    return [table, *([f"For the {stated}, {point.lacks}."] if point.lacks else []), formula]


def _extent(audit: AccountantAudit, recorded: Mapping[str, str] | None) -> str:
    """Return the number of wrong answers, their ranges, and the worst ratio in the practical range."""
    counts = {name: one.calls for name, one in audit.classes.items()}
    worst = next((audit.classes[name].worst_practical for name in DEFECTS if name in audit.classes), None)
    factor = "" if audit.unsafe is None or worst is None else worst.ratio or ""
    place = "" if worst is None else f" at {where(worst)}"
    if recorded is not None:
        counts = {
            name: int(number) for name, _, number in (part.rpartition(" ") for part in recorded["found"].split(", "))
        }
        factor, place = recorded["worst"].replace("corner", ""), ""
    total = sum(number for name, number in counts.items() if name != INCONSISTENT)
    wrong = ", ".join(f"{counts[name]} {words}" for name, words in DEFECTS.items() if name in counts)
    ranges = ", ".join(
        f"{name} = {lower}" if lower == upper else f"{name} from {lower} to {upper}"
        for name, (lower, upper) in audit.box.items()
    )
    text = f"Of {counted(total, 'call')} with {ranges}, these answers are wrong: {wrong}."
    if not factor:
        return text
    usual = " and ".join(
        f"{name} from {float(PRACTICAL[name][0]):g} to {float(PRACTICAL[name][1]):g}" for name in ("delta", "epsilon")
    )
    quotient = f"requested {audit.achieves} / exact {audit.achieves}" if audit.achieves else "returned / exact"
    return f"{text} For {usual}, the smallest {quotient} is {factor}{place}."


def _versions(library: Library) -> str:
    """Return the versions of the library, of the packages it computes with, and of Python."""
    versions = library.versions(ARITHMETIC)
    packages = [
        f"{library.distribution} {library.version}",
        *(f"{name} {version}" for name, version in versions.items()),
    ]
    return ", ".join([*packages, f"Python {_python(library)}"])


def _python(library: Library) -> str:
    if library.python is None:
        return ".".join(map(str, sys.version_info[:2]))
    (folder,) = library.folder.glob("lib/python3*")
    return folder.name.removeprefix("python")
