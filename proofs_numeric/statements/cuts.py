"""Counts less the one of a given rank: what is said of neighbours so reduced, and the tactic for that."""

from __future__ import annotations

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.rules import SORTED_COUNTS
from proofs_numeric.statements.tactics import Tactic

ITEM = Box((Parameter("count", "", integer=True), Parameter("fall", "", upper=1, integer=True)))
"""Of the larger histogram, and by how much it is smaller in the other, at least 0 there."""


@dataclass(frozen=True)
class Reduced(OfFormulas):
    """Of any number of counts, any of which fall by one: the reductions are k-sparse and monotonic (Definition 9).

    The cut is the ``rank``-th largest count, ties counted each, 0 where there are fewer.  Of each count is kept by how
    much it is above the cut.  At most ``most`` are, in both; and between them all counts move by 0 or 1, or all by 0
    or -1.

    Attributes:
        box: the parameters.
        rank: of the cut, an integer from 1 on.
        most: the sparsity.

    """

    box: Box
    rank: Formula
    most: Formula


@dataclass(frozen=True)
class Cut(Tactic):
    """`Reduced`, by how the cut moves: by 0 or 1.

    Goals: ``order``: N'(x) <= N(x) <= N'(x - 1), N(x) and N'(x) the numbers of counts >= x; by their signs: a count,
    above the cut or below it, that grows by s as the cut rises by t, both from 0 to 1, is kept by no less than before
    less t, and no more than before and 1 - t; 1 <= rank, and rank - 1 <= most.
    Used besides: the j-th largest count is >= x exactly where N(x) >= j, so the cut falls as the counts do, and by no
    more than one; no more than rank - 1 counts are above it; counts and cut are integers.
    """

    rule = SORTED_COUNTS

    order: Tactic
