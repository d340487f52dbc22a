"""A report that is doctored throughout, views, counts and entries with it, is refused by `auditor verify`."""

import copy
import json

import pytest

from auditor.engine import runner
from auditor.errors import ExitCode
from auditor.findings.finding import Outcome, outcome
from auditor.front.cli import invoke
from auditor.report import files
from auditor.report import json as report_json
from proofs_numeric.statements.verdict import Expectation, Verdict

PLACES, PICKED, ARGUED = "rogers2024.thm9.places", "lebeda2025.lem13", "lebeda2025.sparse.least"
FALSE, NUMBER = "rogers2024.thm9.proofT", "wilkins2024.sec6.fn7.tau"
SELECTED = [PLACES, PICKED, ARGUED, FALSE, NUMBER, "rogers2024.bm.l2"]


@pytest.fixture(scope="module")
def honest():
    """Give a report with a proof, a derivation, witnesses, a search, an enumeration and a printed number."""
    return runner.run(SELECTED, profile="quick")


def found(document, identifier, check=""):
    """The finding of a subject."""
    return next(f for f in document["findings"] if f["subject"] == identifier and check in f["check"])


def evidence_of(document, identifier, kind):
    """The first piece of evidence of a kind."""
    pieces = (e for f in document["findings"] if f["subject"] == identifier for e in f["evidence"])
    return next(piece for piece in pieces if piece["type"] == kind)


def entry(document, identifier):
    """The entry of a claim."""
    return next(one for one in document["claims"] if one["id"] == identifier)


def counted_again(document):
    """Every count, and what is met, as the verdicts in the document have them."""
    verdicts: dict[str, dict[str, int]] = {}
    for each in document["findings"]:
        met = outcome(Verdict(each["verdict"]), Expectation(each["expected"]))
        each["met"] = met not in {Outcome.UNEXPECTED, Outcome.BROKEN}
        of = verdicts.setdefault(each["verdict"], {})
        of[met.value] = of.get(met.value, 0) + 1
    document["summary"] = {
        **document["summary"],
        "findings": len(document["findings"]),
        "met": sum(each["met"] for each in document["findings"]),
        "verdicts": verdicts,
    }


def expectation_and_verdict_together(document):
    """What was refuted, and expected so, is proved and expected to hold."""
    for each in (*document["findings"], *document["claims"]):
        if each.get("subject", each["id"]) == FALSE:
            each.update(verdict="PROVED", expected="HOLDS")
    document["errata"] = [each for each in document["errata"] if each["printed"] != FALSE]


def entry_alone(document):
    """The claim's entry says derived over a proof."""
    entry(document, PICKED)["verdict"] = "DERIVED"


def scope_left_out(document):
    """An enumeration of small sizes is told as one of every size."""
    found(document, PICKED, "finite")["scope"] = entry(document, PICKED)["scope"] = ""


def scope_widened(document):
    """A larger size than was enumerated, in the scope and in the evidence."""
    scope = found(document, PICKED, "finite")["scope"]
    wider = scope[:-1] + "9"
    found(document, PICKED, "finite")["scope"] = entry(document, PICKED)["scope"] = wider
    evidence_of(document, PICKED, "enumeration")["domain"] = wider


def unchecked_step(document):
    """The first step of the derivation that nothing checks."""
    return next(step for step in evidence_of(document, ARGUED, "derivation")["steps"] if step["trusted"])


def unchecked_taken_for_checked(document):
    """An argument that nothing checks loses its mark."""
    unchecked_step(document)["trusted"] = False


def unchecked_step_with_a_theorem(document):
    """An argument is told as a named theorem."""
    unchecked_step(document)["theorem"] = "Blackwell's theorem, Blackwell 1953"


def step_off_the_trust_base(document):
    """The trust base does not list an argument."""
    document["trust"] = [item for item in document["trust"] if not item["name"].startswith(ARGUED)]


def larger_kernel_tests(document):
    """The kernel is attacked by more tests."""
    item = next(one for one in document["trust"] if one["kind"] == "kernel")
    item["version"] = item["version"].replace(" test functions", "0 test functions")


def tactic_taken_out(document):
    """A goal of the proof is not there, and the headline counts one less."""
    proof = found(document, PLACES, "lemma.proof")
    proof["evidence"].pop()
    proof["headline"] = proof["headline"].replace("closed 6", "closed 5")


def tactic_renamed(document):
    """A goal was closed by another tactic."""
    leaf = evidence_of(document, PLACES, "proof")
    leaf["expression"] = leaf["expression"].replace("Sign", "Boxes")


def two_findings_swapped(document):
    """Two findings have each other's evidence and headlines."""
    first, second = found(document, FALSE), found(document, "rogers2024.bm.l2")
    for name in ("evidence", "headline"):
        first[name], second[name] = second[name], first[name]


def two_subjects_swapped(document):
    """Two findings have each other's names."""
    first, second = found(document, FALSE, "search"), found(document, PLACES, "search")
    for name in ("id", "subject", "reproduce"):
        first[name], second[name] = second[name], first[name]
    document["findings"].sort(key=lambda each: each["id"])


def finding_doubled(document):
    """A finding is there again under another detail."""
    twin = copy.deepcopy(found(document, PLACES, "lemma.proof"))
    twin["id"] += "::again"
    document["findings"].append(twin)
    document["findings"].sort(key=lambda each: each["id"])


def finding_taken_out(document):
    """A refutation is gone, with its entry and its erratum; the selection still names it."""
    for name, key in (("findings", "subject"), ("claims", "id"), ("errata", "printed")):
        document[name] = [each for each in document[name] if each.get(key) != FALSE]


def unreached(document):
    """A check is said not to have been reached."""
    gone = found(document, FALSE, "search")
    document["findings"].remove(gone)
    document.update(complete=False, pending=[f"{gone['subject']}::{gone['check']}"])


def last_digit(document):
    """The last digit of a witness."""
    left = evidence_of(document, FALSE, "witness")["left"]
    left["lower"] = left["lower"][:-1] + str((int(left["lower"][-1]) + 1) % 10)


def a_true_but_wider_enclosure(document):
    """An enclosure that is still true, and is not what was computed."""
    computed = evidence_of(document, NUMBER, "quantity")["computed"]
    computed["upper"] += "9"


def another_point(document):
    """A witness at another place, with the sides as they were."""
    parameters = evidence_of(document, FALSE, "witness")["parameters"]
    name = next(iter(parameters))
    parameters[name] += "1"


def more_points(document):
    """A search says that it decided more points."""
    search = found(document, PLACES, "search")
    piece = search["evidence"][0]
    piece["examples"] *= 10
    search["headline"] = search["headline"].replace("seen in ", "seen in 1")


def end_of_a_box(document):
    """A search over a larger box."""
    ends = next(iter(evidence_of(document, PLACES, "search")["box"].values()))
    ends["upper"] = "1000000"


def other_statement(document):
    """The claim says something else."""
    one = entry(document, PLACES)
    one["statement"] = one["statement"].replace(r"\le", "=")


def other_title(document):
    """The claim has another title."""
    entry(document, PLACES)["title"] += " at all"


def other_note(document):
    """What the claim assumes is left out."""
    entry(document, FALSE)["note"] = ""


def other_correction(document):
    """A false statement is corrected by another claim."""
    entry(document, FALSE)["corrected_by"] = PLACES


def command_of_another(document):
    """What shows a finding again shows another."""
    found(document, FALSE, "search")["reproduce"] = found(document, PLACES, "search")["reproduce"]


def budget_of_false_alarms(document):
    """The ledger spends less."""
    document["false_alarm_ledger"][0]["share"] = "1e-9"


FORGERIES = (
    expectation_and_verdict_together,
    entry_alone,
    scope_left_out,
    scope_widened,
    unchecked_taken_for_checked,
    unchecked_step_with_a_theorem,
    step_off_the_trust_base,
    larger_kernel_tests,
    tactic_taken_out,
    tactic_renamed,
    two_findings_swapped,
    two_subjects_swapped,
    finding_doubled,
    finding_taken_out,
    unreached,
    last_digit,
    a_true_but_wider_enclosure,
    another_point,
    more_points,
    end_of_a_box,
    other_statement,
    other_title,
    other_note,
    other_correction,
    command_of_another,
    budget_of_false_alarms,
)


def checked(folder, honest, monkeypatch, capsys):
    """Verify a folder or a file, where the run of its settings gives the honest report."""
    monkeypatch.setattr(runner, "run", lambda *_, **__: honest)
    code = invoke(["verify", str(folder), "--jobs", "1"])
    return code, capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("forge", FORGERIES)
def test_a_report_doctored_throughout_is_refused(honest, tmp_path, monkeypatch, capsys, forge):
    """Counts made again and views written again wherever the forgery is still a report."""
    document = json.loads(report_json.render(honest))
    before = copy.deepcopy(document)
    forge(document)
    assert document != before
    counted_again(document)
    text = json.dumps(document)
    (tmp_path / "report.json").write_text(text, "utf-8")
    files.write(report_json.parse(text, "report.json"), tmp_path, strict=False)
    code, out = checked(tmp_path, honest, monkeypatch, capsys)
    assert (code, "refused: " in out) == (ExitCode.FINDINGS, True)


@pytest.mark.slow
def test_findings_of_another_run_are_refused(honest, tmp_path, monkeypatch, capsys):
    """Those of a larger profile, of another seed, and a page of another report, each beside what is honest."""
    other = runner.run(SELECTED, profile="standard", seed=1)
    document = json.loads(report_json.render(honest))
    mixed = json.loads(report_json.render(other))
    for identifier, check in ((PICKED, "finite"), (PLACES, "search"), (FALSE, "search")):
        forged = copy.deepcopy(document)
        place = forged["findings"].index(found(forged, identifier, check))
        forged["findings"][place] = found(mixed, identifier, check)
        (tmp_path / "report.json").write_text(json.dumps(forged), "utf-8")
        code, out = checked(tmp_path, honest, monkeypatch, capsys)
        assert (code, "refused: " in out) == (ExitCode.FINDINGS, True)
    files.write(honest, tmp_path, strict=False)
    page = files.forms(other, strict=False)["report.html"]
    (tmp_path / "report.html").write_text(page, "utf-8")
    for given in (tmp_path, tmp_path / "report.json"):
        code, out = checked(given, honest, monkeypatch, capsys)
        assert (code, "differs: report.html: not the view of report.json" in out) == (ExitCode.FINDINGS, True)
