"""Attacks on what the kernel says of privacy profiles: closed forms of counts and of rows close, nothing near them."""

import functools
import itertools
from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from proofs_numeric.arithmetic.laplace import laplace_counts_profile
from proofs_numeric.arithmetic.largest import largest_term
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.bharadwaj2022.rational import Rational
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.rogers2024.theorem_7.exact_profile import laplace_two_ends
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, Role, Source
from proofs_numeric.statements.constants import parameter_named, zero
from proofs_numeric.statements.kinds import AllOf, Inequality
from proofs_numeric.statements.profiles import AtCount, BadCounts, Counts, HalfLine, Withheld
from proofs_numeric.statements.tactics import ByClaim, Sign, Split, Symbolic
from proofs_numeric.wilkins2024.lemma_5_3 import two_rows
from proofs_numeric.wilkins2024.theorem_5_4.exact_delta import delta_exact
from tests.proofs_numeric.kernel.attacks import cases, over, times

KNOWN = dict(registry().claims)
COUNTS, ONE_COUNT, REVERSE = (KNOWN[f"bharadwaj2022.{name}"] for name in ("tight", "thm2.bad", "thm2.lower"))
REMOVED, REPLACED = (KNOWN[f"bharadwaj2022.fix.{name}"] for name in ("removed", "delta"))
ROWS, EQUAL_ROWS = KNOWN["wilkins2024.thm5.4"], KNOWN["wilkins2024.lem5.1"]
EQUAL_RELEASES, FREE, BELOW_ZERO = (
    KNOWN[f"wilkins2024.{name}"] for name in ("composition.equal", "cor5.4.1.free", "thm5.4.full_line")
)
LINE, HIDDEN, ABSENT, PART, EXACT = (
    KNOWN[f"wilkins2024.{name}"]
    for name in ("thm2.2", "lem5.3.row.forward", "lem5.3.row.backward", "lem5.3.tight.two", "thm5.4.exact")
)
COUNT, LABELS = (KNOWN[f"rogers2024.{name}"] for name in ("thm1.laplace", "thm7.laplace.exact"))
LATTICE, BOUNDED, BACK = (KNOWN[f"thresholds.laplace.integer{name}"] for name in (".profile", "", ".reverse"))
WEIGHTED = KNOWN["thresholds.weighted.delta"]
ANY_RATE, LEVELS = KNOWN["bharadwaj2022.tight.rate"], KNOWN["bharadwaj2022.lem7.rate"]
BOUND, PROOF, PAIRS = COUNTS.kind.formula, COUNTS.kind.proof, COUNTS.kind.pairs


def said(formula=BOUND, *, proof=PROOF, pairs=PAIRS, **more):
    """The claim with another value, proof or pairs."""
    return replace(COUNTS, kind=replace(COUNTS.kind, formula=formula, proof=proof, pairs=pairs), **more)


def of(claim, formula=None, *, proof=None, pairs=None, **more):
    """Another claim with another value, proof or pairs."""
    kind = claim.kind
    changed = replace(kind, formula=formula or kind.formula, proof=proof or kind.proof, pairs=pairs or kind.pairs)
    return replace(claim, kind=changed, **more)


def fixed(claim, **values):
    """The claim with a value that has parameters at other values: one that forgets them."""
    return of(claim, lambda A, **at: claim.kind.formula(A, **{**at, **values}))


def upper(formula, **more):
    """That the formula is an upper bound alone."""
    return said(formula, role=Role.UPPER, **more)


def scaled(factor):
    """A multiple of the closed form."""
    return lambda A, **at: BOUND(A, **at) * A.number(Fraction(factor))


def at_threshold_moved(moved):
    """The closed form of another threshold."""
    return lambda A, *, tau, **at: BOUND(A, tau=tau + moved, **at)


def one_copy_more(A, *, epsilon, alpha, tau):
    """At a count that is not the worst."""
    p, q = (f(A, epsilon=epsilon, alpha=alpha) for f in (cells.sampling_rate, cells.bad_rate))
    k = cells.floor_of(A, (tau - 1) / q) + 2
    return cells.forward_at(A, factor=A.exp(epsilon), p=p, tau=tau, k=k)


rate = lambda A, *, epsilon, alpha, **_rest: cells.sampling_rate(A, epsilon=epsilon, alpha=alpha)  # the sampling rate
threshold = lambda _A, *, tau, **_rest: tau  # the threshold


def pair_of(claim, **changed):
    """The claim of another pair."""
    return of(claim, pairs=replace(claim.kind.pairs, **changed))


def halved(formula):
    """Half of it."""
    return lambda A, **at: formula(A, **at) / 2


def mirrored(claim, **changed):
    """A claim proved by its value at the opposite levels."""
    return of(claim, proof=replace(BELOW_ZERO.kind.proof, **changed))


def with_cut(cut):
    """The proof about all distances with another cut."""
    return replace(LINE.kind.proof, above=replace(LINE.kind.proof.above, cut=cut))


def laplace(formula=None, *, pairs=None, **fields):
    """Theorem 1 of another value, of other pairs or with other fields of its proof."""
    claim = of(COUNT, formula, proof=replace(COUNT.kind.proof, **fields))
    return claim if pairs is None else pair_of(claim, **pairs)


def over_level(lower):
    """Theorem 1 from another level on."""
    level, *rest = COUNT.domain.parameters
    return replace(COUNT, domain=Box((replace(level, lower=lower, log=False), *rest)))


def distances(factor):
    """A multiple of the distance in scales."""
    return lambda A, *, delta_1, b, **_rest: A.number(delta_1) / b * A.number(factor)


def cut_moved(moved):
    """The cut of Theorem 1, so far above."""
    return lambda A, **at: COUNT.kind.proof.cut(A, **at) + A.number(moved)


def at_places(change):
    """The exact delta of labels with Laplace noise, of other values."""
    return of(LABELS, lambda A, **at: LABELS.kind.formula(A, **change(A, **at)))


def by_places(**changed):
    """The largest of some of the terms: none new and the user's presence, unless said otherwise."""
    rows = LABELS.kind.pairs
    taken = {"third": True, "all_new": True, "last": 0, **changed}

    def largest(A, *, epsilon, delta_0, **at):
        level, rate, far = A.number(epsilon), rows.loss(A, **at), rows.shift(A, **at)

        def term(a):
            profile = functools.partial(laplace_counts_profile, A, n=delta_0 - a, distance=far)
            second = -A.expm1(-a * rate) + A.exp(-a * rate) * profile(level + a * rate)
            return A.maximum(second, profile(level - a * rate)) if taken["third"] else second

        found = largest_term(A, term, delta_0 - taken["last"])
        return A.maximum(-A.expm1(-delta_0 * rate), found) if taken["all_new"] else found

    return of(LABELS, largest)


def weighted(**changed):
    """The delta of weighted keys by another field of its proof."""
    return of(WEIGHTED, proof=replace(WEIGHTED.kind.proof, **changed))


def weighted_rows(**changed):
    """The delta of weighted keys, of other rows."""
    return pair_of(WEIGHTED, each=replace(WEIGHTED.kind.pairs.each, **changed))


def scaled_field(claim, name, factor):
    """Another multiple of a formula of its pairs."""
    return lambda A, **at: getattr(claim.kind.pairs, name)(A, **at) * A.number(Fraction(factor))


def scaled_loss(factor):
    """Another multiple of a label's loss."""
    return scaled_field(LABELS, "loss", factor)


def moved(name, change):
    """One value changed."""
    return lambda A, **at: {**at, name: change(A.number(at[name]))}


def forward_alone(A, *, epsilon, p, tau):
    """The closed form of one way round."""
    return cells.tight_of(A, factor=A.exp(A.number(epsilon)), p=p, tau=tau)


def of_levels(epsilon=lambda epsilon, levels: epsilon / levels, number=lambda levels: levels):
    """Another multiple of a level's delta, or at another level."""

    def total(A, *, epsilon_, levels, **at):
        return number(A.number(levels)) * cells.tight_rate(A, epsilon=epsilon(A.number(epsilon_), levels), **at)

    return of(LEVELS, lambda A, *, epsilon, **at: total(A, epsilon_=epsilon, **at))


def composed(**changed):
    """The claim with another field of its proof."""
    return of(LEVELS, proof=replace(LEVELS.kind.proof, **changed))


def moving_rate(A, *, epsilon, **_rest):
    """A rate that grows faster than the level."""
    return (1 + A.number(epsilon) ** 2) / (100 + A.number(epsilon) ** 2)


def of_moving_rate():
    """One copy against none, at a rate that is another at each level: twice at 10 tells 0.75, not 2 * 26/125."""
    first = lambda _A, **_at: 1

    def total(A, *, epsilon, levels, **_rest):
        return A.number(levels) * moving_rate(A, epsilon=A.number(epsilon) / A.number(levels))

    once = BadCounts(more=Split("beyond", 0, Symbolic(), Sign()))
    pairs = replace(LEVELS.kind.pairs, each=Counts(moving_rate, first, first))
    return of(LEVELS, total, pairs=pairs, proof=replace(LEVELS.kind.proof, bound=moving_rate, each=once))


RATES_OF_SAMPLING = (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10))
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
    "samples: a little less": times(REMOVED, "0.999999999"),
    "samples: a little more": times(REMOVED, "1.000000001"),
    "samples: a little less, as an upper bound": of(
        REMOVED, lambda A, *, m, n, **_rest: (A.number(m) - 1) / n, role=Role.UPPER
    ),
    "samples: of those without the client": of(REMOVED, lambda A, *, m, n, **_rest: A.number(m) / (n - 1)),
    "samples: less at a level": of(
        REMOVED, lambda A, *, m, n, epsilon, **_rest: A.number(m) / n * A.exp(-A.number(epsilon)), role=Role.UPPER
    ),
    "samples: of any size": replace(REMOVED, domain=Box(REMOVED.domain.parameters)),
    "samples: below the threshold": replace(
        REMOVED, domain=replace(REMOVED.domain, constraint=AllOf(REMOVED.domain.constraint.parts[1:]))
    ),
    "samples: of all clients, one less": replace(REMOVED, domain=REPLACED.domain),
    "samples: under a constraint that is not read": replace(
        REMOVED, domain=replace(REMOVED.domain, constraint=REMOVED.domain.constraint.__call__)
    ),
    "samples: of one more": of(
        REMOVED, pairs=replace(REMOVED.kind.pairs, size=lambda A, *, m, **_rest: A.number(m) + 1)
    ),
    "samples: of half a client": of(
        REPLACED, pairs=replace(REPLACED.kind.pairs, threshold=lambda A, *, tau, **_rest: A.number(tau) / 2)
    ),
    "samples: of no threshold": of(
        REPLACED, pairs=replace(REPLACED.kind.pairs, threshold=lambda A, **_at: A.number(0))
    ),
    "samples: at levels below zero": replace(
        REPLACED,
        domain=replace(
            REPLACED.domain, parameters=(replace(REPLACED.domain["epsilon"], lower=-1), *REPLACED.domain.parameters[1:])
        ),
    ),
    "samples: as a lower bound": of(REPLACED, role=Role.LOWER),
    "samples: by the goals of counts": of(REPLACED, proof=PROOF),
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
    "rows: a little less": times(ROWS, "0.999999999"),
    "rows: a little more": times(ROWS, "1.000000001"),
    "rows: of one row": fixed(ROWS, c_u=1),
    "rows: without aggregates": fixed(ROWS, mu_o=0),
    "rows: at a threshold higher by one": of(
        ROWS, lambda A, *, gap, **at: ROWS.kind.formula(A, gap=A.number(gap) + 1, **at)
    ),
    "rows: of none": over(ROWS, "c_u", lower=0),
    "rows: between integers": over(ROWS, "c_u", integer=False),
    "rows: further apart": of(
        ROWS, pairs=replace(ROWS.kind.pairs, square=lambda A, **at: 2 * ROWS.kind.pairs.square(A, **at))
    ),
    "rows: as far as none": of(ROWS, pairs=replace(ROWS.kind.pairs, square=lambda A, **_at: A.number(0))),
    "rows: of a gain": of(ROWS, pairs=replace(ROWS.kind.pairs, loss=lambda A, **at: -ROWS.kind.pairs.loss(A, **at))),
    "rows: of one more": pair_of(ROWS, rows=lambda A, *, c_u, **_rest: c_u + 1),
    "rows: of one less": pair_of(ROWS, rows=lambda A, *, c_u, **_rest: c_u - 1),
    "rows: of half as many": pair_of(ROWS, rows=halved(ROWS.kind.pairs.rows)),
    "rows: of a real parameter": pair_of(ROWS, rows=lambda A, *, sigma, **_rest: A.number(sigma)),
    "equal releases: one for all": fixed(EQUAL_RELEASES, releases=1),
    "equal releases: one more": pair_of(EQUAL_RELEASES, rows=lambda A, *, releases, c_u, **_rest: (releases + 1) * c_u),
    "equal releases: a little less": times(EQUAL_RELEASES, "0.999999999"),
    "free: a little less": times(FREE, "0.999999999"),
    "free: at a larger share": pair_of(FREE, loss=lambda A, **at: 2 * FREE.kind.pairs.loss(A, **at)),
    "rows: attained beyond the last": of(ROWS, proof=replace(ROWS.kind.proof, places=(lambda _A, *, c_u, **_at: c_u,))),
    "rows: attained at the first term alone": of(ROWS, proof=replace(ROWS.kind.proof, places=())),
    "rows: of pairs without rows above": of(ROWS, proof=replace(ROWS.kind.proof, second=None, third=None)),
    "rows: by the goals of counts": of(ROWS, proof=PROOF),
    "counts: by the goals of rows": said(proof=ROWS.kind.proof),
    "equal rows: of one": fixed(EQUAL_ROWS, c_u=1),
    "equal rows: with rows above": of(
        EQUAL_ROWS, pairs=replace(EQUAL_ROWS.kind.pairs, square=lambda A, **_: A.number(1))
    ),
    "equal rows: a little less": times(EQUAL_ROWS, "0.999999999"),
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
    "part: a little more": times(PART, "1.000000001"),
    "part: half the chance": of(PART, lambda A, **at: (PART.kind.formula(A, **at) + two_rows.rows_bound(A, **at)) / 2),
    "part: all of it": of(PART, two_rows.rows_bound),
    "part: an upper bound": replace(PART, role=Role.UPPER),
    "part: the profile": replace(PART, role=Role.EXACT),
    "part: of one row": pair_of(PART, distance=lambda A, *, sigma, **_rest: 1 / A.number(sigma)),
    "part: as far as none": pair_of(PART, distance=lambda A, **_at: A.number(0)),
    "part: shown less often": pair_of(PART, shown=halved(PART.kind.pairs.shown)),
    "part: shown more often than always": of(
        PART,
        lambda A, **at: 1 + two_rows.rows_bound(A, **at),
        proof=Withheld(),
        pairs=replace(PART.kind.pairs, shown=lambda A, **_at: A.number(2)),
    ),
    "part: named more often than always": of(
        PART,
        lambda A, **_at: A.number(2),
        proof=Withheld(),
        pairs=replace(PART.kind.pairs, shown=lambda A, **_at: A.number(1), named=lambda A, **_at: A.number(2)),
    ),
    "part: by another claim": of(PART, proof=ByClaim(EXACT.id)),
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
    "labels: of half the scale": at_places(moved("b", lambda b: b / 2)),
    "labels: a threshold off by one": at_places(moved("T", lambda T: T + 1)),
    "labels: at a level higher": at_places(moved("epsilon", lambda level: level + 1)),
    "labels: of half the change": at_places(moved("delta_inf", lambda change: change / 2)),
    "labels: of one label": at_places(lambda A, **at: {**at, "delta_0": 1}),
    "labels: of one label, as an upper bound": replace(
        at_places(lambda A, **at: {**at, "delta_0": 1}), role=Role.UPPER
    ),
    "labels: the two ends": of(LABELS, laplace_two_ends),
    "labels: the two ends, as an upper bound": of(LABELS, laplace_two_ends, role=Role.UPPER),
    "labels: a little less": times(LABELS, "0.999"),
    "labels: a little less, as an upper bound": replace(times(LABELS, "0.999"), role=Role.UPPER),
    "labels: a little more": times(LABELS, "1.001"),
    "labels: one order": by_places(third=False),
    "labels: not all of them new": by_places(all_new=False),
    "labels: one place less": by_places(last=1),
    "labels: as a lower bound": replace(LABELS, role=Role.LOWER),
    "labels: one more than said": pair_of(LABELS, rows=lambda A, *, delta_0, **_at: A.number(delta_0) + 1),
    "labels: a half": pair_of(LABELS, rows=lambda A, *, delta_0, **_at: A.number(delta_0) / 2),
    "labels: no row": pair_of(LABELS, rows=lambda A, *, delta_0, **_at: A.number(delta_0) - 1),
    "labels: named more often": pair_of(LABELS, loss=scaled_loss(2)),
    "labels: a loss below zero": pair_of(LABELS, loss=scaled_loss(-1)),
    "labels: of the l1 norm": pair_of(LABELS, shift=lambda A, **at: at["delta_0"] * LABELS.kind.pairs.shift(A, **at)),
    "labels: a shift below zero": pair_of(LABELS, shift=lambda A, **at: -LABELS.kind.pairs.shift(A, **at)),
    "labels: no shift": pair_of(LABELS, shift=None),
    "labels: Gaussian noise": pair_of(LABELS, shift=None, square=LABELS.kind.pairs.shift),
    "labels: both": pair_of(LABELS, square=LABELS.kind.pairs.shift),
    "labels: by the goals of Gaussian rows": of(LABELS, proof=ROWS.kind.proof),
    "labels: by the goals of rows alone": of(LABELS, proof=EQUAL_ROWS.kind.proof),
    "labels: reflected to rows without a shift": of(
        LABELS, proof=replace(BELOW_ZERO.kind.proof, proof=EQUAL_ROWS.kind.proof)
    ),
    "labels: below zero": replace(
        LABELS, domain=Box((replace(LABELS.domain.parameters[0], lower=-1, log=False), *LABELS.domain.parameters[1:]))
    ),
    "lattice: a little less": times(LATTICE, "0.999"),
    "lattice: a little less, as an upper bound": replace(times(LATTICE, "0.999"), role=Role.UPPER),
    "lattice: a little more": times(LATTICE, "1.001"),
    "lattice: of no steps": pair_of(LATTICE, steps=None),
    "lattice: of one step": pair_of(LATTICE, steps=lambda _A, **_at: 1),
    "lattice: of a step more": pair_of(LATTICE, steps=lambda _A, *, per_key, **_rest: per_key + 1),
    "lattice: of half the steps": pair_of(LATTICE, steps=lambda A, *, per_key, **_rest: A.number(per_key) / 2),
    "lattice: of a step less": pair_of(LATTICE, steps=lambda _A, *, per_key, **_rest: per_key - 1),
    "lattice: a threshold off by one": of(
        LATTICE, lambda A, *, threshold, **at: LATTICE.kind.formula(A, threshold=threshold + 1, **at)
    ),
    "lattice: of half the move": of(
        LATTICE, lambda A, *, scale, **at: LATTICE.kind.formula(A, scale=2 * A.number(scale), **at)
    ),
    "lattice: a loss below zero": pair_of(LATTICE, loss=scaled_field(LATTICE, "loss", -1)),
    "lattice: Gaussian noise": pair_of(LATTICE, shift=None, square=LATTICE.kind.pairs.shift),
    "lattice: by the goals of Gaussian rows": of(LATTICE, proof=ROWS.kind.proof),
    "lattice: of bounded rows": of(LATTICE, pairs=BOUNDED.kind.pairs),
    "rows: on a lattice": pair_of(ROWS, steps=lambda _A, **_at: 1),
    "bounded: a little less": times(BOUNDED, "0.999"),
    "bounded: a little less, as an upper bound": replace(times(BOUNDED, "0.999"), role=Role.UPPER),
    "bounded: a little more": times(BOUNDED, "1.001"),
    "bounded: as a lower bound": replace(BOUNDED, role=Role.LOWER),
    "bounded: at a lower level": pair_of(BOUNDED, epsilon=scaled_field(BOUNDED, "epsilon", "0.999")),
    "bounded: at no level": pair_of(BOUNDED, epsilon=zero),
    "bounded: of larger losses": pair_of(BOUNDED, largest=scaled_field(BOUNDED, "largest", "1.001")),
    "bounded: of losses below zero": pair_of(
        BOUNDED, largest=scaled_field(BOUNDED, "largest", -1), epsilon=scaled_field(BOUNDED, "epsilon", -1)
    ),
    "bounded: named more often": pair_of(BOUNDED, loss=scaled_field(BOUNDED, "loss", 2)),
    "bounded: named with less than nothing": pair_of(BOUNDED, loss=scaled_field(BOUNDED, "loss", -1)),
    "bounded: of one row": pair_of(BOUNDED, rows=lambda _A, **_at: 1),
    "bounded: of a row more": pair_of(BOUNDED, rows=lambda _A, *, c_u, **_rest: c_u + 1),
    "bounded: half a row": pair_of(BOUNDED, rows=scaled_field(BOUNDED, "rows", "1/2")),
    "bounded: the reverse order": pair_of(BOUNDED, reverse=True),
    "bounded: by the goals of labels": of(BOUNDED, proof=LABELS.kind.proof),
    "back: both orders": pair_of(BACK, reverse=False),
    "back: both orders, as an upper bound": replace(pair_of(BACK, reverse=False), role=Role.UPPER),
    "back: a little less": times(BACK, "0.999"),
    "back: nothing": of(BACK, zero),
    "back: nothing, as an upper bound": of(BACK, zero, role=Role.UPPER),
    "back: named less often": pair_of(BACK, loss=scaled_field(BACK, "loss", "1/2")),
    "weighted: a little less": times(WEIGHTED, "0.999"),
    "weighted: a little less, as an upper bound": replace(times(WEIGHTED, "0.999"), role=Role.UPPER),
    "weighted: a little more": times(WEIGHTED, "1.001"),
    "weighted: as a lower bound": replace(WEIGHTED, role=Role.LOWER),
    "weighted: of one key": fixed(WEIGHTED, c_u=1),
    "weighted: of one key, as an upper bound": replace(fixed(WEIGHTED, c_u=1), role=Role.UPPER),
    "weighted: of all keys alone": of(
        WEIGHTED, lambda A, *, c_u, **at: WEIGHTED.kind.proof.one(A, keys=c_u, **at), role=Role.UPPER
    ),
    "weighted: one key more": pair_of(WEIGHTED, most=lambda _A, *, c_u, **_rest: c_u + 1),
    "weighted: half the keys": pair_of(WEIGHTED, most=lambda A, *, c_u, **_rest: A.number(c_u) / 2),
    "weighted: no key": pair_of(WEIGHTED, most=lambda _A, *, c_u, **_rest: c_u - 1),
    "weighted: a number that is a parameter": pair_of(WEIGHTED, number="c_u"),
    "weighted: a number that nothing is of": pair_of(WEIGHTED, number="number"),
    "weighted: weight one each": weighted_rows(square=lambda A, *, sigma, **_rest: 1 / A.number(sigma) ** 2),
    "weighted: a row more": weighted_rows(rows=lambda _A, *, keys, **_rest: keys + 1),
    "weighted: named more often": weighted_rows(loss=lambda A, **at: 2 * WEIGHTED.kind.pairs.each.loss(A, **at)),
    "weighted: each by another claim": weighted(each=ByClaim("thresholds.weighted.keys")),
    "weighted: each of one key": weighted(one=lambda A, **at: WEIGHTED.kind.proof.one(A, **{**at, "keys": 1})),
    "weighted: by the proof of each": of(WEIGHTED, proof=WEIGHTED.kind.proof.each),
    "weighted: not looked for": weighted(value=Symbolic()),
    "rows: of any number": of(ROWS, proof=WEIGHTED.kind.proof),
    "rows: by the goals of labels": of(ROWS, proof=LABELS.kind.proof),
    "rows: Laplace counts": pair_of(ROWS, square=None, shift=ROWS.kind.pairs.square),
    "part: by a half line": of(PART, proof=LINE.kind.proof.above),
    "exact: not named": pair_of(EXACT, named=None),
    "exact: named less often": pair_of(EXACT, named=halved(EXACT.kind.pairs.named)),
    "exact: shown less often": pair_of(EXACT, shown=halved(EXACT.kind.pairs.shown)),
    "exact: nothing withheld": of(EXACT, lambda A, *, excess, **at: delta_exact(A, mu_o=0, **at)),
    "below zero: a little less": times(BELOW_ZERO, "0.999999999"),
    "below zero: a little more": times(BELOW_ZERO, "1.000000001"),
    "below zero: (5.8) itself": of(BELOW_ZERO, delta_exact),
    "below zero: not reflected": of(BELOW_ZERO, proof=BELOW_ZERO.kind.proof.proof),
    "below zero: above zero": replace(BELOW_ZERO, domain=ROWS.domain),
    "below zero: twice": mirrored(BELOW_ZERO, proof=BELOW_ZERO.kind.proof),
    "below zero: of one row": mirrored(BELOW_ZERO, opposite=fixed(ROWS, c_u=1).kind.formula),
    "below zero: of one order": mirrored(HIDDEN, opposite=HIDDEN.kind.formula, proof=HIDDEN.kind.proof),
    "any rate: one way round alone": of(ANY_RATE, forward_alone),
    "any rate: one way round alone, as an upper bound": of(ANY_RATE, forward_alone, role=Role.UPPER),
    "any rate: a little less": times(ANY_RATE, "0.999999999"),
    "any rate: a little more": times(ANY_RATE, "1.000000001"),
    "any rate: at no level": fixed(ANY_RATE, epsilon=0),
    "any rate: attained one way round alone": of(
        ANY_RATE, proof=replace(ANY_RATE.kind.proof, worst=ANY_RATE.kind.proof.worst[1:])
    ),
    "any rate: of the largest rate's proof": of(ANY_RATE, proof=PROOF),
    "levels: a little less": times(LEVELS, "0.999999999"),
    "levels: one less": of_levels(number=lambda levels: levels - 1),
    "levels: of one": of_levels(number=lambda _levels: 1),
    "levels: each at the whole level": of_levels(epsilon=lambda epsilon, _levels: epsilon),
    "levels: as the exact delta": of(LEVELS, role=Role.EXACT),
    "levels: one way round alone": composed(bound=forward_alone),
    "levels: each by another claim": composed(each=ByClaim("bharadwaj2022.tight")),
    "levels: each by no proof": composed(each=Symbolic()),
    "levels: the outcomes by their signs": composed(outcome=Sign()),
    "levels: as many as a real parameter says": of(LEVELS, pairs=replace(LEVELS.kind.pairs, count="p")),
    "levels: as many as no parameter says": of(LEVELS, pairs=replace(LEVELS.kind.pairs, count="n")),
    "levels: of a rate that moves with the level": of_moving_rate(),
    "levels: of other counts": of(LEVELS, pairs=replace(LEVELS.kind.pairs, each=PAIRS)),
    "levels: by the goals of one": of(LEVELS, proof=ANY_RATE.kind.proof),
    "counts: by the goals of levels": said(proof=LEVELS.kind.proof),
    "by a tactic of comparisons": said(proof=Symbolic()),
    "by signs": said(proof=replace(PROOF, more=Sign(), fewer=Sign())),
}


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


def test_bounded_rows_tell_at_their_level_what_their_docstring_says():
    """Over all outcomes of new rows and of rows of two outcomes with the largest loss, in fractions, both ways."""
    for odds, p, rows in itertools.product((Fraction(2), Fraction(5, 4)), RATES_OF_SAMPLING, (1, 2, 3)):
        factor, sticks = odds**rows, {False: [], True: []}
        for new in range(rows + 1):
            hidden, other = p**new, (odds / (1 + odds), 1 / (1 + odds))
            masses = [(hidden, Fraction(1))]
            for _row in range(rows - new):
                masses = [(x * a, y * b) for x, y in masses for a, b in (other, other[::-1])]
            sticks[False].append(1 - hidden + sum(max(Fraction(0), x - factor * y) for x, y in masses))
            sticks[True].append(sum(max(Fraction(0), y - factor * x) for x, y in masses))
        assert max(sticks[False]) == 1 - p**rows
        assert max(sticks[True]) == max(0, 1 - factor * p**rows) <= 1 - p**rows


SLOW = (
    "a little",
    "any rate: ",
    "at a ",
    "attained",
    "back: a little",
    "back: n",
    "below zero: ",
    "by signs",
    "exact: not named",
    "exact: shown less",
    "free: ",
    "half of it",
    "labels: a threshold off by one",
    "labels: of half the scale",
    "labels: the two ends",
    "laplace: hidden below its cut",
    "levels: ",
    "line: a little",
    "line: at a level",
    "nothing",
    "of a larger rate",
    "one count: a little",
    "one count: of one copy",
    "reverse: ",
    "rows: ",
)


@pytest.mark.parametrize("attack", cases(WRONG, SLOW))
def test_what_is_false_or_another_statement_is_refused(attack):
    """Each is false, or not what the goals of counts say."""
    with pytest.raises(TacticError):
        prove(replace(WRONG[attack], privacy=None), KNOWN)


@pytest.mark.parametrize("name", cases(["wilkins2024.cor5.4.1.ub", "wilkins2024.lem5.1"], ("wilkins2024.cor",)))
def test_what_is_proved_of_laws_says_nothing_of_a_number_beside_the_bound(name):
    """The exact value that a bound is compared with is no part of what the kernel proves of it."""
    claim = KNOWN[name]
    beside = replace(claim, kind=replace(claim.kind, exact=lambda A, **_at: A.number(7)), role=Role.UPPER)
    lemma = Claim(
        id="test.claim",
        source=Source("test", "here"),
        title="",
        statement="",
        kind=Inequality(beside.kind.exact, beside.kind.formula, proof=ByClaim(name)),
        domain=claim.domain,
    )
    assert prove(beside, KNOWN).claim == name
    with pytest.raises(TacticError):
        prove(lemma, {**KNOWN, name: beside})
