"""Plug-ins, installed for as long as a test lasts."""

import importlib
import sys

import pytest

from auditor.engine.registry import plugins, registry
from tests.auditor.engine.plugins import GOOD


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Install a plug-in as a distribution would: the good one, and the lines that a test adds to it."""
    monkeypatch.syspath_prepend(str(tmp_path))
    installed = []

    def write(more="", name="plug", *, good=True):
        (tmp_path / f"{name}.py").write_text((GOOD if good else "") + more, encoding="utf-8")
        information = tmp_path / f"{name}-1.0.dist-info"
        information.mkdir()
        (information / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-dist\nVersion: 1.0\n", "utf-8")
        (information / "entry_points.txt").write_text(f"[auditor.plugins]\n{name} = {name}\n", "utf-8")
        importlib.invalidate_caches()
        forget()
        installed.append(name)

    yield write
    for name in installed:
        sys.modules.pop(name, None)
    forget()


def forget():
    """Let the catalogue look for plug-ins again."""
    plugins.cache_clear()
    registry.cache_clear()
