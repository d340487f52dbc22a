"""Pre-fork server: it runs a file's imports once and forks a keeper for each worker.

A library takes seconds to import and is audited in many processes. A fork of a process that has only imported is as
good as a fresh one. The auditor starts the zygote as a script (`python zygote.py SOCKET_FD FILE`); it ends when the
auditor's end of the socket closes.

Requests, one answer each:
- `fork` with the descriptors of the worker's ends of the pipes (requests, answers, console): the keeper's process id;
- a process id and options: the two numbers that `os.waitpid` returns.

The module imports nothing of the auditor and only the standard library of Python 3.9.
"""

import ast
import contextlib
import importlib
import os
import runpy
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST = 64
"""Maximum length of a message, in bytes."""


def names_imported(file: str) -> Iterator[str]:
    """Yield the modules that a file imports, in order; `from a import b` yields `a` and the possible module `a.b`."""
    for node in ast.walk(ast.parse(Path(file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{one.name}" for one in node.names)


def forked(conversation: socket.socket, requests: int, answers: int, console: int) -> int:
    """Fork, and return the child's process id; the child continues as the keeper's script in a fresh interpreter."""
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
            conversation.close()
            os.dup2(console, 1)
            os.close(console)
            keeper = str(Path(__file__).with_name("keeper.py"))
            sys.argv = [keeper, str(requests), str(answers)]
            runpy.run_path(keeper, run_name="__main__")
        finally:
            os._exit(1)
    for descriptor in (requests, answers, console):
        os.close(descriptor)
    return child


def serve(conversation: socket.socket, file: str) -> None:
    """Run the imports, then answer requests until the auditor is gone."""
    for name in names_imported(file):
        with contextlib.suppress(Exception, SystemExit):  # the function that needs the module reports the failure
            importlib.import_module(name)
    if "numpy" in sys.modules:  # seed NumPy's global generator differently in each fork
        os.register_at_fork(after_in_child=sys.modules["numpy"].random.seed)
    while True:
        message, descriptors, _, _ = socket.recv_fds(conversation, LONGEST, 3)
        if not message:
            return
        if descriptors:
            answer = str(forked(conversation, *descriptors))
        else:
            answer = "{} {}".format(*os.waitpid(*map(int, message.split())))
        conversation.send(answer.encode())


if __name__ == "__main__":
    sys.path[:] = [entry for entry in sys.path if entry != str(Path(__file__).parent)]
    serve(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
    os._exit(0)
