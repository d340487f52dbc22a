"""Every verb does its work and, with --json, writes one document."""

import json
import math
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from auditor.engine import attack, runner
from auditor.errors import ExitCode
from auditor.findings.finding import Finding
from auditor.front.cli import VERBS, invoke
from auditor.front.verbs import compare, explain, output
from auditor.printable import spelt
from auditor.report import json as report_json
from auditor.report import view
from auditor.report.model import AuditReport
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import report_of, sample_report

ROOT = Path(__file__).resolve().parents[3]
CLAIM = "thresholds.laplace.integer"


def document(capsys, *arguments):
    """Run a command line with --json; give the exit code and the document."""
    code = invoke([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help_and_json(capsys, verb):
    """The contract: every verb explains itself and takes --json."""
    assert invoke([verb, "--help"]) == 0
    out = capsys.readouterr().out
    assert "--json" in out
    assert re.search(r"Usage: auditor \w+", out)


def test_what_each_verb_does_is_said_whole_on_a_narrow_terminal(capsys, monkeypatch):
    """A line of 80 columns holds the sentence of each."""
    monkeypatch.setenv("COLUMNS", "80")
    assert invoke(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    said = [line.split(maxsplit=1)[1] for line in lines if line.split()[:1] and line.split()[0] in VERBS]
    assert len(said) == len(VERBS)
    assert [line for line in said if not line.endswith(".") or line.endswith("...")] == []


def test_the_version_is_shown(capsys):
    """--version names the suite."""
    assert invoke(["--version"]) == 0
    assert capsys.readouterr().out.startswith("auditor ")


# --- run -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_run_writes_the_four_forms(capsys, tmp_path, fake_run):
    """The report is written as JSON, HTML, Markdown and JUnit, and nothing else is left behind."""
    assert invoke(["run", "--out", str(tmp_path / "deep" / "report")]) == ExitCode.FINDINGS
    names = sorted(path.name for path in (tmp_path / "deep" / "report").iterdir())
    assert names == ["junit.xml", "report.html", "report.json", "report.md"]
    assert report_json.read(tmp_path / "deep" / "report") == sample_report()


@pytest.mark.slow
def test_the_summary_of_a_run_has_the_verdicts(capsys, tmp_path, fake_run):
    """How many claims were proved, refuted, left open: not their number alone."""
    invoke(["run", "--out", str(tmp_path)])
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("Claims: "))
    numbers = [int(number) for number in re.findall(r"(\d+) \D", line)]
    assert sum(numbers) == len(sample_report().claims)
    assert " refuted" in line


@pytest.mark.slow
def test_the_summary_of_a_run_says_how_to_see_a_finding_again(capsys, tmp_path, fake_run):
    """By its id and the report it is in, whose blocks are replayed: nothing is overwritten."""
    invoke(["run", "--out", str(tmp_path)])
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert f"see it again: auditor reproduce tau_zero::empirical --report {shlex.quote(str(tmp_path))}" in lines


@pytest.mark.slow
def test_run_in_json_mode_prints_the_report(capsys, tmp_path, fake_run):
    """Standard output is the report, progress goes to standard error."""
    code = invoke(["run", "--out", str(tmp_path), "--json"])
    out, err = capsys.readouterr()
    assert code == ExitCode.FINDINGS
    assert AuditReport.model_validate_json(out) == sample_report()
    assert "[ 1/15]" in err


@pytest.mark.slow
def test_progress_is_plain_lines_without_a_terminal(capsys, tmp_path, fake_run):
    """CI logs get one line a check, without control characters."""
    invoke(["run", "--out", str(tmp_path)])
    err = capsys.readouterr().err
    assert err.splitlines()[0] == "15 checks to run"
    assert len(err.splitlines()) == 16
    assert "\x1b" not in err
    assert "tau_zero::empirical: no violation seen UNEXPECTED" in err


@pytest.mark.slow
def test_an_interrupted_run_says_how_to_go_on(capsys, tmp_path, monkeypatch):
    """A partial report leaves with 130 and names --resume."""
    partial = sample_report().model_copy(update={"complete": False, "pending": ["x::y"]})

    def run(_selection, **settings):
        settings["keep"](partial)
        return partial

    monkeypatch.setattr(runner, "run", run)
    assert invoke(["run", "--out", str(tmp_path)]) == ExitCode.INTERRUPTED
    assert "auditor run --resume" in capsys.readouterr().err
    assert not report_json.read(tmp_path).complete


@pytest.mark.slow
def test_resuming_nothing_is_said(capsys, tmp_path, fake_run):
    """--resume without an interrupted run starts from the beginning, and says so."""
    invoke(["run", "--resume", "--out", str(tmp_path)])
    assert f"nothing to resume in {tmp_path}: starting from the beginning" in capsys.readouterr().err.splitlines()


def test_an_interrupt_anywhere_leaves_with_130(capsys, monkeypatch):
    """Ctrl-C outside a run is no stack trace either."""

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("auditor.engine.evaluation.evaluate", interrupt)
    assert invoke(["evaluate", CLAIM]) == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "error: interrupted\n"


# A shell starts what runs in its background with SIGINT ignored, and children inherit that. After its first check the
# run waits for what ends it, however fast it is.
WAITS = """
import runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
write = sys.stderr.write

def write_and_wait(text):
    written = write(text)
    if "[1/" in text.replace(" ", ""):
        sys.stderr.flush()
        signal.pause()
    return written

sys.stderr.write = write_and_wait
runpy.run_module("auditor", run_name="__main__")
"""
BRIEF = ["run", "bharadwaj2022.base*", "--profile", "quick"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The report of a run that nothing ends."""
    folder = tmp_path_factory.mktemp("undisturbed")
    assert invoke([*BRIEF, "--jobs", "1", "--out", str(folder)]) == ExitCode.OK
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "jobs"), [(signal.SIGINT, "1"), (signal.SIGTERM, "2")])
def test_an_ended_run_keeps_what_it_had_and_resumes_to_the_same_report(tmp_path, undisturbed, ending, jobs):
    """A real run that is ended after its first check writes a partial report; --resume gives the whole one's bytes."""
    command = [sys.executable, "-c", WAITS, *BRIEF, "--jobs", jobs, "--out", str(tmp_path)]
    with subprocess.Popen(  # noqa: S603 - our own command
        command, cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as process:
        while "[1/" not in (line := process.stderr.readline()).replace(" ", ""):
            assert line, "the run ended before its first check"
        process.send_signal(ending)
        assert "Traceback" not in process.stderr.read()
        assert process.wait(60) == ExitCode.INTERRUPTED
    partial = report_json.read(tmp_path)
    assert partial.findings
    assert partial.pending
    assert invoke([*BRIEF, "--jobs", "1", "--out", str(tmp_path), "--resume"]) == ExitCode.OK
    for name in ("report.json", "report.html", "report.md", "junit.xml"):
        assert (tmp_path / name).read_bytes() == (undisturbed / name).read_bytes()


# --- evaluate, accountant, mechanism ---------------------------------------------------------------------------------


def test_evaluate_answers_with_the_contract(capsys):
    """The ball encloses the value; parameters come back exact, defaults filled in."""
    arguments = ["evaluate", CLAIM, "scale=1", "threshold=3", "--arithmetic", "ball", "--digits", "20"]
    code, answer = document(capsys, *arguments)
    assert code == 0
    assert answer["claim"] == CLAIM
    assert answer["digits"] == 20
    assert answer["parameters"] == {"scale": "1", "threshold": "3", "c_u": "1", "per_key": "1"}
    lower, value, upper = (float(answer[name]) for name in ("lower", "value", "upper"))
    assert lower <= value <= upper
    # the tail P[Z >= 2] of the discrete Laplace law with scale 1
    assert value == pytest.approx(math.exp(-2) / (1 + math.exp(-1)), rel=1e-15)


def test_evaluate_for_people_is_the_value_and_its_enclosure(capsys):
    """Two lines: the value, the interval."""
    invoke(
        ["evaluate", CLAIM, "scale=1", "threshold=3", "c_u=1", "per_key=1", "--arithmetic", "ball", "--digits", "10"]
    )
    value, interval = capsys.readouterr().out.splitlines()
    assert interval.startswith("in [0.09893")
    assert value.startswith("0.09893")


@pytest.mark.parametrize(
    ("words", "remark"),
    [
        (["bharadwaj2022.lem3.stmt", "epsilon=1", "alpha=0.5173446106", "tau=20"], "vacuous, as C_alpha <= 0"),
        (["bharadwaj2022.lem3.stmt", "epsilon=1", "alpha=0.5173446105", "tau=20"], None),
        (["bharadwaj2022.lem5.stmt", "W=1", "p_s=0.1", "tau=20"], "corrected: bharadwaj2022.lem5.stmt.corrected"),
    ],
)
def test_evaluate_says_where_a_value_means_nothing(capsys, words, remark):
    """A vacuous bound and a statement that is false as printed have values; they come with a warning."""
    code, answer = document(capsys, "evaluate", *words)
    assert code == 0
    assert (float(answer["value"]) >= 1) == (remark is not None and "vacuous" in remark)
    assert (remark in answer["remark"]) if remark else "remark" not in answer
    invoke(["evaluate", *words])
    assert ("note: " in capsys.readouterr().out) == (remark is not None)


def test_evaluate_says_for_which_thresholds_a_bound_holds(capsys):
    """Lemma 6: 150 of 300 expected clients are half of them; half a client is below every threshold."""
    _, answer = document(capsys, "evaluate", "bharadwaj2022.lem6.corrected", "gamma=1/2", "phi=1/100", "m=30000")
    assert answer["remark"].startswith("holds for tau <= 150:")
    _, answer = document(capsys, "evaluate", "bharadwaj2022.lem6.corrected", "gamma=1/2", "phi=1/100", "m=100")
    assert answer["remark"].startswith("holds for no tau")


def test_evaluate_says_what_it_held(capsys):
    """A parameter that was left out has a value all the same: it is told, in text and in JSON."""
    invoke(["evaluate", CLAIM, "scale=1", "threshold=3"])
    assert capsys.readouterr().out.splitlines()[-1] == "held: c_u=1, per_key=1"
    _, answer = document(capsys, "evaluate", CLAIM, "scale=1", "threshold=3", "c_u=1")
    assert answer["held"] == {"per_key": "1"}
    invoke(["evaluate", CLAIM, "scale=1", "threshold=3", "c_u=1", "per_key=1"])
    assert "held" not in capsys.readouterr().out


@pytest.mark.parametrize("arithmetic", ["mpmath", "ball"])
def test_evaluate_says_that_its_digits_are_certified(capsys, arithmetic):
    """The ball proves its digits, and mpmath's value lies in it to the last."""
    words = ["evaluate", CLAIM, "scale=1", "threshold=3", "--arithmetic", arithmetic, "--digits", "50"]
    _, answer = document(capsys, *words)
    assert (answer["digits"], answer["certified"]) == (50, True)


def test_a_double_has_fifteen_digits(capsys):
    """Asking for fifty does not make them."""
    words = ["evaluate", CLAIM, "scale=1", "threshold=3", "--arithmetic", "float64", "--digits", "50"]
    _, answer = document(capsys, *words)
    assert (answer["digits"], answer["certified"]) == (15, False)
    invoke(words)
    assert "float64, 15 digits at best; not certified" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("claim", "words"), [("wilkins2024.def2.1", "is a definition"), ("wilkins2024.A.14", "is an identity")]
)
def test_a_claim_without_a_value_is_named_in_english(capsys, claim, words):
    """The article fits the noun."""
    assert invoke(["evaluate", claim]) == ExitCode.USAGE
    assert f"{words} and has no value" in capsys.readouterr().err


def test_an_unknown_notebook_is_counted_in_english(capsys, tmp_path):
    """`of 441 notebook or claims` is nobody's English."""
    assert invoke(["notebook", "gaussian_sparse_histogra", "--out", str(tmp_path)]) == ExitCode.USAGE
    assert re.search(r"no notebook matches .*\(of \d+ notebooks\)", capsys.readouterr().err)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("factor", "code", "field"),
    [("1", 0, None), ("0.5", 1, "unsafe"), ("float('nan')", 1, "invalid"), ("'text'", 1, "invalid")],
)
def test_accountant_separates_right_unsafe_and_invalid(capsys, tmp_path, factor, code, field):
    """A right accountant passes; half the delta is unsafe; NaN and text are invalid."""
    target = tmp_path / "ours.py"
    target.write_text(
        "import math\n"
        "def delta(scale, threshold, c_u=1, per_key=1):\n"
        "    q = math.exp(-(threshold - per_key) / scale) / (1 + math.exp(-1 / scale))\n"
        f"    return -math.expm1(c_u * math.log1p(-q)) * {factor}\n",
        "utf-8",
    )
    box = ["--box", "scale=1:3", "--box", "threshold=2:9", "--box", "c_u=1", "--box", "per_key=1"]
    returned, answer = document(
        capsys, "accountant", f"{target}:delta", "--against", CLAIM, *box, "--max-examples", "20"
    )
    assert returned == code
    assert [name for name in ("unsafe", "invalid") if answer[name]] == ([field] if field else [])
    assert {"verdict", "unsafe", "invalid", "loosest", "examples", "box"} <= answer.keys()


@pytest.mark.slow
def test_mechanism_finds_what_is_no_mechanism_at_all(capsys, tmp_path):
    """Releasing the histogram as it is breaks every finite epsilon."""
    target = tmp_path / "leaky.py"
    target.write_text(
        "def release(histogram, rng):\n    return {key: float(value) for key, value in histogram.items()}\n", "utf-8"
    )
    arguments = ["mechanism", f"{target}:release", "--epsilon", "1", "--delta", "1e-5", "--budget", "20"]
    code, answer = document(capsys, *arguments)
    assert code == ExitCode.FINDINGS
    assert answer["verdict"] == "REFUTED"
    fields = {"verdict", "epsilon", "delta_claimed", "delta_lower", "pair", "event", "samples", "alpha", "reproduce"}
    assert fields | {"detectable_delta"} <= answer.keys()


# --- list, explain, doctor -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["claims", "mechanisms", "faults", "controls", "checks", "accountants"])
def test_list_counts_what_it_lists(capsys, kind):
    """Ids are unique and counted."""
    code, answer = document(capsys, "list", kind)
    ids = [item["id"] for item in answer["items"]]
    assert code == 0
    assert answer["count"] == len(ids) == len(set(ids)) > 0


def test_accountants_are_chosen_by_library_and_by_id(capsys):
    """Some accountants of one library, and all of another one."""
    lone = ["dp_accounting.rdp.selection.geometric", "opendp.noisy_max"]
    code, answer = document(capsys, "accountants", "list", *lone, "random-allocation")
    ids = [row["id"] for row in answer["accountants"]]
    assert code == 0
    assert {*lone} < {*ids}
    assert {name for name in ids if name not in lone} == {i for i in ids if i.startswith("random_allocation.")}
    assert invoke(["accountants", "audit", "opendp.noisy"]) == 2
    assert "opendp.noisy_max" in capsys.readouterr().err


def test_list_alone_lists_everything(capsys):
    """Each id once, with its kind and title; globs narrow it as they do a kind."""
    code, answer = document(capsys, "list")
    assert code == 0
    assert len({item["id"] for item in answer["items"]}) == answer["count"]
    kinds = {item["kind"] for item in answer["items"]}
    assert kinds == {"claim", "mechanism", "fault", "control", "check", "accountant", "experiment"}
    _, narrow = document(capsys, "list", "all", "half_*")
    assert {item["kind"] for item in narrow["items"]} == {"fault"}


def test_list_takes_globs(capsys):
    """A glob narrows the list."""
    _, answer = document(capsys, "list", "claims", "thresholds.laplace.*")
    results = [item["id"] for item in answer["items"]]
    assert "thresholds.laplace.integer" in results
    assert all(claim.startswith("thresholds.laplace.") for claim in results)


def test_list_is_filtered_by_paper_and_by_the_verdict_of_a_report(capsys, sample):
    """A claim is of its paper, what rests on a claim of that claim's; a verdict is all findings' of a subject."""
    _, answer = document(capsys, "list", "--paper", "rogers2024")
    kinds = {item["kind"]: item["id"] for item in answer["items"]}
    assert {"claim", "mechanism", "fault"} <= kinds.keys()
    assert all(i["id"].startswith("rogers2024.") for i in answer["items"] if i["kind"] == "claim")
    _, answer = document(capsys, "list", "claims", "--verdict", "proved", "--report", str(sample))
    about = {claim.id: claim.verdict for claim in sample_report().claims}
    assert {item["id"] for item in answer["items"]} <= about.keys()
    assert {about[item["id"]] for item in answer["items"]} == {Verdict.PROVED}
    assert all(item["verdict"] == "PROVED" for item in answer["items"])
    assert invoke(["list", "--verdict", "refted", "--report", str(sample)]) == ExitCode.EMPTY_SELECTION
    assert "closest: 'refuted'" in capsys.readouterr().err


def test_what_is_longer_than_the_terminal_is_paged_and_verdicts_have_colours(monkeypatch, capsys):
    """On a terminal alone: a pager gets what has more lines; red is what is refuted, NO_COLOR is heard."""
    leafed = []
    monkeypatch.setattr(output.click, "echo_via_pager", leafed.append)
    monkeypatch.setattr(output.shutil, "get_terminal_size", lambda **_: os.terminal_size((80, 3)))
    output.leaf("1", "2", "3")
    output.say("refuted: a")
    assert (leafed, capsys.readouterr().out) == ([], "1\n2\n3\nrefuted: a\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    output.leaf("1", "2")
    output.leaf("1", "2", "3")
    assert leafed == ["1\n2\n3\n"]
    output.say("refuted: a", "proved: refuted: \x1b")
    assert capsys.readouterr().out == "1\n2\n\x1b[31m\x1b[1mrefuted\x1b[0m: a\nproved: refuted: \\x1b\n"
    commands = [f"  {purpose}: {'word ' * 20}".rstrip() for purpose in ("see it again", "to decide")]
    output.say(f"  {'a word ' * 13}", *commands)
    broken, rest, *unbroken = capsys.readouterr().out.splitlines()
    assert len(broken) <= 80
    assert rest.startswith("    ")
    assert f"{broken} {rest.strip()}" == f"  {'a word ' * 13}".rstrip()
    assert unbroken == commands
    monkeypatch.setenv("NO_COLOR", "1")
    output.say("refuted: a")
    assert capsys.readouterr().out == "refuted: a\n"


@pytest.mark.slow
def test_quiet_is_the_verdict_alone_and_verbose_all_that_was_tried(capsys, tmp_path):
    """Of an accountant: two lines; every call."""
    (tmp_path / "mine.py").write_text("def zero(epsilon, mu):\n    return 0.0\n", "utf-8")
    words = ["accountant", f"{tmp_path}/mine.py:zero", "--against", "wilkins2024.thm2.2", "--max-examples", "3"]
    said = {}
    for flag in ("-q", "-v"):
        assert invoke([*words, flag]) == ExitCode.FINDINGS
        said[flag] = capsys.readouterr().out.splitlines()
    assert len(said["-q"]) == 2
    assert said["-q"] == said["-v"][:2]
    calls = [line for line in said["-v"] if line.startswith("  call: ")]
    assert any(f" of {len(calls)} calls over" in line for line in said["-v"])


@pytest.mark.slow
def test_the_first_lines_of_a_wrong_accountant_are_short(capsys, monkeypatch, tmp_path):
    """The verdict, then the worst answer; each further sentence has a line of its own."""
    page = (Path(__file__).parents[3] / "docs/tutorials/accountant.md").read_text("utf-8")
    (tmp_path / "my_accountant.py").write_text(page.split("```python\n")[1].partition("```")[0], "utf-8")
    monkeypatch.chdir(tmp_path)
    box = ["--box", "epsilon=0:5", "--box", "sigma=1:1000", "--box", "c_u=1:1000"]
    words = ["accountant", "my_accountant.py:delta", "--against", "wilkins2024.thm5.4", *box]
    assert invoke(words) == ExitCode.FINDINGS
    lines = capsys.readouterr().out.splitlines()
    starts = ("refuted: ", "  unsafe: returns ", "  worst anywhere: ", "  inconsistent at ", "  judged ")
    assert all(line.startswith(start) for line, start in zip(lines, starts, strict=False))
    assert all(len(line) <= 220 for line in lines[: len(starts)])


@pytest.mark.slow
def test_a_quiet_undecided_audit_says_why_and_what_would_decide_it(capsys, tmp_path):
    """One block: the verdict, its reason, and the whole command with its seconds, as in the full text."""
    (tmp_path / "mine.py").write_text("def release(h, rng):\n    return round(h['a'] + rng.laplace(), 2)\n", "utf-8")
    pair = '{"left": {"a": 2}, "right": {"a": 1}}'
    words = ["mechanism", f"{tmp_path}/mine.py:release", "--epsilon", "1", "--samples", "64", "--pair", pair]
    said = {}
    for flag in ("-q", "-v"):
        assert invoke([*words, flag]) == ExitCode.UNDECIDED
        lines = capsys.readouterr().out.splitlines()
        said[flag] = [re.sub(r"about \S+ CPU", "about N CPU", line) for line in lines]
    assert len(said["-q"]) == 3
    assert said["-q"] == said["-v"][:3]
    assert said["-q"][1].startswith("  undecided: ")
    assert re.match(r"  to decide: auditor mechanism .*\(about .* CPU seconds", said["-q"][2])
    assert "--samples" not in said["-q"][2]


@pytest.mark.slow
def test_a_quiet_run_says_its_conclusion_and_a_verbose_one_each_sentence(capsys, tmp_path, fake_run):
    """No progress under -q; under -v what each check found."""
    invoke(["run", "-q", "--out", str(tmp_path)])
    out, err = capsys.readouterr()
    assert (out, err) == (f"{view.conclusion(sample_report())}\n", "")
    invoke(["run", "-v", "--out", str(tmp_path)])
    err = capsys.readouterr().err
    assert [f.headline for f in sample_report().findings if spelt(f.headline) not in err] == []


def test_explain_has_the_fixed_headings(capsys):
    """A claim's page has its headings in order, with every parameter's unit and domain."""
    code, answer = document(capsys, "explain", CLAIM)
    assert code == 0
    headings = [
        "Statement",
        "Source",
        "Symbols",
        "Assumptions",
        "Where it is loose",
        "Numerics",
        "Errors",
        "How to evaluate",
    ]
    assert list(answer["sections"])[:8] == headings
    assert re.search(r"scale +counts +0.05 <= scale <= 10000", answer["sections"]["Symbols"])


def test_the_symbols_of_a_claim_on_a_gap_name_both_thresholds(capsys):
    """The tutorial's command has tau_star, which is no parameter of the claim; a claim without a gap takes none."""
    pages = [document(capsys, "explain", claim)[1]["sections"] for claim in ("wilkins2024.thm5.4", CLAIM)]
    assert ["tau_star and tau" in page["Symbols"] for page in pages] == [True, False]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["claims", "mechanisms", "faults", "controls", "checks", "accountants"])
def test_everything_can_be_explained(kind):
    """No registered id is without a page, and no section of a page is empty."""
    from auditor.engine.registry import registry

    catalogue = registry()
    items = getattr(catalogue, kind)
    assert items
    for identifier in items:
        page = explain.page(identifier, catalogue)
        assert page
        assert not [heading for heading, text in page.items() if not text.strip()], identifier


def test_the_steps_of_a_proof_keep_their_ids_and_formulas():
    """A step reads as it is written: an id is no subscripted symbol, and names what it stands on."""
    from auditor.engine.registry import registry

    claims = registry().claims
    page = explain.claim_page(claims["wilkins2024.composition.fixed"])["Proof"]
    matches = re.findall(r"by the claim (\S+):", page)
    assert len(matches) == page.count("by the claim ") > 5
    assert set(matches) <= claims.keys()
    assert "1 - e^-Lam" in page


def test_a_proof_is_explained_without_proving_it():
    """Its tactics and the claims that it names, from the declaration alone."""
    from auditor.engine.registry import registry

    proofs = ((claim, getattr(claim.kind, "proof", None)) for claim in registry().claims.values())
    claim, proof = next((claim, proof) for claim, proof in proofs if list(getattr(proof, "claims_named", list)()))
    page = explain.claim_page(claim)["Proof"]
    assert all(f"ByClaim {named}" in page for named in proof.claims_named())
    assert f"`auditor run {claim.id}` proves it" in page


def test_every_example_of_explain_parses():
    """The command that `explain` shows for a claim with hard points is a valid one."""
    from auditor.engine.registry import registry

    claims = [c for c in registry().claims.values() if c.formula is not None and c.points]
    assert claims
    for claim in claims:
        shown = explain.claim_page(claim)["How to evaluate"].split()
        words = dict(word.split("=", 1) for word in shown if "=" in word)
        assert claim.domain.parse(words).keys() == set(claim.domain.names), claim.id


def test_doctor_finds_this_machine_ready(capsys):
    """The machine that runs the tests can run the suite."""
    code, answer = document(capsys, "doctor")
    assert code == 0
    assert answer["healthy"]
    assert {"python", "python-flint", "ball arithmetic", "registry"} <= {s["name"] for s in answer["symptoms"]}


# --- reports ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "start"),
    [
        ("html", "<!doctype html>"),
        ("markdown", "# Audit"),
        ("junit", "<?xml"),
        ("json", "{"),
        ("github", "::"),
        ("sarif", "{"),
        ("badge", "{"),
    ],
)
def test_render_writes_every_form(capsys, sample, form, start):
    """From report.json to any form, on standard output or in a file."""
    assert invoke(["render", str(sample), "--to", form]) == 0
    text = capsys.readouterr().out
    assert text.startswith(start)
    target = sample / f"again.{form}"
    assert invoke(["render", str(sample / "report.json"), "--to", form, "--out", str(target)]) == 0
    assert target.read_text(encoding="utf-8") == text


def turned(identifier: str, verdict: Verdict) -> AuditReport:
    """Give the sample report with one finding's verdict changed."""
    report = sample_report()
    findings = []
    for finding in report.findings:
        fields = {name: getattr(finding, name) for name in ("subject", "subject_kind", "check", "expected", "headline")}
        changed = Finding.of(**fields, verdict=verdict, reproduce=finding.reproduce)
        findings.append(changed if finding.id == identifier else finding)
    return report_of(findings)


def test_compare_lists_verdict_changes(capsys, sample):
    """A proof that became a refutation is one change, for the worse, and fails."""
    worse = turned("wilkins2024.lem5.3::proof", Verdict.REFUTED)
    (sample / "new.json").write_text(report_json.render(worse), encoding="utf-8")
    code, answer = document(capsys, "compare", str(sample), str(sample / "new.json"))
    assert code == 1
    assert answer["worse"] == 1
    assert answer["changes"] == [
        {
            "finding": "wilkins2024.lem5.3::proof",
            "old": "PROVED",
            "new": "REFUTED (unexpected)",
            "worse": True,
            "vanished": False,
        }
    ]


def test_compare_is_silent_about_equal_reports(capsys, sample):
    """The same report twice shows no change."""
    assert invoke(["compare", str(sample), str(sample)]) == 0
    assert capsys.readouterr().out == "0 verdict changes, 0 for the worse, of 15 findings before and 15 after\n"


def test_a_fault_caught_again_is_a_change_for_the_better():
    """Meeting an expectation that was missed is not worse."""
    changes = compare.changes(sample_report(), turned("tau_zero::empirical", Verdict.REFUTED))
    assert [(change.finding, change.worse) for change in changes] == [("tau_zero::empirical", False)]


def test_a_finding_that_vanished_is_told_and_counted(capsys, sample):
    """A check that no longer runs cannot hide, a refutation least of all."""
    report = sample_report()
    refuted = next(finding for finding in report.findings if finding.verdict is Verdict.REFUTED)
    fewer = report_of(finding for finding in report.findings if finding.id != refuted.id)
    (sample / "new.json").write_text(report_json.render(fewer), encoding="utf-8")
    assert invoke(["compare", str(sample), str(sample / "new.json")]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "1 verdict change, 1 for the worse (1 vanished), of 15 findings before and 14 after"
    assert lines[-2].split()[0] == refuted.id
    assert lines[-2].endswith("vanished")


@pytest.mark.parametrize(("fate", "code"), [("refuted", 0), ("weaker at every point", 0), ("unseen", 1)])
def test_mutate_ends_with_one_where_a_change_is_unseen(capsys, monkeypatch, fate, code):
    """The change, its line and its claim are named; what is false as printed is not attacked."""
    trials = attack.Attacked("rogers2024.thm7.gaussian.T", "rogers2024/laws.py:71: -x -> x", attack.Fate(fate))
    requests = []
    monkeypatch.setattr(
        attack, "attack_claim", lambda name, *_: requests.append(name) or attack.Attack(name, (trials,), 25)
    )
    assert invoke(["mutate", "rogers2024.thm7.gaussian.T", "rogers2024.thm7.proof.gauss_std"]) == code
    assert requests == ["rogers2024.thm7.gaussian.T"]
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split(maxsplit=4) == ["rogers2024.thm7.gaussian.T", "1", "of", "25", f"1 {fate}"]
    assert lines[2 : 2 + code] == ["unseen: rogers2024.thm7.gaussian.T: rogers2024/laws.py:71: -x -> x"] * code


def test_mutate_of_no_claim_that_should_hold_is_not_green(capsys):
    """A selection of what is false as printed has no mutants: exit 5."""
    assert invoke(["mutate", "rogers2024.thm7.proof.gauss_std"]) == 5
    assert "in 0 claims" in capsys.readouterr().out


def test_reproduce_shows_the_same_finding_again(capsys, tmp_path):
    """A finding of a real run is found again, evidence included."""
    report = runner.run(["rogers2024.thm4.gauss"], profile="quick", seed=3)
    (tmp_path / "report.json").write_text(report_json.render(report), encoding="utf-8")
    code, answer = document(capsys, "reproduce", report.findings[0].id, "--report", str(tmp_path))
    assert code == 0
    assert answer["same"]


@pytest.mark.slow
def test_the_command_of_a_finding_gives_it_again(capsys, tmp_path, monkeypatch):
    """At the report's profile, seed and alpha, and in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    result = runner.run(["rogers2024.thm4.gauss"], profile="quick", seed=3, alpha="1e-7").findings[0]
    assert "--alpha 1e-07 --out audit-again" in result.reproduce
    assert invoke(shlex.split(result.reproduce)[1:]) == 0
    again = report_json.read(tmp_path / "audit-again")
    assert result in again.findings
    assert again.alpha == "1e-07"


@pytest.fixture
def made_by(tmp_path):
    """Write a report of one finding with a command of one's own; give the arguments that show it again."""

    def write(command):
        changed = {"id": "x::y", "subject": "x", "reproduce": command}
        report = report_of([sample_report().findings[0].model_copy(update=changed)])
        (tmp_path / "report.json").write_text(report_json.render(report), encoding="utf-8")
        return ["reproduce", "x::y", "--report", str(tmp_path)]

    return write


def test_reproduce_asks_before_it_runs_code_named_in_a_report(capsys, tmp_path, made_by):
    """Without a terminal to ask on, and without --yes, nothing runs."""
    marker, target = tmp_path / "ran", tmp_path / "evil.py"
    target.write_text(f"open({str(marker)!r}, 'w')\ndef f(**kwargs):\n    return 0.0\n", "utf-8")
    command = shlex.join(["auditor", "accountant", f"{target}:f", "--against", CLAIM])
    assert invoke(made_by(command)) == ExitCode.USAGE
    assert "give --yes" in capsys.readouterr().err
    assert not marker.exists()


def test_reproduce_runs_no_other_command_of_a_report(tmp_path, made_by):
    """A report cannot smuggle in a shell command, even with --yes."""
    assert invoke([*made_by(f"touch {tmp_path / 'ran'}"), "--yes"]) == ExitCode.USAGE
    assert not (tmp_path / "ran").exists()


def test_a_finding_of_a_test_is_run_again_by_pytest(capsys, made_by):
    """A report of the pytest plugin names the test: its project is where it runs."""
    command = "pytest test_all.py::test_half --audit-profile quick --audit-seed 7 --audit-alpha 1e-6"
    assert invoke(made_by(command)) == ExitCode.USAGE
    assert f"was made by a test; run it again in its project: {command}" in capsys.readouterr().err


def test_reproduce_names_the_closest_finding(capsys, sample):
    """A mistyped finding id is answered with the closest one."""
    assert invoke(["reproduce", "half_noise::empirica", "--report", str(sample)]) == ExitCode.USAGE
    assert "closest: 'half_noise::empirical' (of 15 findings)" in capsys.readouterr().err


# --- processes -------------------------------------------------------------------------------------------------------


def test_the_module_and_the_function_are_one_command():
    """`python -m auditor` is the console script."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-m", "auditor", "list", "nothing"],
        cwd="/",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == ExitCode.USAGE
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
