"""Pages in a browser: what axe-core says of one, and what scripts that are added to it tell."""

import html
import json
import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

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


def browser_and_axe():
    """Chromium and the text of axe-core; the test is skipped where one is missing."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"not applicable: no {', '.join(BROWSERS)} on the path; install Chromium")
    package = find_spec("axe_core_python")
    if package is None or package.origin is None:
        pytest.skip("not applicable: axe-core-python is not installed; `make test` installs it")
    return program, (Path(package.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def looked_at(page, browser, folder, width):
    """How many rules the page passes, and those that it breaks, with the elements."""
    return run_in(page, browser[0], [browser[1].replace("</script", r"<\/script"), LOOK], folder, width)


def run_in(page, program, codes, folder, width, anchor=""):
    """Return what scripts that are added to the page report at its end; the page is opened at `anchor`."""
    ours = re.sub("<meta http-equiv=Content-Security-Policy[^>]*>", "", page)  # it forbids what is added here
    scripts = "".join(f"<script>{code}</script>" for code in codes)
    file = folder / "page.html"
    file.write_text(ours.replace("</body>", f"{scripts}</body>"), encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    sized = [f"--window-size={width},1000", "--virtual-time-budget=60000", "--dump-dom"]
    output = subprocess.run(  # noqa: S603 - a browser, on a page of ours
        [program, *options, *sized, file.as_uri() + anchor], capture_output=True, text=True, timeout=300, check=True
    ).stdout
    matches = re.search(r'<pre id="seen">(.*?)</pre>', output, re.DOTALL)
    assert matches is not None, output[-2000:]
    return json.loads(html.unescape(matches[1]))
