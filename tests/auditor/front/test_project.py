"""A project lists its targets in pyproject.toml, and one command audits them all."""

import json
import tomllib
from xml.etree import ElementTree as ET

import pytest

from auditor.errors import ExitCode, UsageError
from auditor.front.cli import invoke
from auditor.front.project import read

MODULE = """
import math


def right(histogram, rng):
    return round(sum(histogram.values()) + rng.laplace(0, 2), 1)


def wrong(histogram, rng):
    return round(sum(histogram.values()) + rng.laplace(0, 0.1), 1)


def raises(histogram, rng):
    return 1 / len([])


def delta(epsilon, mu):
    return 0.0


def _private(histogram, rng):
    return 0


def helper(a, b):
    return a
"""
WRONG = '[[tool.auditor.mechanism]]\ntarget = "noise.py:wrong"\nepsilon = 1\nbudget = 10\n'


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A folder with a module of targets, as the working folder."""
    (tmp_path / "noise.py").write_text(MODULE, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(project, text):
    """Write pyproject.toml and return its path."""
    file = project / "pyproject.toml"
    file.write_text(text, "utf-8")
    return file


def test_init_lists_mechanisms_and_accountants(project, capsys):
    """Functions of (data, rng), and functions of exactly the parameters of a claim; other tables stay."""
    write(project, '[project]\nname = "mine"\n')
    assert invoke(["init", "--delta", "1e-5"]) == ExitCode.OK
    document = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))
    assert document["project"] == {"name": "mine"}
    table = document["tool"]["auditor"]
    assert [each["target"] for each in table["mechanism"]] == ["noise.py:right", "noise.py:wrong", "noise.py:raises"]
    assert {(each["epsilon"], each["delta"]) for each in table["mechanism"]} == {("1", "1e-5")}
    assert table["accountant"] == [{"target": "noise.py:delta", "against": "wilkins2024.thm2.2"}]
    assert "auditor check" in capsys.readouterr().out
    assert read(project / "pyproject.toml").alpha == "1e-6"


def test_init_changes_no_list(project, capsys):
    """A second call fails and leaves the file as it is; so does a folder without targets."""
    before = write(project, "[tool.auditor]\n").read_text("utf-8")
    assert invoke(["init"]) == ExitCode.USAGE
    assert "already" in capsys.readouterr().err
    assert (project / "pyproject.toml").read_text("utf-8") == before
    (project / "pyproject.toml").unlink()
    (project / "noise.py").unlink()
    assert invoke(["init"]) == ExitCode.USAGE
    assert not (project / "pyproject.toml").exists()


@pytest.mark.slow
@pytest.mark.parametrize("target", ["noise.py:wrong", "noise:wrong"])
def test_check_refutes_a_target_at_its_line(project, capsys, target):
    """Exit 1; SARIF, GitHub and JUnit name the suspected line, and the report has it as a field."""
    write(project, WRONG.replace("noise.py:wrong", target))
    forms = ["--sarif", "s.json", "--junit", "j.xml", "--github", "--out", "report"]
    assert invoke(["check", *forms]) == ExitCode.FINDINGS
    out = capsys.readouterr().out
    assert f"refuted: {target}" in out
    assert "::error file=noise.py,line=10," in out
    assert "; suspect noise.py:10: sets the scale of laplace to 0.1" in out
    (finding,) = json.loads((project / "report" / "report.json").read_text("utf-8"))["findings"]
    assert [each["suspect"] for each in finding["evidence"]] == [{"file": "noise.py", "line": 10}]
    run = json.loads((project / "s.json").read_text("utf-8"))["runs"][0]
    (place,) = run["results"][0]["locations"]
    file = {"uri": "noise.py", "uriBaseId": "%SRCROOT%"}
    assert place["physicalLocation"] == {"artifactLocation": file, "region": {"startLine": 10}}
    assert "releases" in run["tool"]["driver"]["rules"][0]["help"]["text"]
    root = ET.parse(project / "j.xml").getroot()  # noqa: S314 - our own file
    assert root.get("failures") == "1"
    assert [(case.get("file"), case.get("line")) for case in root.iter("testcase")] == [("noise.py", "10")]
    page = (project / "report" / "report.md").read_text("utf-8")
    assert "auditor check" in page
    assert "auditor run" not in page


@pytest.mark.slow
def test_check_passes_what_is_right_and_selects_by_target(project, capsys):
    """Exit 0 for the target that is right; 5 for a glob without a match."""
    write(project, WRONG + '[[tool.auditor.mechanism]]\ntarget = "noise.py:right"\nepsilon = 1\nbudget = 10\n')
    assert invoke(["check", "*:right", "--json"]) == ExitCode.OK
    report = json.loads(capsys.readouterr().out)
    assert [(each["subject"], each["verdict"]) for each in report["findings"]] == [("noise.py:right", "CONSISTENT")]
    assert "--alpha 5.00000e-7" in report["findings"][0]["reproduce"]
    assert invoke(["check", "other*"]) == ExitCode.EMPTY_SELECTION


@pytest.mark.slow
def test_check_audits_an_accountant_with_its_options(project, capsys):
    """A delta of 0 is unsafe against the Gaussian profile."""
    entry = '[[tool.auditor.accountant]]\ntarget = "noise.py:delta"\nagainst = "wilkins2024.thm2.2"\n'
    write(project, entry + 'max_examples = 5\nbox = { epsilon = "0.1:1", mu = 1 }\n')
    assert invoke(["check"]) == ExitCode.FINDINGS
    assert "unsafe" in capsys.readouterr().out


@pytest.mark.slow
def test_an_exception_of_a_target_has_its_file_and_line(project, capsys):
    """The line of the division, not of the auditor."""
    write(project, '[[tool.auditor.mechanism]]\ntarget = "noise.py:raises"\nepsilon = 1\nbudget = 5\n')
    assert invoke(["check"]) == ExitCode.UNDECIDED
    assert "ZeroDivisionError: division by zero at noise.py:14" in capsys.readouterr().out


@pytest.mark.slow
def test_a_target_that_does_not_import_is_one_finding_and_stops_no_other(project, capsys):
    """Exit 2 with the target alone; 1 if a target after it is refuted."""
    (project / "absent.py").write_text("import no_such_package\n", "utf-8")
    absent = '[[tool.auditor.mechanism]]\ntarget = "absent.py:release"\nepsilon = 1\n'
    absent += '[[tool.auditor.accountant]]\ntarget = "absent.py:delta"\nagainst = "wilkins2024.thm2.2"\n'
    write(project, absent + WRONG)
    assert invoke(["check", "absent.py:*", "--json"]) == ExitCode.USAGE
    report = json.loads(capsys.readouterr().out)
    assert [(each["subject"], each["verdict"]) for each in report["findings"]] == [
        ("absent.py:delta", "ERROR"),
        ("absent.py:release", "ERROR"),
    ]
    assert invoke(["check"]) == ExitCode.FINDINGS
    out = capsys.readouterr().out
    assert "absent.py:release does not import: ModuleNotFoundError: No module named 'no_such_package'" in out
    assert "refuted: noise.py:wrong" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected a table [tool.auditor]"),
        ("[tool.auditor]\n", "expected [[tool.auditor.mechanism]]"),
        ("[tool.auditor]\nmechanisms = 1\n", "got mechanisms"),
        ('[tool.auditor.mechanism]\ntarget = "noise.py:right"\n', "double brackets"),
        ("[[tool.auditor.mechanism]]\nepsilon = 1\n", "expected target ="),
        (WRONG + 'alpha = "1e-3"\n', "expected alpha in [tool.auditor]"),
        ("[tool.auditor\n", "expected TOML"),
        ('[tool.auditor]\nalpha = "2"\n' + WRONG, "alpha"),
    ],
)
def test_a_list_that_cannot_be_used_is_refused(project, text, words):
    """One line with the table, the file and the allowed form."""
    with pytest.raises(UsageError) as error:
        read(write(project, text))
    assert words in str(error.value)


def test_a_misspelt_option_has_its_closest_name(project, capsys):
    """Neither an option nor a parameter of the claim."""
    write(project, WRONG + "bugdet = 3\n")
    assert invoke(["check"]) == ExitCode.USAGE
    assert "closest: 'budget'" in capsys.readouterr().err


def test_a_target_is_relative_to_the_file_of_its_list(project, monkeypatch):
    """From another working folder."""
    write(project, WRONG)
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")
    ((_, target, _),) = read(project / "pyproject.toml").entries
    assert target == "../noise.py:wrong"
