"""The audit report as data: findings with their evidence, and what the reader needs to judge them.

Real numbers are decimal strings, never floats: a float in a report would pose as a bound that nobody rounded. Counts
are integers. Nothing here depends on the clock, the machine's name or the number of workers, so the same seed and
versions give the same bytes.
"""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from auditor.printable import printable
from proofs_numeric.statements.verdict import Expectation, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


Real = Annotated[
    str,
    StringConstraints(pattern=r"^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|-?infinity|undefined)$"),
    Field(description="a real number as a decimal string, or infinity, -infinity, undefined"),
]
Exact = Annotated[
    str,
    Field(
        description="an exact value as written: an integer, a decimal, a fraction a/b, infinity, or a parameter's word"
    ),
]
Parameters = dict[str, Exact]


LONGEST_TEXT = 10_000
"""Characters of one text of a report; certificates, which are checked again, are as long as they are."""
LONGEST_HEADLINE = 2_500


def _letters(value: Any, longest: int = LONGEST_TEXT) -> Any:
    if isinstance(value, str):
        return printable(value, longest)
    return [_letters(item) for item in value] if isinstance(value, list | tuple) else value


def _entries(value: Any) -> Any:
    return {_letters(key): _letters(item) for key, item in value.items()} if isinstance(value, dict) else value


class Model(BaseModel):
    """A frozen value that refuses fields it does not know, and holds text of others in its one printable form."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _printable(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        longest = {"tree": sys.maxsize, "headline": LONGEST_HEADLINE}
        return {name: _entries(_letters(value, longest.get(name, LONGEST_TEXT))) for name, value in data.items()}


class SubjectKind(StrEnum):
    """What a finding is about."""

    CLAIM = "claim"
    MECHANISM = "mechanism"
    FAULT = "fault"
    CONTROL = "control"
    ACCOUNTANT = "accountant"
    PLUG_IN = "plug-in"
    """What a plug-in declares and nothing can be done with, or a plug-in that fails on import."""


class Enclosed(Model):
    """A real number known to lie in [lower, upper]."""

    lower: Real
    upper: Real
    value: Real | None = None
    """The value shown to people (mpmath); lies in the enclosure."""
    bits: int | None = None
    """Precision at which the enclosure was computed."""


class Interval(Model):
    """A closed range of one parameter."""

    lower: Exact
    upper: Exact


Box = dict[str, Interval]


# --- evidence --------------------------------------------------------------------------------------------------------


class EnclosureRow(Model):
    """One point of a grid: what was enclosed there and what it was held against."""

    parameters: Parameters
    quantity: Enclosed
    against: Enclosed | None = None
    ratio: Real | None = None
    """quantity / against, or the relative difference, as `relation` of the evidence says."""


class EnclosuresEvidence(Model):
    """Ball enclosures on a grid of exact parameters."""

    type: Literal["enclosures"] = "enclosures"
    quantity: str
    """What `rows[].quantity` is, for example `delta (ball)`."""
    relation: str
    """How quantity and against compare, for example `<=`, or `relative error`."""
    against: str = ""
    """What `rows[].against` is, for example the float64 accountant."""
    digits: int
    cases: int
    """Points evaluated; `rows` holds the hardest of them."""
    rows: list[EnclosureRow] = []


class ProofEvidence(Model):
    """A rigorous proof on a declared box: branch and bound, or an algebraic identity.

    The bisection tree is the certificate: `auditor verify` replays it and encloses every leaf again.
    """

    type: Literal["proof"] = "proof"
    method: str
    """For example `interval branch and bound`, `symbolic identity`."""
    expression: str
    """What was shown positive (or zero), and how the claim follows, in words."""
    claim: str = ""
    """Id of the claim whose proof this step belongs to; `verify` looks its formula up."""
    step: str = ""
    """Name of the step in that proof."""
    box: Box = {}
    boxes: int = 0
    """Sub-boxes examined."""
    bits: int | None = None
    margin: Real | None = None
    """Least lower bound over the leaves."""
    tree: str = ""
    """Bisection tree in pre-order: `.` a leaf, a letter the split parameter (a = the first of the box)."""


class WitnessEvidence(Model):
    """Parameters (and, for a mechanism, a pair and an event) at which the statement fails, both sides enclosed."""

    type: Literal["witness"] = "witness"
    parameters: Parameters
    left: Enclosed | None = None
    left_name: str = "left side"
    relation: str = "<="
    """The relation as claimed; the enclosures contradict it."""
    right: Enclosed | None = None
    right_name: str = "right side"
    pair: str = ""
    direction: str = ""
    event: str = ""
    explanation: str = ""


class DerivationStep(Model):
    """One numbered step: a checked claim, or a step that is trusted and says so."""

    number: int
    statement: str
    claim: str | None = None
    verdict: Verdict | None = None
    trusted: bool = False


class DerivationEvidence(Model):
    """A written derivation for an unbounded domain."""

    type: Literal["derivation"] = "derivation"
    steps: list[DerivationStep]
    text: str = ""


class SearchEvidence(Model):
    """A search for a counterexample that found none, and where it came closest."""

    type: Literal["search"] = "search"
    method: str
    examples: int
    box: Box = {}
    closest: Parameters = {}
    margin: Real | None = None
    """Least slack seen, at `closest`."""
    would_catch: str = ""


class EnumerationEvidence(Model):
    """Every case of a finite domain decided in exact arithmetic."""

    type: Literal["enumeration"] = "enumeration"
    domain: str
    cases: int
    arithmetic: str = "exact rationals"
    example: dict[str, str] = {}


class TradeoffPoint(Model):
    """A point that a trade-off function does not exceed."""

    fpr: Real
    """False-positive rate, rounded up."""
    fnr: Real
    """Upper bound on the false-negative rate, rounded up."""


class SamplingEvidence(Model):
    """A test valid at finite n, at a share of the run's false-alarm probability."""

    type: Literal["sampling"] = "sampling"
    method: str
    """For example `betting e-process`, `one-sample exact binomial`, `tilted privacy loss`."""
    pair: str
    direction: str
    event: str = ""
    event_status: Literal["confirmed", "likely", "none"] = "none"
    """`confirmed`: the named event's own wealth suffices, or fresh samples confirm it."""
    parameters: Parameters = {}
    epsilon: Real | None = None
    delta_claimed: Real | None = None
    delta_lower: Real | None = None
    """Lower confidence bound on the true delta at `epsilon`."""
    delta_upper: Real | None = None
    """Upper confidence bound; only tilted sampling of a known law has one."""
    delta_exact: Enclosed | None = None
    """Exact profile of the pair, where the law is known."""
    epsilon_lower: Real | None = None
    level: Real
    """This test's share of the run's false-alarm probability."""
    samples: int
    blocks: int = 0
    log10_wealth: Real | None = None
    detectable_delta: Real | None = None
    """Smallest true delta that this test would have reported with probability `power`."""
    power: Real = "0.95"
    efficiency: Real | None = None
    """Of a refutation: log(1 / level) / (KL_inf * samples), rounded down. No test of this level that always ends in a
    refutation needs fewer than log(1 / level) / KL_inf releases a side on average: with the average number in place of
    `samples` it is at most 1; a single run may be luckier."""
    efficiency_law: Literal["exact", "estimated"] | None = None
    """`exact`: KL_inf is at least that of the pairs' exact laws, so that `efficiency` is a lower bound. `estimated`:
    that of frequencies in the cells that were bet on, which is too large for them on average."""
    profile_lower: dict[Exact, Real] = {}
    """By epsilon: lower bounds on delta at the stop of the test, together valid with probability 1 - `level` or more; a
    trade-off function whose delta is smaller at one of them is not that of the pairs."""
    tradeoff: list[TradeoffPoint] = []
    """Corners of an upper bound on every f for which the target is f-DP (no point of a trade-off function of the pairs
    lies higher), left against right, at a confidence of its own of 1 - `level` or more, from releases on which the
    cells were not chosen; after a refutation, on `pair` alone."""
    run: int | None = None
    """Number of the run in the evidence file that this test continues."""
    notes: list[str] = []
    """What was seen of the target beside its releases."""
    assumptions: list[str] = []


class AccountantPoint(Model):
    """One call of an accountant, and the truth at the exact binary values it was given."""

    parameters: Parameters
    returned: str
    """What the callable returned, as Python prints it; or the exception."""
    truth: Enclosed | None = None
    ratio: Real | None = None
    """returned / truth."""
    reason: str = ""


class AccountantEvidence(Model):
    """A searched comparison of somebody's accountant with a claim."""

    type: Literal["accountant"] = "accountant"
    target: str
    against: str
    box: Box
    tolerance: Real
    examples: int
    unsafe: AccountantPoint | None = None
    """Under-reports: the privacy violation."""
    invalid: AccountantPoint | None = None
    """NaN, an exception, or a value out of range."""
    differs: AccountantPoint | None = None
    """Below a bound that is only an upper bound, but above the exact value."""
    loosest: AccountantPoint | None = None
    """Over-reports the most: safe, not tight."""
    rows: list[AccountantPoint] = []


class QuantityEvidence(Model):
    """A printed number, the reading that gives it, and its value."""

    type: Literal["quantity"] = "quantity"
    printed: str
    reading: str
    parameters: Parameters = {}
    computed: Enclosed
    agrees: str = ""
    """For example `rounds to the printed digits`."""


class ReasonEvidence(Model):
    """Why there is nothing to show: a missing package, an editorial statement, a check that crashed or its target."""

    type: Literal["reason"] = "reason"
    text: str
    remedy: str = ""
    unusable_target: bool = False
    """The target cannot be audited: what broke is not the check."""


Evidence = Annotated[
    EnclosuresEvidence
    | ProofEvidence
    | WitnessEvidence
    | DerivationEvidence
    | SearchEvidence
    | EnumerationEvidence
    | SamplingEvidence
    | AccountantEvidence
    | QuantityEvidence
    | ReasonEvidence,
    Field(discriminator="type"),
]


# --- findings --------------------------------------------------------------------------------------------------------


class Outcome(StrEnum):
    """A verdict held against what was expected."""

    EXPECTED = "expected"
    UNEXPECTED = "unexpected"
    OPEN = "open"
    """Undecided: a failure only under --strict."""
    SKIPPED = "skipped"
    BROKEN = "broken"
    """The target cannot be audited, or the check crashed: says nothing about what the subject keeps."""


_SILENT = frozenset({Verdict.PROVED, Verdict.DERIVED, Verdict.CONSISTENT})


def outcome(verdict: Verdict, expected: Expectation) -> Outcome:
    """Hold a verdict against its expectation; total.

    An expected refutation that does not come is as unexpected as a refutation that nobody expected.
    """
    if verdict is Verdict.ERROR:
        return Outcome.BROKEN
    if verdict is Verdict.NOT_APPLICABLE:
        return Outcome.SKIPPED
    if verdict is Verdict.NOT_CHECKABLE:
        return Outcome.UNEXPECTED if expected is Expectation.REFUTED else Outcome.SKIPPED
    if verdict is Verdict.UNDECIDED:
        return Outcome.UNEXPECTED if expected is Expectation.REFUTED else Outcome.OPEN
    wanted = frozenset({Verdict.REFUTED}) if expected is Expectation.REFUTED else _SILENT
    return Outcome.EXPECTED if verdict in wanted else Outcome.UNEXPECTED


_STRENGTH = (
    Verdict.REFUTED,
    Verdict.ERROR,
    Verdict.PROVED,
    Verdict.DERIVED,
    Verdict.UNDECIDED,
    Verdict.CONSISTENT,
    Verdict.NOT_APPLICABLE,
    Verdict.NOT_CHECKABLE,
)


def overall(verdicts: Iterable[Verdict]) -> Verdict:
    """Verdict of a subject from its findings: a refutation outweighs all, then what broke, then the most rigorous."""
    present = set(verdicts)
    if not present:
        raise ValueError("expected at least one verdict, got none: a subject without findings has no verdict")
    return next(verdict for verdict in _STRENGTH if verdict in present)


class Finding(Model):
    """What one check says about one subject. `Finding.of` fills in `met`."""

    id: Annotated[str, StringConstraints(pattern=r"^\S+$")]
    """Stable and unique in a report: `subject::check`, with `::detail` where a check says several things."""
    subject: str
    subject_kind: SubjectKind
    check: str
    verdict: Verdict
    expected: Expectation
    met: bool
    """False where the verdict is unexpected, the target cannot be audited, or the check crashed."""
    headline: str
    """One line: observed against allowed; or what would have been caught."""
    scope: str = ""
    """Empty: the declared domain. Otherwise the part of it that was covered."""
    evidence: list[Evidence] = []
    reproduce: str
    """A command line that shows it again."""

    @classmethod
    def of(
        cls,
        *,
        subject: str,
        subject_kind: SubjectKind,
        check: str,
        verdict: Verdict,
        headline: str,
        reproduce: str,
        expected: Expectation = Expectation.HOLDS,
        detail: str = "",
        scope: str = "",
        evidence: Sequence[Evidence] = (),
    ) -> Finding:
        """Build a finding with its id and `met`."""
        return cls(
            id="::".join(part for part in (subject, check, detail) if part),
            subject=subject,
            subject_kind=subject_kind,
            check=check,
            verdict=verdict,
            expected=expected,
            met=outcome(verdict, expected) not in {Outcome.UNEXPECTED, Outcome.BROKEN},
            headline=headline,
            scope=scope,
            evidence=list(evidence),
            reproduce=reproduce,
        )

    @model_validator(mode="after")
    def _met_follows_from_the_verdict(self) -> Self:
        if self.met != (self.outcome not in {Outcome.UNEXPECTED, Outcome.BROKEN}):
            raise ValueError(f"expected met to follow from verdict {self.verdict} and expectation {self.expected}")
        return self

    @property
    def outcome(self) -> Outcome:
        """The verdict held against the expectation."""
        return outcome(self.verdict, self.expected)


# --- what was audited ------------------------------------------------------------------------------------------------


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
    assumptions: list[str] = []
    note: str = ""


class MechanismEntry(Model):
    """A reference mechanism, or one of its privacy-neutral variants (controls)."""

    id: str
    title: str
    kind: Literal["mechanism", "control"] = "mechanism"
    source: str
    guarantee_claim: str
    parameters: Parameters
    adjacency: str
    pairs: list[str] = []
    verdict: Verdict
    note: str = ""


class FaultEntry(Model):
    """A planted fault: what it does, what it costs, and whether it was caught."""

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
    """Of the check `caught_by` alone: the fault is caught where it is refuted."""


class AccountantEntry(Model):
    """An accountant of ours or of others."""

    id: str
    library: str
    version: str
    against: str
    verdict: Verdict
    note: str = ""


class Erratum(Model):
    """A statement that is false in print, its witness, and what holds instead."""

    printed: str
    title: str = ""
    corrected: str | None
    source: str
    printed_statement: str
    corrected_statement: str = ""
    printed_verdict: Verdict
    corrected_verdict: Verdict | None = None
    witness: WitnessEvidence | None = None
    number: QuantityEvidence | None = None
    """Where a printed number is wrong: its certified value."""
    note: str = ""
    finding: str
    """Id of the finding that refutes the printed statement."""


class TrustItem(Model):
    """Something the verdicts rest on that the run did not check."""

    name: str
    kind: Literal["library", "step", "assumption", "hardware"]
    version: str = ""
    used_for: str


class LedgerEntry(Model):
    """One family's fixed share of the run's false-alarm probability, and what was spent."""

    family: str
    share: Real
    spent: Real
    tests: int
    note: str = ""


class Environment(Model):
    """Versions that the bytes of the report depend on."""

    python: str
    packages: dict[str, str]


class Table(Model):
    """A captioned table of text cells."""

    caption: str
    columns: list[str]
    rows: list[list[str]]

    @model_validator(mode="after")
    def _rectangular(self) -> Self:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"expected {len(self.columns)} cells in each row of '{self.caption}', got {len(row)}")
        return self


class Series(Model):
    """One curve: points in order of x; `style` says line or markers."""

    name: str
    x: list[Real]
    y: list[Real]
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
    series: list[Series]


class Section(Model):
    """A chapter of the report beyond its findings: certified accuracy, detectable deltas, a figure redrawn."""

    id: str
    title: str
    text: str = ""
    tables: list[Table] = []
    plots: list[Plot] = []


class Summary(Model):
    """Counts; computed by `summarise`, checked on reading."""

    findings: int
    met: int
    verdicts: dict[Verdict, dict[Literal["expected", "unexpected", "open", "skipped", "broken"], int]]


def summarise(findings: Sequence[Finding]) -> Summary:
    """Count findings by verdict and outcome; only what occurs is listed."""
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
    selection: list[str]
    environment: Environment
    complete: bool = True
    """False: interrupted; `pending` lists what was not run."""
    pending: list[str] = []
    summary: Summary
    claims: list[ClaimEntry] = []
    mechanisms: list[MechanismEntry] = []
    faults: list[FaultEntry] = []
    accountants: list[AccountantEntry] = []
    findings: list[Finding]
    errata: list[Erratum] = []
    trust: list[TrustItem] = []
    false_alarm_ledger: list[LedgerEntry] = []
    sections: list[Section] = []

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
        """Put the parts in canonical order (by id) and count them; sections keep the order given."""
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
            seen: set[str] = set()
            twice = next(f.id for f in self.findings if f.id in seen or seen.add(f.id))  # type: ignore[func-returns-value]
            raise ValueError(f"expected each finding id once, got '{twice}' twice")
        return self

    def outcomes(self) -> set[Outcome]:
        """Every outcome that occurs."""
        return {finding.outcome for finding in self.findings}
