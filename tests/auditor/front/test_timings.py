"""`auditor run`: what each check took, and which were not run again."""

import csv

import pytest

from auditor.engine.runner import UnitDone
from auditor.front.cli import invoke
from auditor.front.verbs.run import MOST_CAUSES, reuse


@pytest.mark.slow
def test_each_check_has_its_seconds_and_the_report_none(tmp_path, capsys):
    """The longest first; a check that an earlier run did has no seconds, and the report is the same.

    The terminal says of each check, and of how many, that they were found before.
    """
    arguments = ["run", "wilkins2024.A.9", "--profile", "quick", "--jobs", "1", "--cache", str(tmp_path / "kept")]
    for name in ("first", "second"):
        assert invoke([*arguments, "--out", str(tmp_path / name), "--timings", str(tmp_path / f"{name}.csv")]) == 0
        said, lines = capsys.readouterr()
        checks = lines.count("wilkins2024.A.9::")
        assert lines.count("(stored finding: nothing has changed)") == (checks if name == "second" else 0)
        assert (f"{checks} of {checks} checks not run again: nothing that they depend on" in said) == (name == "second")
    first, second = (
        list(csv.DictReader((tmp_path / f"{name}.csv").read_text("utf-8").splitlines())) for name in ("first", "second")
    )
    assert {row["check"] for row in first} == {row["check"] for row in second}
    assert "wilkins2024.A.9::lemma.search" in {row["check"] for row in first}
    seconds = [float(row["cpu_seconds"]) for row in first]
    assert seconds == sorted(seconds, reverse=True)
    assert seconds[0] > 0
    assert all(float(row["wall_seconds"]) >= 0 for row in first)
    assert {row["cpu_seconds"] for row in second} == {row["wall_seconds"] for row in second} == {""}
    assert (tmp_path / "first/report.json").read_bytes() == (tmp_path / "second/report.json").read_bytes()


def test_why_checks_were_found_anew_is_said_by_cause():
    """The most frequent first; a run that begins says nothing of earlier ones."""
    assert reuse([UnitDone("a::b", ()), UnitDone("c::b", ())]) == []
    done = [
        UnitDone("a::b", (), again=True),
        *(UnitDone("c::b", (), changed=name) for name in ("one.py", "two.py", "two.py")),
    ]
    assert reuse(done) == [
        "1 of 4 checks not run again: nothing that they depend on has changed.",
        "  run again because two.py changed: 2",
        "  run again because one.py changed: 1",
    ]
    many = [UnitDone("a::b", (), changed=str(number)) for number in range(MOST_CAUSES + 2)]
    assert reuse(many)[-1] == "  run again because of other changes: 2"
