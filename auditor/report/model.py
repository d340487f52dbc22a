"""The audit report as data: findings, their evidence, and the context for judging them.

Real numbers are decimal strings, never floats: a float would look like a bound although it was not rounded outward.
Counts are integers. No content depends on the clock, the machine's name or the number of workers, so equal seeds and
versions give equal bytes.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Self

from pydantic import model_validator

from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pandas import DataFrame
from auditor.extras import required
from auditor.findings.card import table
from auditor.findings.evidence import Enclosed, Items, Model, ParameterTexts, QuantityEvidence, Real, WitnessEvidence
from auditor.findings.finding import Finding, Outcome
from auditor.version import Environment
from auditor.writing import writable_directory


class ClaimEntry(Model):
    """A claim of the run, with the verdict of all its findings."""

    id: str
    title: str = ""
    paper: str
    locator: str
    kind: str
    statement: str
    """LaTeX."""
    expected: Expectation
    verdict: Verdict
    scope: str = ""
    ours: bool = False
    reconstruction: bool = False
    corrected_by: str | None = None
    assumptions: Items[str] = []
    note: str = ""


class MechanismEntry(Model):
    """A reference mechanism, or one of its privacy-neutral variants (controls)."""

    id: str
    title: str
    kind: Literal["mechanism", "control"] = "mechanism"
    source: str
    guarantee_claim: str
    parameters: ParameterTexts
    adjacency: str
    pairs: Items[str] = []
    verdict: Verdict
    note: str = ""


class FaultEntry(Model):
    """A planted fault: its change, its cost, and whether it was caught."""

    id: str
    title: str
    mechanism: str
    violates: str
    caught_by: str
    pair: str
    epsilon: Real
    delta_claimed: Enclosed
    delta_exact: Enclosed
    """Exact delta of the faulty mechanism on `pair`: above the claim, or it would be no fault."""
    explanation: str
    verdict: Verdict
    """Verdict of the check `caught_by` alone: the fault is caught if the verdict is refuted."""


class AccountantEntry(Model):
    """An accountant of this suite or of a library."""

    id: str
    library: str
    version: str
    against: str
    verdict: Verdict
    note: str = ""
    recorded: dict[str, str] = {}
    """Recorded audit of all libraries, by column; independent of the run. Empty for accountants of this suite."""


class Severity(StrEnum):
    """The cost of a false statement for a reader who relies on it; the worst first."""

    PRIVACY = "privacy"
    """A bound on delta, epsilon, threshold, noise scale or rho that is exceeded."""
    STATEMENT = "statement"
    """A step, an identity or a property that does not hold."""
    NUMBER = "number"
    """A printed number that is not the one computed."""


class Erratum(Model):
    """A statement that is false in print, its witness, and the corrected statement."""

    printed: str
    severity: Severity = Severity.STATEMENT
    title: str = ""
    corrected: str | None
    source: str
    printed_statement: str
    corrected_statement: str = ""
    printed_verdict: Verdict
    corrected_verdict: Verdict | None = None
    witness: WitnessEvidence | None = None
    """The most readable witness."""
    worst: WitnessEvidence | None = None
    """The witness with the largest certified factor, if another one than `witness`."""
    unit: str = ""
    """Unit of both sides of the statement; empty if the claim declares none."""
    number: QuantityEvidence | None = None
    """For a wrong printed number: its certified value."""
    note: str = ""
    finding: str
    """Id of the finding that refutes the printed statement."""


class TrustItem(Model):
    """An item that the verdicts depend on and that the run did not check."""

    name: str
    kind: Literal["theorem", "rule", "kernel", "library", "step", "assumption", "hardware"]
    version: str = ""
    """The reference of a theorem, what a rule states, or the size of the kernel."""
    used_for: str


class LedgerEntry(Model):
    """One family's fixed share of the run's false-alarm probability, and the spent part."""

    family: str
    share: Real
    spent: Real
    tests: int
    note: str = ""


class Table(Model):
    """A captioned table of text cells."""

    caption: str
    columns: Items[str]
    rows: Items[Items[str]]

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"expected {len(self.columns)} cells in each row of '{self.caption}', got {len(row)}")
        return self


class Series(Model):
    """One curve: points in order of x; `style` says line or markers."""

    name: str
    x: Items[Real]
    y: Items[Real]
    style: Literal["line", "dashed", "points"] = "line"

    @model_validator(mode="after")
    def _paired(self) -> Self:
        if len(self.x) != len(self.y):
            raise ValueError(f"expected as many y as x in '{self.name}', got {len(self.x)} and {len(self.y)}")
        return self


class Plot(Model):
    """A figure as data; renderers draw it."""

    caption: str
    x_label: str
    y_label: str
    x_log: bool = False
    y_log: bool = False
    series: Items[Series]


class Section(Model):
    """A chapter of the report beyond its findings: certified accuracy, detectable deltas, a figure redrawn."""

    id: str
    title: str
    text: str = ""
    tables: Items[Table] = []
    plots: Items[Plot] = []


class Summary(Model):
    """Counts; computed by `summarise`, checked on reading."""

    findings: int
    met: int
    verdicts: dict[Verdict, dict[Literal["expected", "unexpected", "open", "skipped", "broken"], int]]


def summarise(findings: Sequence[Finding]) -> Summary:
    """Count findings by verdict and outcome; combinations without findings are omitted."""
    verdicts: dict[Verdict, dict[Literal["expected", "unexpected", "open", "skipped", "broken"], int]] = {}
    for finding in findings:
        row = verdicts.setdefault(finding.verdict, {})
        row[finding.outcome.value] = row.get(finding.outcome.value, 0) + 1
    return Summary(findings=len(findings), met=sum(finding.met for finding in findings), verdicts=verdicts)


class AuditReport(Model):
    """Everything a run found. Build it with `AuditReport.of`; write it with `auditor.report.json.render`."""

    schema_version: Literal["1"] = "1"
    suite_version: str
    profile: str
    seed: int
    alpha: Real
    """False-alarm probability of the whole run."""
    selection: Items[str]
    environment: Environment
    complete: bool = True
    """False after an interruption; `pending` lists the checks that were not run."""
    pending: Items[str] = []
    summary: Summary
    claims: Items[ClaimEntry] = []
    mechanisms: Items[MechanismEntry] = []
    faults: Items[FaultEntry] = []
    accountants: Items[AccountantEntry] = []
    findings: Items[Finding]
    errata: Items[Erratum] = []
    trust: Items[TrustItem] = []
    false_alarm_ledger: Items[LedgerEntry] = []
    sections: Items[Section] = []

    @classmethod
    def of(
        cls,
        *,
        suite_version: str,
        profile: str,
        seed: int,
        alpha: str,
        selection: Sequence[str],
        environment: Environment,
        findings: Iterable[Finding],
        pending: Sequence[str] = (),
        claims: Iterable[ClaimEntry] = (),
        mechanisms: Iterable[MechanismEntry] = (),
        faults: Iterable[FaultEntry] = (),
        accountants: Iterable[AccountantEntry] = (),
        errata: Iterable[Erratum] = (),
        trust: Iterable[TrustItem] = (),
        false_alarm_ledger: Iterable[LedgerEntry] = (),
        sections: Iterable[Section] = (),
    ) -> AuditReport:
        """Build a report: sort the parts by id (sections keep the given order) and count them."""
        ordered = sorted(findings, key=lambda finding: finding.id)
        return cls(
            suite_version=suite_version,
            profile=profile,
            seed=seed,
            alpha=alpha,
            selection=list(selection),
            environment=environment,
            complete=not pending,
            pending=sorted(pending),
            summary=summarise(ordered),
            claims=sorted(claims, key=lambda entry: entry.id),
            mechanisms=sorted(mechanisms, key=lambda entry: entry.id),
            faults=sorted(faults, key=lambda entry: entry.id),
            accountants=sorted(accountants, key=lambda entry: entry.id),
            findings=ordered,
            errata=sorted(errata, key=lambda entry: entry.printed),
            trust=sorted(trust, key=lambda item: (item.kind, item.name)),
            false_alarm_ledger=sorted(false_alarm_ledger, key=lambda entry: entry.family),
            sections=list(sections),
        )

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.summary != summarise(self.findings):
            raise ValueError("expected summary to be the counts of the findings: the report was edited")
        if len({finding.id for finding in self.findings}) != len(self.findings):
            ids: set[str] = set()
            twice = next(f.id for f in self.findings if f.id in ids or ids.add(f.id))  # type: ignore[func-returns-value]
            raise ValueError(f"expected each finding id once, got '{twice}' twice")
        return self

    def _repr_html_(self) -> str:
        """Return the HTML for a notebook: the findings, unexpected ones first."""
        return table(self.findings)

    def __repr__(self) -> str:
        from auditor.report.view import conclusion

        return f"<{type(self).__name__}: {conclusion(self)}>"

    __str__ = __repr__

    def to_frame(
        self, of: Literal["findings", "claims", "mechanisms", "faults", "accountants", "errata", "trust"] = "findings"
    ) -> DataFrame:
        """Return a list of the report as a pandas frame, one row per entry, without nested lists and records.

        Verdicts and expectations are phrases, as in every rendering: `no violation seen`.

        Raises:
            MissingPackageError: pandas is not installed.
        """
        rows = [
            {
                name: getattr(getattr(entry, name), "words", value)
                for name, value in entry.model_dump(mode="json").items()
                if not isinstance(value, list | dict)
            }
            for entry in getattr(self, of)
        ]
        frame = required("pandas").DataFrame(rows)
        return frame.set_index(frame.columns[0]) if rows else frame

    def save(self, folder: str | Path) -> None:
        """Write report.json, report.html, report.md and junit.xml, as `auditor run --out` does: all or none.

        Raises:
            OutputError: a file cannot be written.
        """
        from auditor.report import files

        files.write(self, writable_directory(Path(folder)), strict=False)

    def outcomes(self) -> set[Outcome]:
        """Return the outcomes that occur."""
        return {finding.outcome for finding in self.findings}
