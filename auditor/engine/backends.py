"""Backends that execute units of work: this process, worker processes of this machine, or a Dask cluster.

Results do not depend on the backend: units are sent by name, have their own seeds, and return data in any order.

A backend requests a call when a worker is free, since the next call may depend on earlier results. A call of None means
that the next call has to wait for a result.
"""

import functools
import gc
import inspect
import logging
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice, takewhile
from multiprocessing.connection import Connection, wait
from typing import Any, Protocol, TypeVar, cast

from auditor.errors import ClusterError, MissingPackageError, UsageError
from auditor.extras import remedy
from auditor.settings import SELDOM, checked_jobs
from auditor.target.keeper import watch_parent
from auditor.version import DISTRIBUTION, environment, suite_version

T = TypeVar("T")
DASK = re.compile(r"dask://(?P<address>[^\s/:]+:\d+|\[[0-9a-fA-F:]+\]:\d+)/?")
CONNECT_SECONDS = 10
VANISHED_SECONDS = 60
"""Seconds to wait for a worker after the last one has disconnected."""
LOOK_SECONDS = 1.0
TASK_SECONDS = 0.5
"""Target processor seconds of a cluster task: the overhead is a few ms, and a lost worker loses the whole task."""
AHEAD = 3
"""Tasks assigned to a worker, with the running one: it never waits, and few tasks queue behind a long one."""
CALLS_PER_WORKER = 2
"""Calls assigned to a worker process, with the running one, so that it never waits for the next."""
SYMPY_RESULTS = 8000
"""Cached results of each SymPy function in a worker; its default of 1,000 is too small for proofs."""
STARTED = "fork" if sys.platform == "linux" else "spawn"
"""Start method of workers: a fork shares the imports of this process; it is unsafe on other platforms."""
Arguments = tuple[Any, ...] | None


def _begin(parent: int) -> None:
    gc.set_threshold(*SELDOM)
    gc.freeze()  # exclude the parent's objects from collection
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.setdefault("SYMPY_CACHE_SIZE", str(SYMPY_RESULTS))  # SymPy reads it on import, later
    watch_parent(parent)


class WorkerLostError(Exception):
    """A worker with assigned units died. Causes: it was killed, ran out of memory, or crashed."""


class Backend(Protocol):
    """Calls a function on many argument tuples, in any order."""

    def unordered(self, function: Callable[..., T], arguments: Iterable[Arguments]) -> Iterator[T]:
        """Yield results as they arrive.

        Raises:
            WorkerLostError: workers died; results not yet yielded are lost.
        """


@dataclass(frozen=True)
class InProcess:
    """Sequential execution in this process."""

    def unordered(self, function: Callable[..., T], arguments: Iterable[Arguments]) -> Iterator[T]:
        """Yield results in order."""
        for each in arguments:
            if each is not None:
                yield function(*each)


class _Worker:
    """A worker process and its number of pending calls."""

    def __init__(self, function: Callable[..., Any]) -> None:
        context: Any = multiprocessing.get_context(STARTED)
        self.answers, worker_end = context.Pipe()
        self.process = context.Process(target=_serve, args=(os.getpid(), function, worker_end))
        self.process.start()
        worker_end.close()  # so that the pipe closes with the worker
        self.pending = 0

    def call(self, arguments: tuple[Any, ...] | None) -> None:
        """Send a call to the worker; None shuts it down."""
        try:
            self.answers.send(arguments)
        except OSError as error:
            raise WorkerLostError(str(error)) from None
        self.pending += 1

    def answer(self) -> Any:
        """Return the result of a call, or raise its exception; WorkerLostError if the worker died."""
        try:
            result, error = self.answers.recv()
        except (EOFError, OSError) as lost:
            raise WorkerLostError(str(lost)) from None
        self.pending -= 1
        if error is not None:
            raise error
        return result


def _serve(parent: int, function: Callable[..., Any], calls: Connection) -> None:
    """Make calls sequentially until the parent sends None."""
    _begin(parent)
    while (arguments := calls.recv()) is not None:
        try:
            calls.send((function(*arguments), None))
        except Exception as error:  # noqa: BLE001 - the parent raises it
            calls.send((None, error))


def _next_call(calls: Iterator[Arguments], worker: int) -> Arguments:
    """Return the next call for a worker; None if there is none, now or at all."""
    with suppress(StopIteration):
        if isinstance(calls, Generator) and inspect.getgeneratorstate(calls) == inspect.GEN_SUSPENDED:
            return cast("Arguments", calls.send(worker))
        return next(calls)
    return None


@dataclass(frozen=True)
class Processes:
    """Worker processes of this machine, which end with this one.

    A generator of calls receives, by `send`, the number of the worker of the next call.
    """

    jobs: int

    def unordered(self, function: Callable[..., T], arguments: Iterable[Arguments]) -> Iterator[T]:
        """Yield results as they arrive."""
        workers, calls = list[_Worker](), iter(arguments)
        try:
            workers += (_Worker(function) for _number in range(self.jobs))
            while True:
                for pending in range(CALLS_PER_WORKER):  # idle workers first
                    for number, worker in enumerate(workers):
                        if worker.pending == pending and (each := _next_call(calls, number)) is not None:
                            worker.call(each)
                if not any(worker.pending for worker in workers):
                    break
                ready = wait([worker.answers for worker in workers if worker.pending])
                for worker in workers:
                    if worker.answers in ready:
                        yield worker.answer()
            for worker in workers:
                worker.call(None)
        except BaseException:
            for worker in workers:
                worker.process.terminate()
            raise
        finally:
            for worker in workers:
                worker.process.join()
                worker.answers.close()


@dataclass(frozen=True)
class Dask:
    """A Dask cluster; its workers need this package and its dependencies installed."""

    address: str

    def unordered(self, function: Callable[..., T], arguments: Iterable[Arguments]) -> Iterator[T]:
        """Yield results as they arrive.

        Raises:
            ClusterError: no worker connects, all disconnect for good, a worker has other versions, or the cluster is
                lost.
        """
        ours = {**versions(), **library_versions()}
        no_workers = threading.Event()
        with self.connected() as client, client.as_current():
            from distributed import KilledWorker, as_completed

            try:
                client.wait_for_workers(1, timeout=CONNECT_SECONDS)
                _all_can_import(client)
                calls, tasks, coming = iter(arguments), set[Any](), as_completed([])  # type: ignore[no-untyped-call]
                sizes = Sizes()

                def share_out() -> None:
                    while len(tasks) < AHEAD * max(1, len(client.ncores())):
                        batch = list(islice(takewhile(lambda each: each is not None, calls), sizes.size))
                        if not batch:
                            return
                        task = client.submit(_on_worker, ours, function, batch, pure=False)
                        tasks.add(task)
                        coming.add(task)  # type: ignore[no-untyped-call]

                share_out()
                with _watch_cluster(client, tasks, no_workers):
                    for task in coming:
                        seconds, results = task.result()
                        tasks.discard(task)
                        sizes.note(len(results), seconds)
                        yield from results
                        share_out()
            except KilledWorker as error:
                raise WorkerLostError(str(error)) from None
            except TimeoutError:
                raise ClusterError(
                    f"the Dask cluster at {self.address} has no worker within {CONNECT_SECONDS} s; start one with "
                    f"`dask worker tcp://{self.address} --nthreads 1`"
                ) from None
            except (OSError, CancelledError) as error:
                if no_workers.is_set():
                    raise ClusterError(
                        f"all workers of the Dask cluster at {self.address} are gone, and none came back within "
                        f"{VANISHED_SECONDS} s; start one and run again with the same options and --resume, which "
                        "keeps finished checks"
                    ) from None
                raise ClusterError(
                    f"the Dask cluster at {self.address} stopped answering ({type(error).__name__}); "
                    "a run with the same options and --resume keeps finished checks"
                ) from None

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """Connect for the duration of the block; a lost connection raises instead of being logged.

        Raises:
            MissingPackageError: distributed is not installed.
            ClusterError: no scheduler answers at the address.
        """
        try:
            import distributed
        except ImportError:
            raise MissingPackageError("--backend dask:// needs distributed", remedy("distributed")) from None
        logger_names = [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]
        loggers = [logging.getLogger(name) for name in logger_names]
        levels = [logger.level for logger in loggers]
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        try:
            with self._client(distributed) as client:
                yield client
        finally:
            for logger, level in zip(loggers, levels, strict=True):
                logger.setLevel(level)

    def _client(self, distributed: Any) -> Any:
        try:
            return distributed.Client(f"tcp://{self.address}", timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, TimeoutError, ValueError):
            raise ClusterError(
                f"no Dask scheduler answers at {self.address} within {CONNECT_SECONDS} s; "
                "start one with `dask scheduler`"
            ) from None


class Sizes:
    """Number of calls in a task, estimated from the times of earlier calls; 1 at first."""

    def __init__(self) -> None:
        self._calls, self._seconds = 0, 0.0

    def note(self, calls: int, seconds: float) -> None:
        """Record a number of calls and their total processor seconds."""
        self._calls, self._seconds = self._calls + calls, self._seconds + seconds

    @property
    def size(self) -> int:
        """Number of calls of the next task; at most the number of calls recorded."""
        if not self._calls:
            return 1
        if not self._seconds:
            return self._calls
        return max(1, min(self._calls, int(TASK_SECONDS * self._calls / self._seconds)))


@contextmanager
def _watch_cluster(client: Any, tasks: Collection[Any], no_workers: threading.Event) -> Iterator[None]:
    """Cancel the tasks, which ends the wait for them, if the cluster has had no worker for VANISHED_SECONDS."""
    done = threading.Event()

    def watch() -> None:
        last_seen = time.monotonic()
        while not done.wait(LOOK_SECONDS):
            try:
                workers = client.ncores()
            except (OSError, CancelledError, RuntimeError):
                return  # the cluster is lost: the wait for results raises
            last_seen = time.monotonic() if workers else last_seen
            if time.monotonic() - last_seen > VANISHED_SECONDS:
                no_workers.set()
                client.cancel(list(tasks))
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join(LOOK_SECONDS)


def _all_can_import(client: Any) -> None:
    """Raise ClusterError if a worker cannot import the suite; a unit would crash it and wait for another for ever."""
    module_name = __name__
    for address, able in client.run(lambda: find_spec(module_name) is not None, on_error="return").items():
        if able is not True:
            raise ClusterError(
                f"the Dask worker at {address} cannot import {module_name}; install the same suite there"
            )


@functools.cache
def versions() -> dict[str, str]:
    """Return the versions of all packages that determine the bytes of a report, by name."""
    here = environment()
    return {DISTRIBUTION: suite_version(), "python": here.python, **here.packages, "simd": " ".join(here.simd)}


@functools.cache
def library_versions() -> dict[str, str]:
    """Return the versions of the installed libraries with audited accountants, by name."""
    from auditor.accountant_audit.environments import libraries

    return {one.distribution: one.version for one in libraries().values() if one.version is not None}


def _on_worker(
    theirs: dict[str, str], function: Callable[..., T], batch: Sequence[tuple[Any, ...]]
) -> tuple[float, list[T]]:
    """Make a batch of calls sequentially on a Dask worker.

    Returns: their processor seconds, and the results.

    Raises:
        ClusterError: the versions differ from the client's, or the worker has several threads, which would share the
            precision of one process.
    """
    from distributed import get_worker

    worker, here = get_worker(), {**versions(), **library_versions()}
    if worker.state.nthreads != 1:
        raise ClusterError(
            f"expected Dask workers of one thread each, got {worker.state.nthreads} at {worker.address}; start them "
            "with --nthreads 1 and --nworkers as many as there are processors"
        )
    differing = sorted(name for name in here.keys() | theirs.keys() if here.get(name) != theirs.get(name))
    if differing:
        name = differing[0]
        raise ClusterError(
            f"expected {name} {theirs.get(name, 'absent')} as here, got {here.get(name, 'absent')} at the Dask worker "
            f"{worker.address}; install the same versions there"
        )
    before = time.process_time()
    results = [function(*arguments) for arguments in batch]
    return time.process_time() - before, results


def backend_of(text: str | None, jobs: int) -> Backend:
    """Return the backend of a user's text; without a text, `jobs` processes of this machine.

    Raises:
        UsageError: the text is not dask://host:port, or `jobs` is out of range.
        ClusterError: no scheduler answers there.
        MissingPackageError: distributed is not installed.
    """
    if text is None:
        checked_jobs(jobs)
        return InProcess() if jobs == 1 else Processes(jobs)
    match = DASK.fullmatch(text)
    if match is None:
        raise UsageError(f"expected --backend dask://host:port, got '{text}'")
    backend = Dask(match["address"])
    with backend.connected():  # report a wrong address before any work is done
        return backend
