"""The Python API refuses what it cannot use in one line, before anything runs."""

from __future__ import annotations

import pytest

import auditor
from auditor.errors import AuditorError
from proofs_numeric.statements.box import ParameterError
from proofs_numeric.statements.verdict import Verdict

PROFILE = "wilkins2024.thm2.2"
PROMISE = {"epsilon": 1, "delta": "1e-5", "budget": 1.0}


def release(histogram, rng):
    """Give everything away."""
    return dict(histogram)


def zero(epsilon, mu):
    """Report nothing."""
    return 0.0


def never(*_, **__):
    """Stand where something would run."""
    pytest.fail("something ran")


@pytest.mark.slow
def test_a_registered_fault_is_a_target_by_its_id():
    """Its claim, its parameters and its pair are what it declares; nothing is typed again."""
    found = auditor.audit_mechanism("half_noise")
    assert found.verdict is Verdict.REFUTED
    assert found.target == "half_noise"
    assert "own wc2" in {pair.id for pair in found.tried}


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: auditor.evaluate(PROFILE, epsilon=0.1, mu=1), "expected an exact number"),
        (lambda: auditor.audit_mechanism(release, epsilon=0.1, delta="1e-5"), "epsilon: expected an exact number"),
        (lambda: auditor.audit_mechanism(release, epsilon=1, delta=1e-5), "delta: expected an exact number"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, alpha=1e-6), "as a decimal such as 1e-6"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, samples=0), "expected 1 <= samples <= 100000000, got"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, seed=-1), "expected an integer seed >= 0, got seed=-1"),
        (lambda: auditor.audit_mechanism(release, **PROMISE, seed=1.5), "expected an integer seed >= 0, got seed=1.5"),
        (
            lambda: auditor.audit_mechanism(release, **PROMISE, pair={"left": [1], "right": {}}),
            "got left of type list",
        ),
        (lambda: auditor.audit_accountant(zero, PROFILE, box={"epsilon": (0.1, 5)}), "expected an exact number"),
        (lambda: auditor.audit_accountant(zero, PROFILE, box={"epsilon": "1"}), "expected two ends .lo, hi., got '1'"),
        (lambda: auditor.audit_accountant(zero, PROFILE, tolerance=1e-9), "expected 0 <= tolerance < 1, an exact"),
        (lambda: auditor.audit_accountant(zero, PROFILE, max_examples=0), "expected max_examples >= 1"),
        (lambda: auditor.audit_accountant(zero, PROFILE, seed=1.5), "expected an integer seed >= 0"),
        (lambda: auditor.audit_accountant(5, PROFILE), "is 5 of type int; allowed: a callable"),
        (lambda: auditor.run(["wilkins2024.A.9"], alpha=1e-6), "as a decimal such as 1e-6"),
        (lambda: auditor.run(["wilkins2024.A.9"], alpha="1e-400"), "expected alpha >= 1e-300"),
        (lambda: auditor.run(["wilkins2024.A.9"], seed=1.5), "expected an integer seed >= 0"),
        (lambda: auditor.run(["wilkins2024.A.9"], jobs=10**8), "expected 1 <= jobs <= 1024"),
        (lambda: auditor.run(["wilkins2024.A.9"], out="/proc/nowhere"), "cannot write to '/proc/nowhere'"),
    ],
)
def test_what_cannot_be_used_is_one_line(call, words, monkeypatch):
    """What, value, allowed; no exception of a library comes through."""
    monkeypatch.setattr("auditor.engine.runner.plan", never)
    with pytest.raises((AuditorError, ParameterError), match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_single_glob_is_a_selection():
    """A string is one glob, not its letters."""
    assert auditor.run("wilkins2024.A.9", profile="quick").selection == ["wilkins2024.A.9"]


def test_ends_of_a_box_may_be_integers():
    """Integers are exact."""
    audit = auditor.audit_accountant(zero, PROFILE, box={"epsilon": (1, 1), "mu": (1, 1)}, max_examples=2)
    assert audit.unsafe.parameters == {"epsilon": "1.0", "mu": "1.0"}
