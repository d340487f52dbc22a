"""Attacks on independent rows: Gaussian vectors, Laplace counts and bounded losses close, nothing near them."""

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest

from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.rogers2024.theorem_7.exact_profile import laplace_two_ends
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.claim import Claim, Role, Source
from proofs_numeric.statements.constants import zero
from proofs_numeric.statements.kinds import Inequality
from proofs_numeric.statements.tactics import ByClaim, Symbolic
from tests.proofs_numeric.kernel.attacks import cases, over, refusals, times
from tests.proofs_numeric.kernel.rules.profiles import (
    BACK,
    BELOW_ZERO,
    BOUNDED,
    EQUAL_RELEASES,
    EQUAL_ROWS,
    FREE,
    KNOWN,
    LABELS,
    LATTICE,
    PROOF,
    RATES_OF_SAMPLING,
    ROWS,
    SLOW,
    WEIGHTED,
    at_places,
    by_places,
    fixed,
    halved,
    moved,
    of,
    pair_of,
    scaled_field,
    scaled_loss,
    weighted,
    weighted_rows,
)

WHOLE = KNOWN["thresholds.gaussian.integer.profile"]


def at_other(name, change):
    """The profile of discrete Gaussian noise with one value changed."""
    return of(WHOLE, lambda A, **at: WHOLE.kind.formula(A, **{**at, name: change(A.number(at[name]))}))


WRONG = {
    "whole: a little less": times(WHOLE, "0.999"),
    "whole: a little less, as an upper bound": replace(times(WHOLE, "0.999"), role=Role.UPPER),
    "whole: a little more": times(WHOLE, "1.001"),
    "whole: as a lower bound": replace(WHOLE, role=Role.LOWER),
    "whole: a threshold off by one": at_other("threshold", lambda threshold: threshold + 1),
    "whole: of twice the noise": at_other("sigma", lambda sigma: 2 * sigma),
    "whole: at a level higher": at_other("epsilon", lambda level: level + 1),
    "whole: of half the noise": pair_of(WHOLE, sigma=halved(WHOLE.kind.pairs.sigma)),
    "whole: of no noise": pair_of(WHOLE, sigma=zero),
    "whole: of no steps": pair_of(WHOLE, steps=None),
    "whole: of a step more": pair_of(WHOLE, steps=lambda _A, *, per_key, **_rest: per_key + 1),
    "whole: of half the steps": pair_of(WHOLE, steps=halved(WHOLE.kind.pairs.steps)),
    "whole: of Laplace noise too": pair_of(WHOLE, shift=WHOLE.kind.pairs.sigma),
    "whole: of real noise": pair_of(WHOLE, square=WHOLE.kind.pairs.sigma, sigma=None),
    "whole: named more often": pair_of(WHOLE, loss=scaled_field(WHOLE, "loss", 2)),
    "whole: a row more": pair_of(WHOLE, rows=lambda _A, *, c_u, **_rest: c_u + 1),
    "whole: by the goals of Gaussian rows": of(WHOLE, proof=ROWS.kind.proof),
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
    "equal rows: of one": fixed(EQUAL_ROWS, c_u=1),
    "equal rows: with rows above": of(
        EQUAL_ROWS, pairs=replace(EQUAL_ROWS.kind.pairs, square=lambda A, **_: A.number(1))
    ),
    "equal rows: a little less": times(EQUAL_ROWS, "0.999999999"),
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
}


test_what_is_false_or_another_statement_is_refused = refusals(WRONG, SLOW)


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
