"""What a registered mechanism does wrong is a finding about the mechanism, and never a pass."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest

from auditor import runner
from auditor.backends import InProcess
from auditor.checks.empirical import BLACK_BOX
from auditor.checks.watched import Watched
from auditor.registry import registry
from auditor.runner import Settings, Unit, run_unit
from auditor.target import MisbehavedError
from mechanisms.mechanism import Fault
from proofs_numeric.verdict import Verdict

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
        (own_randomness, "is not deterministic given its rng"),
        (lambda *_: 3, "release_many returns 3; allowed: a pair (keys, array)"),
    ],
)
def test_a_mechanism_that_misbehaves_is_named_in_a_finding(monkeypatch, wrong, words):
    """One line with the mechanism's id; not a verdict on privacy, and not a defect of the suite."""
    monkeypatch.setitem(registry().mechanisms, SPEC.id, replace(SPEC, build=builds(wrong)))
    (found,) = run_unit(Unit(SPEC.id, BLACK_BOX), QUICK, {})
    assert (found["verdict"], found["met"]) == (Verdict.ERROR.value, False)
    assert found["headline"].startswith(f"cannot be audited: {SPEC.id}: ")
    assert words in found["headline"]
    assert "\n" not in found["headline"]


def test_a_mechanism_that_cannot_be_built_is_named_too(monkeypatch):
    """With the parameters it was given."""

    def build(**_parameters):
        raise ValueError("no such sigma")

    monkeypatch.setitem(registry().mechanisms, SPEC.id, replace(SPEC, build=build))
    (found,) = run_unit(Unit(SPEC.id, BLACK_BOX), QUICK, {})
    assert "cannot be built with {" in found["headline"]
    assert "no such sigma" in found["headline"]


def test_a_constant_mechanism_may_ignore_its_rng():
    """Ignoring the generator is allowed; only releases that cannot be drawn again are not."""
    watch = Watched(Wrong(lambda _self, histogram, n, _rng: (tuple(histogram), np.zeros((n, 1)))), "constant")
    assert watch.release_many(HISTOGRAM, 3, np.random.default_rng(0))[1].shape == (3, 1)


def test_the_input_is_untouched_by_a_mechanism_that_changes_it():
    """What is audited next sees the histogram that was declared."""
    histogram = dict(HISTOGRAM)
    with pytest.raises(MisbehavedError):
        Watched(Wrong(mutates), "wrong").release_many(histogram, 3, np.random.default_rng(0))
    assert histogram == HISTOGRAM


def test_every_registered_mechanism_behaves():
    """All of them, right ones and wrong ones, on all their pairs."""
    known = registry()
    faults = [fault for fault in known.faults.values() if isinstance(fault, Fault)]
    for subject in (*known.mechanisms.values(), *known.controls.values(), *faults):
        pairs = subject.pairs(subject.parameters) if hasattr(subject, "pairs") else (subject.pair,)
        watch = Watched(subject.build(**subject.parameters), subject.id)
        for pair in pairs:
            for histogram in (pair.left, pair.right):
                watch.release_many(histogram, 2, np.random.default_rng(0))


def end_of_process(*_arguments):
    """What a plug-in may do to the process it runs in."""
    os._exit(0)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*worker:UserWarning")
def test_a_plug_in_that_ends_its_process_is_a_finding(monkeypatch):
    """Even with one job: it runs in another process, and what dies there is no pass."""
    known = replace(registry(), plugins=frozenset({SPEC.id}))
    monkeypatch.setattr(runner, "_run_named", end_of_process)
    unit = Unit(SPEC.id, BLACK_BOX)
    [(done, [found])] = runner._execute([unit], QUICK, {}, known, InProcess())
    assert done == unit
    assert found["verdict"] == Verdict.ERROR.value
    assert found["headline"].startswith("cannot be audited: the worker process died")
