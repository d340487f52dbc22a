"""Every classical kind by default settings: found or not, the CPU seconds and the releases per dataset it took.

`AUDITOR_KINDS` names those to look at, as a part of `file:function`. The table is printed, and kept with the figures.
"""

import os
import resource
import sys
import time

import pytest

from auditor import audit_mechanism
from proofs_numeric.statements.verdict import Verdict
from tests.known_violations.kinds import KINDS, Kind

CHOSEN = [kind for kind in KINDS if os.environ.get("AUDITOR_KINDS", "") in kind.id]


def cpu_seconds() -> float:
    """CPU seconds of this process and of those that it has waited for."""
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def row(kind: Kind, name: str, options, benchmark, capsys) -> Verdict:
    """Audit, print and keep a row of the table."""
    began = cpu_seconds()
    audit = benchmark.pedantic(audit_mechanism, args=(kind.target(name),), kwargs=options, rounds=1, iterations=1)
    samples = 0 if audit.result is None else audit.result.samples
    result = {"verdict": audit.verdict.value, "cpu_seconds": round(cpu_seconds() - began, 1), "releases": samples}
    benchmark.extra_info.update(result)
    with capsys.disabled():
        numbers = f"{result['verdict']:12} {result['cpu_seconds']:6} s {samples:9,} releases"
        sys.stdout.write(f"\n{kind.file + ':' + name:45} {numbers}")
    return audit.verdict


@pytest.mark.parametrize("kind", CHOSEN, ids=lambda kind: kind.id)
def test_the_wrong_one_is_found(kind: Kind, benchmark, capsys) -> None:
    """Within the default budget of 60 CPU seconds."""
    assert row(kind, kind.wrong, dict(kind.options), benchmark, capsys) is Verdict.REFUTED


RIGHT = {(kind.file, kind.right): kind for kind in CHOSEN}


@pytest.mark.parametrize("kind", RIGHT.values(), ids=lambda kind: f"{kind.file}:{kind.right}")
def test_the_right_one_is_not_refuted(kind: Kind, benchmark, capsys) -> None:
    """No violation seen, or undecided."""
    verdict = row(kind, kind.right, {**kind.options, **kind.of_right}, benchmark, capsys)
    assert verdict in (Verdict.CONSISTENT, Verdict.UNDECIDED)
