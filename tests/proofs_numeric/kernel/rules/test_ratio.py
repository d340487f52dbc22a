"""Attacks on the monotone likelihood ratio: profiles of counts and of shifted noise close, nothing near them."""

import itertools
from dataclasses import replace
from fractions import Fraction

from proofs_numeric.arithmetic.rational import Rational
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.profiles import AtCount, Counts, HalfLine
from proofs_numeric.statements.tactics import Sign, Symbolic
from tests.proofs_numeric.kernel.attacks import over, refusals, times
from tests.proofs_numeric.kernel.rules.profiles import (
    ABSENT,
    ANY_RATE,
    BOUND,
    COUNT,
    COUNTS,
    HIDDEN,
    LEVELS,
    LINE,
    ONE_COUNT,
    PAIRS,
    PROOF,
    RATES_OF_SAMPLING,
    REPLACED,
    REVERSE,
    ROWS,
    SLOW,
    at_threshold_moved,
    cut_moved,
    distances,
    fixed,
    forward_alone,
    halved,
    laplace,
    of,
    one_copy_more,
    over_level,
    pair_of,
    rate,
    said,
    scaled,
    threshold,
    upper,
    with_cut,
)

WRONG = {
    "a little less": said(scaled("999999999/1000000000")),
    "a little more": said(scaled("1000000001/1000000000")),
    "a little less, as an upper bound": upper(scaled("999999999/1000000000")),
    "at a higher threshold": said(at_threshold_moved(1)),
    "at a higher threshold, as an upper bound": upper(at_threshold_moved(1)),
    "at a count more": said(one_copy_more),
    "at a count more, as an upper bound": upper(one_copy_more),
    "half of it": upper(scaled("1/2")),
    "nothing": upper(lambda A, **_at: A.number(0)),
    "of a larger rate": said(pairs=Counts(lambda A, **at: (1 + rate(A, **at)) / 2, threshold)),
    "of a rate of 1": said(pairs=Counts(lambda A, **_at: A.number(1), threshold)),
    "of a rate above 1": upper(BOUND, pairs=Counts(lambda A, **at: 2 + rate(A, **at), threshold)),
    "shown one below": said(pairs=Counts(rate, lambda _A, *, tau, **_rest: tau - 1)),
    "shown from a half on": upper(BOUND, pairs=Counts(rate, lambda A, *, tau, **_rest: tau - A.number(Fraction(1, 2)))),
    "at levels below zero": over(COUNTS, "epsilon", lower=-1),
    "at shares above one": over(COUNTS, "alpha", upper=2),
    "of no threshold": over(COUNTS, "tau", lower=0),
    "of thresholds between integers": over(COUNTS, "tau", integer=False),
    "without a level": replace(COUNTS, domain=Box(COUNTS.domain.parameters[1:])),
    "under a constraint": replace(COUNTS, domain=replace(COUNTS.domain, constraint=lambda **_at: True)),
    "as a lower bound": said(role=Role.LOWER),
    "attained nowhere": said(proof=replace(PROOF, worst=())),
    "attained at no count": said(proof=replace(PROOF, worst=(AtCount(lambda _A, **_at: 0),))),
    "attained below the threshold": said(
        proof=replace(PROOF, worst=(replace(PROOF.worst[0], beyond=lambda _A, **_at: -1),))
    ),
    "attained between counts": said(proof=replace(PROOF, worst=(AtCount(lambda A, **_at: A.number(Fraction(3, 2))),))),
    "attained the other way round": said(proof=replace(PROOF, worst=(replace(PROOF.worst[0], fewer=True),))),
    "one count: a little less": times(ONE_COUNT, "0.999999999"),
    "one count: a little more": times(ONE_COUNT, "1.000000001"),
    "one count: of one copy": fixed(ONE_COUNT, k=1),
    "one count: of a threshold of 1": fixed(ONE_COUNT, tau=1),
    "one count: of one copy less": of(
        ONE_COUNT, pairs=replace(ONE_COUNT.kind.pairs, copies=lambda _A, *, k, **_: k - 1)
    ),
    "one count: of half a copy": of(
        ONE_COUNT, pairs=replace(ONE_COUNT.kind.pairs, copies=lambda A, *, k, **_: A.number(k) / 2)
    ),
    "one count: of any count": of(ONE_COUNT, pairs=replace(ONE_COUNT.kind.pairs, copies=None)),
    "one count: both ways round": of(ONE_COUNT, proof=replace(ONE_COUNT.kind.proof, fewer=Sign())),
    "counts: one way round": said(proof=replace(PROOF, fewer=None)),
    "counts: the reverse way round": said(pairs=replace(PAIRS, reverse=True)),
    "counts: by the goals of samples": said(proof=REPLACED.kind.proof),
    "reverse: either way round": of(REVERSE, pairs=replace(REVERSE.kind.pairs, reverse=False)),
    "reverse: by the other way round": of(REVERSE, proof=replace(REVERSE.kind.proof, more=Sign())),
    "reverse: a little less": times(REVERSE, "0.999999999"),
    "reverse: a little more": times(REVERSE, "1.000000001"),
    "reverse: nothing at any rate": of(REVERSE, lambda A, **_at: A.number(0)),
    "reverse: less than nothing": of(
        REVERSE, lambda A, *, epsilon, p: 1 - A.exp(A.number(epsilon)) * (1 - A.number(p)), role=Role.UPPER
    ),
    "reverse: at a rate lower by a little": of(
        REVERSE, lambda A, *, p, **at: REVERSE.kind.formula(A, **at, p=A.number(p) * Fraction(999, 1000))
    ),
    "reverse: shown from two on": of(REVERSE, pairs=replace(REVERSE.kind.pairs, threshold=lambda _A, **_at: 2)),
    "reverse: attained by two copies": of(
        REVERSE,
        proof=replace(REVERSE.kind.proof, worst=(replace(REVERSE.kind.proof.worst[0], copies=lambda _A, **_: 2),)),
    ),
    "reverse: attained by what more copies show": of(
        REVERSE, proof=replace(REVERSE.kind.proof, worst=(replace(REVERSE.kind.proof.worst[0], fewer=False),))
    ),
    "counts: by the goals of rows": said(proof=ROWS.kind.proof),
    **{
        f"{name}: {what}": attack
        for name, claim in (("line", LINE), ("hidden", HIDDEN), ("hidden, absent", ABSENT))
        for what, attack in {
            "a little less": times(claim, "0.999999999"),
            "a little more": times(claim, "1.000000001"),
            "a little less, as an upper bound": replace(times(claim, "0.999999999"), role=Role.UPPER),
            "as a lower bound": replace(claim, role=Role.LOWER),
            "at a level higher": of(
                claim, lambda A, kind=claim.kind, *, epsilon, **at: kind.formula(A, epsilon=A.number(epsilon) + 1, **at)
            ),
            "in the other order": pair_of(claim, first=claim.kind.pairs.second, second=claim.kind.pairs.first),
            "further apart": pair_of(claim, second=lambda A, **_at: -A.number(2)),
            "of half the noise": pair_of(claim, scale=halved(claim.kind.pairs.scale)),
            "of no noise": pair_of(claim, scale=lambda A, **_at: A.number(0)),
            "of equal laws": of(claim, proof=HalfLine()),
            "by the goals of rows": of(claim, proof=ROWS.kind.proof),
            "without a level": replace(
                of(claim, lambda A, kind=claim.kind, **at: kind.formula(A, **at)),
                domain=Box(claim.domain.parameters[1:]),
            ),
        }.items()
    },
    "line: cut too high": of(LINE, proof=with_cut(lambda A, *, epsilon, mu: A.number(epsilon) / mu + mu)),
    "line: cut at another level": of(LINE, proof=with_cut(lambda A, *, epsilon, mu: A.number(mu) / 2)),
    "line: the lower half": of(LINE, proof=replace(LINE.kind.proof, above=replace(LINE.kind.proof.above, above=False))),
    "line: no distance, which has no cut": of(LINE, proof=LINE.kind.proof.above),
    "line: no distance at another value": of(
        LINE, lambda A, *, epsilon, mu: A.exp(A.number(epsilon)), proof=LINE.kind.proof
    ),
    "line: no distance for all": of(LINE, proof=HalfLine()),
    "line: hidden below its cut": pair_of(LINE, edge=lambda A, *, epsilon, mu: A.number(epsilon) / mu + mu),
    "hidden: all shown": pair_of(HIDDEN, edge=None),
    "hidden: one more": pair_of(HIDDEN, edge=lambda A, *, margin, **_rest: 1 - A.number(margin)),
    "hidden: the lower half": of(HIDDEN, proof=replace(HIDDEN.kind.proof, above=False)),
    "hidden: the cut of the other order": of(HIDDEN, proof=replace(ABSENT.kind.proof, above=True)),
    "laplace: a little less": times(COUNT, "0.999"),
    "laplace: a little more": times(COUNT, "1.001"),
    "laplace: a little less, as an upper bound": replace(times(COUNT, "0.999"), role=Role.UPPER),
    "laplace: at half the exponent": laplace(
        lambda A, *, epsilon, delta_1, b: A.maximum(0, -A.expm1(epsilon - A.number(delta_1) / b))
    ),
    "laplace: of twice the scale": laplace(pairs={"scale": lambda A, *, b, **_rest: 2 * A.number(b)}),
    "laplace: further apart": laplace(pairs={"second": lambda A, *, delta_1, **_rest: A.number(delta_1) + 1}),
    "laplace: the other way round": laplace(pairs={"first": parameter_named("delta_1"), "second": zero}),
    "laplace: normal noise": laplace(pairs={"laplace": False}),
    "laplace: hidden below its cut": laplace(pairs={"edge": cut_moved(1)}),
    "laplace: a scale of any sign": laplace(pairs={"scale": lambda A, *, b, **_rest: A.number(b) - 1}),
    "laplace: of no noise": laplace(pairs={"scale": zero}),
    "laplace: cut too high": laplace(cut=cut_moved(1)),
    "laplace: cut too low": laplace(cut=cut_moved(-1)),
    "laplace: the upper half": laplace(above=True),
    "laplace: without a largest ratio": laplace(most=None),
    "laplace: a largest ratio of half": laplace(most=distances("1/2")),
    "laplace: a largest ratio of twice": laplace(most=distances(2)),
    "laplace: a largest ratio of nothing": laplace(most=zero),
    "laplace: nothing is not what is told": laplace(nothing=Symbolic()),
    "laplace: any place by its sign": laplace(ratio=Sign()),
    "laplace: at levels below minus the distance": over_level(-5000),
    "laplace: at any level": over_level("-infinity"),
    "line: Laplace noise": pair_of(LINE, laplace=True),
    "any rate: one way round alone": of(ANY_RATE, forward_alone),
    "any rate: one way round alone, as an upper bound": of(ANY_RATE, forward_alone, role=Role.UPPER),
    "any rate: a little less": times(ANY_RATE, "0.999999999"),
    "any rate: a little more": times(ANY_RATE, "1.000000001"),
    "any rate: at no level": fixed(ANY_RATE, epsilon=0),
    "any rate: attained one way round alone": of(
        ANY_RATE, proof=replace(ANY_RATE.kind.proof, worst=ANY_RATE.kind.proof.worst[1:])
    ),
    "any rate: of the largest rate's proof": of(ANY_RATE, proof=PROOF),
    "counts: by the goals of levels": said(proof=LEVELS.kind.proof),
    "by a tactic of comparisons": said(proof=Symbolic()),
    "by signs": said(proof=replace(PROOF, more=Sign(), fewer=Sign())),
}


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, SLOW)


def test_best_events_of_counts_are_those_of_the_docstring():
    """Over all events of small counts, in fractions: a count is at least t, or less, t from the threshold on."""
    A = Rational()
    for factor, p, tau, k in itertools.product(
        (Fraction(1), Fraction(3, 2), 5), RATES_OF_SAMPLING, (1, 2, 3), range(1, 6)
    ):
        more, fewer = (cells.cell_outcomes(A, copies, p, tau) for copies in (k, k - 1))
        size = max(map(len, (more, fewer)))
        first, second = ([*law, *[Fraction(0)] * (size - len(law))] for law in (more, fewer))
        for left, right, below in ((first, second, False), (second, first, True)):
            every = [
                sum((x - factor * y for x, y, part in zip(left, right, event, strict=True) if part), Fraction(0))
                for event in itertools.product((False, True), repeat=size)
            ]
            told = [
                sum((x - factor * y for x, y in zip(left[a:b], right[a:b], strict=True)), Fraction(0))
                for a, b in (((0, t) if below else (t, size)) for t in range(1, size + 1))
            ]
            assert max(every) == max(*told, Fraction(0))
