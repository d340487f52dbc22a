"""Search of inputs: pairs ranked for the time of a release, its share of an audit, and CPU seconds of red and green.

Targets are twins of `tests/field`: a reported fault and its right version, audited with the default settings. All
figures are ratios within one run.
"""

import statistics
import time
from contextlib import contextmanager
from types import SimpleNamespace

import numpy as np
import pytest

from auditor.mechanism_audit.sampler import Sampler
from benchmarks.test_default_audit import cpu_seconds
from proofs_numeric.statements.verdict import Verdict
from tests.field.corpus import audits
from tests.field.record import run

TWINS = ("textbook_laplace", "budget_not_split", "mean_by_n", "threshold_inclusive")
SEARCHES = ("searching data sets", "searching neighbours")
BARE = 2000
"""Releases by which a bare target is timed."""


def audited(name: str, monkeypatch) -> SimpleNamespace:
    """Audit one version: its verdict, the CPU seconds of each stage, and the pairs that were ranked."""
    record = SimpleNamespace(stages=dict.fromkeys(SEARCHES, 0.0), ranked_pairs=0, verdict=None, seconds=0.0)
    doing, survey = Sampler.doing, Sampler.survey

    @contextmanager
    def timed(sampler: Sampler, stage: str):
        before = sampler.pace.clock()
        with doing(sampler, stage):
            yield
        record.stages[stage] = record.stages.get(stage, 0.0) + sampler.pace.clock() - before

    def counted(sampler: Sampler, inputs, *arguments):
        record.ranked_pairs += len(inputs) // 2
        return survey(sampler, inputs, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Sampler, "doing", timed)
        patched.setattr(Sampler, "survey", counted)
        before = cpu_seconds()
        record.verdict = run(audits()[name]).verdict
        record.seconds = cpu_seconds() - before
    return record


def bare_seconds() -> float:
    """CPU seconds of a plain release of Laplace noise in this process."""
    rng, started = np.random.default_rng(0), time.process_time()
    for _ in range(BARE):
        _noisy = {key: round(1024 * (count + rng.laplace(0.0, 1.0))) / 1024 for key, count in {"a": 1, "b": 2}.items()}
    return (time.process_time() - started) / BARE


@pytest.fixture(scope="module")
def pairs_of_twins():
    """The audits of right and wrong versions, in this order."""
    patch = pytest.MonkeyPatch()
    return [(audited(f"{name}:right", patch), audited(f"{name}:wrong", patch)) for name in TWINS]


def test_the_search_of_inputs_takes_a_third_of_a_green_audit_at_most(pairs_of_twins, benchmark) -> None:
    """The rest decides: fresh releases, bets and bounds."""
    benchmark.pedantic(lambda: None, rounds=1)
    shares = [sum(right.stages[stage] for stage in SEARCHES) / right.seconds for right, _ in pairs_of_twins]
    benchmark.extra_info["share"] = float(f"{statistics.median(shares):.2g}")
    assert statistics.median(shares) <= 1 / 3


def test_a_pair_is_ranked_in_the_time_of_one_thousand_bare_releases_at_most(pairs_of_twins, benchmark) -> None:
    """A ranked pair takes a few releases of each side, their comparison and their coverage."""
    benchmark.pedantic(lambda: None, rounds=1)
    unit = bare_seconds()
    units = [right.stages[SEARCHES[0]] / (right.ranked_pairs * unit) for right, _ in pairs_of_twins]
    benchmark.extra_info["releases"] = float(f"{statistics.median(units):.2g}")
    assert statistics.median(units) <= 1000


def test_a_right_version_is_green_in_four_times_the_time_of_a_red_one(pairs_of_twins, benchmark) -> None:
    """Medians over the twins, each audit in its own process tree."""
    benchmark.pedantic(lambda: None, rounds=1)
    assert [right.verdict for right, _ in pairs_of_twins] == [Verdict.CONSISTENT] * len(TWINS)
    assert [wrong.verdict for _, wrong in pairs_of_twins] == [Verdict.REFUTED] * len(TWINS)
    green, red = (statistics.median(twin[place].seconds for twin in pairs_of_twins) for place in (0, 1))
    benchmark.extra_info["ratio"] = float(f"{green / red:.2g}")
    assert green / red <= 4
