"""Array libraries that may be missing, or find no device."""

from __future__ import annotations

import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from auditor.front.verbs.doctor import examine
from mechanisms import array_library
from mechanisms.array_library import (
    LIBRARIES,
    LibraryError,
    accelerator,
    cupy_library,
    numpy_library,
    torch_library,
)


def test_a_missing_library_is_no_complaint(monkeypatch):
    """Neither package: no accelerator; asked for by name, one line with the remedy."""
    for name in ("cupy", "torch"):
        monkeypatch.setitem(sys.modules, name, None)
    assert accelerator() is None
    for name in ("cupy", "torch"):
        with pytest.raises(LibraryError, match=f"expected {name} to import, got .*; pip install"):
            LIBRARIES[name]()


def test_a_library_without_a_device_is_no_accelerator(monkeypatch):
    """Both are installed and neither finds a device: PyTorch draws on the processor, CuPy not at all."""
    bare = SimpleNamespace(cuda=SimpleNamespace(is_available=lambda: False))
    for name in ("cupy", "torch"):
        monkeypatch.setitem(sys.modules, name, bare)
    assert accelerator() is None
    assert torch_library().name == "PyTorch on the processor"
    with pytest.raises(LibraryError, match="expected a device for cupy"):
        cupy_library()


@pytest.mark.parametrize("device", [None, "CuPy on a card"])
def test_doctor_says_whether_there_is_one(device, monkeypatch):
    """A line of its own, with the remedy where there is none; never fatal."""
    library = None if device is None else replace(numpy_library(), name=device)
    monkeypatch.setattr(array_library, "accelerator", lambda: library)
    symptom = next(each for each in examine() if each.name == "accelerator")
    assert symptom.state == ("optional" if device is None else "ok")
    assert (device or "CuPy or PyTorch") in symptom.detail
