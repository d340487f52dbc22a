"""Engines of others, each from a few lines of a user's code; docs/engines says what was found.

OpenDP is imported where it is installed. The others have the environments of `auditor accountants install NAME`; one
that is not there is not applicable, with the remedy.
"""

import re
import subprocess
from pathlib import Path

import pytest

from auditor.accountant_audit.environments import Library
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.mechanism_audit.audit_call import audit_mechanism

HERE = Path(__file__).parent
PAGES = HERE.parents[1] / "docs" / "engines"
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


@pytest.mark.slow
def test_the_order_of_partitions_of_pipeline_dp_reveals_the_first_row():
    """On one machine partitions come in the order of the rows; sorted by name they are not refuted."""
    audit = audited("pipeline_dp", "pipeline_dp_counts.py:users_in_order_of_rows", delta="0.01", dataset=VISITS)
    assert audit.verdict is Verdict.REFUTED, audit.detail


@pytest.mark.slow
def test_a_query_of_a_frame_by_unknown_keys_is_not_refuted():
    """Resolved once; polars is not in the lock file of the library."""
    python = Library("opendp").python
    frames = python is not None and subprocess.run([python, "-c", "import polars"], check=False).returncode == 0  # noqa: S603
    if not frames:
        pytest.skip(f"not applicable: no polars in {Library('opendp').folder}; docs/engines/opendp.md installs it")
    audit = audited("opendp", "opendp_frames.py:release", delta="1e-5", dataset=VISITS, samples=200)
    assert audit.verdict in {Verdict.CONSISTENT, Verdict.UNDECIDED}, audit.detail
    assert audit.result is not None
    assert audit.many_keys is not None


@pytest.mark.parametrize("example", sorted({*HERE.glob("*.py")} - {Path(__file__)}), ids=lambda path: path.stem)
def test_an_example_is_short_and_a_page_contains_it(example):
    """Under twenty lines of a user's code, included in full."""
    code = [
        line
        for line in example.read_text("utf-8").splitlines()
        if line.strip() and not line.strip().startswith(('"', "#"))
    ]
    assert len(code) < 20
    included = [
        re.findall(r"{literalinclude} \.\./\.\./tests/engines/(\S+)", page.read_text("utf-8"))
        for page in PAGES.glob("*")
    ]
    assert sum(names.count(example.name) for names in included) == 1
