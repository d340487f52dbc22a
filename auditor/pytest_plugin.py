"""The pytest plugin: audits as tests.

    def test_our_delta(assert_accountant):
        assert_accountant(our_delta, against="wilkins2024.thm2.2", box={"epsilon": ("0", "10")})

The helpers can be imported from here or used as fixtures of the same name. The false-alarm probability `--audit-alpha`
is the whole session's: nine tenths are shared by the tests marked `audit`, one tenth by the others, and the k-th
assertion of a test gets its share times 2^-k, so the sum never exceeds it and no test depends on the order of another.

Importing this module costs neither NumPy nor SciPy; the engine is imported by the first assertion.
"""

from __future__ import annotations

import functools
import json
import re
import shlex
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import pytest

from auditor.errors import AuditorError, counted
from auditor.mechanism_audit.options import DETECT, documented
from auditor.settings import checked_probability
from auditor.target import isolation

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from auditor.accountant_audit.object_audit import ObjectAudit
    from auditor.accountant_audit.result import AccountantAudit
    from auditor.findings.finding import Finding
    from auditor.mechanism_audit.result import MechanismAudit
    from auditor.report.model import AuditReport

P = ParamSpec("P")
R = TypeVar("R")
MARKED_SHARE = Fraction(9, 10)
"""Part of the session's false-alarm probability that the tests marked `audit` share."""


@dataclass
class Session:
    """What the assertions of one pytest session share."""

    profile: str = "quick"
    seed: int = 0
    alpha: str = "1e-6"
    report: Path | None = None
    marked: int = 0
    collected: int = 0
    test: str = ""
    test_is_marked: bool = False
    assertions: int = 0
    """Assertions of the current test so far."""
    findings: dict[str, str] = field(default_factory=dict)
    """Findings by id, as JSON: what xdist's workers can send."""
    properties: list[tuple[str, object]] = field(default_factory=list)
    """Properties of the current test: pytest's own JUnit file shows them."""

    def level(self) -> str:
        """False-alarm probability of the next assertion, rounded down."""
        self.assertions += 1
        alpha = Fraction(self.alpha)
        if self.test_is_marked:
            share = alpha * MARKED_SHARE / max(self.marked, 1)
        else:
            share = alpha * (1 - MARKED_SHARE) / max(self.collected, 1)
        level = share / 2**self.assertions
        rounded = Context(prec=6, rounding=ROUND_DOWN).divide(Decimal(level.numerator), Decimal(level.denominator))
        return f"{rounded:.5e}"

    def record(self, findings: list[Finding]) -> None:
        """Keep findings for the session's report; where two tests differ on one id, the second adds its name."""
        for finding in findings:
            self.properties.append((f"auditor.{finding.subject}", finding.headline))
            text = finding.model_dump_json()
            if self.findings.setdefault(finding.id, text) != text:
                again = finding.model_copy(update={"id": f"{finding.id}::{self.place()}"})
                self.findings[again.id] = again.model_dump_json()

    def place(self) -> str:
        """The current test, as a word."""
        return re.sub(r"\s+", "_", self.test) or "outside-pytest"


_session = Session()


def _without_our_frames(assertion: Callable[P, R]) -> Callable[P, R]:
    """Return the assertion, whose usage errors have no frame of the auditor: none says anything of the mistake."""

    @functools.wraps(assertion)
    def asserted(*args: P.args, **options: P.kwargs) -> R:
        __tracebackhide__ = True
        try:
            return assertion(*args, **options)
        except Exception as error:
            from proofs_numeric.statements.box import ParameterError

            if not isinstance(error, AuditorError | ParameterError):
                raise
            raise error.with_traceback(None) from None

    return asserted


# --- assertions ------------------------------------------------------------------------------------------------------


@_without_our_frames
def assert_claim(claim: str) -> AuditReport:
    """Assert that a claim of the catalogue holds, by every check that applies to it, at the session's profile.

    A claim that is false in print fails, and the message names the corrected claim. Not applicable, not checkable and
    undecided skip the test with the reason: none of them is a pass.

    Raises:
        UnknownIdError: no such claim.
        AssertionError: refuted, with the witness and the command that repeats it.
        RuntimeError: a check crashed; the crash contains no information about the claim.
    """
    __tracebackhide__ = True
    level = _session.level()
    with isolation.ours():
        from auditor.engine import runner
        from auditor.engine.registry import registry

        registry().claim(claim)
        report = runner.run([claim], profile=_session.profile, seed=_session.seed, alpha=level)
        about = [finding for finding in report.findings if finding.subject == claim]
        _session.record(about)
        twin = registry().claim(claim).corrected_by
    _conclude(about, f"; corrected by {twin}" if twin else "")
    return report


@_without_our_frames
def assert_accountant(
    function: str | Callable[..., Any], against: str | None = None, **options: Any
) -> AccountantAudit | ObjectAudit:
    """Assert that an accountant is nowhere unsafe against a claim and always returns a number.

    Args:
        function: a callable that takes the claim's parameters by keyword, `package.module:callable`, or a registered
            id. The methods of a class are audited against the claim and against each other.
        against: id of the claim. A registered function declares its own claim. Without a claim only internal
            consistency is checked.
        options: box, tolerance, max_examples (default 200), seed (default: the session's), call_timeout and python: see
            `AccountantRequest`; for a class, or without a claim, `ObjectRequest`.

    Raises:
        AssertionError: unsafe, invalid or inconsistent: the shrunk point, the truth there, and the command.
        AuditorError: the claim, the target or an option cannot be used.
    """
    __tracebackhide__ = True
    audit, finding = _audited_accountant(function, against, options)
    _conclude([finding], "", "\n  ".join(audit.brief))
    return audit


def _audited_accountant(
    function: str | Callable[..., Any], against: str | None, options: dict[str, Any]
) -> tuple[AccountantAudit | ObjectAudit, Finding]:
    """Audit an accountant, and record the finding."""
    target = function if isinstance(function, str) else isolation.guest(function)
    with isolation.ours():
        from auditor.accountant_audit.audit import audit_accountant
        from auditor.accountant_audit.object_audit import audit_object
        from auditor.front.accountants import accountant_request, is_whole, object_request
        from auditor.front.audited import accountant_finding

        options.setdefault("max_examples", 200)
        options.setdefault("seed", _session.seed)
        audit: AccountantAudit | ObjectAudit
        if options.get("methods") or is_whole(target, against, options.get("python")):
            audit = audit_object(object_request(target, against, **options))
        else:
            audit = audit_accountant(accountant_request(target, against, **options))
        finding = accountant_finding(audit, "pytest.accountant", _reproduce())
        _session.record([finding])
    return audit, finding


@_without_our_frames
@documented(without=("alpha", "seed"))
def assert_private(mechanism: Any, claim: str | None = None, **options: Any) -> MechanismAudit:
    """Assert that no violation is seen in the releases of a mechanism; a pass is no proof of privacy.

    The test fails if the audit cannot detect a violation of the size `detect`.

    Args:
        mechanism: a callable `release(histogram, rng)`, an object with `release_many(histogram, n, rng)`,
            `package.module:callable`, or a registered id.
        claim: id of the claim that the mechanism should keep, at `parameters`. Or give `epsilon`, `epsilon` and
            `delta`, `rho`, `rho` and `delta`, `mu` or `privacy_profile`. A registered mechanism has its own claim.
        options: see `auditor.mechanism_audit.options`.

    Raises:
        AssertionError: refuted, with pair, event and lower bound; undecided, with the remedy; or the mechanism hangs or
            crashes.
        AuditorError: the claim, the target or the numbers cannot be used.
    """
    __tracebackhide__ = True
    level = _session.level()
    with isolation.ours():
        from auditor.front.api import audit_mechanism
        from auditor.front.audited import mechanism_finding
        from auditor.printable import spelt
        from proofs_numeric.statements.verdict import Verdict

        audit = audit_mechanism(
            mechanism, claim, **{"detect": DETECT, **options, "alpha": level, "seed": _session.seed}
        )
        finding = mechanism_finding(audit, claim, "pytest.mechanism", _reproduce())
        _session.record([finding])
        unusable = audit.verdict in {Verdict.ERROR, Verdict.UNDECIDED}
        lines = [] if audit.would_take is None else [f"to decide: {audit.would_take}"]
        lines += [f"where: {spelt(line)}" for line in audit.where]
    remark = "".join(f"\n  {line}" for line in lines)
    if unusable:
        raise AssertionError(f"{finding.subject}: {finding.headline}{remark}\n  see it again: {finding.reproduce}")
    _conclude([finding], remark)
    return audit


def _reproduce() -> str:
    options = {"profile": _session.profile, "seed": _session.seed, "alpha": _session.alpha}
    words = (word for name, value in options.items() for word in (f"--audit-{name}", str(value)))
    return shlex.join(["pytest", _session.test, *words])


def _conclude(findings: list[Finding], remark: str, brief: str = "") -> None:
    """Turn findings into the outcome of the test: the worst counts; `brief` stands for its headline."""
    __tracebackhide__ = True
    with isolation.ours():
        from auditor.findings.card import WORDS
        from proofs_numeric.statements.verdict import Verdict

    by_verdict = {finding.verdict: finding for finding in findings}
    if (refuted := by_verdict.get(Verdict.REFUTED)) is not None:
        raise AssertionError(_message(refuted, WORDS[refuted.verdict], remark, brief))
    if (broken := by_verdict.get(Verdict.ERROR)) is not None:
        raise RuntimeError(_message(broken, WORDS[broken.verdict], remark, brief))
    if by_verdict.keys() & {Verdict.PROVED, Verdict.DERIVED}:
        return
    silent = (Verdict.UNDECIDED, Verdict.NOT_APPLICABLE, Verdict.NOT_CHECKABLE)
    for verdict in silent:
        if verdict in by_verdict:
            pytest.skip(_message(by_verdict[verdict], WORDS[verdict], remark, brief))


def _message(finding: Finding, word: str, remark: str, brief: str = "") -> str:
    return f"{word}: {finding.subject}: {brief or finding.headline}{remark}\n  see it again: {finding.reproduce}"


@pytest.fixture(name="assert_claim")
def _assert_claim() -> Callable[..., Any]:
    """`assert_claim(claim)`: see `auditor.pytest_plugin.assert_claim`."""
    return assert_claim


@pytest.fixture(name="assert_private")
def _assert_private() -> Callable[..., Any]:
    """`assert_private(mechanism, claim, ...)`: see `auditor.pytest_plugin.assert_private`."""
    return assert_private


@pytest.fixture(name="assert_accountant")
def _assert_accountant() -> Callable[..., Any]:
    """`assert_accountant(function, against=..., box=...)`: see `auditor.pytest_plugin.assert_accountant`."""
    return assert_accountant


# --- hooks -----------------------------------------------------------------------------------------------------------


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of the contract."""
    group = parser.getgroup("auditor", "audits of private sparse histograms")
    choices = ("quick", "standard", "deep")
    group.addoption(
        "--audit-profile", choices=choices, default="quick", help="budget of each assertion (default: quick)"
    )
    group.addoption(
        "--audit-seed", type=int, default=0, help="all randomness of the audits derives from it (default: 0)"
    )
    group.addoption(
        "--audit-alpha", default="1e-6", help="false-alarm probability of the whole session (default: 1e-6)"
    )
    group.addoption("--audit-report", metavar="DIR", default=None, help="write the session's audit report to DIR")


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker and check the options before the first test runs."""
    global _session  # noqa: PLW0603 - helpers are plain functions: the session they serve is the process's
    config.addinivalue_line("markers", "audit: an audit; all tests with this mark share nine tenths of --audit-alpha")
    report = config.getoption("--audit-report")
    try:
        alpha = checked_probability(config.getoption("--audit-alpha"), "audit-alpha")
        if config.getoption("--audit-seed") < 0:
            raise AuditorError(f"expected audit-seed >= 0, got audit-seed={config.getoption('--audit-seed')}")
        folder = None if report is None else Path(report)
        if folder is not None:
            from auditor.writing import writable_directory

            writable_directory(folder)
    except AuditorError as error:
        raise pytest.UsageError(str(error)) from None
    _session = Session(config.getoption("--audit-profile"), config.getoption("--audit-seed"), alpha, folder)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Count the tests that share the false-alarm probability; every xdist worker counts the same."""
    _session.collected = len(session.items)
    _session.marked = sum(item.get_closest_marker("audit") is not None for item in session.items)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Know which test asserts."""
    _session.test, _session.assertions, _session.properties = item.nodeid, 0, item.user_properties
    _session.test_is_marked = item.get_closest_marker("audit") is not None
    try:
        return (yield)
    finally:
        _session.test, _session.test_is_marked, _session.properties = "", False, []


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the findings of an xdist worker."""
    _session.findings.update(getattr(node, "workeroutput", {}).get("auditor_findings", {}))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the findings to the controller, or write the report."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["auditor_findings"] = _session.findings
    elif _session.report is not None and _session.findings:
        _write_report(_session.report)


def _write_report(folder: Path) -> None:
    with isolation.ours():
        from auditor.findings.finding import Finding
        from auditor.front.audited import report_of
        from auditor.report import files
        from auditor.report.view import SESSION

        findings = [Finding.model_validate_json(text) for text in _session.findings.values()]
        report = report_of(
            findings, selection=SESSION, profile=_session.profile, seed=_session.seed, alpha=_session.alpha
        )
        files.write(report, folder, strict=False)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the folder of the report and the power of passed audits of mechanisms."""
    if _session.findings:
        findings = map(json.loads, _session.findings.values())
        passed = [each for each in findings if (each["check"], each["verdict"]) == ("pytest.mechanism", "CONSISTENT")]
        where = f", report in {_session.report}" if _session.report else ""
        terminalreporter.write_line(
            f"auditor: {counted(len(_session.findings), 'finding')} at alpha {_session.alpha}{where}"
        )
        for each in passed:
            terminalreporter.write_line(f"auditor: {each['subject']}: {each['headline']}")
    elif _session.report is not None:
        terminalreporter.write_line(f"auditor: nothing was audited, no report in {_session.report}")
