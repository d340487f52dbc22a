"""An enumerated statement and its law are one: the kernel computes what the law says of each case, and compares."""

from dataclasses import fields, replace
from fractions import Fraction

import pytest

from auditor.checks.lemma import check_proof
from auditor.engine.registry import registry
from proofs_numeric.expression.vocabulary import lift
from proofs_numeric.kernel.enumeration import check_instances
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.lebeda2025.algorithm_3 import kept_largest, reduced_by, top_k_subtracting_kth
from proofs_numeric.statements.instances import LawInstances
from proofs_numeric.statements.verdict import Verdict
from tests.auditor.checks.claims import context
from tests.proofs_numeric.kernel.rules.gaussians import times

KNOWN = dict(registry().claims)
TIED = {
    name: each
    for name, each in KNOWN.items()
    if isinstance(getattr(each.kind, "holds", None), LawInstances) and each.kind.every is not None
}
LEMMA = KNOWN["lebeda2025.lem13"]
TOPS, TOPS_BY_TOP, TO_CDP, SHARPLY, LISTS = (
    KNOWN[f"rogers2024.{name}"]
    for name in ("thm8.lem6.4.corrected", "sharp.top", "thm3.dp_to_cdp", "sharp.pure", "thm9.rho")
)
RANGE, RACED, STREAM, TRUNCATED = (
    KNOWN[f"rogers2024.{name}"] for name in ("thm9.range", "repair.race", "thm10.rho", "lem4.1.half_spaces")
)
PRINTED, PRINTED_BY_TOP, ROWS, LAPLACE, BINARY = (
    KNOWN[f"rogers2024.{name}"]
    for name in ("thm8.rho", "sec421.kbar.corrected", "thm7.gaussian.rho", "thm7.laplace.rho", "thm11.rho")
)
REFUSED = "of the general form|of the law|of another|expected neighbours|expected 0 < delta"


def of_case(claim, change):
    """The claim with another meaning of its cases: each instance is changed."""
    made = claim.kind.holds.of
    return replace(
        claim, kind=replace(claim.kind, holds=LawInstances(lambda case: tuple(change(one) for one in made(case))))
    )


def of_law(claim, law):
    """The claim with the law of another, and its proof."""
    kind = replace(claim.kind, every=law.kind.every, proof=law.kind.proof)
    return replace(claim, kind=kind, domain=law.domain, evaluates=None)


def kept(claim, rule):
    """The claim with another reduction as what its cases are about."""
    return replace(claim, kind=replace(claim.kind, holds=reduced_by(rule)))


def a_count_more(one):
    """What is kept of the first histogram, with one count more."""
    left, right = one.reduced
    return replace(one, reduced=({**left, "a": left.get("a", 0) + 1}, right))


def two_users(one):
    """The smaller histogram, with no counts at all."""
    return replace(one, counts=(one.counts[0], {}))


def unmerged(one):
    """The race by rates of which the threshold's is without those of the items that it beats."""
    return replace(one, merged=one.raced, scores={**one.scores, **dict.fromkeys(one.members, lift(0))})


def heavier(parts):
    """Laws of which the first has mass moved from one list to another."""
    first, *_rest, last = parts.left
    moved = {**parts.left, first: parts.left[first] / 2, last: parts.left[last] + parts.left[first] / 2}
    return replace(parts, left=moved)


class Negated(LawInstances):
    """Holds where the instances do not."""

    def __call__(self, case):
        return not super().__call__(case)


def granted(one):
    """An instance of the same numbers that always holds."""
    always = type("Always", (type(one),), {"holds": lambda _self: True})
    return always(**{each.name: getattr(one, each.name) for each in fields(one)})


CASE = ((("a", 1),), (), 1, 1)
"""One new item."""

WRONG = {
    "cases that hold where their instances do not": replace(
        ROWS, kind=replace(ROWS.kind, holds=Negated(ROWS.kind.holds.of))
    ),
    "instances that hold whatever their numbers": of_case(PRINTED, granted),
    "no case": replace(TOPS, kind=replace(TOPS.kind, cases=lambda _size: iter(()))),
    "sides changed for each other": of_case(
        LISTS, lambda one: replace(one, calls=tuple(each[::-1] for each in one.calls))
    ),
    "parameters outside the domain": of_case(PRINTED, lambda one: replace(one, at={**one.at, "delta": lift(2)})),
    "a false reduction, a true law": kept(LEMMA, kept_largest),
    "the k-th count for the next, both true": kept(LEMMA, top_k_subtracting_kth),
    "nothing kept": kept(LEMMA, lambda _histogram, _k: {}),
    "the law of another reduction": of_law(LEMMA, KNOWN["lebeda2025.lem13.kth"]),
    "a reduction by the law of tops": of_law(LEMMA, TOPS),
    "one more kept": of_case(LEMMA, a_count_more),
    "a larger sparsity": of_case(LEMMA, lambda one: replace(one, most=one.most + 1)),
    "without k": of_case(LEMMA, lambda one: replace(one, at={})),
    "histograms that are no neighbours": of_case(TOPS, two_users),
    "tops by k_bar by the law of Delta_0": of_law(TOPS_BY_TOP, TOPS),
    "tops by a law of good parts": of_law(TOPS, TO_CDP),
    "no distances": of_case(TOPS, lambda one: replace(one, distances=frozenset({0}))),
    "a larger distance allowed": of_case(TOPS, lambda one: replace(one, squared=one.squared + 1)),
    "no instance": replace(TOPS, kind=replace(TOPS.kind, holds=LawInstances(lambda _case: ()))),
    "good parts by the sharp law": of_law(TO_CDP, SHARPLY),
    "sharp good parts by the law of print": of_law(SHARPLY, TO_CDP),
    "good parts by a reduction": of_law(TO_CDP, LEMMA),
    "good parts of another ratio": of_case(TO_CDP, lambda one: replace(one, ratio=one.ratio + Fraction(1, 100))),
    "rates by the law of lists": of_law(RANGE, LISTS),
    "lists by the law of rates": of_law(LISTS, RANGE),
    "lists by the law of streams": of_law(LISTS, STREAM),
    "a race by the law of rates": of_law(RACED, RANGE),
    "the threshold's rate alone": of_case(RANGE, lambda one: replace(one, merged=(one.merged[0], one.merged[0]))),
    "no common items": of_case(RANGE, lambda one: replace(one, rates=({}, {}))),
    "a wider range": of_case(RANGE, lambda one: replace(one, factor=one.factor**2)),
    "rates of users of three": of_case(RANGE, two_users),
    "rates that are one": of_case(RANGE, lambda one: replace(one, rates=(dict.fromkeys(one.rates[0], 1),) * 2)),
    "a race without merged rates": of_case(RACED, unmerged),
    "a race of one pick more": of_case(RACED, lambda one: replace(one, picks=one.picks + 1)),
    "a race of no items": of_case(RACED, lambda one: replace(one, members=frozenset(), merged={}, raced={})),
    "lists of another law": of_case(LISTS, lambda one: replace(one, parts=heavier(one.parts))),
    "lists of a larger delta": of_case(LISTS, lambda one: replace(one, delta=2 * one.delta)),
    "lists of one entry each": of_case(LISTS, lambda one: replace(one, each=1)),
    "lists of two calls": of_case(LISTS, lambda one: replace(one, calls=one.calls * 2)),
    "streams by the law of lists": of_law(STREAM, LISTS),
    "streams of another law": of_case(STREAM, lambda one: replace(one, parts=heavier(one.parts))),
    "streams of one call": of_case(STREAM, lambda one: replace(one, calls=one.calls[:1])),
    "streams of longer lists": of_case(STREAM, lambda one: replace(one, each=one.each + 1)),
    "streams of the delta of one call": of_case(STREAM, lambda one: replace(one, delta=one.delta / 2)),
    "printed tops by the law of their counts": of_law(PRINTED, TOPS),
    "printed tops by k_bar by the law of Delta_0": of_law(PRINTED_BY_TOP, PRINTED),
    "printed tops without own items": of_case(PRINTED, lambda one: replace(one, leads=((), ()))),
    "printed tops with leads of one more": of_case(
        PRINTED, lambda one: replace(one, leads=tuple(tuple(lead + 1 for lead in side) for side in one.leads))
    ),
    "printed tops that move less": of_case(
        PRINTED, lambda one: replace(one, moved=replace(one.moved, distances=frozenset({0})))
    ),
    "printed tops of less noise": of_case(PRINTED, lambda one: replace(one, noise=times(one.noise, "1/2"))),
    "printed tops of a lower threshold": of_case(
        PRINTED, lambda one: replace(one, threshold=times(one.threshold, "1/2"))
    ),
    "printed tops of twice the delta": of_case(PRINTED, lambda one: replace(one, delta=times(one.delta, 2))),
    "printed tops of twice the rho": of_case(PRINTED, lambda one: replace(one, rho=times(one.rho, 2))),
    "Gaussian rows by the law of tops": of_law(ROWS, PRINTED),
    "Gaussian rows by the law of Laplace rows": of_law(ROWS, LAPLACE),
    "Gaussian rows with Laplace divergences": of_case(
        ROWS, lambda one: replace(one, divergence=next(iter(LAPLACE.kind.holds.of(CASE))).divergence)
    ),
    "Laplace rows with Gaussian tails": of_case(
        LAPLACE, lambda one: replace(one, tail=next(iter(ROWS.kind.holds.of(CASE))).tail)
    ),
    "rows of more users": of_case(ROWS, lambda one: replace(one, rows=one.rows + 1)),
    "rows of a larger fall": of_case(ROWS, lambda one: replace(one, fall=one.fall + 1)),
    "rows of a lower threshold": of_case(ROWS, lambda one: replace(one, threshold=times(one.threshold, "1/2"))),
    "rows of twice the scale": of_case(ROWS, lambda one: replace(one, scale=times(one.scale, 2))),
    "rows of twice the delta": of_case(ROWS, lambda one: replace(one, delta=times(one.delta, 2))),
    "rows of twice the rho": of_case(LAPLACE, lambda one: replace(one, rho=times(one.rho, 2))),
    "a binary mechanism by the law of lists": of_law(BINARY, STREAM),
    "a binary mechanism of more cells": of_case(BINARY, lambda one: replace(one, cells=one.cells + 1)),
    "a binary mechanism of sums of one cell": of_case(BINARY, lambda one: replace(one, sums=(1,) * len(one.sums))),
    "a binary mechanism without sums": of_case(BINARY, lambda one: replace(one, sums=())),
    "a binary mechanism of another round": of_case(BINARY, lambda one: replace(one, event=0)),
    "a binary mechanism of less noise": of_case(BINARY, lambda one: replace(one, noise=times(one.noise, "1/2"))),
    "a binary mechanism of twice the rho": of_case(BINARY, lambda one: replace(one, rho=times(one.rho, 2))),
    "half-spaces by a law of lists": of_law(TRUNCATED, LISTS),
    "half-spaces of no order": of_case(TRUNCATED, lambda one: replace(one, at={"squared": one.at["squared"]})),
    "half-spaces of another mean": of_case(TRUNCATED, lambda one: replace(one, mean=(2, 0))),
    "half-spaces of twice the bound": of_case(TRUNCATED, lambda one: replace(one, bound=times(one.bound, 2))),
    "lists of twice the rho": of_case(LISTS, lambda one: replace(one, rho=times(one.rho, 2))),
    "lists without a threshold's delta": of_case(
        LISTS, lambda one: replace(one, at={name: at for name, at in one.at.items() if name != "delta"})
    ),
    "good parts of twice the rho": of_case(TO_CDP, lambda one: replace(one, rho=times(one.rho, 2))),
}


@pytest.mark.parametrize("name", TIED)
def test_cases_of_every_tied_law_are_instances_of_it(name):
    """The proof closes after that."""
    assert not prove(TIED[name], KNOWN).scope


def test_a_tied_law_is_proved_without_a_scope():
    """None that says that no check compares its cases."""
    (found,) = check_proof(TOPS, context())
    assert (found.verdict, found.scope) == (Verdict.PROVED, "")


ALIKE = {
    "less noise": (PRINTED, "noise", "1/2"),
    "a smaller delta": (PRINTED, "delta", "1/2"),
    "a smaller rho": (PRINTED, "rho", "99/100"),
    "a smaller rho of rows": (LAPLACE, "rho", "99/100"),
    "less noise of streams": (BINARY, "noise", "99/100"),
    "a smaller rho of streams": (BINARY, "rho", "99/100"),
    "a smaller bound": (TRUNCATED, "bound", "1/2"),
    "a smaller rho of good parts": (TO_CDP, "rho", "1/2"),
    "a smaller rho of lists": (LISTS, "rho", "1/2"),
}


@pytest.mark.parametrize("attack", ALIKE)
def test_a_law_and_cases_that_are_false_alike_have_no_proof(attack):
    """Both agree; what is left is the law's own proof."""
    claim, part, factor = ALIKE[attack]
    law = replace(claim.kind.every, **{part: times(getattr(claim.kind.every, part), factor)})
    cases = of_case(claim, lambda one: replace(one, **{part: times(getattr(one, part), factor)}))
    false = replace(cases, kind=replace(cases.kind, every=law))
    check_instances(false.kind, false.domain)
    with pytest.raises(TacticError):
        prove(replace(false, evaluates=None), KNOWN)


@pytest.mark.parametrize("attack", WRONG)
def test_cases_that_are_not_of_the_law_are_refused(attack):
    """Though the law is true, and its proof closes."""
    with pytest.raises(TacticError, match=f"{REFUSED}|expected at least one|its order aside|got another"):
        prove(WRONG[attack], KNOWN)


def test_the_law_itself_is_compared():
    """Another rank, sparsity, bound or rho than that of the cases."""
    changes = (
        (LEMMA, {"rank": lambda _A, *, k: k + 2}),
        (LEMMA, {"most": lambda _A, *, k: k + 1}),
        (TOPS, {"items": "k_bar", "top": "delta_0"}),
        (TOPS, {"squared": times(TOPS.kind.every.squared, 2)}),
        (TO_CDP, {"rho": times(TO_CDP.kind.every.rho, "1000001/1000000")}),
        (TO_CDP, {"epsilon": times(TO_CDP.kind.every.epsilon, "99/100")}),
        (RANGE, {"rate": times(RANGE.kind.every.rate, 2)}),
        (RANGE, {"threshold": times(RANGE.kind.every.threshold, 2)}),
        (RANGE, {"width": times(RANGE.kind.every.width, 2)}),
        (RACED, {"rate": lambda A, *, score, **_at: A.exp(A.number(score) / 2)}),
        (LISTS, {"race": replace(LISTS.kind.every.race, threshold=times(LISTS.kind.every.race.threshold, 2))}),
        (PRINTED, {"noise": times(PRINTED.kind.every.noise, 2)}),
        (PRINTED, {"threshold": times(PRINTED.kind.every.threshold, 2)}),
        (PRINTED, {"delta": times(PRINTED.kind.every.delta, "99/100")}),
        (PRINTED, {"rho": times(PRINTED.kind.every.rho, "99/100")}),
        (ROWS, {"delta": times(ROWS.kind.every.delta, "99/100")}),
        (ROWS, {"rho": times(ROWS.kind.every.rho, "99/100")}),
        *(
            (each, {"rows": replace(each.kind.every.rows, **{part: times(getattr(each.kind.every.rows, part), 2)})})
            for each, parts in ((ROWS, ("rows", "loss", "square")), (LAPLACE, ("rows", "loss", "shift")))
            for part in parts
        ),
        *(
            (BINARY, {name: times(getattr(BINARY.kind.every, name), "99/100")})
            for name in ("noise", "threshold", "delta", "rho")
        ),
        (TRUNCATED, {"bound": times(TRUNCATED.kind.every.bound, "99/100")}),
        (LISTS, {"delta": times(LISTS.kind.every.delta, "99/100")}),
        (LISTS, {"rho": times(LISTS.kind.every.rho, "99/100")}),
    )
    for claim, changed in changes:
        with pytest.raises(TacticError, match=REFUSED):
            check_instances(replace(claim.kind, every=replace(claim.kind.every, **changed)), claim.domain)


def test_instances_of_a_law_are_of_no_recurrence():
    """A recurrence has instances of its own."""
    recurrence = KNOWN["rogers2024.thm6"]
    with pytest.raises(TacticError, match="expected instances of a law"):
        check_instances(replace(recurrence.kind, holds=LEMMA.kind.holds), recurrence.domain)
    with pytest.raises(TacticError, match="expected instances of a recurrence without levels"):
        check_instances(replace(LEMMA.kind, holds=recurrence.kind.holds), LEMMA.domain)


def test_a_case_holds_by_what_its_code_computed():
    """A false reduction fails, and a bound below a distance does."""
    case = ({"a": 1, "b": 1}, {"a": 2, "b": 1}, 1)
    assert LEMMA.kind.holds(case)
    assert not reduced_by(lambda histogram, k: {} if histogram["a"] == 1 else {"a": 2})(case)
    assert not reduced_by(lambda histogram, _k: dict(histogram))(case)
    first = next(iter(TOPS.kind.cases(1)))
    (one,) = TOPS.kind.holds.of(first)
    assert one.holds()
    assert not replace(one, squared=max(one.distances) - 1).holds()
    (rates,) = RANGE.kind.holds.of(next(iter(RANGE.kind.cases(1))))
    assert rates.holds()
    assert not replace(rates, factor=1 - Fraction(1, 100)).holds()
    (race,) = RACED.kind.holds.of(next(iter(RACED.kind.cases(1))))
    assert race.holds()
    assert not replace(race, merged={}).holds()
    (top,) = PRINTED.kind.holds.of(((("a", 1), ("b", 1)), (("b", 1),), 1, 1, 1))
    assert top.holds()
    assert not replace(top, delta=times(top.delta, "1/2")).holds()
    assert not replace(top, rho=times(top.rho, "1/10")).holds()
    (row,) = ROWS.kind.holds.of(CASE)
    assert row.holds()
    assert not replace(row, delta=times(row.delta, "1/2")).holds()
    assert not replace(row, counts=({"a": 2}, {"a": 1}), rho=times(row.rho, "1/10")).holds()
    (stream,) = BINARY.kind.holds.of((3, frozenset({1, 2}), 1, 1, Fraction(9, 10)))
    assert stream.holds()
    assert not replace(stream, delta=times(stream.delta, "1/100")).holds()
    assert not replace(stream, rho=times(stream.rho, "1/10")).holds()
    (wedge,) = TRUNCATED.kind.holds.of(((1, 0), (1, 1), 2))
    assert wedge.holds()
    assert not replace(wedge, bound=times(wedge.bound, "1/10")).holds()
    (lists,) = LISTS.kind.holds.of(next(iter(LISTS.kind.cases(1))))
    assert lists.holds()
    assert not replace(lists, missed=Fraction(0)).holds()
    assert not replace(lists, delta=Fraction(0)).holds()
    (pair,) = TO_CDP.kind.holds.of(next(case for case in TO_CDP.kind.cases(3) if 0 < case[0]["y0"] < case[1]["y0"] < 1))
    assert pair.holds()
    assert not replace(pair, rho=times(pair.rho, 0)).holds()
