"""Attacks on what the kernel says of counters that share noise: their bounds close, and nothing below them does."""

from dataclasses import replace

import numpy as np
import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Ball, Float64
from proofs_numeric.arithmetic.largest import largest_of_pairs
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.expression import profile, sqrt, symbols
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import goal_of, prove
from proofs_numeric.kernel.shared import counter_profile
from proofs_numeric.lebeda2025.exact.pair import pair_delta
from proofs_numeric.lebeda2025.laws import grows
from proofs_numeric.lebeda2025.section_3.certificate import forward_ceiling
from proofs_numeric.statements.box import Box, Parameter
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.noise import OfSharedNoise
from proofs_numeric.statements.shared import CounterProfile, Falling, Integrated
from proofs_numeric.statements.tactics import ByClaim, Resting, Sign, Symbolic
from tests.proofs_numeric.kernel.attacks import over, refusals, times

KNOWN = dict(registry().claims)
NAMES = (
    "lem8",
    "lem8.exact",
    "thm11",
    "thm11.power",
    "thm12.forward",
    "sec3.cert",
    "sec3.cert.sharp",
    "sec6.agg.delta",
    "composition.pair",
    "composition.adaptive",
    "cor14",
)
CLAIMS = {name: KNOWN[f"lebeda2025.{name}"] for name in NAMES}
OF_PAIRS = ("csh.exact.pair", "csh.exact.chord", "csh.exact", "cor14.exact")
LONG = {"sec6.agg.delta", "thm12.forward", "thm12.reverse"}
"""Whose proofs take ten seconds and more."""
HALF, EXACT, ADDED, CERTIFICATE, SUMS, AGAIN = (
    CLAIMS[name]
    for name in ("lem8", "lem8.exact", "thm11", "sec3.cert.sharp", "sec6.agg.delta", "composition.adaptive")
)


def of(claim, formula=None, *, proof=None, **pairs):
    """The claim with another bound or proof, or of other pairs."""
    kind = claim.kind
    changed = replace(kind, formula=formula or kind.formula, proof=proof or kind.proof)
    return replace(claim, kind=replace(changed, pairs=replace(kind.pairs, **pairs)))


def at(claim, **values):
    """The bound at other values: one that forgets its parameters."""
    return of(claim, lambda A, **given: claim.kind.formula(A, **{**given, **values}))


def without_gap(claim):
    """The bound as one that a threshold does not move."""
    return lambda A, *, gap, **given: claim.kind.formula(A, **given) + 0 * A.number(gap)


def of_its_own(claim):
    """The bound of the claim's parameters, whatever others there are."""
    return lambda A, **at: claim.kind.formula(A, **{name: at[name] for name in claim.domain.names})


def moved(claim, name, by):
    """The bound of a parameter that is larger."""
    return of(claim, lambda A, **given: claim.kind.formula(A, **{**given, name: A.number(given[name]) + by}))


def halved(claim, name):
    """The claim of half of what a formula of its pairs says."""
    formula = getattr(claim.kind.pairs, name)
    return of(claim, **{name: lambda A, **at: A.number(formula(A, **at)) / 2})


TOP = CLAIMS["cor14"]
REDUCED = TOP.kind.pairs.reduced
TIGHTER, HIDDEN = (KNOWN[f"lebeda2025.thm12.{way}"] for way in ("forward", "reverse"))
BACKWARD = KNOWN["lebeda2025.sec3.reverse"]
FORWARD, REVERSE = BACKWARD.kind.right, BACKWARD.kind.left


def ways(**changed):
    """The claim of both ways round about another pair."""
    return replace(BACKWARD, kind=replace(BACKWARD.kind, pair=replace(BACKWARD.kind.pair, **changed)))


def sides(**changed):
    """The claim of both ways round with another side."""
    return replace(BACKWARD, kind=replace(BACKWARD.kind, **changed))


def nearly(formula):
    """A hundredth less of it."""
    return lambda A, **at: formula(A, **at) * A.number("0.99")


def with_hidden(**changed):
    """Step 3 of Theorem 12 by another split of the threshold, in both of its parts."""
    parts = {name: replace(getattr(HIDDEN.kind.proof, name), **changed) for name in ("below", "above")}
    return of(HIDDEN, proof=replace(HIDDEN.kind.proof, **parts))


def of_more_than_there_are():
    """As many changes as a user may make, of fewer counters: with one counter and m = 2 they are no two."""
    epsilon, sigma, k, m, changed = symbols("epsilon sigma k m changed")
    squared = changed * (k - changed + 2 * m) / (k + 2 * m) / sigma**2
    worst = squared(changed=m)
    proof = CounterProfile(grows(squared, worst, Sign()), worst=m, attained=Symbolic())
    of_most = replace(EXACT, domain=Box((*EXACT.domain.parameters, Parameter("m", "", lower=1, integer=True))))
    return of(of_most, profile(epsilon, sqrt(worst)), proof=proof, most="m", ratio=2 * m)


ONE, CHORD, ALL, TOP_EXACT = (KNOWN[f"lebeda2025.{name}"] for name in OF_PAIRS)


def in_the_other_direction(A, *, direction, **at):
    """The profile of the one for that of the other."""
    return pair_delta(A, **at, direction="reverse" if direction == "forward" else "forward")


def moved_counts(**by):
    """The pair's number of other counters."""
    return of(ONE, lambda A, **at: pair_delta(A, **{name: n + by.get(name, 0) for name, n in at.items()}))


def largest(term, number=lambda k: k, search=None):
    """The claim of all pairs that its bound is the largest of these terms; by what finds it."""

    def bound(A, *, k, **at):
        def of_pair(l, j):
            return term(A, k=k, **at, l=l, j=j, direction="forward")

        return largest_of_pairs(A, of_pair, number(k), search and (lambda B: search(B, k=k, **at)))

    return of(ALL, bound, proof=ALL.kind.proof.proof)


def unmixed(A, *, k, **at):
    """The larger of the two ends alone: no corner between."""
    at = {name: A.number(value) for name, value in at.items()}
    ends = (pair_delta(A, k=k, **at, l=l, j=(k - l + 1) // 2, direction="forward") for l in (0, k))
    return A.maximum(*ends)


def chord(*, domain=None, kind=None, **changed):
    """The claim of a chord with another proof, other sides, or over other numbers."""
    kind = kind or replace(CHORD.kind, proof=replace(CHORD.kind.proof, **changed))
    return replace(CHORD, kind=kind, domain=domain or CHORD.domain)


def right(part):
    """The claim of a chord with that part of its right side."""
    return chord(kind=replace(CHORD.kind, right=part))


def first_end(A, *, l, first, before, after, beyond, **at):
    """The pair at one end alone, with all that may be above it."""
    k = l + first + before + after + beyond
    more = CHORD.kind.right(A, l=l, first=first, before=before, after=after, beyond=beyond, **at)
    return A.minimum(more, 2 * pair_delta(A, **at, k=k, l=l, j=first, direction="forward"))


def reverse_between(A, *, l, first, before, after, beyond, **at):
    """The pair between with the user second."""
    k = l + first + before + after + beyond
    return pair_delta(A, **at, k=k, l=l, j=first + before, direction="reverse")


TRUE_OF_ALL = largest(pair_delta)
PAIRS = {
    "pair: in the other direction": of(ONE, in_the_other_direction),
    "pair: the forward one": of(ONE, lambda A, *, direction, **at: pair_delta(A, **at, direction="forward")),
    "pair: a little more": times(ONE, "1.000000001"),
    "pair: a little less": times(ONE, "0.999999999"),
    "pair: of more noise": moved(ONE, "sigma", 1),
    "pair: at a higher level": moved(ONE, "epsilon", 1),
    "pair: of one counter more": moved_counts(k=1),
    "pair: of one new counter fewer": moved_counts(k=-1, l=-1),
    "pair: of one change more": moved_counts(j=1),
    "pair: of one shared counter more": of(ONE, lambda A, *, k, l, **at: pair_delta(A, **at, k=k, l=l, d=k - l + 1)),
    "pair: of more shared noise": halved(ONE, "ratio"),
    "pair: of less noise": halved(ONE, "scale"),
    "pair: of a lower threshold": halved(ONE, "gap"),
    "pair: of noise below zero": of(ONE, scale=lambda A, *, sigma, **_rest: -A.number(sigma)),
    "pair: of no threshold": of(ONE, gap=None),
    "pair: with sums beside": of(ONE, beside=lambda A, **_rest: A.number(1)),
    "pair: twice": of(ONE, releases=lambda _A, **_rest: 2),
    "pair: that is chosen": of(ONE, chosen=True),
    "pair: of fewer changes": of(ONE, most="k"),
    "pair: without the user first": of(ONE, reverse=True),
    "pair: without a direction": of(ONE, direction=""),
    "pair: another's": of(ONE, pair=("j", "l")),
    "pair: of any pair": of(ONE, pair=None),
    "pair: of new counters below zero": over(ONE, "l", lower=-1),
    "pair: of real changes": over(ONE, "j", integer=False),
    "pair: an upper bound": replace(times(ONE, 2), role=Role.UPPER),
    "all: without their search": times(ALL, "1.000000001"),
    "all: a little more": times(TRUE_OF_ALL, "1.000000001"),
    "all: of one counter fewer": largest(pair_delta, lambda k: k - 1),
    "all: of one counter more": largest(pair_delta, lambda k: k + 1),
    "all: of the same change": largest(lambda A, *, l, j, **at: pair_delta(A, **at, l=l, j=j // 2 * 2)),
    "all: reverse": largest(lambda A, *, direction, **at: pair_delta(A, **at, direction="reverse")),
    "all: at a higher level": moved(TRUE_OF_ALL, "epsilon", 1),
    "all: of more noise": moved(TRUE_OF_ALL, "sigma", 1),
    "all: of a search that forgets the mixed pairs": largest(pair_delta, search=unmixed),
    "all: of a search that is a little low": largest(
        pair_delta, search=lambda A, **at: ALL.kind.formula(A, **at) * A.number("0.999999")
    ),
    "all: of one pair": of(ALL, pair=("l", "j")),
    "all: of levels below zero": over(ALL, "epsilon", lower=-1),
    "all: of no threshold": of(ALL, gap=None),
    "all: twice": of(ALL, releases=lambda _A, **_rest: 2),
    "all: that are chosen": of(ALL, chosen=True),
    "all: of most changes": of(ALL, most="k"),
    "all: of more shared noise": halved(ALL, "ratio"),
    "all: without the user first": of(ALL, reverse=True),
    "all: reduced of one counter more": of(
        TOP_EXACT, reduced=replace(REDUCED, rank=lambda _A, *, k: k), proof=TOP_EXACT.kind.proof
    ),
    "all: reduced by no lemma": of(ALL, reduced=TOP.kind.pairs.reduced),
    "all: by no hazard": of(ALL, proof=Integrated(Falling(Symbolic()))),
    "all: of no counters": over(ALL, "k", lower=0),
    "all: without the user first, as a parameter says": replace(
        of(ALL, of_its_own(ALL), direction="direction"), domain=Box((*ALL.domain.parameters, ONE.domain["direction"]))
    ),
    "one: by what any pair needs": of(ONE, proof=ALL.kind.proof.proof),
    "chord: at one end": right(first_end),
    "chord: nothing": right(lambda A, **_at: A.number(0)),
    "chord: a little less": right(lambda A, **at: CHORD.kind.right(A, **at) * A.number("0.999999999")),
    "chord: of the reverse": chord(kind=replace(CHORD.kind, left=reverse_between)),
    "chord: of another pair": chord(
        kind=replace(CHORD.kind, left=lambda A, *, before, **at: CHORD.kind.left(A, **at, before=before + at["after"]))
    ),
    "chord: as near as can be": chord(away=zero),
    "chord: of places beyond": chord(last=lambda _A, *, first, before, **_rest: first + before - 1),
    "chord: of real places": chord(first=lambda A, *, first, **_rest: A.number(first) / 2),
    "chord: by nothing": chord(near=(Sign(), Sign())),
    "chord: by no move": chord(move=Symbolic()),
    "chord: before the first": over(CHORD, "first", lower=-2),
}


WRONG = {
    **PAIRS,
    **{f"{name}: a little less": times(CLAIMS[name], "0.999999999") for name in NAMES if name not in LONG},
    **{f"{claim.id}: at a higher level": moved(claim, "epsilon", 1) for claim in (EXACT, ADDED, CERTIFICATE)},
    **{f"{claim.id}: of more noise": moved(claim, "sigma", 1) for claim in (EXACT, ADDED, CERTIFICATE)},
    **{f"{claim.id}: of half the noise": halved(claim, "scale") for claim in (EXACT, ADDED, CERTIFICATE)},
    **{f"{claim.id}: at a higher threshold": moved(claim, "gap", 1) for claim in (ADDED, CERTIFICATE, TIGHTER)},
    "added: as a lower bound": replace(ADDED, role=Role.LOWER),
    "exact: a little more": times(EXACT, "1.000000001"),
    "exact: Lemma 8": replace(HALF, role=Role.EXACT),
    "exact: of one counter": of(EXACT, proof=replace(EXACT.kind.proof, worst=lambda _A, **_rest: 1)),
    "exact: of one counter more": of(EXACT, proof=replace(EXACT.kind.proof, worst=lambda _A, *, k, **_rest: k + 1)),
    "exact: of half a counter": of(
        EXACT, proof=replace(EXACT.kind.proof, worst=lambda A, *, k, **_rest: A.number(k) / 2)
    ),
    "exact: attained nowhere": of(EXACT, proof=replace(EXACT.kind.proof, worst=None)),
    "exact: of other shared noise": of(EXACT, ratio=lambda A, *, k, **_rest: A.number(k)),
    "exact: of noise below zero": of(EXACT, scale=lambda A, *, sigma, **_rest: -A.number(sigma)),
    "exact: of no shared noise": of(EXACT, ratio=lambda A, **_rest: A.number(0)),
    "exact: of counters between integers": over(EXACT, "k", integer=False),
    "exact: of no counters": over(EXACT, "k", lower=0),
    "exact: of no level": replace(at(EXACT), domain=Box(EXACT.domain.parameters[1:])),
    "exact: of more changes than counters": of_more_than_there_are(),
    "exact: with a loss": of(EXACT, proof=replace(EXACT.kind.proof, loss=zero)),
    "added: with no loss": of(ADDED, proof=replace(ADDED.kind.proof, loss=None)),
    "exact: behind a threshold": of(EXACT, gap=lambda A, **_rest: A.number(1)),
    "exact: with sums beside": of(EXACT, beside=lambda A, **_rest: A.number(1)),
    "exact: of two releases": of(EXACT, releases=lambda _A, **_rest: 2),
    "exact: of data that are chosen": of(EXACT, chosen=True),
    "added: Lemma 8 alone": of(ADDED, without_gap(HALF)),
    "added: of counters that are all shown": of(ADDED, gap=None),
    "added: with exact probabilities": of(ADDED, proof=replace(ADDED.kind.proof, below=OfSharedNoise(Symbolic()))),
    "added: of nothing lost": of(ADDED, proof=replace(ADDED.kind.proof, loss=lambda A, **_rest: A.number(0))),
    "added: as the profile": replace(ADDED, role=Role.EXACT),
    "certificate: of a new counter fewer": moved(CERTIFICATE, "l", -1),
    "certificate: of no new counter": over(CERTIFICATE, "l", lower=0),
    "certificate: of changes below zero": over(CERTIFICATE, "j", lower=-1),
    "certificate: of real changes": over(CERTIFICATE, "j", integer=False),
    "certificate: of a pair without names": of(CERTIFICATE, pair=("l", "i")),
    "certificate: of any pair": of(CERTIFICATE, pair=None),
    "certificate: of pairs that are chosen": of(CERTIFICATE, chosen=True),
    "certificate: at j = 0 as above": of(CERTIFICATE, proof=CERTIFICATE.kind.proof.above),
    "sums: forgotten": at(SUMS, mu_o=0),
    "sums: at squares below zero": of(SUMS, beside=lambda A, **_rest: A.number(-1)),
    "again: once": at(AGAIN, releases=1),
    "again: of half a release": of(AGAIN, releases=lambda A, *, releases, **_rest: A.number(releases) / 2),
    "again: of no release": over(AGAIN, "releases", lower=0),
    "backward: the other order": replace(BACKWARD, kind=replace(BACKWARD.kind, left=FORWARD, right=REVERSE)),
    "backward: of levels below zero": over(BACKWARD, "epsilon", lower=-1),
    "backward: of any pair": ways(pair=None),
    "backward: 1 <= 0": sides(left=lambda A, **_at: A.number(1), right=lambda A, **_at: A.number(0)),
    "backward: swapped": sides(left=BACKWARD.kind.right, right=BACKWARD.kind.left),
    "backward: a hundredth less": sides(right=nearly(BACKWARD.kind.right)),
    "backward: a hundredth less of the reverse": sides(left=nearly(BACKWARD.kind.left)),
    "backward: of half the threshold": ways(gap=lambda A, *, gap, **_rest: A.number(gap) / 2),
    "backward: of noise below zero": ways(scale=lambda A, *, sigma, **_rest: -A.number(sigma)),
    "backward: of two releases": ways(releases=lambda _A, **_rest: 2),
    "backward: by no hazard": replace(BACKWARD, kind=replace(BACKWARD.kind, proof=Falling(Symbolic()))),
    "hidden: either way round": of(HIDDEN, reverse=False),
    "hidden: twice": of(HIDDEN, releases=lambda _A, **_rest: 2),
    "hidden: with certainty": with_hidden(log_hidden=lambda A, **_rest: A.number(0)),
    "hidden: by all of the threshold": with_hidden(share=lambda A, *, gap, **_rest: A.number(gap)),
    "hidden: of no new counter less": over(HIDDEN, "l", lower=-1),
    "reduced: by no lemma": of(TOP, proof=ADDED.kind.proof),
    "reduced: with sums beside": of(
        SUMS, reduced=REDUCED, proof=replace(SUMS.kind.proof, reduced=TOP.kind.proof.reduced)
    ),
    "reduced: at most so many changes": of(TOP, most="k"),
    "hidden: reduced": of(HIDDEN, reduced=replace(REDUCED, most=lambda A, **_at: A.number(0))),
    "reduced: nothing": of(TOP, reduced=None),
    "reduced: to one counter fewer": of(TOP, reduced=replace(REDUCED, most=lambda _A, *, k: k - 1)),
    "reduced: by a larger rank": of(TOP, reduced=replace(REDUCED, rank=lambda _A, *, k: k + 2)),
    "reduced: to other numbers": over(TOP, "k", upper=10**7),
    "by a tactic of comparisons": of(ADDED, proof=Symbolic()),
    "shown: by what names": of(EXACT, proof=ADDED.kind.proof),
    "named: by what is shown": of(ADDED, proof=EXACT.kind.proof),
}


SLOW = (
    "added: Lemma 8",
    "again: once",
    "all: by no hazard",
    "all: of a search",
    "all: of levels below zero",
    "certificate: ",
    "chord: a little less",
    "chord: as near as can be",
    "chord: at one end",
    "chord: before the first",
    "chord: by no move",
    "chord: by nothing",
    "chord: nothing",
    "chord: of another pair",
    "composition.",
    "cor14",
    "exact: ",
    "lebeda2025.",
    "lem8",
    "pair: in the other direction",
    "sec3.",
    "sums: forgotten",
    "thm11",
)


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, SLOW)


@pytest.mark.parametrize(
    "claim",
    [
        over(KNOWN["lebeda2025.sec3.cert.ceiling"], "epsilon", upper=5),
        of(KNOWN["lebeda2025.sec3.cert.ceiling"], proof=Symbolic()),
        pytest.param(chord(near=(Sign(), Sign())), marks=pytest.mark.slow),
        pytest.param(over(CHORD, "sigma", upper=100), marks=pytest.mark.slow),
    ],
)
def test_the_largest_pair_is_proved_only_where_what_its_search_rests_on_is(claim):
    """Of a claim that is refused, or proved over less, no more is made."""
    with pytest.raises(TacticError):
        prove(ALL, {**KNOWN, claim.id: claim})


OUT_OF_COUNTS = {
    "real changes": (over(ONE, "j", integer=False), "an integer from 0 on"),
    "new counters below zero": (over(ONE, "l", lower=-1), "an integer from 0 on"),
    "as many counters as a real number": (over(ONE, "k", integer=False), "an integer from 1 on"),
    "no counters": (over(TRUE_OF_ALL, "k", lower=0), "an integer from 1 on"),
    "a lower bound": (replace(ONE, role=Role.LOWER), "= or <= of a profile"),
}


@pytest.mark.parametrize("attack", OUT_OF_COUNTS)
def test_what_is_not_said_of_counters_is_refused_for_that(attack):
    """Before any goal is left: the message names the range, or the relation."""
    claim, condition = OUT_OF_COUNTS[attack]
    with pytest.raises(TacticError, match=condition):
        prove(claim, KNOWN)


@pytest.mark.slow
def test_the_largest_of_all_terms_needs_no_search():
    """Nor what a search rests on."""
    assert not prove(TRUE_OF_ALL, {name: one for name, one in KNOWN.items() if "csh" not in name}).scope


@pytest.mark.slow
def test_a_search_rests_on_claims_that_there_are():
    """One that nobody made is none."""
    with pytest.raises(TacticError, match="expected a claim"):
        prove(of(ALL, proof=Resting(ALL.kind.proof.proof, (ByClaim("lebeda2025.csh.exact.none"),))), KNOWN)


@pytest.mark.slow
def test_a_search_rests_on_claims_over_all_that_it_tries():
    """It is refused over few pairs, over pairs without a new counter, and where all l and j are tried."""
    resting = ALL.kind.proof
    few = replace(resting.over, parameters=tuple(replace(one, upper=9) for one in resting.over.parameters))
    none = replace(resting.over, parameters=(replace(resting.over["l"], lower=0), *resting.over.parameters[1:]))
    without = replace(resting.over, constraint=None)
    for tried in (few, none, without, Box()):
        with pytest.raises(TacticError, match=r"^(Resting|ByClaim|Sign)"):
            prove(of(ALL, proof=replace(resting, over=tried)), KNOWN)


def test_the_square_of_the_tactics_is_that_of_the_covariance():
    """Mahalanobis by a solved linear system, of every change of up to six counters."""
    goals = counter_profile(goal_of(EXACT), EXACT.kind.proof)
    told = next(goal.left for goal, _proof in goals if "changed" in goal.box.names and "epsilon" in goal.box.names)
    for k in range(1, 7):
        covariance = 1.7**2 * (np.eye(k) + np.ones((k, k)) / np.sqrt(k))
        for j in range(1, k + 1):
            change = np.array([1.0] * j + [0.0] * (k - j))
            mu = np.sqrt(change @ np.linalg.solve(covariance, change))
            A = Float64()
            here = told(A, epsilon=A.number(1), k=k, sigma=A.number(1.7), changed=j)
            assert np.isclose(here, gaussian_profile(A, A.number(1), mu))


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["forward", "reverse"])
def test_no_pair_is_above_what_the_tactic_says_at_any_level(direction):
    """Pairs enclosed by quadrature of their laws, levels of both signs: at most the ceiling, either way round."""
    with Ball(96) as A:
        for epsilon in ("-2", "-1/3", "0", "1/2", "3"):
            for k, l, j in ((2, 1, 1), (3, 1, 1), (3, 1, 2), (3, 2, 1), (4, 2, 0), (4, 1, 3)):
                here = {
                    "epsilon": A.number(epsilon),
                    "k": k,
                    "sigma": A.number("3/2"),
                    "gap": A.number(2),
                    "l": l,
                    "j": j,
                }
                assert not pair_delta(A, **here, direction=direction, bits=30) > forward_ceiling(A, **here)
