"""Engines of others, each from a few lines of a user's code; docs/explanation/engines.md says what was found.

OpenDP is imported where it is installed. The others have the environments of `auditor accountants install NAME`; one
that is not there is not applicable, with the remedy.
"""

import re
from pathlib import Path

import pytest

from auditor.accountant_audit.environments import Library
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.asked import audit_mechanism

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "explanation" / "engines.md"
VISITS = [(f"{state}{i}", state, 1.0) for state, users in (("NY", 5), ("CA", 2), ("TX", 1)) for i in range(users)]
VALUES = [(f"u{i}", "x", float(value)) for i, value in enumerate((0, 1, 1, 2, 3, 3))]


def audited(name, target, **options):
    """Audit an engine in its environment."""
    library = Library(name)
    if library.python is None:
        pytest.skip(f"not applicable: no {library.folder}; {library.remedy}")
    return audit_mechanism(f"{HERE / target}", python=str(library.python), alpha="1e-9", epsilon="1", **options)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "promised", "exact", "keys"),
    [
        ("laplace_integers", {"epsilon": "1", "delta": "0.01339"}, 0.03640, 20_000),
        ("gaussian_integers", {"rho": "0.5", "delta": "0.00135"}, 0.004566, 60_000),
        ("laplace_reals", {"epsilon": "1", "delta": "0.024894"}, None, 20_000),
        ("gaussian_reals", {"rho": "0.5", "delta": "0.00135"}, None, 60_000),
    ],
)
def test_thresholds_of_opendp_on_integers_release_more_than_they_promise(law, promised, exact, keys):
    """One release of many single-user keys; exact: P[Z >= 3] of the discrete law; promised: that of another."""
    pytest.importorskip("opendp", reason="opendp is not installed: pip install '.[accountants]'")
    target = f"{HERE / 'opendp_thresholds.py'}:{law}"
    audit = audit_mechanism(target, **promised, one_run=keys, alpha="1e-9", budget=300.0)
    assert audit.verdict is (Verdict.CONSISTENT if exact is None else Verdict.REFUTED), audit.detail
    assert exact is None or audit.result.delta_lower < exact


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "target", "options"),
    [
        ("pipeline_dp", "pipeline_dp_counts.py:users", {"delta": "0.01", "dataset": VISITS, "samples": 300}),
        (
            "pipeline_dp",
            "pipeline_dp_counts.py:visits",
            {"delta": "0.01", "dataset": VISITS, "samples": 300, "per_key": 2},
        ),
        ("python_dp", "python_dp_partitions.py:laplace", {"delta": "0.01", "samples": 4000}),
        ("python_dp", "python_dp_partitions.py:gaussian", {"delta": "0.01", "samples": 4000}),
        ("python_dp", "python_dp_partitions.py:geometric", {"delta": "0.01", "samples": 4000}),
        ("diffprivlib", "diffprivlib_histogram.py:release", {"dataset": VALUES, "samples": 2000}),
        (
            "tmlt_core",
            "tumult_partitions.py:release",
            {"delta": "0.0364", "dataset": VISITS, "samples": 10, "answer_seconds": 600.0},
        ),
    ],
)
def test_engines_that_keep_their_promise_are_not_refuted(name, target, options):
    """Whatever they refuse is left out; a slow one is undecided."""
    audit = audited(name, target, **options)
    assert audit.verdict in {Verdict.CONSISTENT, Verdict.UNDECIDED}, audit.detail
    assert audit.result is not None


@pytest.mark.parametrize("example", sorted({*HERE.glob("*.py")} - {Path(__file__)}), ids=lambda path: path.stem)
def test_an_example_is_short_and_the_page_links_it(example):
    """Under twenty lines of a user's code."""
    code = [
        line
        for line in example.read_text("utf-8").splitlines()
        if line.strip() and not line.strip().startswith(('"', "#"))
    ]
    assert len(code) < 20
    assert re.search(rf"tests/engines/{example.name}", PAGE.read_text(encoding="utf-8"))
