"""The examples of the README run as printed, and give the verdicts that the text says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from auditor.errors import ExitCode
from auditor.front.cli import invoke
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.asked import audit_mechanism

HERE = Path(__file__).parent


def audit(name: str, delta: str, samples: int, **options):
    """Audit an example at epsilon 1 by so many releases a side."""
    return audit_mechanism(f"{HERE / name}", epsilon="1", delta=delta, samples=samples, budget=120.0, seed=1, **options)


@pytest.mark.slow
def test_the_plain_function_is_refuted():
    """Half the noise on a thresholded count."""
    result = audit("plain_function.py:release", "1e-3", 20_000)
    assert result.verdict is Verdict.REFUTED, result.detail


@pytest.mark.slow
def test_the_engine_that_splits_its_budget_is_not_refuted():
    """Stateful, adapted in two lines: nothing is seen against its claim."""
    result = audit("pipeline_engine.py:release", "0.02", 6_000)
    assert result.verdict is not Verdict.REFUTED, result.detail
    assert result.result.samples == 6_000
    assert not any("rais" in note for note in result.notes)


@pytest.mark.slow
def test_the_engine_that_spends_epsilon_twice_is_refuted():
    """On counts far above the threshold both noisy counts show."""
    result = audit("pipeline_engine.py:release_without_splitting", "0.02", 20_000)
    assert result.verdict is Verdict.REFUTED, result.detail


def test_an_engine_whose_budget_is_spent_raises_and_that_is_an_output():
    """Why the adapter builds an engine for each release."""
    from tests.examples.pipeline_engine import Budget, Engine

    engine = Engine(Budget(1.0, 0.02), rng=None)
    assert list(engine.aggregate([])) == []
    with pytest.raises(RuntimeError, match="spent"):
        list(engine.aggregate([]))


@pytest.mark.slow
def test_one_release_of_the_opendp_measurement_is_enough(capsys):
    """Twenty thousand users with a key of their own are as many trials: one release, on the command line.

    Threshold 5 with scale 1 releases a single user's key with probability .0134; the promise is .0049. A search among
    all pairs finds it, too, in the page that shows this target.
    """
    pytest.importorskip("opendp", reason="opendp is not installed: pip install '.[accountants]'")
    target = f"{HERE / 'opendp_measurement.py'}:release"
    arguments = ["--epsilon", "1", "--delta", "0.004926", "--one-run", "20000", "--budget", "60", "--json"]
    assert invoke(["mechanism", target, *arguments]) == ExitCode.FINDINGS
    found = json.loads(capsys.readouterr().out)
    assert found["verdict"] == "REFUTED"
    assert float(found["delta_lower"]) > 0.004926
    assert found["samples"] == 20_000
    assert any("independent noise and only keys of the input are released" in note for note in found["notes"])
    assert any("ignores its rng" in note for note in found["notes"])
