"""Page of audited library accountants: a table, and for each accountant a map of the search, its defect, a script."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from auditor.accountant_audit.environments import LibraryAccountant
from auditor.accountant_audit.issue import script
from auditor.accountant_audit.judge import Kind
from auditor.accountant_audit.log import BAD, of_kind
from auditor.accountant_audit.result import INCONSISTENT, AccountantAudit, long_range
from auditor.accountant_audit.survey import Survey
from auditor.findings.card import WORDS
from auditor.report.html import page
from auditor.report.matrix import CORNERS
from auditor.report.model import Plot, Series
from auditor.target.target import Misbehaved
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
    "subsampled Gaussian": (
        *("standard.subsampled_gaussian", "standard.subsampled_gaussian.both"), "standard.sampling_without_replacement",
    ),
    "random allocation": (
        *("standard.random_allocation", "standard.random_allocation.upper", "standard.random_allocation.renyi"),
    ),
    "tree, banded matrix": ("standard.tree_aggregation", "standard.banded_matrix"),
    "k subsampled Gaussians": (
        *("standard.subsampled_gaussian.composition", "standard.subsampled_gaussian.composition.both"),
        "standard.sampling_without_replacement.composition",
    ),
    "bounded range": (
        *("standard.bounded_range", "standard.bounded_range.composition", "standard.power.bounded_range"),
    ),
    "selection, sparse vector": (
        *("standard.permute_and_flip", "standard.sparse_vector", "standard.sparse_vector.gaussian"),
        *("standard.repeated_selection.geometric", "standard.repeated_selection.poisson"),
    ),
    "one Renyi order": (
        "standard.rdp",
        *("standard.renyi.gaussian", "standard.renyi.laplace", "standard.renyi.discrete_laplace"),
        *("standard.renyi.randomized_response", "standard.renyi.bounded_range", "standard.renyi.subsampled_gaussian"),
    ),
    "composed pairs": ("standard.composition.homogeneous", "standard.composition.heterogeneous"),
    "zCDP": (
        *("standard.zcdp", "standard.rho.gaussian", "standard.rho.laplace", "standard.rho.pure"),
        *("standard.rho.discrete_gaussian", "standard.rho.bounded_range", "standard.rho.permute_and_flip"),
    ),
    "best test": (
        *("standard.power.gaussian", "standard.advantage.gaussian", "standard.power.laplace"),
        *("standard.power.discrete_laplace", "standard.power.discrete_gaussian", "standard.power.randomized_response"),
        *("standard.power.laplace.composition", "standard.power.subsampled_gaussian"),
    ),
    "thresholds, selection": (
        *("thresholds.laplace.integer", "thresholds.laplace.real"),
        *("standard.partition_selection.keep", "standard.partition_selection.keys"),
        *("thresholds.gaussian.integer", "thresholds.gaussian.real"),
        *("thresholds.weighted.delta", "thresholds.weighted.keys"),
    ),
}  # fmt: skip
"""Map columns: the mechanisms that libraries account for, with the claims about each."""


SMALLEST_EXCESS = 1e-5
NUMBERS = ("worst", "lacks", "excess", "worst excess", "median", "loosest", "smallest delta", "ms a call")
"""Fields of a row with measured numbers."""


@dataclass(frozen=True)
class Audited:
    """One accountant of a library with its audit.

    Args:
        accountant: the audited accountant.
        claim: the claim that it is compared with.
        audit: the audit; None if the library is not installed.
        survey: survey of drawn points, which no search chose; None if `audit` is None.
        whole: the audit of the claim's whole domain, without the accountant's box; None if `audit` is None.
    """

    accountant: LibraryAccountant
    claim: Claim
    audit: AccountantAudit | None = None
    survey: Survey | None = None
    whole: AccountantAudit | None = None

    @property
    def met(self) -> bool:
        """Whether the accountant is refuted exactly if a refutation is expected; True without an audit."""
        expected = self.accountant.expected is Expectation.HOLDS
        return self.audit is None or (self.audit.verdict is not Verdict.REFUTED) == expected

    @property
    def verdict(self) -> str:
        """The verdict as text, with a remark if a refutation was expected."""
        if self.audit is None:
            return WORDS[Verdict.NOT_APPLICABLE]
        refuted, holds = self.audit.verdict is Verdict.REFUTED, self.accountant.expected is Expectation.HOLDS
        return WORDS[self.audit.verdict] + ("" if holds else ", as expected" if refuted else ", mended")

    @property
    def kind(self) -> str:
        """The worst bad class of its answers, with "in corners" outside the practical range; else the verdict."""
        return self.verdict if self.audit is None else _worst_class(self.audit) or self.verdict

    @property
    def kind_without_box(self) -> str:
        """The worst bad class in the whole domain, with its worst ratio in the practical range; else the right class.

        A refusal is no answer there, as the library may document a smaller domain.
        """
        if self.whole is None:
            return ""
        kind = _worst_class(self.whole)
        if kind.startswith(Kind.INVALID.value):
            numbers = [
                call for call in of_kind(self.whole.calls, Kind.INVALID) if not isinstance(call.answer, Misbehaved)
            ]
            practical = any(call.practical for call in numbers)
            kind = (Kind.INVALID.value if practical else f"{Kind.INVALID.value}{CORNERS}") if numbers else ""
            return kind or WORDS[Verdict.CONSISTENT]
        ratio = _ratio(self.whole, (Kind.UNSAFE,)) if kind == Kind.UNSAFE.value else ""
        return f"{kind} {ratio}".strip() if kind else WORDS[self.whole.verdict]

    @property
    def cases(self) -> list[Mapping[str, str]]:
        """Parameters of a wrong answer, or of two contradicting answers."""
        return [point.parameters for point in self.audit.counterexample] if self.audit is not None else []

    @property
    def row(self) -> dict[str, str]:
        """The table row; factors are returned/truth, or delta asked for/achieved, in the practical range."""
        one = self.accountant
        identity = {
            "id": one.id,
            "library": f"{one.library} {one.installed_version or 'not installed'}",
            "computes": ", ".join(one.solves) or str(self.claim.quantity),
            "of": next((family for family, claims in FAMILIES.items() if one.against in claims), one.against),
            "verdict": self.verdict,
            "class": self.kind,
            "whole": self.kind_without_box,
            "budget": f"{one.budget:g}" if one.budget else "",
        }
        if self.audit is None or self.survey is None:
            empty = dict.fromkeys([*NUMBERS, "case"], "")
            return {**identity, **empty, "found": one.remedy}
        factor, time = self.survey.factor, self.survey.milliseconds
        return {
            **identity,
            "worst": _ratio(self.audit, (Kind.UNSAFE,)),
            "lacks": _lacks(self.audit),
            "excess": _excess(self.survey.excess),
            "worst excess": _excess(self.survey.worst_excess),
            "median": "" if factor is None else f"{factor:.3g}",
            "loosest": _ratio(self.audit, (Kind.LOOSE,)),
            "smallest delta": "" if self.survey.smallest_delta is None else f"{self.survey.smallest_delta:.0e}",
            "ms a call": "" if math.isnan(time) else f"{time:.2g}",
            "found": ", ".join(f"{name} {one.calls}" for name, one in self.audit.classes.items()),
            "case": _case(self.audit),
            "whole case": ""
            if self.whole is None or self.kind_without_box == WORDS[Verdict.CONSISTENT]
            else _case(self.whole),
        }


def _excess(epsilon: float | None) -> str:
    """Format an excess epsilon with two digits; "0" below SMALLEST_EXCESS."""
    return "" if epsilon is None else "0" if epsilon < SMALLEST_EXCESS else f"{epsilon:.2g}"


def _case(audit: AccountantAudit) -> str:
    """Return the most readable counterexample as text; empty without one."""
    if not audit.counterexample:
        return ""
    point = audit.counterexample[-1]
    at = ", ".join(f"{name}={value}" for name, value in point.parameters.items())
    return f"{point.returned} at {at}: {point.reason}"


def _ratio(audit: AccountantAudit, kinds: Sequence[Kind]) -> str:
    """Return the ratio of a class's worst answer in the practical range; "corner" if the class has none there."""
    one = next((audit.classes[kind] for kind in kinds if kind in audit.classes), None)
    if one is None:
        return ""
    point = one.worst_practical
    if point is None or point.ratio is None:
        return "corner"
    factor = float(point.ratio)
    near = f"1 {'-' if factor < 1 else '+'} {abs(factor - 1):.1g}"
    return near if f"{factor:.3g}" == "1" and factor != 1 else f"{factor:.3g}"


def _worst_class(audit: AccountantAudit) -> str:
    """Return the worst bad class, with "in corners" if it has no practical call; empty without a bad class."""
    worst = next((name for name in (*BAD, INCONSISTENT) if name in audit.classes), "")
    return worst if not worst or audit.classes[worst].practical else f"{worst}{CORNERS}"


def _lacks(audit: AccountantAudit) -> str:
    """Return what the worst unsafe answer in the practical range lacks; empty without one."""
    one = audit.classes.get(Kind.UNSAFE.value)
    return "" if one is None or one.worst_practical is None else one.worst_practical.lacks


def box_map(name: str, audit: AccountantAudit) -> Plot:
    """Return the parameter box coloured by class: the first two searched parameters, or one and the answers' error."""
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
    "without a box": "whole",
    **{name: name for name in NUMBERS},
}
"""Page columns and their keys in a row. The first columns decide a choice, as narrow screens show only the first."""


def _table_row(one: Audited) -> tuple[str, list[str], bool]:
    """Return the id, the cells of the row, and whether the accountant is refuted."""
    row = one.row if one.audit is not None else {**one.row, "class": one.row["found"]}
    wrong = one.audit is not None and one.audit.verdict is Verdict.REFUTED
    return one.accountant.id, [row[name] for name in PAGE_COLUMNS.values()], wrong


def render(rows: Sequence[Audited], options: Mapping[str, object]) -> str:
    """Return the complete page as HTML.

    Args:
        rows: audited accountants, and those of missing libraries.
        options: options of the search by name, to reproduce the page.
    """
    libraries: dict[str, list[tuple[str, list[str], bool]]] = {}
    for one in rows:
        libraries.setdefault(one.row["library"], []).append(_table_row(one))
    audited = [(one.accountant, one.audit, one.verdict) for one in rows if one.audit is not None]
    entries = [
        {
            "id": accountant.id,
            "title": accountant.title,
            "against": accountant.against,
            "note": accountant.note,
            "reported": accountant.reported,
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
