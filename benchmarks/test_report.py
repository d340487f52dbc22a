"""Rendering grows as the report does: four times the findings take little more than four times the time."""

from __future__ import annotations

import time

import pytest

from auditor.report import html, json, junit, markdown
from auditor.report.model import AuditReport
from tests.auditor.report.sample import sample_report


def report_of(number: int) -> AuditReport:
    """The sample report with so many findings, two a claim."""
    sample = sample_report()
    findings, claims = [], {}
    for place in range(number):
        claim = f"paper.claim{place // 2}"
        claims[claim] = sample.claims[0].model_copy(update={"id": claim})
        found = sample.findings[place % len(sample.findings)]
        changed = {"subject": claim, "check": f"check{place % 2}", "id": f"{claim}::check{place % 2}"}
        findings.append(found.model_copy(update=changed))
    named = {name: getattr(sample, name) for name in ("suite_version", "profile", "seed", "alpha", "environment")}
    return AuditReport.of(**named, selection=[], findings=findings, claims=claims.values())


@pytest.mark.parametrize("form", [html, markdown, junit, json], ids=lambda form: form.__name__.rpartition(".")[2])
def test_ten_thousand_findings(form, benchmark) -> None:
    """Against a quarter of them: less than six times the processor time."""
    form.render(report_of(10))  # what is loaded once

    def seconds(number: int) -> float:
        report, begun = report_of(number), time.process_time()
        form.render(report)
        return time.process_time() - begun

    def growth() -> float:
        few, many = seconds(2_500), seconds(10_000)
        benchmark.extra_info["seconds"] = round(many, 2)
        return many / few

    assert benchmark.pedantic(growth, rounds=1) < 6
