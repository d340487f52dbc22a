"""The pytest plugin, run for real in a temporary project of somebody else's."""

import json
import os
import re
import shlex
import subprocess
import sys
from fractions import Fraction
from importlib.metadata import entry_points
from pathlib import Path
from unittest.mock import Mock

import pytest

from auditor import pytest_plugin
from auditor.engine.registered import mechanism_request
from auditor.engine.registry import registry
from auditor.errors import UnknownIdError
from auditor.findings.evidence import LONGEST_TEXT
from auditor.report import json as report_json
from proofs_numeric.statements.box import ParameterError
from proofs_numeric.statements.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]
INSTALLED = any(point.value == "auditor.pytest_plugin" for point in entry_points(group="pytest11"))
DELTA = """
import math

def delta(scale, threshold, c_u=1, per_key=1):
    q = math.exp(-(threshold - per_key) / scale) / (1 + math.exp(-1 / scale))
    return -math.expm1(c_u * math.log1p(-q))

BOX = {"scale": ("1", "3"), "threshold": ("2", "9"), "c_u": ("1", "3"), "per_key": ("1", "1")}
"""


def run_pytest(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a project with the plugin loaded."""
    plugin = [] if INSTALLED else ["-p", "auditor.pytest_plugin"]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(  # noqa: S603 - our own command
        command, cwd=project, env=environment, capture_output=True, text=True, check=False, timeout=300
    )


def write(project: Path, **files: str) -> None:
    """Write files; a double underscore stands for a folder."""
    for name, text in files.items():
        path = project / (name.replace("__in__", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


# --- loading ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("module", ["auditor", "auditor.pytest_plugin", "auditor.target.isolation", "auditor.errors"])
def test_loading_costs_neither_numpy_nor_scipy(module):
    """A project that has the plugin installed but does not use it pays nothing for it."""
    heavy = ("numpy", "scipy", "flint", "mpmath", "pydantic")
    code = f"import sys, {module}; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


@pytest.mark.slow
def test_a_session_without_audits_loads_no_engine(tmp_path):
    """A whole pytest session with the plugin loaded imports neither NumPy nor SciPy."""
    write(
        tmp_path, test_light="import sys\ndef test_light():\n    assert not {'numpy', 'scipy'} & sys.modules.keys()\n"
    )
    done = run_pytest(tmp_path, "-q")
    assert done.returncode == 0, done.stdout + done.stderr


# --- other people's packages -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_project_with_its_own_mechanisms_and_ours_in_one_process(tmp_path):
    """Our packages resolve to ours, the project's to the project's, before, during and after audits."""
    write(
        tmp_path,
        mechanisms__in____init__="WHOSE = 'theirs'\n",
        mechanisms__in__late="VALUE = 2\n",
        proofs_numeric__in____init__="WHOSE = 'theirs too'\n",
        conftest="import mechanisms\nassert mechanisms.WHOSE == 'theirs'\n",
        test_audits=DELTA
        + """
import sys
import mechanisms
import proofs_numeric

def late_delta(scale, threshold, c_u=1, per_key=1):
    import mechanisms.late                      # imported while the auditor runs
    assert mechanisms.late.VALUE == 2
    return delta(scale, threshold, c_u, per_key)

class NoisyTotal:
    def release_many(self, histogram, n, rng):
        import mechanisms.late
        return ("total",), sum(histogram.values()) + rng.normal(0, 50.0 * mechanisms.late.VALUE, (n, 1))

def theirs():
    assert (mechanisms.WHOSE, proofs_numeric.WHOSE) == ("theirs", "theirs too")
    import mechanisms as again
    assert again is mechanisms
    assert "mechanisms.pair" not in sys.modules

def test_accountant(assert_accountant):
    theirs()
    assert_accountant(late_delta, against="thresholds.laplace.integer", box=BOX, max_examples=10)
    theirs()

def test_mechanism(assert_private):
    pair = {"left": {"a": 2}, "right": {"a": 1}}
    assert_private(NoisyTotal(), epsilon="1", delta="1e-3", pair=pair, detect="0.9", samples=2000)
    theirs()

def test_claim(assert_claim):
    assert_claim("rogers2024.thm4.gauss")
    theirs()
    import auditor
    assert auditor.evaluate("thresholds.laplace.integer", scale=1, threshold=3).claim == "thresholds.laplace.integer"
    theirs()
""",
    )
    done = run_pytest(tmp_path, "-q", "--junitxml=junit.xml")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 passed" in done.stdout
    for told in (done.stdout, (tmp_path / "junit.xml").read_text(encoding="utf-8")):  # power and inputs of a silence
        assert re.search(r"would have found a delta .*; tried 1 pair of 1 keys \(a\), counts 1-2", told)


# --- assertions ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """One session with every kind of outcome, and its report."""
    project = tmp_path_factory.mktemp("project")
    write(
        project,
        test_all=DELTA
        + """
import os
import pytest
from auditor.pytest_plugin import assert_accountant, assert_claim, assert_private

def test_right():
    assert_accountant(delta, against="thresholds.laplace.integer", box=BOX, max_examples=10)

def test_half():
    assert_accountant(lambda scale, threshold: delta(scale, threshold) / 2, against="thresholds.laplace.integer",
                      box={"scale": ("1", "3"), "threshold": ("2", "9")}, max_examples=10)

class Noise:
    def __init__(self, scale):
        self.held = scale

    def delta(self, threshold, c_u, per_key):
        return delta(self.held, threshold, c_u, per_key)

class Half(Noise):
    def delta(self, threshold, c_u, per_key):
        return super().delta(threshold, c_u, per_key) / 2

def test_class():
    assert_accountant(Noise, against="thresholds.laplace.integer", box=BOX, max_examples=10)

def test_half_class():
    assert_accountant(Half, against="thresholds.laplace.integer", box=BOX, max_examples=10)

def test_itself():
    def falling(epsilon, mu):
        return 0.1 + epsilon / 100
    box = {"epsilon": ("0.1", "5"), "mu": ("1", "2")}
    assert_accountant(falling, box=box, max_examples=10)

def test_printed():
    assert_claim("thresholds.opendp2922.laplace")

def test_proved():
    assert_claim("rogers2024.thm4.gauss")

def test_mistyped():
    assert_claim("rogers2024.thm4.gaus")

def test_dies():
    assert_private(lambda histogram, rng: os._exit(9), epsilon="1", delta="1e-5", samples=2000, budget=30.0)

def test_raises():
    assert_private(lambda histogram, rng: 1 / 0, epsilon="1", delta="1e-5", samples=2000, budget=30.0)

def test_noise():
    assert_private(lambda histogram, rng: sum(histogram.values()) + rng.laplace(0, 0.1), epsilon="1", samples=2000)

@pytest.mark.audit
def test_leak():
    assert_private(lambda histogram, rng: dict(histogram), epsilon="1", delta="1e-5", samples=2000, budget=30.0)
""",
    )
    done = run_pytest(project, "-q", "-rA", "--audit-report", "audit", "--audit-seed", "7")
    return done, project / "audit"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["right", "class", "proved"])
def test_what_holds_passes(session, name):
    """A right accountant and a proved claim pass."""
    assert f"PASSED test_all.py::test_{name}" in session[0].stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("half", "unsafe"),
        ("half_class", "delta: unsafe"),
        ("itself", "delta should fall with epsilon"),
        ("printed", "corrected by thresholds.laplace.integer"),
        ("mistyped", "no claim matches 'rogers2024.thm4.gaus'; closest: 'rogers2024.thm4.gauss'"),
        ("leak", "refutes"),
        ("noise", "sets the scale of laplace to 0.1, where at least 1 is required for counts"),
        ("dies", "<lambda>: cannot be audited: dies: exited with status 9"),
        ("raises", "it refuses every tried input: raises ZeroDivisionError: division by zero at test_all.py:"),
    ],
)
def test_what_is_wrong_fails_and_says_why(session, name, words):
    """A failure shows what was observed."""
    assert f"FAILED test_all.py::test_{name}" in session[0].stdout
    assert words in session[0].stdout


@pytest.mark.slow
def test_every_failure_prints_its_own_replay_line(session):
    """The command that shows it again is in the message."""
    command = "pytest test_all.py::test_half --audit-profile quick --audit-seed 7 --audit-alpha 1e-6"
    assert f"see it again: {command}" in session[0].stdout


def test_the_replay_line_of_a_test_whose_name_has_quotes_works_in_a_shell(monkeypatch):
    """Names of cases are whatever the cases are."""
    monkeypatch.setattr(pytest_plugin._session, "test", "test_all.py::test_half[it's $HOME]")
    assert shlex.split(pytest_plugin._reproduce())[:2] == ["pytest", "test_all.py::test_half[it's $HOME]"]


@pytest.mark.slow
def test_no_failure_shows_a_frame_of_the_auditor(session):
    """Neither a refutation nor a mistake of the caller."""
    assert re.findall(r"\S*auditor/(?:front|engine|pytest_plugin)\S*:\d+: .*", session[0].stdout) == []


@pytest.mark.slow
def test_the_message_of_a_wrong_accountant_has_three_lines(session):
    """The point, the truth there, and the command."""
    message = re.search(
        r"E +(AssertionError: refuted: .*test_half.*)\nE +(truth .*)\nE +(see it again: .*)\n", session[0].stdout
    )
    assert all(len(line) < 160 for line in message.groups())


@pytest.mark.slow
def test_a_target_that_misbehaves_is_a_failure_and_no_crashed_check(session):
    """Its tests fail; nothing says that a check crashed."""
    assert "check crashed" not in session[0].stdout
    assert re.search(r"auditor: \d+ findings at alpha 1e-6, report in audit", session[0].stdout)


@pytest.mark.slow
def test_the_session_writes_its_report(session):
    """--audit-report holds a finding for each audited assertion, with the verdicts of the tests."""
    report = report_json.read(session[1])
    verdicts = {(finding.check, finding.verdict) for finding in report.findings}
    assert ("pytest.accountant", Verdict.REFUTED) in verdicts
    assert ("pytest.accountant", Verdict.CONSISTENT) in verdicts
    assert ("pytest.mechanism", Verdict.REFUTED) in verdicts
    assert (session[1] / "report.html").exists()
    assert report.seed == 7


@pytest.mark.slow
def test_workers_of_xdist_send_their_findings(tmp_path):
    """The report is the same whatever process ran which test."""
    test = "\n".join(
        f"def test_{i}(assert_accountant):\n"
        f"    def ours_{i}(scale, threshold, c_u=1, per_key=1):\n"
        "        return delta(scale, threshold, c_u, per_key)\n"
        f"    assert_accountant(ours_{i}, against='thresholds.laplace.integer', box=BOX, max_examples=5)\n"
        for i in range(3)
    )
    write(tmp_path, test_many=DELTA + test)
    for options in (["-n", "2", "--audit-report", "two"], ["--audit-report", "one"]):
        done = run_pytest(tmp_path, "-q", *options)
        assert done.returncode == 0, done.stdout + done.stderr
    one, two = ((tmp_path / name / "report.json").read_text("utf-8") for name in ("one", "two"))
    assert len(json.loads(one)["findings"]) == 3
    assert one == two


# --- options ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--audit-alpha", "2"], "expected 0 < audit-alpha < 1, got audit-alpha=2"),
        (["--audit-seed", "-1"], "expected audit-seed >= 0, got audit-seed=-1"),
        (["--audit-profile", "fast"], "invalid choice: 'fast'"),
        (["--audit-report", "taken"], "a file is in the way"),
    ],
)
def test_bad_options_stop_the_session_before_the_first_test(tmp_path, options, words):
    """A usage error is told at once, with pytest's own exit code for it."""
    write(tmp_path, test_nothing="def test_nothing():\n    pass\n")
    (tmp_path / "taken").write_text("", "utf-8")
    done = run_pytest(tmp_path, *options)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert words in done.stderr + done.stdout
    assert "1 passed" not in done.stdout


def test_the_false_alarm_probability_is_never_overspent():
    """Whatever tests run in whatever order with however many assertions, their levels sum to at most the session's."""
    state = pytest_plugin.Session(alpha="1e-6", marked=3, collected=10)
    spent = Fraction(0)
    for number in range(state.collected):
        state.assertions, state.test_is_marked = 0, number < state.marked
        spent += sum(Fraction(state.level()) for _ in range(40))
    assert Fraction("1e-6") * Fraction(9, 10) < spent <= Fraction("1e-6")


def test_a_marked_test_has_the_larger_share():
    """Marking the audits makes each of them more powerful."""
    marked = pytest_plugin.Session(marked=2, collected=100, test_is_marked=True)
    unmarked = pytest_plugin.Session(marked=2, collected=100)
    assert Fraction(marked.level()) > 100 * Fraction(unmarked.level())


# --- registered targets ----------------------------------------------------------------------------------------------


@pytest.fixture
def own_session(monkeypatch):
    """Keep what these assertions record out of the session that runs them."""
    monkeypatch.setattr(pytest_plugin, "_session", pytest_plugin.Session(test="a::test", marked=1, test_is_marked=True))


def test_a_registered_id_is_a_target_against_its_own_claim(own_session, monkeypatch):
    """As `auditor mechanism half_noise`: its parameters, claim and neighbours need not be typed again."""
    audits = Mock(side_effect=InterruptedError)
    monkeypatch.setattr("auditor.mechanism_audit.audit.audit_mechanism", audits)
    with pytest.raises(InterruptedError):
        pytest_plugin.assert_private("half_noise", samples=2000, detect="2x")
    request, _progress = audits.call_args.args
    fault = registry().faults["half_noise"]
    assert request.claim is registry().claims[fault.violates]
    assert [(pair.left, pair.right) for pair in request.registered_pairs] == [(fault.pair.left, fault.pair.right)]
    assert (request.samples, request.detect, request.alpha) == (2000, "2x", "4.50000e-7")
    expected = mechanism_request("half_noise", None, {}, {"samples": 2000, "detect": "2x", "alpha": request.alpha})
    assert (request.parameters, request.target.name) == (expected.parameters, expected.target.name)


def test_a_float_is_its_shortest_decimal(own_session, monkeypatch):
    """A promise of 0.1 is one of 1/10."""
    audits = Mock(side_effect=InterruptedError)
    monkeypatch.setattr("auditor.mechanism_audit.audit.audit_mechanism", audits)
    with pytest.raises(InterruptedError):
        pytest_plugin.assert_private(dict, epsilon=0.1, delta=1e-5, samples=2000)
    stated = audits.call_args.args[0].stated
    assert (Fraction(stated.epsilon), Fraction(stated.delta)) == (Fraction(1, 10), Fraction(1, 10**5))


def test_an_id_of_nothing_names_the_closest(own_session):
    """It is no module to import."""
    with pytest.raises(UnknownIdError, match=r"no mechanism matches 'tau_zer'; closest: 'tau_zero'"):
        pytest_plugin.assert_private("tau_zer")


def test_a_parameter_of_another_name_has_no_frame_of_ours(own_session):
    """The message alone is about the mistake; all frames of the traceback are the test's and the assertion's."""
    with pytest.raises(
        ParameterError, match="unknown parameter gapp; allowed: epsilon, c_u, sigma, gap, mu_o"
    ) as error:
        pytest_plugin.assert_private(dict, "wilkins2024.thm5.4", epsilon=1, sigma=2, gapp=3)
    assert {Path(frame.path).name for frame in error.traceback} == {Path(__file__).name, "pytest_plugin.py"}


# --- text of others --------------------------------------------------------------------------------------------------

HOSTILE_TEST = r"""
WORDS = "\x1b[2J\x9b1m\r\u202e\udcff" + "long " * 4_000
PAIR = {"left": {"a": 2}, "right": {"a": 1}}

class Hostile(Exception):
    pass

NAME = WORDS.replace("\udcff", "")
Hostile.__name__ = Hostile.__qualname__ = "Hostile" + NAME

def release(histogram, rng):
    raise Hostile(WORDS)

def delta(**values):
    raise Hostile(WORDS)

release.__qualname__ = delta.__qualname__ = "release" + NAME

def test_raises(assert_private):
    assert_private(release, epsilon="1", delta="0", samples=100, budget=5, pair=PAIR)

def test_keys(assert_private):
    def keys(histogram, rng):
        return {WORDS + key: float(value) for key, value in histogram.items()}
    assert_private(keys, epsilon="1", delta="0", samples=1_000, budget=5, pair=PAIR)

def test_accountant(assert_accountant):
    assert_accountant(delta, against="thresholds.laplace.integer", max_examples=2)

def test_unknown(assert_claim):
    assert_claim(WORDS)
"""


@pytest.mark.slow
def test_names_keys_and_exceptions_of_a_target_are_shown_as_letters(tmp_path):
    """In the lines that pytest prints of its failures, and in every form of the session's report."""
    write(tmp_path, test_hostile=HOSTILE_TEST)
    done = run_pytest(tmp_path, "-q", "--tb=short", "--audit-report=report", "-rA")
    told = [line for line in done.stdout.splitlines() if line.startswith(("E  ", "FAILED", "PASSED", "SKIPPED"))]
    assert len(told) > 4, done.stdout[-2000:]
    assert "3 failed, 1 skipped" in done.stdout  # an accountant that refuses everything is undecided
    assert [line[:300] for line in told if not line.isprintable() or len(line) > LONGEST_TEXT] == []
    for name in ("report.md", "junit.xml", "report.json"):
        text = (tmp_path / "report" / name).read_text(encoding="utf-8")
        assert {letter for letter in text if not letter.isprintable()} == {"\n"}
