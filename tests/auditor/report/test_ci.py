"""What machines that run tests are told."""

import json
from pathlib import Path

import pytest
from jsonschema import Draft4Validator

from auditor.report import ci, view
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import report_of, sample_report

REPORT = sample_report()
TOLD = [*view.unexpected_findings(REPORT), *view.undecided_findings(REPORT)]
PLACES = {TOLD[0].id: ("mine/my mechanism.py", 12)}
EXPLANATIONS = {TOLD[0].check: "What it compares."}


def test_the_sample_has_something_to_tell():
    """A finding against expectation, one that crashed, one that stayed open."""
    assert {finding.outcome.value for finding in TOLD} == {"unexpected", "broken", "open"}


def test_annotations_are_one_line_each_and_name_the_line_of_the_file():
    """What could end a command or a property is escaped."""
    lines = ci.github(REPORT, PLACES).splitlines()
    assert len(lines) == len(TOLD) + 1
    assert all(line.startswith(("::error ", "::warning ")) for line in lines)
    assert lines[0].startswith("::error file=mine/my mechanism.py,line=12,title=")
    properties = [line[2:].split("::")[0] for line in lines]
    assert all(part.count(",title=") <= 1 for part in properties)
    assert lines[-1] == f"::error title=auditor::{view.conclusion(REPORT)}"


SCHEMA = json.loads(Path(__file__).with_name("sarif-2.1.0.schema.json").read_text(encoding="utf-8"))


def test_a_rule_begins_with_the_first_sentence_of_its_explanation():
    """A viewer lists the short description; without an explanation it is the id of the check."""
    explained = {finding.check: "Samples the mechanism. A pass is no proof." for finding in TOLD[:1]}
    (run,) = json.loads(ci.sarif(REPORT, PLACES, explained))["runs"]
    texts = {rule["id"]: rule["shortDescription"]["text"] for rule in run["tool"]["driver"]["rules"]}
    assert texts.pop(TOLD[0].check) == "Samples the mechanism."
    assert texts
    assert all(text == check for check, text in texts.items())


def test_sarif_is_valid_by_the_schema_of_the_standard():
    """And by what the schema cannot say: a result's rule is the one at its index; paths are URIs."""
    valid = Draft4Validator(SCHEMA)
    document = json.loads(ci.sarif(REPORT, PLACES, EXPLANATIONS))
    assert [error.message for error in valid.iter_errors(document)] == []
    (run,) = document["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    helped = {rule["id"]: rule["help"]["text"] for rule in run["tool"]["driver"]["rules"] if "help" in rule}
    assert helped == EXPLANATIONS
    for result, finding in zip(run["results"], TOLD, strict=True):
        assert rules[result["ruleIndex"]] == result["ruleId"] == finding.check
        assert finding.headline in result["message"]["text"]
        assert result["partialFingerprints"] == {"finding": finding.id}
    placed = [r["locations"][0]["physicalLocation"] for r in run["results"] if "physicalLocation" in r["locations"][0]]
    file = {"uri": "mine/my%20mechanism.py", "uriBaseId": "%SRCROOT%"}
    assert placed[0] == {"artifactLocation": file, "region": {"startLine": 12}}


@pytest.mark.parametrize("wrong", [{"level": "fatal"}, {"message": {}}, {"locations": {}}, {"ruleIndex": -2}, {"x": 1}])
def test_the_schema_refuses_what_is_not_sarif(wrong):
    """A level, message, location, index or field of its own."""
    document = json.loads(ci.sarif(REPORT, PLACES, EXPLANATIONS))
    document["runs"][0]["results"][0].update(wrong)
    assert not Draft4Validator(SCHEMA).is_valid(document)


def test_a_badge_says_the_answer_in_a_word():
    """As an endpoint of a badge service expects it."""
    document = json.loads(ci.badge(REPORT))
    assert document == {
        "schemaVersion": 1,
        "label": "privacy audit",
        "message": f"fail, {len(REPORT.findings)} findings",
        "color": "red",
    }


def test_a_known_defect_has_a_red_badge():
    """Also where the run is as expected."""
    entry = REPORT.accountants[0].model_copy(update={"verdict": Verdict.REFUTED})
    findings = [finding for finding in REPORT.findings if finding.verdict is Verdict.PROVED and finding.met]
    badges = [
        json.loads(ci.badge(report_of(findings).model_copy(update={"accountants": accountants})))
        for accountants in ([], [entry])
    ]
    number = len(findings)
    assert [(badge["message"], badge["color"]) for badge in badges] == [
        (f"pass, {number} findings", "brightgreen"),
        (f"known defect, {number} findings", "red"),
    ]
