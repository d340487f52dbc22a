"""Read files of others: whole, as UTF-8 text, and never without end."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 2**28
"""Bytes of a file that is read: some eighty times a report of everything."""


def text_of(path: Path) -> str:
    """Return the text of a file.

    Raises:
        OSError: it cannot be read, or is larger than `MOST_BYTES` (a device may have no end).
        UnicodeDecodeError: it is not UTF-8 text.

    """
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content.decode()
