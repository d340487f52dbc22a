"""`auditor mechanism ID@LIBRARY`: a registered mechanism whose releases another array library draws."""

from __future__ import annotations

import json
import sys

import pytest

from auditor.errors import ExitCode
from auditor.front.cli import invoke

REPLAY = ["--blocks", "60,40,1"]
ARGUMENTS = ["half_noise@numpy", "epsilon=1", "--alpha", "1e-6", "--json"]


@pytest.mark.slow
def test_half_the_noise_is_refuted_and_its_command_says_which_library_drew(capsys):
    """The audit and its replay give the same document, with the library in the target's name."""
    documents = []
    for _ in range(2):
        assert invoke(["mechanism", *ARGUMENTS, *REPLAY]) == ExitCode.FINDINGS
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1]
    assert documents[0]["reproduce"].startswith("auditor mechanism half_noise@numpy ")


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("laplace_mechanism@jax", "expected one of numpy, cupy, torch after '@', got 'jax'"),
        ("laplace_mechanism@", "expected one of numpy, cupy, torch after '@', got ''"),
        ("laplace_mechanism@cupy", "expected cupy to import"),
        ("correlated_stability_histogram@numpy", "got CorrelatedStabilityHistogram"),
        ("laplace_mechanisms@numpy", "closest: 'laplace_mechanism'"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(target, message, capsys, monkeypatch):
    """Unknown libraries, libraries that are not installed, noise that keys share, unknown mechanisms."""
    monkeypatch.setitem(sys.modules, "cupy", None)
    assert invoke(["mechanism", target, "epsilon=1"]) == ExitCode.USAGE
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert len(captured.err.splitlines()) == 1
