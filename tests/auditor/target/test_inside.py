"""A function inside a target: what it returned is the output, wherever the function is defined or imported."""

import sys
import types

import numpy as np
import pytest

from auditor import audit_mechanism
from auditor.errors import TargetError, UsageError
from auditor.target.inside import SILENT, Inside
from auditor.target.worker import UnusableOutputError
from proofs_numeric.statements.verdict import Verdict

SOURCE = """
import asyncio

def doubled(x):
    return [2 * x]

async def later(x):
    return x + 1

class Noise:
    def add(self, x):
        return x + 10
    @staticmethod
    def halved(x):
        return x / 2

def release(data, rng):
    values = doubled(data)
    values.append("changed afterwards")
    Noise().add(data)
    Noise.halved(data)
    asyncio.run(later(data))
    doubled(data + 1)
"""
RNG = np.random.default_rng(0)


@pytest.fixture
def module(monkeypatch):
    """A module of a step-wise mechanism, and another that imported a function of it by name."""
    steps, other = types.ModuleType("steps"), types.ModuleType("importing")
    exec(SOURCE, steps.__dict__)  # noqa: S102 - a text of ours
    other.doubled = steps.doubled
    for one in (steps, other):
        monkeypatch.setitem(sys.modules, one.__name__, one)
    return steps


def inside(name, origin, release=None):
    """Return the mechanism of a function's values."""
    return Inside(name, origin, release or origin, UnusableOutputError)


@pytest.mark.parametrize(
    ("name", "returned"),
    [("steps:doubled", [[6], [8]]), ("steps:Noise.add", [13]), ("steps:Noise.halved", [1.5]), ("steps:later", [4])],
)
def test_the_output_is_what_the_function_returned_call_after_call(module, name, returned) -> None:
    """Functions, methods, static methods and coroutines; a value that changes afterwards is the value returned."""
    mechanism = inside(name, module.release)
    assert [mechanism.release(3, RNG) for _ in range(2)] == [returned, returned]


def test_a_function_imported_by_name_elsewhere_is_recorded_too(module) -> None:
    """`from steps import doubled` binds the function in the importing module."""
    importing = sys.modules["importing"]
    assert inside("steps:doubled", module.release, lambda data, _rng: importing.doubled(data)).release(1, RNG) == [[2]]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("steps:tripled", "has no function steps:tripled: the module steps has no tripled"),
        ("steps:Noise.less", "has no function steps:Noise.less: the class Noise has no less"),
        ("no_such_module:f", "imports no module no_such_module"),
        ("elsewhere.py:f", "imports no file elsewhere.py"),
        ("sys:maxsize", "has no function sys:maxsize: it is of type int"),
        ("builtins:dict.get", "which Python cannot replace"),
    ],
)
def test_what_cannot_be_replaced_is_refused(module, name, message) -> None:
    """The message is a predicate of the target and names the function."""
    with pytest.raises(LookupError, match=message):
        inside(name, module.release)


def test_a_function_that_is_never_called_ends_the_audit(module) -> None:
    """A function that is called for some inputs only is no error."""
    mechanism = inside("steps:doubled", module.release, lambda _data, _rng: None)
    with pytest.raises(UnusableOutputError, match=f"did not call steps:doubled in {SILENT} releases"):
        [mechanism.release(1, RNG) for _ in range(SILENT)]
    rarely = inside("steps:Noise.add", module.release, lambda data, _rng: data and module.Noise().add(data))
    assert [rarely.release(data, RNG) for data in [1, *[0] * (2 * SILENT)]][-1] == []


PIPELINE = """
def noisy_counts(counts, rng):
    return [round(1024 * (counts.get(key, 0) + rng.laplace(0, 2))) / 1024 for key in ("a", "b")]

def noisy_total(counts, rng):
    return round(1024 * (sum(counts.values()) + rng.laplace(0, 1))) / 1024

def release(counts, rng):
    return [round(sum(noisy_counts(counts, rng)) / 1e6), round(noisy_total(counts, rng) / 1e6)]
"""


@pytest.mark.slow
def test_a_fault_that_the_output_hides_is_found_inside(tmp_path) -> None:
    """The total has half the noise that epsilon = 1/2 needs, and is rounded away before the release."""
    file = tmp_path / "pipeline.py"
    file.write_text(PIPELINE, "utf-8")

    def verdict(function):
        return audit_mechanism(f"{file}:release", epsilon="0.5", keys=("a", "b"), inside=function).verdict

    assert verdict("noisy_total") is Verdict.REFUTED
    assert verdict("noisy_counts") is Verdict.CONSISTENT
    assert verdict("pipeline.py:noisy_total") is Verdict.REFUTED
    with pytest.raises(TargetError, match="has no function noisy_sum"):
        verdict("noisy_sum")


def test_options_that_speak_of_released_keys_are_refused_with_a_function_inside() -> None:
    """What a function returns has no released keys, and a program has no functions."""
    target = lambda counts, rng: counts
    with pytest.raises(UsageError, match="without --only-input-keys"):
        audit_mechanism(target, epsilon="1", inside="f", only_input_keys=True)
    with pytest.raises(UsageError, match="without --one-run"):
        audit_mechanism(target, epsilon="1", inside="f", one_run=100)
    with pytest.raises(UsageError, match="got a program"):
        audit_mechanism("exec:cat", epsilon="1", inside="f")
