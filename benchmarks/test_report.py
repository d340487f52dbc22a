"""Rendering grows as the report does: four times the findings take little more than four times the time."""

import time

import pytest

from auditor.report import html, json, junit, markdown
from auditor.report.model import AuditReport
from tests.auditor.report.sample import sample_report
from tests.chromium import browser_and_axe, run_in

ROUNDS = 3
"""Of each, the least counts: what takes a twentieth of a second is lost in what else the machine does."""


def report_of(number: int) -> AuditReport:
    """The sample report with so many findings, two a claim."""
    sample = sample_report()
    findings, claims = [], {}
    for place in range(number):
        claim = f"paper.claim{place // 2}"
        claims[claim] = sample.claims[place // 2 % len(sample.claims)].model_copy(update={"id": claim})
        finding = sample.findings[place % len(sample.findings)]
        changed = {"subject": claim, "check": f"check{place % 2}", "id": f"{claim}::check{place % 2}"}
        findings.append(finding.model_copy(update=changed))
    settings = {name: getattr(sample, name) for name in ("suite_version", "profile", "seed", "alpha", "environment")}
    return AuditReport.of(**settings, selection=[], findings=findings, claims=claims.values())


@pytest.mark.parametrize("form", [html, markdown, junit, json], ids=lambda form: form.__name__.rpartition(".")[2])
def test_ten_thousand_findings(form, benchmark) -> None:
    """Against a quarter of them: less than six times the processor time."""
    form.render(report_of(10))  # what is loaded once

    def seconds(number: int) -> float:
        report, start = report_of(number), time.process_time()
        size = len(form.render(report).encode())
        benchmark.extra_info["megabytes"] = round(size / 1e6, 1)
        return time.process_time() - start

    def growth() -> float:
        few, many = (min(seconds(number) for _ in range(ROUNDS)) for number in (2_500, 10_000))
        benchmark.extra_info["seconds"] = round(many, 2)
        return many / few

    assert benchmark.pedantic(growth, rounds=1) < 6


SEARCH = """{
const median = (work) => {
  const timed = () => { const begun = performance.now(); work(); return performance.now() - begun; };
  const took = Array.from({length: 9}, timed);
  return took.sort((a, b) => a - b)[4];
};
const field = document.getElementById("find"), order = document.getElementById("order");
const choose = (input, value) => { input.value = value; input.dispatchEvent(new Event("input")); };
let turn = 0;
const layout = median(() => { document.body.style.width = `${900 + (turn++ % 2)}px`; document.body.offsetHeight; });
const search = median(() => { choose(field, turn++ % 2 ? "claim17" : "claim4 refuted"); document.body.offsetHeight; });
choose(field, "");
const sort = median(() => { choose(order, turn++ % 2 ? "id" : "verdict"); document.body.offsetHeight; });
const told = document.createElement("pre");
told.id = "seen";
const paint = performance.getEntriesByName("first-contentful-paint").map((entry) => entry.startTime);
told.textContent = JSON.stringify({layout, search, sort, paint});
document.body.replaceChildren(told);
}"""


def test_the_search_of_a_page_of_ten_thousand_findings(benchmark, tmp_path) -> None:
    """Search and order, each with the layout that follows, against one layout of everything on the same page."""
    program, _ = browser_and_axe()
    page = html.render(report_of(10_000))

    def ratio() -> float:
        milliseconds = run_in(page, program, [SEARCH], tmp_path, 1280)
        benchmark.extra_info.update({name: milliseconds[name] for name in ("layout", "search", "sort", "paint")})
        return max(
            milliseconds["search"] / milliseconds["layout"], milliseconds["sort"] / (10 * milliseconds["layout"])
        )

    assert benchmark.pedantic(ratio, rounds=1) < 10
