"""`auditor run --evidence FILE`: runs multiply, nothing is used twice or dropped, and bad files are one line."""

import json
import math
import os
import re
import time
from dataclasses import replace
from functools import partial

import pytest

from auditor.engine import evidence_file, runner, unit
from auditor.engine.registry import registry
from auditor.engine.runner import UnitDone, run
from auditor.errors import ExitCode, ReportError, TargetError, UsageError
from auditor.front.cli import invoke
from auditor.profile import PROFILES
from auditor.report import markdown
from mechanisms.baselines.analytic_gaussian import build
from mechanisms.mechanism import built_at
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.registered import instead

SUBJECT = "analytic_gaussian"
BLACK_BOX = f"{SUBJECT}::empirical.black_box"
ALONE = ("--profile", "quick", "--jobs", "1")


@pytest.fixture(scope="module", autouse=True)
def few_samples():
    """Runs of a few hundred releases."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROFILES, "quick", replace(PROFILES["quick"], samples=400, tilted_samples=100))
        yield


@pytest.fixture(scope="module")
def history(tmp_path_factory):
    """The text of the file after one run."""
    file = tmp_path_factory.mktemp("history") / "evidence.json"
    audit(file)
    return file.read_text("utf-8")


@pytest.fixture
def file(tmp_path):
    """Where the history goes."""
    return tmp_path / "evidence.json"


def register(monkeypatch, **change):
    """Change the audited mechanism, for what plans units and for what runs them."""
    changed = instead("mechanisms", SUBJECT, replace(registry().mechanisms[SUBJECT], **change))
    for module in (runner, unit):
        monkeypatch.setattr(module, "registry", changed)


def audit(file, **options):
    """One run; its black-box finding."""
    report = run([SUBJECT], profile="quick", evidence=file, **options)
    return next((found for found in report.findings if found.id == BLACK_BOX), None)


def runs(file):
    """The runs of the history."""
    return json.loads(file.read_text("utf-8"))["runs"]


@pytest.mark.slow
def test_runs_multiply_on_samples_of_their_own(file):
    """A second run draws other releases, keeps the first one's wealth, and the finding says so."""
    first, second = audit(file), audit(file)
    assert "over 1 run of version" in first.headline
    assert "over 2 runs of version" in second.headline
    assert "run 1 of the file" in second.headline
    wealths = [each["log_wealth"] for each in runs(file)]
    assert wealths[0] != wealths[1]
    value = float(second.headline.split("wealth 10^")[1].split()[0])
    assert math.isclose(value, sum(wealths) / math.log(10), rel_tol=1e-3)
    assert first.verdict is second.verdict is Verdict.CONSISTENT


@pytest.mark.slow
def test_the_summary_of_a_job_shows_what_nights_add_up_to(file):
    """Three nightly runs of one file: the Markdown that CI appends to its summary tells the evidence of all of them."""
    for nights in (1, 2, 3):
        summary = markdown.render(run([SUBJECT], profile="quick", evidence=file))
        _, told = summary.split("## Accumulated evidence of all runs\n")
        line = next(line for line in told.splitlines() if line.startswith("- **no violation seen**"))
        assert BLACK_BOX in line.replace("\\", "")
        assert f"over {nights} run" in line
        total = float(re.search(r"wealth 10\^(\S+) over", line.replace("\\", ""))[1])
        assert math.isclose(total, sum(each["log_wealth"] for each in runs(file)) / math.log(10), rel_tol=1e-3)
    assert len(runs(file)) == 3


@pytest.mark.slow
def test_what_is_bound_in_a_builder_is_of_the_version(file, monkeypatch):
    """The same code with another mu is another mechanism: neither run counts for the other."""
    for mu in ("1", "1/2", "1"):
        register(monkeypatch, build=partial(built_at, build, (("mu", mu),)))
        audit(file)
    first, second, third = (each["version"] for each in runs(file))
    assert first == third != second


@pytest.mark.slow
def test_a_violation_too_weak_for_one_run_is_refuted_by_several(file, monkeypatch):
    """Noise a quarter too small: no run decides alone, their product does, and it stays decided."""
    register(monkeypatch, build=lambda mu: build(mu="4/3"))
    verdicts = []
    while Verdict.REFUTED not in verdicts and len(verdicts) < 24:
        verdicts.append(audit(file).verdict)
    assert 1 < verdicts.index(Verdict.REFUTED) < 24
    alone = math.log(1e8)
    assert all(each["log_wealth"] < alone for each in runs(file))
    assert audit(file).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_an_interrupted_run_is_replayed_and_not_replaced(file, tmp_path):
    """Ctrl-C leaves the run open; with or without --resume the next one is the same run on the same samples."""

    def interrupt(event):
        if isinstance(event, UnitDone):
            raise KeyboardInterrupt

    for resume in (False, True):
        run([SUBJECT], profile="quick", evidence=file, out=tmp_path, resume=resume, events=interrupt)
        assert [each["log_wealth"] for each in runs(file)] == [None]
    replayed = audit(file, out=tmp_path, resume=True)
    assert replayed == audit(tmp_path / "other.json")
    assert runs(file) == runs(tmp_path / "other.json")


def twice(spec):
    """Its first neighbours two times: two pairs of one id, on which the check breaks."""
    return {"privacy": replace(spec.privacy, worst_cases=lambda values: (spec.privacy.worst_cases(values)[0],) * 2)}


@pytest.mark.slow
def test_a_crash_of_the_check_drops_nothing(file, monkeypatch):
    """The run stays open, so its samples cannot be exchanged for luckier ones."""
    before = registry().mechanisms[SUBJECT]
    register(monkeypatch, **twice(before))
    assert audit(file).verdict is Verdict.ERROR
    assert [each["log_wealth"] for each in runs(file)] == [None]


@pytest.mark.slow
def test_another_version_starts_from_one_with_its_own_share(file, monkeypatch):
    """The second version may spend a quarter of what the first one may, and inherits no wealth."""
    first = audit(file)
    register(monkeypatch, parameters={"mu": "1/2"})
    second = audit(file)
    assert "over 1 run of version" in second.headline
    needed = [float(found.headline.split("refutes from 10^")[1].split(";")[0]) for found in (first, second)]
    assert math.isclose(needed[1] - needed[0], math.log10(4), abs_tol=2e-3)


@pytest.mark.slow
def test_an_open_run_of_another_version_stops_the_audit(file, monkeypatch):
    """Unfavourable samples are not lost by moving on."""
    before = registry().mechanisms[SUBJECT]
    register(monkeypatch, **twice(before))
    audit(file)
    register(monkeypatch, privacy=before.privacy, parameters={"mu": "1/2"})
    with pytest.raises(UsageError, match="because its samples must count"):
        audit(file)


@pytest.mark.slow
def test_samples_that_somebody_else_used_up_meanwhile_count_once(file, monkeypatch):
    """Two runs that replay one open run: the second to finish is refused."""
    begin = evidence_file.begin
    opened = []

    def begin_twice(path, setting, seed):
        opened.append(begin(path, setting, seed))
        if len(opened) == 1:
            audit(file)
        return opened[0]

    monkeypatch.setattr(evidence_file, "begin", begin_twice)
    with pytest.raises(ReportError, match="used up"):
        audit(file)
    assert len(runs(file)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda mu: time.sleep(1000), "cannot be built: hangs or is too slow: no result within 2 s"),
        (lambda mu: os._exit(3), "cannot be built: dies: exited with status 3"),
        (lambda mu: 1 / 0, "cannot be built with .* ZeroDivisionError"),
    ],
)
def test_a_plug_in_that_cannot_be_built_enters_no_run(file, monkeypatch, build, words):
    """It hangs or ends a child, not the suite; no samples were announced, so the file stays as it was."""
    catalogue = registry()
    mechanisms = {**catalogue.mechanisms, SUBJECT: replace(catalogue.mechanisms[SUBJECT], build=build)}
    monkeypatch.setattr(
        runner, "registry", lambda: replace(catalogue, mechanisms=mechanisms, plugins=frozenset({SUBJECT}))
    )
    monkeypatch.setitem(PROFILES, "quick", replace(PROFILES["quick"], patience=2))
    with pytest.raises(TargetError, match=words):
        audit(file)
    assert not file.exists()


@pytest.mark.parametrize("selection", ["*gaussian*", "wilkins2024.A.9"])
def test_a_history_is_of_one_mechanism(file, selection):
    """Several mechanisms, or none, cannot share a product."""
    with pytest.raises(UsageError, match="a selection of one mechanism, got"):
        run([selection], profile="quick", evidence=file)
    assert not file.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("{", "Expecting property name"),
        ({"format": "something else"}, "something else"),
        ({"subject": "another mechanism"}, "another mechanism"),
        ({"seed": "seven"}, "integer seed"),
        ({"alpha": 2}, "0 < alpha < 1"),
        ({"runs": [{"number": 1, "version": "a"}]}, "without gaps"),
        ({"runs": [{"number": 0, "version": "a", "log_wealth": math.nan}]}, "finite"),
        ({"runs": [{"number": 0, "luck": "a"}]}, "luck"),
    ],
)
def test_a_file_that_cannot_be_trusted_is_one_line(file, history, tmp_path, capsys, change, words):
    """Exit code 2, the path and the reason."""
    file.write_text(change if isinstance(change, str) else json.dumps({**json.loads(history), **change}), "utf-8")
    code = invoke(["run", SUBJECT, "--profile", "quick", "--evidence", str(file), "--out", str(tmp_path / "out")])
    error = capsys.readouterr().err.strip()
    assert code == ExitCode.USAGE
    assert words in error
    assert len(error.splitlines()) == 1


@pytest.mark.slow
def test_a_finished_run_is_reproduced_from_its_file(file, tmp_path, capsys):
    """Any run of the history, the same evidence included, without touching the file."""
    from auditor.report import json as report_json

    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        invoke(["run", SUBJECT, *ALONE, "--evidence", str(file), "--out", str(folder)])
    before = file.read_text("utf-8")
    for folder in folders:
        capsys.readouterr()
        words = ["reproduce", BLACK_BOX, "--report", str(folder), "--evidence", str(file)]
        assert invoke(words) == ExitCode.OK, capsys.readouterr()
        assert "identical, evidence included" in capsys.readouterr().out
    assert file.read_text("utf-8") == before
    headlines = [
        next(found.headline for found in report_json.read(folder).findings if found.id == BLACK_BOX)
        for folder in folders
    ]
    assert headlines[0] != headlines[1]


@pytest.mark.slow
def test_a_run_is_reproduced_with_its_file_and_its_version_only(file, tmp_path, capsys, monkeypatch):
    """Without the file, with a file for a finding that continues none, or after a change: one line."""
    invoke(["run", SUBJECT, *ALONE, "--evidence", str(file), "--out", str(tmp_path)])
    words = ["reproduce", BLACK_BOX, "--report", str(tmp_path)]
    plain = tmp_path / "plain"
    invoke(["run", SUBJECT, *ALONE, "--out", str(plain)])
    capsys.readouterr()
    assert invoke(words) == ExitCode.USAGE
    assert "expected --evidence with the file that it continues, got none" in capsys.readouterr().err
    assert invoke([*words[:3], str(plain), "--evidence", str(file)]) == ExitCode.USAGE
    assert "only for a finding that continues one" in capsys.readouterr().err
    register(monkeypatch, parameters={"mu": "1/2"})
    assert invoke([*words, "--evidence", str(file)]) == ExitCode.USAGE
    assert "expected run 0 in" in capsys.readouterr().err
