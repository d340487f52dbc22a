"""Index of the suite's ids by module, so that a lookup imports one module and not all of them.

`index.json` has, by collection and id, the module and the cells of `auditor list`. `kernel.json` has the size of the
kernel and the number of its tests. `python -m auditor.engine.index` generates both; a test compares them with the
declarations.
"""

import functools
import json
import os
import re
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

from auditor.engine.declarations import COLLECTIONS, PACKAGES, ROOT, declarations, modules

PUBLISHED = Path(__file__).with_name("index.json")
KERNEL = Path(__file__).with_name("kernel.json")
COMMAND = "python -m auditor.engine.index"
MODULE = "module"

Entry = Mapping[str, str]
"""The module under `MODULE`, and the cells by heading."""
Index = Mapping[str, Mapping[str, Entry]]
"""Entries by collection and id."""

_DECLARES = re.compile(rf"\n(?:{'|'.join(COLLECTIONS)})\b[^=\n]*=".encode())
"""A declaration in the bytes of a module; every start in a source tree searches every module."""
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


def text(index: Index) -> str:
    """Return the index as JSON with one line per entry, so that only changes of one id conflict in a merge."""
    blocks = []
    for collection, entries in index.items():
        lines = [f"  {json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}" for name, entry in entries.items()]
        blocks.append(f" {json.dumps(collection)}: {{\n" + ",\n".join(lines) + "\n }")
    return "{\n" + ",\n".join(blocks) + "\n}\n"


@functools.cache
def index() -> Index:
    """Return the published index; in a source tree with other declaring modules, a new one."""
    published: Index = json.loads(PUBLISHED.read_text(encoding="utf-8")) if PUBLISHED.exists() else {}
    listed = {entry[MODULE] for entries in published.values() for entry in entries.values()}
    return published if not (ROOT / "pyproject.toml").exists() or listed == _declaring_modules() else walk_modules()


def _declaring_modules() -> set[str]:
    """Return the names of the modules whose text has a declaration."""
    modules = set()
    for package in PACKAGES:
        for folder, _folders, names in os.walk(ROOT.joinpath(*package.split("."))):  # rglob takes twice as long
            for path in (Path(folder, name) for name in names if name.endswith(".py")):
                if _DECLARES.search(path.read_bytes()):
                    parts = path.relative_to(ROOT).with_suffix("").parts
                    modules.add(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return modules


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
    PUBLISHED.write_text(text(walk_modules()), encoding="utf-8")
    KERNEL.write_text(kernel_counted(), encoding="utf-8")
