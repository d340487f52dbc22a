"""A call into code of others, in a child of its own.

It cannot hang this process, end it, use up the machine's memory, or print into its answers.
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
"""Address space that the child may add to what it has from this process."""


def called_apart(function: Callable[[], Any], seconds: float) -> Any:
    """Return what the function returns, a JSON value, in a fork of this process; here where there is no fork.

    Args:
        function: raises nothing.
        seconds: time it may take.

    Errors:
        MisbehavedError: no result within the time, or its process ended.
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
