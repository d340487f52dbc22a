"""Steps that are chosen as one goes, within two budgets that are fixed in advance: what is said, and the tactic.

A step tells of two neighbours, chosen when all before was seen.  With a loss lam >= 0 and a square kappa >= 0 it names
the neighbour with probability ``1 - e^-lam`` and else shows a Gaussian vector, the means ``sqrt(kappa)`` apart in units
of its noise.  What has no larger hockey stick at any real level, whichever neighbour is P's, is a step of both too: so
is all that can be computed of one without knowing the neighbour.

So is a row of a Gaussian sparse histogram.  At its threshold it names the one that has it, and what names the other is
silence: lam is ``-log Phi(gap/sigma)``, kappa is 0.  Above it what the Gaussian vector shows is shown where the count's
part is above the threshold: lam is 0, kappa at most ``1/sigma^2 + mu_o^2``.
"""

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.rules import COMPOSITION
from proofs_numeric.statements.tactics import Tactic


@dataclass(frozen=True)
class Budgets(OfFormulas):
    """What losses of finitely many steps add up to, at most, and their squares: formulas of a claim's parameters."""

    loss: Formula
    square: Formula


@dataclass(frozen=True)
class Adaptive:
    """``H_(e^epsilon)(P||Q) <= bound`` of all that steps within the budgets show, whoever chooses them.

    Attributes:
        box: the level ``epsilon`` and the parameters.
        budgets: of all steps.
        bound: whichever neighbour is P's.

    """

    box: Box
    budgets: Budgets
    bound: Formula


@dataclass(frozen=True)
class Spent(Tactic):
    """`Adaptive`, by induction over the steps: those left are worth at most ``within`` of what is left of the budgets.

    ``within`` is a formula of ``epsilon``, any real, ``loss`` >= 0 and ``mu`` > 0, the root of the square; ``fixed``
    and ``weight`` are of ``loss`` alone; f is the Gaussian profile, at mu = 0 its limit (1 - e^epsilon)_+.  Goals:
    ``naming``: 1 - e^-lam + e^-lam within <= within at lam + loss; ``apart``: within = fixed + weight f(mu, epsilon);
    ``weighted``: weight >= 0; ``normals``: the losses of two Gaussian pairs are that of one at their root mean square;
    ``last``: f(mu, epsilon) <= within; ``loss`` and ``square``: the budgets' ranges; ``end``: within <= bound.
    Used besides: a hockey stick is the mean of ``(1 - y)_+`` under P, y = e^epsilon Q/P, taken step by step; so what
    is left is worth a function of y so far, a largest mean of such, convex and falling, hence a constant and a mean of
    hockey sticks ``(c - y)_+``: a step is worth no more than the one that its own are compared with.  With a name
    nothing is left to lose.  The mean of f(mu', epsilon - loss) over a Gaussian pair at kappa is f at the root of
    mu'^2 + kappa, by ``normals``; so by ``apart`` and ``weighted`` the mean of within is within at all of the square.
    Goals hold at mu = 0 by continuity, and no steps are worth (1 - e^epsilon)_+.
    """

    rule = COMPOSITION

    within: Formula
    fixed: Formula
    weight: Formula
    naming: Tactic
    apart: Tactic
    weighted: Tactic
    normals: Tactic
    last: Tactic
    loss: Tactic
    square: Tactic
    end: Tactic
