"""Chapters quote: every id in them is of the run, every verdict is the finding's, and they compute nothing."""

import ast
import re
import sys
from dataclasses import replace
from fnmatch import fnmatchcase
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from auditor.accountant_audit.environments import Library
from auditor.checks.accountants import check_accountant
from auditor.checks.check import Context
from auditor.engine.assembly import accountant_entry
from auditor.engine.registry import registry
from auditor.engine.runner import run
from auditor.findings.card import WORDS
from auditor.findings.finding import Finding, deciding_findings, verdict_of
from auditor.profile import profile
from auditor.report import chapters as package
from auditor.report.chapters.accuracy import library_accountants, search_table
from auditor.report.chapters.chapter import Quotable, chapters
from auditor.report.model import AuditReport

MODULES = sorted(Path(package.__file__).parent.glob("*.py"))
SELECTIONS = (
    ("rogers2024.def*",),
    ("rogers2024.thm10.mixture",),
    ("rogers2024.thm9.T", "wilkins2024.sec6.sigma", "bharadwaj2022.exp.tau"),
    ("wilkins2024.sec7.add_factor*", "lebeda2025.csh.exact.all_new", "half_noise"),
    ("reference.gaussian_sparse_histogram.delta",),
)


@cache
def report_of(selection: tuple[str, ...]) -> AuditReport:
    """A quick run, once."""
    return run(selection, profile="quick")


@pytest.mark.slow
@pytest.mark.parametrize("selection", SELECTIONS, ids=" ".join)
def test_a_chapter_says_nothing_of_what_was_not_run(selection):
    """Whatever is selected, each registered id that a chapter names has findings in the report."""
    report = report_of(selection)
    present = {finding.subject for finding in report.findings}
    text = " ".join(section.model_dump_json(exclude={"id"}) for section in report.sections)
    names = {name for name in registry().subjects if re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", text)}
    assert names <= present


@pytest.mark.slow
@pytest.mark.parametrize("selection", SELECTIONS, ids=" ".join)
def test_a_verdict_in_a_chapter_is_that_of_the_findings(selection):
    """In the words of the report, beside the id; the sentence quoted is a finding's headline."""
    report = report_of(selection)
    findings: dict[str, list[Finding]] = {}
    for finding in report.findings:
        findings.setdefault(finding.subject, []).append(finding)
    for section in report.sections:
        for table in section.tables:
            for cells in table.rows:
                row = dict(zip(table.columns, cells, strict=True))
                about = findings[cells[0]]
                assert row["verdict"] == WORDS[verdict_of(about)]
                assert "found" not in row or row["found"] in {finding.headline for finding in deciding_findings(about)}


@pytest.mark.slow
def test_some_selection_has_chapters_and_definitions_have_none():
    """The tests above look at rows."""
    assert not report_of(SELECTIONS[0]).sections
    result = report_of(SELECTIONS[2]).sections
    assert [section.id for section in result] == ["gaussian_sparse_histogram", "sample_and_threshold", "unknown_domain"]


def test_a_run_without_findings_has_no_chapter():
    """Nothing is quoted from nothing."""
    assert chapters(registry().sections.values(), Quotable({}, {}, {})) == []


@pytest.mark.parametrize("chapter", registry().sections.values(), ids=registry().sections)
def test_every_claim_that_a_chapter_asks_for_is_registered(chapter):
    """No glob of a chapter is dead."""
    for table in chapter.tables:
        for glob in getattr(table, "args", ((), ()))[1]:
            assert any(fnmatchcase(name, glob) for name in registry().claims), glob


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_a_chapter_imports_the_report_and_the_standard_library_only(module):
    """No formula, no mechanism, no generator is within reach."""
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        for name in names:
            standard = name.split(".")[0] in sys.stdlib_module_names - {"math", "random", "statistics"}
            assert standard or name.startswith(("auditor.report.", "auditor.findings.")), (
                f"{module.name} imports {name}"
            )


@pytest.mark.slow
def test_a_direction_has_the_verdict_of_the_claim_about_it_where_the_run_has_it():
    """Proved by the slope of the formula, or by a claim of this run."""
    rows = []
    for selection in (("reference.gaussian_sparse_histogram.delta",), ("reference.gaussian_*", "*thm5.4.mono.gap")):
        (section,) = (each for each in report_of(selection).sections if each.id == "monotonicity")
        ((row,),) = (table.rows for table in section.tables)
        rows.append(dict(zip(section.tables[0].columns, row, strict=True)))
    declared, proved = rows
    assert (declared["falls in"], declared["rises in"]) == ("epsilon, gap (proved)", "c_u, mu_o (proved)")
    assert proved["falls in"] == "epsilon (proved); gap (proved, wilkins2024.thm5.4.mono.gap)"
    certified = "sigma: 0.353 at 2, 0.0606 at 4, 0.994 at 40 where epsilon = 1, c_u = 10"
    assert proved["not monotone in"].startswith(certified)


def test_missing_packages_are_named_with_their_remedy():
    """An accountant whose library is not installed has no row of a search; that of its record says so."""
    catalogue = registry()
    subject = replace(catalogue.accountants["opendp.zcdp.delta"], environment=Library("no_such_distribution"))
    result = check_accountant(subject, Context(profile("quick"), 0, Fraction(1, 10**6), catalogue))
    quotable = Quotable({}, {subject.id: accountant_entry(subject, result)}, {subject.id: result})
    assert search_table(quotable).rows == []
    ((name, *_recorded, this_run),) = library_accountants(quotable).rows
    assert (name, this_run) == (subject.id, "not applicable")
    assert "auditor accountants install" in result[0].headline or "pip install" in result[0].headline
