"""The matrix of library accountants: the worst recorded answer of each cell, with a link to its accountant."""

import re

import pytest

from auditor.report import html
from auditor.report.html import anchor
from auditor.report.matrix import CLASSES, matrix
from auditor.report.model import AccountantEntry
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.report.sample import sample_report

RIGHT = "no violation seen"


def entry(identifier, library, mechanism, name=RIGHT, worst="", loosest=""):
    """An accountant with a recorded audit."""
    recorded = {"library": library, "of": mechanism, "class": name, "worst": worst, "loosest": loosest}
    return AccountantEntry(
        id=identifier, library=library, version="1", against="c", verdict=Verdict.NOT_APPLICABLE, recorded=recorded
    )


def cell_of(*entries):
    """Return the single cell of accountants of one library and one mechanism."""
    found = matrix(entries)
    assert found is not None
    (((_, (cell,))),) = found.rows
    return cell


def test_the_smallest_factor_is_the_worst_unsafe_answer():
    """Also where a factor is written as its distance to 1."""
    factors = ("1 - 0.0001", "0.881", "5.04e-08", "0.00638")
    cell = cell_of(*(entry(f"a{i}", "a 1", "Laplace", "unsafe", factor) for i, factor in enumerate(factors)))
    assert (cell.accountant, cell.name, cell.factor, cell.counts) == ("a2", "unsafe", "5.04e-8", "4 of 4 bad")
    near = cell_of(
        entry("a", "a 1", "Laplace", "unsafe", "1 - 4e-05"), entry("b", "a 1", "Laplace", "unsafe", "1 - 0.0001")
    )
    assert near.accountant == "b"


def test_the_largest_factor_is_the_worst_loose_answer():
    """An infinite factor is larger than any number; a loose answer in a corner counts as right."""
    cell = cell_of(*(entry(f"a{i}", "a 1", "Laplace", loosest=factor) for i, factor in enumerate(("7.66", "inf", ""))))
    assert (cell.accountant, cell.name, cell.factor) == ("a1", "loose", "inf")
    assert cell_of(entry("a", "a 1", "Laplace", loosest="corner")).name == "right"


def test_a_cell_counts_its_bad_accountants():
    """Wrong answers in corners are not bad; a single accountant has no count."""
    entries = [
        entry(f"a{place}", "a 1", "Laplace", name, "0.9")
        for place, name in enumerate(("unsafe", "invalid", "inconsistent", "unsafe in corners", "undecided", RIGHT))
    ]
    assert cell_of(*entries).counts == "3 of 6 bad"
    assert cell_of(*entries[3:]).counts == "none of 3 bad"
    assert cell_of(entries[0]).counts == ""


def test_a_worse_class_wins():
    """In the order of the list of classes, whatever the factors are."""
    recorded = ("unsafe", "invalid", "inconsistent", "invalid in corners", "undecided")
    entries = [entry(f"a{i}", "a 1", "Laplace", name, "0.9") for i, name in enumerate(recorded)]
    entries += [entry("loose", "a 1", "Laplace", loosest="9"), entry("right", "a 1", "Laplace")]
    names = []
    while entries:
        names.append(cell_of(*entries).name)
        entries = entries[1:]
    assert names == [*CLASSES]


def test_a_library_has_a_row_and_a_mechanism_a_column():
    """The mechanism with most accountants first; a library without an accountant of it has an empty cell."""
    found = matrix(
        [
            entry("b.x", "b 2", "Laplace"),
            entry("a.x", "a 1", "Gaussian"),
            entry("b.y", "b 2", "Gaussian", "unsafe", "0.5"),
        ]
    )
    assert found is not None
    assert found.mechanisms == ["Gaussian", "Laplace"]
    assert [(row, [cell and cell.accountant for cell in cells]) for row, cells in found.rows] == [
        ("a 1", ["a.x", None]),
        ("b 2", ["b.y", "b.x"]),
    ]
    assert [(name, number) for name, _, _, number in found.key] == [("unsafe", 1), ("right", 2)]


def test_a_report_without_a_record_has_no_matrix():
    """Accountants of this suite are in no record."""
    assert matrix(sample_report().accountants) is None
    assert "class=matrix" not in html.render(sample_report())


def test_the_matrix_is_on_the_first_screens_and_links_to_its_accountants():
    """Before the errata; a cell has the colour, class and factor that its accountant's entry repeats."""
    report = sample_report()
    one = report.accountants[-1]
    row = {"library": "opendp 1", "of": "Laplace", "class": "unsafe", "worst": "0.37", "loosest": ""}
    page = html.render(report.model_copy(update={"accountants": [one.model_copy(update={"recorded": row})]}))
    assert page.index("class=matrix") < page.index("</header>")
    (cell,) = re.findall(r"<tr><th>opendp 1(.*?)</table>", page)
    assert cell == f"<td class=bad><a href=#{anchor(one.id)}>unsafe <strong>0.37</strong></a>"
    article = page[page.index(f"<article id={anchor(one.id)}>") :]
    assert "<span class=bad>unsafe 0.37</span>" in article[: article.index("</article>")]


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("prv_accountant.dpsgd 0.12.11", "prv_<wbr>accountant.<wbr>dpsgd 0.12.11"),
        ("PipelineDp 1.0", "Pipeline<wbr>Dp 1.0"),
        ("zCDP", "zCDP"),
        ("k subsampled Gaussians", "k sub\u00adsampled Gaussians"),
        ("inconsistent", "in\u00adcon\u00adsis\u00adtent"),
        ("thresholds, selection", "thresholds, selection"),
        ("dp-accounting <b>", "dp-accounting &lt;b&gt;"),
    ],
)
def test_names_break_at_their_joints(name, written):
    """At points, underscores and capitals, and between the syllables of long words; numbers stay whole."""
    assert str(html._break_at_joints(name)) == written
