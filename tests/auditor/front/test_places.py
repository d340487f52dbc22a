"""File and line of a finding: of what is declared, of somebody's function, of the test that found it."""

from pathlib import Path

import pytest

from auditor.findings.evidence import SamplingEvidence, SourceLine, SubjectKind
from auditor.findings.finding import Finding
from auditor.front.places import places
from proofs_numeric.statements.verdict import Verdict

ROOT = Path(__file__).resolve().parents[3]
MINE = "import math\n\n\ndef other():\n    pass\n\n\nclass Engine:\n    def release(self):\n        pass\n"


def found(subject: str, check: str = "numeric", test: str = "", suspect: str = "") -> Finding:
    """Return a finding about a subject, with a suspected line of a file; with a test, pytest made it."""
    line = SourceLine(file=suspect, line=5) if suspect else None
    sampled = SamplingEvidence(method="bets", pair="", direction="forward", level="1e-6", samples=9, suspect=line)
    return Finding.of(
        subject=subject,
        subject_kind=SubjectKind.MECHANISM,
        check=check,
        verdict=Verdict.REFUTED,
        headline="refutes",
        evidence=[sampled],
        reproduce=f"pytest '{test}' --audit-seed 0",
    )


@pytest.mark.parametrize(
    ("subject", "check", "test", "place"),
    [
        ("mine/engine.py:Engine", "numeric", "", ("mine/engine.py", 8)),
        ("mine/engine.py:Engine.release", "numeric", "", ("mine/engine.py", 9)),
        ("mine/engine.py:gone", "numeric", "", ("mine/engine.py", 1)),
        ("release", "pytest.mechanism", "mine/engine.py::Engine::release[a-b]", ("mine/engine.py", 9)),
        ("release", "pytest.mechanism", "mine/engine.py::other", ("mine/engine.py", 4)),
        ("release", "numeric", "mine/engine.py::other", None),
        ("../elsewhere.py:f", "numeric", "", None),
        ("mine/none.py:f", "numeric", "", None),
    ],
)
def test_a_function_or_its_test_is_found(tmp_path, monkeypatch, subject, check, test, place):
    """Relative to the working folder; what lies elsewhere, or is no file, has no place."""
    folder = tmp_path / "checkout"
    (folder / "mine").mkdir(parents=True)
    (folder / "mine/engine.py").write_text(MINE, "utf-8")
    (tmp_path / "elsewhere.py").write_text("def f():\n    pass\n", "utf-8")
    monkeypatch.chdir(folder)
    assert places([finding := found(subject, check, test)]).get(finding.id) == place


@pytest.mark.parametrize(("file", "place"), [("engine.py", ("sub/engine.py", 5)), ("gone.py", ("sub/engine.py", 8))])
def test_the_suspected_line_of_a_repository_is_named(tmp_path, monkeypatch, file, place):
    """The path is relative to the repository, also from a folder in it; a file that is not found is not named."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/engine.py").write_text(MINE, "utf-8")
    monkeypatch.chdir(tmp_path / "sub")
    finding = found("engine.py:Engine", suspect=file)
    assert places([finding]) == {finding.id: place}


@pytest.mark.parametrize("package", ["__init__.py", None])
def test_a_callable_of_a_module_is_at_its_definition(tmp_path, monkeypatch, package):
    """A search for the file imports neither the module nor its package, with or without an `__init__.py`."""
    (tmp_path / "mine/inner").mkdir(parents=True)
    (tmp_path / "mine/inner/engine.py").write_text(f"raise SystemExit\n{MINE}", "utf-8")
    if package is not None:
        (tmp_path / "mine" / package).write_text("raise SystemExit\n", "utf-8")
        (tmp_path / "mine/inner" / package).write_text("def release():\n    pass\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    finding = found("mine.inner.engine:Engine.release")
    assert places([finding]) == {finding.id: ("mine/inner/engine.py", 10)}
    within = found("mine.inner:release")
    assert places([within]) == ({} if package is None else {within.id: ("mine/inner/__init__.py", 1)})


@pytest.mark.parametrize("subject", ["click:echo", "click.core:Command", "json:dumps", "sys:exit", "no.such:f", ".:f"])
def test_a_module_outside_the_repository_has_no_place(monkeypatch, subject):
    """Installed packages have none, even if the environment is a folder of the repository."""
    monkeypatch.chdir(ROOT)
    assert places([found(subject)]) == {}


def test_what_is_declared_is_at_its_declaration(monkeypatch, tmp_path):
    """In the checkout that holds it; from another folder nothing is annotated."""
    finding = found("half_noise")
    monkeypatch.chdir(ROOT)
    path, line = places([finding])[finding.id]
    assert "half_noise" in (ROOT / path).read_text("utf-8").splitlines()[line - 1]
    monkeypatch.chdir(tmp_path)
    assert places([finding]) == {}
