"""Digests of what is installed: of all that is imported, and None where something else may be."""

import json
import os
import sys

import pytest

from auditor.accountant_audit import installed
from auditor.accountant_audit.environments import PLACE, libraries
from auditor.accountant_audit.installed import code_of, required

LONG_AGO = 1_000_000_000


@pytest.fixture
def site(tmp_path, monkeypatch):
    """A folder that comes first on the path, with a distribution that requires one that is there and others."""
    folder = tmp_path / "site"
    written(
        folder, "small", {"small/__init__.py": "", "small/part.py": "x = 1"}, "needed>=1", "absent", "no; extra == 'a'"
    )
    written(folder, "needed", {"needed.py": "y = 1"})
    written(folder, "no", {"no.py": ""})
    monkeypatch.syspath_prepend(str(folder))
    return folder


def written(folder, name, files, *requires):
    """Write a distribution as pip installs it, long ago."""
    told = f"{name}-1.dist-info"
    lines = "".join(f"Requires-Dist: {each}\n" for each in requires)
    files = {**files, f"{told}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n{lines}"}
    files[f"{told}/RECORD"] = "".join(f"{each},,\n" for each in [*files, f"{told}/RECORD"])
    for path, text in files.items():
        write(folder / path, text)


def write(path, text):
    """Write a file as if long ago."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    os.utime(path, (LONG_AGO, LONG_AGO))


def test_a_library_rests_on_what_it_requires(site):
    """Not on what an extra does, or what is not there."""
    assert [one.name for one in required("small")] == ["small", "needed"]
    assert required("absent") == []
    assert set(code_of(required("small"))) == {"small", "needed"}
    assert code_of([]) == {}


@pytest.mark.parametrize(("path", "text"), [("small/part.py", "x = 2"), ("small/data/new.txt", ""), ("needed.py", "")])
def test_every_file_counts(site, path, text):
    """Of what is required too, and what nobody listed."""
    before = code_of(required("small"))
    write(site / path, text)
    after = code_of(required("small"))
    assert [name for name in before if before[name] != after[name]] == [path.partition("/")[0].removesuffix(".py")]


def test_what_follows_from_other_files_does_not_count(site):
    """Compiled modules are written by imports; lists of files have digests of scripts, which say where they lie."""
    before = code_of(required("small"))
    write(site / "small/__pycache__/part.cpython-311.pyc", "x")
    with (site / "small-1.dist-info/RECORD").open("a", encoding="utf-8") as listed:
        listed.write("../../../bin/small,sha256=x,1\n")
    assert code_of(required("small")) == before


def test_what_may_be_something_else_is_not_told(site, tmp_path, monkeypatch):
    """A module that comes before, in a folder or a file; a file of now; an editable installation; no list of files."""
    assert code_of(required("small")) is not None
    for other in ("small/__init__.py", "needed.py"):
        write(tmp_path / other / other, "")
        with monkeypatch.context() as before:
            before.syspath_prepend(str(tmp_path / other))
            assert code_of(required("small")) is None
            assert code_of(required("small"), imported=False) is not None
    for path, text in (
        ("needed-1.dist-info/direct_url.json", json.dumps({"dir_info": {"editable": True}, "url": "file:///x"})),
        ("needed-1.dist-info/RECORD", ""),
    ):
        kept = (site / path).read_text("utf-8") if (site / path).exists() else json.dumps({"dir_info": {}})
        write(site / path, text)
        assert code_of(required("small")) is None
        write(site / path, kept)
        assert code_of(required("small")) is not None
    (site / "small" / "part.py").write_text("x = 3", "utf-8")
    monkeypatch.setattr(installed, "STARTED", LONG_AGO + 1)
    assert code_of(required("small")) is None


@pytest.mark.slow
def test_what_is_installed_here_can_be_told(monkeypatch):
    """Of the libraries that the tests use, unless a variable names another build."""
    found = libraries()["opendp"].rests_on
    assert "opendp" in found
    assert libraries()["opendp"].rests_on == found
    assert set(libraries()["dp_accounting"].rests_on) > {"dp-accounting", "numpy", "scipy"}
    monkeypatch.setenv("OPENDP_LIB_DIR", "/somewhere/target/debug")
    assert libraries()["opendp"].rests_on is None


def test_an_environment_of_its_own_counts_as_a_whole(tmp_path, monkeypatch):
    """With its interpreter; under PYTHONPATH nobody can tell what it imports."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    place = tmp_path / "autodp"
    write(place / "pyvenv.cfg", "version = 3.11.7")
    written(place / "lib/python3.11/site-packages", "autodp", {"autodp.py": ""})
    written(place / "lib/python3.11/site-packages", "other", {"other.py": ""})
    monkeypatch.delenv("PYTHONPATH", raising=False)
    found = libraries()["autodp"].rests_on
    assert set(found) == {"autodp", "other", str(place / "pyvenv.cfg")}
    write(place / "pyvenv.cfg", "version = 3.12.1")
    assert libraries()["autodp"].rests_on != found
    monkeypatch.setenv("PYTHONPATH", sys.path[0])
    assert libraries()["autodp"].rests_on is None
