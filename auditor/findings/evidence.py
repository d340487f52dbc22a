"""Evidence of findings: one record type each for enclosures, proofs, searches, enumerations, samples and others."""

import sys
from decimal import ROUND_FLOOR, Context, Decimal
from enum import StrEnum
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, FailFast, Field, StringConstraints, model_validator

from auditor.printable import printable
from proofs_numeric.statements.verdict import Verdict

Real = Annotated[
    str,
    StringConstraints(pattern=r"^([+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?|-?infinity|undefined)$"),
    Field(description="a real number as a decimal string, or infinity, -infinity, undefined"),
]


ExactText = Annotated[
    str,
    Field(
        description="an exact value as written: an integer, a decimal, a fraction a/b, infinity, or a parameter's word"
    ),
]


ParameterTexts = dict[str, ExactText]


Item = TypeVar("Item")


Items = Annotated[list[Item], FailFast()]
"""A list whose validation stops at the first error, since a file may have millions."""


MOST_NAMES = 200
"""Most names in one object of a report: its fields, or the keys of a dictionary."""


LONGEST_TEXT = 10_000
"""Most characters in one text of a report; certificates, which `auditor verify` checks, have no limit."""


LONGEST_HEADLINE = 2_500


def _letters(value: Any, longest: int = LONGEST_TEXT) -> Any:
    if isinstance(value, str):
        return printable(value, longest)
    if isinstance(value, dict) and len(value) > MOST_NAMES:
        raise ValueError(f"expected at most {MOST_NAMES} names in one object, got {len(value)}")
    return [_letters(item) for item in value] if isinstance(value, list | tuple) else value


def _entries(value: Any) -> Any:
    return {_letters(key): _letters(item) for key, item in value.items()} if isinstance(value, dict) else value


class Model(BaseModel):
    """A frozen value that rejects unknown fields, and stores foreign text in printable form."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _printable(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        longest = {"tree": sys.maxsize, "headline": LONGEST_HEADLINE}
        return {
            name: _entries(_letters(value, longest.get(name, LONGEST_TEXT))) for name, value in _letters(data).items()
        }


class SubjectKind(StrEnum):
    """The kind of the subject of a finding."""

    CLAIM = "claim"
    MECHANISM = "mechanism"
    FAULT = "fault"
    CONTROL = "control"
    ACCOUNTANT = "accountant"
    PLUG_IN = "plug-in"
    """An invalid declaration of a plug-in, or a plug-in that fails on import."""


class Enclosed(Model):
    """A real number in [lower, upper]."""

    lower: Real
    upper: Real
    value: Real | None = None
    """The printed value (mpmath), which lies in the enclosure."""
    bits: int | None = None
    """Precision at which the enclosure was computed."""


class Ends(Model):
    """A closed range of one parameter."""

    lower: ExactText
    upper: ExactText


Box = dict[str, Ends]


class EnclosureRow(Model):
    """One point of a grid: the enclosed quantity and the number that it is compared with."""

    parameters: ParameterTexts
    quantity: Enclosed
    against: Enclosed | None = None
    ratio: Real | None = None
    """quantity / against, or the relative difference, as `relation` of the evidence says."""


class EnclosuresEvidence(Model):
    """Ball enclosures on a grid of exact parameters."""

    type: Literal["enclosures"] = "enclosures"
    quantity: str
    """Name of `rows[].quantity`, for example `delta (ball)`."""
    relation: str
    """How quantity and against compare, for example `<=`, or `relative error`."""
    against: str = ""
    """Name of `rows[].against`, for example the float64 accountant."""
    digits: int
    cases: int
    """Points evaluated; `rows` holds the hardest of them."""
    rows: Items[EnclosureRow] = []


class ProofEvidence(Model):
    """A rigorous proof on a declared box: branch and bound, or an algebraic identity.

    The bisection tree is the certificate: `auditor verify` replays it and encloses every leaf again.
    """

    type: Literal["proof"] = "proof"
    method: str
    """For example `interval branch and bound`, `symbolic identity`."""
    expression: str
    """The expression that was proved positive (or zero), and the unchecked argument from it to the claim."""
    claim: str = ""
    """Id of the claim of the proof with this step; `verify` uses its formula."""
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
    parameters: ParameterTexts
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

    def least_factor(self) -> Decimal:
        """Return a certified lower bound on left / right of a violated upper bound; 0 without one."""
        if self.left is None or self.right is None or self.relation not in {"<=", "<"}:
            return Decimal(0)
        least, most = Decimal(self.left.lower), Decimal(self.right.upper)
        if not (least.is_finite() and most.is_finite() and least > most > 0):
            return Decimal(0)
        return Context(prec=50, rounding=ROUND_FLOOR).divide(least, most)


class DerivationStep(Model):
    """One numbered step: a checked claim, or a step that is marked as trusted."""

    number: int
    statement: str
    claim: str | None = None
    verdict: Verdict | None = None
    trusted: bool = False
    theorem: str = ""
    """The classical theorem that is trusted, with its reference."""


class DerivationEvidence(Model):
    """A written derivation for an unbounded domain."""

    type: Literal["derivation"] = "derivation"
    steps: Items[DerivationStep]
    text: str = ""


class SearchEvidence(Model):
    """A search that found no counterexample, and the point with the least slack."""

    type: Literal["search"] = "search"
    method: str
    examples: int
    box: Box = {}
    closest: ParameterTexts = {}
    margin: Real | None = None
    """Least slack, at `closest`."""
    would_catch: str = ""


class EnumerationEvidence(Model):
    """Every case of a finite domain decided in exact arithmetic."""

    type: Literal["enumeration"] = "enumeration"
    domain: str
    cases: int
    arithmetic: str = "exact rationals, or balls that decide"
    example: dict[str, str] = {}


class TradeoffPoint(Model):
    """A point that a trade-off function does not exceed."""

    fpr: Real
    """False-positive rate, rounded up."""
    fnr: Real
    """Upper bound on the false-negative rate, rounded up."""


class WealthPoint(Model):
    """The wealth of a test after a number of releases."""

    samples: int
    log10: Real
    """Of the wealth, rounded down."""


class SourceLine(Model):
    """A line of a source file."""

    file: str
    """Path of the file, relative to the working folder of the audit if the file is below it."""
    line: int = Field(ge=1)


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
    parameters: ParameterTexts = {}
    epsilon: Real | None = None
    delta_claimed: Real | None = None
    delta_tested: Real | None = None
    """Delta that the releases are compared with, if it is not the claimed one."""
    delta_lower: Real | None = None
    """Lower confidence bound on the true delta at `epsilon`."""
    delta_upper: Real | None = None
    """Upper confidence bound; only tilted sampling of a known law has one."""
    delta_exact: Enclosed | None = None
    """Exact profile of the pair, if the law is known."""
    epsilon_lower: Real | None = None
    level: Real
    """This test's share of the run's false-alarm probability."""
    samples: int
    hits: int | None = None
    """Releases in the event; only an exact binomial test has them."""
    blocks: int = 0
    log10_wealth: Real | None = None
    wealth: Items[WealthPoint] = []
    """The wealth at some numbers of releases per dataset; the last point is the stop of the test."""
    detectable_delta: Real | None = None
    """Smallest true delta that this test would have reported with probability `power`."""
    power: Real = "0.95"
    efficiency: Real | None = None
    """For a refutation: log(1 / level) / (KL_inf * samples), rounded down. A test of this level that always ends in a
    refutation needs at least log(1 / level) / KL_inf releases per dataset on average. The efficiency with the average
    number instead of `samples` is therefore at most 1. A single run may exceed 1."""
    efficiency_law: Literal["exact", "estimated"] | None = None
    """`exact`: KL_inf is at least the value for the pairs' exact laws, so `efficiency` is a lower bound. `estimated`:
    KL_inf is the value for frequencies in the cells of the bets, which is too large on average."""
    profile_lower: dict[ExactText, Real] = {}
    """Lower bounds on delta by epsilon, at the stop of the test. They are jointly valid with probability at least
    1 - `level`. The pairs have no trade-off function with a smaller delta at one of them."""
    tradeoff: Items[TradeoffPoint] = []
    """Corners of an upper bound on every f for which the target is f-DP, left against right: no point of a trade-off
    function of the pairs lies higher. The bound has its own confidence of at least 1 - `level`. It uses only releases
    that did not select the cells. After a refutation it is for `pair` alone."""
    run: int | None = None
    """Number of the run in the evidence file that this test continues."""
    suspect: SourceLine | None = None
    """Line of the target that most likely causes the refutation: a hint, no verdict."""
    notes: Items[str] = []
    """Observations about the target other than its releases."""
    assumptions: Items[str] = []


class AccountantPoint(Model):
    """One call of an accountant, and the truth at the exact binary values it was given."""

    parameters: ParameterTexts
    returned: str
    """The returned value as Python prints it, or the exception."""
    truth: Enclosed | None = None
    ratio: Real | None = None
    """returned / truth."""
    reason: str = ""
    lacks: str = ""
    """What an unsafe answer lacks, in its own unit and in epsilon; the reason has it, too."""


class AccountantMap(Model):
    """Calls of an accountant in a plane: two searched parameters, or one parameter and the error of the answers."""

    across: str
    up: str
    classes: dict[str, Items[tuple[Real, Real]]]
    """Some calls of each class, evenly in the order they were made, to three digits."""


class AccountantEvidence(Model):
    """A search that compares an accountant with a claim."""

    type: Literal["accountant"] = "accountant"
    target: str
    against: str
    box: Box
    tolerance: Real
    examples: int
    judged: int = 0
    """Calls whose answers were compared with the truth."""
    notes: Items[str] = []
    """What else was seen: rounding, calls that were not judged, searches cut short."""
    unsafe: AccountantPoint | None = None
    """Below the truth: a privacy violation."""
    invalid: AccountantPoint | None = None
    """NaN, an exception, or a value out of range."""
    differs: AccountantPoint | None = None
    """Below a bound that is only an upper bound, but above the exact value."""
    loosest: AccountantPoint | None = None
    """Largest ratio above the truth: safe, not tight."""
    rows: Items[AccountantPoint] = []
    map: AccountantMap | None = None
    """Positions of calls in the box, by the class of their answers."""


class QuantityEvidence(Model):
    """A printed number, the reading that gives it, and its value."""

    type: Literal["quantity"] = "quantity"
    printed: str
    reading: str
    parameters: ParameterTexts = {}
    computed: Enclosed
    agrees: str = ""
    """For example `rounds to the printed digits`."""


class ReasonEvidence(Model):
    """The reason for missing evidence: a missing package, an editorial statement, a crashed check or target."""

    type: Literal["reason"] = "reason"
    text: str
    remedy: str = ""
    unusable_target: bool = False
    """True if the target cannot be audited, and the check itself did not crash."""


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
