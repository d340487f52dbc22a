"""The documentation: MyST pages, and what the suite says of itself: its commands, checks and verdicts."""

from __future__ import annotations

import sys
from pathlib import Path

from docutils import nodes
from docutils.parsers.rst import Directive

sys.path.insert(0, str(Path(__file__).parents[1]))

import click
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from auditor.engine.registry import registry
from auditor.findings.card import WORDS
from auditor.front.cli import VERBS, app
from auditor.report.latex import to_mathml
from auditor.version import suite_version
from proofs_numeric.statements.verdict import Verdict

project = "Sparse histogram auditor"
author = "The sparse histogram auditor authors"
release = suite_version()
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]
exclude_patterns = ["_build"]
html_theme = "alabaster"
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
            found.append(section)
        return found


class Verdicts(Directive):
    """The words for verdicts."""

    def run(self) -> list[nodes.Node]:
        """Give a definition a verdict."""
        listed = nodes.definition_list()
        for verdict in Verdict:
            listed += nodes.definition_list_item(
                "", nodes.term("", WORDS[verdict]), nodes.definition("", nodes.paragraph("", MEANINGS[verdict]))
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


def setup(application: Sphinx) -> None:
    """Add the directives and the formulas."""
    application.add_html_math_renderer("ours", inline_renderers=(formula, None), block_renderers=(formula, None))
    for name, directive in (("commands", Commands), ("checks", Checks), ("verdicts", Verdicts)):
        application.add_directive(name, directive)
