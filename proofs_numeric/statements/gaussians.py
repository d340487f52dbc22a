"""Gaussian vectors told to lie in half-spaces, and streams of noisy counts: the laws as objects, and what is said.

A stream of ``rounds`` rounds gives in each a set of at most ``items`` items.  Neighbours: one round of one of them is
empty in the other, h' is h without.  Item by item, every cell, the rounds from ``m 2^j + 1`` to ``(m + 1) 2^j`` for an
even m, holds how often the item came there and independent noise N(0, noise^2).  A round has at most ``digits`` binary
digits, the last round so many.  After each round, of every item that has come, the sum of the cells into which the
rounds so far fall apart, one for each digit 1 of their number, is printed if it is above the threshold.
"""

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.tactics import Tactic

# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Truncated:
    """D_alpha(P||Q) <= ``bound`` of Gaussian vectors P and Q of any dimension, both given the same half-spaces.

    Their parts are independent, of variance 1; the half-spaces are any number, and have some mass.

    Attributes:
        box: the order ``alpha``, and ``squared``, the squared distance of the means.
        bound: of both.

    """

    box: Box
    bound: Formula


@dataclass(frozen=True)
class Streams:
    """What streams print is ``delta``-approximate ``rho``-CDP: P >= (1 - delta) P', Q >= (1 - delta) Q' on neighbours.

    D_alpha(P'||Q') and D_alpha(Q'||P') are at most ``alpha rho``, and so they are at order 1.

    Attributes:
        box: the order ``alpha`` and the parameters.
        rounds: the parameter that says how many rounds there are, at most.
        items: the parameter that says how many items come in a round, at most.
        digits: the parameter that says how many binary digits the number of rounds has.
        noise: standard deviation of a cell's noise.
        threshold: above which a sum is printed.
        delta: of the parameters without the order.
        rho: of the parameters without the order.

    """

    box: Box
    rounds: str
    items: str
    digits: str
    noise: Formula
    threshold: Formula
    delta: Formula
    rho: Formula


SHARE = Parameter("share", "of what is mixed", open_lower=True, upper=1, open_upper=True)

# --- tactics ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LogConcave(Tactic):
    """`Truncated`: the mass Z of the half-spaces is log-concave in the mean (Prekopa and Leindler, by transport).

    Goals: ``tilt``, of one coordinate, along which the means t and u differ: p^alpha q^(1 - alpha), the densities'
    powers without truncation, is at most e^((alpha - 1) bound) times the density with the mean
    m = alpha t + (1 - alpha) u.  So (alpha - 1) D_alpha is at most (alpha - 1) bound + log Z(m) - alpha log Z(t)
    + (alpha - 1) log Z(u), and as t = s m + (1 - s) u at s = 1/alpha, Z(t) >= Z(m)^s Z(u)^(1 - s) is enough:
    ``density``: f(x)^s g(y)^(1 - s) <= h(s x + (1 - s) y), of densities with the means a, b and s a + (1 - s) b, in
    each coordinate, and ``inside``: what is inside a half-space at x and y is so at s x + (1 - s) y;
    ``mean``: e^(s p + (1 - s) q) <= s e^p + (1 - s) e^q.
    Used besides: coordinates may be rotated.  A coordinate is integrated out by x(v) and y(v), up to which f and g have
    the share v of their integrals F and G: z = s x + (1 - s) y has the slope s F/f + (1 - s) G/g >= (F/f)^s (G/g)^(1-s)
    by ``mean``, so the integral of h is at least that of h(z) z' by v, which is at least F^s G^(1 - s); so the
    integrals are to each other as the densities are, in the other coordinates, until none is left.
    """

    tilt: Tactic
    density: Tactic
    inside: Tactic
    mean: Tactic


@dataclass(frozen=True)
class Suppressed(Tactic):
    """`Streams`: given that no item is printed in a round before which it has come in h but not in h'.

    Goals: ``positive``: the noise; ``digits``: digits <= 2^(digits - 1); ``likely``: at digits <= rounds, items times
    rounds times the probability that 1 and so many noises, from 1 to digits, come above the threshold is at most delta;
    ``truncated``: `Truncated` with this ``bound``; ``moved``: of cells, from none to items times digits, that move by
    one: bound <= alpha rho; ``printed``: 1 + alpha (e^x - 1) <= e^(alpha x).
    Used besides: 2^(digits - 1) <= rounds.  Cells of as many rounds have none in common, so an event moves at most
    digits cells of an item, each by one, and a sum has a noise for each digit 1 of its round, from 1 to digits.
    In h' such an item, which it has not seen, gets cells all the same, with 0 in place of 1 in those of the event: of
    the rounds in question h counts it once, h' never, and the sums stay below the threshold the more likely.  Given
    that they do, on both sides, half-spaces for the same cells, one function of all cells is what is printed; and of
    what is printed the ratio of densities r is a mean of ratios t: t^alpha >= r^alpha (1 + alpha (t/r - 1)), by
    ``printed``.  P is at least its part on an event; divergences are continuous at order 1.
    """

    bound: Formula
    positive: Tactic
    digits: Tactic
    likely: Tactic
    truncated: Tactic
    moved: Tactic
    printed: Tactic
