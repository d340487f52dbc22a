"""Noisy tops of neighbouring histograms, of any number of items: the laws as objects, and what is said of every pair.

The larger histogram h has counts c_i >= 0, the smaller one h' c'_i = c_i - fall_i >= 0; an item is in a histogram where
its count is above zero.  The top are the ``top`` items of largest counts, or all where there are fewer, ties broken in
any way, on either side in its own; ``outside`` is the largest count outside the top, 0 where nothing is.

A call gives each item of the top its count and the threshold its own score, adds independent noise to each, and prints
the items in the order of what they come to, the largest first, until the threshold, printed as bottom, or until so many
entries as the call may print, bottom counted.
"""

from dataclasses import dataclass, field

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.rules import RACE, SORTED_COUNTS
from proofs_numeric.statements.tactics import Symbolic, Tactic

# --- statements -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Conditioned(OfFormulas):
    """Of a call with clocks of its own (of items of one top only, and more that print nothing) at the rate W_D in all.

    P(list, and the threshold before every clock of its own) is w/(w + W_D) times the law of the list without them and
    with the threshold's rate w + W_D, for every list: picks one by one at their rates over all rates left.

    Attributes:
        box: the parameters.
        below: P[score + noise <= x], of ``score`` and ``x``.
        rate: of the clock that ``score`` stands for: P[score + noise <= x] = e^(-rate time(x)).
        time: of ``x``, falling: what comes to more rings earlier.

    """

    box: Box
    below: Formula
    rate: Formula
    time: Formula


@dataclass(frozen=True)
class InRange(OfFormulas):
    """On every pair of neighbours ``1 <= rate/rate' <= e^width``, of each item of both tops and of the threshold.

    The threshold's rates are those with what is in one top only added on either side, made up in the smaller histogram,
    where it has fewer such items, by items of count 0.

    Attributes:
        box: the parameters.
        item: what every item is: integers ``count`` = c_i and ``fall`` = c_i - c'_i, from 0 to the most that one falls.
        top: the parameter that says how many items are in the top.
        rate: of ``score``.
        threshold: the threshold's score, of ``outside``.
        width: log of the range.

    """

    box: Box
    item: Box
    top: str
    rate: Formula
    threshold: Formula
    width: Formula


@dataclass(frozen=True)
class Race(OfFormulas):
    """The noisy top on every pair of neighbours; fields as above."""

    box: Box
    item: Box
    top: str
    below: Formula
    threshold: Formula
    rate: Formula
    time: Formula

    @property
    def conditioned(self) -> Conditioned:
        """What is said of its clocks."""
        return Conditioned(self.box, self.below, self.rate, self.time)

    def in_range(self, width: Formula) -> InRange:
        """What is said of its rates."""
        return InRange(self.box, self.item, self.top, self.rate, self.threshold, width)


@dataclass(frozen=True)
class Lists(OfFormulas):
    """The printed lists are ``delta``-approximate ``rho``-CDP: P >= (1 - delta) P', Q >= (1 - delta) Q' on every pair.

    D_alpha(P'||Q') and D_alpha(Q'||P') are at most ``alpha rho``, and so they are at order 1.  One call that prints at
    most ``picks`` entries; with ``calls`` a stream of so many at most, each on neighbours that may depend on what was
    printed before, which ends when ``picks`` entries are out.
    """

    race: Race
    more: Box
    """The parameters beside those of the race: the order ``alpha``, ``picks`` and ``calls``."""
    picks: str
    delta: Formula
    rho: Formula
    calls: str = ""

    @property
    def box(self) -> Box:
        """The parameters."""
        return Box((*self.race.box.parameters, *self.more.parameters))


@dataclass(frozen=True)
class Picks(OfFormulas):
    """Picks one by one, any items each time, are ``rho``-CDP where every rate moves by a factor in ``[c, c e^width]``.

    Which items and rates a pick has, and which c, may depend on the picks before.

    Attributes:
        box: the order ``alpha`` and the parameters.
        picks: the parameter that says how many picks there are, at most.
        width: of the parameters without the order, as delta, which is 0, and rho.

    """

    box: Box
    picks: str
    width: Formula
    rho: Formula
    delta: Formula = zero


# --- tactics ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Clocks(Tactic):
    """`Conditioned`, from scores with noise to exponential clocks, and from clocks to picks.

    Goals: ``noise``: below is the same where score and x both move; ``law``: below = e^(-rate time) for any real score
    and x; ``positive``: the rate; ``falls``: time in x, which so is e^(-b x) but for a factor; ``first``: of any number
    of clocks the density of the first and none before it is the derivative of -w_1/W e^(-W v); ``ended`` and ``full``:
    the law of the picks, for every list that bottom ends and every other.
    Used besides: independent exponential clocks that have not rung start afresh.
    """

    rule = RACE

    law: Tactic
    positive: Tactic
    falls: Tactic
    first: Tactic
    ended: Tactic
    full: Tactic
    noise: Tactic = field(default_factory=Symbolic)


@dataclass(frozen=True)
class Matched(Tactic):
    """`InRange`, by matching what is in one top only with as many items of the other, in any way.

    Goals, s the most that a count falls: ``order``: N'(x) <= N(x) <= N'(x - s), N(x) the number of counts >= x;
    ``item``: 0 < rate(score) <= rate(score + rise) <= e^width rate(score), three goals, 0 <= rise <= s, score >= 0;
    ``bottom``: the same of the threshold's rates at b = outside and b + rise; ``merged``: rates that move by factors
    in [1, e^width] keep their sum there, any number of them.
    Used besides: the j-th largest count is >= x exactly where N(x) >= j.  So b' <= b <= b' + s.  An item d of the
    larger top only has b <= c_d and c'_d <= b', one e of the other only c_e <= b and b' <= c'_e:
    c'_e <= b <= c_d <= c'_d + s <= b' + s <= c'_e + s.  Counts fall, so the smaller top has no more items; where it has
    fewer, all its histogram is in it and b' = 0, the count of what is made up.
    """

    rule = SORTED_COUNTS

    order: Tactic
    item: tuple[Tactic, Tactic, Tactic]
    bottom: tuple[Tactic, Tactic, Tactic]
    merged: Tactic


@dataclass(frozen=True)
class Picked(Tactic):
    """`Picks` by their trees; `Lists` given that in each call the threshold comes before what is in one top only.

    Goals: ``picks``: every tree of ``picks`` levels whose nodes pick among any items, of which each rate moves by a
    factor between c and c e^-width, has sum_y P'(y)^alpha Q'(y)^(1 - alpha) <= e^((alpha - 1) alpha rho).  Of lists,
    with a ``width``: ``condition``: `Conditioned`; ``range``: `InRange` with this width; ``likely``: the event is
    missed with probability <= delta in all calls, with ``top`` items of their own at outside + s, s the most that a
    count falls.
    Used besides: P is at least its part on an event; what a call prints is a node's pick given all before, and
    entries that are not printed are picks of one item; divergences are continuous at order 1.
    """

    rule = RACE

    picks: Tactic
    width: Formula | None = None
    condition: Tactic | None = None
    range: Tactic | None = None
    likely: Tactic | None = None
