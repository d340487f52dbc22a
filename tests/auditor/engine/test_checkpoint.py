"""Checkpoints: what was done is kept, what was cut off is done again, and any other damage is one line."""

import json
import resource
import sys
from contextlib import contextmanager
from dataclasses import replace

import pytest

from auditor.engine.checkpoint import CHECKPOINT, Checkpoint
from auditor.engine.runner import UnitDone, run
from auditor.errors import ExitCode, OutputError
from auditor.front.cli import invoke
from auditor.profile import PROFILES
from auditor.report import json as report_json
from tests.auditor.engine.stopped import stopped

FEW = ["wilkins2024.A.9", "wilkins2024.def2.*"]


@pytest.fixture(scope="module", autouse=True)
def few_examples():
    """Searches of a few points: what is kept of a unit does not depend on how much it did."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(PROFILES, "quick", replace(PROFILES["quick"], examples=3, points=2))
        yield


@pytest.fixture
def interrupted(tmp_path):
    """The checkpoint that a run leaves when it is stopped after its second unit."""
    stopped(FEW, tmp_path)
    return tmp_path / CHECKPOINT


def resumed(path, **options):
    """The same run, resumed."""
    return run(FEW, profile="quick", out=path.parent, resume=True, **options)


def ran(path):
    """Units that a resumed run does before it stops after the first that was not in the checkpoint."""
    units = [json.loads(line)["unit"] for line in path.read_text("utf-8").splitlines()[1:]]
    fresh = []

    def stop(event):
        if isinstance(event, UnitDone) and event.unit_id not in units:
            fresh.append(event.unit_id)
            raise KeyboardInterrupt

    resumed(path, events=stop)
    return units, fresh


@pytest.mark.slow
def test_what_was_cut_off_is_done_again_and_spoils_nothing_that_follows(interrupted):
    """A line without its end, whatever is in it; the next unit gets a line of its own."""
    lines = interrupted.read_text("utf-8").splitlines()
    interrupted.write_text("\n".join([*lines[:2], lines[2][:40]]), "utf-8")
    with interrupted.open("rb") as before:
        assert not before.read().endswith(b"\n")
    Checkpoint(interrupted.parent, json.loads(lines[0]), resume=True).close()
    assert interrupted.read_text("utf-8").splitlines() == lines[:2]
    kept, fresh = ran(interrupted)
    assert len(kept) == 1
    assert len(fresh) == 1
    assert [json.loads(line)["unit"] for line in interrupted.read_text("utf-8").splitlines()[1:]] == kept + fresh
    assert report_json.render(resumed(interrupted)) == report_json.render(run(FEW, profile="quick"))


@pytest.mark.slow
def test_a_file_without_its_first_line_is_damaged(interrupted):
    """The first line is there from the start: without it the file is of nobody."""
    for text in ("", interrupted.read_text("utf-8")[:20]):
        interrupted.write_text(text, "utf-8")
        with pytest.raises(OutputError, match=r"^line 1 of .* is damaged; drop --resume"):
            resumed(interrupted)


@pytest.mark.slow
@pytest.mark.parametrize(
    "damage",
    [
        "hello",
        "[1, 2]",
        "{}",
        '{"unit": "wilkins2024.A.9::lemma.search"}',
        '{"unit": "wilkins2024.A.9::lemma.search", "findings": []}',
        '{"unit": "wilkins2024.A.9::lemma.search", "findings": [{"id": 3}]}',
        '{"unit": 3, "findings": []}',
        "\ufffd",
    ],
)
def test_damage_is_told_with_its_line(interrupted, damage):
    """Nothing that cannot be a unit of this run is taken for one, or passed over."""
    lines = interrupted.read_text("utf-8").splitlines()
    interrupted.write_text("\n".join([lines[0], damage, *lines[1:]]) + "\n", "utf-8")
    with pytest.raises(OutputError, match=r"^line 2 of .* is damaged, or not of this run; drop --resume to start"):
        resumed(interrupted)
    interrupted.write_text("\n".join([damage, *lines]) + "\n", "utf-8")
    with pytest.raises(OutputError, match=r"^line 1 of .* is damaged|belongs to another run"):
        resumed(interrupted)


def edited(line, old, new):
    """A line with one thing changed, which must be in it."""
    assert old in line
    return line.replace(old, new, 1)


DAMAGE = {
    "a verdict edited": lambda head, a, b, _: [head, edited(a, '"verdict": "', '"verdict": "PROVED'), b],
    "a number edited": lambda head, a, b, _: [head, edited(a, '"headline": "', '"headline": "1'), b],
    "a unit renamed": lambda head, a, b, _: [head, edited(a, '"unit": "', '"unit": "x'), b],
    "findings moved to another unit": lambda head, a, b, _: [
        head,
        json.dumps({**json.loads(a), "unit": json.loads(b)["unit"]}),
        b,
    ],
    "a line taken out": lambda head, _a, b, _: [head, b],
    "lines exchanged": lambda head, a, b, _: [head, b, a],
    "a line twice": lambda head, a, b, _: [head, a, a, b],
    "a line of another run": lambda head, a, b, other: [head, a, b, other],
    "only lines of another run": lambda head, _a, _b, other: [head, other],
    "an empty line": lambda head, a, b, _: [head, "", a, b],
    "garbage at the end": lambda head, a, b, _: [head, a, b, "garbage"],
    "a seal taken out": lambda head, a, b, _: [head, json.dumps({**json.loads(a), "seal": None}), b],
    "a field more": lambda head, a, b, _: [head, json.dumps({**json.loads(a), "more": 1}), b],
    "brackets without end": lambda head, a, b, _: [head, "[" * 20_000, a, b],
    "a number without end": lambda head, a, b, _: [head, '{"unit": ' + "9" * 5000 + "}", a, b],
    "no first line": lambda _head, a, b, _: [a, b],
    "another first line": lambda head, a, b, _: [edited(head, '"seed": 0', '"seed": 1'), a, b],
    "nothing": lambda *_: [],
}
"""What can happen to a file of a header and two units; the last argument is a line of a run with another seed."""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Lines of the checkpoint of an interrupted run, and one of the same run with another seed."""
    lines = {}
    for seed in (0, 1):
        folder = tmp_path_factory.mktemp("run")
        with Checkpoint(folder, {"seed": seed}, resume=False) as checkpoint:
            for finding in run(FEW, profile="quick", seed=seed).findings[:2]:
                checkpoint.add(f"{finding.subject}::{finding.check}", [finding.model_dump(mode="json")])
        lines[seed] = (folder / CHECKPOINT).read_text("utf-8").splitlines()
    return [*lines[0], lines[1][1]]


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_is_damaged_or_edited_is_refused_in_words(tmp_path, written, damage):
    """Every kind of damage but a cut end: one line that says where, and what to do."""
    (tmp_path / CHECKPOINT).write_text("".join(f"{line}\n" for line in damage(*written)), "utf-8")
    with pytest.raises(OutputError, match=r"(is damaged|belongs to another run).*; drop --resume to start from the"):
        Checkpoint(tmp_path, {"seed": 0}, resume=True)


@pytest.mark.parametrize("cut", [1, 2, 20, 200])
def test_what_a_dying_run_cuts_off_is_taken_out(tmp_path, written, cut):
    """The end is gone: what is before it stays, and the file is whole again."""
    text = "".join(f"{line}\n" for line in written[:3])
    (tmp_path / CHECKPOINT).write_text(text[:-cut], "utf-8")
    with Checkpoint(tmp_path, {"seed": 0}, resume=True) as checkpoint:
        assert list(checkpoint.done) == [json.loads(written[1])["unit"]]
    assert (tmp_path / CHECKPOINT).read_text("utf-8").splitlines() == written[:2]


def test_bytes_that_are_no_text_are_one_line(tmp_path):
    """A file of something else."""
    (tmp_path / CHECKPOINT).write_bytes(b"\xff\xfe\0")
    with pytest.raises(OutputError, match=r"cannot use the checkpoint .*: not UTF-8 text"):
        Checkpoint(tmp_path, {"seed": 0}, resume=True)


# --- a finished run is not lost --------------------------------------------------------------------------------------


def test_two_runs_into_one_folder_are_told_apart(tmp_path):
    """The second one is refused in a line, at once; the folder is free when the first is done."""
    with (
        Checkpoint(tmp_path, {"seed": 0}, resume=False),
        pytest.raises(OutputError, match=r"^another run writes to .*; wait for it, or give another --out DIR$"),
    ):
        run(FEW, profile="quick", seed=1, out=tmp_path)
    run(FEW, profile="quick", seed=1, out=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_the_checkpoint_stays_until_the_report_is_kept(tmp_path):
    """A report that could not be written is written by the next run, without one check more."""

    def full(_report):
        assert (tmp_path / CHECKPOINT).exists()
        raise OutputError("the disk is full")

    with pytest.raises(OutputError, match="full"):
        run(FEW, profile="quick", out=tmp_path, keep=full)
    kept, reports = (tmp_path / CHECKPOINT).read_text("utf-8"), []
    again = run(FEW, profile="quick", out=tmp_path, resume=True, keep=reports.append)
    assert len(kept.splitlines()) == 1 + len({(finding.subject, finding.check) for finding in again.findings})
    assert reports == [again]
    assert again == run(FEW, profile="quick")
    assert not (tmp_path / CHECKPOINT).exists()


@contextmanager
def files_of_at_most(size):
    """Let every write beyond so many bytes of a file fail, as on a disk that is full.

    Modules that are imported meanwhile are not kept compiled: Python would keep the first bytes, and fail ever after.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "dont_write_bytecode", True)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.slow
@pytest.mark.parametrize("size", [0, 100, 1_000, 4_000, 10_000])
def test_a_disk_that_fills_up_at_any_moment_costs_nothing_but_time(tmp_path, capsys, size):
    """One line, exit 2, no half of a report; a resumed run gives the report, byte for byte."""
    arguments = ["run", *FEW, "--profile", "quick", "--jobs", "1", "--out"]
    with files_of_at_most(size):
        code = invoke([*arguments, str(tmp_path / "full")])
    errors = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    left = {path.name for path in (tmp_path / "full").iterdir()}
    assert code == ExitCode.USAGE
    assert len(errors) == 1
    assert "file too large" in errors[0].lower()
    assert left <= {CHECKPOINT, "checkpoint.new"}
    resume = ["--resume"] if size else []
    assert invoke([*arguments, str(tmp_path / "full"), *resume]) == ExitCode.OK
    assert invoke([*arguments, str(tmp_path / "whole")]) == ExitCode.OK
    for name in ("report.json", "report.html", "report.md", "junit.xml"):
        assert (tmp_path / "full" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "other", "here"),
    [("seed", "1", "0"), ("sparse-histogram-auditor", '"0.0.1"', '".*"'), ("numpy", '"1.0"', '".*"')],
)
def test_a_checkpoint_of_another_run_or_version_is_refused(interrupted, name, other, here):
    """Resuming would mix two runs: the line names what differs."""
    lines = interrupted.read_text("utf-8").splitlines()
    header = {**json.loads(lines[0]), name: json.loads(other)}
    interrupted.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n", "utf-8")
    message = f"belongs to another run: its {name} is {other}, here it is {here}; drop --resume"
    with pytest.raises(OutputError, match=message):
        resumed(interrupted)


def test_a_checkpoint_that_cannot_be_read_is_one_line(tmp_path):
    """A folder in its place, say."""
    (tmp_path / CHECKPOINT).mkdir()
    with pytest.raises(OutputError, match=r"cannot use the checkpoint .*: Is a directory"):
        run(FEW, profile="quick", out=tmp_path, resume=True)
