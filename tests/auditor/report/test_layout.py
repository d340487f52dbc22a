"""The page in a browser: links land where they point, and a print is an overview of six pages."""

import re
import subprocess

import pytest

from auditor.engine.assembly import accountant_entry
from auditor.engine.registry import registry
from auditor.report.html import render
from auditor.report.model import Severity, TrustItem
from tests.auditor.report.sample import sample_report
from tests.chromium import browser_and_axe, run_in

CARDS = 120
PLACES = """
(async () => {
  const search = document.getElementById("search");
  const place = (hash) => {
    const under = getComputedStyle(search).position === "sticky" ? search.offsetHeight : 0;
    const top = document.getElementById(decodeURIComponent(hash.slice(1))).getBoundingClientRect().top;
    const rest = document.documentElement.scrollHeight - innerHeight - scrollY;
    return [hash, Math.round(top - under), Math.round(rest)];
  };
  const pause = () => new Promise((done) => setTimeout(done, 300));
  await pause();
  const seen = [place(location.hash)];
  const links = [...document.querySelectorAll("nav a")].map((link) => link.hash);
  for (const hash of [...links, "#many.007", "#many.110", "#many.050", "#half_noise"]) {
    location.hash = hash;
    await pause();
    seen.push(place(hash));
  }
  const report = document.createElement("pre");
  report.id = "seen";
  report.textContent = JSON.stringify(seen);
  document.body.replaceChildren(report);
})();
"""
"""Each place: the distance of the target from the bar that sticks, and how far the page goes on below the window."""


WIDTHS = """
const region = document.querySelector("table.matrix").parentElement;
const report = document.createElement("pre");
report.id = "seen";
const text = document.createRange();
const isBroken = (number) => { text.selectNodeContents(number); return text.getClientRects().length > 1; };
const numbers = [...region.querySelectorAll("strong")];
const broken = numbers.filter(isBroken).map((number) => number.textContent);
report.textContent = JSON.stringify([region.clientWidth, region.scrollWidth, numbers.length, broken]);
document.body.replaceChildren(report);
"""
"""Width of the window on the matrix of accountants and of the matrix, its number of factors, and its broken factors."""


def long_report():
    """A report whose cards have very different heights."""
    report = sample_report()
    claims = [
        report.claims[0].model_copy(update={"id": f"many.{place:03}", "note": "a line of a note " * (place % 7) ** 3})
        for place in range(CARDS)
    ]
    return report.model_copy(update={"claims": [*report.claims, *claims]})


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_anchors_land_below_the_bar(tmp_path, width):
    """The target is at most 16 px below the bar that sticks, and never behind it, except at the end of the page."""
    program, _ = browser_and_axe()
    seen = run_in(render(long_report()), program, [PLACES], tmp_path, width, "#many.100")
    assert len(seen) > 15
    assert [place for place in seen if not (0 <= place[1] <= 16 or (place[1] > 16 and place[2] <= 2))] == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 768, 1280])
def test_the_matrix_of_all_accountants_fits_a_screen(tmp_path, width):
    """At 1280 px nobody scrolls sideways; at any width each factor is on one line."""
    program, _ = browser_and_axe()
    report = sample_report()
    entries = [accountant_entry(one, report.findings[:1]) for one in registry().accountants.values()]
    page = render(report.model_copy(update={"accountants": entries}))
    seen, whole, factors, broken = run_in(page, program, [WIDTHS], tmp_path, width)
    assert factors > 50
    assert broken == []
    assert width < 1280 or whole == seen > 900


def printed_pages(page, program, folder):
    """Return the number of pages of a print."""
    file, printed = folder / "page.html", folder / "page.pdf"
    file.write_text(page, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    subprocess.run(  # noqa: S603 - a browser, on a page of ours
        [program, *options, f"--print-to-pdf={printed}", file.as_uri()], capture_output=True, timeout=300, check=True
    )
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", printed.read_bytes()))


@pytest.mark.slow
def test_a_print_is_an_overview(tmp_path):
    """At most six pages with as many errata, entries and assumptions as the suite has; all entries on request."""
    program, _ = browser_and_axe()
    report = long_report()
    errata = [
        report.errata[0].model_copy(update={"printed": f"printed.{place}", "severity": Severity.PRIVACY})
        for place in range(40)
    ]
    trust = [TrustItem(name=f"step {place}", kind="step", used_for="an argument " * 20) for place in range(150)]
    page = render(report.model_copy(update={"errata": errata, "trust": trust}))
    assert 1 < printed_pages(page, program, tmp_path) <= 6
    everything = page.replace("<input id=whole type=checkbox>", "<input id=whole type=checkbox checked>")
    assert everything != page
    assert printed_pages(everything, program, tmp_path) > 12
