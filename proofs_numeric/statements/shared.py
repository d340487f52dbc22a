"""Counters that share a part of their noise: what neighbours show, and the tactics for their privacy profile."""

from __future__ import annotations

from dataclasses import dataclass

from proofs_numeric.arithmetic.formula import Formula, OfFormulas
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.constants import one, zero
from proofs_numeric.statements.cuts import Reduced
from proofs_numeric.statements.kinds import Recurrence
from proofs_numeric.statements.rules import SHARED_COUNTERS
from proofs_numeric.statements.tactics import Steps, Tactic


@dataclass(frozen=True)
class SharedCounters(OfFormulas):
    """What at most so many ``counters`` above zero show with a user and without, whose noise is Z + Z_i.

    With the user l counters are new, of 1 each, and j of d others are larger by one; l + d is at most ``counters``, and
    l + j at most ``most``, where that is said.  All is independent and normal, Z_i of scale ``scale``, Z of variance
    ``scale^2/ratio``.  Shown is each noisy count that is above 1 and a ``gap``; where none is said all counters are
    shown, whatever they count, and none is new.  Beside each comes what has a Gaussian noise of its own, at a squared
    distance of at most ``beside`` where the user is in it.  All of that happens so many times as there are
    ``releases``, with fresh noise, and the histograms stay what they are.
    """

    counters: str
    """The parameter that says how many, an integer from 1 on."""
    scale: Formula
    ratio: Formula
    gap: Formula | None = None
    most: str = ""
    """The parameter that says how many a user changes, an integer from 1 on."""
    beside: Formula = zero
    releases: Formula = one
    pair: tuple[str, str] | None = None
    """The parameters that say l, from 1 on, and j of one pair, with all counters; else any pairs are meant."""
    reverse: bool = False
    """Without the user first alone; else either way round is meant, or as ``direction`` says."""
    direction: str = ""
    """The parameter of the choices "forward", with the user first, and "reverse", without."""
    reduced: Reduced | None = None
    """What is done first with histograms of any counts of which any number fall by one, to that sparsity."""
    chosen: bool = False
    """The histograms of each release are chosen when those before were seen."""


@dataclass(frozen=True)
class Backward:
    """``H_(e^epsilon)(Q||P) <= H_(e^epsilon)(P||Q)``, epsilon >= 0, of what a pair shows with the user, P, and without.

    Attributes:
        box: the level ``epsilon`` and the parameters.
        reverse, forward: what is said to be the one and the other.

    """

    box: Box
    pairs: SharedCounters
    reverse: Formula
    forward: Formula


def _sum_of(name: str, more: Formula) -> Formula:
    return lambda A, **at: A.number(at[name]) + more(A, **at)


ASSOCIATED = Recurrence(
    state=Box(
        tuple(
            Parameter(name, meaning)
            for name, meaning in (
                ("mass", "sum of the weights"),
                ("lag", "sum of w times how far f is below its last value"),
                ("lead", "sum of w times how far g is above its last value"),
                ("joint", "sum of w times both"),
            )
        )
    ),
    inputs=Box(
        (
            Parameter("weight", "w of the next place"),
            Parameter("rise", "of f up to there"),
            Parameter("fall", "of g up to there"),
        )
    ),
    start=dict.fromkeys(("mass", "lag", "lead", "joint"), zero),
    step={
        "mass": _sum_of("mass", lambda A, *, weight, **_rest: A.number(weight)),
        "lag": _sum_of("lag", lambda A, *, mass, rise, **_rest: A.number(rise) * mass),
        "lead": _sum_of("lead", lambda A, *, mass, fall, **_rest: A.number(fall) * mass),
        "joint": _sum_of(
            "joint",
            lambda A, *, lag, lead, mass, rise, fall, **_rest: (
                A.number(rise) * lead + A.number(fall) * lag + A.number(rise) * fall * mass
            ),
        ),
    },
    left=lambda A, *, lag, lead, **_rest: A.number(lag) * lead,
    right=lambda A, *, mass, joint, **_rest: A.number(mass) * joint,
    proof=Steps(),
)
"""Chebyshev's association inequality, by covariances: f rises and g falls, measured from their last values."""


@dataclass(frozen=True)
class CounterProfile(Tactic):
    """`Profile` of `SharedCounters`: a release names the user, or tells what the other counters do.

    With gamma = ratio, k = counters, r = releases, f the Gaussian profile and, at d = k - l shared counters,
    mu_(l,j)^2 = r (j (d - j + gamma)/((d + gamma) scale^2) + j beside).

    Of counters that are all shown no loss is said, l = 0, and goals are ``bound``: f(mu_(0,j), epsilon) <= bound of any
    integer j from 1 to most; of an equality, ``attained``: bound <= f(mu_(0,j), epsilon) at ``worst``, an integer; by
    SymPy that mu^2 is the change times what the covariance makes it of.
    Behind a gap, at most, with A = 1 - e^-loss: ``below``: none of l noises is above the gap with probability e^-loss
    at least; ``bound``: 1 - (1 - A)^r (1 - f(mu_(l,j), epsilon)) <= bound.  Of one pair with its l and j; else with
    l = most in A and with l = 0 in mu, of any integer j from 1 to most; by SymPy: the loss of what shared counters tell
    rises with their mean; by steps: of functions of which one rises and one falls the mean of the product is at most
    that of the means; by its sign: (g p - q)_+ <= g (p - q)_+ of a share g; ``reduced``, where histograms are reduced
    first: neighbours are k-sparse and monotonic then.
    By their signs: worst from 1 to most and k, 0 < scale, 0 < gamma, 0 <= beside and 1 <= r.

    Used besides: two Gaussian vectors of one covariance tell, either way round, what two normals do whose distance is
    that of their means in its inverse; squares of independent ones add; f grows with mu, from (1 - e^epsilon)_+ at 0,
    where nothing is changed, so less is no worse.
    A count below that passes is a function of its noise, new counts are 1, and fewer counters show less.
    No new counter is shown with a probability g given the others, whose mean M tells of Z what they do: it falls in M,
    and its mean is 1 - A.  With the user first, some new counter is shown, or (g p - e^epsilon q)_+ is summed: at most
    g h, h(M) = E[(1 - e^(epsilon - loss))_+] given M under the user's law, which rises.  So at any real epsilon the
    hockey stick is at most that of two laws that name the user with probability A, or the other with as much, and else
    are two normals mu_(l,j) apart; which are each other's reverse, as those of the pair are at -epsilon.  Such laws
    compose: (1 - A)^r, and r times the square, also where each is chosen when those before were seen.  A grows with l,
    mu with d.
    """

    rule = SHARED_COUNTERS

    bound: Tactic
    loss: Formula | None = None
    below: Tactic | None = None
    reduced: Tactic | None = None
    worst: Formula | None = None
    attained: Tactic | None = None


@dataclass(frozen=True)
class Falling(Tactic):
    """`Backward`, as the difference of the two is 0 at epsilon = 0 and never grows.

    Goals: ``hazard``: Phi((-epsilon - G)/mu - mu/2) <= e^-G Phi((G - epsilon)/mu - mu/2) of any epsilon, G >= 0 and
    mu > 0; by SymPy: the two sides are the pair's, `pair_stick`; the loss L of what shared counters tell is linear in
    independent normals, N(mu^2/2, mu^2) under P and N(-mu^2/2, mu^2) under Q, and their mean grows with L where what is
    independent of it is held; by their signs: 0 <= epsilon, one release, 0 < scale and 0 < gamma.
    Used besides: given the mean no new counter is shown with a probability e^-G, and G >= 0 rises with the mean, and so
    with L, continuously.  At 0 both are the total variation.  A hockey stick of P and Q falls at the rate
    e^epsilon Q[log P/Q > epsilon]: so Q[L - G > epsilon] <= P[nothing new, L - G < -epsilon] is to be shown.  Let G_0
    be the least G where L - G > epsilon: there L > epsilon + G_0; nowhere: the left side is 0.  Up to the first L where
    L - G reaches -epsilon, G is at most G_1 there, L is at least G_1 - epsilon, and G_1 <= G_0.  So the left side is at
    most ``hazard``'s at G_1, and the right at least its.
    """

    rule = SHARED_COUNTERS

    hazard: Tactic


@dataclass(frozen=True)
class Integrated(Tactic):
    """`Profile` `=` of `SharedCounters` behind a gap: the `pair_stick` of a pair, or the largest of any pair.

    Of one pair either direction is meant, as a parameter says; of any pair it is that with the user first.
    Goals, with the letters of `pair_stick`: by SymPy: the change along the j of d, less its mean, is free of what is
    shared, and its squared distance is mu_1^2; given the mean, Z has its mean and variance there; the densities' loss;
    mu_1^2 + mu_2^2 = mu_(l,j)^2; by their signs: 0 < scale, 0 < ratio, nothing beside, and one release.
    Of one pair, by SymPy, in each direction: bound = the stick of own, gap, ratio, l, j and d = counters - l.
    Of any pair: ``reverse``: `Backward` of every pair; by SymPy the bound is the largest of all pairs of counters
    (`largest_of_pairs`), each term that pair's stick; that a search finds it is seen at points alone, in balls, of few
    counters: what else it rests on, `Resting` says.  ``reduced``, where histograms are reduced first, as in
    `CounterProfile`, and by its sign: counters < rank.
    Used besides: what normals of one covariance tell is what they do along the change and in their mean, whatever else
    is independent of the user and of Z; new counters are shown or not given Z alone, and none is there without the
    user.  Far above the threshold shared counters are all shown but with a probability that vanishes; of a smaller
    count what is shown is a function of its noisy count, and new counts are 1.  Fewer shared counters show less.  No
    more counters than are above the cut of a reduction are their own.
    """

    rule = SHARED_COUNTERS

    reverse: Tactic | None = None
    reduced: Tactic | None = None


@dataclass(frozen=True)
class Between(Tactic):
    """`pair_stick` with the user first, of j changes, by those of ``first`` and ``last``: ``left`` is one (SymPy).

    Goals, with the letters of `pair_stick`, and the chord of mu_1 at j from that at first to that at last: ``bound``:
    the larger stick of both and ``e^epsilon (phi(1)/4 |step|^2 + Phi(away/2) - Phi(-away/2))`` <= right, step from the
    one's (mu_1, mu_2) to the other's; ``near``: chord <= mu_1, and mu_1 <= chord + away; ``move``: of masses
    (p - c q)_+ <= (p - c moved)_+ + c (moved - q)_+, c = factor > 0; by SymPy: first and last are
    integers, and mu_2 at j is on its chord; by their signs: 0 <= first <= j <= last <= d, first < last, 0 < d.
    Used besides: centred under the user's law P, what is shown has one law for every j, and with nothing new the other
    is normal, of covariance 1, about (mu_1, mu_2) turned to one side.  Its probability of any set has a second
    derivative along the chord of at least ``|step|^2`` times E (z^2 - 1)_- = -2 phi(1), and of at most as much above 0;
    so a supremum of ``P(S) - e^epsilon Q(S)`` is convex there with ``e^epsilon phi(1) |step|^2 t^2`` added, t the
    place, and no more than ``t (1 - t)`` of it above its ends.  From the chord to the pair Q moves by a total variation
    of ``2 Phi(x/2) - 1``, x = mu_1 - chord, at most.
    """

    rule = SHARED_COUNTERS

    first: Formula
    last: Formula
    away: Formula
    near: tuple[Tactic, Tactic]
    move: Tactic
    bound: Tactic


@dataclass(frozen=True)
class Hidden(Tactic):
    """`Profile` of one pair of `SharedCounters`, at most, without the user first: all that is new may be hidden.

    Goals, with the letters of `CounterProfile`, s = P[Z <= share] and p = P[Z_1 <= gap - share]: ``bound``:
    f(mu_(l,j), epsilon + l log p) + e^epsilon p^l (1 - s) <= bound; by SymPy: log p = ``log_hidden``; by their signs
    as there, and one release.
    Used besides: whatever the others show, given Z <= share each new counter is hidden with probability p at least, so
    with P the user's law and P_d that of the others P[S, nothing new] >= p^l (P_d[S] - (1 - s)); and without the user
    Q[S] <= e^x P_d[S] + f(mu_(l,j), x) at any real x, here epsilon + l log p.
    """

    rule = SHARED_COUNTERS

    share: Formula
    log_hidden: Formula
    bound: Tactic
