"""What became of the mutants of each claim's formulas, kept beside the digest of the code that they are mutants of.

`auditor mutate ID-GLOB --record FILE` writes it; what was found of code that is another now is not told.
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
"""By claim: `code`, the digest; `mutants`, how many there are; `fates`, counts; `unseen`, the changes and reasons."""
_KILLED = (Fate.REFUTED, Fate.UNPROVED, Fate.ELSEWHERE)


def read(path: Path) -> Record:
    """What a file holds; nothing where there is none."""
    kept: Record = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return kept


def write(path: Path, found: Sequence[Attack], claims: Mapping[str, Claim]) -> None:
    """Put what was found into a file, one line a claim, in the place of what it held of these; claims gone go.

    Of a claim without mutants there is nothing to keep.
    """
    kept = {name: entry for name, entry in read(path).items() if name in claims and entry["mutants"]}
    for one in found:
        if not one.mutants:
            continue
        fates = Counter(each.fate for each in one.tried)
        kept[one.claim] = {
            "code": code_digest(claims[one.claim]),
            "mutants": one.mutants,
            "fates": {fate.value: fates[fate] for fate in Fate if fates[fate]},
            "unseen": [
                " ".join(filter(None, (each.change, each.by))) for each in one.tried if each.fate is Fate.UNSEEN
            ],
        }
    lines = [f" {json.dumps(name)}: {json.dumps(entry)}" for name, entry in sorted(kept.items())]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def told(claim: Claim, record: Record) -> str:
    """The mutants killed, of those tried, and what became of the others; or why there is nothing to tell."""
    entry = current(claim, record)
    if next(formula_mutants(claim), None) is None:
        return "none to change"
    if entry is None:
        return "not run since its code changed" if claim.id in record else "not run"
    fates: Mapping[str, int] = entry["fates"]
    killed = sum(fates.get(fate.value, 0) for fate in _KILLED)
    others = [f"{count} {fate}" for fate, count in fates.items() if fate not in _KILLED]
    return ", ".join([f"{killed} of {sum(fates.values())} tried of {entry['mutants']}", *others])


def current(claim: Claim, record: Record) -> Mapping[str, Any] | None:
    """What is kept of the claim as its code is now."""
    entry = record.get(claim.id)
    return entry if entry is not None and entry["code"] == code_digest(claim) else None
