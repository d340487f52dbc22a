"""What a registered mechanism does wrong is a finding about the mechanism, and never a pass."""

import os
import time
from dataclasses import replace

import numpy as np
import pytest

from auditor.checks.empirical import BLACK_BOX
from auditor.checks.watched import OWN_RANDOMNESS, SAME_RELEASES, WatchedMechanism
from auditor.engine import runner
from auditor.engine.assembly import assemble
from auditor.engine.backends import InProcess
from auditor.engine.plan import Agenda, Settings, Unit
from auditor.engine.registry import registry
from auditor.engine.unit import run_unit
from auditor.errors import ExitCode
from auditor.findings.finding import Finding
from auditor.profile import PROFILES
from auditor.report import view
from auditor.target.target import CANNOT, MisbehavedError
from mechanisms.mechanism import Fault
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.registered import instead

SPEC = registry().mechanisms["analytic_gaussian"]
HISTOGRAM = {"k0": 3}
QUICK = Settings("quick", 0, "1e-6")


class Wrong:
    """A mechanism that does one thing wrong."""

    releases_only_input_keys = True

    def __init__(self, wrong):
        self.wrong, self.calls = wrong, 0

    def release_many(self, histogram, n, rng):
        """Release the counts with noise, and do it."""
        self.calls += 1
        return self.wrong(self, histogram, n, rng)


def raises(_self, _histogram, _n, _rng):
    """No key is ever found."""
    raise KeyError("k9")


def leaves(_self, _histogram, _n, _rng):
    """As a script would."""
    raise SystemExit(0)


def random_in_its_failure(self, histogram, n, rng):
    """Fine twice, as long as it is only looked at."""
    if self.calls > 2:
        raise ArithmeticError("now and then")
    return tuple(histogram), rng.normal(size=(n, len(histogram)))


def other_keys(_self, _histogram, n, rng):
    """Integers where strings are asked for."""
    return (7,), rng.normal(size=(n, 1))


def mutates(_self, histogram, n, rng):
    """Leave a mark in the input."""
    histogram["mark"] = 1
    return ("k0",), rng.normal(size=(n, 1))


def own_randomness(_self, histogram, n, _rng):
    """Noise of a generator that nobody can set back."""
    return tuple(histogram), np.random.default_rng().normal(size=(n, len(histogram)))


def stateful(self, histogram, n, rng):
    """Noise that depends on the calls before."""
    return tuple(histogram), rng.normal(size=(n, len(histogram))) + self.calls


def hogs(_self, _histogram, n, _rng):
    """More memory than a plug-in may have: 4.77 GiB for four releases."""
    return ("k0",), np.zeros((n, 16 * 10**7))


def builds(wrong):
    """A builder of a wrong mechanism."""
    return lambda **_parameters: Wrong(wrong)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (raises, "release_many raises KeyError: 'k9'"),
        (leaves, "release_many raises SystemExit: 0"),
        (random_in_its_failure, "release_many raises ArithmeticError: now and then"),
        (other_keys, "returns a key 7 of type int; allowed: distinct strings"),
        (mutates, "mutates its input"),
        (stateful, "is not deterministic given its rng: equal generators gave different releases"),
        (lambda *_: 3, "release_many returns 3; allowed: a pair (keys, array)"),
    ],
)
def test_a_mechanism_that_misbehaves_is_named_in_a_finding(monkeypatch, wrong, words):
    """One line with the mechanism's id; not a verdict on privacy, and not a defect of the suite."""
    monkeypatch.setattr(
        "auditor.engine.unit.registry", instead("mechanisms", SPEC.id, replace(SPEC, build=builds(wrong)))
    )
    (found,) = run_unit(Unit(SPEC.id, BLACK_BOX), QUICK, {})
    assert (found["verdict"], found["met"]) == (Verdict.ERROR.value, False)
    assert found["headline"].startswith(f"cannot be audited: {SPEC.id}: ")
    assert words in found["headline"]
    assert "\n" not in found["headline"]


def test_a_mechanism_that_cannot_be_built_is_named_too(monkeypatch):
    """With the parameters it was given."""

    def build(**_parameters):
        raise ValueError("no such sigma")

    monkeypatch.setattr("auditor.engine.unit.registry", instead("mechanisms", SPEC.id, replace(SPEC, build=build)))
    (found,) = run_unit(Unit(SPEC.id, BLACK_BOX), QUICK, {})
    assert "cannot be built with {" in found["headline"]
    assert "no such sigma" in found["headline"]


def constant(_self, _histogram, n, _rng):
    """Allowed, and as private as can be."""
    return ("k0",), np.zeros((n, 1))


def seeded_by_itself(_self, histogram, n, _rng):
    """Noise that is the same in each block: allowed, and worth nothing."""
    noise = np.random.default_rng(0).normal(size=(n, len(histogram)))
    return tuple(histogram), np.array(list(histogram.values())) + noise.round(3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wrong", "verdict", "note"),
    [
        (constant, Verdict.CONSISTENT, SAME_RELEASES),
        (seeded_by_itself, Verdict.REFUTED, SAME_RELEASES),
        (own_randomness, Verdict.REFUTED, OWN_RANDOMNESS),
    ],
)
def test_a_mechanism_that_ignores_its_rng_is_allowed_and_it_is_said(monkeypatch, wrong, verdict, note):
    """In the headline and in the evidence of the finding; nothing is said of a mechanism that uses it."""
    monkeypatch.setattr(
        "auditor.engine.unit.registry", instead("mechanisms", SPEC.id, replace(SPEC, build=builds(wrong)))
    )
    (found,) = run_unit(Unit(SPEC.id, BLACK_BOX), QUICK, {})
    assert found["verdict"] == verdict.value
    assert found["headline"].endswith(f"; {note}")
    assert found["evidence"][0]["notes"] == [note]
    watch = WatchedMechanism(SPEC.build(**SPEC.parameters), "right")
    watch.release_many(HISTOGRAM, 3, np.random.default_rng(0))
    assert watch.notes() == []


def test_the_input_is_untouched_by_a_mechanism_that_changes_it():
    """What is audited next sees the histogram that was declared."""
    histogram = dict(HISTOGRAM)
    with pytest.raises(MisbehavedError):
        WatchedMechanism(Wrong(mutates), "wrong").release_many(histogram, 3, np.random.default_rng(0))
    assert histogram == HISTOGRAM


@pytest.mark.slow
def test_every_registered_mechanism_behaves():
    """All of them, right ones and wrong ones, on all their pairs."""
    catalogue = registry()
    faults = [fault for fault in catalogue.faults.values() if isinstance(fault, Fault)]
    for subject in (*catalogue.mechanisms.values(), *catalogue.controls.values(), *faults):
        pairs = subject.pairs(subject.parameters) if hasattr(subject, "pairs") else (subject.pair,)
        watch = WatchedMechanism(subject.build(**subject.parameters), subject.id)
        for pair in pairs:
            for histogram in (pair.left, pair.right):
                watch.release_many(histogram, 2, np.random.default_rng(0))


def hangs(_self, _histogram, _n, _rng):
    """For longer than anybody waits."""
    time.sleep(3600)


def never_built(**_parameters):
    """Not even a mechanism."""
    while True:
        pass


def ends_its_process(_self, _histogram, _n, _rng):
    """What a plug-in may do to the process it runs in."""
    os._exit(3)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("build", "words"),
    [
        (builds(hangs), "hangs or is too slow: no result within 2 s"),
        (never_built, "hangs or is too slow: no result within 2 s"),
        (builds(ends_its_process), "dies: exited with status 3"),
        (builds(hogs), f"{SPEC.id}: release_many raises MemoryError: Unable to allocate 4.77 GiB"),
        (builds(raises), f"{SPEC.id}: release_many raises KeyError: 'k9'"),
    ],
)
def test_a_plug_in_that_hangs_or_dies_is_a_finding_and_the_run_goes_on(monkeypatch, build, words):
    """Even with one job, in this process: the next unit is run, and no check is said to have crashed."""
    mechanisms = {**registry().mechanisms, SPEC.id: replace(SPEC, build=build)}
    catalogue = replace(registry(), plugins=frozenset({SPEC.id}), mechanisms=mechanisms)
    monkeypatch.setattr("auditor.engine.unit.registry", lambda: catalogue)
    monkeypatch.setitem(PROFILES, "quick", replace(PROFILES["quick"], patience=2))
    units = [Unit(SPEC.id, BLACK_BOX), Unit("wilkins2024.A.9", "lemma.search")]
    ran = runner._execute(Agenda(units, catalogue), QUICK, lambda _unit: {}, InProcess())
    done = {each.unit: each.findings for each in ran}
    [found], [other] = (done[unit] for unit in units)
    assert (found["verdict"], found["met"]) == (Verdict.ERROR.value, False)
    assert found["headline"].startswith(f"{CANNOT}: {words}")
    assert other["verdict"] == Verdict.CONSISTENT.value
    report = assemble(catalogue, [Finding.model_validate(each) for each in (found, other)], QUICK, [], [])
    assert view.conclusion(report) == f"No unexpected result, 1 finding of a target that {CANNOT}, of 2 findings."
    assert view.exit_code(report, strict=False) is ExitCode.USAGE


def test_a_plug_in_that_behaves_says_in_its_child_what_it_says_here(monkeypatch):
    """Byte for byte, and what it prints goes nowhere; only its share of the false-alarm probability is another."""
    unit = Unit(SPEC.id, "numeric.pair_profile")
    here = run_unit(unit, QUICK, {})
    monkeypatch.setattr("auditor.engine.unit.registry", lambda: replace(registry(), plugins=frozenset({SPEC.id})))
    assert run_unit(unit, QUICK, {}) == here
