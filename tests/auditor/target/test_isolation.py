"""Names shared with a project: who owns a module is a question to the file system once, not once a release."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import mechanisms.pair
from auditor.target import isolation


def test_where_a_module_lies_is_looked_up_once(monkeypatch):
    """A swap goes through every loaded module, and a live mechanism under a contested name swaps at every release."""
    ours, foreign = mechanisms.pair.__spec__, np.__spec__
    assert isolation._spec_is_ours(ours)
    assert not isolation._spec_is_ours(foreign)
    monkeypatch.setattr(Path, "resolve", None)
    assert isolation._spec_is_ours(ours)
    assert not isolation._spec_is_ours(foreign)
