"""Notebooks of one subject: a claim, something registered, somebody's mechanism or accountant, findings of a report.

Each begins with what may be changed, goes on with the verdict as the suite shows it, and says what was not checked.
"""

from __future__ import annotations

import os
import re
import shlex
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from auditor.report.notebook import Cell, Code, Notebook, Prose

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from auditor.engine.registry import Registry
    from auditor.report.model import AuditReport
    from proofs_numeric.statements.box import Parameter
    from proofs_numeric.statements.claim import Claim

PARAMETERS = ("parameters",)
FEWEST_POINTS = 4
"""Points of a curve from which on it is drawn."""


def about_registered(identifier: str, catalogue: Registry) -> Notebook | None:
    """Return the page about a claim, mechanism, fault, control, accountant or a finding about one; None without any.

    A finding is named as in a report, `subject::check`; its page runs the checks of its subject and shows it.
    """
    subject, finding, _ = identifier.partition("::")
    about = _about(subject, catalogue)
    if about is None:
        return None
    title, text = about
    expression = f"[finding for finding in report.findings if finding.id == {identifier!r}][0]" if finding else "report"
    effort, first = _first(subject, catalogue)
    of_library = subject in catalogue.accountants and catalogue.accountants[subject].library
    profile = "standard" if of_library else "quick"  # quick calls no library
    imported = "" if first else "import auditor\n\n"
    cells: list[Cell] = [
        Prose(f"`{identifier}`: {text}".rstrip(": ")),
        Code("\n".join(filter(None, (f'profile, seed = "{profile}", 0', effort))), PARAMETERS),
        *first,
        Prose("## What each check found"),
        Code(f"{imported}report = auditor.run([{subject!r}], profile=profile, seed=seed)\n{expression}"),
        *_not_checked(),
        Prose(
            "## Change this and run again\n\nThe first cell of code holds what may be changed; a profile is `quick`, "
            "`standard` or `deep`. By the command line:"
            f"\n\n    auditor run {shlex.quote(subject)} --profile {profile} --seed 0"
        ),
    ]
    return Notebook(re.sub(r"::", "--", identifier), title, tuple(cells))


def _not_checked() -> list[Cell]:
    return [
        Prose("## What it rests on, and what was not checked\n\nA verdict that is *no violation seen* proves nothing."),
        Code(
            "import pandas\n\npandas.options.display.max_colwidth = None  # whole sentences\n"
            'report.to_frame("trust")[["kind", "used_for"]]'
        ),
    ]


def _about(identifier: str, catalogue: Registry) -> tuple[str, str] | None:
    """Title, and what is said of something registered."""
    if (claim := catalogue.claims.get(identifier)) is not None:
        return claim.title, f"{claim.source.paper}, {claim.source.locator}\n\n$${claim.statement}$$\n\n{claim.note}"
    if (fault := catalogue.faults.get(identifier)) is not None:
        text = f"A planted fault: the claim `{fault.violates}` with one thing changed. {fault.explanation}"
        return fault.title, text
    if (mechanism := catalogue.mechanisms.get(identifier)) is not None:
        return mechanism.title, f"Held to the claim `{mechanism.held_to}`. {mechanism.note}"
    if (control := catalogue.controls.get(identifier)) is not None:
        return control.title, f"A variant that keeps the claim `{control.satisfies}`. {control.note}"
    if (accountant := catalogue.accountants.get(identifier)) is not None:
        return accountant.title, f"Compared with `{accountant.against}`. {accountant.note}"
    return None


def _first(identifier: str, catalogue: Registry) -> tuple[str, list[Cell]]:
    """How much is spent on the first result, as an assignment, and its cells, with a figure where there is one."""
    if (claim := catalogue.claims.get(identifier)) is not None:
        return "", _curve(claim)
    if identifier in catalogue.accountants or hasattr(catalogue.faults.get(identifier), "accountant"):
        effort = "max_examples = 100  # of each search"
        call = f"auditor.audit_accountant({identifier!r}, max_examples=max_examples, seed=seed)"
    else:
        mechanism = catalogue.mechanisms.get(identifier)  # a fault or a control has an epsilon of its own
        at = "" if mechanism is None else f", {mechanism.held_to!r}, epsilon=1"
        effort = "budget = 20.0  # CPU seconds"
        call = f"auditor.audit_mechanism({identifier!r}{at}, budget=budget, seed=seed)"
    return effort, [Code(f"import auditor\n\nfound = {call}\nfound")]


def _curve(claim: Claim) -> list[Cell]:
    """The formula at the claim's first point, and along its first real parameter around that point."""
    if claim.formula is None or not claim.points:
        return []
    point = {name: str(value) for name, value in claim.points[0].items()}
    value = Code(f"import auditor\n\npoint = {point!r}\nauditor.evaluate({claim.id!r}, **point)")
    for parameter in claim.domain.parameters:
        along = _around(claim, point, parameter)
        if len(along) >= FEWEST_POINTS:
            break
    else:
        return [value]
    name = parameter.name
    values = f"[auditor.evaluate({claim.id!r}, **point | {{{name!r}: x}}, arithmetic='float64').value for x in along]"
    curve = Code(
        "from fractions import Fraction\n\nimport matplotlib.pyplot as plt\n\n"
        f"along = {along!r}\nvalues = {values}\n"
        "axes = plt.subplots(figsize=(6.4, 3.6))[1]\n"
        "axes.plot([float(Fraction(x)) for x in along], [float(value) for value in values], 'o-')\n"
        f"axes.set(xlabel={name!r}, ylabel={claim.computes!r});"
    )
    return [value, curve]


def _around(claim: Claim, point: Mapping[str, str], parameter: Parameter) -> list[str]:
    """Values of a real parameter from half of its value at the point to twice it, as far as the claim allows them."""
    if parameter.integer or parameter.choices or parameter.name not in point:
        return []
    from proofs_numeric.statements.box import ParameterError

    middle = Fraction(point[parameter.name])
    cells = []
    for value in sorted({middle * Fraction(k, 8) for k in (4, 5, 6, 7, 8, 10, 12, 14, 16)}):
        with suppress(ParameterError):
            claim.domain.parse({**point, parameter.name: str(value)})
            cells.append(str(value))
    return cells


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
    promise_text = (
        f"the claim `{claim}`" if claim else f"({promise['epsilon']}, {promise['delta']})-differential privacy"
    )
    cells: list[Cell] = [
        Prose(
            f"Does `{target}` keep {promise_text}? The audit uses its releases alone. It bets against the promise, "
            "with fresh randomness, on neighbours that "
            f"{'the claim names and on others that are searched' if claim else 'are searched'}. If it finds no "
            "violation, it states the smallest one that it would have found."
        ),
        Code(
            f"target = {_target_from(target, folder)!r}\nclaim = {claim!r}\npromise = {arguments!r}\n"
            'options = dict(keys=(), detect="3x", budget=60.0, seed=0)',
            PARAMETERS,
        ),
        Code("import auditor\n\nfound = auditor.audit_mechanism(target, claim, **promise, **options)\nfound"),
        Prose(
            "The figure has confidence bounds from the releases of the betting test. Left: error rates of a test "
            "between the neighbours; a point below the line of the claim violates the claim. Right: lower bounds on "
            "delta by epsilon; a bound above the cross at its epsilon violates the claim."
        ),
        Code("found.to_frame()"),
        Prose(
            "## What was tried, and what was not\n\nOnly these neighbours were tried; a violation on others, or one "
            "smaller than the power stated above, would not have been seen."
        ),
        Code(
            "import pandas\n\n"
            "pandas.DataFrame([(pair.id, dict(pair.left), dict(pair.right)) for pair in found.tried], "
            'columns=["pair", "left", "right"])'
        ),
        Prose(
            "## Change this and run again\n\n"
            "The first cell of code holds the target, its promise and the options: `keys` are names that the target "
            "knows, `detect` is the smallest violation that the audit must be able to detect, `budget` is in CPU "
            "seconds. With one seed the same samples are drawn again, by this cell or by the command:"
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
            "answer is compared with certified enclosures of the true value."
        ),
        Code(
            f"target = {_target_from(target, folder)!r}\nagainst = {against!r}\nbox = {ranges!r}\n"
            "options = dict(max_examples=400, seed=0)",
            PARAMETERS,
        ),
        Code("import auditor\n\nfound = auditor.audit_accountant(target, against, box=box, **options)\nfound"),
        Prose("Each point of the figure is a call; crosses are answers that are wrong. The calls, the worst first:"),
        Code('found.to_frame().sort_values("ratio").head(20)'),
        Prose(
            "## What was judged, and what was not\n\nOnly points of this box were called; an answer is judged where "
            "the claim applies."
        ),
        Code("print(found.scope)\nprint(*found.notes, sep='\\n')"),
        Prose("## Change this and run again\n\nThe first cell of code holds target, claim and box; or the command:"),
        Code("print(found.reproduce)"),
    ]
    return Notebook(_name(target), f"Audit of {target} against {against}", tuple(cells))


def of_report(report: AuditReport, identifiers: Iterable[str]) -> Notebook:
    """Return the page that shows findings of a report and computes them again: all, or those that are chosen.

    What is chosen and registered here is shown first, each subject as its own page begins.
    """
    from auditor.engine.registry import registry

    selection = set(identifiers)
    selected = [f for f in report.findings if not selection or f.subject in selection or f.id in selection]
    subjects = list(dict.fromkeys(finding.subject for finding in selected))
    explained = [subject for subject in subjects if selection and _about(subject, registry()) is not None]
    firsts = [_first(subject, registry()) for subject in explained]
    efforts = dict.fromkeys(effort for effort, _ in firsts if effort)
    settings = f"profile, seed, alpha = {report.profile!r}, {report.seed!r}, {report.alpha!r}"
    command = ["auditor", "run", *subjects, "--profile", report.profile, "--seed", str(report.seed)]
    cells: list[Cell] = [
        Prose(
            f"{len(selected)} of the report's {len(report.findings)} findings, computed again at its profile and seed."
        ),
        Code("\n".join([settings, f"subjects = {subjects!r}", *efforts]), PARAMETERS),
        *(cell for _, first in firsts for cell in first),
        Code("import auditor\n\nreport = auditor.run(subjects, profile=profile, seed=seed, alpha=alpha)\nreport"),
        Prose("## What the report states"),
        *(Prose(f"**{finding.id}**: {finding.verdict.words}: {finding.headline}") for finding in selected),
        *_not_checked(),
        Prose(
            "## Change this and run again\n\nThe first cell of code; or by the command line:\n\n"
            f"    {shlex.join([*command, '--alpha', report.alpha])}"
        ),
    ]
    return Notebook("report", "Findings of a report", tuple(cells))


def _target_from(target: str, folder: Path) -> str:
    """Return the target as it is named from the notebook's folder."""
    file, colon, name = target.rpartition(":")
    return f"{os.path.relpath(file, folder)}:{name}" if colon and file.endswith(".py") else target


def _name(target: str) -> str:
    file, _, name = target.rpartition(":")
    return re.sub(r"\W+", "_", f"{Path(file).stem}_{name}")
