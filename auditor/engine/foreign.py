"""Calls of foreign code in a child process.

The call cannot hang or end this process, exhaust the machine's memory, or print into the answers.
"""

import json
import os
import resource
from collections.abc import Callable
from typing import Any

from auditor.target.process import MEBIBYTE, describe_exit, forked
from auditor.target.target import Misbehaved, MisbehavedError
from auditor.target.worker import Answers, limit_memory

MEMORY_BYTES = 4096 * MEBIBYTE
"""Address space, in bytes, that the child may add to the space of this process."""


def call_apart(function: Callable[[], Any], seconds: float) -> Any:
    """Return the JSON value of a function that runs in a fork of this process; without fork, in this process.

    Args:
        function: a function that does not raise.
        seconds: time limit.

    Raises:
        MisbehavedError: no result within the time limit, or the child ended.
    """
    if not hasattr(os, "fork"):
        return function()

    def serve(_incoming: int, outgoing: int) -> None:
        limit_memory(MEMORY_BYTES, resource.RLIMIT_AS)
        with os.fdopen(outgoing, "wb") as stream:
            Answers(stream).send({}, json.dumps(function()).encode())

    connection = forked(serve)
    try:
        _header, payload = connection.receive(seconds)
    except TimeoutError:
        connection.kill()
        raise MisbehavedError(Misbehaved("hangs", f"hangs or is too slow: no result within {seconds:g} s")) from None
    except (EOFError, ValueError):
        raise MisbehavedError(Misbehaved("dies", f"dies: {describe_exit(connection.end())}")) from None
    except BaseException:
        connection.kill()
        raise
    connection.kill()
    return json.loads(payload)
