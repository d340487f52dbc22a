"""Pairs of laws P and Q of any number of outcomes, as what is said of every such pair."""

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.rules import RATIO
from proofs_numeric.statements.tactics import Tactic


@dataclass(frozen=True)
class GoodParts(OfFormulas):
    """Every (epsilon, delta)-DP pair is ``delta``-approximate ``rho``-CDP: P >= (1 - delta) P', Q >= (1 - delta) Q'.

    D_alpha(P'||Q') and D_alpha(Q'||P') are at most ``alpha rho``, and so they are at order 1.

    Attributes:
        box: the order ``alpha`` and the parameters; delta is any.
        epsilon: of the parameters without the order.
        rho: of the parameters without the order.

    """

    box: Box
    epsilon: Formula
    rho: Formula


@dataclass(frozen=True)
class Clipped(Tactic):
    """`GoodParts`, from min(P, r Q) and min(Q, r P), r = e^epsilon, the heavier shrunk until it is as light.

    Goals, of masses p and q of an outcome, a = min(p, r q), b = min(q, r p) and c = b/r + s (a - b/r) with s in [0, 1]:
    ``positive``: 0 <= epsilon; ``within``: b/r <= c, c <= r b and c <= p; ``lost``: p - a <= max(0, p - r q);
    ``chord``: of any number of outcomes sum_y q_y t_y^alpha <= sum_y q_y (1 - s_y + s_y r^(-2 alpha)), t_y the ratio
    1 - s_y + s_y r^-2 with s_y in [0, 1]; ``extreme``: r^alpha (1 - s + s r^(-2 alpha)) <= e^((alpha - 1) alpha rho) at
    s = r/(1 + r).
    Used besides: by ``lost`` each of a and b has the mass 1 - delta at least, as their hockey sticks are at most delta.
    P and Q change places where b has more.  So c's mass, which is linear in s, goes from at most b's to at least b's,
    and is b's at some s: c and b over that mass are P' and Q', of ratios r t_y, and so are Q' and P'.  The mean of t_y
    under Q' is 1/r, that of s_y r/(1 + r).  Nothing is said where delta is 1; divergences are suprema over finite
    partitions, and continuous at order 1.
    """

    rule = RATIO

    positive: Tactic
    within: tuple[Tactic, Tactic, Tactic]
    lost: Tactic
    chord: Tactic
    extreme: Tactic
