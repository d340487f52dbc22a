"""Other people's accountants on one page: the table; of each a map of what was searched, its defect and a script."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.accountant_audit.environments import LibraryAccountant
from auditor.accountant_audit.issue import script
from auditor.accountant_audit.judge import Kind
from auditor.accountant_audit.log import BAD
from auditor.accountant_audit.result import INCONSISTENT, AccountantAudit, long_range
from auditor.accountant_audit.survey import Survey
from auditor.findings.card import WORDS
from auditor.report.html import page
from auditor.report.model import Plot, Series
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.verdict import Expectation, Verdict

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "Gaussian": ("wilkins2024.thm2.2", "thresholds.gaussian.epsilon", "thresholds.gaussian.sigma"),
    "k Gaussians": ("standard.gaussian.composition",),
    "Laplace": ("rogers2024.thm1.laplace", "standard.laplace.composition"),
    "discrete noise": (
        *("standard.discrete_laplace", "standard.discrete_gaussian"),
        *("standard.discrete_laplace.composition", "standard.discrete_gaussian.composition"),
    ),
    "randomised response": ("standard.randomized_response",),
    "subsampled Gaussian": ("standard.subsampled_gaussian", "standard.subsampled_gaussian.both"),
    "k subsampled Gaussians": (
        "standard.subsampled_gaussian.composition",
        "standard.subsampled_gaussian.composition.both",
    ),
    "bounded range": (
        *("standard.bounded_range", "standard.bounded_range.composition", "standard.power.bounded_range"),
    ),
    "one Renyi order": (
        *("standard.renyi.gaussian", "standard.renyi.laplace", "standard.renyi.discrete_laplace"),
        *("standard.renyi.randomized_response", "standard.renyi.bounded_range", "standard.renyi.subsampled_gaussian"),
    ),
    "composed pairs": ("standard.composition.homogeneous", "standard.composition.heterogeneous"),
    "zCDP": ("standard.zcdp",),
    "best test": (
        *("standard.power.gaussian", "standard.advantage.gaussian", "standard.power.laplace"),
        *("standard.power.discrete_laplace", "standard.power.discrete_gaussian", "standard.power.randomized_response"),
        *("standard.power.laplace.composition", "standard.power.subsampled_gaussian"),
    ),
    "thresholds, selection": (
        *("thresholds.laplace.integer", "thresholds.laplace.real", "standard.partition_selection.keep"),
        *("thresholds.gaussian.integer", "thresholds.gaussian.real"),
    ),
}
"""What libraries account for, and the claims about it: the columns of the map."""


SMALLEST_EXCESS = 1e-5


@dataclass(frozen=True)
class Audited:
    """One accountant of a library and what its audit found.

    Args:
        accountant: what was called.
        claim: what it is held against.
        audit: the audit; None where the library is not installed.
        survey: of points that were not searched for; None with it.
    """

    accountant: LibraryAccountant
    claim: Claim
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
    def kind(self) -> str:
        """The worst class of its answers, and whether the practical range holds one; else the verdict."""
        classes = {} if self.audit is None else self.audit.classes
        worst = next((name for name in (*BAD, INCONSISTENT) if name in classes), None)
        if worst is None or self.audit is None:
            return self.verdict
        return worst if classes[worst].practical else f"{worst} in corners"

    @property
    def cases(self) -> list[Mapping[str, str]]:
        """Where it is wrong, or where two answers contradict each other."""
        return [point.parameters for point in self.audit.counterexample] if self.audit is not None else []

    @property
    def row(self) -> dict[str, str]:
        """The row of the table: factors are returned/truth, or delta asked for/achieved, in the practical range."""
        one = self.accountant
        named = {
            "id": one.id,
            "library": f"{one.library} {one.installed_version or 'not installed'}",
            "computes": ", ".join(one.solves) or str(self.claim.quantity),
            "of": next((family for family, claims in FAMILIES.items() if one.against in claims), one.against),
            "verdict": self.verdict,
            "class": self.kind,
            "budget": f"{one.budget:g}" if one.budget else "",
        }
        if self.audit is None or self.survey is None:
            empty = dict.fromkeys(("worst", "excess", "worst excess", "median", "loosest", "ms a call", "case"), "")
            return {**named, **empty, "found": one.remedy}
        factor, time = self.survey.factor, self.survey.milliseconds
        return {
            **named,
            "worst": _ratio(self.audit, (Kind.UNSAFE,)),
            "excess": _excess(self.survey.excess),
            "worst excess": _excess(self.survey.worst_excess),
            "median": "" if factor is None else f"{factor:.3g}",
            "loosest": _ratio(self.audit, (Kind.LOOSE,)),
            "ms a call": "" if math.isnan(time) else f"{time:.2g}",
            "found": ", ".join(f"{name} {one.calls}" for name, one in self.audit.classes.items()),
            "case": _case(self.audit),
        }


def _excess(epsilon: float | None) -> str:
    """An excess epsilon to two digits; 0 below a hundred-thousandth."""
    return "" if epsilon is None else "0" if epsilon < SMALLEST_EXCESS else f"{epsilon:.2g}"


def _case(audit: AccountantAudit) -> str:
    """The counterexample that is easiest to read; empty where there is none."""
    if not audit.counterexample:
        return ""
    point = audit.counterexample[-1]
    at = ", ".join(f"{name}={value}" for name, value in point.parameters.items())
    return f"{point.returned} at {at}: {point.reason}"


def _ratio(audit: AccountantAudit, kinds: Sequence[Kind]) -> str:
    """The quotient of the worst answer of a class in the practical range; `corner` where it holds none there."""
    one = next((audit.classes[kind] for kind in kinds if kind in audit.classes), None)
    if one is None:
        return ""
    point = one.worst_practical
    if point is None or point.ratio is None:
        return "corner"
    factor = float(point.ratio)
    near = f"1 {'-' if factor < 1 else '+'} {abs(factor - 1):.1g}"
    return near if f"{factor:.3g}" == "1" and factor != 1 else f"{factor:.3g}"


def box_map(name: str, audit: AccountantAudit) -> Plot:
    """Return the map of the box by class: the first two searched parameters, or one and how far answers are off."""
    across, up, classes = audit.plane()
    series = [
        Series(
            name=f"{kind.value} ({len(places)})",
            style="points",
            x=[repr(x) for x, _ in places],
            y=[repr(y) for _, y in places],
        )
        for kind, places in classes.items()
    ]
    far = [long_range([place[axis] for places in classes.values() for place in places]) for axis in (0, 1)]
    caption = f"{name} against {audit.claim}, calls by class: {', '.join(one.name for one in series)}"
    return Plot(caption=caption, x_label=across, y_label=up, x_log=far[0], y_log=far[1], series=series)


PAGE_COLUMNS = {
    **{name: name for name in ("computes", "of")},
    "found": "class",
    **{name: name for name in ("worst", "excess", "worst excess", "median", "loosest", "ms a call")},
}
"""The columns of the page, and what of a row they show: what a narrow screen shows first is what is chosen by."""


def _shown(one: Audited) -> tuple[str, list[str], bool]:
    """Its id, the cells of its row, and whether something is wrong with it."""
    row = one.row if one.audit is not None else {**one.row, "class": one.row["found"]}
    wrong = one.audit is not None and one.audit.verdict is Verdict.REFUTED
    return one.accountant.id, [row[name] for name in PAGE_COLUMNS.values()], wrong


def render(rows: Sequence[Audited], options: Mapping[str, object]) -> str:
    """Return the page, complete in itself.

    Args:
        rows: what was audited, and what was not.
        options: of the search, by name: how to make the page again.
    """
    libraries: dict[str, list[tuple[str, list[str], bool]]] = {}
    for one in rows:
        libraries.setdefault(one.row["library"], []).append(_shown(one))
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
            "script": script(accountant, audit.counterexample) if audit.counterexample else "",
            "exact": audit.exact_digits,
            "held": f"{audit.achieves} achieved" if audit.achieves else "exact value",
        }
        for accountant, audit, verdict in audited
    ]
    return page(
        "accountants.html.j2",
        caption="Accountants by library, against certified truth",
        columns=[*PAGE_COLUMNS],
        libraries=libraries,
        audited={entry["id"] for entry in entries},
        entries=entries,
        options=options,
    )
