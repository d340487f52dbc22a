"""The process between the auditor and a worker: when it ends, it ends all processes that the worker started.

The auditor starts it as a script (`python keeper.py IN_FD OUT_FD`) or as a fork. It runs no code of the target. The
worker is its child, in a session of its own. When the worker ends, the auditor sends SIGTERM, or the auditor is gone,
the keeper kills the remaining processes below it. It then ends with the worker's exit status or signal.

On Linux it reaches every process that the worker or its descendants started, in any session and whichever of them has
died: it is a subreaper, so orphans become its children. Elsewhere it reaches the worker's process group, and detects
the auditor's death within a second.

The module imports nothing of the auditor and only the standard library of Python 3.9.
"""

import contextlib
import ctypes
import os
import resource
import runpy
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
LOOK_SECONDS = 1.0
PAUSE_SECONDS = 0.01
SIGNALS = {signal.SIGCHLD, signal.SIGTERM, signal.SIGALRM}
"""Signals that the keeper waits for."""
PRCTL: Any = None
with contextlib.suppress(OSError, AttributeError):  # not Linux
    PRCTL = ctypes.CDLL(None).prctl


def process_control(option: int, value: int) -> None:
    """Call `prctl` if the system has it."""
    if PRCTL is not None:
        PRCTL(option, value)


def watch_parent(parent: int) -> None:
    """Check the parent's process id once a second, and end this process if it has changed."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def family(pid: int, visit: Callable[[int], None] = lambda _: None) -> list[int]:
    """Return a process and its descendants in any session, visiting each descendant before its children; Linux only."""
    processes = [pid]
    for parent in processes:
        if parent != pid:
            visit(parent)
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):  # noqa: PTH208 - asked after each batch: twice as fast
                with open(f"/proc/{parent}/task/{task}/children", "rb") as children:  # noqa: PTH123 - as above
                    processes += map(int, children.read().split())
    return processes


def stop(pid: int) -> None:
    """Stop a process so that it starts no further processes."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGSTOP)


def end_below(pid: int) -> bool:
    """Kill every descendant of a process; return whether any could be killed."""
    below = 0
    for each in family(pid, stop)[1:]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)
            below += 1
    return below > 0


def cut_off() -> None:
    """Redirect the standard streams of this process to the null device, and disable core files."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(d, mode, closefd=False) for d, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def keep(serve: Callable[[], object], descriptors: tuple[int, int], auditor: int) -> None:
    """Run `serve` in a child, wait until it or the auditor ends, kill remaining processes, and end as the child did.

    The standard output of this process becomes the worker's. All other output of either is discarded.

    Args:
        serve: the worker's main function.
        descriptors: descriptors that belong to the worker only; closed here.
        auditor: process id of the auditor, the parent of this process.
    """
    console = os.dup(1)  # kept open, so that a reader meets end of file only when this process ends
    cut_off()
    process_control(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # if it is ignored, the exit status of a child is lost
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    keeper = os.getpid()
    worker = os.fork()
    if worker == 0:
        os.setsid()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        process_control(PR_SET_PDEATHSIG, signal.SIGKILL)
        watch_parent(keeper)
        os.dup2(console, 1)
        os.close(console)
        serve()
        os._exit(0)
    for descriptor in descriptors:
        os.close(descriptor)
    status = _ended(worker, auditor)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    while end_below(keeper) or status is None:
        time.sleep(PAUSE_SECONDS)
        status = _reaped(worker, status)
    _end_as(status)


def _ended(worker: int, auditor: int) -> int | None:
    """Wait for the worker's end, SIGTERM or the auditor's end; return the worker's status, None if it still runs.

    Signals are awaited, not handled, so none interrupts other code.
    """
    process_control(PR_SET_PDEATHSIG, signal.SIGALRM)  # also arrives at the end of the thread that started this process
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
    while (status := _reaped(worker, None)) is None and os.getppid() == auditor:
        if signal.sigwait(SIGNALS) == signal.SIGTERM:
            break
    return status


def _reaped(worker: int, status: int | None) -> int | None:
    """Reap every child that has ended; return the worker's status if it is among them, else `status`."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            status = ended[1] if ended[0] == worker else status
    return status


def _end_as(status: int) -> None:
    """End this process as another ended: with its exit status or by its signal."""
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError):  # SIGKILL has no handler to reset
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    beside = str(Path(__file__).with_name("worker.py"))
    keep(lambda: runpy.run_path(beside, run_name="__main__"), (int(sys.argv[1]), int(sys.argv[2])), os.getppid())
