"""Second check of a report's proofs, enclosures and witnesses, by mpmath's intervals instead of Arb's balls.

Binomial tests, their bounds and the correction for many tests are computed again by statsmodels.

The checker is small on purpose. It replays bisection trees leaf by leaf, encloses printed numbers and both sides of
witnesses again, and reports unchecked items with the reason. It shares formulas with the suite, but neither number
system, special functions nor control flow. Intervals cannot check algebra, enumerations and samples; evidence of these
kinds is counted separately.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from auditor.checks.lemma import box_of_step
from auditor.engine import (
    interval_kernels,  # noqa: F401 - importing it registers them
    second_statistics,
)
from auditor.engine.registry import registry
from auditor.errors import counted
from auditor.findings.evidence import (
    Enclosed,
    EnclosuresEvidence,
    Evidence,
    ProofEvidence,
    QuantityEvidence,
    WitnessEvidence,
)
from auditor.report.model import AuditReport, TrustItem
from proofs_numeric.arithmetic.formula import Formula, Value, evaluate_in
from proofs_numeric.arithmetic.interval import Interval, effort
from proofs_numeric.kernel.boxes import Range, bisect, replay_tree
from proofs_numeric.statements.claim import Claim
from proofs_numeric.statements.statement import Statement, statement_of

BITS = (96, 256, 1024)
EXTRA_SPLITS = 8
"""Bisections below a recorded leaf, where intervals are wider than balls."""


@dataclass(frozen=True)
class Item:
    """One checked item: its finding, its name, and the outcome (``stands``, ``fails``, ``not checked``)."""

    finding: str
    what: str
    outcome: str
    reason: str = ""


@dataclass(frozen=True)
class VerifyResult:
    """Outcome of a verification: checked items, evidence that intervals cannot check, and the trust base."""

    items: tuple[Item, ...]
    """Items checked by intervals."""
    tests: tuple[Item, ...] = ()
    """Items of tests by sampling, computed again by statsmodels."""
    elsewhere: Mapping[str, int] = field(default_factory=dict)
    """Number of pieces of evidence that intervals cannot check, by kind."""
    trust: tuple[TrustItem, ...] = field(default=())

    def count(self, outcome: str) -> int:
        """Return the number of items with an outcome."""
        return sum(item.outcome == outcome for item in (*self.items, *self.tests))

    def to_json(self) -> dict[str, Any]:
        """Return the result as one JSON document."""
        return {
            "stands": self.count("stands"),
            "fails": self.count("fails"),
            "not_checked": self.count("not checked"),
            "elsewhere": dict(self.elsewhere),
            "items": [asdict(item) for item in self.items],
            "tests": [asdict(item) for item in self.tests],
            "trust": [item.model_dump(mode="json") for item in self.trust],
        }

    def lines(self) -> list[str]:
        """Return the text output: each failure, unchecked items by finding and reason, then the totals."""
        both = (*self.items, *self.tests)
        failures = [f"fails: {item.finding} ({item.what}): {item.reason}" for item in both if item.outcome == "fails"]
        skipped = Counter((item.finding, item.reason) for item in both if item.outcome == "not checked")
        total = f"{counted(len(self.items), 'item')} (proofs, enclosures, printed numbers, witnesses)"
        stand, fail, unchecked = _counts(self.items)
        tests = counted(len(self.tests), "item")
        agreements, contradictions, gaps = _counts(self.tests)
        rest = ", ".join(f"{number} of kind {kind}" for kind, number in self.elsewhere.items())
        return [
            *failures,
            *(
                f"not checked: {finding} ({counted(number, 'item')}): {why}"
                for (finding, why), number in skipped.items()
            ),
            f"mpmath's intervals confirm {stand} of {total}, contradict {fail}, cannot check {unchecked}",
            f"nothing for intervals to check: {rest or 'none'}",
            (
                f"statsmodels agrees with {agreements} of {tests} of sampling tests, contradicts {contradictions}, "
                f"cannot check {gaps}"
            ),
            "trust base:",
            *(f"  {item.kind}: {item.name} {item.version} ({item.used_for})" for item in self.trust),
        ]


def _counts(items: Iterable[Item]) -> tuple[int, int, int]:
    """Return the numbers of items that stand, that fail and that were not checked."""
    outcomes = Counter(item.outcome for item in items)
    return outcomes["stands"], outcomes["fails"], outcomes["not checked"]


def verify(report: AuditReport) -> VerifyResult:
    """Return the second check of every proof, enclosure, printed number and witness of a report's claims."""
    catalogue = registry()
    items: list[Item] = []
    tests: list[Item] = []
    elsewhere: Counter[str] = Counter()
    for finding in report.findings:
        claim = catalogue.claims.get(finding.subject)
        tests += [
            _guard(finding.id, what, check)
            for what, check in second_statistics.checks(finding, report.alpha, catalogue)
        ]
        for evidence in finding.evidence:
            checks = [] if claim is None else list(_checks(claim, evidence))
            items += [_guard(finding.id, what, check) for what, check in checks]
            if not checks:
                elsewhere[evidence.type] += 1
    return VerifyResult(tuple(items), tuple(tests), dict(sorted(elsewhere.items())), tuple(report.trust))


def _checks(claim: Claim, evidence: Evidence) -> Iterable[tuple[str, Callable[[], str]]]:
    """Yield each item of a piece of evidence that intervals can check: a name and a function."""
    if isinstance(evidence, ProofEvidence) and evidence.tree:
        yield f"{evidence.step}: {evidence.tree.count('.')} boxes", partial(_boxes, claim, evidence)
    elif isinstance(evidence, EnclosuresEvidence):
        for row in evidence.rows:
            what = ", ".join(f"{name}={value}" for name, value in row.parameters.items())
            yield what, partial(_meets, claim, row.parameters, row.quantity)
    elif isinstance(evidence, QuantityEvidence):
        yield f"printed {evidence.printed}", partial(_meets, claim, {}, evidence.computed)
    elif isinstance(evidence, WitnessEvidence) and (statement := statement_of(claim)) is not None:
        yield "witness", partial(_refutes, statement, evidence)


def _guard(finding: str, what: str, check: Callable[[], str]) -> Item:
    """Run one check: an empty answer stands, a text fails, and an exception means not checked."""
    effort.spent = 0.0
    try:
        problem = check()
    except NotImplementedError:
        return Item(finding, what, "not checked", "no interval kernel for a function of the formula")
    except Exception as error:  # noqa: BLE001 - any error is reported as not checked
        return Item(finding, what, "not checked", " ".join(f"{error}".split()) or type(error).__name__)
    return Item(finding, what, "fails" if problem else "stands", problem)


def _boxes(claim: Claim, evidence: ProofEvidence) -> str:
    step = box_of_step(claim, evidence.step, registry().claims)
    if step is None:
        return f"no step named {evidence.step!r} in the proof of {claim.id}"
    formula, box = step
    try:
        leaves = list(replay_tree(box, evidence.tree))
    except ValueError as error:
        return f"the tree does not cover the box: {error}"
    return next((problem for leaf in leaves if (problem := _not_positive(formula, leaf, EXTRA_SPLITS))), "")


def _not_positive(formula: Formula, ranges: Mapping[str, Range], splits: int) -> str:
    """Return an empty text if the formula is positive on the ranges, otherwise a point at which it is not.

    Raises:
        ArithmeticError: the intervals are too wide to decide.
    """
    A = Interval(BITS[0])
    effort.spent = 0.0
    if A.number(formula(A, **{name: A.interval(*ends) for name, ends in ranges.items()})).a > 0:
        return ""
    middle = {name: (Fraction(lower) + Fraction(upper)) / 2 for name, (lower, upper) in ranges.items()}
    if A.number(formula(A, **{name: A.number(value) for name, value in middle.items()})).b <= 0:
        return "not above zero at " + ", ".join(f"{name} = {value}" for name, value in middle.items())
    if splits == 0:
        where = ", ".join(f"{name} in [{lower}, {upper}]" for name, (lower, upper) in ranges.items())
        raise ArithmeticError(f"intervals are too wide to see a sign on {where}")
    widest = max(ranges, key=lambda name: Fraction(ranges[name][1]) - Fraction(ranges[name][0]))
    halves = (_not_positive(formula, half, splits - 1) for half in bisect(ranges, widest))
    return next((problem for problem in halves if problem), "")


def _enclose(formula: Formula, point: Mapping[str, Value]) -> Iterable[tuple[Any, Interval]]:
    for bits in BITS:
        A = Interval(bits)
        yield A.number(evaluate_in(A, formula, point)), A


def _meets(claim: Claim, parameters: Mapping[str, str], printed: Enclosed) -> str:
    """Return an empty text if an interval enclosure of relative width below 1e-10 overlaps the report's."""
    if claim.formula is None:
        raise TypeError(f"expected a claim with a value, got {claim.id}")
    point = claim.domain.parse(parameters)
    value = None
    for value, A in _enclose(claim.formula, point):
        lower, upper = A.number(printed.lower), A.number(printed.upper)
        if value.b < lower.a or value.a > upper.b:
            return f"the interval {value} does not meet [{printed.lower}, {printed.upper}]"
        if (value.b - value.a).b <= abs(value).b * A.number("1e-10").b:
            return ""
    raise ArithmeticError(f"expected an interval to 10 digits, got {value} at {BITS[-1]} bits")


def _refutes(statement: Statement, evidence: WitnessEvidence) -> str:
    point = statement.box.parse(evidence.parameters)
    for bits in BITS:
        A = Interval(bits)
        left, right = (A.number(evaluate_in(A, side, point)) for side in (statement.left, statement.right))
        if left.a > right.b or (statement.relation == "=" and left.b < right.a):
            return ""
        if statement.relation == "<" and left.a == left.b == right.a == right.b:
            return ""
        if left.b < right.a:
            return f"the statement holds at the witness: {left} against {right}"
    raise ArithmeticError("expected the sides to separate, got overlapping intervals")
