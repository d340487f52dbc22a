"""The child process of an audited callable: start, conversation over two private pipes, waiting and killing.

The child is a keeper (`auditor.target.keeper`). Its child is the worker (`auditor.target.worker`), which holds the
other ends of the pipes. This process or a zygote (`auditor.target.zygote`) starts the keeper.
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
"""Multiple of its limit that a computing process may take in wall-clock time, so that a busy machine is no hang."""
LOOK_SECONDS = 0.05
FINISH_SECONDS = 2.0
"""Time that an idle process may take to end after it closed its pipe, in seconds."""


class Child(Protocol):
    """A process that can be awaited and killed."""

    pid: int

    def poll(self) -> int | None:
        """Return the exit status (negative: the signal that ended it); None while it runs."""

    def wait(self) -> int | None:
        """Wait for the end; return the exit status as `poll` does."""


@dataclass
class ForkedChild:
    """A fork of this process (for a callable without an importable name), or a fork of a zygote, which reaps it."""

    pid: int
    waitpid: Callable[[int, int], tuple[int, int]] = os.waitpid
    status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, negative for a signal; None while it runs."""
        return self._wait_for_status(os.WNOHANG)

    def wait(self) -> int | None:
        """Wait for the end; return the exit status as `poll` does."""
        return self._wait_for_status(0)

    def _wait_for_status(self, options: int) -> int | None:
        if self.status is None:
            pid, status = self.waitpid(self.pid, options)
            self.status = os.waitstatus_to_exitcode(status) if pid else None
        return self.status


@dataclass
class Connection:
    """A running child and our two ends of its pipes."""

    child: Child
    incoming: int
    outgoing: int
    console: int
    """Descriptor to read the standard output of the child and its descendants from."""
    printed: int = 0
    """Bytes of standard output read to date."""
    request: int = 0
    """Number of the last request."""
    answer: int = 0
    """Index of the next answer to the last request."""

    def send(self, request: Mapping[str, Any]) -> None:
        """Write one request; raises BrokenPipeError if the child is gone."""
        self.request, self.answer = self.request + 1, 0
        text = json.dumps({**request, "number": self.request}).encode()
        view = memoryview(target_worker.HEADER.pack(len(text), 0) + text)
        while view:
            view = view[os.write(self.outgoing, view) :]

    def receive(self, seconds: float, *, computing: bool = False) -> tuple[dict[str, Any], bytearray]:
        """Read the next answer to the last request.

        Args:
            seconds: time limit, in wall-clock seconds.
            computing: count the child's CPU seconds instead while it is not idle.

        Errors:
            TimeoutError: no answer in time.
            EOFError: the child closed its pipe.
            ValueError: no frame, a frame that is too long, or an answer to another request.
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
        """Return CPU seconds of the child and its children; wall-clock seconds if the system lacks /proc."""
        return sum(task_times(f"/proc/{pid}/stat")[1] for pid in family(self.child.pid))

    def left_running(self) -> int:
        """Return the number of live processes below the keeper and the worker; Linux only."""
        return sum(task_times(f"/proc/{pid}/stat")[0] not in "Z?" for pid in family(self.child.pid)[2:])

    def _await(self, seconds: float) -> None:
        """Wait for the first byte until the child has computed for `seconds`, or is idle after `seconds`."""
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
        """Wait for a byte of the answer; return whether one is there. Console output is read and counted meanwhile."""
        deadline = time.monotonic() + seconds
        while True:
            left = max(0.0, deadline - time.monotonic())
            ready, _, _ = select.select([self.incoming, self.console], [], [], left)
            if self.console in ready:
                self.printed += len(os.read(self.console, MEBIBYTE))
            if self.incoming in ready or time.monotonic() >= deadline:
                return self.incoming in ready

    def _exactly(self, length: int, deadline: float) -> bytearray:
        buffer = bytearray(length)  # read in place, so that arrays need no further copy
        left = memoryview(buffer)
        while left:
            if not self._ready(deadline - time.monotonic()):
                raise TimeoutError
            read = os.readv(self.incoming, [left])
            if not read:
                raise EOFError
            left = left[read:]
        return buffer

    def kill(self) -> int | None:
        """End the child and all processes it started; return its exit status."""
        self._send_signal(signal.SIGTERM)
        for descriptor in (self.incoming, self.outgoing, self.console):
            with contextlib.suppress(OSError):
                os.close(descriptor)
        if self._finished(on_request=True) is None:  # a keeper that someone stopped does not block us
            deadline = time.monotonic() + FINISH_SECONDS
            while end_below(self.child.pid) and self.left_running() and time.monotonic() < deadline:
                time.sleep(PAUSE_SECONDS)
            self._send_signal(signal.SIGKILL)
        return self.child.wait()

    def end(self) -> int | None:
        """Wait for a child that closed its pipe; return its own exit status, None if it had to be killed."""
        status = self._finished()
        self.kill()
        return status

    def _send_signal(self, number: signal.Signals) -> None:
        if self.child.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(self.child.pid, number)

    def _finished(self, *, on_request: bool = False) -> int | None:
        """Wait for the end; return the exit status, None if the child is alive and not merely late on a busy machine.

        A child that has ended but is not reaped, or that computes, is merely late. So is a keeper that was asked to end
        all
        processes, unless someone stopped it: it pauses while processes die.
        """
        started = time.monotonic()
        while (status := self.child.poll()) is None:
            passed = time.monotonic() - started
            if passed > FINISH_SECONDS and (passed > STARVED * FINISH_SECONDS or not self._ends(on_request=on_request)):
                break
            time.sleep(PAUSE_SECONDS)
        return status

    def _ends(self, *, on_request: bool) -> bool:
        """Return whether keeper or worker runs or waits for a disk, the worker ended, or a keeper goes on."""
        states = [task_times(f"/proc/{pid}/stat")[0] for pid in family(self.child.pid)[:2]]
        if on_request and states[0] in "Tt":
            return False
        return any(state in "RDZ" for state in states) or (on_request and states[0] != "?")


@dataclass(frozen=True)
class Pipes:
    """The pipes to a child before its start: reading end and writing end of each."""

    requests: tuple[int, int] = field(default_factory=os.pipe)
    answers: tuple[int, int] = field(default_factory=os.pipe)
    console: tuple[int, int] = field(default_factory=os.pipe)

    @property
    def theirs(self) -> tuple[int, int, int]:
        """The child's ends: requests, answers, console output."""
        return self.requests[0], self.answers[1], self.console[1]

    @property
    def ours(self) -> tuple[int, int, int]:
        """Our ends, in the order of a connection: answers, requests, console output."""
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
        TargetError: the interpreter does not exist.
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
    """Start a fresh interpreter on the keeper's script; raises as `interpreter` does."""
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
    """Another interpreter that has run the imports of a file's functions, and forks keepers.

    Args:
        python: the interpreter.
        file: path of the file whose imports it runs.

    Errors:
        TargetError: the interpreter does not exist.
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
            seconds: time limit for the imports, if they still run.

        Errors:
            TargetError: an import ends the interpreter or exceeds the limit.
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
        """CPU seconds of the zygote and of the processes it has reaped; 0 if the system lacks /proc."""
        state, seconds = task_times(f"/proc/{self._process.pid}/stat", waited_for=True)
        return 0.0 if state == "?" else seconds


ZYGOTES: weakref.WeakSet[Zygote] = weakref.WeakSet()


def _ended(owner: int, conversation: socket.socket, process: subprocess.Popen[bytes]) -> None:
    """End a zygote that is no longer used; a fork of its owner leaves it alone."""
    if os.getpid() == owner:
        process.kill()
        process.wait()
        conversation.close()


@lru_cache(maxsize=1)
def zygote(python: str, file: str, _process: int) -> Zygote:
    """Return this process's zygote for a file; the last argument is the process id. Only the last zygote is kept."""
    return Zygote(python, file)


def fork_after_imports(python: str, file: str, seconds: float) -> Connection:
    """Start a fork of an interpreter that has run a file's imports; raises as `Zygote` does."""
    return zygote(python, file, os.getpid()).start(seconds)


def cpu_seconds() -> float:
    """Return CPU seconds of this process, of the processes it has reaped, and of its zygotes."""
    return sum(os.times()[:4]) + sum(each.cpu_seconds for each in ZYGOTES)


def fork_with(live: object) -> Connection:
    """Start a fork of this process that serves a live callable."""
    if not hasattr(os, "fork"):
        raise TargetError("a live callable needs a system with fork; give the target as path/to/file.py:callable")
    return forked(partial(target_worker.serve, live_object=live))


def forked(serve: Callable[[int, int], None]) -> Connection:
    """Start a fork of this process; its child calls `serve` with its two pipe descriptors."""
    pipes, auditor = Pipes(), os.getpid()
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", DeprecationWarning
        )  # forking beside threads: the child uses nothing that they lock
        pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            warnings.resetwarnings()  # a fork inherits the caller's filters, which may raise warnings as errors
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

    `waited_for` adds the CPU seconds of reaped children.
    """
    try:
        words = Path(path).read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return words[0], sum(map(int, words[11 : 15 if waited_for else 13])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return "?", time.monotonic()


def describe_exit(status: int | None) -> str:
    """Describe how a process ended; None means that it did not end and the auditor killed it."""
    if status is None:
        return f"still running: it closed its pipe and did not end within {FINISH_SECONDS:g} s"
    if status < 0:
        with contextlib.suppress(ValueError):
            return f"killed by {signal.Signals(-status).name}"
    return f"exited with status {status}"
