"""`auditor accountant`: somebody's accountant against a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from auditor.errors import MissingPackageError, UnknownIdError, UsageError, counted
from auditor.front.verbs.output import AsJson, box_ends, emit, say

if TYPE_CHECKING:
    from auditor.accountant_audit.audit import AccountantAudit


def command(
    target: Annotated[
        str,
        typer.Argument(metavar="TARGET", help="package.module:callable, path/to/file.py:callable, or a registered id."),
    ],
    against: Annotated[str | None, typer.Option(metavar="CLAIM", help="Id of the claim it computes.")] = None,
    *,
    box: Annotated[
        list[str] | None, typer.Option("--box", metavar="NAME=LO:HI", help="Searched range; may be repeated.")
    ] = None,
    tolerance: Annotated[
        str | None, typer.Option(help="Relative under-report that counts as rounding.  [default: 1e-9]")
    ] = None,
    max_examples: Annotated[int, typer.Option(min=1, help="Size of each search.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the search.")] = 0,
    as_json: AsJson = False,
) -> int:
    """Audit an accountant against a claim.

    Searches for inputs at which it under-reports, misbehaves or is loose; exit 1 when it is unsafe or invalid.
    """
    audit = _audit(target, against, box_ends(box or []), tolerance, max_examples, seed)
    document = audit.to_json()
    if as_json:
        emit(document)
    else:
        say(*_lines(audit))
    return audit.exit_code


def _audit(
    target: str,
    against: str | None,
    box: dict[str, tuple[str, str]],
    tolerance: str | None,
    max_examples: int,
    seed: int,
) -> AccountantAudit:
    from auditor.accountant_audit.audit import audit_accountant
    from auditor.engine.registry import registry
    from auditor.target.target import locate, locate_own

    if ":" in target and against is None:
        raise UsageError(f"expected --against CLAIM for the target '{target}'; `auditor list claims` shows them")
    known = registry()
    if ":" in target and against is not None:
        return audit_accountant(
            locate(target, "accountant"),
            known.claim(against),
            box=box,
            tolerance=tolerance or "1e-9",
            max_examples=max_examples,
            seed=seed,
        )
    if target not in known.accountants:
        raise UnknownIdError("accountant", target, known.accountants)
    adapter = known.accountants[target]
    if adapter.installed_version is None:
        raise MissingPackageError(
            f"the accountant '{target}' needs {adapter.library}; pip install 'sparse-histogram-auditor[accountants]'"
        )
    module, attribute = adapter.function.split(":")
    return audit_accountant(
        locate_own(module, attribute, "accountant"),
        known.claim(against or adapter.against),
        box={**adapter.box, **box},
        tolerance=tolerance or adapter.tolerance,
        max_examples=max_examples,
        seed=seed,
    )


def _lines(audit: AccountantAudit) -> list[str]:
    from auditor.report.view import WORDS, box_text, enclosed_text, parameters_text

    searched = f"searched {box_text(audit.evidence().box)} in {counted(audit.examples, 'call')}"
    lines = [
        f"{WORDS[audit.verdict]}: {audit.target} against {audit.claim}",
        f"  {audit.detail}",
        f"  {searched}, tolerance {audit.tolerance}{_held(audit)}",
    ]
    for name, point in (("differs", audit.differs), ("loosest", audit.loosest)):
        if point is not None:
            truth = f", truth in {enclosed_text(point.truth)}" if point.truth else ""
            lines.append(f"  {name}: at {parameters_text(point.parameters)} returns {point.returned}{truth}")
    return [*lines, f"  see it again: {audit.reproduce}"]


def _held(audit: AccountantAudit) -> str:
    from auditor.report.view import parameters_text

    return f"; held, as it does not take them: {parameters_text(audit.held)}" if audit.held else ""
