"""A claim about delta solved for parameters: the accountant takes delta and returns some of the claim's parameters.

It may return noise, a threshold, epsilon, noise and threshold, or epsilon and delta together. The returned values are
inserted in the claim; the exact delta there must not exceed the requested one. So every claim about delta can judge
calibrations.
"""

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

PURE_DELTA = replace(DELTA, lower=0)
"""The requested delta of an accountant of pure privacy, whose box has delta = 0."""


@dataclass(frozen=True)
class Solved(Calibration):
    """A calibration that returns parameters of a claim, in order; `value` has them by name, as exact numbers.

    Args:
        parameters: the returned parameters.
        admits: the claim's constraint on all of its parameters.
    """

    parameters: tuple[Parameter, ...] = ()
    admits: Callable[[Mapping[str, Value]], bool] = lambda _: True

    def at(self, values: Mapping[str, Value], returned: Sequence[Fraction]) -> dict[str, Value] | str:
        """Return the returned values by name, in the parameters' types, or why the claim does not cover them."""
        typed: dict[str, Value] = {}
        for parameter, number in zip(self.parameters, returned, strict=True):
            if parameter.integer and number.denominator != 1:
                return (
                    f"its {parameter.name} is {float(number):.6g} there, and the claim speaks of whole numbers: return "
                    "one, or choose a truth about real numbers (`auditor list truths`)"
                )
            if not parameter.contains(exact(number)):
                return f"the claim does not apply there: expected {parameter.allowed}"
            typed[parameter.name] = parameter.coerce(exact(number))
        point = {name: value for name, value in {**values, **typed}.items() if name != DELTA.name}
        return typed if self.admits(point) else "the claim's constraint does not hold there"

    @property
    def least(self) -> Fraction | None:
        """The least value of a single returned parameter; None without a lower end, or for several parameters."""
        (first, *others) = self.parameters
        return None if others or first.lower == "-infinity" else Fraction(exact(first.lower))


def solved(claim: Claim, names: Sequence[str], delta: Parameter = DELTA) -> Claim:
    """Return the claim that judges an accountant which returns these parameters.

    Args:
        claim: an exact delta, or an upper bound on one.
        names: the returned parameters, in order.
        delta: the requested delta.

    Errors:
        UsageError: an unknown parameter, or a claim that is no delta.
    """
    kind = claim.kind
    if claim.quantity is not QuantityKind.DELTA or claim.formula is None or DELTA.name in claim.domain.names:
        raise UsageError(
            f"expected --solves with a claim whose value is a delta that it has no parameter for, got {claim.id}"
        )
    parameters = {**{parameter.name: parameter for parameter in claim.domain.parameters}, delta.name: delta}
    wrong = any(name not in parameters or names.count(name) > 1 or parameters[name].choices for name in names)
    if wrong or tuple(names) == (DELTA.name,):
        raise UsageError(f"--solves {','.join(names)}: expected numbers among {', '.join(parameters)}, not delta alone")
    exactly = kind.exact if claim.role is Role.UPPER and isinstance(kind, DeltaBound) else None
    quantity = names[0] if len(names) == 1 else ""
    declares = {"rises": claim.rises, "falls": (*claim.falls, DELTA.name)}
    return replace(
        claim,
        title=f"{claim.title}: {', '.join(names)} for a delta",
        kind=Solved(
            _no_root,
            _put_back(claim.formula),
            achieved_at_least=None if exactly is None else _put_back(exactly),
            tight=False,
            parameters=tuple(parameters[name] for name in names),
            admits=claim.domain.admits,
        ),
        evaluates=None,
        special_value=None,
        points=(),
        domain=Box(tuple(p for p in parameters.values() if p.name not in names)),
        quantity=QuantityKind(quantity) if quantity in QuantityKind.__members__.values() else QuantityKind.NONE,
        role=Role.CALIBRATION,
        **(declares if len(names) == 1 and names[0] in claim.falls else {"rises": (), "falls": ()}),
    )


def _put_back(formula: Formula) -> Formula:
    def achieved(A: Any, *, value: Mapping[str, Any], **point: Any) -> Any:
        taken = {**point, **value}
        taken.pop(DELTA.name, None)  # the requested delta
        return formula(A, **{n: A.number(v) if isinstance(v, Fraction) else v for n, v in taken.items()})

    return achieved


def _no_root(_A: Any, **_point: Any) -> Any:
    raise ValueError("a delta claim solved for a parameter is judged at the returned value")
