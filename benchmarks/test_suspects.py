"""Planted faults in plain files, audited by default: how many are refuted, of how many the changed line is named."""

from collections import Counter

import pytest

from auditor.mechanism_audit.audit import audit_mechanism
from auditor.mechanism_audit.request import MechanismRequest
from proofs_numeric.statements.verdict import Verdict
from tests.planted_faults.held_out import FIRST, SECOND
from tests.planted_faults.programs import PROGRAMS, Kind, faults


@pytest.mark.parametrize("programs", [PROGRAMS, FIRST, SECOND], ids=["own", "first", "second"])
def test_the_changed_line_is_named_of_two_thirds(programs, benchmark, tmp_path) -> None:
    """Of faults in a draw, a threshold or a scale; all of them are refuted within 60 CPU seconds each."""

    def counted() -> tuple[Counter[str], Counter[str]]:
        lines: Counter[str] = Counter()
        missed: Counter[str] = Counter()
        for program, fault in faults(programs):
            audit = audit_mechanism(MechanismRequest.of(program.write(tmp_path, fault), None, {}, **program.options))
            line = f"suspect {program.name}.py:{program.line(fault)}:"
            lines[fault.kind] += any(place.startswith(line) for place in audit.where)
            missed[fault.kind] += audit.verdict is not Verdict.REFUTED
        return lines, missed

    lines, missed = benchmark.pedantic(counted, rounds=1, iterations=1)
    planted = Counter(fault.kind for _program, fault in faults(programs) if fault.kind is not Kind.OUTPUT)
    total = sum(lines[kind] for kind in planted)
    benchmark.extra_info.update(lines={kind: f"{lines[kind]} of {planted[kind]}" for kind in planted})
    assert missed.total() == 0, missed
    assert 3 * total >= 2 * planted.total()
