"""Hypothesis' `find` with draws that depend on the strategy and the generator alone, in every process."""

import importlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any, TypeVar

import hypothesis

T = TypeVar("T")


@contextmanager
def without_constants_of_modules() -> Iterator[None]:
    """Keep Hypothesis from drawing constants of the project's loaded modules.

    The loaded modules differ between workers and between projects, and so would the draws of a seed. Hypothesis has no
    setting for it; a version that collects no constants needs no change.
    """
    providers: Any = importlib.import_module("hypothesis.internal.conjecture.providers")
    collect = getattr(providers, "_get_local_constants", None)
    if collect is None:
        yield
        return
    none = providers.Constants()
    providers._get_local_constants = lambda: none  # noqa: SLF001 - see above
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = collect  # noqa: SLF001 - see above
        providers.CONSTANTS_CACHE.cache.clear()


def find(
    strategy: hypothesis.strategies.SearchStrategy[T],
    condition: Callable[[T], bool],
    *,
    settings: hypothesis.settings,
    random: Random,
) -> T:
    """Return a minimal example of the strategy that satisfies the condition, as `hypothesis.find` does."""
    with without_constants_of_modules():
        return hypothesis.find(strategy, condition, settings=settings, random=random)
