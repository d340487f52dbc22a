"""The documentation is built without a warning, and its pages load nothing."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from auditor.engine.registry import registry
from auditor.front.accountants import accountant_request
from tests.chromium import browser_and_axe, looked_at

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def docs(tmp_path_factory):
    """The documentation, built strictly."""
    if not all(map(find_spec, ("sphinx", "myst_parser", "furo"))):
        pytest.skip("not applicable: sphinx, myst-parser or furo is not installed; `make test` installs them")
    site, kept = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("doctrees")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", str(ROOT / "docs"), str(site)]
    built = subprocess.run(  # noqa: S603 - our own pages
        [*command, "-d", str(kept)], capture_output=True, text=True, check=False, timeout=600
    )
    assert built.returncode == 0, built.stdout + built.stderr
    return site


@pytest.mark.slow
def test_the_site_is_built_strictly_and_loads_nothing(docs):
    """Every page is reached, every function named is documented, every verb and check is listed."""
    pages = {page.relative_to(docs).as_posix(): page.read_text(encoding="utf-8") for page in docs.rglob("*.html")}
    assert {"index.html", "tutorials/mechanism.html", "explanation/errata.html"} <= pages.keys()
    loaded = r'(?:<script[^>]*\bsrc|<link[^>]*rel="stylesheet"[^>]*\bhref|<img[^>]*\bsrc)="(?:https?:)?//'
    assert [name for name, page in pages.items() if re.search(loaded, page)] == []
    assert "auditor reproduce" in pages["reference/commands.html"]
    assert "numeric.value" in pages["reference/checks.html"]
    assert pages["reference/checks.html"].count("Assumes: ") == len(registry().checks)
    assert "schema_version" in pages["reference/report.html"]
    for notebook in registry().notebooks:
        assert 'class="notebook"' in pages[f"notebooks/{notebook}.html"]
    assert pages["explanation/errata.html"].count("<figure><svg") == 2
    ours = [one for one in registry().accountants.values() if not one.library]
    assert all(f"{one.id}</span></code>, of {one.against}" in pages["reference/monotonicity.html"] for one in ours)
    assert "audit_mechanism" in pages["reference/api.html"]
    assert "<math>" in pages["explanation/betting.html"]


DOCS = ("index", "reference/api", "reference/checks", "tutorials/mechanism", "notebooks/gaussian_sparse_histogram")


@pytest.mark.slow
def test_pages_of_the_documentation_are_accessible(docs):
    """No rule of axe-core is broken, in light and in dark colours."""
    theme = 'localStorage.getItem("theme") || "auto"'
    for name in DOCS:
        page = docs / f"{name}.html"
        text = page.read_text(encoding="utf-8")
        assert text.count(theme) == 1
        for colours in ("light", "dark"):
            themed = text.replace(theme, f'"{colours}"')
            passed, broken = looked_at(themed, browser_and_axe(), page.parent, 390)
            assert broken == [], (name, colours)
            assert passed > 20


TRUTHS = (ROOT / "docs/reference/truths.md").read_text(encoding="utf-8")


def test_the_truths_take_the_parameters_that_their_page_lists():
    """Names and order are those of the claim."""
    rows = re.findall(r"^\| [^|]+ \| `([\w.]+)` \| ([^|]+) \|$", TRUTHS, re.MULTILINE)
    assert len(rows) > 10
    for identifier, names in rows:
        assert names.split(", ") == [*registry().claim(identifier).domain.names], identifier


def test_a_function_of_the_page_fits_its_truth():
    """The audit passes each function exactly the parameters of its signature."""
    rows = re.findall(r"^\| `(\w+)\(([\w, ]+)\)`[^|]* \| `--against ([\w.]+) --solves (\w+)` \|$", TRUTHS, re.MULTILINE)
    assert len(rows) > 5
    for returned, names, identifier, solves in rows:
        assert returned == solves
        request = accountant_request("file.py:function", identifier, solves=solves)
        box = request.search_box(frozenset(names.split(", ")))
        assert {axis.parameter.name for axis in box.axes} == {*names.split(", ")}, (identifier, names)


def test_the_glossary_has_each_word_once_in_order():
    """Terms are sorted, without a duplicate."""
    glossary = (ROOT / "docs/reference/glossary.md").read_text(encoding="utf-8")
    words = [name for line in re.findall(r"^(\S.*)\n: ", glossary, re.MULTILINE) for name in line.split(", ")[:1]]
    assert len(words) > 30
    assert words == sorted(set(words), key=str.casefold)


def test_every_notebook_is_a_page():
    """Under the title of its story."""
    pages = {page.stem: page.read_text(encoding="utf-8") for page in (ROOT / "docs/notebooks").glob("*.md")}
    assert pages.keys() == registry().notebooks.keys()
    for name, story in registry().notebooks.items():
        assert pages[name].startswith(f"# {story.title}\n")
