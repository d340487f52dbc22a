"""The comparison that a claim makes: two formulas, the relation between them, and the box over which it is said."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from proofs_numeric.arithmetic import Arithmetic
from proofs_numeric.arithmetic.enclosure import UNDERFLOW, Comparison, Enclosure, Order, compare
from proofs_numeric.arithmetic.formula import Formula, Value
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind, Role
from proofs_numeric.statements.kinds import (
    AtMost,
    Calibration,
    DeltaBound,
    Identity,
    Inequality,
    Monotonicity,
    Recurrence,
    Relation,
)

SEARCH_BITS = 64, 128, 512
"""Precisions at which an order is asked for: few bits tell most points apart, and most others are equal."""
ALIKE_BITS = 100
"""Sides that agree to 30 digits are mostly equal: a search asks for more bits of them only where little else tests."""
WITNESS_BITS = 128, 256, 512
"""The same for an order that is shown."""
IDENTITY_BITS = (256,)


def _is_finite(side: Enclosure) -> bool:
    return side.upper - side.lower <= max(abs(side.lower), abs(side.upper)) / 10**10


@dataclass(frozen=True)
class Statement:
    """``left relation right`` over a box; ``relation`` is ``<``, ``<=`` or ``=``."""

    left: Formula
    right: Formula
    relation: str
    box: Box
    left_name: str = "left side"
    right_name: str = "right side"
    probabilities: bool = False
    """Both sides are probabilities, or bounds on them: 1 and more is no bound, and 0 is below all."""
    hypotheses: tuple[AtMost, ...] = ()
    """What is said only where these hold: the hypotheses of a proof."""

    def violated_by(self, comparison: Comparison) -> bool:
        """Whether a certified order contradicts the statement; an undecided order, or two sides above 1, never does."""
        left, right = comparison.left, comparison.right
        if self.probabilities and left is not None and right is not None and min(left.lower, right.lower) >= 1:
            return False
        return (
            comparison.order
            in {"<": {Order.GREATER, Order.EQUAL}, "<=": {Order.GREATER}, "=": {Order.LESS, Order.GREATER}}[
                self.relation
            ]
        )

    def tested_by(self, comparison: Comparison) -> bool:
        """Whether the statement says something at the point and is decided there.

        Of an order: the sides are certainly different, the larger no bound of 1 and more, the smaller no probability
        of 0 (which is at most anything, though not less than it).
        Of an equality: both sides are known to 10 digits, and are not both 0.
        """
        left, right = comparison.left, comparison.right
        if left is None or right is None:
            return False
        if self.relation == "=":
            return (
                all(_is_finite(side) for side in (left, right)) and max(abs(left.upper), abs(right.upper)) > UNDERFLOW
            )
        if comparison.order not in {Order.LESS, Order.GREATER}:
            return False
        return not self.probabilities or (right.lower < 1 and (left.upper > UNDERFLOW or self.relation == "<"))

    def compare(
        self, parameters: Mapping[str, Value], steps: Iterable[int] = WITNESS_BITS, alike: float = math.inf
    ) -> Comparison | None:
        """Certified comparison at a point; None where a side is undefined there.

        An order is asked for at the precisions of ``steps``, an equality at one that is high enough for all; for
        ``alike`` see there.
        """
        steps = IDENTITY_BITS if self.relation == "=" else steps
        try:
            comparison = compare(self.left, self.right, parameters, steps, alike)
        except (ZeroDivisionError, ArithmeticError):
            return None
        return None if comparison.left is None or comparison.right is None else comparison


def statement_of(claim: Claim) -> Statement | None:
    """The comparison a claim makes, if it makes one."""
    stated = _comparison_of(claim)
    if stated is None:
        return None
    constraint = stated.box.constraint
    hypotheses = (constraint,) if isinstance(constraint, AtMost) else ()
    return replace(stated, probabilities=claim.quantity in PROBABILITIES, hypotheses=hypotheses)


def meets_target(kind: Calibration, box: Box) -> Statement:
    """What a calibration says of the value that it gives: the target is achieved, exactly where it is tight.

    That is said where there is an answer.
    """

    def achieved(A: Any, **parameters: Any) -> Any:
        return kind.achieved(A, value=kind.formula(A, **parameters), **parameters)

    return Statement(
        achieved,
        lambda A, **parameters: A.number(parameters[kind.target]),
        "=" if kind.tight else "<=",
        box,
        hypotheses=() if kind.answered is None else (kind.answered,),
    )


PROBABILITIES = frozenset({QuantityKind.DELTA, QuantityKind.PROBABILITY})


def _comparison_of(claim: Claim) -> Statement | None:
    kind = claim.kind
    if isinstance(kind, Inequality):
        return Statement(kind.left, kind.right, kind.relation.value, claim.domain)
    if isinstance(kind, Identity):
        return Statement(kind.left, kind.right, "=", claim.domain)
    if isinstance(kind, Monotonicity):
        return _monotone_statement(kind, claim.domain)
    if isinstance(kind, Recurrence):
        return _unfolded(kind, claim.domain)
    if isinstance(kind, DeltaBound) and kind.exact is not None:
        if claim.role is Role.UPPER:
            return Statement(kind.exact, kind.formula, "<=", claim.domain, "exact delta", "bound")
        if claim.role is Role.LOWER:
            return Statement(kind.formula, kind.exact, "<=", claim.domain, "bound", "exact delta")
        return Statement(kind.formula, kind.exact, "=", claim.domain, "claimed delta", "exact delta")
    return None


def later_name(box: Box, parameter: str) -> str:
    """Name of the second, larger value of a parameter: no other parameter of the box has it."""
    name = f"{parameter}_2"
    while name in box.names:
        name += "_2"
    return name


def _monotone_statement(kind: Monotonicity, box: Box) -> Statement:
    name, later = kind.parameter, later_name(box, kind.parameter)

    def at(chosen: str) -> Formula:
        def formula(A: Arithmetic, **values: Any) -> Any:
            moved = values[chosen]
            rest = {key: value for key, value in values.items() if key not in {name, later}}
            return kind.formula(A, **{name: moved}, **rest)

        return formula

    parameter = box[name]
    second = replace(parameter, name=later, description=f"a larger {name}")

    def ordered(**values: Value) -> bool:
        first, other = values[name], values[later]
        rest = {key: value for key, value in values.items() if key != later}
        moved = {**rest, name: other}
        return isinstance(first, int | Fraction) and first < other and box.admits(rest) and box.admits(moved)  # type: ignore[operator]

    pair = Box((*box.parameters, second), ordered, f"{name} < {later}")
    smaller, larger = (at(name), at(later)) if kind.increasing else (at(later), at(name))
    return Statement(smaller, larger, (Relation.LESS if kind.strict else Relation.LESS_EQUAL).value, pair)


UNFOLDED = 2
"""Steps, and levels, at most, in the instances of a recurrence that are searched for a counterexample."""


def _unfolded(kind: Recurrence, box: Box) -> Statement:
    """At most two steps and two levels of a recurrence; in a tree, every node of which takes the same steps."""
    levels = kind.levels
    parameters = [p for p in kind.inputs.parameters if levels is None or p.name != levels.below]
    numbered = range(1, UNFOLDED + 1)
    steps = Parameter("steps", "number of steps", "steps", upper=UNFOLDED, integer=True)
    domain = (
        replace(p, upper=UNFOLDED) if levels is not None and p.name == levels.count else p for p in box.parameters
    )
    taken = (replace(p, name=f"{p.name}_{number}") for number in numbered for p in parameters)

    def side(formula: Formula) -> Formula:
        def value(A: Arithmetic, *, steps: Any, **values: Any) -> Any:
            at = {name: values[name] for name in box.names}
            each = [{p.name: values[f"{p.name}_{number}"] for p in parameters} for number in numbered[:steps]]
            if levels is None:
                return formula(A, **at, **kind.after(A, each, **at))
            count, state = at[levels.count], {}
            value_below = levels.leaf(A, **{**at, levels.count: 0})
            for level in range(1, count + 1):
                at[levels.count] = level
                state = kind.after(A, [{**one, levels.below: value_below} for one in each], **at)
                value_below = kind.left(A, **at, **state)
            return formula(A, **at, **state)

        return value

    return Statement(side(kind.left), side(kind.right), kind.relation, Box((*domain, steps, *taken)))
