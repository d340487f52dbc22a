"""A claim about delta read backwards: the accountant is given delta and returns some of the claim's parameters.

Noise, threshold, epsilon, or noise and threshold together: whatever is returned is put back into the claim, and the
exact delta there must not exceed the one asked for. Every truth about delta so judges calibrations, without a root.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from auditor.errors import UsageError
from proofs_numeric.arithmetic import exact
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import Calibration, DeltaBound

DELTA = Parameter("delta", "delta asked for", "probability", "1e-300", 1, log=True, open_upper=True)


@dataclass(frozen=True)
class Solved(Calibration):
    """A calibration that returns parameters of a claim, in order; `value` is their tuple, in exact numbers.

    Args:
        parameters: those returned.
        admits: the claim's constraint, at all of its parameters.

    """

    parameters: tuple[Parameter, ...] = ()
    admits: Callable[[Mapping[str, Value]], bool] = lambda _: True

    def at(self, values: Mapping[str, Value], returned: Sequence[Fraction]) -> tuple[Value, ...] | str:
        """Return what was returned in the parameters' own types, or why the claim says nothing there."""
        taken: list[Value] = []
        for parameter, number in zip(self.parameters, returned, strict=True):
            if (parameter.integer and number.denominator != 1) or not parameter.contains(exact(number)):
                return f"the claim says nothing there: expected {parameter.allowed}"
            taken.append(parameter.coerce(exact(number)))
        point = {name: value for name, value in values.items() if name != DELTA.name}
        named = {parameter.name: value for parameter, value in zip(self.parameters, taken, strict=True)}
        return tuple(taken) if self.admits({**point, **named}) else "the claim's constraint does not hold there"

    @property
    def least(self) -> Fraction | None:
        """The least value of a lone parameter; None where nothing is the least."""
        (first, *others) = self.parameters
        return None if others or first.lower == "-infinity" else Fraction(exact(first.lower))


def solved(claim: Claim, names: Sequence[str]) -> Claim:
    """Return the claim that an accountant of these parameters is held against.

    Args:
        claim: an exact delta, or an upper bound on one.
        names: the parameters returned, in order.

    Errors:
        UsageError: no such parameter, or a claim that is no delta.

    """
    kind = claim.kind
    if claim.quantity is not QuantityKind.DELTA or claim.formula is None or DELTA.name in claim.domain.names:
        raise UsageError(
            f"expected --solves with a claim whose value is a delta that it has no parameter for, got {claim.id}"
        )
    unknown = next((name for name in names if name not in claim.domain.names or names.count(name) > 1), None)
    if unknown is not None or claim.domain[names[0]].choices:
        raise UsageError(f"--solves {','.join(names)}: expected numbers among {', '.join(claim.domain.names)}")
    exactly = kind.exact if claim.role is Role.UPPER and isinstance(kind, DeltaBound) else None
    quantity = names[0] if len(names) == 1 else ""
    declares = {"rises": claim.rises, "falls": (*claim.falls, DELTA.name)}
    return replace(
        claim,
        title=f"{claim.title}: {', '.join(names)} for a delta",
        kind=Solved(
            _no_root,
            _put_back(claim.formula, names),
            achieved_at_least=None if exactly is None else _put_back(exactly, names),
            tight=False,
            parameters=tuple(claim.domain[name] for name in names),
            admits=claim.domain.admits,
        ),
        evaluates=None,
        special_value=None,
        points=(),
        domain=Box((*(p for p in claim.domain.parameters if p.name not in names), DELTA)),
        quantity=QuantityKind(quantity) if quantity in QuantityKind.__members__.values() else QuantityKind.NONE,
        role=Role.CALIBRATION,
        **(declares if len(names) == 1 and names[0] in claim.falls else {"rises": (), "falls": ()}),
    )


def _put_back(formula: Formula, names: Sequence[str]) -> Formula:
    def achieved(A: Any, *, value: tuple[Any, ...], delta: Any, **point: Any) -> Any:  # noqa: ARG001 - the one asked for
        return formula(A, **point, **dict(zip(names, value, strict=True)))

    return achieved


def _no_root(_A: Any, **_point: Any) -> Any:
    raise ValueError("a delta claim read backwards is judged at what is returned, not solved")
