"""The small figures: what is in the evidence is drawn where it lies."""

import re
from itertools import accumulate

import pytest

from auditor.findings.evidence import AccountantMap, EnclosureRow, EnclosuresEvidence, WealthPoint
from auditor.report import figure
from auditor.report.figure import HEIGHT, WIDTH
from tests.auditor.report.sample import HOSTILE, sample_report
from tests.auditor.report.test_html import Outline

FINDINGS = {finding.id: finding for finding in sample_report().findings}
SAMPLED = FINDINGS["half_noise::empirical"]
SEARCHED = FINDINGS["opendp.laplace_threshold_int::accountant"]


def drawn(finding, **update):
    """Draw a finding whose first evidence is changed."""
    first, *others = finding.evidence
    return figure.draw([finding.model_copy(update={"evidence": [first.model_copy(update=update), *others]})])


def path(drawing, mark):
    """The numbers of the path with a mark; of a line, which tells moves, its places."""
    (d,) = re.findall(rf'<path class="{mark}" d="([^"]*)"', drawing)
    numbers = [int(number) for number in re.findall(r"-?\d+", d)]
    if d.startswith("m"):
        numbers[::2], numbers[1::2] = accumulate(numbers[::2]), accumulate(numbers[1::2])
    return numbers


def test_a_finding_without_numbers_has_no_figure():
    """A proof, a reason: nothing to draw."""
    assert figure.draw([FINDINGS["wilkins2024.lem5.3::proof"], FINDINGS["hostile::accountant"]]) == ""


def test_a_test_shows_its_bounds_and_its_trade_off():
    """Two panels without a wealth on its way, three with one; each has a name."""
    named = dict(re.findall('<text id="([^"]*)"[^>]*>([^<]*)', figure.fields()))
    labels = re.findall('aria-labelledby="([^"]*)"', drawn(SAMPLED))
    assert [named[label] for label in labels] == ["delta over epsilon", "trade-off function"]
    wealth = [WealthPoint(samples=10, log10="0"), WealthPoint(samples=1000, log10="9")]
    labels = re.findall('aria-labelledby="([^"]*)"', drawn(SAMPLED, wealth=wealth))
    assert named[labels[2]] == "log10 wealth over releases"


def test_what_refutes_lies_above_what_is_claimed():
    """A lower bound above the claimed delta is drawn above it; drawings count from above."""
    drawing = drawn(SAMPLED, tradeoff=[], profile_lower={})
    claimed, bound = path(drawing, "c"), path(drawing, "b")
    assert bound[1] < claimed[1]


def test_the_wealth_that_refutes_ends_above_the_line_that_decides():
    """Log10 of 1/level is the line."""
    wealth = [WealthPoint(samples=10, log10="0"), WealthPoint(samples=1000, log10="99")]
    drawing = drawn(SAMPLED, tradeoff=[], epsilon=None, delta_claimed=None, profile_lower={}, wealth=wealth)
    line, won = path(drawing, "c"), path(drawing, "b")
    assert won == [0, HEIGHT, WIDTH, 0]
    assert 0 < line[1] < HEIGHT


@pytest.mark.parametrize(
    ("wealths", "corners"), [(("0", "5", "99"), 3), (("0", "50", "100"), 2), (("0", "99", "0"), 3)]
)
def test_a_place_between_its_neighbours_is_no_corner_of_the_line(wealths, corners):
    """Of a wealth after 10, 100 and 1000 releases: bent, straight, there and back."""
    wealth = [WealthPoint(samples=10 ** (place + 1), log10=log10) for place, log10 in enumerate(wealths)]
    drawing = drawn(SAMPLED, tradeoff=[], epsilon=None, delta_claimed=None, profile_lower={}, wealth=wealth)
    assert len(path(drawing, "b")) == 2 * corners


def test_exact_and_claimed_profiles_are_lines_over_epsilon():
    """Equal sides lie on one another; epsilon 0 is at the left end, the largest at the right."""
    rows = [
        EnclosureRow(parameters={"epsilon": epsilon}, quantity=number(delta), against=number(delta))
        for epsilon, delta in (("0", "0.5"), ("1/2", "0.1"), ("5", "1e-6"))
    ]
    evidence = EnclosuresEvidence(quantity="exact", relation="at most", digits=10, cases=3, rows=rows)
    drawing = figure.draw([SAMPLED.model_copy(update={"evidence": [evidence]})])
    exact = path(drawing, "x")
    assert exact == path(drawing, "c")
    assert exact[0] == 0
    assert exact[-2] == WIDTH
    assert exact[1] < exact[3] < exact[5]


def number(text):
    """An exact number."""
    return SAMPLED.evidence[0].delta_exact.model_copy(update={"lower": text, "upper": text, "value": text})


def test_the_map_marks_each_class():
    """Unsafe and right answers have marks of their own; names of parameters are text."""
    classes = {"unsafe": [("1", "2")], "right": [("1e-3", "5"), ("1e6", "6")], "anything": [("1", "1")]}
    drawing = drawn(SEARCHED, map=AccountantMap(across=HOSTILE, up="sigma", classes=classes))
    assert set(re.findall('<path class="([^"]*)"', drawing)) == {"u", "r", "n"}
    assert "<script" not in drawing
    assert "sigma over" in drawing


def test_numbers_that_have_no_place_are_left_out():
    """Infinity, undefined, a word: no figure fails on them, and tags nest."""
    drawing = drawn(SAMPLED, profile_lower={"infinity": "0.5", "word": "0.1"}, delta_lower="undefined")
    outline = Outline()
    outline.feed(drawing)
    assert (outline.crossed, outline.open) == ([], [])


def test_every_mark_has_its_meaning():
    """What a figure can draw is told beside the figures, each mark once."""
    marks = [mark for mark, _meaning in figure.LEGEND]
    assert len(marks) == len(set(marks))
    assert set(figure.CLASSES.values()) <= set(marks)


def test_deltas_far_below_what_a_double_holds_are_told_apart():
    """At 1e-400 the claimed delta lies below the exact one, between powers of ten; no end of the axis is 1."""
    row = EnclosureRow(parameters={"epsilon": "1"}, quantity=number("5e-400"), against=number("2e-400"))
    evidence = EnclosuresEvidence(quantity="exact", relation="at most", digits=10, cases=1, rows=[row])
    drawing = figure.draw([SAMPLED.model_copy(update={"evidence": [evidence]})])
    claimed, exact = path(drawing, "c"), path(drawing, "x")
    assert 0 < exact[1] < claimed[1] < HEIGHT
    assert re.findall("<text[^>]*>([^<]*)<", drawing) == ["1e-400", "1e-399", "1"]


def test_a_delta_of_zero_alone_lies_at_the_foot():
    """The foot says that it is at most its power of ten; the least positive delta lies above it."""
    rows = [
        EnclosureRow(parameters={"epsilon": epsilon}, quantity=number(delta), against=number("0"))
        for epsilon, delta in (("0", "0.5"), ("1", "0.001"))
    ]
    evidence = EnclosuresEvidence(quantity="exact", relation="at most", digits=10, cases=2, rows=rows)
    drawing = figure.draw([SAMPLED.model_copy(update={"evidence": [evidence]})])
    assert path(drawing, "c") == [0, HEIGHT, path(drawing, "x")[-2], HEIGHT]
    assert path(drawing, "x")[-1] < HEIGHT
    assert "≤1e-4" in drawing
