"""Notebooks of one subject: a claim, something registered, somebody's mechanism or accountant, findings of a report.

Each begins with what may be changed, goes on with the verdict as the suite shows it, and says what was not checked.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.report.notebook import Cell, Code, Notebook, Prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from auditor.engine.registry import Registry
    from auditor.report.model import AuditReport

PARAMETERS = ("parameters",)


def about_registered(identifier: str, known: Registry) -> Notebook | None:
    """Return the page about a claim, mechanism, fault, control or accountant; None where nothing has the id."""
    if (claim := known.claims.get(identifier)) is not None:
        about = f"{claim.source.paper}, {claim.source.locator}\n\n$${claim.statement}$$\n\n{claim.note}"
        title = claim.title
    elif (fault := known.faults.get(identifier)) is not None:
        about = f"A planted fault: the claim `{fault.violates}` with one thing changed. {fault.explanation}"
        title = fault.title
    elif (mechanism := known.mechanisms.get(identifier) or known.controls.get(identifier)) is not None:
        about, title = mechanism.note, mechanism.title
    elif (accountant := known.accountants.get(identifier)) is not None:
        about, title = f"Held against `{accountant.against}`. {accountant.note}", identifier
    else:
        return None
    cells: list[Cell] = [
        Prose(f"`{identifier}`: {about}".rstrip(": ")),
        Code('profile, seed = "quick", 0', PARAMETERS),
        Code(f"import auditor\n\nreport = auditor.run([{identifier!r}], profile=profile, seed=seed)\nreport"),
        Prose("What each check saw, and the command that shows it again:"),
        Code(
            "for finding in report.findings:\n"
            '    print(f"{finding.id}\\n  {finding.headline}\\n  {finding.reproduce}")'
        ),
    ]
    return Notebook(identifier, title, tuple(cells))


def of_mechanism(
    target: str, folder: Path, claim: str | None, parameters: Mapping[str, str], promise: Mapping[str, str]
) -> Notebook:
    """Return the page that audits somebody's mechanism.

    Args:
        target: `package.module:callable` or `path/to/file.py:callable`.
        folder: where the notebook will lie; paths in it are relative to it.
        claim: id of the claim that it should keep, or None.
        parameters: exact values of the claim.
        promise: without a claim, `epsilon` and `delta`.

    """
    arguments = {**promise, **parameters}
    held = f"the claim `{claim}`" if claim else f"({promise['epsilon']}, {promise['delta']})-differential privacy"
    cells: list[Cell] = [
        Prose(
            f"Does `{target}` keep {held}? It is audited by its releases alone: on neighbours that "
            f"{'the claim names and others that are searched' if claim else 'are searched'}, betting against the "
            "promise on fresh randomness. A silence says how large a violation it would have shown."
        ),
        Code(
            f"target = {_placed(target, folder)!r}\nclaim = {claim!r}\npromise = {arguments!r}\n"
            'options = dict(keys=(), detect="3x", budget=60.0, seed=0)',
            PARAMETERS,
        ),
        Code(
            "import auditor\n\nfound = auditor.audit_mechanism(target, claim, **promise, **options)\nfound",
        ),
        Prose(
            "## What an attacker reaches\n\nBounds at a confidence of their own, from the releases that were bet on. "
            "Left: errors in telling neighbours apart; below the line of the claim it is broken. Right: the delta that "
            "the mechanism has at least, by epsilon; a delta above the cross at its epsilon breaks the claim."
        ),
        Code("found.plot();"),
        Prose(
            "## What was tried, and what was not\n\nOnly these neighbours were tried; a violation on others, or one "
            "smaller than the power stated above, would not have been seen."
        ),
        Code("for pair in found.tried:\n    print(f'{pair.id}: {dict(pair.left)} against {dict(pair.right)}')"),
        Prose(
            "## Change this and run again\n\nThe second cell holds the target, its promise and the options: `keys` "
            "are names that the target knows, `detect` is the violation that a silence must be able to see, `budget` "
            "is in CPU seconds. With one seed the same samples are drawn again, by this cell or by the command:"
        ),
        Code("print(found.reproduce)"),
    ]
    return Notebook(_name(target), f"Audit of {target}", tuple(cells))


def of_accountant(target: str, folder: Path, against: str, box: Iterable[str]) -> Notebook:
    """Return the page that audits somebody's accountant against a claim, over ranges `name=lo:hi`."""
    ranges = {name: tuple(ends.split(":")) for name, _, ends in (word.partition("=") for word in box)}
    cells: list[Cell] = [
        Prose(
            f"Does `{target}` compute the number of the claim `{against}`? It is called at points of a box, and each "
            "answer is held against certified enclosures of the true value."
        ),
        Code(
            f"target = {_placed(target, folder)!r}\nagainst = {against!r}\nbox = {ranges!r}\n"
            "options = dict(max_examples=400, seed=0)",
            PARAMETERS,
        ),
        Code("import auditor\n\nfound = auditor.audit_accountant(target, against, box=box, **options)\nfound"),
        Prose("## Where it was called\n\nEach point is a call; crosses are answers that are wrong."),
        Code("found.plot();"),
        Prose(
            "## What was judged, and what was not\n\nOnly points of this box were called; an answer is judged where "
            "the claim says something there."
        ),
        Code("print(found.scope)\nprint(*found.notes, sep='\\n')"),
        Prose("## Change this and run again\n\nThe second cell holds target, claim and box; or the command:"),
        Code("print(found.reproduce)"),
    ]
    return Notebook(_name(target), f"Audit of {target} against {against}", tuple(cells))


def of_report(report: AuditReport, identifiers: Iterable[str]) -> Notebook:
    """Return the page that shows findings of a report and computes them again: all, or those of some subjects."""
    wanted = set(identifiers)
    kept = [f for f in report.findings if not wanted or f.subject in wanted or f.id in wanted]
    subjects = list(dict.fromkeys(finding.subject for finding in kept))
    cells: list[Cell] = [
        Prose(f"{len(kept)} of the report's {len(report.findings)} findings, computed again at its profile and seed."),
        Code(f"profile, seed = {report.profile!r}, {report.seed!r}\nsubjects = {subjects!r}", PARAMETERS),
        Code("import auditor\n\nreport = auditor.run(subjects, profile=profile, seed=seed)\nreport"),
        Prose("What the report said:"),
        *(Prose(f"**{finding.id}**: {finding.headline}") for finding in kept),
    ]
    return Notebook("report", "Findings of a report", tuple(cells))


def _placed(target: str, folder: Path) -> str:
    """Return the target as it is named from the notebook's folder."""
    file, colon, name = target.rpartition(":")
    return f"{os.path.relpath(file, folder)}:{name}" if colon and file.endswith(".py") else target


def _name(target: str) -> str:
    file, _, name = target.rpartition(":")
    return re.sub(r"\W+", "_", f"{Path(file).stem}_{name}")
