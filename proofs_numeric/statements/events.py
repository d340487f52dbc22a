"""The tactic on approximate concentrated privacy given an event."""

from dataclasses import dataclass, field

from proofs_numeric.arithmetic.formula import Formula
from proofs_numeric.statements.rules import EVENT
from proofs_numeric.statements.tactics import Sign, Tactic


@dataclass(frozen=True)
class GivenEvent(Tactic):
    """`Tops`, `Streams` or `ConcentratedRows`: given an event on either side, of vectors a squared distance s apart.

    Goals, with the event's misses M and the largest s = S: ``likely``: P[M] <= delta; ``truncated``: `Truncated` with
    this ``bound``; ``moved``: bound <= alpha rho at any s from 0 to S; ``printed``: 1 + alpha (e^x - 1) <= e^(alpha x).
    By their signs: noise is positive, and what is said of each below.
    Used besides: P is at least its part on an event.  Given the event, half-spaces for the same coordinates on both
    sides, one function of all coordinates is printed.  Of what is printed the ratio of densities r is a mean of ratios
    t: t^alpha >= r^alpha (1 + alpha (t/r - 1)), by ``printed``.  Divergences are continuous at order 1.

    - `Tops`: the threshold is above all that is in one top only.  ``counts``: `Relabelled`, whose ``squared`` over the
      noise's is S.  P[M] is at most items times the probability that b + fall and one noise come above b and what is
      added to it and another; two noises differ by N(0, 2 noise^2).
    - `Streams`: no item is printed in a round before which it has come in h but not in h'.  ``counts``:
      digits <= 2^(digits - 1), which is at most the number of rounds.  P[M] is at most items times rounds times the
      probability that 1 and so many noises, from 1 to digits, come above the threshold; S is items times digits over
      the noise's square.  For cells of as many rounds have none in common, so an event moves at most digits cells of
      an item, each by one, and a sum has a noise for each digit 1 of its round.  In h' such an item, which it has not
      seen, gets cells all the same, with 0 in place of 1 in those of the event: of the rounds in question h counts it
      once, h' never, and the sums stay below the threshold the more likely.
    - `ConcentratedRows`: no row names the user.  P[M] = 1 - e^(-C loss), C = rows; S = C square.  Rows are independent,
      so divergences add up.  Of Laplace counts, without ``bound``: C log(m)/(alpha - 1) in its place, at a distance s
      from 0 to shift, m the mean of the ratio's power in three parts: the densities e^-|x|/2 and e^-|x - s|/2 have the
      ratio e^s below 0, e^-s above s, and between e^(s - 2x).
    """

    rule = EVENT

    likely: Tactic
    moved: Tactic
    printed: Tactic
    bound: Formula | None = None
    truncated: Tactic | None = None
    counts: Tactic | None = None
    positive: Tactic = field(default_factory=Sign)
