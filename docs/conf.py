"""Build the documentation: MyST pages, and reference pages generated from the suite."""

import json
import sys
from fractions import Fraction
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).parents[1]
EXECUTED = ROOT / ".auditor" / "notebooks"
sys.path.insert(0, str(ROOT))
# jsonschema compiles this grammar of IRIs on import, which takes 3 s of CPU. No schema here contains an IRI.
sys.modules.setdefault("rfc3987_syntax", None)

import click
import nbformat
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from auditor.engine.directions import directions
from auditor.engine.registry import registry
from auditor.findings.card import WORDS
from auditor.front.cli import VERBS, app
from auditor.front.notebook import body, build, story_of
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
html_theme = "furo"
html_title = project
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
html_show_sourcelink = False
html_show_copyright = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_math_renderer = "ours"
smartquotes = False  # options begin with two hyphens
autodoc_typehints = "none"
autodoc_member_order = "bysource"
suppress_warnings = ["misc.highlighting_failure"]
napoleon_use_ivar = True


class Commands(Directive):
    """The usage, arguments and options of every command."""

    def run(self) -> list[nodes.Node]:
        """Return one section per command."""
        found: list[nodes.Node] = []
        with click.Context(app, info_name="auditor") as context:
            for verb in VERBS:
                command = app.get_command(context, verb)
                assert command is not None
                inner = click.Context(command, info_name=f"auditor {verb}", show_default=True)
                section = nodes.section(ids=[f"command-{verb}"])
                usage = " ".join(command.get_usage(inner).removeprefix("Usage: ").split())
                section += [nodes.title("", f"auditor {verb}"), nodes.literal_block(usage, usage, language="text")]
                section += [paragraph_with_code(" ".join(part.split())) for part in (command.help or "").split("\n\n")]
                options = nodes.definition_list()
                for names, text in filter(None, (each.get_help_record(inner) for each in command.get_params(inner))):
                    term = nodes.term("", "", nodes.literal("", names))
                    options += nodes.definition_list_item("", term, nodes.definition("", paragraph_with_code(text)))
                section += options
                found.append(section)
        return found


class Checks(Directive):
    """The purpose, assumptions and scope of every check."""

    def run(self) -> list[nodes.Node]:
        """Return one section per check."""
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
    """The parameters of this project's accountants, grouped by the direction in which delta changes."""

    def run(self) -> list[nodes.Node]:
        """Return one entry per accountant."""
        found = nodes.definition_list()
        for accountant, each in directions(registry(), registry().accountants, None).items():
            sentences = []
            for way, label in WAYS.items():
                plain = ", ".join(one.parameter for one in each if one.way == way and not one.certified)
                certified = [f"{one.parameter}: {one.certified}" for one in each if one.way == way and one.certified]
                sentences += [f"{label.capitalize()} {text}." for text in (plain, *certified) if text]
            truth = registry().accountants[accountant].against
            term = nodes.term("", "", nodes.literal("", accountant), nodes.Text(f", of {truth}"))
            found += nodes.definition_list_item(
                "", term, nodes.definition("", nodes.paragraph("", " ".join(sentences)))
            )
        return [found]


class Notebook(Directive):
    """The cells of a notebook under the title of the page, with the outputs of `make notebooks` if it has run."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the notebook without its first cell, which is the title."""
        node, executed = build(story_of(self.arguments[0])), EXECUTED / f"{self.arguments[0]}.ipynb"
        if executed.exists():
            outputs = nbformat.read(executed, 4)
            node = outputs if [cell.source for cell in outputs.cells] == [cell.source for cell in node.cells] else node
        node.cells = node.cells[1:]
        return [nodes.raw("", f'<div class="notebook">{body(node)}</div>', format="html")]


class ReportSchema(Directive):
    """The records of a report and their fields."""

    def run(self) -> list[nodes.Node]:
        """Return one section per record of the published JSON Schema."""
        schema = json.loads(PUBLISHED.read_text(encoding="utf-8"))
        found: list[nodes.Node] = []
        for name, record in [("The document", schema), *sorted(schema["$defs"].items())]:
            section = nodes.section(ids=[f"record-{name.replace(' ', '-').lower()}"])
            about = record.get("description", "").partition("\n")[0]
            section += [nodes.title("", name), paragraph_with_code(about)]
            fields = nodes.definition_list()
            for field, shape in record.get("properties", {}).items():
                required = " (required)" if field in record.get("required", ()) else ""
                term = nodes.term("", "", nodes.literal("", field), nodes.Text(f": {shape_of(shape)}{required}"))
                meaning = nodes.definition("", paragraph_with_code(shape.get("description", "")))
                fields += nodes.definition_list_item("", term, meaning)
            if len(fields):
                section += fields
            elif "enum" in record:
                section += nodes.paragraph("", f"One of {', '.join(record['enum'])}.")
            found.append(section)
        return found


def paragraph_with_code(text: str) -> nodes.paragraph:
    """Return a paragraph in which text between back quotes is code."""
    parts = text.split("`")
    return nodes.paragraph("", "", *(nodes.literal("", x) if i % 2 else nodes.Text(x) for i, x in enumerate(parts)))


def shape_of(shape: dict[str, Any]) -> str:
    """Describe the allowed values of a field."""
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
    """A figure of formulas of claims, drawn during the build.

    A line of content is `label | claim | left, right or value | name=value ...`. The option `x` is a parameter with its
    values.
    """

    has_content = True
    final_argument_whitespace = True
    required_arguments = 1
    option_spec = {"x": str, "label": str, "y": str}  # noqa: RUF012 - docutils requires a class attribute

    def run(self) -> list[nodes.Node]:
        """Return the figure in the colours of the page."""
        name, _, values = self.options["x"].partition("=")
        xs = [value.strip() for value in values.split(",")]
        series = []
        for line in self.content:
            label, identifier, side, given = (part.strip() for part in line.split("|"))
            point = dict(word.split("=") for word in given.split())
            varied = name.strip()
            claim = registry().claim(identifier)
            formula = claim.formula if side == "value" else getattr(claim.kind, side)
            names = {parameter.name for parameter in claim.domain.parameters}
            assert {varied, *point} <= names, f"{identifier} takes {names}, got {varied, *point}"
            ys = [evaluate_in(Float64(), formula, claim.domain.parse({**point, varied: x})) for x in xs]
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
    """The verdicts and their meanings."""

    def run(self) -> list[nodes.Node]:
        """Return one definition per verdict."""
        listed = nodes.definition_list()
        for verdict in Verdict:
            listed += nodes.definition_list_item(
                "",
                nodes.term("", f"{WORDS[verdict]}, ", nodes.literal("", verdict.value)),
                nodes.definition("", nodes.paragraph("", MEANINGS[verdict])),
            )
        return [listed]


MEANINGS = {
    Verdict.PROVED: "The kernel reduced the statement itself to closed goals, or enumerated every case. The verdict "
    "holds on the scope that the finding states, for mechanisms over the real numbers.",
    Verdict.DERIVED: "The steps were checked. A written argument, which no program has checked, connects them to the "
    "statement.",
    Verdict.CONSISTENT: "A search or samples found no violation. The finding states which violation would have been "
    "detected. The verdict proves nothing.",
    Verdict.REFUTED: "A witness with both sides enclosed, or a test at its share of the false-alarm probability, "
    "contradicts the statement.",
    Verdict.UNDECIDED: "The enclosures overlap at the highest precision, or the samples have less power than required.",
    Verdict.NOT_APPLICABLE: "A precondition or an optional package is missing. The finding names the remedy.",
    Verdict.NOT_CHECKABLE: "The statement is editorial, or it depends on data that nobody has.",
    Verdict.ERROR: "The check crashed, or its target cannot be audited. The verdict contains no information about the "
    "subject.",
}


def formula(page: HTML5Translator, node: nodes.math | nodes.math_block) -> None:
    """Write a formula as MathML, which browsers draw without a script."""
    block = isinstance(node, nodes.math_block)
    page.body.append(f"<p>{to_mathml(node.astext())}</p>" if block else to_mathml(node.astext()))
    raise nodes.SkipNode


ACCESSIBLE = {
    'role="heading"': 'role="heading" aria-level="2"',
    "<pre>": '<pre tabindex="0">',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Pages">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="On this page">',
}
"""Elements of the theme, and the same elements with levels, names and access by keyboard."""


def accessible(application: Sphinx, exception: Exception | None) -> None:
    """Make the elements of every page accessible."""
    if exception is not None:
        return
    for page in Path(application.outdir).rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for element, replacement in ACCESSIBLE.items():
            text = text.replace(element, replacement)
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
