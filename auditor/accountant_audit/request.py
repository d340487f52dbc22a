"""Request for an accountant audit: one validated value, filled by every front end."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypedDict

from auditor.accountant_audit.adapter import Accountant
from auditor.accountant_audit.judge import Judge
from auditor.accountant_audit.solved import DELTA, PURE_DELTA, solved
from auditor.errors import MissingPackageError, TargetError, UsageError
from auditor.search.parameter_points import SearchBox, search_box
from auditor.settings import checked_jobs, checked_seed
from auditor.target.process import MEBIBYTE
from auditor.target.target import Limits, Target, as_target, locate_own
from mechanisms.mechanism import AccountantFault
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.claim import Claim


class SearchOptions(TypedDict, total=False):
    """Options for calling and searching an accountant, as keyword arguments of the front ends."""

    box: Mapping[str, tuple[Value, Value]]
    tolerance: str
    max_examples: int
    seed: int
    call_timeout: float
    python: str | None
    budget: float
    returns: Sequence[str]
    floor: str
    memory: int
    strict: bool


class AccountantOptions(SearchOptions, total=False):
    """Optional fields of `AccountantRequest`."""

    jobs: int | None
    solves: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class AccountantRequest:
    """An accountant, its claim, and the range and size of the search.

    Args:
        target: `package.module:callable`, `path/to/file.py:callable`, `exec:COMMAND` (docs/protocol.md), a live
            callable, or a located target. It takes the claim's parameters by keyword (integers as int, reals as float,
            words as str) and returns a number.
        claim: a claim with a number.
        box: exact ends (lo, hi) by parameter name; other parameters have the claim's domain.
        tolerance: relative amount below the truth within which an answer is right, an exact decimal in [0, 1).
        max_examples: number of points per search (corners, random points, walk towards unsafe answers), >= 1; the
            search for answers out of order uses half.
        seed: seed of the search, >= 0; equal seeds give equal calls.
        python: the interpreter that imports the target: a path, or a name on the search path; None: this one.
        call_timeout: CPU seconds, > 0, after which a call counts as unanswered; idle seconds count as well.
        budget: CPU seconds, > 0, of target and judge together; each search has a share.
        jobs: number of processes, each with a copy of the target, for points that do not depend on answers; None: one.
            For a target without state the result does not depend on the number.
        returns: the meaning of each number of an answer: lower, estimate, upper, _ (unused); empty: a single number.
        solves: parameters of a claim about delta that the target returns, in order, instead of taking them. The target
            takes `delta`, and is judged by the exact delta at the returned values.
        against: the claim's name on the command line; empty: its id.
        floor: absolute accuracy of an answer, an exact decimal >= 0; an answer below the truth by less is rounding.
        memory: memory limit in MiB, >= 1, beyond the interpreter's own; a call that needs more declines.
        strict: whether answers in corners, see `practical`, decide the verdict even if enough other calls were judged.
        points: points of known errors, by name, which are called first.
        until_refuted: whether to stop searching after an answer that refutes the target.

    Errors:
        UsageError: a field outside its allowed values, or a claim without a number.
    """

    target: str | Callable[..., Any] | Target
    claim: Claim
    box: Mapping[str, tuple[Value, Value]] = field(default_factory=dict)
    tolerance: str = "1e-9"
    max_examples: int = 400
    seed: int = 0
    call_timeout: float = Limits.answer_seconds
    python: str | None = None
    budget: float = 600.0
    jobs: int | None = None
    returns: Sequence[str] = ()
    solves: Sequence[str] = ()
    against: str = ""
    floor: str = "0"
    memory: int = Limits.memory_bytes // MEBIBYTE
    strict: bool = False
    points: Sequence[Mapping[str, Value]] = ()
    until_refuted: bool = False

    def __post_init__(self) -> None:
        size = self.max_examples
        if not isinstance(size, int) or isinstance(size, bool) or size < 1:
            raise UsageError(f"expected max_examples >= 1 (size of each search), got max_examples={size}")
        for name, seconds, of in (
            ("call_timeout", self.call_timeout, "one call"),
            ("budget", self.budget, "the audit"),
        ):
            if not (isinstance(seconds, int | float) and 0 < seconds < math.inf):
                raise UsageError(f"expected {name} > 0 (CPU seconds of {of}), got {name}={seconds}")
        if not isinstance(self.memory, int) or isinstance(self.memory, bool) or self.memory < 1:
            raise UsageError(f"expected memory >= 1 (MiB), got memory={self.memory}")
        checked_seed(self.seed)
        checked_jobs(1 if self.jobs is None else self.jobs)
        _ = self.judge
        self.search_box(None)

    @classmethod
    def registered(cls, subject: Accountant | AccountantFault, claim: Claim, **options: Any) -> AccountantRequest:
        """Return the request of a registered accountant or planted fault; `options` override its declarations.

        Errors:
            MissingPackageError: the adapter's library is not installed.
        """
        if isinstance(subject, AccountantFault):
            point = {name: exact(value) for name, value in subject.parameters.items()}
            target = locate_own(subject.accountant.__module__, subject.accountant.__qualname__, "accountant")
            return cls(target=target, claim=claim, points=(point,), **{"strict": True, **options})
        if subject.installed_version is None:
            raise MissingPackageError(f"the accountant '{subject.id}' needs {subject.library}", subject.remedy)
        declared = {
            "tolerance": subject.tolerance,
            "floor": subject.floor,
            "strict": not subject.library,
            "solves": subject.solves,
            "returns": subject.returns,
            "points": [{name: exact(value) for name, value in point.items()} for point in subject.points],
            **subject.called,
            **options,
        }
        return cls(claim=claim, **{**declared, "box": {**subject.box, **options.get("box", {})}})

    @cached_property
    def judge(self) -> Judge:
        """The judge of answers against the claim, or against the claim solved for `solves`."""
        pure = all(exact(end) == 0 for end in self.box.get(DELTA.name, (1,)))
        held_to = solved(self.claim, self.solves, PURE_DELTA if pure else DELTA) if self.solves else self.claim
        accuracy = checked_share("tolerance", self.tolerance), checked_share("floor", self.floor)
        claim = replace(held_to, points=(*self.points, *held_to.points))
        return Judge(claim, accuracy[0], tuple(self.returns), accuracy[1])

    def search_box(self, accepts: frozenset[str] | None) -> SearchBox:
        """Return the domain restricted to the box, without parameters that the target does not take."""
        return search_box(self.judge.claim.domain, self.box, accepts)

    def without_box(self) -> AccountantRequest:
        """Return the request for the claim's whole domain; parameters with one value keep it."""
        fixed = {name: ends for name, ends in self.box.items() if Fraction(exact(ends[0])) == Fraction(exact(ends[1]))}
        return replace(self, box=fixed)

    def located(self) -> Target:
        """Return the target, to be used as a context manager."""
        limits = Limits(answer_seconds=float(self.call_timeout), memory_bytes=self.memory * MEBIBYTE)
        if isinstance(self.target, Target):
            return replace(self.target, limits=limits, jobs=self.jobs)
        return replace(as_target(self.target, "accountant", limits, self.python), jobs=self.jobs)

    def searched(self, target: Target) -> SearchBox:
        """Return the search box of a started target.

        Errors:
            TargetError: the target does not take the claim's parameters by keyword, or is a class.
        """
        if target.parts is not None:
            raise TargetError(f"{target.name} is a class: give one of its methods, or audit it whole (audit_object)")
        box = self.search_box(target.accepts)
        names = [axis.parameter.name for axis in box.axes]
        if target.accepts is not None and (missing := [name for name in names if name not in target.accepts]):
            backwards = not self.solves and DELTA.name in target.accepts and DELTA.name not in names
            raise TargetError(
                f"{target.name} does not take {', '.join(missing)} by keyword, it takes "
                f"{', '.join(sorted(target.accepts)) or 'nothing by keyword'}; the claim {self.claim.id} passes "
                f"{', '.join(names)}: "
                + (
                    f"what returns {', '.join(missing)} for a delta is judged with --solves {','.join(missing)}"
                    if backwards
                    else "wrap it in a function of these names, fix one that it does not need by --box NAME=VALUE, "
                    "or take a truth about its parameters (`auditor list truths` prints them)"
                )
            )
        if target.accepts is not None and (strange := sorted(target.needs - {*names})):
            raise TargetError(
                f"{target.name} needs {', '.join(strange)}, which the claim {self.claim.id} does not pass: it passes "
                f"{', '.join(names)}; wrap it in a function of these names"
            )
        return box

    def words(self) -> list[str]:
        """Return the command-line options that repeat the search of the box."""
        interpreter = [] if self.python is None else ["--python", self.python]
        timeout = [] if self.call_timeout == Limits.answer_seconds else ["--call-timeout", f"{self.call_timeout:g}"]
        budget = [] if self.budget == AccountantRequest.budget else ["--budget", f"{self.budget:g}"]
        ranges = ((name, ":".join(map(str, ends))) for name, ends in self.box.items())
        boxes = [word for name, ends in ranges for word in ("--box", f"{name}={ends}")]
        size = ["--max-examples", str(self.max_examples), "--seed", str(self.seed)]
        return [*boxes, *size, *timeout, *budget, *memory_words(self.memory), *interpreter]

    def form(self) -> list[str]:
        """Return the command-line options for the form of an answer."""
        values = (("--returns", self.returns), ("--solves", self.solves))
        words = [word for option, names in values if names for word in (option, ",".join(names))]
        return [*words, *(["--floor", self.floor] if self.floor != "0" else []), *(["--strict"] if self.strict else [])]


def checked_share(name: str, text: str) -> Fraction:
    """Return a tolerance or a floor as a number.

    Raises:
        UsageError: not an exact decimal in [0, 1).
    """
    try:
        if not isinstance(text, str) or "/" in text:
            raise ValueError
        value = Fraction(exact(text))
    except (TypeError, ValueError):
        raise UsageError(f"expected 0 <= {name} < 1, an exact decimal such as 1e-9 in a string, got {text!r}") from None
    if not 0 <= value < 1:
        raise UsageError(f"expected 0 <= {name} < 1, got {text}")
    return value


def memory_words(memory: int) -> list[str]:
    """Return the command-line option for the memory; empty for the default."""
    return [] if memory == AccountantRequest.memory else ["--memory", str(memory)]
