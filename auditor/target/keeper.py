"""The process between the auditor and a worker, which runs nothing of others: with it ends all that the worker started.

The auditor starts it, as a script (`python keeper.py IN_FD OUT_FD`) or as a fork; the worker is its child, in a session
of its own. When the worker ends, the auditor asks (SIGTERM) or the auditor is gone, it kills what is left below it, and
ends as the worker did. On Linux that is every process that the worker or those below it have started, whatever their
session and whoever of them has died: orphans are handed to it (a subreaper). Elsewhere it is the process group of the
worker, and the auditor's death is seen within a second.

Nothing of the auditor is imported here, nor anything but the standard library of Python 3.9.
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
TOLD = {signal.SIGCHLD, signal.SIGTERM, signal.SIGALRM}
"""Signals that are waited for."""
PRCTL: Any = None
with contextlib.suppress(OSError, AttributeError):  # not Linux
    PRCTL = ctypes.CDLL(None).prctl


def process_control(option: int, value: int) -> None:
    """Call `prctl` where there is one."""
    if PRCTL is not None:
        PRCTL(option, value)


def watch_parent(parent: int) -> None:
    """Look once a second whether the parent is the same, and end this process where it is not."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def family(pid: int, visit: Callable[[int], None] = lambda _: None) -> list[int]:
    """Return a process and those below it, whatever their session, each visited before its children are; Linux only."""
    found = [pid]
    for parent in found:
        if parent != pid:
            visit(parent)
        with contextlib.suppress(OSError):
            for task in os.listdir(f"/proc/{parent}/task"):  # noqa: PTH208 - asked after each batch: twice as fast
                with open(f"/proc/{parent}/task/{task}/children", "rb") as children:  # noqa: PTH123 - as above
                    found += map(int, children.read().split())
    return found


def stop(pid: int) -> None:
    """Stop a process, so that it starts no others."""
    with contextlib.suppress(OSError):
        os.kill(pid, signal.SIGSTOP)


def end_below(pid: int) -> bool:
    """Kill every process below one; return whether any was there that may be killed."""
    below = 0
    for each in family(pid, stop)[1:]:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(each, signal.SIGKILL)
            below += 1
    return below > 0


def cut_off() -> None:
    """Send what this process prints to the null device, and forbid core files."""
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(d, mode, closefd=False) for d, mode in ((0, "r"), (1, "w"), (2, "w"))
    )
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def keep(serve: Callable[[], object], descriptors: tuple[int, int], auditor: int) -> None:
    """Run `serve` in a child, wait until it or the auditor ends, end what is left of it, and end as it did.

    The standard output of this process becomes that of the worker; everything else that either prints is lost.

    Args:
        serve: what the worker does.
        descriptors: what is the worker's alone.
        auditor: the process to end with, the parent of this one.
    """
    console = os.dup(1)  # kept open: whoever reads it meets no end before that of this process
    cut_off()
    process_control(PR_SET_CHILD_SUBREAPER, 1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored, nobody learns how a child ended
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, TOLD)
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
    """Wait for the worker, the word or the end of the auditor; return how the worker ended, None where it has not.

    Signals are waited for instead of caught: none comes at a wrong moment.
    """
    process_control(PR_SET_PDEATHSIG, signal.SIGALRM)  # comes at the end of the thread, too, that started this process
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
    while (status := _reaped(worker, None)) is None and os.getppid() == auditor:
        if signal.sigwait(TOLD) == signal.SIGTERM:
            break
    return status


def _reaped(worker: int, status: int | None) -> int | None:
    """Take the status of every child that has ended; return the worker's, and `status` where it is not among them."""
    with contextlib.suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            status = ended[1] if ended[0] == worker else status
    return status


def _end_as(status: int) -> None:
    """End this process as another ended: with its exit status, or by its signal."""
    if os.WIFSIGNALED(status):
        with contextlib.suppress(OSError):  # SIGKILL has no handler to be reset
            signal.signal(os.WTERMSIG(status), signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.WEXITSTATUS(status))


if __name__ == "__main__":
    beside = str(Path(__file__).with_name("worker.py"))
    keep(lambda: runpy.run_path(beside, run_name="__main__"), (int(sys.argv[1]), int(sys.argv[2])), os.getppid())
