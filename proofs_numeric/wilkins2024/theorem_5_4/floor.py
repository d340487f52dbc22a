"""A floor of K users, as k-anonymity asks for: at the same tau* it costs privacy, and it is free where tau* rises too.

The delta depends on tau* - tau alone. A row of K users, one of whom leaves, falls below the floor and is not released
at all; without a floor it would have been a row of many users, that the noise of tau* hides. The higher the floor, the
nearer such a row is to tau*.
"""

from dataclasses import replace
from fractions import Fraction

from proofs_numeric.arithmetic import Arithmetic, Number
from proofs_numeric.arithmetic.formula import Value
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Claim, QuantityKind
from proofs_numeric.statements.kinds import Identity, Inequality
from proofs_numeric.statements.tactics import Symbolic
from proofs_numeric.statements.verdict import Expectation
from proofs_numeric.wilkins2024.neighbours import SPARSE_HISTOGRAM_BY_THRESHOLDS
from proofs_numeric.wilkins2024.parameters import C_U, EPSILON, SIGMA, TAU_STAR, ours
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact


def with_floor(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, tau: int, tau_star: Number) -> Number:
    """Exact delta of Algorithm 1 with the floor tau."""
    return delta_exact(A, epsilon=epsilon, c_u=c_u, sigma=sigma, gap=A.number(tau_star) - tau, mu_o=0)


def without_floor(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, tau: int, tau_star: Number) -> Number:
    """The same with tau = 1: every nonempty row is noised."""
    del tau
    return with_floor(A, epsilon=epsilon, c_u=c_u, sigma=sigma, tau=1, tau_star=tau_star)


def both_raised(A: Arithmetic, *, epsilon: Number, c_u: int, sigma: Number, tau: int, tau_star: Number) -> Number:
    """The floor tau with tau* raised by tau - 1."""
    raised = A.number(tau_star) + (tau - 1)
    return with_floor(A, epsilon=epsilon, c_u=c_u, sigma=sigma, tau=tau, tau_star=raised)


_FLOOR = Parameter("tau", "rows of fewer users are never released", "users", 1, 1000, integer=True, log=True)
_BOX = Box((replace(EPSILON, upper=20), replace(C_U, upper=1000), SIGMA, _FLOOR, TAU_STAR))
_BELOW = replace(_BOX, constraint=lambda *, tau, tau_star, **_rest: tau_star > tau, constraint_text="tau_star > tau")
FLOOR_OF_TEN: dict[str, Value] = {"epsilon": 1, "c_u": 10, "sigma": Fraction(118, 10), "tau": 10, "tau_star": 58}
"""Delta 1.0e-5 without the floor, 2.4e-4 with it."""

CLAIMS = (
    Claim(
        id="wilkins2024.floor",
        source=ours("Theorem 5.4"),
        title="A floor on the users of a released row never costs privacy",
        statement=r"\delta(\tau=K,\tau^*)\le\delta(\tau=1,\tau^*)",
        kind=Inequality(with_floor, without_floor),
        domain=_BELOW,
        expected=Expectation.REFUTED,
        corrected_by="wilkins2024.floor.raised",
        quantity=QuantityKind.DELTA,
        privacy=SPARSE_HISTOGRAM_BY_THRESHOLDS,
        points=(FLOOR_OF_TEN,),
        note="Rows of few users are held back for certain, and that is what tells whether the last of K is there.",
    ),
    Claim(
        id="wilkins2024.floor.raised",
        source=ours("Theorem 5.4"),
        title="A floor of K users costs nothing where tau* rises by K - 1",
        statement=r"\delta(\tau=K,\tau^*+K-1)=\delta(\tau=1,\tau^*)",
        kind=Identity(both_raised, without_floor, proof=Symbolic()),
        domain=_BOX,
        quantity=QuantityKind.DELTA,
        points=(FLOOR_OF_TEN,),
    ),
)
