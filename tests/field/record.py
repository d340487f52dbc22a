"""Run the audits of the corpus, record what came out, and write the page of the documentation from the record.

`python -m tests.field.record` runs the audits without a valid record; `python -m tests.field.record NAME ...` runs
these. Each audit has a process of its own, whose CPU seconds, with those of its children, are recorded.
"""

import argparse
import hashlib
import json
import re
import resource
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor import audit_accountant, audit_mechanism, audit_object
from auditor.findings.card import WORDS
from proofs_numeric.statements.verdict import Verdict
from tests.field.corpus import CASES, HERE, RIGHT, Audit, Case, audits

ROOT = HERE.parents[1]
RECORD = HERE / "record.json"
PAGE = ROOT / "docs/reference/field.md"
COMMAND = "python -m tests.field.record"
MOST_WALL_SECONDS = 1800
"""Wall-clock seconds after which an audit on a busy machine counts as hanging."""

Entry = Mapping[str, Any]
"""What is recorded of one audit: digest, verdict, seconds, detail, where."""


def run(audit: Audit, budget: float | None = None) -> Any:
    """Run one audit through the public API, with its own budget of CPU seconds or another, and return its result."""
    options = {**audit.options, "budget": audit.seconds if budget is None else budget}
    if not audit.accountant:
        return audit_mechanism(audit.target, **options)
    return (audit_accountant if "against" in options else audit_object)(audit.target, **options)


def digest(audit: Audit) -> str:
    """Return a hash of the target's file, of its data and of the options."""
    data = Path(str(audit.options.get("dataset", "")))
    options = repr((audit.function, sorted(audit.options.items()), audit.seconds)).replace(str(HERE), "")
    parts = [audit.file.read_bytes(), data.read_bytes() if data.suffix == ".csv" else b"", options.encode()]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]


def recorded() -> dict[str, Entry]:
    """Return the record by name of audit; empty before the first run."""
    return json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {}


def outdated(record: Mapping[str, Entry]) -> list[str]:
    """Return the names in the record whose target, data or options have changed since, or are no more."""
    known = audits()
    return [name for name, found in record.items() if name not in known or found["digest"] != digest(known[name])]


def due(record: Mapping[str, Entry]) -> list[str]:
    """Return the names of audits without a valid record."""
    changed = outdated(record)
    return [name for name in audits() if name not in record or name in changed]


def measured(name: str) -> Entry:
    """Run one audit in a process of its own and return its entry."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = subprocess.run(  # noqa: S603 - this very module
        [sys.executable, "-m", "tests.field.record", "--one", name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=MOST_WALL_SECONDS,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {**json.loads(said.stdout), "seconds": round(seconds, 1), "digest": digest(audits()[name])}


def entry(audit: Audit) -> Entry:
    """Run one audit in this process and return its verdict, detail and the lines it names."""
    result = run(audit)
    where = [line.replace(str(HERE), "") for line in getattr(result, "where", ())]
    return {"verdict": result.verdict.value, "detail": result.detail.replace(str(HERE), ""), "where": where}


def line(found: Entry | None, file: Path) -> str:
    """Return the line of the target that a refutation suspects first; a dash where it suspects none."""
    if found is None or found["verdict"] != Verdict.REFUTED.value:
        return "-"
    match = re.search(rf"suspect {re.escape(file.name)}:(\d+)", " ".join(found["where"]))
    return match[1] if match else "-"


def outcome(found: Entry | None) -> str:
    """Return a verdict in the words of the reports, and its CPU seconds, as two cells of a table."""
    return "not run | -" if found is None else f"{WORDS[Verdict(found['verdict'])]} | {found['seconds']}"


def counts(title: str, names: Sequence[str], record: Mapping[str, Entry]) -> str:
    """Return a row of the first table: how many audits had which verdict."""
    verdicts = [record[name]["verdict"] for name in names if name in record]
    kinds = (Verdict.REFUTED, Verdict.CONSISTENT, Verdict.UNDECIDED)
    numbers = [len(names), *(verdicts.count(kind.value) for kind in kinds), len(names) - len(verdicts)]
    return f"| {title} | {' | '.join(map(str, numbers))} |"


def page(record: Mapping[str, Entry]) -> str:
    """Return the page of the documentation."""
    lines = [
        "# Public reports",
        "",
        "Each row is a public report about a privacy library, and a small target of our own with the reported fault.",
        "The targets, their data and their options are in `tests/field`. Each target has a right version beside it.",
        "",
        f"This page is written by `{COMMAND}` from the recorded run in `tests/field/record.json`.",
        "Each audit ran with its default settings.",
        "",
        "| | number | refuted | no violation seen | undecided | not run |",
        "|---|---|---|---|---|---|",
        counts("wrong versions", [f"{case.name}:wrong" for case in CASES], record),
        counts("right versions", [f"{case.name}:right" for case in CASES], record),
        counts("right mechanisms", [f"right:{mechanism.name}" for mechanism in RIGHT], record),
        "",
        "Seconds are CPU seconds of the whole process. The line is the first of the target that a finding suspects.",
    ]
    for kind in dict.fromkeys(case.kind for case in CASES):
        lines += ["", f"## {kind.capitalize()}", "", "| report | fault | wrong | s | line | right | s |"]
        lines += ["|---|---|---|---|---|---|---|"]
        lines += [row(case, record) for case in CASES if case.kind == kind]
    lines += [
        "",
        "## Right mechanisms",
        "",
        "These mechanisms are correct, and no report concerns them. The audit must not refute any of them.",
        "",
    ]
    lines += ["| mechanism | verdict | s |", "|---|---|---|"]
    lines += [f"| `{mechanism.name}` | {outcome(record.get(f'right:{mechanism.name}'))} |" for mechanism in RIGHT]
    return "\n".join([*lines, ""])


def row(case: Case, record: Mapping[str, Entry]) -> str:
    """Return one row of the page."""
    wrong, right = record.get(f"{case.name}:wrong"), record.get(f"{case.name}:right")
    owner, library, _, number = case.report.removeprefix("https://github.com/").split("/", 3)
    short = f"{owner}/{library} {'#' + number if number.isdigit() else number.rsplit('/', 1)[-1]}"
    return (
        f"| [{short}]({case.report}), `{case.name}` | {case.fault}{reasons(case, wrong, right)} | {outcome(wrong)}"
        f" | {line(wrong, case.file)} | {outcome(right)} |"
    )


def reasons(case: Case, wrong: Entry | None, right: Entry | None) -> str:
    """Return why a version has another verdict than it should; empty if there is no such version or no reason."""
    texts = []
    if wrong is not None and wrong["verdict"] != Verdict.REFUTED.value and case.undecided_wrong:
        texts.append(f" Not refuted: {case.undecided_wrong}.")
    if right is not None and right["verdict"] != Verdict.CONSISTENT.value and case.undecided_right:
        texts.append(f" Right version undecided: {case.undecided_right}.")
    return "".join(texts)


def update(names: Sequence[str]) -> None:
    """Run the audits; write each entry, and the page, as soon as an entry is known."""
    for name in names:
        result = measured(name)
        record = {**recorded(), name: result}
        ordered = {known: record[known] for known in audits() if known in record}
        RECORD.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        PAGE.write_text(page(ordered), encoding="utf-8")
        sys.stdout.write(f"{name}: {result['verdict']}, {result['seconds']} s\n")
        sys.stdout.flush()


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="audits to run; those without a valid record when none is named")
    parser.add_argument("--one", help="run one audit in this process and print its entry")
    given = parser.parse_args()
    if given.one:
        sys.stdout.write(json.dumps(entry(audits()[given.one])))
        return
    update(given.names or due(recorded()))


if __name__ == "__main__":
    main()
