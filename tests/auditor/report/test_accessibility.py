"""The page in a browser: axe-core finds nothing against WCAG 2.1 A and AA, on a phone and on a desk."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from auditor.report.html import render
from tests.auditor.report.sample import sample_report

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
LOOK = """
axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]}).then((seen) => {
  const told = document.createElement("pre");
  told.id = "seen";
  const nodes = (rule) => rule.nodes.map((node) => node.html);
  told.textContent = JSON.stringify([seen.passes.length, seen.violations.map((rule) => [rule.id, nodes(rule)])]);
  document.body.replaceChildren(told);
});
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
const told = document.createElement("pre");
told.id = "seen";
told.textContent = JSON.stringify(seen);
document.body.replaceChildren(told);
"""


@pytest.fixture(scope="module")
def browser():
    """Chromium, and the text of axe-core."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.skip(f"not applicable: no {', '.join(BROWSERS)} on the path; install Chromium")
    package = find_spec("axe_core_python")
    if package is None or package.origin is None:
        pytest.skip("not applicable: axe-core-python is not installed; `make test` installs it")
    return found, (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def looked_at(page, browser, folder, width):
    """How many rules the page passes, and those that it breaks, with the elements."""
    return run_in(page, browser[0], [browser[1].replace("</script", r"<\/script"), LOOK], folder, width)


def run_in(page, program, codes, folder, width):
    """What scripts that are added to the page tell at its end."""
    ours = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)  # it forbids what is added here
    scripts = "".join(f"<script>{code}</script>" for code in codes)
    file = folder / "page.html"
    file.write_text(ours.replace("</body>", f"{scripts}</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    sized = [f"--window-size={width},1000", "--virtual-time-budget=60000", "--dump-dom"]
    shown = subprocess.run(  # noqa: S603 - a browser, on a page of ours
        [program, *options, *sized, file.as_uri()], capture_output=True, text=True, timeout=300, check=True
    ).stdout
    told = re.search(r'<pre id="seen">(.*?)</pre>', shown, re.DOTALL)
    assert told is not None, shown[-2000:]
    return json.loads(html.unescape(told[1]))


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_the_page_is_accessible(browser, tmp_path, width):
    """No rule is broken, and rules were looked at; one page with a mistake says that mistakes are seen."""
    page = render(sample_report()).replace("<details ", "<details open ")
    passed, broken = looked_at(page, browser, tmp_path, width)
    assert broken == []
    assert passed > 30
    _, seen = looked_at(page.replace('<html lang="en">', "<html>"), browser, tmp_path, width)
    assert [rule for rule, _ in seen] == ["html-has-lang"]


@pytest.mark.slow
def test_every_count_leads_to_a_list_of_so_many(browser, tmp_path):
    """Entries or findings that are found where a count is followed are as many as it says; a link opens its card."""
    report = sample_report()
    seen = run_in(render(report), browser[0], [COUNT], tmp_path, 1280)
    *counts, (_, everything), (_, opened) = seen
    assert len(counts) > 10
    for text, found in counts:
        number = re.match(r"\d+", text)
        assert number is not None
        assert number[0] in re.findall(r"\d+", found), f"{text} leads to {found}"
    assert everything.endswith(f" {len(report.findings)} findings")
    assert opened == "true"
