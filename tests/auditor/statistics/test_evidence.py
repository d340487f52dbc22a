"""Evidence across runs: nothing is used twice, nothing is dropped, and the whole history spends one alpha."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from auditor.errors import OutputError, ReportError
from auditor.statistics.evidence import AccumulatedEvidence, Run, read_evidence, write_evidence

START = AccumulatedEvidence("half noise at wilkins2024.thm2.2", 0.05, 7)


def test_e_values_of_runs_multiply_favourable_or_not() -> None:
    """Gains and losses of finished runs add up in logarithms, version by version."""
    history = START.begin("1.0").finish(0, 1.5, 100).begin("1.0").finish(1, -0.5, 100).begin("1.1").finish(2, 9.0, 10)
    assert math.isclose(history.log_wealth("1.0"), 1.0)
    assert math.isclose(history.log_wealth("1.1"), 9.0)


def test_a_version_is_refuted_when_its_product_reaches_its_share() -> None:
    """The first version owns 6 alpha / pi^2; a product just below 1 / that decides nothing."""
    enough = -math.log(6 * 0.05 / math.pi**2)
    assert START.begin("a").finish(0, enough + 1e-9, 1).refuted("a")
    assert not START.begin("a").finish(0, enough - 1e-9, 1).refuted("a")


def test_shares_of_all_versions_sum_to_alpha() -> None:
    """The spending sequence never exceeds alpha, however many versions come."""
    history = START
    total = 0.0
    for number in range(200):
        version = f"v{number}"
        total += history.version_alpha(version)
        history = history.begin(version).finish(number, 0.0, 1)
    assert 0.99 * 0.05 < total < 0.05


def test_a_refutation_stays() -> None:
    """What one run has refuted, later unfavourable runs of the version do not take back."""
    history = START.begin("a").finish(0, 10.0, 1).begin("a").finish(1, -9.0, 1)
    assert history.refuted("a")
    assert not history.refuted("b")


def test_samples_cannot_be_used_twice() -> None:
    """A finished run cannot be finished again, and an unannounced one not at all."""
    history = START.begin("a").finish(0, 0.3, 5)
    with pytest.raises(ValueError, match="used up or unannounced"):
        history.finish(0, 3.0, 5)
    with pytest.raises(ValueError, match="used up or unannounced"):
        history.finish(1, 3.0, 5)


def test_an_unfavourable_run_cannot_be_dropped() -> None:
    """While a run is open no other one starts: it has to be replayed to its end."""
    with pytest.raises(ValueError, match="replay it first"):
        START.begin("a").begin("a")
    with pytest.raises(ValueError, match="open"):
        replace(START, runs=(Run(0, "a"), Run(1, "a", 0.0, 1)))


def test_file_round_trip(tmp_path: Path) -> None:
    """What is written is read back, open run included."""
    path = tmp_path / "evidence.json"
    history = START.begin("a").finish(0, -0.25, 64).begin("b")
    write_evidence(history, path)
    assert read_evidence(path, START.subject) == history
    assert json.loads(path.read_text("utf-8"))["runs"][1]["log_wealth"] is None


def test_files_that_cannot_be_trusted_are_refused(tmp_path: Path) -> None:
    """Another subject, broken JSON, a missing file and a gap in the runs are each one line."""
    path = tmp_path / "evidence.json"
    write_evidence(START.begin("a").finish(0, 0.0, 1).begin("a"), path)
    with pytest.raises(ReportError, match="other"):
        read_evidence(path, "other")
    content = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**content, "runs": content["runs"][1:]}), "utf-8")
    with pytest.raises(ReportError, match="without gaps"):
        read_evidence(path, START.subject)
    path.write_text("{", "utf-8")
    with pytest.raises(ReportError, match="expected evidence"):
        read_evidence(path, START.subject)
    with pytest.raises(ReportError, match="No such file"):
        read_evidence(tmp_path / "none.json", START.subject)
    with pytest.raises(OutputError, match="can be written"):
        write_evidence(START, tmp_path / "no" / "evidence.json")
