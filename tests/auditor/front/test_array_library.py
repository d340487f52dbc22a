"""`auditor mechanism ID@LIBRARY`: a registered mechanism whose releases another array library draws."""

from __future__ import annotations

import json
import shlex
import sys

import pytest

from auditor.errors import ExitCode
from auditor.front.cli import invoke

ARGUMENTS = ["half_noise@numpy", "epsilon=1", "--alpha", "1e-6", "--json"]


@pytest.mark.slow
def test_half_the_noise_is_refuted_and_its_command_says_which_library_drew(capsys):
    """The audit and its replay give the same document, with the library in the target's name."""
    assert invoke(["mechanism", *ARGUMENTS, "--samples", "20000"]) == ExitCode.FINDINGS
    first = json.loads(capsys.readouterr().out)
    assert first["reproduce"].startswith("auditor mechanism half_noise@numpy ")
    assert invoke([*shlex.split(first["reproduce"])[1:], "--json"]) == ExitCode.FINDINGS
    assert json.loads(capsys.readouterr().out) == first


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
