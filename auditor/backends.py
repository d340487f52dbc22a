"""Where units of work run: this process, worker processes of this machine, or a Dask cluster.

A backend changes nothing about results: units are sent by name, carry their own seeds, and come back as data in any
order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import joblib

from auditor.errors import MissingPackageError, UsageError

T = TypeVar("T")
DASK = re.compile(r"dask://(?P<address>[^\s/:]+:\d+|\[[0-9a-fA-F:]+\]:\d+)/?")
CONNECT_SECONDS = 10


class WorkerLostError(Exception):
    """A worker died with units in its hands. Causes: it was killed, ran out of memory, or crashed."""


class Backend(Protocol):
    """Calls a function on many argument tuples, in any order."""

    def unordered(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """Yield results as they come.

        Raises WorkerLostError where workers died; results not yielded by then are lost.
        """


@dataclass(frozen=True)
class InProcess:
    """One after the other, here."""

    def unordered(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """Yield results in order."""
        for each in arguments:
            yield function(*each)


@dataclass(frozen=True)
class Processes:
    """Worker processes of this machine (joblib's loky)."""

    jobs: int

    def unordered(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """Yield results as they come."""
        parallel = joblib.Parallel(n_jobs=self.jobs, return_as="generator_unordered", batch_size=1)
        try:
            yield from parallel(joblib.delayed(function)(*each) for each in arguments)
        except BrokenExecutor as error:
            raise WorkerLostError(str(error)) from None


@dataclass(frozen=True)
class Dask:
    """A Dask cluster, through joblib; its workers need this package and its dependencies installed."""

    address: str

    def unordered(self, function: Callable[..., T], arguments: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """Yield results as they come."""
        from distributed import KilledWorker

        with self.connected() as client, joblib.parallel_config(backend="dask", client=client):
            parallel = joblib.Parallel(n_jobs=-1, return_as="generator_unordered", batch_size=1)
            try:
                yield from parallel(joblib.delayed(function)(*each) for each in arguments)
            except KilledWorker as error:
                raise WorkerLostError(str(error)) from None

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """Connect for as long as the block lasts.

        Errors:
            MissingPackageError: distributed is not installed.
            UsageError: no scheduler answers at the address.

        """
        try:
            import distributed
        except ImportError:
            raise MissingPackageError(
                "--backend dask:// needs the package distributed; pip install 'sparse-histogram-auditor[dask]'"
            ) from None
        try:
            client: Any = distributed.Client(f"tcp://{self.address}", timeout=CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError):
            raise UsageError(
                f"no Dask scheduler answers at {self.address} within {CONNECT_SECONDS} s; "
                "start one with `dask scheduler`"
            ) from None
        with client:
            yield client


def backend_of(text: str | None, jobs: int) -> Backend:
    """The backend that a user named; without a name `jobs` processes of this machine.

    Errors:
        UsageError: neither empty nor dask://host:port; no scheduler answers there.
        MissingPackageError: distributed is not installed.

    """
    if text is None:
        return InProcess() if jobs == 1 else Processes(jobs)
    match = DASK.fullmatch(text)
    if match is None:
        raise UsageError(f"expected --backend dask://host:port, got '{text}'")
    backend = Dask(match["address"])
    with backend.connected():  # a wrong address is said before any work is done
        return backend
