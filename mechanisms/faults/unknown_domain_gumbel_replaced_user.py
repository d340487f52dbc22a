"""Algorithm 3 with the noise of an added user where users are replaced: the score has range two, not one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from mechanisms.mechanism import Fault
from mechanisms.unknown_domain.gumbel import mechanism as correct
from proofs_numeric.statements.adjacency import ReplaceUser
from proofs_numeric.statements.neighbours import Direction

if TYPE_CHECKING:
    from mechanisms.mechanism import Parameters

_PARAMETERS: Parameters = {"k_bar": 2, "k": 1, "beta": 1, "delta": "1/20"}

FAULT = Fault(
    id="unknown_domain_gumbel_replaced_user",
    title="sensitivity in place of range",
    mechanism="unknown_domain_gumbel",
    violates="rogers2024.thm9.profile",
    caught_by="empirical.black_box",
    build=correct.build,
    parameters=_PARAMETERS,
    pair=replace(
        correct.peeled_pair(
            _PARAMETERS, "c2.swap", {"a": 51, "b": 50}, {"a": 50, "b": 51}, "a user moves from one item to another"
        ),
        adjacency=ReplaceUser(),
    ),
    direction=Direction.FORWARD,
    epsilon="1/2",
    explanation=(
        "Every count moves by one at most, but one up and one down: the log ratio ranges over 2/beta. Theorem 5 needs "
        "the range of the score, which is its sensitivity only where all counts move the same way."
    ),
)
