"""How a run of many tests spends its time: what a worker does not import, and which tests come first."""

from __future__ import annotations

import sys

# Where it is installed, jsonschema compiles this grammar of IRIs on import: 4 s of CPU, and no schema here has an IRI.
sys.modules.setdefault("rfc3987_syntax", None)


def pytest_collection_modifyitems(items):
    """Files with slow tests first: the many short ones then fill what is left, so that no worker waits for another."""
    with_slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in with_slow)
