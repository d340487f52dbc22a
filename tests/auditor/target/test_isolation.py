"""Names shared with a project: who owns a module is a question to the file system once, not once a release."""

from pathlib import Path

import numpy as np
import pytest

import mechanisms.pair
from auditor.errors import ExitCode, OverwrittenError
from auditor.front.cli import invoke
from auditor.target import isolation


def test_where_a_module_lies_is_looked_up_once(monkeypatch):
    """A swap goes through every loaded module, and a live mechanism under a contested name swaps at every release."""
    ours, foreign = mechanisms.pair.__spec__, np.__spec__
    assert isolation._spec_is_ours(ours)
    assert not isolation._spec_is_ours(foreign)
    monkeypatch.setattr(Path, "resolve", None)
    assert isolation._spec_is_ours(ours)
    assert not isolation._spec_is_ours(foreign)


@pytest.fixture
def intruder(tmp_path, monkeypatch):
    """Install a distribution that has a top-level package of our name."""
    information = tmp_path / "intruder-2.0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: intruder\nVersion: 2.0\n", "utf-8")
    (information / "RECORD").write_text("mechanisms/other.py,,\nintruder-2.0.dist-info/RECORD,,\n", "utf-8")
    (tmp_path / "mechanisms").mkdir()  # files that are not there are left out by some finders of distributions
    (tmp_path / "mechanisms" / "other.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))


def test_nobody_else_installs_packages_of_our_names():
    """The test environment is sound."""
    assert isolation.overwritten() == []


def test_an_import_that_fails_names_who_has_overwritten_ours(intruder):
    """The distribution, its version, and the remedy; an import of something else says nothing of it."""
    words = (
        r"cannot import mechanisms\.no_such: the distribution intruder 2\.0 installs a top-level package 'mechanisms'"
    )
    with pytest.raises(OverwrittenError, match=words), isolation.ours():
        import mechanisms.no_such  # noqa: F401
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'no_such'$"), isolation.ours():
        import no_such  # noqa: F401


def test_doctor_names_who_may_have_overwritten_ours(intruder, capsys):
    """Whether or not anything fails to import."""
    assert invoke(["doctor"]) == ExitCode.OK
    assert "the distribution intruder 2.0 installs a top-level package 'mechanisms'" in capsys.readouterr().out
