"""Privacy profiles: pairs of laws, what is said of the largest hockey stick among them, and the tactics for that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.tactics import Tactic


@dataclass(frozen=True)
class Counts:
    """What is shown of k >= 1 copies of an item and of k - 1, each sampled with probability ``rate``, alone.

    How many were sampled is shown from ``threshold`` on, an integer >= 1; below it nothing is.  All else that
    neighbours show is independent of it and alike.
    """

    rate: Formula
    threshold: Formula


@dataclass(frozen=True)
class Profile:
    """The largest ``H_(e^epsilon)`` among the pairs, either way round, is ``bound``: ``relation`` is ``=`` or ``<=``.

    Attributes:
        box: the level ``epsilon`` and the parameters.

    """

    box: Box
    pairs: Counts
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
    S_k(t) - r S_(k-1)(t) <= bound; ``fewer``: 1 - S_(k-1)(t) - r (1 - S_k(t)) <= bound; of an equality, ``attained``:
    bound is at most the largest of what the events ``worst`` tell, of k >= 1 and t >= threshold; by their signs:
    0 <= epsilon, 0 < p < 1 and 1 <= threshold.
    Used besides: k - 1 copies show v with (k - v)/(k (1 - p)) times the chance of k, which falls with v.  So what k
    copies show by more than r times as often are the counts from some t on, and all of them if nothing shown is such,
    which has then no less than 1 - r of that, none; what k - 1 copies do, those below some t, and what is not shown if
    one that is shown is such.
    """

    more: Tactic
    fewer: Tactic
    worst: tuple[AtCount, ...] = ()
    attained: Tactic | None = None
