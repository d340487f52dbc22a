"""`auditor run --timings FILE`: what each check took."""

import csv

import pytest

from auditor.front.cli import invoke


@pytest.mark.slow
def test_each_check_has_its_seconds_and_the_report_none(tmp_path):
    """The longest first; a check that an earlier run did has no seconds, and the report is the same."""
    arguments = ["run", "wilkins2024.A.9", "--profile", "quick", "--jobs", "1", "--cache", str(tmp_path / "kept")]
    for name in ("first", "second"):
        assert invoke([*arguments, "--out", str(tmp_path / name), "--timings", str(tmp_path / f"{name}.csv")]) == 0
    first, second = (
        list(csv.DictReader((tmp_path / f"{name}.csv").read_text("utf-8").splitlines())) for name in ("first", "second")
    )
    assert {row["check"] for row in first} == {row["check"] for row in second}
    assert "wilkins2024.A.9::lemma.search" in {row["check"] for row in first}
    taken = [float(row["cpu_seconds"]) for row in first]
    assert taken == sorted(taken, reverse=True)
    assert taken[0] > 0
    assert all(float(row["wall_seconds"]) >= 0 for row in first)
    assert {row["cpu_seconds"] for row in second} == {row["wall_seconds"] for row in second} == {""}
    assert (tmp_path / "first/report.json").read_bytes() == (tmp_path / "second/report.json").read_bytes()
