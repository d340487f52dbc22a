"""Text of others in every output: letters on their own line, bounded, and markup of nobody."""

import json
from xml.etree import ElementTree as ET

import pytest

from auditor.engine import runner
from auditor.findings.evidence import LONGEST_TEXT, ReasonEvidence, SubjectKind
from auditor.findings.finding import Finding
from auditor.front.cli import invoke
from auditor.front.verbs import run
from auditor.report import html, junit, markdown
from auditor.report import json as report_json
from auditor.report.model import AuditReport
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import sample_report

ATTACKS = {
    "colours": "\x1b[31mred\x1b[0m",
    "the screen": "\x1b[2J\x1b[H\x9b2J",
    "the title of the window": "\x1b]0;owned\x07",
    "the start of the line": "12 failed\r12 passed",
    "another line": "x\n12 passed\n\x0b\x0c\x85\u2028\u2029",
    "the direction": "\u202e\u2066txt.exe\u200f",
    "what no encoding has": "\udcff\ud800\uffff",
    "nothing at all": "\0\x7f\u200b\ufeff\u00ad",
    "memory": "long " * 100_000,
}


def attacked(words: str) -> AuditReport:
    """The sample report with foreign text wherever a finding, a key or a package has any."""
    report = json.loads(report_json.render(sample_report()))
    for finding in report["findings"]:
        finding["headline"] = words
        finding["reproduce"] = words
        for evidence in finding["evidence"]:
            for name in evidence.keys() & {"text", "event", "pair", "explanation", "remedy", "would_catch"}:
                evidence[name] = words
            if "parameters" in evidence:
                evidence["parameters"] = {words: words}
    report["environment"]["packages"] = {words: words}
    report["selection"] = [words]
    report["sections"][0]["text"] = report["sections"][0]["title"] = words
    return AuditReport.model_validate(report)


def assert_letters(output: str, own: str = "\n") -> None:
    """Nothing but letters and what a renderer has of its own, and nowhere somebody's whole half a megabyte."""
    assert {letter for letter in output if not letter.isprintable()} <= set(own)
    assert "long " * (LONGEST_TEXT // 5) not in output


@pytest.mark.slow
@pytest.mark.parametrize("words", ATTACKS.values(), ids=ATTACKS)
@pytest.mark.parametrize("form", [html.render, markdown.render, junit.render, report_json.render])
def test_a_rendered_report_holds_letters(form, words):
    """In HTML, Markdown, JUnit and JSON; what was spelt is still to be seen."""
    output = form(attacked(words))
    assert_letters(output, own="\n" if form is not html.render else "\n\xa0\u200b")  # MathML has spaces of its own
    if form is junit.render:
        assert ET.fromstring(output).tag == "testsuites"  # noqa: S314 - our own file
    if form is report_json.render:
        assert report_json.parse(output, "again") == attacked(words)


@pytest.mark.slow
@pytest.mark.parametrize("words", ATTACKS.values(), ids=ATTACKS)
def test_the_terminal_shows_letters(words, tmp_path, capsys, monkeypatch):
    """Progress, summary, verify, compare and reproduce."""
    report = attacked(words)
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(report_json.render(sample_report()), encoding="utf-8")
    new.write_text(report_json.render(report), encoding="utf-8")

    def played(_selection, **settings):
        for finding in report.findings:
            settings["events"](runner.UnitDone(finding.id + words, (finding,)))
        return report

    monkeypatch.setattr(runner, "run", played)
    invoke(["run", "--out", str(tmp_path / "run")])
    invoke(["verify", str(new)])
    invoke(["compare", str(old), str(new)])
    invoke(["reproduce", report.findings[0].id, "--report", str(new)])
    invoke(["explain", words])
    out, err = capsys.readouterr()
    assert_letters(out)
    assert {letter for letter in err if not letter.isprintable()} <= {"\n"}
    assert run.summary(report, tmp_path)


@pytest.mark.parametrize("words", ATTACKS.values(), ids=ATTACKS)
def test_what_raises_has_letters(words):
    """A check that crashes quotes its exception, a finding its subject."""
    finding = Finding.of(
        subject="x",
        subject_kind=SubjectKind.CLAIM,
        check="c",
        verdict=Verdict.ERROR,
        headline=words,
        reproduce=words,
        evidence=[ReasonEvidence(text=words)],
    )
    assert_letters(finding.headline + finding.reproduce + finding.evidence[0].text)
