"""What needs an optional package is not applicable without it, with the remedy; never a trace, never a silent green."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from auditor.checks.lemma import symbolically_equal
from auditor.engine import runner
from auditor.errors import ExitCode, MissingPackageError
from auditor.experiments import experiment
from auditor.extras import EXTRAS, missing, remedy
from auditor.front.cli import invoke
from auditor.front.verbs.doctor import REQUIRED
from auditor.report import html, markdown, view
from auditor.target import isolation
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import sample_report

PROJECT = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
SYMPY = "sympy is not installed: pip install 'sparse-histogram-auditor[proofs]'"


def names(requirements):
    """Distributions of requirement lines."""
    return [line.partition(">=")[0] for line in requirements]


def test_doctor_and_the_project_file_agree():
    """What is required, and what each extra installs; `all` is all of them."""
    extras = dict(PROJECT["optional-dependencies"])
    assert sorted(REQUIRED) == sorted(names(PROJECT["dependencies"]))
    assert extras.pop("all") == [f"sparse-histogram-auditor[{','.join(n for n in extras if n != 'dev')}]"]
    del extras["dev"]
    assert extras.keys() == EXTRAS.keys()
    for name, packages in EXTRAS.items():
        assert packages.keys() <= set(names(extras[name]))
    assert {p for name in extras for p in names(extras[name])} == {p for each in EXTRAS.values() for p in each}


@pytest.fixture
def without(monkeypatch):
    """Let packages fail to import as if they were not installed."""

    def hide(*packages):
        for package in packages:
            monkeypatch.setitem(sys.modules, package, None)
        symbolically_equal.cache_clear()

    yield hide
    symbolically_equal.cache_clear()


def test_a_proof_that_needs_sympy_is_not_applicable_and_the_report_says_so(without):
    """The headline counts it and names the remedy; the page is not green, and --strict does not pass."""
    without("sympy")
    report = runner.run(["bharadwaj2022.thm2.stmt"], profile="quick")
    verdicts = {finding.check: finding.verdict for finding in report.findings}
    assert verdicts["lemma.proof"] is Verdict.NOT_APPLICABLE
    assert verdicts["numeric.value"] is Verdict.CONSISTENT
    skipped = sum(finding.verdict is Verdict.NOT_APPLICABLE for finding in report.findings)
    assert f", {skipped} not applicable ({SYMPY}), of {len(report.findings)} findings." in view.conclusion(report)
    assert view.tone(report) == "warn"
    assert view.exit_code(report, strict=False) is ExitCode.OK
    assert view.exit_code(report, strict=True) is ExitCode.UNDECIDED
    assert markdown.text(SYMPY) in markdown.render(report)


def test_the_first_tutorial_needs_no_extra(without):
    """Its command refutes one statement and proves another, with no package of an extra."""
    page = (Path(__file__).parents[2] / "docs/tutorials/first-findings.md").read_text(encoding="utf-8")
    selection, profile = re.search(r"^\$ auditor run '(\S+)' --profile (\w+)$", page, re.MULTILINE).groups()
    required = set(names(PROJECT["dependencies"]))
    without(*(package.replace("-", "_") for packages in EXTRAS.values() for package in packages.keys() - required))
    report = runner.run([selection], profile=profile)
    assert sorted(finding.verdict for finding in report.findings) == [Verdict.PROVED, Verdict.REFUTED]
    assert view.tone(report) == "good"


@pytest.mark.slow
def test_a_report_is_drawn_without_matplotlib(without):
    """A chapter's figure is left out, and the page says why."""
    assert "</svg><figcaption>" in html.render(sample_report())
    without("matplotlib")
    page = html.render(sample_report())
    assert "</svg><figcaption>" not in page
    assert "<p>Not drawn: matplotlib is not installed; pip install 'sparse-histogram-auditor[report]'.</p>" in page


def test_numbers_of_an_experiment_need_no_matplotlib(without, monkeypatch, tmp_path, capsys):
    """They are written; the figures are left out with one line."""
    without("matplotlib")
    monkeypatch.setattr(experiment.Experiment, "run", lambda one, **_: experiment.Simulated(one, 1, 0, ()))
    assert invoke(["experiments", "bharadwaj2022.figure1", "--out", str(tmp_path)]) == ExitCode.OK
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".csv", ".json"]
    assert "not drawn: matplotlib is not installed; pip install" in capsys.readouterr().err


def test_a_command_that_needs_a_package_ends_in_one_line(without, monkeypatch, capsys):
    """With the remedy, and no trace."""
    monkeypatch.delitem(sys.modules, "auditor.front.notebook", raising=False)
    without("nbformat")
    assert invoke(["notebook", "wilkins2024.thm2.2"]) == ExitCode.USAGE
    assert capsys.readouterr().err == (
        "error: nbformat is not installed; pip install 'sparse-histogram-auditor[notebooks]'\n"
    )


def test_python_callers_get_the_same_error(without):
    """An ImportError, so that `except ImportError` works."""
    without("dp_accounting")
    with (
        pytest.raises(
            MissingPackageError, match=r"dp-accounting is not installed; pip install .*\[accountants\]"
        ) as it,
        isolation.ours(),
    ):
        import dp_accounting  # noqa: F401
    assert isinstance(it.value, ImportError)


@pytest.mark.parametrize("name", ["sympy.no_such_module", "no_such_package", None])
def test_other_failed_imports_are_what_they_were(name):
    """A module that an installed package lacks, a package of nobody's, no name: no missing extra."""
    assert missing(ImportError("no", name=name)) is None


def test_a_library_of_a_plug_in_is_installed_by_its_own_name():
    """Only our extras are asked for."""
    assert remedy("some-library") == "pip install some-library"
