"""What becomes of the output is no finding: a reader who leaves, a full disk, closed streams, missing letters."""

import json
import os
import shlex
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from auditor.errors import ExitCode
from auditor.front.cli import VERBS, invoke
from auditor.writing import write

ROOT = Path(__file__).resolve().parents[3]
CLAIM = "thresholds.laplace.integer"
TARGET = ROOT / "tests" / "auditor" / "target" / "leaky.py"
FULL = Path("/dev/full")
PAIR = '{"left": {"k0": 1}, "right": {}}'
NAMES = list(VERBS)


def command_line(verb: str, folder: Path) -> list[str]:
    """Arguments with which a verb succeeds and prints, or with `--help` where that would take long."""
    report = str(folder / "report.json")
    words = {
        "run": ["--out", str(folder / "run")],
        "evaluate": [CLAIM, "scale=1", "threshold=3"],
        "mechanism": [f"{TARGET}:right_universe", "--epsilon", "1", "--delta", "0", "--pair", PAIR, "--samples", "10"],
        "verify": [report],
        "list": ["claims"],
        "explain": [CLAIM],
        "render": [report],
        "compare": [report, report],
        "notebook": [CLAIM, "--out", str(folder)],
        "doctor": [],
    }
    return [verb, *words.get(verb, ["--help"])]


@contextmanager
def output_to(stream, monkeypatch):
    """Let standard output be a stream that fails when it is written or flushed."""
    monkeypatch.setattr(sys, "stdout", stream)
    try:
        yield
    finally:
        monkeypatch.undo()
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())  # what the stream still holds has to go somewhere
        os.close(null)
        stream.close()


@pytest.mark.slow
@pytest.mark.parametrize("verb", NAMES)
def test_a_closed_pipe_says_nothing_about_the_audit(verb, sample, fake_run, monkeypatch, capsys):
    """`auditor VERB ... | head -1`: neither 1, which is a finding, nor a line of error."""
    reader, writer = os.pipe()
    os.close(reader)
    with output_to(os.fdopen(writer, "w", encoding="utf-8"), monkeypatch):
        code = invoke(command_line(verb, sample))
    assert code == ExitCode.CLOSED_PIPE
    assert not [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]


@pytest.mark.slow
@pytest.mark.parametrize("json_mode", [False, True])
@pytest.mark.parametrize("verb", NAMES)
@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_a_full_disk_behind_the_output_is_one_line(verb, json_mode, sample, fake_run, monkeypatch, capsys):
    """`auditor VERB ... > full`: told, and not green."""
    with output_to(FULL.open("w", encoding="utf-8"), monkeypatch):
        code = invoke([*command_line(verb, sample), *(["--json"] if json_mode else [])])
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert code == ExitCode.USAGE
    assert errors == ["error: cannot use the output: no space left on device"]


@pytest.mark.slow
def test_a_pipeline_of_a_shell_sees_the_code_of_a_broken_pipe():
    """The process itself leaves with 141 and without a word."""
    with subprocess.Popen(
        [sys.executable, "-m", "auditor", "list", "claims"], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == ExitCode.CLOSED_PIPE


@pytest.mark.slow
@pytest.mark.parametrize("redirection", [">&-", "<&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_do_not_matter(redirection):
    """A daemon's command has no standard streams; the verdict is in the exit code all the same."""
    line = f"{shlex.quote(sys.executable)} -m auditor evaluate {CLAIM} scale=1 threshold=3 {redirection}"
    done = subprocess.run(["/bin/sh", "-c", line], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == ExitCode.OK
    assert done.stderr == ""


@pytest.mark.slow
def test_a_stream_without_greek_letters_gets_escapes():
    """An ASCII terminal is no reason to fail."""
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-m", "auditor", "explain", CLAIM], cwd=ROOT, env=environment, capture_output=True, check=False
    )
    assert done.returncode == ExitCode.OK
    assert b"\\u" in done.stdout


# --- files -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_device_is_written_to_and_not_replaced(sample, capsys):
    """`--out /dev/full` fails on the disk that is full; `/dev/full` is a device afterwards."""
    with suppress(FileNotFoundError):
        assert invoke(["render", str(sample), "--out", str(FULL)]) == ExitCode.USAGE
        assert capsys.readouterr().err == (
            "error: cannot write '/dev/full': no space left on device; give another path\n"
        )
        assert FULL.is_char_device()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["", ".", "x" * 5000, "report.json/below"])
def test_a_path_that_cannot_be_written_is_one_line(sample, capsys, monkeypatch, name):
    """What, which path, why: and nothing is left beside it."""
    monkeypatch.chdir(sample)
    assert invoke(["render", str(sample), "--out", name]) == ExitCode.USAGE
    err = capsys.readouterr().err
    assert err.startswith("error: cannot write '")
    assert err.endswith("give another path\n")
    assert err.count("\n") == 1
    assert [path.name for path in sample.iterdir()] == ["report.json"]


def test_a_name_of_the_longest_length_can_be_written(tmp_path):
    """The partial file does not need a longer one."""
    write(tmp_path / ("x" * 255), "text")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["text"]


def test_a_link_to_a_file_stays_a_link(tmp_path):
    """The file that it leads to is replaced."""
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write(tmp_path / "link", "text")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "text"


def test_json_output_holds_letters_only(capsys):
    """What a terminal would obey is spelt by JSON's own escapes, so that the document says the same."""
    assert invoke(["explain", "x\x1b[2J\x9b\u202e\udcff", "--json"]) == ExitCode.USAGE
    out = capsys.readouterr().out
    assert all(letter.isprintable() or letter == "\n" for letter in out)
    assert "x\\x1b[2J\\x9b\\u202e\\udcff" in json.loads(out)["error"]
