"""Gaussian vectors told to lie in half-spaces, noisy tops and streams of noisy counts: laws as objects, what is said.

A noisy top is of a histogram.  Of neighbours the larger one h has counts c_i >= 0, the smaller one h' counts c'_i >= 0,
of which at most ``items`` have fallen, each by at most ``fall``; an item is in a histogram where its count is above 0.
The top are the ``top`` items of largest counts, or all where there are fewer, ties broken by an order that h and h'
share; b and b' are the largest counts outside the tops, 0 where nothing is.  Each item of the top is given its count
and noise N(0, noise^2), the threshold b and what is added to it and such noise, and what comes above it is printed.

A stream of ``rounds`` rounds gives in each a set of at most ``items`` items.  Neighbours: one round of one of them is
empty in the other, h' is h without.  Item by item, every cell, the rounds from ``m 2^j + 1`` to ``(m + 1) 2^j`` for an
even m, holds how often the item came there and independent noise N(0, noise^2).  A round has at most ``digits`` binary
digits, the last round so many.  After each round, of every item that has come, the sum of the cells into which the
rounds so far fall apart, one for each digit 1 of their number, is printed if it is above the threshold.
"""

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.rules import EVENT, SORTED_COUNTS
from proofs_numeric.statements.tactics import Tactic

# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Truncated(OfFormulas):
    """D_alpha(P||Q) <= ``bound`` of Gaussian vectors P and Q of any dimension, both given the same half-spaces.

    Their parts are independent, of variance 1; the half-spaces are any number, and have some mass.

    Attributes:
        box: the order ``alpha``, and ``squared``, the squared distance of the means.
        bound: of both.

    """

    box: Box
    bound: Formula


@dataclass(frozen=True)
class Relabelled(OfFormulas):
    """On every pair of neighbours, what is in one top only, matched in any way with as many items of the other.

    It is at most ``items`` and at most ``top`` items on either side, each count at most b + fall, or b' + fall, on its
    side; the smaller top, which has no more of them, is made up by items of count 0.  With the items of both tops, and
    b and b', the two sides are vectors of squared distance at most ``squared``.

    Attributes:
        box: the parameters.
        items: the parameter that says how many counts fall, at most.
        top: the parameter that says how many items are in the top.
        fall: by how much each falls, at most.
        squared: of the parameters.

    """

    box: Box
    items: str
    top: str
    fall: Formula
    squared: Formula


@dataclass(frozen=True)
class Tops(OfFormulas):
    """What noisy tops print is ``delta``-approximate ``rho``-CDP: P >= (1 - delta) P', Q >= (1 - delta) Q' on pairs.

    D_alpha(P'||Q') and D_alpha(Q'||P') are at most ``alpha rho``, and so they are at order 1.

    Attributes:
        relabelled: what is said of the tops' counts.
        more: the parameters beside those of the counts, the order ``alpha`` among them.
        noise: standard deviation of each noise.
        threshold: what is added to b.
        delta: of the parameters without the order.
        rho: of the parameters without the order.

    """

    relabelled: Relabelled
    more: Box
    noise: Formula
    threshold: Formula
    delta: Formula
    rho: Formula

    @property
    def box(self) -> Box:
        """The parameters."""
        return Box((*self.relabelled.box.parameters, *self.more.parameters))


@dataclass(frozen=True)
class Streams(OfFormulas):
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

    rule = EVENT

    tilt: Tactic
    density: Tactic
    inside: Tactic
    mean: Tactic


@dataclass(frozen=True)
class Matching(Tactic):
    """`Relabelled`, by what an item d of the larger top only and one e of the other only have to do with b and b'.

    Goals, s the most that a count falls, of any real numbers with c'_d <= b' <= c'_e <= b <= c_d <= c'_d + s:
    ``bounds``: c_d <= b + s, and c'_e <= b' + s; ``pair``: (c_d - c'_e)^2 <= s^2;
    ``next``: (c_d - b)^2 + (b - b')^2 <= s^2.  ``moved``: x^2 <= s^2 at 0 <= x <= s; ``total``: n s^2 <= squared at
    n <= items and n <= top + 1.
    Used besides: d has fallen, as what comes before it in h' does so in h; so has an item of both tops that moves.
    b' <= b <= b' + s, as the ``top`` items and one more that reach b' in h' do so in h, and those that reach b in h
    reach b - s in h'.  What is made up has the count 0 = b', and c'_d = 0 then.  So if b = b', or more than those have
    fallen, at most ``items`` coordinates move, each by at most s.  Else b > b', and nothing outside both tops has
    fallen, nor any e: so b is the count of an e, and its c'_e = b, which pays for b by ``next``.
    """

    rule = SORTED_COUNTS

    bounds: tuple[Tactic, Tactic]
    pair: Tactic
    next: Tactic
    moved: Tactic
    total: Tactic
