"""Libraries in environments of their own: what is declared of each, what is absent, and an issue that stands alone."""

import ast
import builtins
import json
import math
import re
import subprocess
import sys
from fractions import Fraction

import pytest
from joblib.externals.loky import get_reusable_executor

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.environments import PLACE, Library, accountant, chosen, here, libraries, recorded
from auditor.accountant_audit.excess import excess_epsilon
from auditor.accountant_audit.issue import issue, script
from auditor.accountant_audit.request import AccountantRequest
from auditor.accountant_audit.survey import audit_and_survey
from auditor.checks.accountants import check_accountant
from auditor.checks.check import Context
from auditor.engine.assembly import accountant_entry
from auditor.engine.registry import registry
from auditor.errors import ExitCode, MissingPackageError, UnknownIdError
from auditor.findings.evidence import AccountantPoint
from auditor.front.accountants import accountant_request
from auditor.front.cli import invoke
from auditor.profile import PROFILES
from auditor.report.accountants import FAMILIES, Audited, box_map
from auditor.report.chapters.accuracy import library_accountants
from auditor.report.chapters.chapter import Quotable
from auditor.report.matrix import matrix
from auditor.target.process import zygote
from auditor.target.target import Returned
from mechanisms.baselines import analytic_gaussian_accountant as gaussian
from proofs_numeric.statements.verdict import Expectation, Verdict


def context():
    """Return the context of a quick run."""
    return Context(PROFILES["quick"], 0, Fraction(1, 10**6), registry())


ACCOUNTANTS = [one for library in libraries().values() for one in library.accountants]


@pytest.mark.slow
@pytest.mark.parametrize("one", ACCOUNTANTS, ids=lambda one: one.id)
def test_an_adapter_is_data_that_fits_its_claim(one, monkeypatch, tmp_path):
    """A function takes what the claim has and it does not return, and delta where it solves; its box is of the same."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    monkeypatch.setattr(type(one.environment), "version", "1")
    tree = ast.parse(one.environment.file.read_text(encoding="utf-8"))
    functions = {f.name: [a.arg for a in f.args.args] for f in tree.body if isinstance(f, ast.FunctionDef)}
    request = AccountantRequest.registered(one, registry().claim(one.against))
    box = request.search_box(frozenset(functions[one.function]))
    assert {axis.parameter.name for axis in box.axes} == {*functions[one.function]}
    assert {*one.box} == {*functions[one.function]}
    assert len(box.published_points(request.judge.claim.points)) >= len(one.points)
    assert registry().accountants[one.id] == one
    assert any(one.against in claims for claims in FAMILIES.values())


@pytest.mark.slow
@pytest.mark.parametrize("one", ACCOUNTANTS, ids=lambda one: one.id)
def test_a_script_is_short_and_without_functions(one):
    """Ten lines at most: imports, values, calls of the library, and one that prints."""
    in_file = ast.parse(one.environment.file.read_text(encoding="utf-8")).body
    functions = {f.name: f for f in in_file if isinstance(f, ast.FunctionDef)}
    arguments = {argument.arg: "1" for argument in functions[one.function].args.args}
    text = script(one, [AccountantPoint(parameters=arguments, returned="1.0", truth=None, ratio=None, reason="")])
    assert len(text.splitlines()) <= 10
    assert text.splitlines()[-1].startswith("print(")
    assert text.endswith("  # 1.0\n")
    names = {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
    assert not names & {*functions, "getattr"}
    bound = {
        name.id for name in ast.walk(ast.parse(text)) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    bound |= {node.arg for node in ast.walk(ast.parse(text)) if isinstance(node, ast.arg)}
    imported = {
        (each.asname or each.name).partition(".")[0]
        for line in ast.walk(ast.parse(text))
        if isinstance(line, ast.Import | ast.ImportFrom)
        for each in line.names
    }
    assert names <= bound | imported | {*dir(builtins)}


@pytest.mark.parametrize("library", libraries().values(), ids=lambda library: library.name)
def test_an_adapter_needs_the_standard_library_alone_and_a_lock_of_its_own(library):
    """What is imported at the top is of Python's own; the lock pins the library, and everything by its hash."""
    tree = ast.parse(library.file.read_text(encoding="utf-8"))
    imported = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
    imported += [name.name for node in tree.body if isinstance(node, ast.Import) for name in node.names]
    assert {*imported} <= {"__future__", "functools", "typing"}
    text = library.lock.read_text(encoding="utf-8").replace("\\\n", "")
    pins, hashes = zip(*(line.split(maxsplit=1) for line in text.splitlines()), strict=True)
    assert all(pin.count("==") == 1 for pin in pins)
    assert all("--hash=sha256:" in each for each in hashes)
    assert any(pin.lower().replace("_", "-").startswith(f"{library.distribution}==") for pin in pins)


def test_an_absent_library_is_not_applicable_with_the_command_that_installs_it(monkeypatch, tmp_path, capsys):
    """The table goes on, and a single audit ends in one line."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    assert invoke(["accountants", "audit", "diffpriv_pure"]) == 0
    assert "not applicable" in (output := capsys.readouterr().out)
    assert "auditor accountants install diffpriv_pure" in output
    with pytest.raises(MissingPackageError, match="needs diffpriv-pure"):
        accountant_request("diffpriv_pure.gaussian.sigma")
    (found,) = check_accountant(accountant("diffpriv_pure.gaussian.sigma"), context())
    assert found.verdict is Verdict.NOT_APPLICABLE
    assert "auditor accountants install diffpriv_pure" in found.headline


def test_a_library_is_found_by_any_spelling_of_its_name():
    """Case and separators do not matter, and its first words are enough where no other library has them."""
    spelt = {"dp_accounting": ("dp-accounting", "DP.Accounting", "dpaccounting"), "opake_accounting": ("opake",)}
    spelt |= {"smartnoise_sql": ("smartnoise", "SmartNoise-SQL", "snsql"), "tmlt_core": ("tumult", "Tumult")}
    spelt["python_dp"] = ("pydp",)
    for name, spellings in spelt.items():
        assert {library.name for library in chosen(spellings)} == {name}
    assert accountant("DP-Accounting.gaussian.epsilon").id == "dp_accounting.gaussian.epsilon"
    assert accountant("pydp.gaussian.sigma").id == "python_dp.gaussian.sigma"
    for unknown, closest in (("autodb", "autodp"), ("dp", "opendp")):
        with pytest.raises(UnknownIdError, match=f"closest: '{closest}'"):
            chosen((unknown,))


@pytest.mark.parametrize("library", libraries().values(), ids=lambda library: library.name)
def test_the_size_of_an_environment_is_stated_before_it_is_made(library, monkeypatch, tmp_path, capsys):
    """Packages, megabytes and seconds."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    monkeypatch.setattr(Library, "install", lambda _: "1")
    assert invoke(["accountants", "install", library.name]) == 0
    stated = re.search(r"(\d+) packages?, (\d+) MB, about (\d+) s", capsys.readouterr().err)
    packages, megabytes, seconds = map(int, stated.groups())
    assert packages >= 1
    assert megabytes >= 26  # an empty environment
    assert seconds >= 10


@pytest.mark.slow
def test_a_library_of_this_interpreter_needs_no_environment(monkeypatch, tmp_path):
    """What is installed here is called here: the light libraries, in every run."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    one = accountant("opendp.zcdp.delta")
    if one.installed_version is None:
        pytest.skip("opendp is not installed")
    assert one.called["python"] is None
    assert one.called["target"].live_object is not None  # a fork of this process: no interpreter is started for it
    audit = audit_accountant(accountant_request(one.id, max_examples=3))
    assert audit.unsafe is audit.invalid is None
    assert audit.judged


@pytest.mark.parametrize("row", recorded()["accountants"], ids=lambda row: row["id"])
def test_a_record_is_as_expected_at_the_version_of_the_lock(row):
    """What is expected to be refuted was, with a counterexample, and nothing else."""
    one = accountant(row["id"])
    pins = one.environment.lock.read_text(encoding="utf-8").lower().replace("_", "-").split()
    assert row["library"].replace(" ", "==") in pins
    assert row["verdict"].startswith("refuted") == bool(row["case"]) == (one.expected is Expectation.REFUTED)


def test_the_report_has_the_record_of_what_a_run_names(monkeypatch, tmp_path):
    """A row per accountant, with the recorded verdict and the verdict of the run; a cell of the matrix."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    one = accountant("diffpriv_pure.advanced_composition")
    found = check_accountant(one, context())
    run = Quotable({}, {one.id: accountant_entry(one, found)}, {one.id: found})
    (row,) = library_accountants(run).rows
    assert (row[0], row[-1]) == (one.id, "not applicable")
    assert "refuted, as expected" in row
    assert f"auditor accountants issue {one.id}" in row
    found = matrix(run.accountants.values())
    assert found is not None
    assert found.mechanisms == ["composed pairs"]
    assert [(library, [cell.name for cell in cells]) for library, cells in found.rows] == [(row[1], ["unsafe"])]
    assert not library_accountants(Quotable({}, {}, {})).rows


@pytest.fixture
def environment(monkeypatch, tmp_path):
    """An environment whose library is a file: the textbook formula, for every epsilon."""
    monkeypatch.setenv(PLACE, str(tmp_path))
    folder = tmp_path / "diffpriv_pure"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)  # noqa: S603 - our own interpreter
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "diffpriv_pure.py").write_text(
        "import math\n"
        "def gaussian_sigma(l2, epsilon, delta):\n"
        "    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon\n",
        "utf-8",
    )
    metadata = site / "diffpriv_pure-7.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: diffpriv-pure\nVersion: 7\n", "utf-8")
    return folder


@pytest.mark.slow
def test_the_table_has_a_page_with_a_map_and_a_script(environment, tmp_path, capsys):
    """Verdict, factors and version in the table; of each accountant the map by class, and the script of its defect."""
    assert environment.is_dir()
    command = ["accountants", "audit", "diffpriv_pure", "--max-examples", "20", "--jobs"]
    assert invoke([*command, "1", "--out", str(tmp_path)]) == 0
    assert "diffpriv-pure 7" in capsys.readouterr().out
    page = (tmp_path / "accountants.html").read_text(encoding="utf-8")
    assert page.count("<svg") == len(libraries()["diffpriv_pure"].accountants)
    assert "calls by class" in page
    assert "refuted, as expected" in page
    assert "print(float(diffpriv_pure.gaussian_sigma(" in page
    assert "unsafe (" in page


@pytest.mark.slow
def test_the_table_is_the_same_whatever_the_number_of_processes(environment, capsys):
    """But for the time of a call; the rows keep their order."""
    assert environment.is_dir()
    tables = []
    for jobs in ("1", "2"):
        get_reusable_executor().shutdown()  # its workers know the environments of whoever started them
        invoke(["accountants", "audit", "diffpriv_pure", "--max-examples", "10", "--jobs", jobs, "--json"])
        rows = json.loads(capsys.readouterr().out)["accountants"]
        tables.append([{**row, "ms a call": ""} for row in rows])
    assert [row["id"] for row in tables[0]] == [one.id for one in libraries()["diffpriv_pure"].accountants]
    assert tables[0] == tables[1]


def test_the_light_table_is_of_what_is_installed_here(environment, monkeypatch):
    """A library in an environment of its own is none of it, nor one that is nowhere."""
    assert environment.is_dir()
    monkeypatch.setattr(Library, "version", property(lambda library: None if library.name == "autodp" else "1"))
    names = [library.name for library in here()]
    assert {"diffpriv_pure", "autodp"} == {*libraries()} - {*names}


@pytest.mark.slow
def test_the_median_of_drawn_points_is_within_what_the_audit_states():
    """The calls of the survey are calls of the audit: wherever the search looked, the loosest is no less loose."""

    def loose_inside(epsilon, mu):
        factor = 30 if 1.2 < epsilon < 1.9 else 1
        return min(1.0, factor * gaussian.delta(epsilon, mu=mu))

    box = {"epsilon": ("1", "2"), "mu": ("0.3", "0.5")}
    request = accountant_request(loose_inside, "wilkins2024.thm2.2", box=box, max_examples=1)
    audit, found = audit_and_survey(request)
    assert found.factor == pytest.approx(30, rel=1e-6)
    assert float(audit.classes["loose"].worst_practical.ratio) >= found.factor * (1 - 1e-9)
    assert audit.examples > found.points


EXCESS = {
    "epsilon": (lambda sigma, delta: gaussian.epsilon(delta, mu=1 / sigma) + 0.25, "standard.gaussian.composition"),
    "sigma": (
        lambda epsilon, delta: gaussian.sigma(epsilon / 2, delta, sensitivity=1),
        "standard.gaussian.composition",
    ),
    "scale": (lambda epsilon, delta: gaussian.sigma(epsilon / 2, delta, sensitivity=1), "thresholds.gaussian.sigma"),
    "delta": (lambda epsilon, mu: gaussian.delta(epsilon / 2, mu=mu), "wilkins2024.thm2.2"),
    "exact": (lambda epsilon, mu: gaussian.delta(epsilon, mu=mu), "wilkins2024.thm2.2"),
}
"""Accountants that give away a known epsilon, and their truths."""


@pytest.mark.slow
@pytest.mark.parametrize("name", EXCESS)
def test_excess_epsilon_is_what_an_answer_gives_away(name):
    """A quarter added to epsilon, half of epsilon unused, and none; by the stated delta or by what was returned."""
    function, claim = EXCESS[name]
    request = accountant_request(function, claim, **({"solves": name} if name in {"epsilon", "sigma"} else {}))
    for first, delta in ((1.0, 1e-5), (2.0, 1e-8), (3.0, 1e-3)):
        names = request.judge.claim.domain.names
        arguments = {"epsilon": first, "sigma": 1.5, "delta": delta, "mu": 0.8}
        point = {key: value for key, value in arguments.items() if key in names}
        answer = Returned(Fraction(function(**point)))
        values = {key: Fraction(value) for key, value in point.items()} | ({"k": 1} if "k" in names else {})
        result = excess_epsilon(request.judge, values, answer)
        expected = {"epsilon": 0.25, "sigma": first / 2, "scale": first / 2, "delta": first / 2, "exact": 0.0}[name]
        assert result == pytest.approx(expected, abs=1e-5)


@pytest.mark.slow
def test_a_survey_is_of_points_that_nobody_searched_for():
    """Two thirds of the answers are twice the truth: so is the median; without a safe answer there is none."""

    def doubled(epsilon, mu):
        return min(1.0, gaussian.delta(epsilon, mu=mu) * (2 if mu > 0.4 else 1))

    box = {"epsilon": ("1", "2"), "mu": ("0.3", "0.5")}
    request = accountant_request(doubled, "wilkins2024.thm2.2", box=box, max_examples=20)
    audit, found = audit_and_survey(request)
    assert found.points == 25
    assert found.factor == pytest.approx(2, rel=1e-6)
    assert found.milliseconds > 0
    plot = box_map("doubled", audit)
    assert (plot.x_label, plot.y_label) == ("epsilon", "mu")
    assert sum(len(series.x) for series in plot.series) == audit.examples
    nothing = accountant_request(lambda epsilon, mu: 0.0 * mu, "wilkins2024.thm2.2", box=box)
    assert audit_and_survey(nothing)[1].factor is audit_and_survey(nothing)[1].excess is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("beyond", "kind"), [(math.sqrt, "no violation seen"), (lambda _: -1.0, "invalid"), (lambda _: 1e-300, "unsafe ")]
)
def test_without_a_box_a_refusal_is_no_answer_and_a_wrong_number_is(beyond, kind):
    """A function that is right up to mu = 1 and beyond raises, is negative, or nearly 0: its box hides that."""

    def delta(epsilon, mu):
        return gaussian.delta(epsilon, mu=mu) if mu <= 1 else beyond(-mu)

    box = {"epsilon": ("0.5", "2"), "mu": ("0.2", "1")}
    request = accountant_request(delta, "wilkins2024.thm2.2", box=box, max_examples=20)
    audit, survey = audit_and_survey(request)
    whole = audit_accountant(request.without_box())
    one = Audited(accountant("opendp.zcdp.delta"), registry().claim("wilkins2024.thm2.2"), audit, survey, whole)
    assert audit.exit_code == ExitCode.OK
    assert one.kind_without_box.startswith(kind)
    assert survey.smallest_delta == pytest.approx(min(float(call.judgement.truth.mid()) for call in audit.calls))


SIGMAS = {
    "unsafe": "    return math.sqrt(2 * math.log(1.25 / delta)) / epsilon\n",
    "contradicts": "    return 1e4 * (2 if delta > 1e-6 else 1)\n",
    "raises": "    raise OverflowError('math range error')\n",
}
"""Of the library's function, and what is wrong with it."""


@pytest.mark.slow
@pytest.mark.parametrize("wrong", SIGMAS)
def test_an_issue_is_a_script_of_the_library_alone(environment, wrong):
    """Ten lines at most; they print what was judged, both answers of a contradiction, and tell what is raised."""
    (site,) = environment.glob("lib/python3*/site-packages")
    (site / "diffpriv_pure.py").write_text(
        f"import math\ndef gaussian_sigma(l2, epsilon, delta):\n{SIGMAS[wrong]}", "utf-8"
    )
    one = accountant("diffpriv_pure.gaussian.sigma")
    assert one.installed_version == "7"
    audit = audit_accountant(accountant_request(one.id, max_examples=20))
    text = issue(one, registry().claim(one.against), audit)
    script = text.split("```python\n")[1].split("```")[0]
    assert len(script.splitlines()) <= 10
    assert "auditor" not in script
    ran = subprocess.run(  # noqa: S603 - the script that we wrote
        [environment / "bin" / "python", "-c", script], capture_output=True, text=True, check=False
    )
    calls = [line.partition("#")[2].strip() for line in script.splitlines() if line.startswith("print")]
    assert len(calls) == 1 + (wrong == "contradicts")
    assert (ran.stdout.split() or [f"raises {ran.stderr.splitlines()[-1]}"]) == calls
    digits = audit.counterexample[-1].truth and (audit.counterexample[-1].truth.value or "")[:12]
    is_printed = bool(digits and digits != "0" and digits in text)  # a zero stands in every text
    assert ("| exact delta at the returned sigma |" in text) == (wrong == "unsafe") == is_printed
    assert (r"$`f(\mu, \varepsilon) = \Phi" in text) == (wrong == "unsafe")
    assert f"Versions: diffpriv-pure 7, Python {sys.version_info[0]}.{sys.version_info[1]}." in text


@pytest.mark.slow
def test_an_issue_starts_from_the_recorded_case_and_says_where_it_shows_nothing(environment, capsys):
    """One call instead of a search; of a library that is mended since, a search, which finds nothing to report."""
    command = ["accountants", "issue", "diffpriv_pure.gaussian.sigma"]
    assert invoke(command) == 0
    text = capsys.readouterr().out
    assert text.startswith("# gaussian_sigma: sigma too small for the requested delta\n")
    assert "diffpriv-pure 7" in text
    assert "$k$ is k (number of releases)" in text
    assert (
        "epsilon, delta = 10.0, 2e-05\nprint(float(diffpriv_pure.gaussian_sigma(1.0, epsilon, delta)))  # 0.469955"
        in text
    )
    row = next(row for row in recorded()["accountants"] if row["id"] == command[-1])
    calls = {name: int(number) for name, number in (part.rsplit(" ", 1) for part in row["found"].split(", "))}
    assert f"Of {sum(calls.values())} calls with " in text
    assert f"these answers are wrong: {calls['unsafe']} too small" in text
    usual = "delta from 1e-15 to 0.01 and epsilon from 0.01 to 20"
    assert f"For {usual}, the smallest requested delta / exact delta is {row['worst']}" in text
    (site,) = environment.glob("lib/python3*/site-packages")
    (site / "diffpriv_pure.py").write_text("def gaussian_sigma(l2, epsilon, delta):\n    return 1e9\n", "utf-8")
    zygote.cache_clear()  # as a new installation does
    assert invoke(command) == 2
    output = capsys.readouterr()
    assert "7 is right in the case recorded of diffpriv-pure 0.1.0: searching" in output.err
    assert "expected an accountant with a wrong answer, got diffpriv_pure.gaussian.sigma" in output.err
    assert not output.out


def test_what_is_uninstalled_is_an_environment_and_is_named(environment, capsys):
    """Its folder alone is removed; a folder of somebody else's stays; without a name nothing is done."""
    (mine := environment.parent / "riskcal").mkdir()
    (mine / "work.py").write_text("x = 1\n", "utf-8")
    assert invoke(["accountants", "uninstall", "diffpriv_pure", "gdpnum"]) == 0
    output = capsys.readouterr().out
    assert f"diffpriv_pure: removed {environment}" in output
    assert f"gdpnum: no environment in {environment.parent / 'gdpnum'}" in output
    assert not environment.exists()
    for action in ("install", "uninstall"):
        assert invoke(["accountants", action, "riskcal"]) == invoke(["accountants", action]) == 2
        errors = capsys.readouterr().err
        assert f"{mine} is no environment" in errors
        assert "got no name" in errors
    assert (mine / "work.py").is_file()
