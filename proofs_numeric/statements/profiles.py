"""Privacy profiles: pairs of laws, what is said of the largest hockey stick among them, and the tactics for that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.shared import SharedCounters
from proofs_numeric.statements.tactics import Tactic


@dataclass(frozen=True)
class Counts:
    """What is shown of k copies of an item and of k - 1, each sampled with probability ``rate``, alone.

    Where no ``copies`` are said, of any k >= 1 and either way round; else of those against one less.

    How many were sampled is shown from ``threshold`` on, an integer >= 1; below it nothing is.  All else that
    neighbours show is independent of it and alike.
    """

    rate: Formula
    threshold: Formula
    copies: Formula | None = None


@dataclass(frozen=True)
class SparseRows:
    """What rows of a Gaussian sparse histogram show with a user and without, who is in at most ``rows`` of them.

    A row at the lower threshold names the user with probability ``1 - e^-loss``, and is not shown without.  A row above
    it shows, where that passes the upper threshold, a Gaussian vector whose means are at most ``sqrt(square)`` apart in
    units of its noise: which count and which aggregates is any.  Rows are independent; all others are alike.
    """

    rows: str
    """The parameter that says how many, an integer from 1 on."""
    loss: Formula
    square: Formula | None = None
    """None: the user is in no row above the lower threshold."""


@dataclass(frozen=True)
class Concentrated:
    """All pairs of laws with ``D_alpha(P||Q) <= alpha rho`` and ``D_alpha(Q||P) <= alpha rho`` at each alpha > 1."""

    rho: Formula


@dataclass(frozen=True)
class Profile:
    """The largest ``H_(e^epsilon)`` among the pairs, either way round, is ``bound``: ``relation`` is ``=`` or ``<=``.

    Attributes:
        box: the level ``epsilon`` and the parameters.

    """

    box: Box
    pairs: Counts | SparseRows | SharedCounters | Concentrated
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
    S_k(t) - r S_(k-1)(t) <= bound; ``fewer``, where that way round is meant: 1 - S_(k-1)(t) - r (1 - S_k(t)) <= bound;
    of an equality, ``attained``: bound is at most the largest of what the events ``worst`` tell, of k >= 1 and
    t >= threshold; by their signs: 0 <= epsilon, 0 < p < 1, 1 <= threshold, and 1 <= k of a given k.
    Used besides: k - 1 copies show v with (k - v)/(k (1 - p)) times the chance of k, which falls with v.  So what k
    copies show by more than r times as often are the counts from some t on, and all of them if nothing shown is such,
    which has then no less than 1 - r of that, none; what k - 1 copies do, those below some t, and what is not shown if
    one that is shown is such.
    """

    more: Tactic
    fewer: Tactic | None = None
    worst: tuple[AtCount, ...] = ()
    attained: Tactic | None = None


@dataclass(frozen=True)
class AtThreshold(Tactic):
    """`Profile` of `SparseRows`: the worst pairs have all rows, ``place`` at the threshold, the others far above.

    Goals, with C = rows, p = e^-loss, a = place < C, mu^2 = (C - a) square, f the Gaussian profile: ``first``:
    1 - p^C <= bound; ``second``: 1 - p^a + p^a f(mu, epsilon + a loss) <= bound; ``third``: f(mu, epsilon - a loss) <=
    bound, both where there are rows above; of an equality, ``attained``: bound is at most the largest of the first and
    the second at ``places``; by their signs: 0 <= epsilon, 0 <= loss and 0 < square.
    Used besides: what fewer rows show is a part of what more do.  With the user, who is named with probability 1 - p^a,
    the hockey stick is that and p^a times that of the other rows at epsilon + a loss; the other way round that of the
    other rows at epsilon - a loss, or 1 - e^epsilon p^C at most where there are none, which is not above 1 - p^C.  The
    others show a function of Gaussian vectors, of n rows as of one sqrt(n) times as far apart, and come as near to
    them as one likes where the counts are large; f grows with mu.
    """

    first: Tactic
    second: Tactic | None = None
    third: Tactic | None = None
    places: tuple[Formula, ...] = ()
    attained: Tactic | None = None


@dataclass(frozen=True)
class AtOrder(Tactic):
    """`Profile` of `Concentrated` laws, at most, by one order alpha = 1 + ``excess``.

    Goals: ``end``: e^(excess ((1 + excess) rho - epsilon)) <= bound; by their signs: 0 <= excess; and
    (e^u - 1)_+ <= e^((1 + excess) u) of any real u.
    Used besides: at r = P/Q and u = log r - epsilon the hockey stick is the mean under Q of e^epsilon (e^u - 1)_+, and
    that of r^alpha is e^((alpha - 1) D_alpha); at order 1 it is 1.
    """

    excess: Formula
    end: Tactic
