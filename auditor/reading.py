"""Read files of others: whole, as UTF-8 text, and never without end."""

import errno
import os
from pathlib import Path

MOST_BYTES = 2**28
"""Bytes of a file that is read, where its reader knows no smaller limit."""


def text_of(path: Path, most: int = MOST_BYTES) -> str:
    """Return the text of a file.

    Raises:
        OSError: it cannot be read, or is larger than `most` bytes (a device may have no end).
        UnicodeDecodeError: it is not UTF-8 text.
    """
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return content.decode()
