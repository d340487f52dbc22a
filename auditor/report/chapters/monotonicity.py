"""In which parameters the answers of our accountants move one way, and in which they turn."""

from __future__ import annotations

from auditor.findings.card import WORDS
from auditor.report.chapters.chapter import Chapter, Direction, Quotable
from auditor.report.model import Table

WAYS = {"falls": "falls in", "rises": "rises in", "turns": "turns in", "open": "not known in"}


def by_parameter(run: Quotable) -> Table:
    """One row an accountant, one column a way to move; a way that nothing moves has none."""
    present = {one.way for each in run.directions.values() for one in each}
    ways = [way for way in WAYS if way in present]
    rows = [
        [
            accountant,
            *("; ".join(_told(one, run) for one in each if one.way == way) for way in ways),
            WORDS[run.accountants[accountant].verdict],
        ]
        for accountant, each in run.directions.items()
    ]
    return Table(
        caption="What more of a parameter does to the delta of our accountants",
        columns=["accountant", *(WAYS[way] for way in ways), "verdict"],
        rows=rows,
    )


def _told(one: Direction, run: Quotable) -> str:
    """A parameter, the verdict of the claims of this run about it, and its turn."""
    claims = ", ".join(f"{WORDS[run.claims[name].verdict]}, {name}" for name in one.claims if name in run.claims)
    return one.parameter + (f" ({claims})" if claims else "") + (f": {one.certified}" if one.certified else "")


SECTIONS = (
    Chapter(
        "monotonicity",
        "Monotone or not: what more of a parameter does to delta",
        "Every parameter of this suite's accountants. Beside a parameter stands the claim that delta moves one way in "
        "it, and what was found of that: proved over the whole box, or refuted. The others are declared, and held to "
        "it by the accountant's search, whose verdict ends the row. Where delta turns it is certified at three "
        "values: a bisection over such a parameter is unsound.",
        (by_parameter,),
    ),
)
