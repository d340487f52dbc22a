"""Record of the fates of mutants of each claim's formulas, with the digest of the mutated code.

`auditor mutate ID-GLOB --record FILE` writes it. Entries of code that has changed are ignored.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from auditor.checks.formula_mutation import code_digest, formula_mutants
from auditor.engine.attack import Attack, Fate
from proofs_numeric.statements.claim import Claim

Record = Mapping[str, Mapping[str, Any]]
"""By claim: `code`, the digest; `mutants`, their number; `fates`, counts; `unseen`, the changes and reasons."""
_KILLED = (Fate.REFUTED, Fate.UNPROVED, Fate.ELSEWHERE)


def read(path: Path) -> Record:
    """Return the record in a file; empty if the file does not exist."""
    record: Record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return record


def write(path: Path, attacks: Sequence[Attack], claims: Mapping[str, Claim]) -> None:
    """Update a file with attacks, one line per claim; removed claims and claims without mutants are dropped."""
    record = {name: entry for name, entry in read(path).items() if name in claims and entry["mutants"]}
    for one in attacks:
        if not one.mutants:
            continue
        fates = Counter(each.fate for each in one.tried)
        record[one.claim] = {
            "code": code_digest(claims[one.claim]),
            "mutants": one.mutants,
            "fates": {fate.value: fates[fate] for fate in Fate if fates[fate]},
            "unseen": [
                " ".join(filter(None, (each.change, each.by))) for each in one.tried if each.fate is Fate.UNSEEN
            ],
        }
    lines = [f" {json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(record.items())]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def summarize_attack(claim: Claim, record: Record) -> str:
    """Return a summary: mutants caught, mutants tried, and the fates of the others; or why there is none."""
    entry = current(claim, record)
    if next(formula_mutants(claim), None) is None:
        return "none to change"
    if entry is None:
        return "not run since its code changed" if claim.id in record else "not run"
    fates: Mapping[str, int] = entry["fates"]
    killed = sum(fates.get(fate.value, 0) for fate in _KILLED)
    survivors = [f"{count} {fate}" for fate, count in fates.items() if fate not in _KILLED]
    return ", ".join([f"{killed} of {sum(fates.values())} tried of {entry['mutants']}", *survivors])


def current(claim: Claim, record: Record) -> Mapping[str, Any] | None:
    """Return the claim's entry in the record; None if there is none or the code has changed."""
    entry = record.get(claim.id)
    return entry if entry is not None and entry["code"] == code_digest(claim) else None
