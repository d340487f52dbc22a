"""A floor of K users, as k-anonymity asks for: at the same tau* it costs privacy, and it is free where tau* rises too.

The delta depends on tau* - tau alone. A row of K users, one of whom leaves, falls below the floor and is not released
at all; without a floor it would have been a row of many users, that the noise of tau* hides. The higher the floor, the
nearer such a row is to tau*.
"""

from dataclasses import replace
from fractions import Fraction

from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.expression import eq, symbols
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import QuantityKind
from proofs_numeric.statements.tactics import Symbolic
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.neighbours import by_thresholds
from proofs_numeric.wilkins2024.parameters import C_U, EPSILON, SIGMA, TAU_STAR, own
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact

tau, tau_star = symbols("tau tau_star")
with_floor = delta_exact(gap=tau_star - tau, mu_o=0)
"""Exact delta of Algorithm 1 with the floor tau."""
without_floor = with_floor(tau=1)
"""The same with tau = 1: every nonempty row is noised."""
both_raised = with_floor(tau_star=tau_star + (tau - 1))
"""The floor tau with tau* raised by tau - 1."""
_FLOOR = Parameter("tau", "rows of fewer users are never released", "users", 1, 1000, integer=True, log=True)
_BOX = Box((replace(EPSILON, upper=20), replace(C_U, upper=1000), SIGMA, _FLOOR, TAU_STAR))
_BELOW = replace(_BOX, constraint=lambda *, tau, tau_star, **_rest: tau_star > tau, constraint_text="tau_star > tau")
FLOOR_OF_TEN: dict[str, Value] = {"epsilon": 1, "c_u": 10, "sigma": Fraction(118, 10), "tau": 10, "tau_star": 58}
"""Delta 1.0e-5 without the floor, 2.4e-4 with it."""

CLAIMS = (
    own(
        "floor", "Theorem 5.4", "A floor on the users of a released row never costs privacy",
        r"\delta(\tau=K,\tau^*)\le\delta(\tau=1,\tau^*)", with_floor <= without_floor, domain=_BELOW,
        expected=Expectation.REFUTED, corrected_by="wilkins2024.floor.raised", quantity=QuantityKind.DELTA,
        privacy=by_thresholds(tau_star - tau), points=(FLOOR_OF_TEN,),
        note="Rows of few users are held back for certain, and that is what tells whether the last of K is there.",
    ),
    own(
        "floor.raised", "Theorem 5.4", "A floor of K users costs nothing where tau* rises by K - 1",
        r"\delta(\tau=K,\tau^*+K-1)=\delta(\tau=1,\tau^*)", eq(both_raised, without_floor), proof=Symbolic(),
        domain=_BOX, quantity=QuantityKind.DELTA, points=(FLOOR_OF_TEN,),
    ),
)  # fmt: skip
