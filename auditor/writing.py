"""Files written whole, or not at all."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from auditor.errors import OutputError


def writable_directory(path: Path) -> Path:
    """Make the directory and prove that a file can be written there.

    Raises:
        OutputError: it is a file, is read-only, or cannot be made.
    """
    probe = path / f".auditor-{os.getpid()}"
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe.write_text("", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        raise OutputError(f"cannot write to '{path}': {_reason(error)}; give another --out DIR") from None
    return path


def write(path: Path, text: str | bytes) -> None:
    """Write one file: see `write_all`."""
    write_all({path: text})


def write_all(contents: Mapping[Path, str | bytes]) -> None:
    """Write files whole, and all of them or none; a device or a pipe is written to, never replaced.

    Raises:
        OutputError: one of them cannot be written.
    """
    path = Path()
    partials: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            file = path.resolve()
            into_place = not file.exists() or file.is_file()
            partial = file.with_name(f".{os.getpid()}.{len(partials)}.partial") if into_place else file
            if into_place:
                partials[partial] = file
            partial.write_bytes(content.encode() if isinstance(content, str) else content)
        for partial, file in partials.items():
            partial.replace(file)
    except OSError as error:
        raise OutputError(f"cannot write '{path}': {_reason(error)}; give another path") from None
    finally:
        for partial in partials:
            with suppress(OSError):  # what could not be written need not be there
                partial.unlink()


def _reason(error: OSError) -> str:
    words = error.strerror or type(error).__name__
    return "a file is in the way" if isinstance(error, FileExistsError | NotADirectoryError) else words.lower()
