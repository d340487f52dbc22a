"""Claims about privacy profiles, and changes to them, for the attacks on several rules."""

import functools
from dataclasses import replace
from fractions import Fraction

from auditor.engine.registry import registry
from proofs_numeric.arithmetic.laplace import laplace_counts_profile
from proofs_numeric.arithmetic.largest import largest_term
from proofs_numeric.bharadwaj2022 import cells
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Role
from proofs_numeric.statements.profiles import BadCounts, Counts
from proofs_numeric.statements.tactics import Sign, Split, Symbolic

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
