"""Recomputation of a report from its settings, and comparison with the file field by field.

A report is a function of the installed suite, the versions, the selection, the profile, the seed and alpha. So the file
is not trusted: its run is repeated, and every finding, verdict, count, expectation, entry, erratum, item of trust and
figure must be equal in value and type. The file is compared as plain JSON; it reaches no check and no renderer.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from auditor.engine import runner
from auditor.engine.assembly import assemble
from auditor.engine.plan import Settings, plan
from auditor.engine.registry import registry
from auditor.errors import InterruptedRunError, ReportError, UnknownIdError, UsageError, counted
from auditor.printable import printable
from auditor.report.json import render
from auditor.report.view import PROJECT, SESSION
from auditor.settings import checked_settings

MOST_PATTERNS = 10_000
MOST_DIFFERENCES = 1000
"""Most reported differences."""
LONGEST_VALUE = 120
_VERSIONS = ("environment", "suite_version")
_NAMES = ("id", "finding", "family", "name")
"""Keys that identify an entry of a report's list; the first one that the entry has."""
_NOTHING = object()


@dataclass(frozen=True)
class Recomputation:
    """Result of recomputing a report.

    Attributes:
        done: whether the run of the report could be repeated.
        differences: a sentence for each field that differs, with a finding's id first; empty if the file is the report
            of its settings.
        unchecked: a sentence for each part that could not be recomputed, with the reason.
        narrower: a sentence on the installed subjects that the report omits; empty if it covers all.
    """

    done: bool
    differences: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    narrower: str = ""


def recompute(
    document: Mapping[str, Any],
    *,
    jobs: int = 1,
    evidence: Path | None = None,
    events: Callable[[runner.Event], None] = lambda _event: None,
) -> Recomputation:
    """Repeat the run of a report and compare.

    Args:
        document: the file as plain JSON, not validated.
        jobs: worker processes.
        evidence: the evidence file with the report's run, if any.
        events: called with the events of the run.

    Raises:
        InterruptedRunError: the user stopped the run.
        ReportError: the evidence file cannot be trusted.
        UsageError: evidence for a report of no or several mechanisms.
    """
    if document.get("selection") == SESSION:
        return Recomputation(done=False, unchecked=("findings: a test session made them; run its tests again",))
    if document.get("selection") == PROJECT:
        return Recomputation(done=False, unchecked=("findings: `auditor check` made them; run it again",))
    try:
        settings, selection, pending = _settings_of(document)
    except (UsageError, UnknownIdError) as error:
        return Recomputation(done=False, differences=(f"the settings: {error}",))
    number = _run_number(document) if evidence is not None else None
    fresh = runner.run(
        selection,
        profile=settings.profile,
        seed=settings.seed,
        alpha=settings.alpha,
        jobs=jobs,
        evidence=evidence,
        replay=number,
        events=events,
    )
    if not fresh.complete:
        raise InterruptedRunError("interrupted: the report was not computed again to its end, so it has no verdict")
    unchecked = []
    if pending:
        done = [finding for finding in fresh.findings if f"{finding.subject}::{finding.check}" not in pending]
        fresh = assemble(registry(), done, settings, selection, pending)
        unchecked.append(f"pending: the run was interrupted before {counted(len(pending), 'check')}")
    here = json.loads(render(fresh))
    for name in _VERSIONS:
        if document.get(name) != here[name]:
            there, recomputed = _describe_value(document.get(name)), _describe_value(here[name])
            unchecked.append(f"{name}: the report was made with {there}, computed again with {recomputed}")
            _made_with(document.get(name), name, here)
    return Recomputation(
        done=True,
        differences=tuple(islice(differences(document, here), MOST_DIFFERENCES)),
        unchecked=tuple(unchecked),
        narrower=narrower(selection, {finding.subject for finding in fresh.findings}),
    )


def narrower(selection: Sequence[str], present: set[str]) -> str:
    """Return a sentence on the installed subjects that a report omits; empty if there are none.

    Args:
        selection: globs of the report.
        present: subjects of its findings, with the premises of selected subjects.
    """
    catalogue = registry()
    installed, covered = catalogue.select([]), present.union(catalogue.select(selection))
    left = len(set(installed) - covered)
    if not left:
        return ""
    return (
        f"narrower than what is installed here: {len(installed) - left} of {counted(len(installed), 'subject')}, "
        f"as selected by {printable(' '.join(selection), LONGEST_VALUE)}; not covered: {left}"
    )


def _made_with(versions: Any, name: str, here: dict[str, Any]) -> None:
    """Replace the versions of the recomputation by the versions of the report."""
    here[name] = versions
    packages = versions.get("packages") if isinstance(versions, dict) else None
    for item in here["trust"]:
        if item["kind"] == "library" and isinstance(packages, dict):
            item["version"] = packages.get(item["name"], "")


def _settings_of(document: Mapping[str, Any]) -> tuple[Settings, list[str], list[str]]:
    """Return settings, selection and pending units of a report; UsageError if one is invalid."""
    kinds = {"profile": str, "seed": int, "alpha": str, "selection": list, "pending": list}
    for name, kind in kinds.items():
        if type(document.get(name)) is not kind:
            raise UsageError(
                f"expected {name} to be of type {kind.__name__}, got {_describe_value(document.get(name))}"
            )
    selection, pending = document["selection"], document["pending"]
    for name, texts in (("selection", selection), ("pending", pending)):
        if len(texts) > MOST_PATTERNS or not all(isinstance(text, str) for text in texts):
            raise UsageError(f"expected {name} to be at most {MOST_PATTERNS} texts, got {_describe_value(texts)}")
    settings = Settings(document["profile"], document["seed"], document["alpha"])
    checked_settings(settings.profile, settings.seed, settings.alpha, 1)
    planned = {unit.id for level in plan(selection, registry()) for unit in level}
    return settings, selection, sorted(planned.intersection(pending))


def _run_number(document: Mapping[str, Any]) -> int | None:
    """Return the number of the run in the evidence file that the findings continue; None if there is none."""
    try:
        runs = {evidence.get("run") for finding in document["findings"] for evidence in finding["evidence"]}
    except (AttributeError, KeyError, TypeError) as error:
        raise ReportError(f"expected findings with evidence, got a report without: {error}") from None
    return next((run for run in runs if type(run) is int), None)


def differences(there: Any, here: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield a sentence for each field of a file that differs from the computed one in value or type.

    The recursion follows the computed document, so the depth and size of the file do not matter.

    Args:
        there: a value of the file.
        here: the computed value.
        path: names of the enclosing fields.
    """
    if isinstance(there, dict) and isinstance(here, dict):
        for name in [*here, *(there.keys() - here.keys())]:
            yield from differences(there.get(name, _NOTHING), here.get(name, _NOTHING), (*path, name))
    elif isinstance(there, list) and isinstance(here, list):
        by_name, expected = _by_name(there), _by_name(here)
        if by_name is None or expected is None:
            for place, (left, right) in enumerate(zip_longest(there, here, fillvalue=_NOTHING)):
                yield from differences(left, right, (*path, str(place)))
            return
        yield from differences(by_name, expected, path)
        if by_name.keys() == expected.keys() and list(by_name) != list(expected):
            first_moved = next(name for name, place in zip(by_name, expected, strict=True) if name != place)
            yield f"{_where((*path, first_moved))}: out of order: {'.'.join(path)} are sorted"
    elif type(there) is not type(here) or there != here:
        yield f"{_where(path)}: the report has {_describe_value(there)}, computed again it is {_describe_value(here)}"


def _by_name(entries: list[Any]) -> dict[str, Any] | None:
    """Return entries by name; None if one has no name, or two have equal names."""
    by_name = {name: entry for entry in entries if (name := _name(entry)) is not None}
    return by_name if len(by_name) == len(entries) else None


def _name(entry: Any) -> str | None:
    """Return the name of an entry; None if it has none."""
    parts = (entry[key] for key in _NAMES if key in entry) if isinstance(entry, dict) else ()
    return next((name for name in parts if isinstance(name, str)), None)


def _where(path: tuple[str, ...]) -> str:
    """Return the text of a field's location, with a finding's id first."""
    if path[0] == "findings" and len(path) > 1 and not path[1].isdigit():
        return printable(": ".join(part for part in (path[1], ".".join(path[2:])) if part))
    return printable(".".join(path))


def _describe_value(value: Any) -> str:
    if value is _NOTHING:
        return "nothing"
    if (name := _name(value)) is not None:
        return printable(name)
    if isinstance(value, dict | list):
        return f"{'an object' if isinstance(value, dict) else 'a list'} of {len(value)}"
    return printable(json.dumps(value, ensure_ascii=False), LONGEST_VALUE)
