"""A limit of the clock on the wall ends an audit, and a slow target does not overrun the search."""

import re
import time

import pytest

from auditor.engine.runner import Started, UnitDone
from auditor.errors import UsageError
from auditor.front.verbs import progress
from auditor.mechanism_audit.result import about
from auditor.mechanism_audit.sampler import Pace
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

RELEASE, IMPORT = 1.0, 3.0
"""Seconds of a release, and those that starting a process on a busy machine may take."""


def waits(histogram, rng):
    """Count with noise for one user, after a second."""
    time.sleep(RELEASE)
    return {key: count + int(rng.geometric(0.6)) - int(rng.geometric(0.6)) for key, count in histogram.items()}


def quick(histogram, rng):
    """Count with a tenth of the noise for one user, after a fiftieth of a second."""
    time.sleep(RELEASE / 50)
    return {key: round(count + rng.laplace(0, 0.1), 1) for key, count in histogram.items()}


def right(histogram, rng):
    """Count two keys with noise for one user, after a fiftieth of a second."""
    time.sleep(RELEASE / 50)
    return {key: histogram.get(key, 0) + int(rng.geometric(0.6)) - int(rng.geometric(0.6)) for key in "ab"}


@pytest.mark.slow
def test_an_audit_ends_within_the_limit_and_one_release():
    """Nothing is said of a target that gives a release a second."""
    begun = time.monotonic()
    result = audit_mechanism(waits, epsilon="1", delta="0.01", keys=("a",), wall=5.0)
    assert time.monotonic() - begun < 5.0 + RELEASE + IMPORT
    assert result.verdict is Verdict.UNDECIDED
    assert re.search(r"within --wall 5 seconds \(a release takes about \d.* s\); allow more with --wall", result.detail)
    assert "--wall 5" in result.reproduce


@pytest.mark.slow
def test_a_limit_that_suffices_for_the_evidence_refutes():
    """And one that suffices for part of the power is undecided, with the bets that were made."""
    wrong = audit_mechanism(quick, epsilon="1", delta="0.01", keys=("a",), wall=60.0)
    assert wrong.verdict is Verdict.REFUTED
    begun = time.monotonic()
    result = audit_mechanism(right, epsilon="1", delta="0.01", keys=("a", "b"), wall=20.0)
    assert time.monotonic() - begun < 20.0 + RELEASE + IMPORT
    assert result.verdict is Verdict.UNDECIDED
    assert result.result is not None
    assert result.result.samples > 0


def test_the_share_of_the_wall_clock_that_is_over_counts_as_spent(monkeypatch):
    """Of 10 seconds 5: half of the budget. A replay has no limit."""
    pace, replay = Pace(60.0, wall=10.0), Pace(60.0, (1, 2), wall=10.0)
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 5.0)
    assert 29.0 < pace.clock() < 31.0
    assert replay.clock() < 5.0
    assert not pace.over()
    monkeypatch.setattr(time, "monotonic", lambda: now + 11.0)
    assert pace.over()


@pytest.mark.parametrize("wall", [0.0, -1.0, float("nan"), float("inf")])
def test_a_limit_is_a_number_of_seconds(wall):
    """Positive and finite."""
    with pytest.raises(UsageError, match="expected finite --wall > 0"):
        audit_mechanism(max, epsilon="1", wall=wall)


def test_off_a_terminal_a_line_comes_every_ten_seconds(monkeypatch, capsys):
    """None in between, and none if nothing is to be printed."""
    monkeypatch.setattr(progress, "interactive", lambda: False)
    now = time.monotonic()
    with progress.live_line() as write, progress.live_line(quiet=True) as nothing:
        assert nothing is None
        for seconds in (1.0, 11.0, 12.0, 22.0):
            monkeypatch.setattr(time, "monotonic", lambda seconds=seconds: now + seconds)
            write(f"after {seconds:g} s")
    assert capsys.readouterr().err.splitlines() == ["after 11 s", "after 22 s"]


@pytest.mark.parametrize("columns", [80, 140])
def test_on_a_terminal_progress_takes_one_line(monkeypatch, capsys, columns):
    """Of an audit and of a run: the numbers are whole, and the end of the text is cut."""
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm"), ("COLUMNS", str(columns))):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(progress, "interactive", lambda: True)
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    text = " ".join(f"word{i}" for i in range(30))
    with progress.live_line() as write:
        write(text)
    with progress.listener() as listen:
        listen(Started(total=2785))
        listen(UnitDone(text, ()))
    lines = re.split(r"\r?\n|\r", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err))
    cut = [line for line in lines if "word0 word1" in line]
    assert {len(line) for line in cut} == {columns}
    assert all(line.endswith("…") for line in cut)
    assert not any(line.startswith("word") for line in lines)
    assert any(re.search(r" +1/2785 0:00:00 left: \S+ word0", line) for line in cut)


def test_an_audit_without_a_release_for_a_test_says_what_would_decide():
    """What a release takes, and more of the budget."""

    def total(histogram, rng):
        return round(sum(histogram.values()) + rng.laplace(0, 1), 1)

    result = audit_mechanism(total, epsilon="1", blocks=(4, *(0,) * 9, 2, 0, 2048, 0, 0, 1, 0, 0, 0))
    assert result.verdict is Verdict.UNDECIDED
    assert result.detail.startswith("undecided: makes too few releases to bet on within the budget of 60 CPU seconds")
    assert "a release takes about" in result.detail
    assert result.would_take.seconds == 600


@pytest.mark.parametrize(
    ("seconds", "text"), [(21_000.0, "21,000"), (1.3, "1.3"), (0.037, "0.037"), (123_456, "120,000")]
)
def test_times_are_written_without_an_exponent(seconds, text):
    """To two digits."""
    assert about(seconds) == text
