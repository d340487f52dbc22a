"""The page in a browser: axe-core finds nothing against WCAG 2.1 A and AA, on a phone and on a desk."""

import re

import pytest

from auditor.accountant_audit.audit import audit_accountant
from auditor.accountant_audit.environments import accountant
from auditor.front.accountants import accountant_request
from auditor.report import accountants
from auditor.report.html import render, site
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import sample_report
from tests.chromium import browser_and_axe, looked_at, run_in

TELL = """
const tell = (seen) => {
  const told = document.createElement("pre");
  told.id = "seen";
  told.textContent = JSON.stringify(seen);
  document.body.replaceChildren(told);
};
"""
COUNT = """
const seen = [...document.querySelectorAll("[data-find]")].map((link) => {
  link.click();
  return [link.textContent, document.getElementById("found").textContent];
});
document.getElementById("all").click();
seen.push(["all", document.getElementById("found").textContent]);
location.hash = "half_noise";
window.dispatchEvent(new HashChangeEvent("hashchange"));
seen.push(["opened", String([...document.querySelectorAll("#half_noise details")].every((finding) => finding.open))]);
tell(seen);
"""

SORT = """
const cards = () => [...document.querySelectorAll("#claims article")].map((card) => card.id);
const sorted = async (by) => {
  const order = document.getElementById("order");
  order.value = by;
  order.dispatchEvent(new Event("input"));
  const first = cards().slice(0, 3);
  await new Promise((done) => setTimeout(done, 2000));
  return [first, cards()];
};
(async () => {
  const seen = [cards(), await sorted("verdict"), await sorted("")];
  tell(seen);
})();
"""

SEARCH = """
const typed = document.getElementById("find");
typed.value = "half_noise";
typed.dispatchEvent(new Event("input"));
const height = (node) => node.getBoundingClientRect().height > 0;
const below = [...document.querySelectorAll("main>section>*")].filter(height).map((node) => node.localName);
const seen = [height(document.querySelector("header")), [...new Set(below)].sort()];
tell(seen);
"""

CONTENTS = """
const list = document.getElementById("contents");
const places = (node) => [...node.querySelectorAll("a")].map((link) => link.hash);
list.open = true;
const seen = [getComputedStyle(list.parentElement).position, places(document.querySelector("nav")), places(list)];
list.querySelector("a").click();
seen.push(list.open);
tell(seen);
"""


MAP = """
const drawn = document.querySelector("figure svg");
const seen = [drawn.getBoundingClientRect().width, drawn.getBoundingClientRect().height];
tell(seen);
"""


@pytest.fixture(scope="module")
def browser():
    """Chromium, and the text of axe-core."""
    return browser_and_axe()


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_accessible(browser, tmp_path, width):
    """No rule is broken, and rules were looked at; one page with a mistake says that mistakes are seen."""
    page = render(sample_report()).replace("<details ", "<details open ")
    passed, broken = looked_at(page, browser, tmp_path, width)
    assert broken == []
    assert passed > 30
    _, seen = looked_at(page.replace("<html lang=en>", "<html>"), browser, tmp_path, width)
    assert [rule for rule, _ in seen] == ["html-has-lang"]


@pytest.mark.slow
def test_pages_of_the_site_are_accessible(browser, tmp_path):
    """Its index, and a page of each kind of subject."""
    pages = site(sample_report())
    observations = [
        "index.html",
        "chapters/accuracy.html",
        "subjects/half_noise.html",
        "subjects/wilkins2024.thm5.4.html",
    ]
    for name in observations:
        passed, broken = looked_at(pages[name], browser, tmp_path, 390)
        assert broken == [], name
        assert passed > 20


@pytest.mark.slow
def test_every_count_leads_to_a_list_of_so_many(browser, tmp_path):
    """Entries or findings that are found where a count is followed are as many as it says; a link opens its card."""
    report = sample_report()
    seen = run_in(render(report), browser[0], [TELL + COUNT], tmp_path, 1280)
    *counts, (_, everything), (_, opened) = seen
    assert len(counts) > 10
    for text, found in counts:
        number = re.match(r"\d+", text)
        assert number is not None
        assert number[0] in re.findall(r"\d+", found), f"{text} leads to {found}"
    assert everything.endswith(f" {len(report.findings)} findings")
    assert opened == "true"


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_only_results_are_below_the_bar(browser, tmp_path, width):
    """While words are searched: neither the first screen nor tables and texts of the sections."""
    header, below = run_in(render(sample_report()), browser[0], [TELL + SEARCH], tmp_path, width)
    assert header is False
    assert set(below) <= {"article", "h2", "h3"}
    assert "article" in below


@pytest.mark.slow
def test_the_contents_stay_in_sight(browser, tmp_path):
    """The bar that sticks leads to the same places, and closes where one is followed."""
    position, above, beside, opened = run_in(render(sample_report()), browser[0], [TELL + CONTENTS], tmp_path, 1280)
    assert position == "sticky"
    assert len(above) > 5
    assert beside == above
    assert opened is False


@pytest.mark.slow
def test_cards_are_ordered_the_first_at_once_and_all_in_the_end(browser, tmp_path):
    """Of more cards than are moved in one go, by verdict and then by id; as printed again afterwards."""
    report = sample_report()
    verdicts = [Verdict.PROVED, Verdict.REFUTED, Verdict.UNDECIDED]
    claims = [
        report.claims[0].model_copy(update={"id": f"many.{place:03}", "verdict": verdicts[place % 3]})
        for place in range(330)
    ]
    page = render(report.model_copy(update={"claims": claims, "errata": []}))
    printed, by_verdict, again = run_in(page, browser[0], [TELL + SORT], tmp_path, 1280)
    expected = [*printed[1::3], *printed[2::3], *printed[::3]]
    assert printed == [claim.id for claim in claims]
    assert by_verdict == [expected[:3], expected]
    assert again == [printed[:3], printed]


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_map_of_an_accountant_can_be_read(browser, tmp_path, width):
    """It is as wide as a telephone, or as the text."""
    request = accountant_request(lambda epsilon, mu: 1.0, against="wilkins2024.thm2.2", max_examples=5)
    audited = accountants.Audited(accountant("diffpriv_pure.gaussian.sigma"), request.claim, audit_accountant(request))
    drawn = run_in(accountants.render([audited], {}), browser[0], [TELL + MAP], tmp_path, width)
    assert min(drawn) > 200
