"""Checkpoints: what was done is kept, what was cut off is done again, and any other damage is one line."""

from __future__ import annotations

import json

import pytest

from auditor.engine.checkpoint import CHECKPOINT, Checkpoint
from auditor.engine.runner import UnitDone, run
from auditor.errors import OutputError
from auditor.report import json as report_json

FEW = ["wilkins2024.A.9", "wilkins2024.def2.*"]


@pytest.fixture
def interrupted(tmp_path):
    """The checkpoint that a run leaves when it is stopped after its second unit."""
    done = []

    def interrupt(event):
        if isinstance(event, UnitDone):
            done.append(event.unit_id)
            if len(done) == 2:
                raise KeyboardInterrupt

    run(FEW, profile="quick", out=tmp_path, events=interrupt)
    return tmp_path / CHECKPOINT


def resumed(path, **options):
    """The same run, resumed."""
    return run(FEW, profile="quick", out=path.parent, resume=True, **options)


def ran(path):
    """Units that a resumed run does before it stops after the first that was not in the checkpoint."""
    kept = [json.loads(line)["unit"] for line in path.read_text().splitlines()[1:]]
    fresh = []

    def stop(event):
        if isinstance(event, UnitDone) and event.unit_id not in kept:
            fresh.append(event.unit_id)
            raise KeyboardInterrupt

    resumed(path, events=stop)
    return kept, fresh


def test_what_was_cut_off_is_done_again_and_spoils_nothing_that_follows(interrupted):
    """A line without its end, whatever is in it; the next unit gets a line of its own."""
    lines = interrupted.read_text().splitlines()
    interrupted.write_text("\n".join([*lines[:2], lines[2][:40]]))
    with interrupted.open("rb") as before:
        assert not before.read().endswith(b"\n")
    Checkpoint(interrupted.parent, json.loads(lines[0]), resume=True)
    assert interrupted.read_text().splitlines() == lines[:2]
    kept, fresh = ran(interrupted)
    assert len(kept) == 1
    assert len(fresh) == 1
    assert [json.loads(line)["unit"] for line in interrupted.read_text().splitlines()[1:]] == kept + fresh
    assert report_json.render(resumed(interrupted)) == report_json.render(run(FEW, profile="quick"))


def test_a_file_without_its_first_line_is_damaged(interrupted):
    """The first line is there from the start: without it the file is of nobody."""
    for text in ("", interrupted.read_text()[:20]):
        interrupted.write_text(text)
        with pytest.raises(OutputError, match=r"^line 1 of .* is damaged; drop --resume"):
            resumed(interrupted)


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
    lines = interrupted.read_text().splitlines()
    interrupted.write_text("\n".join([lines[0], damage, *lines[1:]]) + "\n")
    with pytest.raises(OutputError, match=r"^line 2 of .* is damaged; drop --resume to start from the beginning$"):
        resumed(interrupted)
    interrupted.write_text("\n".join([damage, *lines]) + "\n")
    with pytest.raises(OutputError, match=r"^line 1 of .* is damaged|belongs to another run"):
        resumed(interrupted)


def test_findings_of_another_subject_are_damage(interrupted):
    """A verdict is not moved from one claim to another."""
    lines = interrupted.read_text().splitlines()
    entry = json.loads(lines[1])
    entry["unit"] = "wilkins2024.thm5.4::numeric"
    interrupted.write_text("\n".join([lines[0], json.dumps(entry), *lines[2:]]) + "\n")
    with pytest.raises(OutputError, match=r"line 2 of .* is damaged"):
        resumed(interrupted)


@pytest.mark.parametrize(
    ("name", "other", "here"),
    [("seed", "1", "0"), ("sparse-histogram-auditor", '"0.0.1"', '".*"'), ("numpy", '"1.0"', '".*"')],
)
def test_a_checkpoint_of_another_run_or_version_is_refused(interrupted, name, other, here):
    """Resuming would mix two runs: the line names what differs."""
    lines = interrupted.read_text().splitlines()
    header = {**json.loads(lines[0]), name: json.loads(other)}
    interrupted.write_text("\n".join([json.dumps(header), *lines[1:]]) + "\n")
    message = f"belongs to another run: its {name} is {other}, here it is {here}; drop --resume"
    with pytest.raises(OutputError, match=message):
        resumed(interrupted)


def test_a_checkpoint_that_cannot_be_read_is_one_line(tmp_path):
    """A folder in its place, say."""
    (tmp_path / CHECKPOINT).mkdir()
    with pytest.raises(OutputError, match=r"cannot use the checkpoint .*: Is a directory"):
        run(FEW, profile="quick", out=tmp_path, resume=True)
