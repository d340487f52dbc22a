"""Index of the suite's ids by module, so that a lookup imports one module and not all of them.

The index has, by collection and id, the module and the cells of `auditor list`. A wheel has it as `index.json`; in a
checkout, the first start after a change of a file makes it and caches it. `kernel.json` has the size of the kernel and
the number of its tests; `python -m auditor.engine.index` generates it.
"""

import contextlib
import functools
import json
import os
import re
from collections.abc import Iterator, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

from auditor.engine.declarations import COLLECTIONS, PACKAGES, ROOT, declarations, modules

PUBLISHED = Path(__file__).with_name("index.json")
"""The index of an installation."""
CACHED = ROOT / ".auditor" / "index.json"
"""The index of a checkout, with the stamp of the files that declare its ids."""
KERNEL = Path(__file__).with_name("kernel.json")
COMMAND = "python -m auditor.engine.index"
MODULE = "module"

STAMPED = (*PACKAGES, "auditor.accountant_audit.adapters")
"""Packages whose files declare ids; the adapters declare those of the accountants of libraries."""

Entry = Mapping[str, str]
"""The module under `MODULE`, and the cells by heading."""
Index = Mapping[str, Mapping[str, Entry]]
"""Entries by collection and id."""

_CELLS: Mapping[str, Mapping[str, str]] = {
    "claims": {"expected": "expected.value", "kind": "kind.title", "computes": "computes", "title": "title"},
    "mechanisms": {"guarantee": "guarantee_claim", "title": "title"},
    "faults": {"violates": "violates", "caught by": "caught_by", "title": "title"},
    "controls": {"satisfies": "satisfies", "title": "title"},
    "checks": {"title": "title"},
    "accountants": {"against": "against", "library": "library", "title": "title"},
    "calibrators": {"claim": "claim", "release": "release"},
    "experiments": {"source": "source", "title": "title"},
}
"""Attributes of an item in a list, by heading."""


def cells(collection: str, item: Any) -> Entry:
    """Return the cells of an item in a list, by heading."""
    return {heading: attrgetter(name)(item) for heading, name in _CELLS.get(collection, {}).items()}


def walk_modules() -> Index:
    """Import every module of the suite and return the index of their declarations."""
    declared: dict[str, dict[str, Entry]] = {collection: {} for collection in COLLECTIONS.values()}
    for module in modules():
        for one in declarations(module):
            declared[one.collection][one.id] = {MODULE: module.__name__, **cells(one.collection, one.item)}
    return {collection: dict(sorted(entries.items())) for collection, entries in declared.items()}


@functools.cache
def index() -> Index:
    """Return the index of the installation; in a checkout the cached one, made again if a file has changed."""
    if not (ROOT / "pyproject.toml").exists():
        published: Index = json.loads(PUBLISHED.read_text(encoding="utf-8"))
        return published
    stamp = "\n".join(sorted(line for package in STAMPED for line in _stamps(ROOT.joinpath(*package.split(".")))))
    try:
        cached = json.loads(CACHED.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        cached = {}
    if cached.get("stamp") != stamp:
        cached = {"stamp": stamp, "index": walk_modules()}
        _cache(json.dumps(cached))
    entries: Index = cached["index"]
    return entries


def _stamps(folder: Path | str) -> Iterator[str]:
    """Yield path, size in bytes and time of change in nanoseconds of each Python file in a folder, at any depth."""
    with os.scandir(folder) as entries:  # pathlib takes six times as long, at every start
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield f"{entry.path} {status.st_size} {status.st_mtime_ns}"
            elif entry.name != "__pycache__" and entry.is_dir():
                yield from _stamps(entry.path)


def _cache(text: str) -> None:
    """Replace the cached index in one step; where nothing can be written, the next start makes it again."""
    partial = CACHED.with_name(f"index-{os.getpid()}.json")
    with contextlib.suppress(OSError):
        CACHED.parent.mkdir(exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        partial.replace(CACHED)


def kernel_size() -> Mapping[str, int]:
    """Return the published size of the kernel: its modules, lines and test functions."""
    size: Mapping[str, int] = json.loads(KERNEL.read_text(encoding="utf-8"))
    return size


def kernel_counted() -> str:
    """Return the size of the kernel in a source tree, as published JSON."""
    folders = (ROOT / "proofs_numeric" / "kernel", ROOT / "tests" / "proofs_numeric" / "kernel")
    code, tests = ([path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.py"))] for folder in folders)
    counts = {
        "modules": len(code),
        "lines": sum(len(module.splitlines()) for module in code),
        "test functions": sum(len(re.findall(r"^def test_", module, re.MULTILINE)) for module in tests),
    }
    return json.dumps(counts) + "\n"


if __name__ == "__main__":
    KERNEL.write_text(kernel_counted(), encoding="utf-8")
