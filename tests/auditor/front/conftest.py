"""A report that no check had to make."""

import pytest

from auditor.engine import runner
from auditor.report import json as report_json
from tests.auditor.report.sample import sample_report


@pytest.fixture
def fake_run(monkeypatch):
    """Put the sample report in the place of a real run, events included."""

    def run(selection, **settings):
        events = settings["events"]
        report = sample_report()
        events(runner.Started(len(report.findings)))
        for finding in report.findings:
            events(runner.UnitDone(finding.id, (finding,)))
        settings.get("keep", lambda _report: None)(report)
        events(runner.Finished(report))
        return report

    monkeypatch.setattr(runner, "run", run)


@pytest.fixture
def sample(tmp_path):
    """Give a directory that holds the sample report."""
    (tmp_path / "report.json").write_text(report_json.render(sample_report()), encoding="utf-8")
    return tmp_path
