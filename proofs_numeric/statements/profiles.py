"""Privacy profiles: pairs of laws, what is said of the largest hockey stick among them, and the tactics for that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.gaussians import Streams, Tops
from proofs_numeric.statements.races import Lists, Picks
from proofs_numeric.statements.rules import COMPOSITION, CONCENTRATED, EVENT, RATIO, ROWS
from proofs_numeric.statements.shared import SharedCounters
from proofs_numeric.statements.tactics import Sign, Symbolic, Tactic


@dataclass(frozen=True)
class Counts(OfFormulas):
    """What is shown of k copies of an item and of k - 1, each sampled with probability ``rate``, alone.

    Where no ``copies`` are said, of any k >= 1 and either way round; else of those against one less.  ``reverse``: only
    of k - 1 against k, of any k or of that.

    How many were sampled is shown from ``threshold`` on, an integer >= 1; below it nothing is.  All else that
    neighbours show is independent of it and alike.
    """

    rate: Formula
    threshold: Formula
    copies: Formula | None = None
    reverse: bool = False


@dataclass(frozen=True)
class Samples(OfFormulas):
    """What ``size`` of ``clients``, drawn without putting back, show of any data with a client and without it.

    How many of an item were drawn is shown from ``threshold`` on, an integer >= 1.  Without the client there is one
    less of whom as many are drawn, or, ``replaced``, another in its place; either way round.
    """

    size: Formula
    clients: Formula
    threshold: Formula
    replaced: bool = False


@dataclass(frozen=True)
class SparseRows(OfFormulas):
    """What rows of sparse histograms show with a user and without, who is in at most ``rows`` of them.

    A row at the lower threshold names the user with probability ``1 - e^-loss``, and is not shown without; a row that
    the user alone is in may do so with less.  A row above it shows, where that passes the upper threshold, a Gaussian
    vector whose means are at most ``sqrt(square)`` apart in units of its noise: which count and which aggregates is
    any; or a count with Laplace noise, the means at most ``shift`` apart in its scales.  With ``steps`` counts and
    noise are on a lattice of which the shift is so many steps; or, with a ``sigma``, on the integers, with discrete
    Gaussian noise of that parameter, the means at most so many steps apart.  Rows are independent, in one histogram or
    in several whose data is fixed in advance; all others are alike.
    """

    rows: Formula
    """An integer from 1 on."""
    loss: Formula
    square: Formula | None = None
    shift: Formula | None = None
    """At most one of the two and of sigma; none: the user is in no row above the lower threshold."""
    steps: Formula | None = None
    """An integer from 1 on, with a shift or a sigma."""
    sigma: Formula | None = None


@dataclass(frozen=True)
class AnyRows(OfFormulas):
    """What sparse histograms show with a user and without, whose rows depend on how many the user is in.

    That ``number`` is any integer from 1 to ``most``; ``each`` says of the parameters and of it what rows there are.
    """

    number: str
    most: Formula
    """An integer from 1 on."""
    each: SparseRows


@dataclass(frozen=True)
class BoundedRows(OfFormulas):
    """What rows of sparse histograms show with a user and without, at the level ``epsilon``.

    The user is in at most ``rows`` of them.  One of these names the user with probability at most ``1 - e^-loss``, and
    is not shown without; any other has a privacy loss of at most ``largest``, either way round.  Rows are independent;
    all others are alike.  ``reverse``: only of the law without the user against that with.
    """

    rows: Formula
    """An integer from 1 on."""
    loss: Formula
    largest: Formula
    epsilon: Formula
    reverse: bool = False


@dataclass(frozen=True)
class Shifted(OfFormulas):
    """Normal noise of a ``scale`` about ``first`` against such noise about ``second``, in this order.

    With an ``edge`` all below it is shown as one symbol; else the other order is the mirror image, with the same hockey
    sticks.  ``laplace``: the noise is Laplace's, with the density e^(-|x|/scale)/(2 scale).
    """

    first: Formula
    second: Formula
    scale: Formula
    edge: Formula | None = None
    laplace: bool = False


@dataclass(frozen=True)
class PartlyShown(OfFormulas):
    """Gaussian vectors with the means ``distance`` apart in units of their noise, in one order; part of them is shown.

    What is shown is computed of the vector, whichever neighbour's it is, and with probability ``chance`` of the first
    law it is all of it.
    Beside that a pair may be meant of which one neighbour is named with probability ``naming``, the other never.
    """

    distance: Formula
    chance: Formula
    naming: Formula | None = None


@dataclass(frozen=True)
class Repeated(OfFormulas):
    """Independent such pairs, as many as a parameter says, each of counts of its own; all are shown.

    Which counts a pair is of may depend on what was shown before; all are the same way round.
    """

    count: str
    """The parameter that says how many, an integer from 1 on."""
    each: Counts


@dataclass(frozen=True)
class Concentrated(OfFormulas):
    """All pairs of laws with ``D_alpha(P||Q) <= alpha rho`` and ``D_alpha(Q||P) <= alpha rho`` at each alpha > 1."""

    rho: Formula


@dataclass(frozen=True)
class ConcentratedRows(OfFormulas):
    """What `SparseRows` show is ``delta``-approximate ``rho``-CDP: P >= (1 - delta) P', Q >= (1 - delta) Q' on pairs.

    D_alpha(P'||Q') and D_alpha(Q'||P') are at most ``alpha rho``, and so they are at order 1.

    Attributes:
        box: the order ``alpha`` and the parameters.
        rows: of the parameters without the order, as delta and rho.

    """

    box: Box
    rows: SparseRows
    delta: Formula
    rho: Formula


@dataclass(frozen=True)
class Promised(OfFormulas):
    """The pairs of which a theorem says that they are ``delta``-approximate ``rho``-CDP, either way round."""

    theorem: Lists | Picks | Tops | Streams | ConcentratedRows
    at: Mapping[str, Formula]
    """The theorem's parameters by the profile's; others are the profile's of that name, or any where it has none."""


Pairs = (
    Counts
    | Samples
    | Shifted
    | PartlyShown
    | Promised
    | Repeated
    | SharedCounters
    | SparseRows
    | AnyRows
    | BoundedRows
    | Concentrated
)
"""Pairs of laws of which a theorem gives the profile."""


@dataclass(frozen=True)
class Profile:
    """The largest ``H_(e^epsilon)`` among the pairs, either way round unless they say one, is ``bound``, or is bounded.

    Attributes:
        box: the level ``epsilon`` and the parameters.
        relation: ``=``, or ``<=`` or ``>=`` the bound.

    """

    box: Box
    pairs: Pairs
    bound: Formula
    relation: str


def _at_the_threshold(_A: Any, **_parameters: Any) -> int:
    return 0


@dataclass(frozen=True)
class AtCount:
    """That ``copies`` copies show at least ``beyond`` above the threshold; ``fewer``: that one copy less shows less."""

    copies: Formula
    beyond: Formula = _at_the_threshold
    fewer: bool = False


@dataclass(frozen=True)
class BadCounts(Tactic):
    """`Profile` of `Counts`: best events are that a count is at least t, or that it is less, t from the threshold on.

    Goals, with S_k(t) = P[Bin(k, p) >= t], r = e^epsilon and any integers k >= 1 and t >= threshold: ``more``:
    S_k(t) - r S_(k-1)(t) <= bound, ``fewer``: 1 - S_(k-1)(t) - r (1 - S_k(t)) <= bound, each where that way round is
    meant; of an equality, ``attained``: bound is at most the largest of what the events ``worst`` tell, of k >= 1 and
    t >= threshold, and, without ``more``, of 0; by their signs: 0 <= epsilon, 0 < p < 1, 1 <= threshold, 1 <= k of a
    given k, and, without ``more``, which says that where t > k, 0 <= bound.
    Used besides: k - 1 copies show v with (k - v)/(k (1 - p)) times the chance of k, which falls with v.  So what k
    copies show by more than r times as often are the counts from some t on, and all of them if nothing shown is such,
    which has then no less than 1 - r of that, none; what k - 1 copies do, those below some t, and what is not shown if
    one that is shown is such.
    """

    rule = RATIO

    more: Tactic | None = None
    fewer: Tactic | None = None
    worst: tuple[AtCount, ...] = ()
    attained: Tactic | None = None


@dataclass(frozen=True)
class OfSamples(Tactic):
    """`Profile` of `Samples`: what tells of a client are the samples that it is in, a share s = size/clients of all.

    Goals, with r = e^epsilon: ``outcome``: (s x + (1 - s) z - r (s y + (1 - s) z))_+ <= s x of any x, y, z >= 0, r >= 1
    and s in [0, 1]; ``value``: the bound is s, or more; by their signs or hypotheses of the domain, which may be
    `AllOf` some: 0 <= epsilon, 1 <= threshold, threshold <= size and size <= clients, clients - 1 unless replaced.
    Used besides: x, y and z are an outcome's masses given that the client is drawn, that the other is in its place, and
    that neither is, which is one of all samples of the rest; of that one less shows y = z.  The sum of x is at most 1.
    Where the client alone holds an item, and all others one, without it that one is shown ``size`` times, and nothing
    else; with it just where it is not drawn.
    """

    rule = EVENT

    outcome: Tactic = field(default_factory=Sign)
    value: Tactic = field(default_factory=Symbolic)


@dataclass(frozen=True)
class HalfLine(Tactic):
    """`Profile` of `Shifted`: the first is more than e^epsilon times as dense as the second on one side of ``cut``.

    Goals, with the logarithm L of the densities' ratio: by its sign, 0 < scale; ``sides``: L less epsilon is >= 0 at
    ``cut + beyond``, any beyond >= 0, and <= 0 at ``cut - beyond``, or, where the side is not ``above``, the other way
    round; ``value``: the excess P - e^epsilon Q of that half-line is the bound; with an edge that of its part from the
    edge on, or of that and what is below the edge, whichever is larger.
    With a ``most`` that is so where epsilon <= most; it bounds L at any real ``x`` where most < epsilon, ``ratio``, and
    ``nothing``: bound is 0, or more, there.  Without a ``cut`` L = 0 at any real x (SymPy), and ``value``: the bound
    is max(0, 1 - e^epsilon), whatever is shown.
    Used besides: an event has no more excess than the integral of the positive part of ``p - e^epsilon q``, and what
    is shown as one symbol is in it or not; noise is above x with probability Phi(-x/s), or, Laplace's, e^(-x/s)/2 for
    x >= 0, and 1 - e^(x/s)/2 else.
    """

    rule = RATIO

    cut: Formula | None = None
    above: bool = True
    sides: tuple[Tactic, Tactic] = (Sign(), Sign())
    value: Tactic = field(default_factory=Symbolic)
    most: Formula | None = None
    ratio: Tactic = field(default_factory=Sign)
    nothing: Tactic = field(default_factory=Symbolic)


@dataclass(frozen=True)
class Withheld(Tactic):
    """`Profile` of `PartlyShown`, ``>=``: what is withheld is worth no more than its chance.

    Goals: by its sign, 0 < distance; ``chance``: shown <= 1, and named <= 1; ``value``: bound <= the largest of 0, of
    f(distance, epsilon) less the chance that not all is shown, f the Gaussian profile, and of ``named``.
    Used besides: of the best event for the vectors those outcomes that are shown whole are an event of what is shown,
    less probable under the first law by no more than the chance of the others, and no more probable under the second;
    Gaussian vectors are a Gaussian number along the line of their means, and what is the same of both.
    """

    rule = EVENT

    value: Tactic = field(default_factory=Symbolic)
    chance: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class Reflected(Tactic):
    """`Profile` of pairs that are meant either way round, at levels below zero, by that at the opposite ones.

    Goals: ``proof``: the profile at -epsilon is ``opposite``, or bounded by it, a formula of that level and of the
    other parameters; ``value``: bound is 1 - e^epsilon + e^epsilon opposite; by SymPy: x - r y = 1 - r +
    r ((1 - y) - (1 - x)/r), x and y the probabilities of an event, of which the second factor is about its complement.
    Used besides: both orders of a pair are meant, so the largest of either side is taken over the same events.
    """

    rule = RATIO

    opposite: Formula
    proof: Tactic
    value: Tactic = field(default_factory=Symbolic)


@dataclass(frozen=True)
class AtThreshold(Tactic):
    """`Profile` of `SparseRows`: the worst pairs have all rows, ``place`` at the threshold, the others far above.

    With C = rows, p = e^-loss, a = place < C and H_n the profile of n rows above there are three terms: 1 - p^C,
    1 - p^a + p^a H_(C-a)(epsilon + a loss), and H_(C-a)(epsilon - a loss); the last two where there are rows above.
    H_n is the Gaussian profile at mu^2 = n square, `laplace_counts_profile`, or of discrete Gaussian noise
    `moved_profile`.  Goals about Gaussian vectors: ``first``, ``second`` and ``third``: the term is at most the bound;
    of an equality, ``attained``: bound is at most the largest of the first and of the second at ``places``.  About
    counts: ``largest``: the largest of all three, over all a, is the bound, or less.
    ``lost``: 0 <= loss; by their signs: 1 <= rows, 0 <= epsilon, 0 < square, shift or sigma, 1 <= steps, an integer.
    Used besides: what fewer rows show is a part of what more do, and a row that names the user with less is one that
    does so with more, left out at times.  With the user, who is named with probability 1 - p^a,
    the hockey stick is that and p^a times that of the other rows at epsilon + a loss; the other way round that of the
    other rows at epsilon - a loss, or 1 - e^epsilon p^C at most where there are none, which is not above 1 - p^C.  The
    others show a function of Gaussian vectors, of n rows as of one sqrt(n) times as far apart, and come as near to
    them as one likes where the counts are large; f grows with mu.
    Laplace counts that are less apart, or not all shown, have the smaller hockey stick at each real level,
    (1 - e^((l - s)/2))_+ from l = -s on and 1 - e^l below; so have several, as given all others that of one is taken at
    another level.  On a lattice the law is log-concave too, also of a discrete Gaussian: best events are half-lines, of
    which P[Z >= x - d] - e^l P[Z >= x] grows with d.  The loss of n discrete Gaussian counts that move by d depends on
    their sum alone, as the logarithm of a ratio is linear in the count.
    """

    rule = ROWS

    first: Tactic | None = None
    second: Tactic | None = None
    third: Tactic | None = None
    places: tuple[Formula, ...] = ()
    attained: Tactic | None = None
    lost: Tactic = field(default_factory=Sign)
    largest: Tactic | None = None


@dataclass(frozen=True)
class OfAnyNumber(Tactic):
    """`Profile` of `AnyRows`: the largest over the numbers, each number's by itself.

    Goals, with N = most: ``each``: `Profile` of the rows at any number >= 1, with the bound ``one``, a formula of the
    parameters and the number; ``value``: the largest of ``one`` at the numbers 1, ..., N is the bound, or less; by its
    sign: 1 <= N.
    """

    rule = ROWS

    one: Formula
    each: Tactic
    value: Tactic


@dataclass(frozen=True)
class WithinLevel(Tactic):
    """`Profile` of `BoundedRows`: rows that both data have tell nothing at the level; all are new in the worst pair.

    Goals, with C = rows, p = e^-loss and r = e^epsilon: ``value``: 1 - p^C is the bound, or less; of the reverse order
    the larger of 0 and 1 - r p^C; ``level``: C largest <= epsilon; ``lost``: 0 <= loss; by their signs: 1 <= rows and
    0 <= largest.
    Used besides: a row that names the user with less is one that does so with more, left out at times.  Of a rows that
    name the user the others lose at most (C - a) largest <= epsilon.  So with the user against without there is no
    hockey stick but the chance 1 - p^a that the user is named.  The other way round no loss is above a loss +
    (C - a) largest, which is at most C loss or at most epsilon; a hockey stick is at most 1 - e^(epsilon - l) where
    l >= epsilon is the largest loss, which C rows of one user attain, and not above 1 - p^C.
    """

    rule = ROWS

    value: Tactic = field(default_factory=Symbolic)
    level: Tactic = field(default_factory=Symbolic)
    lost: Tactic = field(default_factory=Sign)


@dataclass(frozen=True)
class AtOrder(Tactic):
    """`Profile` of `Concentrated` laws, at most, by one order alpha = 1 + ``excess``.

    Goals: ``end``: e^(excess ((1 + excess) rho - epsilon)) <= bound; by their signs: 0 <= excess; and
    (e^u - 1)_+ <= e^((1 + excess) u) of any real u.
    Used besides: at r = P/Q and u = log r - epsilon the hockey stick is the mean under Q of e^epsilon (e^u - 1)_+, and
    that of r^alpha is e^((alpha - 1) D_alpha); at order 1 it is 1.
    """

    rule = CONCENTRATED

    excess: Formula
    end: Tactic


@dataclass(frozen=True)
class Composed(Tactic):
    """`Profile` of `Repeated`: no more than the sum of what each pair tells at its share of the level.

    Pairs are the same at every level and of every n, their number.  Goals: ``each``: `Profile` of one, ``bound`` of the
    parameters without n, from epsilon/n on in its range; ``outcome``: x y - a b <= (x - a)_+ y + min(x, a) (y - b)_+ of
    any x, y, a, b >= 0; ``total``: n bound(epsilon/n) <= the goal's bound.
    Used besides: with x = p and a = r q of the first pair's outcome, y and b of the others', whose r is r^(n - 1), the
    sum over both outcomes is at most the hockey stick of the first and min(p, r q) <= p times that of the others.
    """

    rule = COMPOSITION

    bound: Formula
    each: Tactic
    outcome: Tactic
    total: Tactic = field(default_factory=Symbolic)


@dataclass(frozen=True)
class Converted(Tactic):
    """`Profile` of `Promised`: at one order alpha = 1 + e^``log_excess``, a formula of the profile's parameters.

    Goals: ``theorem``: it; ``ranges``: its parameters lie where it speaks of them; ``order``: of any number of outcomes
    sum (p - r q)_+ <= c sum p^alpha q^(1 - alpha), with ``c = (1/alpha) (1 - 1/alpha)^(alpha - 1) r^(1 - alpha)``;
    ``end``: d + (1 - d) c e^((alpha - 1) alpha rho) <= bound, d = delta at least; by its sign: 0 <= delta.
    That d <= 1 is a goal too, ``within``; where ``most`` says another d, min(1, delta) <= d is one, by `Symbolic`.
    Used besides: P >= (1 - d) P' and Q >= (1 - d) Q' are mixtures, of which hockey sticks are no more than theirs.
    """

    rule = CONCENTRATED

    theorem: Tactic
    log_excess: Formula
    order: Tactic
    end: Tactic
    ranges: Mapping[str, Tactic] = field(default_factory=dict)
    most: Formula | None = None
    within: Tactic = field(default_factory=Sign)
