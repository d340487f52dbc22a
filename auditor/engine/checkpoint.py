"""The checkpoint of a run: findings of finished units on disk, so that a run that stopped in the middle can go on.

One JSON document a line: first what the bytes of the report depend on, then each finished unit. Only the last line can
be cut off by a run that dies; its unit is run again. Any other damage is told, not mended.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from auditor.errors import OutputError
from auditor.report.model import Finding

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CHECKPOINT = "checkpoint.jsonl"


class Checkpoint:
    """Findings of finished units.

    Args:
        folder: where the file is; None: nothing is kept.
        settings: what the findings depend on, versions included.
        resume: go on from the file, if there is one, rather than begin it anew.

    Errors:
        OutputError: the file is of another run, damaged, or cannot be read or written.

    """

    def __init__(self, folder: Path | None, settings: Mapping[str, Any], *, resume: bool) -> None:
        self.path = None if folder is None else folder / CHECKPOINT
        self.header: dict[str, Any] = json.loads(json.dumps(settings, sort_keys=True))
        self.done: dict[str, list[dict[str, Any]]] = {}
        if self.path is None:
            return
        try:
            if resume and self.path.exists():
                self._load(self.path.read_text(encoding="utf-8", errors="replace"))
            lines = [self.header, *({"unit": unit, "findings": found} for unit, found in self.done.items())]
            fresh = self.path.with_suffix(".new")
            fresh.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
            fresh.replace(self.path)
        except OSError as error:
            raise OutputError(f"cannot use the checkpoint {self.path}: {error.strerror}") from None

    def _load(self, text: str) -> None:
        *lines, _cut_off = text.split("\n")
        again = "drop --resume to start from the beginning"
        found = _parsed(lines[0]) if lines else None
        if not isinstance(found, dict):
            raise OutputError(f"line 1 of {self.path} is damaged; {again}")
        differing = [name for name in self.header.keys() | found.keys() if self.header.get(name) != found.get(name)]
        if differing:
            name = min(differing)
            there, here = (json.dumps(settings.get(name, "none")) for settings in (found, self.header))
            raise OutputError(f"{self.path} belongs to another run: its {name} is {there}, here it is {here}; {again}")
        for number, line in enumerate(lines[1:], 2):
            entry = _parsed(line)
            if not _is_unit(entry):
                raise OutputError(f"line {number} of {self.path} is damaged; {again}")
            self.done[entry["unit"]] = entry["findings"]

    def add(self, unit_id: str, findings: list[dict[str, Any]]) -> None:
        """Record one unit."""
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as handle:
                handle.write(json.dumps({"unit": unit_id, "findings": findings}) + "\n")

    def remove(self) -> None:
        """The run is complete: its report replaces the checkpoint."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _parsed(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_unit(entry: Any) -> bool:
    """Whether a line holds a unit and findings about its subject."""
    if not isinstance(entry, dict) or entry.keys() != {"unit", "findings"}:
        return False
    if not isinstance(entry["unit"], str) or not isinstance(entry["findings"], list):
        return False
    try:
        findings = [Finding.model_validate(item) for item in entry["findings"]]
    except ValidationError:
        return False
    return bool(findings) and all(entry["unit"].startswith(f"{found.subject}::") for found in findings)
