"""The checkpoint of a run: findings of finished units on disk, so that an interrupted run can be resumed.

The file has one JSON document per line: first the settings that determine the report, then each finished unit. The seal
of a line is a hash of the line and of the previous seal, hence of all lines above. A line that was edited, moved,
duplicated, removed or copied from another run is rejected with a message. A run that dies can truncate only the end of
the file; the truncated units run again. (A seal has no key: it detects accidents, not forgeries.)

The folder is locked while a run writes to it.
"""

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

from pydantic import ValidationError

from auditor.errors import OutputError
from auditor.findings.finding import Finding
from auditor.printable import printable
from auditor.reading import text_of

CHECKPOINT = "checkpoint.jsonl"


class Checkpoint:
    """Findings of finished units; a context manager that holds the lock of the folder.

    Args:
        folder: folder of the file; None disables the checkpoint.
        settings: settings and versions that determine the findings.
        resume: continue from an existing file instead of replacing it.

    Raises:
        OutputError: the file belongs to another run, is damaged, or cannot be read or written; or another run writes to
            the folder.
    """

    def __init__(self, folder: Path | None, settings: Mapping[str, Any], *, resume: bool) -> None:
        self.path = None if folder is None else folder / CHECKPOINT
        self.header: dict[str, Any] = json.loads(json.dumps(settings))
        self.done: dict[str, list[dict[str, Any]]] = {}
        self._seal = ""
        self._lock: int | None = None
        if folder is None or self.path is None:
            return
        try:
            self._lock = _lock_folder(folder)
            self._begin(text_of(self.path) if resume and self.path.exists() else None)
        except (OSError, UnicodeDecodeError) as error:
            self.close()
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            raise OutputError(f"cannot use the checkpoint {self.path}: {reason}") from None
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock of the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _begin(self, text: str | None) -> None:
        """Load the file, and write it again without its truncated end."""
        lines = [_line(self.header)]
        self._seal = _seal("", self.header)
        if text is not None:
            lines += self._load(text)
        if self.path is not None:
            fresh = self.path.with_suffix(".new")
            fresh.write_text("".join(lines), encoding="utf-8")
            fresh.replace(self.path)

    def _load(self, text: str) -> list[str]:
        *lines, _cut_off = text.split("\n")
        again = "drop --resume to start from the beginning"
        header = _parse_line(lines[0]) if lines else None
        if not isinstance(header, dict):
            raise OutputError(f"line 1 of {self.path} is damaged; {again}")
        differing = [name for name in self.header.keys() | header.keys() if self.header.get(name) != header.get(name)]
        if differing:
            name = min(differing)
            there, here = (printable(json.dumps(settings.get(name, "none"))) for settings in (header, self.header))
            raise OutputError(f"{self.path} belongs to another run: its {name} is {there}, here it is {here}; {again}")
        for number, line in enumerate(lines[1:], 2):
            entry = _parse_line(line)
            seal = entry.pop("seal", None) if isinstance(entry, dict) else None
            if not _is_unit(entry) or seal != _seal(self._seal, entry):
                raise OutputError(f"line {number} of {self.path} is damaged, or not of this run; {again}")
            self.done[entry["unit"]] = entry["findings"]
            self._seal = seal
        return [f"{line}\n" for line in lines[1:]]

    def add(self, unit_id: str, findings: list[dict[str, Any]]) -> None:
        """Append one unit.

        Raises:
            OutputError: the file cannot be written.
        """
        if self.path is None:
            return
        entry = {"unit": unit_id, "findings": findings}
        self._seal = _seal(self._seal, entry)
        try:
            with self.path.open("a", encoding="utf-8") as handle:
                handle.write(_line({**entry, "seal": self._seal}))
        except OSError as error:
            raise OutputError(
                f"cannot write {self.path}: {(error.strerror or type(error).__name__).lower()}; "
                "finished checks are kept: --resume continues from there"
            ) from None

    def remove(self) -> None:
        """Delete the checkpoint of a complete run."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def _lock_folder(folder: Path) -> int:
    """Lock a folder against other runs and return the descriptor that holds the lock; no file is created."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in {errno.EWOULDBLOCK, errno.EACCES}:
            os.close(descriptor)
            raise OutputError(f"another run writes to {folder}; wait for it, or give another --out DIR") from None
        # a file system without locks
    return descriptor


def _line(document: Mapping[str, Any]) -> str:
    return json.dumps(document, sort_keys=True) + "\n"


def _seal(before: str, document: Mapping[str, Any]) -> str:
    """Return the hash of a line and of all lines before it."""
    return hashlib.sha256(f"{before}\n{_line(document)}".encode()).hexdigest()


def _parse_line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _is_unit(entry: Any) -> bool:
    """Return whether a line has a unit and findings about its subject."""
    if not isinstance(entry, dict) or entry.keys() != {"unit", "findings"}:
        return False
    if not isinstance(entry["unit"], str) or not isinstance(entry["findings"], list):
        return False
    try:
        findings = [Finding.model_validate(item) for item in entry["findings"]]
    except ValidationError:
        return False
    return bool(findings) and all(entry["unit"].startswith(f"{finding.subject}::") for finding in findings)
