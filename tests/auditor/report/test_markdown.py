"""The Markdown rendering: complete and escaped."""

import re

import pytest

from auditor.report import markdown
from auditor.report.markdown import code, text
from tests.auditor.report.sample import sample_report

PAGE = markdown.render(sample_report())


def test_hostile_names_stay_text():
    """Markup of others is escaped outside code spans."""
    assert "<script>" not in re.sub(r"`[^`]*`", "", PAGE)
    assert "&lt;script&gt;" in PAGE


@pytest.mark.parametrize("words", ["a|b", "[x](y)", "*bold*", "`code`", "# title", "<b>", "a_b_c", "~~s~~", "$x$"])
def test_markup_is_escaped(words):
    """No character keeps its meaning in Markdown."""
    escaped = text(words)
    assert not re.search(r"(?<!\\)[|\[\]*`#~$_]|<|>", escaped.replace("&lt;", "").replace("&gt;", ""))


@pytest.mark.parametrize("words", ["a`b", "``", "`", "a``b`c", "x|y"])
def test_a_code_span_cannot_be_closed_from_inside(words):
    """The fence is longer than any run of backticks inside, and no cell is split."""
    span = code(words)
    fence = re.match("`+", span)[0]
    inner = span[len(fence) : -len(fence)]
    assert fence not in re.findall("`+", inner)
    assert "|" not in span


def test_tables_are_rectangular():
    """Every row of a table has the cells of its heading."""
    tables = re.findall(r"(?:^\|.*\n)+", PAGE, flags=re.MULTILINE)
    assert len(tables) > 6
    for table in tables:
        assert len({len(re.findall(r"(?<!\\)\|", row)) for row in table.splitlines()}) == 1


def test_it_tells_the_same_story():
    """Conclusion, errata, faults, accountants, trust base and commands are all there."""
    headings = re.findall("^## (.*)$", PAGE, flags=re.MULTILINE)
    assert headings[:4] == ["Unexpected results", "Undecided", "Summary", "Errata"]
    assert {"Planted faults", "Accountants", "Claims", "False alarms", "Trust base", "How to reproduce"} <= set(
        headings
    )
    assert "**2 unexpected results, 1 check crashed, 1 undecided, 1 not applicable (" in PAGE
