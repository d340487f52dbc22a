"""Parameters in which the answers of our accountants are monotone, and parameters with a change point."""

from auditor.findings.card import WORDS
from auditor.report.chapters.chapter import Chapter, Direction, Quotable
from auditor.report.model import Table

WAYS = {"falls": "falls in", "rises": "rises in", "turns": "not monotone in", "open": "not known in"}


def by_parameter(run: Quotable) -> Table:
    """Return a table with a row per accountant and a column per way of moving that occurs."""
    present = {one.way for each in run.directions.values() for one in each}
    ways = [way for way in WAYS if way in present]
    rows = [
        [
            accountant,
            *(_format_directions([one for one in each if one.way == way], run) for way in ways),
            WORDS[run.accountants[accountant].verdict],
        ]
        for accountant, each in run.directions.items()
    ]
    return Table(
        caption="Monotonicity of our accountants' delta in each parameter",
        columns=["accountant", *(WAYS[way] for way in ways), "verdict"],
        rows=rows,
    )


def _format_directions(moving: list[Direction], run: Quotable) -> str:
    """Return the parameters with their deciding arguments; parameters with equal arguments are grouped."""
    together: dict[str, list[str]] = {}
    for one in moving:
        together.setdefault(_argument_of(one, run), []).append(one.parameter)
    return "; ".join(", ".join(names) + argument for argument, names in together.items())


def _argument_of(one: Direction, run: Quotable) -> str:
    """Return the run's claims about a direction, or its own argument, and its change point."""
    claims = ", ".join(f"{WORDS[run.claims[name].verdict]}, {name}" for name in one.claims if name in run.claims)
    by = claims or one.decided
    return (f" ({by})" if by else "") + (f": {one.certified}" if one.certified else "")


SECTIONS = (
    Chapter(
        "monotonicity",
        "Monotonicity of delta in each parameter",
        "Every parameter of this suite's accountants, with the evidence for its direction. Proved: by the kernel from "
        "the formula, or by the named claim. Derived: every pair of laws at one value is a post-processing of a pair "
        "at the other value, or the formula consists of monotone parts. `auditor explain` of the accountant's claim "
        "prints the argument, which no machine checks. Not applicable: the kernel's SymPy is not installed. Other "
        "directions are declared, or derived from claims outside this run. Only the accountant's search tests them; "
        "its verdict ends the row. If delta is not monotone, certified values at three points prove it: a bisection "
        "over such a parameter is unsound.",
        (by_parameter,),
    ),
)
