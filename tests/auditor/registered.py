"""The catalogue with something else under an id."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from auditor.engine.registry import Registry, registry


def instead(collection: str, identifier: str, item: Any) -> Callable[[], Registry]:
    """What to put in the place of `registry`: the same, with `item` under the id."""
    changed = replace(registry(), **{collection: {**getattr(registry(), collection), identifier: item}})
    return lambda: changed
