"""The page by which people choose an accountant: current, in order, and without a contradiction between columns."""

from pathlib import Path

from auditor.accountant_audit.environments import accountant, recorded
from auditor.front.accountants_page import COMMAND, PAGE, merge_records, rank_rows, render

ROOT = Path(__file__).resolve().parents[3]
ROWS = recorded()["accountants"]


def row(name, **fields):
    """Return a recorded row of a Gaussian accountant."""
    empty = dict.fromkeys(("worst", "excess", "worst excess", "median", "loosest", "ms a call"), "")
    of = {
        "library": "autodp 1",
        "of": "Gaussian",
        "computes": "epsilon",
        "class": "no violation seen",
        "date": "2026-01-02",
    }
    return {"id": name, **empty, **of, **fields}


def test_the_page_is_current():
    """It is what the record says."""
    assert (ROOT / PAGE).read_text(encoding="utf-8") == render(recorded(), ROWS), f"run `{COMMAND}`"


def test_right_accountants_come_first_and_the_tightest_of_them():
    """An unsafe one is last, however tight; of equal ones the faster is first."""
    rows = [
        row("autodp.a", excess="0", **{"class": "unsafe"}),
        row("autodp.b", excess="0.2", median="1"),
        row("autodp.c", excess="0.1", median="9", **{"class": "unsafe in corners"}),
        row("autodp.d", excess="0.2", median="1", **{"ms a call": "3"}),
    ]
    assert [one["id"][-1] for one in rank_rows(rows)] == ["c", "d", "b", "a"]


def test_an_accountant_that_is_wrong_without_its_box_comes_after_the_right_ones():
    """Only in the practical range: corners do not count."""
    rows = [
        row("autodp.a", median="1", whole="unsafe 0.5"),
        row("autodp.b", median="3", whole="invalid in corners"),
        row("autodp.c", median="2"),
    ]
    assert [one["id"][-1] for one in rank_rows(rows)] == ["c", "b", "a"]


def test_an_excess_that_was_not_recorded_ranks_nobody_behind():
    """The factor, which both have, decides then."""
    rows = [row("autodp.a", excess="0.01", median="2.6"), row("autodp.b", median="1")]
    assert [one["id"][-1] for one in rank_rows(rows)] == ["b", "a"]


def test_a_record_replaces_rows_and_cases_of_the_same_accountants():
    """What is not installed replaces nothing, and a case that is gone is removed."""
    old = {
        "options": {},
        "accountants": [row("autodp.a"), row("autodp.b")],
        "cases": {"autodp.a": [1], "autodp.b": [2]},
    }
    new = {"accountants": [row("autodp.a", median="2"), row("autodp.b", library="autodp not installed")], "cases": {}}
    result = merge_records(old, new)
    assert [one["median"] for one in result["accountants"]] == ["2", ""]
    assert result["cases"] == {"autodp.b": [2]}


def test_no_median_is_looser_than_the_loosest_answer():
    """The drawn points, whose median it is, are among the calls; rows that were recorded before that have no excess."""
    measured = [one for one in ROWS if one.get("excess")]
    assert len(measured) >= 8
    for one in measured:
        loosest = one["loosest"].replace("1 + ", "1")
        if float(one["median"]) > 1:
            assert loosest.startswith("1") or float(one["median"]) <= float(loosest), one["id"]
        assert float(one["excess"]) <= float(one["worst excess"]), one["id"]


def test_every_row_is_of_an_accountant_with_a_date():
    """A day, and an accountant that there is."""
    for one in ROWS:
        assert accountant(one["id"]).id == one["id"]
        assert len(one["date"].split("-")) == 3
