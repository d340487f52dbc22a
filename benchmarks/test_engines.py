"""Engines of others by default audits: verdict, CPU seconds, releases and powers, right and wrong engines.

`python -m benchmarks.test_engines [NAME...]` measures the named rows, all without a name, and writes them with their
date into docs/engines/results.md. An engine whose environment is missing keeps its row there. As benchmarks they hold
the verdicts and the CPU seconds of the default budget.
"""

import datetime as dt
import re
import resource
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from auditor import audit_mechanism
from auditor.accountant_audit.environments import Library
from auditor.mechanism_audit.result import MechanismAudit, real
from proofs_numeric.statements.verdict import Verdict

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "engines" / "results.md"
MOST_SECONDS = 120.0
"""CPU seconds of a default audit of an engine, at most."""
VISITS = [(f"{state}{i}", state, 1.0) for state, users in (("NY", 5), ("CA", 2), ("TX", 1)) for i in range(users)]
VALUES = [(f"u{i}", "x", float(value)) for i, value in enumerate((0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3))]
VERDICTS = {Verdict.REFUTED: "**refuted**", Verdict.CONSISTENT: "no violation seen", Verdict.UNDECIDED: "undecided"}


@dataclass(frozen=True)
class Row:
    """A default audit of an engine.

    Attributes:
        library: library whose environment runs it.
        what: mechanism, in words.
        target: its file and function in tests/engines.
        delta: promised at epsilon.
        is_right: whether the promise holds.
        epsilon: promised.
        options: data and bounds of a user.
    """

    library: str
    what: str
    target: str
    delta: str
    is_right: bool = True
    epsilon: str = "1"
    options: Mapping[str, Any] = field(default_factory=dict)


VISITORS = {"input": "rows", "dataset": VISITS}
SLOWLY = {**VISITORS, "answer_seconds": 600.0}
BINS = {"input": "rows", "dataset": VALUES, "c_u": 1, "per_key": 1, "values": (0, 3)}
ROWS = {
    "opendp-reals": Row("opendp", "OpenDP, threshold on reals", "opendp_thresholds.py:high_reals", "1e-5"),
    "opendp-integers": Row(
        "opendp", "OpenDP, threshold on integers", "opendp_thresholds.py:laplace_integers", "0.01339", is_right=False
    ),
    "opendp-high-integers": Row(
        "opendp", "OpenDP, high threshold on integers", "opendp_thresholds.py:high_integers", "4.49e-6", is_right=False
    ),
    "opendp-exact-integers": Row(
        "opendp", "OpenDP, high threshold on integers, exact delta", "opendp_thresholds.py:high_integers", "1.2211e-5"
    ),
    "opendp-frames": Row(
        "opendp", "OpenDP, frame by unknown keys", "opendp_frames.py:release", "1e-5", options=VISITORS
    ),
    "pipeline-dp": Row(
        "pipeline_dp", "PipelineDP, sorted", "pipeline_dp_counts.py:users_at_small_delta", "1e-5",
        options=VISITORS,
    ),
    "pipeline-dp-order": Row(
        "pipeline_dp", "PipelineDP, in the order of rows", "pipeline_dp_counts.py:users_in_order_of_rows", "0.01",
        is_right=False, options=VISITORS,
    ),
    "pipeline-dp-large": Row(
        "pipeline_dp", "PipelineDP, sorted", "pipeline_dp_counts.py:users", "0.01", options=VISITORS,
    ),
    "python-dp-laplace": Row("python_dp", "python-dp, Laplace", "python_dp_partitions.py:laplace", "0.01"),
    "python-dp-gaussian": Row("python_dp", "python-dp, Gaussian", "python_dp_partitions.py:gaussian", "0.01"),
    "python-dp-geometric": Row(
        "python_dp", "python-dp, truncated geometric", "python_dp_partitions.py:geometric", "0.01"
    ),
    "python-dp": Row("python_dp", "python-dp, Laplace", "python_dp_partitions.py:laplace_at_small_delta", "1e-5"),
    "python-dp-claim": Row(
        "python_dp", "python-dp, built for delta 1e-5", "python_dp_partitions.py:laplace_at_small_delta", "1e-6",
        is_right=False,
    ),
    "diffprivlib": Row(
        "diffprivlib", "diffprivlib, histogram", "diffprivlib_histogram.py:release", "0", options=BINS
    ),
    "diffprivlib-claim": Row(
        "diffprivlib", "diffprivlib, built for epsilon 1", "diffprivlib_histogram.py:release", "0", is_right=False,
        epsilon="0.5", options=BINS
    ),
    "tumult": Row("tmlt_core", "Tumult Core, geometric", "tumult_partitions.py:release", "0.036398", options=SLOWLY),
    "tumult-claim": Row(
        "tmlt_core", "Tumult Core, geometric", "tumult_partitions.py:release", "0.0134", is_right=False, options=SLOWLY
    ),
}  # fmt: skip


def cpu_seconds() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def audited(row: Row) -> tuple[MechanismAudit, float] | None:
    """Return the default audit of a row and its CPU seconds; None without the environment."""
    python = Library(row.library).python
    if python is None:
        return None
    before = cpu_seconds()
    target = f"{ROOT / 'tests' / 'engines' / row.target}"
    audit = audit_mechanism(target, python=str(python), epsilon=row.epsilon, delta=row.delta, **row.options)
    return audit, cpu_seconds() - before


def line(name: str, audit: MechanismAudit, seconds: float) -> str:
    """Return the row of the page."""
    row, result, many = ROWS[name], audit.result, audit.many_keys
    refuted = audit.verdict is Verdict.REFUTED
    keys = any_event = "-"
    if result is not None and refuted:
        any_event = f"delta >= {real(result.delta_lower, down=True, digits=2)}"
    elif result is not None:
        shared = 1.0 if audit.shared_keys is None else audit.shared_keys.power
        any_event = real(min(result.power, shared), down=False, digits=2)
        keys = "-" if many is None else real(many.power, down=False, digits=2)
    cells = (
        row.what, f"({row.epsilon}, {row.delta})", "right" if row.is_right else "wrong", VERDICTS[audit.verdict],
        f"{seconds:.0f}", "-" if result is None else f"{result.samples:,}",
        "-" if many is None else f"{many.chances:,}", keys, any_event, f"{dt.datetime.now(dt.UTC):%Y-%m-%d}",
    )  # fmt: skip
    return f"| {' | '.join(cells)} |"


@pytest.mark.parametrize("name", ROWS)
def test_engines_are_decided_within_the_default_budget(name: str, benchmark) -> None:
    """Right ones show no violation with the required power, wrong ones are refuted."""
    result = benchmark.pedantic(audited, args=(ROWS[name],), rounds=1)
    if result is None:
        pytest.skip(f"not applicable: {Library(ROWS[name].library).remedy}")
    audit, seconds = result
    benchmark.extra_info.update(verdict=audit.verdict.value, cpu_seconds=round(seconds))
    assert audit.verdict is (Verdict.CONSISTENT if ROWS[name].is_right else Verdict.REFUTED), audit.detail
    assert seconds <= MOST_SECONDS


def main(names: list[str]) -> None:
    """Measure rows and write them into the page."""
    for name in names or ROWS:
        if (result := audited(ROWS[name])) is None:
            continue
        audit, _seconds = result
        sys.stdout.write(f"{name}: {audit.detail}\n")
        row, text = line(name, *result), PAGE.read_text()
        begin = re.escape("|".join(row.split("|")[:4]))
        text, times = re.subn(rf"^{begin}\|.*$", lambda _match, row=row: row, text, flags=re.MULTILINE)
        PAGE.write_text(text if times else text.rstrip("\n") + f"\n{row}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
