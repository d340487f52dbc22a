"""Where units of work run: this process, worker processes of this machine, or a Dask cluster.

A backend changes nothing about results: units are sent by name, carry their own seeds, and come back as data in any
order.

Calls are asked for when there is somebody to make them: what comes next may rest on what has come back. None among them
says that no other can be made before a result has come.
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
"""How long a run waits for workers to come back once all of them are gone."""
LOOK_SECONDS = 1.0
TASK_SECONDS = 0.5
"""Processor seconds that a task of a cluster should take: it costs some ms, and is lost as a whole with its worker."""
AHEAD = 3
"""Tasks that a worker has, the one that runs among them: it waits for none, and few wait behind a long one."""
EACH = 2
"""Calls that a worker process has, the one that it makes among them: it need not wait for the next."""
SYMPY_RESULTS = 8000
"""Results that SymPy keeps of each function in a worker; of a thousand, as it would, proofs find few again."""
STARTED = "fork" if sys.platform == "linux" else "spawn"
"""How workers start: forked they have imported what this process has; elsewhere a library may not survive it."""
Arguments = tuple[Any, ...] | None


def _begin(parent: int) -> None:
    gc.set_threshold(*SELDOM)
    gc.freeze()  # nor does it look among what it was forked with
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ.setdefault("SYMPY_CACHE_SIZE", str(SYMPY_RESULTS))  # which SymPy reads as it is imported, later
    watch_parent(parent)


class WorkerLostError(Exception):
    """A worker died with units in its hands. Causes: it was killed, ran out of memory, or crashed."""


class Backend(Protocol):
    """Calls a function on many argument tuples, in any order."""

    def unordered(self, function: Callable[..., T], arguments: Iterable[Arguments]) -> Iterator[T]:
        """Yield results as they come.

        Raises WorkerLostError where workers died; results not yielded by then are lost.
        """


@dataclass(frozen=True)
class InProcess:
    """One after the other, here."""

    def unordered(self, function: Callable[..., T], arguments: Iterable[Arguments]) -> Iterator[T]:
        """Yield results in order."""
        for each in arguments:
            if each is not None:
                yield function(*each)


class _Worker:
    """A worker process, and how many calls it has."""

    def __init__(self, function: Callable[..., Any]) -> None:
        context: Any = multiprocessing.get_context(STARTED)
        self.answers, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(os.getpid(), function, theirs))
        self.process.start()
        theirs.close()  # so that it ends with the worker
        self.has = 0

    def call(self, arguments: tuple[Any, ...] | None) -> None:
        """Give it a call to make; None: it is to end."""
        try:
            self.answers.send(arguments)
        except OSError as error:
            raise WorkerLostError(str(error)) from None
        self.has += 1

    def answer(self) -> Any:
        """What a call gave."""
        try:
            result, error = self.answers.recv()
        except (EOFError, OSError) as lost:
            raise WorkerLostError(str(lost)) from None
        self.has -= 1
        if error is not None:
            raise error
        return result


def _serve(parent: int, function: Callable[..., Any], calls: Connection) -> None:
    """Make calls, one after the other, until there are no more."""
    _begin(parent)
    while (arguments := calls.recv()) is not None:
        try:
            calls.send((function(*arguments), None))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the result is waited for
            calls.send((None, error))


def _asked(calls: Iterator[Arguments], worker: int) -> Arguments:
    """The next call, for that worker; None where there is none, yet or any more."""
    with suppress(StopIteration):
        if isinstance(calls, Generator) and inspect.getgeneratorstate(calls) == inspect.GEN_SUSPENDED:
            return cast("Arguments", calls.send(worker))
        return next(calls)
    return None


@dataclass(frozen=True)
class Processes:
    """Worker processes of this machine, which end with this one.

    A generator of calls is sent the number of the worker that the next one is for.
    """

    jobs: int

    def unordered(self, function: Callable[..., T], arguments: Iterable[Arguments]) -> Iterator[T]:
        """Yield results as they come."""
        workers, calls = list[_Worker](), iter(arguments)
        try:
            workers += (_Worker(function) for _number in range(self.jobs))
            while True:
                for has in range(EACH):  # who has none first
                    for number, worker in enumerate(workers):
                        if worker.has == has and (each := _asked(calls, number)) is not None:
                            worker.call(each)
                if not any(worker.has for worker in workers):
                    break
                ready = wait([worker.answers for worker in workers if worker.has])
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
        """Yield results as they come.

        Errors:
            ClusterError: no worker comes, all leave for good, a worker would not give the same report, or the cluster
                is lost.
        """
        ours = {**versions(), **library_versions()}
        vanished = threading.Event()
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
                with _watching(client, tasks, vanished):
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
                if vanished.is_set():
                    raise ClusterError(
                        f"all workers of the Dask cluster at {self.address} are gone, and none came back within "
                        f"{VANISHED_SECONDS} s; start one and run again with the same options and --resume, which "
                        "keeps what was done"
                    ) from None
                raise ClusterError(
                    f"the Dask cluster at {self.address} stopped answering ({type(error).__name__}); "
                    "a run with the same options and --resume keeps what was done"
                ) from None

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """Connect for as long as the block lasts; what the client would log of a lost connection is raised instead.

        Errors:
            MissingPackageError: distributed is not installed.
            ClusterError: no scheduler answers at the address.
        """
        try:
            import distributed
        except ImportError:
            raise MissingPackageError("--backend dask:// needs distributed", remedy("distributed")) from None
        named = [name for name in logging.root.manager.loggerDict if name.startswith(("distributed", "tornado"))]
        loggers = [logging.getLogger(name) for name in named]
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
    """How many calls a task should hold, by what calls have taken so far; one until that is known."""

    def __init__(self) -> None:
        self._calls, self._seconds = 0, 0.0

    def note(self, calls: int, seconds: float) -> None:
        """Take note of calls that were made, and the processor seconds that they took together."""
        self._calls, self._seconds = self._calls + calls, self._seconds + seconds

    @property
    def size(self) -> int:
        """Calls of the next task: no more than have been made so far."""
        if not self._calls:
            return 1
        if not self._seconds:
            return self._calls
        return max(1, min(self._calls, int(TASK_SECONDS * self._calls / self._seconds)))


@contextmanager
def _watching(client: Any, tasks: Collection[Any], vanished: threading.Event) -> Iterator[None]:
    """Cancel the tasks, which ends the wait for them, once the cluster has had no worker for too long."""
    done = threading.Event()

    def watch() -> None:
        seen = time.monotonic()
        while not done.wait(LOOK_SECONDS):
            try:
                workers = client.ncores()
            except (OSError, CancelledError, RuntimeError):
                return  # the cluster is lost: said where results are waited for
            seen = time.monotonic() if workers else seen
            if time.monotonic() - seen > VANISHED_SECONDS:
                vanished.set()
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
    """Raise ClusterError where a worker lacks the suite: a unit would end it, and wait for ever for another."""
    needed = __name__
    for address, able in client.run(lambda: find_spec(needed) is not None, on_error="return").items():
        if able is not True:
            raise ClusterError(f"the Dask worker at {address} cannot import {needed}; install the same suite there")


@functools.cache
def versions() -> dict[str, str]:
    """Versions of what the bytes of a report depend on, by name."""
    here = environment()
    return {DISTRIBUTION: suite_version(), "python": here.python, **here.packages, "simd": " ".join(here.simd)}


@functools.cache
def library_versions() -> dict[str, str]:
    """Versions of the libraries whose accountants are judged, by name; of those that are installed."""
    from auditor.accountant_audit.environments import libraries

    return {one.distribution: one.version for one in libraries().values() if one.version is not None}


def _on_worker(
    theirs: dict[str, str], function: Callable[..., T], batch: Sequence[tuple[Any, ...]]
) -> tuple[float, list[T]]:
    """Call on a Dask worker, one after the other, where the results would be the client's own.

    Returns the processor seconds that they took, and the results.

    Errors:
        ClusterError: other versions than the client's, or threads that would share the precision of one process.
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
    """The backend that a user named; without a name `jobs` processes of this machine.

    Errors:
        UsageError: neither empty nor dask://host:port; `jobs` out of range.
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
    with backend.connected():  # a wrong address is said before any work is done
        return backend
