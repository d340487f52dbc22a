"""The child process of an audited callable: started, spoken to over two private pipes, waited for and killed.

The child is a keeper (`auditor.target.keeper`), whose child is the worker (`auditor.target.worker`), which has the
other ends of the pipes. It is started by this process, or by a zygote (`auditor.target.zygote`).
"""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Protocol

from auditor.errors import TargetError
from auditor.settings import ONE_THREAD
from auditor.target import keeper as target_keeper
from auditor.target import worker as target_worker
from auditor.target import zygote as target_zygote
from auditor.target.keeper import PAUSE_SECONDS, end_below, family

KEEPER, ZYGOTE = Path(target_keeper.__file__), Path(target_zygote.__file__)
PACKAGE_ROOT = str(KEEPER.parents[2])
MEBIBYTE = 2**20
LONGEST_FRAME = 2**31
STARVED = 10
"""How many times its limit a process that computes may take by the clock on the wall: a busy machine is no hang."""
LOOK_SECONDS = 0.05
FINISH_SECONDS = 2.0
"""Time that a process which does nothing more may take to end after it closed its pipe."""


class Child(Protocol):
    """A process that can be waited for and killed."""

    pid: int

    def poll(self) -> int | None:
        """Return the exit status (negative: the signal that ended it), None while it runs."""

    def wait(self) -> int | None:
        """Return the same, waiting for it."""


@dataclass
class ForkedChild:
    """A fork of this process, the way to run a callable that has no importable name, or of a zygote, which reaps it."""

    pid: int
    waitpid: Callable[[int, int], tuple[int, int]] = os.waitpid
    status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, negative for a signal; None while it runs."""
        return self._waited(os.WNOHANG)

    def wait(self) -> int | None:
        """Return the same, waiting for it."""
        return self._waited(0)

    def _waited(self, options: int) -> int | None:
        if self.status is None:
            pid, status = self.waitpid(self.pid, options)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status


@dataclass
class Connection:
    """A running child and the two ends of the conversation with it."""

    child: Child
    incoming: int
    outgoing: int
    console: int
    """What the child and those below it write to standard output can be read here."""
    printed: int = 0
    """Bytes of it so far."""
    request: int = 0
    """Number of the last request."""
    answer: int = 0
    """Place of the next answer to it."""

    def send(self, request: Mapping[str, Any]) -> None:
        """Write one request; a child that is gone raises BrokenPipeError."""
        self.request, self.answer = self.request + 1, 0
        text = json.dumps({**request, "number": self.request}).encode()
        view = memoryview(target_worker.HEADER.pack(len(text), 0) + text)
        while view:
            view = view[os.write(self.outgoing, view) :]

    def receive(self, seconds: float, *, computing: bool = False) -> tuple[dict[str, Any], bytearray]:
        """Read the next answer to the last request within `seconds`.

        Args:
            seconds: by the clock on the wall.
            computing: count the seconds that the child computes instead, as long as it is not idle.

        Errors:
            TimeoutError: silence.
            EOFError: the child closed its pipe.
            ValueError: no frame, one that is too long, or one for another request.
        """
        deadline = time.monotonic() + seconds
        if computing:
            self._await(seconds)
            deadline = time.monotonic() + seconds
        header_length, payload_length = target_worker.HEADER.unpack(self._exactly(target_worker.HEADER.size, deadline))
        if header_length + payload_length > LONGEST_FRAME:
            raise ValueError(f"expected a frame of at most {LONGEST_FRAME} bytes, got {header_length + payload_length}")
        try:
            header = json.loads(self._exactly(header_length, deadline))
        except RecursionError:
            raise ValueError("expected a frame, got brackets without end") from None
        payload = self._exactly(payload_length, deadline)
        if not isinstance(header, dict) or header.pop("answers", None) != [self.request, self.answer]:
            raise ValueError(f"expected answer {self.answer} to request {self.request}, got another")
        self._ready(0.0)
        self.answer += 1
        return header, payload

    def cpu_seconds(self) -> float:
        """Return what the child and its children computed so far; the wall clock where the system does not tell."""
        return sum(task_times(f"/proc/{pid}/stat")[1] for pid in family(self.child.pid))

    def left_running(self) -> int:
        """Return how many processes there are below the keeper and the worker, dead ones not counted; Linux only."""
        return sum(task_times(f"/proc/{pid}/stat")[0] not in "Z?" for pid in family(self.child.pid)[2:])

    def _await(self, seconds: float) -> None:
        """Wait for the first byte until the child has computed for `seconds`, or is idle when they have passed."""
        wait = min(LOOK_SECONDS, seconds)
        if self._ready(wait):
            return
        started, computed = time.monotonic() - wait, self.cpu_seconds()
        wait = seconds - wait
        while not self._ready(wait):
            wait = max(LOOK_SECONDS, seconds / 8)
            tasks = (Path(f"/proc/{pid}/task").glob("*/stat") for pid in family(self.child.pid))
            idle = not any(task_times(path)[0] in "RD" for paths in tasks for path in paths)
            if idle or self.cpu_seconds() - computed >= seconds or time.monotonic() - started > STARVED * seconds:
                raise TimeoutError

    def _ready(self, seconds: float) -> bool:
        """Wait for a byte of the answer; what is printed meanwhile is counted: nobody waits for room to print."""
        deadline = time.monotonic() + seconds
        while True:
            left = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self.incoming, self.console], [], [], left)
            if self.console in ready:
                self.printed += len(os.read(self.console, MEBIBYTE))
            if self.incoming in ready or time.monotonic() >= deadline:
                return self.incoming in ready

    def _exactly(self, length: int, deadline: float) -> bytearray:
        found = bytearray(length)  # read into, so that arrays need no copy of their own
        left = memoryview(found)
        while left:
            if not self._ready(deadline - time.monotonic()):
                raise TimeoutError
            read = os.readv(self.incoming, [left])
            if not read:
                raise EOFError
            left = left[read:]
        return found

    def kill(self) -> int | None:
        """End the child and everything it started; return how it had ended."""
        self._tell(signal.SIGTERM)
        for descriptor in (self.incoming, self.outgoing, self.console):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        if self._finished(asked=True) is None:  # whoever stopped the keeper does not keep us
            deadline = time.monotonic() + FINISH_SECONDS
            while end_below(self.child.pid) and self.left_running() and time.monotonic() < deadline:
                time.sleep(PAUSE_SECONDS)
            self._tell(signal.SIGKILL)
        return self.child.wait()

    def end(self) -> int | None:
        """Let a child that closed its pipe finish; return its own exit status, None where it had to be killed."""
        status = self._finished()
        self.kill()
        return status

    def _tell(self, number: signal.Signals) -> None:
        if self.child.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.child.pid, number)

    def _finished(self, *, asked: bool = False) -> int | None:
        """Wait for the end; what has ended and is not yet waited for, or computes, is late on a busy machine only.

        So is a keeper that has been asked to end all, unless somebody stopped it: it pauses while processes die.
        """
        started = time.monotonic()
        while (status := self.child.poll()) is None:
            passed = time.monotonic() - started
            if passed > FINISH_SECONDS and (passed > STARVED * FINISH_SECONDS or not self._ends(asked=asked)):
                break
            time.sleep(PAUSE_SECONDS)
        return status

    def _ends(self, *, asked: bool) -> bool:
        """Whether keeper or worker runs or waits for a disk, or the worker has ended, or an asked keeper goes on."""
        states = [task_times(f"/proc/{pid}/stat")[0] for pid in family(self.child.pid)[:2]]
        if asked and states[0] in "Tt":
            return False
        return any(state in "RDZ" for state in states) or (asked and states[0] != "?")


@dataclass(frozen=True)
class Pipes:
    """The pipes to a child that is about to start: reading end and writing end of each."""

    requests: tuple[int, int] = field(default_factory=os.pipe)
    answers: tuple[int, int] = field(default_factory=os.pipe)
    console: tuple[int, int] = field(default_factory=os.pipe)

    @property
    def theirs(self) -> tuple[int, int, int]:
        """The child's ends: requests, answers, what it prints."""
        return self.requests[0], self.answers[1], self.console[1]

    @property
    def ours(self) -> tuple[int, int, int]:
        """The other ends, as a connection has them: answers, requests, what it prints."""
        return self.answers[0], self.requests[1], self.console[0]


def close(descriptors: tuple[int, ...]) -> None:
    """Close descriptors."""
    for descriptor in descriptors:
        os.close(descriptor)


def interpreter(
    python: str, script: Path, *words: str, descriptors: tuple[int, ...], stdout: int = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:
    """Start a fresh interpreter on one of our scripts.

    Errors:
        TargetError: there is no such interpreter.
    """
    null = subprocess.DEVNULL
    try:
        return subprocess.Popen(  # noqa: S603 - an interpreter that the caller chose, on our own script
            [python, str(script), *map(str, descriptors), *words],
            stdin=null,
            stdout=stdout,
            stderr=null,
            pass_fds=descriptors,
            start_new_session=True,
            env={**os.environ, **ONE_THREAD},
        )
    except OSError as error:
        raise TargetError(f"cannot start the interpreter {python}: {error.strerror}") from None


def spawn_script(python: str) -> Connection:
    """Start a fresh interpreter on the keeper's script; the errors are those of `interpreter`."""
    pipes = Pipes()
    *descriptors, console = pipes.theirs
    try:
        child = interpreter(python, KEEPER, descriptors=tuple(descriptors), stdout=console)
    except TargetError:
        close(pipes.ours)
        raise
    finally:
        close(pipes.theirs)
    return Connection(child, *pipes.ours)


class Zygote:
    """Another interpreter that has imported what the functions of a file import, and forks keepers.

    Args:
        python: the interpreter.
        file: what is imported, as its own code says.

    Errors:
        TargetError: there is no such interpreter.
    """

    def __init__(self, python: str, file: str) -> None:
        self.file, self._speaking = file, threading.Lock()
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = interpreter(python, ZYGOTE, file, descriptors=(theirs.fileno(),))
        weakref.finalize(self, _ended, os.getpid(), self._socket, self._process)
        ZYGOTES.add(self)

    def start(self, seconds: float) -> Connection:
        """Start a keeper.

        Args:
            seconds: for the imports, where they are not done.

        Errors:
            TargetError: an import ends the interpreter, or takes longer.
        """
        pipes = Pipes()
        try:
            with self._speaking:
                socket.send_fds(self._socket, [b"fork"], pipes.theirs)
                self._socket.settimeout(seconds)
                pid = int(self._socket.recv(target_zygote.LONGEST))
                self._socket.settimeout(None)
        except (OSError, ValueError) as error:
            close(pipes.ours)
            zygote.cache_clear()
            reason = f"take longer than {seconds:g} s" if isinstance(error, TimeoutError) else "end the interpreter"
            raise TargetError(f"the imports of {self.file} {reason}") from None
        finally:
            close(pipes.theirs)
        return Connection(ForkedChild(pid, self._waitpid), *pipes.ours)

    def _waitpid(self, pid: int, options: int) -> tuple[int, int]:
        with self._speaking:
            self._socket.send(f"{pid} {options}".encode())
            ended, status = map(int, self._socket.recv(target_zygote.LONGEST).split())
        return ended, status

    @property
    def cpu_seconds(self) -> float:
        """What it and the processes that it has waited for computed; 0 where the system does not tell."""
        state, seconds = task_times(f"/proc/{self._process.pid}/stat", waited_for=True)
        return 0.0 if state == "?" else seconds


ZYGOTES: weakref.WeakSet[Zygote] = weakref.WeakSet()


def _ended(owner: int, conversation: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """End a zygote that nobody needs; a fork of the process that started it leaves it alone."""
    if os.getpid() == owner:
        process.kill()
        process.wait()
        conversation.close()


@lru_cache(maxsize=1)
def zygote(python: str, file: str, _process: int) -> Zygote:
    """Return the zygote of a file for this process, whose number is the last argument; the last one is kept."""
    return Zygote(python, file)


def fork_after_imports(python: str, file: str, seconds: float) -> Connection:
    """Start a fork of an interpreter that has imported what a file imports; the errors are those of `Zygote`."""
    return zygote(python, file, os.getpid()).start(seconds)


def cpu_seconds() -> float:
    """Return what this process computed so far, with what it has waited for, and its zygotes."""
    return sum(os.times()[:4]) + sum(each.cpu_seconds for each in ZYGOTES)


def fork_with(given: object) -> Connection:
    """Start a fork of this process that serves the live callable `given`."""
    if not hasattr(os, "fork"):
        raise TargetError("a live callable needs a system with fork; give the target as path/to/file.py:callable")
    return forked(partial(target_worker.serve, given=given))


def forked(serve: Callable[[int, int], None]) -> Connection:
    """Start a fork of this process whose child calls `serve` with the two descriptors of its end of the pipes."""
    pipes, auditor = Pipes(), os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # forking beside threads: the child touches nothing they hold
        pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            warnings.resetwarnings()  # a fork inherits the caller's filters: where warnings are errors it would raise
            warnings.simplefilter("ignore")
            close(pipes.ours)
            requests, answers, console = pipes.theirs
            os.dup2(console, 1)
            close((console,))
            target_keeper.keep(partial(serve, requests, answers), (requests, answers), auditor)
        finally:
            os._exit(0)
    close(pipes.theirs)
    return Connection(ForkedChild(pid), *pipes.ours)


def task_times(path: str | Path, *, waited_for: bool = False) -> tuple[str, float]:
    """Return the state of a process or thread (R: runs, D: waits for a disk) and its CPU seconds; Linux only.

    `waited_for` adds those of the processes that it has waited for.
    """
    try:
        words = Path(path).read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return words[0], sum(map(int, words[11 : 15 if waited_for else 13])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return "?", time.monotonic()


def describe_exit(status: int | None) -> str:
    """Say in words how a process ended; None: it did not end, and was killed by us."""
    if status is None:
        return f"alive but silent: it closed its pipe and did not end within {FINISH_SECONDS:g} s"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"killed by {signal.Signals(-status).name}"
    return f"exited with status {status}"
