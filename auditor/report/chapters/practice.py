"""Practical results: deltas at common settings."""

from auditor.findings.card import WORDS
from auditor.report.chapters.chapter import Chapter, Quotable
from auditor.report.model import Table


def by_setting(run: Quotable) -> Table:
    """Return a table with one row per setting of a claim of the run."""
    rows = [
        [
            one.asks,
            ", ".join(f"{name}={value}" for name, value in one.at.items()),
            one.at_most,
            one.claim,
            WORDS[run.claims[one.claim].verdict],
        ]
        for one in run.quotes
    ]
    return Table(
        caption="Deltas at settings that people ask about",
        columns=["released", "setting", "delta at most", "claim", "verdict"],
        rows=rows,
    )


SECTIONS = (
    Chapter(
        "practice",
        "In practice: deltas to quote",
        "Upper ends of certified enclosures of the claim's formula at the setting, rounded up. The verdict is that of "
        "the claim, whose formula the number is.",
        (by_setting,),
    ),
)
