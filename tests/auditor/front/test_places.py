"""File and line of a finding: of what is declared, of somebody's function, of the test that found it."""

from pathlib import Path

import pytest

from auditor.findings.evidence import SubjectKind
from auditor.findings.finding import Finding
from auditor.front.places import places
from proofs_numeric.statements.verdict import Verdict

ROOT = Path(__file__).resolve().parents[3]
MINE = "import math\n\n\ndef other():\n    pass\n\n\nclass Engine:\n    def release(self):\n        pass\n"


def found(subject: str, check: str = "numeric", test: str = "", headline: str = "") -> Finding:
    """Give a finding about a subject, that pytest made where a test is named."""
    return Finding.of(
        subject=subject,
        subject_kind=SubjectKind.MECHANISM,
        check=check,
        verdict=Verdict.REFUTED,
        headline=headline,
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
    finding = found("engine.py:Engine", headline=f"refutes; suspect {file}:5: sets the scale of laplace to 0.1")
    assert places([finding]) == {finding.id: place}


def test_what_is_declared_is_at_its_declaration(monkeypatch, tmp_path):
    """In the checkout that holds it; from another folder nothing is annotated."""
    finding = found("half_noise")
    monkeypatch.chdir(ROOT)
    path, line = places([finding])[finding.id]
    assert "half_noise" in (ROOT / path).read_text("utf-8").splitlines()[line - 1]
    monkeypatch.chdir(tmp_path)
    assert places([finding]) == {}
