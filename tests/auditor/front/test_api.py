"""The Python API refuses what it cannot use in one line, before anything runs."""

import html
import inspect
import pydoc
import re
import shlex
import sys

import matplotlib.pyplot as plt
import pytest

import auditor
from auditor.errors import AuditorError, MissingPackageError
from auditor.extras import required
from auditor.findings.card import WORDS
from auditor.mechanism_audit.options import split
from auditor.pytest_plugin import assert_private
from auditor.report import view
from proofs_numeric.statements.box import ParameterError
from proofs_numeric.statements.verdict import Verdict

PROFILE = "wilkins2024.thm2.2"
FORMS = ["junit.xml", "report.html", "report.json", "report.md"]
PROMISE = {"epsilon": 1, "delta": "1e-5", "budget": 1.0}


def release(histogram, rng):
    """Give everything away."""
    return dict(histogram)


def zero(epsilon, mu):
    """Report nothing."""
    return 0.0


def never(*_, **__):
    """Stand where something would run."""
    pytest.fail("something ran")


@pytest.mark.slow
def test_a_registered_fault_is_a_target_by_its_id():
    """Its claim, its parameters and its pair are what it declares; nothing is typed again."""
    result = auditor.audit_mechanism("half_noise")
    assert result.verdict is Verdict.REFUTED
    assert result.target == "half_noise"
    assert "own wc2" in {pair.id for pair in result.tried}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: auditor.evaluate(PROFILE, epsilon=0.1, mu=1), "expected an exact number"),
        (lambda: auditor.audit_mechanism(release, epsilon="a", delta="1e-5"), "epsilon: expected an exact number"),
        (lambda: auditor.audit_mechanism(release, epsilon=1, delta=float("nan")), "delta: expected an exact number"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, alpha=1e-6), "as a decimal such as 1e-6"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, samples=0), "expected 1 <= samples <= 100000000, got"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, seed=-1), "expected an integer seed >= 0, got seed=-1"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, seed=1.5), "expected an integer seed >= 0, got seed=1.5"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, pair={"left": [1], "right": {}}), "got left of type list"),
        (lambda: auditor.audit_mechanism(release, PROFILE, parameters=3), "expected parameters=.*, got parameters=3"),
        (lambda: auditor.audit_accountant(zero, PROFILE, box={"epsilon": (None, 5)}), "expected an exact number"),
        (lambda: auditor.audit_accountant(zero, PROFILE, box={"epsilon": "1"}), "expected two ends .lo, hi., got '1'"),
        (lambda: auditor.audit_accountant(zero, PROFILE, sovles="mu"), "no option sovles; closest: 'solves'"),
        (lambda: auditor.audit_object(zero, sovles="mu"), "no option sovles; closest: 'solves'"),
        (lambda: auditor.audit_accountant(zero, PROFILE, tolerance=1.5), "expected 0 <= tolerance < 1, got 1.5"),
        (lambda: auditor.audit_accountant(zero, PROFILE, max_examples=0), "expected max_examples >= 1"),
        (lambda: auditor.audit_accountant(zero, PROFILE, seed=1.5), "expected an integer seed >= 0"),
        (lambda: auditor.audit_accountant(5, PROFILE), "is 5 of type int; allowed: a callable"),
        (lambda: auditor.run(["wilkins2024.A.9"], alpha=1e-6), "as a decimal such as 1e-6"),
        (lambda: auditor.run(["wilkins2024.A.9"], alpha="1e-400"), "expected alpha >= 1e-300"),
        (lambda: auditor.run(["wilkins2024.A.9"], seed=1.5), "expected an integer seed >= 0"),
        (lambda: auditor.run(["wilkins2024.A.9"], jobs=10**8), "expected 1 <= jobs <= 1024"),
        (lambda: auditor.run(["wilkins2024.A.9"], out="/proc/nowhere"), "cannot write to '/proc/nowhere'"),
    ],
)
def test_what_cannot_be_used_is_one_line(call, words, monkeypatch):
    """What, value, allowed; no exception of a library comes through."""
    monkeypatch.setattr("auditor.engine.runner.plan", never)
    with pytest.raises((AuditorError, ParameterError), match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_a_claims_parameter_may_have_the_name_of_an_option():
    """A dict holds it; the option beside it keeps its meaning."""
    values, options = split({"tau": 3, "alpha": "1e-9", "parameters": {"alpha": 0.1}})
    assert values == {"tau": 3, "alpha": "0.1"}
    assert options == {"alpha": "1e-9"}


def test_a_run_tells_how_far_it_is_and_its_report_is_a_frame_and_files(tmp_path):
    """A string is one glob, not its letters; every check is counted; a frame has a row a finding, by its id."""
    messages = []
    report = auditor.run("wilkins2024.A.9", profile="quick", progress=lambda *how_far: messages.append(how_far))
    assert report.selection == ["wilkins2024.A.9"]
    assert [(done, total) for done, total, _ in messages] == [(i + 1, len(messages)) for i in range(len(messages))]
    assert [finding.id for _, _, findings in messages for finding in findings] == [f.id for f in report.findings]
    frame = report.to_frame()
    assert list(frame.index) == [finding.id for finding in report.findings]
    assert list(frame.verdict) == [finding.verdict.words for finding in report.findings]
    assert set(frame.expected) == {"holds"}
    assert list(report.to_frame("claims").index) == ["wilkins2024.A.9"]
    assert report.to_frame("faults").empty
    report.save(tmp_path / "new")
    assert sorted(file.name for file in (tmp_path / "new").iterdir()) == FORMS
    assert repr(report) == f"<AuditReport: {view.conclusion(report)}>"


@pytest.mark.slow
def test_an_audit_of_a_mechanism_is_watched_drawn_and_framed():
    """Stages, wealth against what is needed; the bound that refutes is above the claim, in frame and figure."""
    messages = []
    pair = {"left": {"k0": 2}, "right": {"k0": 1}}
    result = auditor.audit_mechanism(
        release, epsilon=1, delta="1e-5", pair=pair, samples=500, steer=False, progress=messages.append
    )
    assert result.verdict is Verdict.REFUTED
    stages = list(dict.fromkeys(how_far.stage for how_far in messages))
    assert stages[0] == "calling the target"
    assert "testing pairs" in stages
    bet = [how_far for how_far in messages if how_far.log10_wealth is not None]
    assert bet[-1].log10_needed >= 6
    assert "releases per dataset" in str(bet[-1])
    claimed = result.to_frame().loc[1.0]
    assert claimed.delta_at_least > claimed.delta_claimed == 1e-5
    errors, profile = result.plot()
    assert [line.get_label() for line in profile.lines] == ["delta is at least", "claimed", "violation"]
    assert [*profile.lines[2].get_ydata()] == [claimed.delta_claimed, claimed.delta_at_least]
    assert len(errors.lines) == 2
    plt.close(errors.figure)
    assert repr(result) == f"<refuted: {result.target}: {result.detail}>"


def single(histogram, rng):
    """Release a key of one user with probability exp(-1) / 2."""
    return [key for key, count in histogram.items() if count + rng.laplace() > 2]


def test_one_release_of_many_keys_is_an_audit():
    """By the API as by the command line."""
    result = auditor.audit_mechanism(single, epsilon=1, delta="1e-2", one_run=2_000)
    assert result.verdict is Verdict.REFUTED
    assert "one release of 2000 keys" in result.detail


def test_a_test_asks_what_an_audit_asks():
    """Options of `assert_private` are those of `audit_mechanism`, but for what the session decides."""
    audit, test = (list(inspect.signature(each).parameters) for each in (auditor.audit_mechanism, assert_private))
    assert {*audit} - {"alpha", "seed", "progress", "target"} == {*test} - {"mechanism"}


@pytest.mark.slow
def test_an_audit_of_an_accountant_is_watched_drawn_and_framed():
    """Every call is told, is a row, and lies on the map with its kind."""
    messages = []
    result = auditor.audit_accountant(
        zero, PROFILE, max_examples=5, progress=lambda calls, seconds: messages.append((len(calls), seconds))
    )
    assert [calls for calls, _ in messages] == list(range(1, result.examples + 1))
    frame = result.to_frame()
    assert len(frame) == result.examples
    assert {"epsilon", "mu", "returned", "truth", "ratio", "class"} <= set(frame.columns)
    assert (frame["class"] == "unsafe").sum() == result.classes["unsafe"].calls
    axes = result.plot()
    assert axes.get_xlabel() == "epsilon"
    assert sum(len(drawn.get_offsets()) for drawn in axes.collections) == result.examples
    plt.close(axes.figure)


@pytest.mark.slow
def test_what_no_command_can_import_is_seen_again_by_the_same_call(tmp_path):
    """A function of the session has a name that a command would not find; one of a file has its command."""
    result = auditor.audit_accountant(lambda epsilon, mu: 0.0, PROFILE, max_examples=5)
    assert "the same call, with seed=0" in result._repr_html_()
    assert "auditor accountant" not in result._repr_html_()
    assert result.to_json()["reproduce"] is None
    (tmp_path / "mine.py").write_text("def zero(epsilon, mu):\n    return 0.0\n", "utf-8")
    named = auditor.audit_accountant(f"{tmp_path}/mine.py:zero", PROFILE, max_examples=2)
    command = f"auditor accountant {shlex.quote(f'{tmp_path}/mine.py:zero')} --against"
    assert html.escape(command) in named._repr_html_()
    assert named.to_json()["reproduce"] == named.reproduce


@pytest.mark.slow
def test_results_show_themselves_with_a_figure_or_their_value():
    """The figure is in the card, with words for it; a value has its enclosure, what was left out, and what is known."""
    result = auditor.audit_accountant(zero, PROFILE, max_examples=5)._repr_html_()
    assert re.search(r"<img alt='The map of the box: [^']*unsafe[^']*'[^>]* src='data:image/svg\+xml;base64,", result)
    value = auditor.evaluate("wilkins2024.thm5.4", arithmetic="ball", digits=6, epsilon=1, c_u=1, sigma=2, gap=3)
    assert repr(value).startswith("<wilkins2024.thm5.4 = 0.06")
    assert f"[{value.lower}, {value.upper}]" in value._repr_html_()
    assert "proved, 6 digits" in value._repr_html_()
    held = next(iter(value.held))
    assert re.search(rf">{held}</th><td[^>]*>[^<]* \(left out\)<", value._repr_html_())


@pytest.mark.slow
def test_an_audit_of_an_object_is_drawn_and_framed():
    """A row and a bar a relation."""
    result = auditor.audit_object(zero, box={"epsilon": ("0", "5"), "mu": ("1", "2")}, max_examples=20)
    assert list(result.to_frame().index) == [*result.parts, *result.relations]
    assert list(result.to_frame().compared) == [one.comparisons for one in result.relations.values()]
    axes = result.plot()
    assert [label.get_text() for label in axes.get_yticklabels()] == list(result.relations)
    plt.close(axes.figure)
    assert "the same call, with seed=0" in result._repr_html_()
    assert repr(result).startswith(f"<{WORDS[result.verdict]}: zero against itself: ")


def test_help_names_the_functions_first():
    """Before any module or class: each public function in the first lines, and no page of a class's methods."""
    text = pydoc.plain(pydoc.render_doc(auditor))
    first = text[: text.index("PACKAGE CONTENTS")]
    assert [name for name in auditor.__all__ if f"{name}(" not in first] == []
    assert "\nCLASSES\n" not in text


@pytest.mark.parametrize(("module", "extra"), [("pandas", "frames"), ("matplotlib", "report")])
def test_frames_and_figures_say_what_they_need(module, extra, monkeypatch):
    """One line with the command that installs it, and an ImportError."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingPackageError, match=rf"{module} is not installed; pip install .*\[{extra}\]"):
        required(module)


@pytest.mark.slow
def test_ends_of_a_box_may_be_integers():
    """Integers are exact."""
    audit = auditor.audit_accountant(zero, PROFILE, box={"epsilon": (1, 1), "mu": (1, 1)}, max_examples=2)
    assert audit.unsafe.parameters == {"epsilon": "1.0", "mu": "1.0"}
