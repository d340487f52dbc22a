"""The documentation: MyST pages, and what the suite says of itself: its commands, checks and verdicts."""

import json
import sys
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
# Where it is installed, jsonschema compiles this grammar of IRIs on import: 3 s of CPU, and no schema here has an IRI.
sys.modules.setdefault("rfc3987_syntax", None)

import click
import nbformat
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from auditor.engine.directions import directions
from auditor.engine.registry import registry
from auditor.findings.card import WORDS
from auditor.front.cli import VERBS, app
from auditor.front.notebook import body
from auditor.report import svg
from auditor.report.chapters.monotonicity import WAYS
from auditor.report.latex import to_mathml
from auditor.report.model import Plot, Series
from auditor.report.schema import PUBLISHED
from auditor.version import suite_version
from proofs_numeric.arithmetic import Float64
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.statements.verdict import Verdict

project = "Sparse histogram auditor"
author = "The sparse histogram auditor authors"
release = suite_version()
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3
myst_enable_extensions = ["deflist", "dollarmath"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
pygments_style = "vs"  # dark enough on white
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {"page_width": "72rem", "font_family": "system-ui, sans-serif", "head_font_family": "inherit"}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "ours"
autodoc_typehints = "none"
autodoc_member_order = "bysource"
suppress_warnings = ["misc.highlighting_failure"]
napoleon_use_ivar = True


class Commands(Directive):
    """The help of every verb, as the command line prints it."""

    def run(self) -> list[nodes.Node]:
        """Give a section a verb."""
        found: list[nodes.Node] = []
        with click.Context(app, info_name="auditor") as context:
            for verb in VERBS:
                command = app.get_command(context, verb)
                assert command is not None
                text = command.get_help(click.Context(command, info_name=f"auditor {verb}", max_content_width=88))
                section = nodes.section(ids=[f"command-{verb}"])
                section += [nodes.title("", f"auditor {verb}"), nodes.literal_block(text, text, language="text")]
                found.append(section)
        return found


class Checks(Directive):
    """Every check: what it decides, what it assumes."""

    def run(self) -> list[nodes.Node]:
        """Give a section a check."""
        found: list[nodes.Node] = []
        for name, check in sorted(registry().checks.items()):
            section = nodes.section(ids=[f"check-{name.replace('.', '-')}"])
            section += [nodes.title("", f"{check.title} ({name})"), nodes.paragraph("", check.explain)]
            section += [
                nodes.paragraph("", f"Assumes: {check.assumes}"),
                nodes.paragraph("", f"Applies to: {check.of}"),
            ]
            found.append(section)
        return found


class Directions(Directive):
    """Every parameter of this project's accountants, by the way in which delta moves."""

    def run(self) -> list[nodes.Node]:
        """Give an entry an accountant."""
        found = nodes.definition_list()
        for accountant, each in directions(registry(), registry().accountants, None).items():
            moved = {words: [one for one in each if one.way == way] for way, words in WAYS.items()}
            told = [
                f"{words} {'; '.join(f'{one.parameter} {one.certified}'.strip() for one in ones)}"
                for words, ones in moved.items()
                if ones
            ]
            truth = registry().accountants[accountant].against
            term = nodes.term("", "", nodes.literal("", accountant), nodes.Text(f", of {truth}"))
            found += nodes.definition_list_item("", term, nodes.definition("", nodes.paragraph("", ". ".join(told))))
        return [found]


class Notebook(Directive):
    """A committed notebook: its cells and what they gave, under the title of the page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Give the notebook as it is; its first cell is the title."""
        node = nbformat.read(ROOT / "notebooks" / f"{self.arguments[0]}.ipynb", 4)
        node.cells = node.cells[1:]
        return [nodes.raw("", f'<div class="notebook">{body(node)}</div>', format="html")]


class ReportSchema(Directive):
    """Every record of a report, and its fields."""

    def run(self) -> list[nodes.Node]:
        """Give a section a record, from the published JSON Schema."""
        schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
        found: list[nodes.Node] = []
        for name, record in [("The document", schema), *sorted(schema["$defs"].items())]:
            section = nodes.section(ids=[f"record-{name.replace(' ', '-').lower()}"])
            about = record.get("description", "").partition("\n")[0]
            section += [nodes.title("", name), told(about)]
            fields = nodes.definition_list()
            for field, shape in record.get("properties", {}).items():
                needed = " (required)" if field in record.get("required", ()) else ""
                term = nodes.term("", "", nodes.literal("", field), nodes.Text(f": {shape_of(shape)}{needed}"))
                meaning = nodes.definition("", told(shape.get("description", "")))
                fields += nodes.definition_list_item("", term, meaning)
            if len(fields):
                section += fields
            elif "enum" in record:
                section += nodes.paragraph("", f"One of {', '.join(record['enum'])}.")
            found.append(section)
        return found


def told(text: str) -> nodes.paragraph:
    """Give a paragraph whose words between back quotes are code."""
    parts = text.split("`")
    return nodes.paragraph("", "", *(nodes.literal("", x) if i % 2 else nodes.Text(x) for i, x in enumerate(parts)))


def shape_of(shape: dict[str, Any]) -> str:
    """Say what values a field takes."""
    if "$ref" in shape:
        return str(shape["$ref"]).rpartition("/")[2]
    if several := shape.get("anyOf") or shape.get("oneOf"):
        return " or ".join(map(shape_of, several))
    if shape.get("type") == "array":
        return f"list of {shape_of(shape.get('items', {}))}"
    if "const" in shape:
        return json.dumps(shape["const"])
    if "enum" in shape:
        return " or ".join(map(json.dumps, shape["enum"]))
    return str(shape.get("type", "anything"))


class Curves(Directive):
    """Formulas of claims, drawn when the page is built.

    A line is `label | claim | left, right or value | name=value ...`; the option `x` is the parameter with its values.
    """

    has_content = True
    final_argument_whitespace = True
    required_arguments = 1
    option_spec = {"x": str, "label": str, "y": str}  # noqa: RUF012 - docutils asks for it so

    def run(self) -> list[nodes.Node]:
        """Give the figure, in the colours of the page."""
        name, _, values = self.options["x"].partition("=")
        xs = [value.strip() for value in values.split(",")]
        series = []
        for line in self.content:
            label, identifier, side, given = (part.strip() for part in line.split("|"))
            point = dict(word.split("=") for word in given.split())
            own = name.strip()
            claim = registry().claim(identifier)
            formula = claim.formula if side == "value" else getattr(claim.kind, side)
            known = {parameter.name for parameter in claim.domain.parameters}
            assert {own, *point} <= known, f"{identifier} takes {known}, got {own, *point}"
            ys = [evaluate_in(Float64(), formula, claim.domain.parse({**point, own: x})) for x in xs]
            numbers = [[repr(float(v)) for v in values] for values in (map(Fraction, xs), ys)]
            series.append(Series(name=label, x=numbers[0], y=numbers[1]))
        caption = self.arguments[0]
        plot = Plot(
            caption=caption, x_label=self.options["label"], y_label=self.options["y"], y_log=True, series=series
        )
        return [
            nodes.raw(
                "", f"<figure>{svg.render(plot)}<figcaption>{escape(caption)}</figcaption></figure>", format="html"
            )
        ]


class Verdicts(Directive):
    """The words for verdicts."""

    def run(self) -> list[nodes.Node]:
        """Give a definition a verdict."""
        listed = nodes.definition_list()
        for verdict in Verdict:
            listed += nodes.definition_list_item(
                "",
                nodes.term("", f"{WORDS[verdict]}, ", nodes.literal("", verdict.value)),
                nodes.definition("", nodes.paragraph("", MEANINGS[verdict])),
            )
        return [listed]


MEANINGS = {
    Verdict.PROVED: "A kernel went from the statement itself to closed goals, or enumerated every case, over the scope "
    "that the finding states, for mechanisms over the real numbers.",
    Verdict.DERIVED: "Steps that hold, and a written argument from them to the statement that no machine has checked.",
    Verdict.CONSISTENT: "Searched or sampled. The finding says what would have been caught; it proves nothing.",
    Verdict.REFUTED: "A witness with both sides enclosed, or a test at its share of the false-alarm probability.",
    Verdict.UNDECIDED: "Enclosures overlap at the last precision, or what was drawn has less power than was asked for.",
    Verdict.NOT_APPLICABLE: "A precondition or an optional package is missing; the remedy is given.",
    Verdict.NOT_CHECKABLE: "Editorial, or rests on data that nobody has.",
    Verdict.ERROR: "The check crashed, or its target cannot be audited: this says nothing about the subject.",
}


def formula(page: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML: browsers draw it without a script, and nothing is loaded."""
    block = isinstance(node, nodes.math_block)
    page.body.append(f"<p>{to_mathml(node.astext())}</p>" if block else to_mathml(node.astext()))
    raise nodes.SkipNode


def accessible(application: Sphinx, exception: Exception | None) -> None:
    """Give what the theme leaves out: levels of headings, and the keyboard to code that scrolls."""
    if exception is not None:
        return
    for page in Path(application.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        text = text.replace('role="heading"', 'role="heading" aria-level="2"').replace("<pre>", '<pre tabindex="0">')
        page.write_text(text, encoding="utf-8")


def setup(application: Sphinx) -> None:
    """Add the directives and the formulas."""
    application.connect("build-finished", accessible)
    application.add_html_math_renderer("ours", inline_renderers=(formula, None), block_renderers=(formula, None))
    for name, directive in (
        ("commands", Commands),
        ("checks", Checks),
        ("directions", Directions),
        ("verdicts", Verdicts),
        ("notebook", Notebook),
        ("report-schema", ReportSchema),
        ("curves", Curves),
    ):
        application.add_directive(name, directive)
