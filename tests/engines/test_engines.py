"""Engines of others, each in an environment of its own, from a few lines of a user's code.

The environments are folders under `AUDITOR_ENGINES`; an engine that is not there is not applicable, with the remedy.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.asked import audit_mechanism

HERE = Path(__file__).parent
VISITS = [(f"{state}{i}", state, 1.0) for state, users in (("NY", 5), ("CA", 2), ("TX", 1)) for i in range(users)]
VALUES = [(f"u{i}", "x", float(value)) for i, value in enumerate((0, 1, 1, 2, 3, 3))]


def audited(environment, packages, file, **options):
    """Audit an engine in its environment."""
    folder = Path(os.environ.get("AUDITOR_ENGINES", HERE.parents[1] / ".engines")) / environment
    python = folder / "bin" / "python"
    if not python.exists():
        pytest.skip(f"not applicable: no {python}; python -m venv {folder} && {folder}/bin/pip install {packages}")
    return audit_mechanism(f"{HERE / file}:release", python=str(python), alpha="1e-9", **options)


@pytest.mark.slow
def test_opendp_threshold_on_integers_is_refuted():
    """It releases at the threshold and accounts above it: e^-3/(1 + 1/e) = 0.0364 where 0.0134 is promised."""
    audit = audited("opendp", "opendp", "opendp_threshold.py", epsilon="1", delta="0.01339", samples=20_000)
    assert audit.verdict is Verdict.REFUTED, audit.detail


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "packages", "file", "options"),
    [
        ("pydp", "pipeline-dp", "pipeline_dp_count.py", {"delta": "0.01", "dataset": VISITS, "samples": 300}),
        ("pydp", "python-dp", "python_dp_select.py", {"delta": "0.01", "samples": 4000}),
        (
            "diffprivlib", "diffprivlib 'scikit-learn<1.8'", "diffprivlib_histogram.py",
            {"dataset": VALUES, "samples": 2000},
        ),
    ],
)  # fmt: skip
def test_engines_that_keep_their_promise_are_not_refuted(environment, packages, file, options):
    """Whatever they refuse is left out; a slow one is undecided."""
    audit = audited(environment, packages, file, epsilon="1", **options)
    assert audit.verdict in {Verdict.CONSISTENT, Verdict.UNDECIDED}, audit.detail
    assert audit.result is not None
