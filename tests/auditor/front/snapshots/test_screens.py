"""Whole screens of the command line, as a person sees them."""

import os
import shlex
from pathlib import Path

import pytest

from auditor.engine import runner
from auditor.front.cli import invoke
from auditor.front.verbs import explain
from auditor.front.verbs.output import say
from auditor.report import json as report_json
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role, Source
from proofs_numeric.statements.kinds import DeltaBound
from proofs_numeric.statements.verdict import Expectation
from tests.auditor.report.sample import sample_report

HERE = Path(__file__).parent
UPDATE = "AUDITOR_UPDATE_SNAPSHOTS=1 python -m pytest tests/auditor/front/snapshots"


def tail_of_a_law(A, scale, c_u):
    """Sum of the tails of c_u noisy counts.

    Stable through expm1 and log1p down to the smallest doubles.
    """
    return A.exp(-A.number(c_u) / scale)


CLAIM = Claim(
    id="example2026.thm1", source=Source("example2026", "Theorem 1", "(2)", reconstruction=True),
    title="Delta of an example", statement=r"\delta = e^{-C_u/b}", kind=DeltaBound(tail_of_a_law),
    domain=Box(
        (
            Parameter("scale", "scale of the noise", "counts", "1/100", "1000", log=True),
            Parameter("c_u", "keys one user changes", "keys", 1, "infinity", integer=True, default=1),
        ),
        constraint_text="scale > 1/c_u",
    ),
    expected=Expectation.REFUTED, assumptions=("noise is independent across keys",), quantity=QuantityKind.DELTA,
    role=Role.UPPER, corrected_by="example2026.thm1.corrected", loose="by at most 2 at $C_u = 1$",
    note="Printed with > in place of >=.", points=({"scale": 2, "c_u": 3},),
)  # fmt: skip


def check(name: str, screen: str) -> None:
    """Compare a screen with its file; rewrite the file when asked to."""
    file = HERE / f"{name}.txt"
    if os.environ.get("AUDITOR_UPDATE_SNAPSHOTS"):
        file.write_text(screen, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == screen, f"the screen '{name}' changed; if that is intended: {UPDATE}"


def screen(capsys, directory: Path, *commands: list[str]) -> str:
    """What a terminal shows for commands: output, then errors, then the exit code; the directory's name left out."""
    text = ""
    for command in commands:
        code = invoke(command)
        out, err = capsys.readouterr()
        text += f"$ auditor {' '.join(command)}\n{out}{err}[exit {code}]\n"
    return text.replace(shlex.quote(str(directory)), "DIR").replace(str(directory), "DIR")


@pytest.fixture(autouse=True)
def _plain(monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERMINAL_WIDTH", "100")


def test_run(capsys, tmp_path, monkeypatch):
    """A run with findings against expectation, in CI."""

    def run(*_, events, **__):
        report = sample_report()
        events(runner.Started(len(report.findings)))
        for finding in report.findings:
            events(runner.UnitDone(finding.id, (finding,)))
        return report

    monkeypatch.setattr(runner, "run", run)
    check("run", screen(capsys, tmp_path, ["run", "--profile", "quick", "--out", str(tmp_path)]))


def test_compare(capsys, tmp_path):
    """Two reports that differ."""
    old = sample_report()
    fields = {name: getattr(old, name) for name in ("suite_version", "alpha", "selection")}
    selection = [finding for finding in old.findings if finding.met]
    new = type(old).of(**fields, profile="deep", seed=1, environment=old.environment, findings=selection)
    (tmp_path / "old.json").write_text(report_json.render(old), encoding="utf-8")
    (tmp_path / "new.json").write_text(report_json.render(new), encoding="utf-8")
    names = [str(tmp_path / name) for name in ("old.json", "new.json")]
    check("compare", screen(capsys, tmp_path, ["compare", *names], ["compare", *reversed(names)]))


def test_markdown(capsys, tmp_path):
    """The whole Markdown report."""
    (tmp_path / "report.json").write_text(report_json.render(sample_report()), encoding="utf-8")
    check("markdown", screen(capsys, tmp_path, ["render", str(tmp_path), "--to", "markdown"]))


@pytest.mark.slow
def test_junit(capsys, tmp_path, monkeypatch):
    """The whole JUnit report, from a folder without the sources: no line of theirs is in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "report.json").write_text(report_json.render(sample_report()), encoding="utf-8")
    check("junit", screen(capsys, tmp_path, ["render", str(tmp_path), "--to", "junit", "--strict"]))


def test_explain(capsys):
    """The page of a claim."""
    say(*explain.lines(CLAIM.id, "example2026/theorem_1.py:12", explain.claim_page(CLAIM)))
    check("explain", capsys.readouterr().out)


@pytest.mark.slow
def test_errors(capsys, tmp_path):
    """Bad input, one line each."""
    (tmp_path / "taken").write_text("", "utf-8")
    (tmp_path / "pair.json").write_text("{", "utf-8")
    commands = [
        ["run", "--alpha", "2"],
        ["run", "--profile", "fast"],
        ["run", "--out", str(tmp_path / "taken")],
        ["evaluate", "thresholds.laplace.integer", "scale"],
        ["evaluate", "thresholds.laplace.integer", "scale=0", "threshold=3"],
        ["evaluate", "thresholds.laplace.integer", "scale=1", "threshold=3", "sigma=1"],
        ["accountant", "math:nothing", "--against", "thresholds.laplace.integer"],
        ["accountant", "no/such/file.py:f", "--against", "thresholds.laplace.integer"],
        ["accountant", "math:exp"],
        ["mechanism", "math:exp", "--rho", "1", "--mu", "1"],
        ["mechanism", "math:exp", "--epsilon", "1", "--delta", "0", "--pair", str(tmp_path / "pair.json")],
        ["render", str(tmp_path)],
        ["verify", str(tmp_path / "taken")],
    ]
    check("errors", screen(capsys, tmp_path, *commands))
