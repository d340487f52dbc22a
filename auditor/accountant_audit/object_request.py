"""Request for the audit of an accountant with several parts, or without a truth."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from auditor.accountant_audit.relations import Declaration
from auditor.accountant_audit.request import AccountantRequest, SearchOptions, checked_share, memory_words
from auditor.accountant_audit.solved import DELTA
from auditor.errors import UsageError
from auditor.settings import checked_seed
from auditor.target.process import MEBIBYTE
from auditor.target.target import PROGRAM, Limits, Part, Target, as_target, shorten_path
from auditor.target.worker import ANOTHER
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import DeltaBound

DECLARATIONS = ("rises", "falls", "integers", "counts", "refines")


class ObjectOptions(SearchOptions, total=False):
    """Optional fields of `ObjectRequest`, as keyword arguments of the front ends."""

    solves: Sequence[str]
    rises: Sequence[str]
    falls: Sequence[str]
    integers: Sequence[str]
    counts: str
    refines: str
    methods: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class ObjectRequest:
    """An accountant, an optional claim, and declarations; other fields are as in `AccountantRequest`.

    Args:
        target: a class, by name or live. Audited methods: `delta`; methods named like a parameter, which return it for
            a delta; `compose`, which takes the number of releases, or `other`, an equal accountant. Constructor and
            method together take the parameters by keyword. Without a claim, a function is allowed too.
        claim: a claim about delta; None: only the consistency of answers is checked.
        against: the claim's name on the command line.
        box: ranges; without a claim, one for each parameter.
        solves: the parameter that a function returns for a delta. If empty, the signature decides: a function with
            delta and without epsilon returns epsilon, and a function without delta returns delta.
        rises: without a claim, parameters in which delta is non-decreasing.
        falls: without a claim, parameters besides epsilon in which delta is non-increasing.
        integers: parameters that are integers.
        counts: the number of releases, an integer; all releases share one neighbouring pair, the worst at every
            epsilon.
        refines: the width of a grid; halving it must not raise an answer.
        methods: methods of `exec:COMMAND`: each is COMMAND with the method's name as an additional word, also
            `compose.delta`.

    Errors:
        UsageError: a field outside its allowed values.
    """

    target: str | Callable[..., Any]
    claim: Claim | None = None
    against: str = ""
    box: Mapping[str, tuple[Value, Value]] = field(default_factory=dict)
    solves: Sequence[str] = ()
    rises: Sequence[str] = ()
    falls: Sequence[str] = ()
    integers: Sequence[str] = ()
    counts: str = ""
    refines: str = ""
    methods: Sequence[str] = ()
    returns: Sequence[str] = ()
    tolerance: str = AccountantRequest.tolerance
    max_examples: int = AccountantRequest.max_examples
    seed: int = 0
    call_timeout: float = Limits.answer_seconds
    budget: float = AccountantRequest.budget
    floor: str = AccountantRequest.floor
    memory: int = AccountantRequest.memory
    strict: bool = False
    python: str | None = None

    def __post_init__(self) -> None:
        checked_seed(self.seed)
        checked_share("tolerance", self.tolerance)
        checked_share("floor", self.floor)
        if len(self.solves) > 1 or (self.solves and self.claim is not None):
            raise UsageError(
                f"--solves {','.join(self.solves)}: expected one name for a function without --against; "
                "the names of a class's methods are what it returns"
            )
        if self.methods and not (isinstance(self.target, str) and self.target.startswith(PROGRAM)):
            raise UsageError(f"--methods is for {PROGRAM}COMMAND; a class in Python has its own")
        if self.claim is not None:
            if self.claim.quantity is not QuantityKind.DELTA or not isinstance(self.claim.kind, DeltaBound):
                raise UsageError(
                    f"expected a claim about delta for a class, got {self.claim.id}; `auditor list truths`"
                )
            if declarations := [name for name in DECLARATIONS if getattr(self, name)]:
                raise UsageError(
                    f"--{declarations[0]} is for accountants without --against; the claim declares its own"
                )
            names = [*self.claim.domain.names, DELTA.name]
            if strange := [name for name in self.box if name not in names]:
                raise UsageError(f"--box {strange[0]}: no such parameter; allowed: {', '.join(names)}")
            return
        if not self.box:
            raise UsageError(
                "expected --against CLAIM of `auditor list truths`, or --box for every parameter; got neither"
            )
        declared_names = [*self.rises, *self.falls, *self.integers, *filter(None, (self.counts, self.refines))]
        unknown = next((name for name in declared_names if name not in {*self.box, *self.solves}), None)
        if unknown is not None:
            raise UsageError(f"{unknown} is declared and has no --box; those that have: {', '.join(self.box)}")

    @property
    def declared(self) -> Declaration:
        """The declared properties of the accountant."""
        if self.claim is not None:
            claim = self.claim
            return Declaration(
                domain=claim.domain,
                rises=claim.rises,
                falls=claim.falls,
                counts=claim.counts,
                returns=tuple(self.returns),
            )
        whole = {*self.integers, self.counts}
        parameters = [
            Parameter(
                name,
                "given in the box",
                lower=0 if Fraction(exact(low)) >= 0 else "-infinity",
                integer=name in whole,
                log=True,
            )
            for name, (low, _) in self.box.items()
        ]
        return Declaration(
            domain=Box(tuple(parameters)),
            rises=tuple(self.rises),
            falls=tuple(self.falls),
            counts=self.counts,
            refines=self.refines,
            returns=tuple(self.returns),
        )

    def located(self) -> Target:
        """Return the target, to be used as a context manager."""
        limits = Limits(answer_seconds=float(self.call_timeout), memory_bytes=self.memory * MEBIBYTE)
        target = as_target(self.target, "accountant", limits, self.python)
        names = frozenset({self.declared.counts or ANOTHER})
        methods = {name: Part(None, frozenset(), names if name == "compose" else frozenset()) for name in self.methods}
        return replace(target, parts=methods or None)

    def words(self, name: str) -> str:
        """Return the command line that repeats the search."""
        against = ["--against", self.against or self.claim.id] if self.claim is not None else []
        boxes = [f"{key}={low}:{high}" for key, (low, high) in self.box.items()]
        lists = [(name, getattr(self, name)) for name in ("solves", "rises", "falls", "integers", "returns", "methods")]
        single = (("counts", self.counts), ("refines", self.refines), ("python", self.python or ""))
        texts = [(option, ",".join(names)) for option, names in lists] + list(single)
        defaults = (("tolerance", AccountantRequest.tolerance), ("floor", AccountantRequest.floor))
        texts += [(name, "" if getattr(self, name) == usual else getattr(self, name)) for name, usual in defaults]
        options = [word for option, text in texts if text for word in (f"--{option}", text)]
        size = ["--max-examples", str(self.max_examples), "--seed", str(self.seed), *memory_words(self.memory)]
        size += ["--strict"] if self.strict else []
        return shlex.join(
            ["auditor", "accountant", shorten_path(name), *against]
            + [word for box in boxes for word in ("--box", box)]
            + [*options, *size]
        )
