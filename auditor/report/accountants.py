"""Other people's accountants on one page: the table; of each a map of what was searched, its defect and a script."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.accountant_audit.environments import LibraryAccountant
from auditor.accountant_audit.issue import script
from auditor.accountant_audit.judge import Kind
from auditor.accountant_audit.log import of_kind
from auditor.accountant_audit.result import LONG_RANGE, AccountantAudit
from auditor.accountant_audit.survey import Survey
from auditor.findings.card import WORDS
from auditor.report.html import page
from auditor.report.model import Plot, Series, Table
from proofs_numeric.statements.verdict import Expectation, Verdict


@dataclass(frozen=True)
class Audited:
    """One accountant of a library and what its audit found.

    Args:
        accountant: what was called.
        audit: the audit; None where the library is not installed.
        survey: of points that were not searched for; None with it.

    """

    accountant: LibraryAccountant
    audit: AccountantAudit | None = None
    survey: Survey | None = None

    @property
    def met(self) -> bool:
        """Whether it is refuted where that is expected, and nowhere else; so is what was not audited."""
        expected = self.accountant.expected is Expectation.HOLDS
        return self.audit is None or (self.audit.verdict is not Verdict.REFUTED) == expected

    @property
    def verdict(self) -> str:
        """The verdict in words, beside what is expected."""
        if self.audit is None:
            return WORDS[Verdict.NOT_APPLICABLE]
        refuted, holds = self.audit.verdict is Verdict.REFUTED, self.accountant.expected is Expectation.HOLDS
        return WORDS[self.audit.verdict] + ("" if holds else ", as expected" if refuted else ", mended")

    @property
    def row(self) -> dict[str, str]:
        """The row of the table: factors are returned/truth, or delta asked for/achieved, in the practical range."""
        library = self.accountant.library
        named = {"id": self.accountant.id, "library": f"{library.distribution} {library.version or 'not installed'}"}
        if self.audit is None or self.survey is None:
            empty = dict.fromkeys(("worst", "median", "loosest", "ms a call"), "")
            return {**named, "verdict": self.verdict, **empty, "found": library.remedy}
        factor, time = self.survey.factor, self.survey.milliseconds
        return {
            **named,
            "verdict": self.verdict,
            "worst": _ratio(self.audit, (Kind.UNSAFE, Kind.ROUNDING)),
            "median": "" if factor is None else f"{factor:.3g}",
            "loosest": _ratio(self.audit, (Kind.LOOSE,)),
            "ms a call": "" if math.isnan(time) else f"{time:.2g}",
            "found": ", ".join(f"{name} {one.calls}" for name, one in self.audit.classes.items()),
        }


def _ratio(audit: AccountantAudit, kinds: Sequence[Kind]) -> str:
    """The quotient of the worst answer of a class, in the practical range where there is one."""
    one = next((audit.classes[kind] for kind in kinds if kind in audit.classes), None)
    point = None if one is None else one.worst_practical or one.worst
    return "" if point is None or point.ratio is None else f"{float(point.ratio):.3g}"


def box_map(name: str, audit: AccountantAudit) -> Plot:
    """Return the map of the box by class: the first two searched parameters, or one and how far answers are off."""
    across, *others = [name for name, (lower, upper) in audit.box.items() if lower != upper] or list(audit.box)
    up = others[0] if others else "returned/truth"
    series: list[Series] = []
    values: dict[str, list[float]] = {across: [], up: []}
    for kind in dict.fromkeys(call.kind for call in audit.calls):
        places = [
            (x, y)
            for call in of_kind(audit.calls, kind)
            if isinstance(x := call.point[across], int | float)
            and isinstance(y := call.point[up] if others else math.exp(call.excess), int | float)
            and math.isfinite(y)
        ]
        for axis, column in ((across, [x for x, _ in places]), (up, [y for _, y in places])):
            values[axis] += column
        points = {"x": [repr(float(x)) for x, _ in places], "y": [repr(float(y)) for _, y in places]}
        series.append(Series(name=f"{kind.value} ({len(places)})", style="points", **points))
    far = {name: bool(one) and 0 < LONG_RANGE * min(one) < max(one) for name, one in values.items()}
    caption = f"{name} against {audit.claim}, calls by class: {', '.join(one.name for one in series)}"
    return Plot(caption=caption, x_label=across, y_label=up, x_log=far[across], y_log=far[up], series=series)


def render(rows: Sequence[Audited], options: Mapping[str, object]) -> str:
    """Return the page, complete in itself.

    Args:
        rows: what was audited, and what was not.
        options: of the search, by name: how to make the page again.

    """
    table = Table(
        caption="Accountants by library, against certified truth",
        columns=[*rows[0].row],
        rows=[[*one.row.values()] for one in rows],
    )
    audited = [(one.accountant, one.audit, one.verdict) for one in rows if one.audit is not None]
    entries = [
        {
            "id": accountant.id,
            "title": accountant.title,
            "against": accountant.against,
            "note": accountant.note,
            "verdict": verdict,
            "detail": audit.detail,
            "map": box_map(accountant.id, audit),
            "script": "" if point is None else script(accountant, point),
            "exact": "" if point is None or point.truth is None else point.truth.value or point.truth.lower,
            "held": f"{audit.achieves} achieved" if audit.achieves else "exact value",
        }
        for accountant, audit, verdict in audited
        for point in [audit.unsafe or audit.invalid]
    ]
    return page("accountants.html.j2", table_of=table, entries=entries, options=options)
