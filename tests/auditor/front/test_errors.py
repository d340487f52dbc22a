"""Bad input: one clear line, the right exit code, never a stack trace, never green."""

import errno
import json
import os
import signal
import sys
from pathlib import Path

import pytest

from auditor.engine.registry import registry
from auditor.errors import AuditorError, EmptySelectionError, ExitCode, UnknownIdError, closest, counted, globs_over
from auditor.front import cli
from auditor.front.cli import invoke
from auditor.report import json as report_json
from proofs_numeric.statements.withdrawn import WITHDRAWN
from tests.auditor.report.sample import sample_report

IDS = ["wilkins2024.thm2.2", "wilkins2024.thm5.4", "wilkins2024.thm5.4.collapse", "rogers2024.thm9.factor"]
CLAIM = "thresholds.laplace.integer"


EXPONENT = "epsilon: expected a decimal exponent of at most 9999, got '1e999999999'"
LARGE = "expected 0 <= epsilon <= 700, 0 <= delta < 1, rho >= 0 and mu >= 0, got epsilon=1e300, delta=0"


def failing(capsys, *arguments):
    """Run a command line that must fail; give its exit code and its one line."""
    code = invoke(list(arguments))
    out, err = capsys.readouterr()
    lines = err.splitlines()
    assert out == ""
    assert len(lines) == 1, err
    assert lines[0].startswith("error: ")
    return code, lines[0].removeprefix("error: ")


def test_a_withdrawn_claim_says_why(capsys):
    """Its id is not taken for a misspelling, and no claim has it."""
    assert not WITHDRAWN.keys() & registry().claims.keys()
    for identifier, reason in WITHDRAWN.items():
        _code, line = failing(capsys, "evaluate", identifier)
        assert line == f"'{identifier}' was withdrawn: {reason}"


def test_a_file_without_a_callable_is_told_what_is_missing(capsys):
    """A path is no mistyped id."""
    code, line = failing(capsys, "mechanism", "release.py", "--epsilon", "1", "--delta", "0")
    assert code == ExitCode.USAGE
    assert line == "expected package.module:callable or path/to/file.py:callable, got 'release.py'"


# --- unknown ids -----------------------------------------------------------------------------------------------------


def test_a_mistyped_glob_names_the_closest_one_and_its_size():
    """The message of the style guide, word for word."""
    error = EmptySelectionError("claim", "wilkin2024.*", [f"wilkins2024.row{i}" for i in range(110)])
    assert str(error) == "no claim matches 'wilkin2024.*'; closest: 'wilkins2024.*' (110 claims)"
    assert error.exit_code is ExitCode.EMPTY_SELECTION


def test_a_mistyped_id_names_the_closest_id():
    """An id is compared with ids, not with globs."""
    error = UnknownIdError("claim", "wilkins2024.thm5.5", IDS)
    assert str(error) == "no claim matches 'wilkins2024.thm5.5'; closest: 'wilkins2024.thm5.4' (of 4 claims)"
    assert error.exit_code is ExitCode.USAGE


def test_nothing_registered_is_said():
    """Where nothing exists, nothing is suggested."""
    assert str(UnknownIdError("fault", "x", [])) == "no fault matches 'x'; no fault is registered"


def test_globs_over_ids_are_their_prefixes():
    """Every dotted prefix is a candidate."""
    assert globs_over(["a.b.c"]) == ["a.*", "a.b.*"]


def test_the_closest_of_nothing_is_none():
    """No candidate, no guess."""
    assert closest("x", []) is None


@pytest.mark.parametrize(
    ("number", "noun", "text"), [(1, "claim", "1 claim"), (2, "family", "2 families"), (0, "row", "0 rows")]
)
def test_nouns_are_counted(number, noun, text):
    """Plurals are English."""
    assert counted(number, noun) == text


def test_messages_are_one_line():
    """An error never breaks the line, whatever it quotes."""
    assert str(AuditorError("a\nb\t c")) == "a b c"


# --- the parser's own errors -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rn"], "no such command 'rn'"),
        (["run", "--profil", "quick"], "no such option '--profil'"),
        (["run", "--seed", "x"], "invalid value for '--seed'"),
        (["list", "theorems"], "'theorems' is not one of"),
        (["evaluate"], "missing argument"),
        (["accountant", "m:f", "--max-examples", "0"], "invalid value for '--max-examples'"),
        (["compare", "only-one"], "missing argument"),
    ],
)
def test_usage_errors_are_one_line(capsys, arguments, words):
    """Errors of the parser's library leave with 2 and say where the help is."""
    code, line = failing(capsys, *arguments)
    assert code == ExitCode.USAGE
    assert words in line.lower()
    assert "--help`" in line


def test_no_arguments_is_not_green(capsys):
    """A script that lost its verb must not succeed."""
    assert invoke([]) == ExitCode.USAGE
    assert "Usage: auditor" in capsys.readouterr().err


# --- values ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["run", "mine.py:release"],
            (
                "expected ids of `auditor list`, got mine.py:release; "
                "`auditor mechanism` and `auditor accountant` audit functions of a file"
            ),
        ),
        (["run", "--alpha", "2"], "expected 0 < alpha < 1, got alpha=2"),
        (["run", "--alpha", "nan"], "expected 0 < alpha < 1, got alpha=nan"),
        (["run", "--alpha", "often"], "expected 0 < alpha < 1 as a decimal such as 1e-6, got alpha=often"),
        (["run", "--seed", "-1"], "expected an integer seed >= 0, got seed=-1"),
        (["run", "--jobs", "0"], "expected 1 <= jobs <= 1024 (worker processes), got jobs=0"),
        (["run", "--jobs", "99999999"], "expected 1 <= jobs <= 1024 (worker processes), got jobs=99999999"),
        (["mechanism", "m:f", "--epsilon", "1e999999999", "--delta", "0"], EXPONENT),
        (["mechanism", "m:f", "--epsilon", "1e300", "--delta", "0"], LARGE),
        (["run", "--profile", "fast"], "expected a profile of quick, standard, deep, got 'fast'"),
        (["evaluate", CLAIM, "scale"], "expected name=value, got 'scale'"),
        (["evaluate", CLAIM, "scale=1", "scale=2"], "expected each parameter once, got scale=1 and scale=2"),
        (["evaluate", CLAIM, "--digits", "0"], "expected 1 <= digits <= 1000, got digits=0"),
        (["evaluate", CLAIM, "--arithmetic", "int8"], "expected an arithmetic of mpmath, ball, float64, got 'int8'"),
        (["accountant", "m:f", "--against", CLAIM, "--box", "scale"], "expected name=lo:hi, got 'scale'"),
        (["accountant", "m:f", "--against", CLAIM, "--box", "scale=1:"], "expected name=lo:hi, got 'scale=1:'"),
        (
            ["accountant", "m:f"],
            "expected --against CLAIM of `auditor list truths`, or --box for every parameter; got neither",
        ),
    ],
)
def test_bad_values_say_what_is_allowed(capsys, arguments, line):
    """What, value, allowed: one line, exit 2."""
    assert failing(capsys, *arguments) == (ExitCode.USAGE, line)


@pytest.mark.parametrize("value", ["0", "nan", "1e9", "infinity", "one", "1/0"])
def test_a_parameter_outside_its_domain_names_itself(capsys, value):
    """A parameter out of its box is refused with its name and value."""
    code, line = failing(capsys, "evaluate", CLAIM, f"scale={value}", "threshold=3")
    assert code == ExitCode.USAGE
    assert "scale" in line
    assert value in line


def test_an_unknown_claim_leaves_with_2(capsys):
    """Evaluating what does not exist is a usage error."""
    code, line = failing(capsys, "evaluate", "thresholds.laplace.intege", "scale=1")
    assert code == ExitCode.USAGE
    assert "closest: 'thresholds.laplace.integer'" in line


@pytest.mark.parametrize("verb", [["run"], ["list", "claims"]])
def test_an_empty_selection_leaves_with_5(capsys, tmp_path, verb):
    """A glob that matches nothing is never green, and is told before anything is written."""
    out = ["--out", str(tmp_path / "report")] if verb == ["run"] else []
    code, line = failing(capsys, *verb, "threshold.*", *out)
    assert code == ExitCode.EMPTY_SELECTION
    assert "closest: 'thresholds.*'" in line


def test_errors_in_json_mode_are_one_document(capsys):
    """With --json, standard output holds one document even when the command fails."""
    assert invoke(["evaluate", CLAIM, "--json", "scale"]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert json.loads(out) == {"error": "expected name=value, got 'scale'", "exit_code": 2}
    assert err == "error: expected name=value, got 'scale'\n"


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_report_directory_that_is_a_file_is_told_first(capsys, tmp_path, monkeypatch):
    """No check runs when the report could not be written anyway."""
    from auditor.engine import runner

    monkeypatch.setattr(runner, "run", lambda *_, **__: pytest.fail("a check was run"))
    (tmp_path / "taken").write_text("", "utf-8")
    code, line = failing(capsys, "run", "--out", str(tmp_path / "taken"))
    assert code == ExitCode.USAGE
    assert line.endswith("a file is in the way; give another --out DIR")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is damaged"),
        ("not JSON\n", "is damaged"),
        ("[]\n", "is damaged"),
        ('{"seed": 0}\n', "belongs to another run"),
    ],
)
def test_a_checkpoint_that_cannot_be_used_is_one_line(capsys, tmp_path, text, words):
    """What --resume finds in the way is named, with the remedy."""
    (tmp_path / "checkpoint.jsonl").write_text(text, "utf-8")
    code, line = failing(capsys, "run", CLAIM, "--resume", "--out", str(tmp_path))
    assert code == ExitCode.USAGE
    assert f"checkpoint.jsonl {words}" in line
    assert "drop --resume" in line


REPORTED = [
    ("", "expected an audit report of schema version 1 in {}, got an invalid field at the document: Invalid JSON"),
    ('{"schema_version": "2"}', "got another version; read it with the auditor that wrote it, or write one with"),
    (None, "cannot read the report {}/report.json: No such file or directory; write one with `auditor run --out DIR`"),
    (False, "cannot read the report {}: No such file or directory; write one with `auditor run --out DIR`"),
]


@pytest.mark.parametrize(("text", "words"), REPORTED, ids=["empty", "another version", "a folder", "none"])
@pytest.mark.parametrize("verb", [["render"], ["compare"], ["notebook", "--report"], ["reproduce", "a::b", "--report"]])
def test_a_report_that_is_none_is_one_line_with_the_remedy(capsys, tmp_path, monkeypatch, verb, text, words):
    """An empty file, a report of another version, a folder without one, no file."""
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "given"
    if text is None:
        file.mkdir()
    elif text is not False:
        file.write_text(text, "utf-8")
    code, line = failing(capsys, *verb, str(file), *([str(file)] if verb == ["compare"] else []))
    assert code == ExitCode.USAGE
    assert words.format(file) in line


OUTPUTS = [
    ["render", "REPORT", "--out"],
    ["render", "REPORT", "--to", "site", "--out"],
    ["notebook", "half_noise", "--out"],
    ["experiments", "bharadwaj2022.ranges", "--out"],
    ["run", CLAIM, "--profile", "quick", "--out"],
]


@pytest.mark.slow
@pytest.mark.parametrize("arguments", OUTPUTS, ids=lambda arguments: " ".join(arguments[:4:3]))
def test_what_must_not_be_written_is_one_line(capsys, tmp_path, monkeypatch, arguments):
    """A folder that takes no files: as the file system says it, since whoever runs tests may be root."""
    report = tmp_path / "report.json"
    report.write_text(report_json.render(sample_report()), "utf-8")
    write = Path.write_text, Path.write_bytes

    def refused(path, *given, **options):
        if tmp_path in path.resolve().parents and path != report:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return write[isinstance(given[0], bytes)](path, *given, **options)

    monkeypatch.setattr(Path, "write_text", refused)
    monkeypatch.setattr(Path, "write_bytes", refused)
    words = [str(report) if word == "REPORT" else word for word in arguments]
    code, line = failing(capsys, *words, str(tmp_path / "out"))
    assert code == ExitCode.USAGE
    assert "permission denied; give another" in line


@pytest.mark.parametrize("verb", [["render"], ["verify"], ["reproduce", "a::b", "--report"]])
@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_file_without_end_is_one_line(capsys, monkeypatch, verb):
    """A device is read up to what a report could have."""
    monkeypatch.setattr(report_json, "MOST_BYTES", 2**20)
    code, line = failing(capsys, *verb, "/dev/zero")
    assert code == ExitCode.USAGE
    assert line.startswith("cannot read the report /dev/zero: File too large")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected JSON"),
        ("[]", "got other fields"),
        ('{"left": {}}', "got other fields"),
        ('{"left":' + "[" * 20_000, "brackets too deep"),
        ('{"left": {"k0": ' + "9" * 5000, "numbers too long"),
    ],
)
def test_a_bad_pair_file_is_refused(capsys, tmp_path, text, words):
    """A pair file is JSON with exactly left and right."""
    pair = tmp_path / "pair.json"
    pair.write_text(text, "utf-8")
    code, line = failing(capsys, "mechanism", "m:f", "--epsilon", "1", "--delta", "0", "--pair", str(pair))
    assert code == ExitCode.USAGE
    assert words in line


def test_a_hostile_id_cannot_drive_the_terminal(capsys):
    """Control characters in an error are spelt out."""
    _, line = failing(capsys, "explain", "x\x1b[2J\x07")
    assert "\x1b" not in line
    assert "\\x1b[2J\\x07" in line


# --- targets ---------------------------------------------------------------------------------------------------------


def test_a_mistyped_mechanism_names_the_closest_one(capsys):
    """A target without a colon is the id of a mechanism, fault or control."""
    code, line = failing(capsys, "mechanism", "half_nois", "--epsilon", "1", "--delta", "0")
    assert code == ExitCode.USAGE
    assert "no mechanism matches 'half_nois'; closest: 'half_noise'" in line


@pytest.mark.slow
@pytest.mark.parametrize("target", ["no_such_module:f", "no/such/file.py:f", "math:no_such_name", "math:pi"])
def test_a_target_that_cannot_be_audited_is_one_line(capsys, target):
    """A target that does not import or is not callable leaves with 2."""
    code, line = failing(capsys, "accountant", target, "--against", CLAIM)
    assert code == ExitCode.USAGE
    assert target.rpartition(":")[0] in line or target.rpartition(":")[2] in line


@pytest.mark.slow
def test_a_target_that_does_not_import_comes_with_the_remedy(capsys, tmp_path, monkeypatch):
    """Where a module is looked for, where a file is, what a file has instead."""
    (tmp_path / "mine.py").write_text("def release(histogram, rng):\n    return {}\n", "utf-8")
    lacks = "No module named 'polars'"
    (tmp_path / "framed.py").write_text(f'raise ModuleNotFoundError("{lacks}")\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    told = {
        "framed.py:release": f"{lacks}; pip install 'sparse-histogram-auditor[frames]'",
        "no_such_module:f": "--python names the interpreter that has it, PYTHONPATH the folder",
        "yours.py:f": "paths are relative to the working directory",
        "mine.py:realease": "it has no attribute 'realease'; it has release",
    }
    for target, remedy in told.items():
        code, line = failing(capsys, "mechanism", target, "--epsilon", "1", "--delta", "0")
        assert code == ExitCode.USAGE
        assert line.endswith(remedy)


# --- defects of our own, and signals ---------------------------------------------------------------------------------


def broken(*_, **__):
    """Fail as only a defect does."""
    raise ZeroDivisionError("of our\nown")


def test_a_defect_is_one_line_and_exit_2(capsys, monkeypatch):
    """What nobody foresaw is no stack trace and is not taken for a finding."""
    monkeypatch.setattr("auditor.engine.evaluation.evaluate", broken)
    code, line = failing(capsys, "evaluate", CLAIM)
    assert code == ExitCode.USAGE
    assert line.startswith("the auditor itself failed: ZeroDivisionError: of our own; ")
    assert "AUDITOR_DEBUG=1" in line


def test_a_defect_shows_its_trace_on_demand(monkeypatch):
    """AUDITOR_DEBUG=1 lets the exception through."""
    monkeypatch.setattr("auditor.engine.evaluation.evaluate", broken)
    monkeypatch.setenv("AUDITOR_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        invoke(["evaluate", CLAIM])


def test_a_termination_is_an_interruption(capsys, monkeypatch):
    """SIGTERM ends a command as Ctrl-C does: one line, exit 130."""
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("auditor.engine.evaluation.evaluate", lambda *_: os.kill(os.getpid(), signal.SIGTERM))
    monkeypatch.setattr(sys, "argv", ["auditor", "evaluate", CLAIM])
    try:
        with pytest.raises(SystemExit) as ended:
            cli.main()
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended.value.code == ExitCode.INTERRUPTED
    assert capsys.readouterr().err == "error: interrupted\n"
