"""Goals: what there is to prove of a claim, and what a tactic leaves of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.gaussians import Streams, Truncated
from proofs_numeric.statements.kinds import Recurrence
from proofs_numeric.statements.races import Conditioned, InRange, Lists
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


Goal = Statement | Moves | Recurs | Conditioned | InRange | Lists | Truncated | Streams

Left = Iterator[tuple[Goal, Tactic]]
"""The goals that a tactic leaves, each with the tactic that proves it."""
