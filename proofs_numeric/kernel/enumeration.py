"""The kernel on finite statements: every case of a set is decided, exactly where the statement is rigorous."""

from __future__ import annotations

import functools
import operator
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, get_args

from proofs_numeric.arithmetic import Ball
from proofs_numeric.arithmetic.enclosure import bounds, exact_value
from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.arithmetic.rational import IrrationalError, Rational
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.instances import LawInstance, LawInstances
from proofs_numeric.statements.kinds import FiniteStatement, Instance, Instances, Recurrence
from proofs_numeric.statements.verdict import Verdict


@dataclass(frozen=True)
class Enumerated:
    """How many cases were decided, the first one, and the one that fails (in a tuple of one)."""

    verdict: Verdict
    cases: int
    first: Any = None
    failing: tuple[Any] | None = None


def enumerated(kind: FiniteStatement, size: int) -> Enumerated:
    """Decide every case of the size; the first that fails, in order, ends it. Floating-point cases prove nothing."""
    cases, first = 0, None
    for case in kind.cases(size):
        cases += 1
        first = case if cases == 1 else first
        if not kind.holds(case):
            return Enumerated(Verdict.REFUTED, cases, first, (case,))
    if not cases:
        return Enumerated(Verdict.UNDECIDED, 0)
    return Enumerated(Verdict.PROVED if kind.rigorous else Verdict.CONSISTENT, cases, first)


MOST_COMPARED = 800
"""Cases."""
_BITS = 256
_AGREES = Fraction(1, 2**200)


def check_instances(kind: FiniteStatement, domain: Box) -> None:
    """Check that enumerated cases of the smallest size are instances of the general form, number by number.

    A case holds by its instances alone, at every size.

    Of more than `MOST_COMPARED` cases that many are compared, drawn without regard to their order.

    Raises:
        TacticError: a number of an instance is another than the case's own; its parameters are outside the domain, or
            a step is given what the general form does not speak of; the relation is another; or nothing but equal
            sides is compared.

    """
    from proofs_numeric.kernel.laws import numbers_of_law  # SymPy is optional

    every, holds = kind.every, kind.holds
    if isinstance(holds, LawInstances) and every is not None and not isinstance(every, Recurrence):
        for case, one in _instances(kind, holds):
            if {*one.at} | {"alpha"} != {*every.box.names} | {"alpha"}:
                raise TacticError(f"expected all parameters of the law, its order aside, got {', '.join(one.at)}")
            _check_inside((domain, every.box), one.at, case)
            _check_numbers(functools.partial(numbers_of_law, every=every, instance=one), case)
    elif isinstance(holds, Instances) and every is not None:
        if not isinstance(every, Recurrence) or every.levels is not None:
            raise TacticError(
                "expected instances of a recurrence without levels, got instances of another general form"
            )
        if holds.relation != every.relation:
            raise TacticError(f"expected instances with {every.relation}, as of the general form, got {holds.relation}")
        _check_steps(kind, holds, every, domain)
    elif isinstance(holds, LawInstances):
        raise TacticError("expected instances of a law, got instances of another general form")


def _check_steps(kind: FiniteStatement, holds: Instances, every: Recurrence, domain: Box) -> None:
    complete = False
    for case, one in _instances(kind, holds):
        _check_inside((domain,), one.at, case)
        for step in one.inputs:
            for parameter in every.inputs.parameters:
                if not parameter.contains(step[parameter.name]):
                    raise TacticError(f"expected {parameter.allowed} for {parameter.name} at {case!r}")
        _check_numbers(functools.partial(_numbers, every=every, instance=one), case)
        complete |= one.left != one.right or set(one.state) == set(every.state.names)
    if not complete:
        raise TacticError("expected the parts of the state where both sides are always equal, got none")


def _instances(kind: FiniteStatement, holds: Any) -> Iterator[tuple[Any, Any]]:
    """Each case that is compared, of which there is one, with each of its instances, of which it has at least one."""
    _require_own(holds, (LawInstances, Instances))
    cases = list(kind.cases(min(kind.sizes.values())))
    if not cases:
        raise TacticError("expected at least one case of the smallest size, got none")
    if len(cases) > MOST_COMPARED:  # the same ones in every run
        cases = random.Random(0).sample(cases, MOST_COMPARED)  # noqa: S311
    for case in cases:
        instances = list(holds.of(case))
        for one in instances:
            _require_own(one, (*get_args(LawInstance), Instance))
        if not instances:
            raise TacticError(f"expected at least one instance of each case, got none of {case!r}")
        yield from ((case, one) for one in instances)


def _require_own(value: Any, kinds: tuple[type[Any], ...]) -> None:
    """Refuse a class derived from one of these: it may hold by what is not compared."""
    if type(value) not in kinds:
        raise TacticError(
            f"expected {' or '.join(kind.__name__ for kind in kinds)}, got another: {type(value).__name__}"
        )


def _check_inside(boxes: tuple[Box, ...], at: Mapping[str, Formula], case: Any) -> None:
    """Check that the parameters of an instance are inside each range that names them, and inside the constraints."""
    point = {name: _ends(formula) for name, formula in at.items()}
    for box in boxes:
        for parameter in box.parameters:
            if not all(map(parameter.contains, point.get(parameter.name, ()))):
                raise TacticError(f"expected {parameter.allowed} for {parameter.name} at {case!r}")
        if box.constraint is not None and not (
            all(len(ends) == 1 for ends in point.values())
            and box.admits({name: ends[0] for name, ends in point.items()})
        ):
            raise TacticError(f"expected {box.constraint_text} at {case!r}")


def _ends(formula: Formula) -> tuple[Fraction, ...]:
    """The exact value of a parameter, or both ends of its enclosure where it is not rational."""
    value = exact_value(formula, {})
    if value is not None:
        return (value,)
    with Ball(_BITS) as ball:
        ends = bounds(ball.number(formula(ball)))
    if ends is None:
        raise TacticError("expected a number as the parameter of an instance, got none that a ball encloses")
    return ends


def _check_numbers(numbers: Callable[[Any], Iterable[tuple[str, Any, Any]]], case: Any) -> None:
    try:
        rationals = list(numbers(Rational()))
    except (IrrationalError, NotImplementedError):  # no rational number
        with Ball(_BITS) as ball:
            _compare(numbers(ball), _nearly(ball), case)
    else:
        _compare(rationals, operator.eq, case)


def _numbers(A: Any, every: Recurrence, instance: Instance) -> list[tuple[str, Any, Fraction]]:
    """What a number is, the general form's, and the case's."""
    at = {name: A.number(formula(A)) for name, formula in instance.at.items()}
    steps = [{name: A.number(value) for name, value in step.items()} for step in instance.inputs]
    state = every.after(A, steps, **at)
    sides = {"left": (every.left, instance.left), "right": (every.right, instance.right)}
    results = [
        (f"the {name} side", A.number(side(A, **at, **state)), special) for name, (side, special) in sides.items()
    ]
    return results + [(name, A.number(state[name]), special) for name, special in instance.state.items()]


def _nearly(A: Ball) -> Callable[[Any, Any], bool]:
    return lambda general, special: bool(
        abs(A.number(general) - A.number(special)) <= A.number(_AGREES) * (1 + abs(A.number(special)))
    )


def _compare(numbers: Iterable[tuple[str, Any, Any]], agree: Callable[[Any, Any], bool], case: Any) -> None:
    for name, general, special in numbers:
        if not agree(general, special):
            raise TacticError(f"expected {special} as {name} of the general form at {case!r}, got {general}")
