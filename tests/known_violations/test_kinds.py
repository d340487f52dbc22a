"""Classical ways to break a claim, in plain files: found with default settings, told nothing but the claim."""

import ast
import importlib.util
from types import ModuleType

import numpy as np
import pytest

from auditor import audit_mechanism
from auditor.mechanism_audit.draws import explored
from proofs_numeric.statements.verdict import Verdict
from tests.known_violations.kinds import KINDS, PROGRAMS, Kind
from tests.known_violations.nulls import alarm

QUICK = (
    "counts:same_noise",
    "counts:single_precision",
    "selection:ranking",
    "partitions:refuses_small_data",
    "responses:flags",
    "labels:record",
    "sparse_vector:variant_6",
)
"""One of each way to be found: a difference, a value and its bits, an order, an exception at a count, a truth in a
list, a path, answers that move both ways; the table of all is in `make bench`."""
LINES = 20


def loaded(file: str) -> ModuleType:
    """Import a file of programs."""
    spec = importlib.util.spec_from_file_location(file, PROGRAMS / f"{file}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_enough_of_them_and_each_is_small():
    """48 at least, none twice, and each function as short as somebody would write it."""
    assert len({kind.id for kind in KINDS}) == len(KINDS) >= 48
    for file in {kind.file for kind in KINDS}:
        for node in ast.walk(ast.parse((PROGRAMS / f"{file}.py").read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                assert node.end_lineno - node.lineno < LINES, node.name


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.id)
def test_wrong_and_right_give_releases(kind: Kind):
    """The claim of the table is about functions that run."""
    module = loaded(kind.file)
    inputs = [], [("ann", "chess", 2.0), ("ann", "rowing", 1.0), ("bob", "chess", 9.0)]
    for name in (kind.wrong, kind.right):
        for data in inputs if "rows" in kind.options else ({}, {"k0": 30, "k1": 2}):
            try:
                getattr(module, name)(data.copy(), np.random.default_rng(1))
            except ValueError as error:  # an exception is one of its outputs
                if str(error) != "too few visits":
                    raise


@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.id in QUICK], ids=lambda kind: kind.id)
def test_it_is_found_with_default_settings(kind: Kind):
    """Nothing is told but the claim."""
    audit = audit_mechanism(kind.target(kind.wrong), **kind.options)
    assert audit.verdict is Verdict.REFUTED, audit.detail


@pytest.mark.usefixtures("verdict_alone")
@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.id in QUICK], ids=lambda kind: kind.id)
def test_the_right_one_beside_it_is_not_refuted(kind: Kind, monkeypatch):
    """On as many releases as found the wrong one, and more; what tilted ones show is only suspected, so few are drawn.

    That right ones are not suspected either, `test_explored` sees.
    """
    monkeypatch.setattr(explored, "EACH", 8)
    audit = audit_mechanism(kind.target(kind.right), samples=3000, **{**kind.options, **kind.of_right})
    assert audit.verdict in (Verdict.CONSISTENT, Verdict.UNDECIDED), audit.detail
    assert any(note.startswith("tried ") for note in audit.notes)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["serial", "atoms", "text", "exact sometimes", "keys at once"])
def test_a_null_is_not_refuted(name: str):
    """A serial number, values with holes, texts that never come twice, keys of one draw; `make bench` audits more."""
    assert not alarm(name, 0)
