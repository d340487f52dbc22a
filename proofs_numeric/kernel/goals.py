"""Goals: what there is to prove of a claim, and what a tactic leaves of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.adaptive import Adaptive
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.cuts import Reduced
from proofs_numeric.statements.gaussians import Relabelled, Streams, Tops, Truncated
from proofs_numeric.statements.kinds import Recurrence
from proofs_numeric.statements.noise import AllBelow
from proofs_numeric.statements.pairs import GoodParts
from proofs_numeric.statements.profiles import ConcentratedRows, Profile
from proofs_numeric.statements.races import Conditioned, InRange, Lists, Picks
from proofs_numeric.statements.shared import Backward
from proofs_numeric.statements.statement import Statement
from proofs_numeric.statements.tactics import Tactic


class TacticError(Exception):
    """A tactic does not fit its goal, or a goal is not closed: which condition failed, and where."""


@dataclass(frozen=True)
class Moves:
    """The goal that ``formula`` moves in one direction as ``parameter`` grows over the box."""

    formula: Formula
    parameter: str
    increasing: bool
    strict: bool
    box: Box


@dataclass(frozen=True)
class Recurs:
    """The goal that a recurrence keeps its relation over the box, after any number of steps."""

    recurrence: Recurrence
    box: Box


Goal = (
    Statement
    | Moves
    | Recurs
    | Conditioned
    | InRange
    | Reduced
    | Lists
    | Picks
    | Truncated
    | Relabelled
    | Tops
    | Streams
    | Adaptive
    | GoodParts
    | Profile
    | Backward
    | ConcentratedRows
    | AllBelow
)

Left = Iterator[tuple[Goal, Tactic]]
"""The goals that a tactic leaves, each with the tactic that proves it."""


def order_of(box: Box) -> Parameter:
    """Its order ``alpha``, from 1 on, 1 left out.

    Raises:
        TacticError: another range, or a constraint.

    """
    order = next((one for one in box.parameters if one.name == "alpha"), None)
    if order is None or order.lower != 1 or not order.open_lower or order.upper != "infinity" or order.integer:
        raise TacticError("expected any order alpha from 1 on, 1 left out")
    if box.constraint is not None:
        raise TacticError(f"expected no constraint, got {box.constraint_text}")
    return order


def inside(at: Mapping[str, Any], box: Box) -> dict[str, Any]:
    """The box's parameters, of more."""
    return {name: at[name] for name in box.names}


def of_box(formula: Formula, box: Box) -> Formula:
    """The formula of the box's parameters, as one of more."""
    return lambda A, **at: formula(A, **inside(at, box))
