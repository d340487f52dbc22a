"""Attacks on the kernel's statements about noisy tops: Theorems 9 and 10 close, and nothing close to them does."""

from dataclasses import replace
from itertools import product

import pytest

from auditor.checks.formula_mutation import formula_mutants
from auditor.engine.registry import registry
from proofs_numeric.arithmetic import Ball
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.rogers2024.enumeration import count_at, histograms, neighbours, tops_under_any_tie_order
from proofs_numeric.rogers2024.peeling import bottom_weight
from proofs_numeric.rogers2024.theorem_9.any_size import RACE, counted
from proofs_numeric.rogers2024.theorem_9.statement import gumbel_cases
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.tactics import ByClaim, Increasing, Sign, Steps, Symbolic
from tests.proofs_numeric.kernel.attacks import of_tactics, untied

KNOWN = dict(registry().claims)
LISTS, RANGE, CONDITIONED = (KNOWN[f"rogers2024.{name}"] for name in ("thm9.rho", "thm9.range", "repair.race"))
STREAM = KNOWN["rogers2024.thm10.rho"]
PICKS, PLACES = "rogers2024.thm9.picks", "rogers2024.thm9.places"


def within(log_rate, width):
    """A rate that moves by a factor between 1 and e^width as its score rises by as much as a count falls."""
    earlier = lambda A, *, rise, **at: log_rate(A, rise=0, **at)
    widest = lambda A, *, rise, **at: log_rate(A, rise=0, **at) + width(A, **at)

    return Sign(), Increasing("exp", earlier, log_rate), Increasing("exp", log_rate, widest)


epsilon_of = lambda A, *, epsilon, **_rest: A.number(epsilon)  # the range of a count that moves by one


def lists(*, scale=1, threshold=RACE.threshold, width=epsilon_of, race=None, domain=None, **changed):
    """Theorem 9 with changes, noise of scale ``scale/epsilon``; its tactics are made for what it says then."""

    def scaled(formula):
        return lambda A, *, epsilon, **at: formula(A, epsilon=epsilon / A.number(scale), **at)

    log_rate = lambda A, *, epsilon, score, rise, **_rest: (A.number(score) + rise) * epsilon / A.number(scale)

    def log_of_threshold(A, *, outside, rise, **at):
        return log_rate(A, score=threshold(A, outside=A.number(outside) + rise, **at), rise=0, **at)

    of_noise = {name: scaled(getattr(RACE, name)) for name in ("below", "rate", "time")}
    every = replace(
        LISTS.kind.every, race=replace(RACE, threshold=threshold, **{**of_noise, **(race or {})}), **changed
    )
    matched = replace(
        RANGE.kind.proof,
        order=KNOWN[PLACES].kind.proof,
        item=within(log_rate, width),
        bottom=within(log_of_threshold, width),
    )
    proof = replace(LISTS.kind.proof, width=width, condition=CONDITIONED.kind.proof, range=matched)
    return stated(LISTS, every, proof, domain)


def stated(claim, every, proof=None, domain=None):
    """The claim with another statement of every size, and another proof."""
    kind = replace(claim.kind, holds=untied, every=every, proof=proof or claim.kind.proof)
    within = {} if domain is None else {"domain": domain, "evaluates": None}
    return replace(claim, kind=kind, **within)


def refusal(claim, **others):
    """Why the kernel does not prove the claim, where other claims may stand in for those of their names."""
    with pytest.raises(TacticError) as refused:
        prove(claim, KNOWN | {f"rogers2024.{name.replace('_', '.')}": other for name, other in others.items()})
    return str(refused.value)


def parameter(box, name, **changed):
    """The box with another range of one parameter."""
    return Box(tuple(replace(one, **changed) if one.name == name else one for one in box.parameters))


def said(identifier, **changed):
    """A claim with changes in what it says."""
    claim = KNOWN[identifier]
    return replace(claim, kind=replace(claim.kind, **changed))


@pytest.mark.slow
def test_counts_that_fall_by_two_need_twice_the_scale_and_the_threshold():
    """Delta_inf = 2: the same tactics close at scale 2/epsilon with T twice as high."""
    assert prove(lists(scale=2, threshold=threshold_of_two, race={"item": FALL_BY_TWO}), KNOWN).scope == ""


FALL_BY_TWO = parameter(RACE.item, "fall", upper=2)


def threshold_of_two(A, *, outside, **at):
    """The threshold's score with T twice as high."""
    return A.number(outside) + 2 * RACE.threshold(A, outside=0, **at)


def logistic(A, *, epsilon, score, x, **_rest):
    """Another noise: the difference of two of Gumbel's."""
    return 1 / (1 + A.exp((A.number(score) - x) * epsilon))


halved = lists(
    scale=2,
    threshold=threshold_of_two,
    race={
        "item": FALL_BY_TWO,
        "below": lambda A, *, epsilon, score, x, **_at: A.exp(-A.exp(epsilon * (A.number(score) / 2 - x))),
        "time": RACE.time,
    },
)
"""Counts that fall by two need noise of scale 2/epsilon; of half a count, which is not the score, 1/epsilon will do."""

WRONG_STATEMENTS = {
    "k picks counted as k - 1": lists(rho=lambda A, *, k, epsilon, **_at: (k - 1) * A.number(epsilon) ** 2 / 8),
    "rho a little too small": lists(rho=lambda A, *, k, epsilon, **_at: k * epsilon**2 / 8 * (1 - A.number("1e-9"))),
    "rho that forgets k": lists(rho=lambda A, *, epsilon, **_at: A.number(epsilon) ** 2 / 8),
    "the range of half a count": lists(width=lambda A, *, epsilon, **_at: A.number(epsilon) / 2),
    "a range of nothing": lists(width=lambda A, **_at: A.number(0)),
    "half of delta": lists(delta=lambda A, *, delta, **_at: A.number(delta) / 2),
    "delta where there is none": lists(delta=lambda A, **_at: A.number(0)),
    "counts that fall by two": lists(race={"item": FALL_BY_TWO}),
    "counts that fall by two, at twice the scale": lists(scale=2, race={"item": FALL_BY_TWO}),
    "counts that fall by two, at twice the threshold": lists(threshold=threshold_of_two, race={"item": FALL_BY_TWO}),
    "counts that fall or rise": lists(race={"item": parameter(RACE.item, "fall", lower=-1)}),
    "counts that fall by any number": lists(race={"item": parameter(RACE.item, "fall", upper="infinity")}),
    "counts that fall by a real number": lists(race={"item": parameter(RACE.item, "fall", integer=False)}),
    "small counts alone": lists(race={"item": parameter(RACE.item, "count", upper=100)}),
    "items that are constrained": lists(
        race={"item": replace(RACE.item, constraint=lambda *, count, fall: fall <= count, constraint_text="said")}
    ),
    "a threshold lower by a count": lists(threshold=lambda A, **at: RACE.threshold(A, **at) - 1),
    "a threshold without k_bar": lists(threshold=lambda A, *, k_bar, **at: RACE.threshold(A, k_bar=1, **at)),
    "a threshold that does not move": lists(threshold=lambda A, *, outside, **at: RACE.threshold(A, outside=0, **at)),
    "a threshold that moves twice as fast": lists(
        threshold=lambda A, *, outside, **at: RACE.threshold(A, outside=2 * outside, **at)
    ),
    "a threshold that falls as it should rise": lists(
        threshold=lambda A, *, outside, **at: RACE.threshold(A, outside=-outside, **at)
    ),
    "half of the noise": lists(scale="1/2"),
    "noise that is not of clocks": lists(race={"below": logistic}),
    "a score of half a count": halved,
    "clocks of another scale than the noise": lists(
        race={"rate": lambda A, *, epsilon, **at: RACE.rate(A, epsilon=2 * epsilon, **at)}
    ),
    "what comes to more rings later": lists(
        race={
            "below": lambda A, *, epsilon, score, x, **_at: A.exp(-A.exp((A.number(score) + x) * epsilon)),
            "time": lambda A, *, epsilon, x, **_at: A.exp(A.number(x) * epsilon),
        }
    ),
    "a number of items that may be none": lists(race={"box": parameter(RACE.box, "k_bar", lower=0)}),
    "a number of items that is none": lists(race={"top": "epsilon"}),
    "a race under a constraint": lists(
        race={"box": replace(RACE.box, constraint=lambda **_at: True, constraint_text="said")}
    ),
    "an order of one half": lists(more=parameter(LISTS.kind.every.more, "alpha", lower="1/2")),
    "picks from none on": lists(more=parameter(LISTS.kind.every.more, "k", lower=0), domain=Box()),
    "more picks than the lemma has": lists(more=parameter(LISTS.kind.every.more, "k", upper=10**7), domain=Box()),
    "an epsilon below those of the lemmas": lists(race={"box": parameter(RACE.box, "epsilon", lower=-1)}, domain=Box()),
    "a delta of one": lists(race={"box": parameter(RACE.box, "delta", open_upper=False)}),
    "another domain than the claim's": replace(LISTS, domain=parameter(LISTS.domain, "k", upper=10**7)),
    "a delta that depends on the order": lists(delta=lambda A, *, alpha, delta, **_at: A.number(delta) * alpha / alpha),
    "a rho that depends on the order": lists(
        rho=lambda A, *, k, alpha, epsilon, **_at: k * A.number(epsilon) ** 2 / 8 * alpha / alpha
    ),
    "a parameter with the name of a state": lists(
        threshold=lambda A, *, weight, **at: RACE.threshold(A, **at) + 0 * weight,
        race={"box": Box((*RACE.box.parameters, replace(RACE.box["delta"], name="weight")))},
    ),
    "a stream with the delta of one call": stated(
        STREAM, replace(STREAM.kind.every, delta=lambda A, *, delta, **_at: A.number(delta))
    ),
    "a stream with a pick for each call": stated(
        STREAM, replace(STREAM.kind.every, rho=lambda A, *, l_star, epsilon, **_at: l_star * A.number(epsilon) ** 2 / 8)
    ),
    "the range of half a count, of every pair": stated(
        RANGE, RACE.in_range(lambda A, *, epsilon, **_at: A.number(epsilon) / 2)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("attack", WRONG_STATEMENTS)
def test_a_statement_beside_the_theorem_is_refused(attack):
    """Each is false, or says more than its lemmas."""
    assert refusal(WRONG_STATEMENTS[attack])


def picked_with_replacement(A, *, bottom, own, rest, weight, law, **_at):
    """A pick of a list whose items stay after they are picked."""
    return law * weight / (A.number(bottom) + own + rest)


def mapped(identifier, field, **changed):
    """What a recurrence's start or step is, with changes."""
    return {field: {**getattr(KNOWN[identifier].kind, field), **changed}}


PICKS_AT = KNOWN[PICKS].kind
WRONG_LEMMAS = {
    "places: of smaller counts alone": {"thm9_places": said(PLACES, inputs=parameter(RACE.item, "count", upper=1000))},
    "places: of counts that stay": {"thm9_places": said(PLACES, inputs=parameter(RACE.item, "fall", upper=0))},
    "places: two below": {
        "thm9_places": said(PLACES, **mapped(PLACES, "step", theirs_below=counted("theirs_below", 2, 1)))
    },
    "mediant: of a smaller place": {
        "thm9_mediant": said(
            "rogers2024.thm9.mediant",
            inputs=parameter(KNOWN["rogers2024.thm9.mediant"].kind.inputs, "place", upper="1/2"),
        )
    },
    "mediant: of another bound": {"thm9_mediant": said("rogers2024.thm9.mediant", right=lambda A, **_at: A.number(1))},
    "list: picked with replacement": {
        "thm9_list": said("rogers2024.thm9.list", **mapped("rogers2024.thm9.list", "step", law=picked_with_replacement))
    },
    "list: at most, for equal": {"thm9_list": said("rogers2024.thm9.list", relation="<=")},
    "list: without the rates of one's own": {
        "thm9_list": said("rogers2024.thm9.list", right=lambda A, *, merged, **_at: A.number(merged))
    },
    "race: the last clock": {
        "gumbel_race": said("rogers2024.gumbel.race", left=lambda A, *, none, **_at: 1 - A.number(none))
    },
    "race: of clocks that are slow": {
        "gumbel_race": said(
            "rogers2024.gumbel.race", inputs=parameter(KNOWN["rogers2024.gumbel.race"].kind.inputs, "weight", upper=1)
        )
    },
    "picks: nothing follows but what is below one": {
        "thm9_picks": said(PICKS, inputs=parameter(PICKS_AT.inputs, "below", upper=1))
    },
    "picks: of one level more": {"thm9_picks": said(PICKS, levels=replace(PICKS_AT.levels, count="epsilon"))},
    "picks: with another leaf": {
        "thm9_picks": said(PICKS, levels=replace(PICKS_AT.levels, leaf=lambda A, **_at: A.number("1/2")))
    },
    "picks: whose states may be anywhere": {
        "thm9_picks": said(PICKS, state=parameter(PICKS_AT.state, "share", upper="infinity"))
    },
    "picks: of one node": {"thm9_picks": said(PICKS, levels=None)},
    "picks: with something at the start": {
        "thm9_picks": said(PICKS, **mapped(PICKS, "start", mass=lambda A, **_at: A.number(1)))
    },
    "picks: of orders up to 64": {
        "thm9_picks": replace(KNOWN[PICKS], domain=parameter(KNOWN[PICKS].domain, "alpha", upper=64))
    },
    "picks: under a constraint": {
        "thm9_picks": replace(
            KNOWN[PICKS], domain=replace(KNOWN[PICKS].domain, constraint=lambda **_at: True, constraint_text="said")
        )
    },
    "T: of another threshold": {
        "thm9_T": said(
            "rogers2024.thm9.T", formula=lambda A, **at: 2 * KNOWN["rogers2024.thm9.T"].kind.formula(A, **at)
        )
    },
    "T: of a smaller delta": {
        "thm9_T": replace(
            KNOWN["rogers2024.thm9.T"], domain=parameter(KNOWN["rogers2024.thm9.T"].domain, "delta", upper="1/2")
        )
    },
    "range: of another race": {
        "thm9_range": stated(RANGE, replace(RANGE.kind.every, threshold=lambda A, **at: RACE.threshold(A, **at) + 1))
    },
    "range: of another width": {
        "thm9_range": stated(RANGE, RACE.in_range(lambda A, *, epsilon, **_at: 2 * A.number(epsilon)))
    },
    "range: by small histograms alone": {"thm9_range": stated(RANGE, None)},
    "range: by the conditioned race": {"thm9_range": CONDITIONED},
    "race: by small histograms alone": {"repair_race": stated(CONDITIONED, None)},
    "race: an item counted as bottom": {"repair_race": KNOWN[PLACES]},
}


@pytest.mark.slow
@pytest.mark.parametrize("attack", WRONG_LEMMAS)
def test_a_lemma_of_another_law_or_of_less_joins_nothing(attack):
    """The theorem's own statement and tactics, and a lemma that says something else, some of them false."""
    assert refusal(LISTS, **WRONG_LEMMAS[attack])


@pytest.mark.slow
def test_the_theorem_does_not_rest_on_itself():
    """Nor does a tactic serve a goal of another kind."""
    ring = replace(LISTS.kind.proof, range=ByClaim("rogers2024.thm9.rho"))
    assert "expected a claim" in refusal(stated(LISTS, LISTS.kind.every, ring))
    for proof in (Symbolic(), Steps(), RANGE.kind.proof, CONDITIONED.kind.proof):
        assert "expected" in refusal(stated(LISTS, LISTS.kind.every, proof))


@pytest.mark.slow
def test_no_change_in_a_formula_of_the_theorem_is_proved():
    """One node at a time, in the noise, its clocks, the threshold, delta and rho; and in what the parts say alone."""
    tried = 0
    parts = replace(LISTS.kind.proof, condition=CONDITIONED.kind.proof, range=RANGE.kind.proof)
    for claim in (stated(LISTS, LISTS.kind.every, parts), RANGE, CONDITIONED):
        for change, mutant in formula_mutants(claim):
            tried += 1
            with pytest.raises((TacticError, ArithmeticError, TypeError)):
                pytest.fail(f"proved: {change} {prove(of_tactics(mutant()), KNOWN).summary}")
    assert tried > 60


# --- what the tactics use besides their goals -------------------------------------------------------------------------


def matchings():
    """(h, h', most, k_bar, top, top') of small histograms, ties broken in every way on either side."""
    for most, larger in product((1, 2), histograms(3, 3)):
        for smaller in neighbours(larger, 3, most):
            for k_bar in (1, 2, 3):
                for tops in product(tops_under_any_tie_order(larger, k_bar), tops_under_any_tie_order(smaller, k_bar)):
                    yield dict(larger), dict(smaller), most, k_bar, *tops


def test_what_is_in_one_top_only_matches_whatever_the_ties():
    """The largest count outside falls by 0 to s, and so does a count to any that it is matched with, made up or not."""
    cases = 0
    for larger, smaller, most, k_bar, top, other in matchings():
        after, before = (count_at(tuple(side.items()), k_bar + 1) for side in (larger, smaller))
        own, others = top - other, other - top
        assert before <= after <= before + most
        assert len(others) <= len(own) <= k_bar
        made_up = [0] * (len(own) - len(others))
        assert not made_up or before == 0
        matched = [smaller[item] for item in others] + made_up
        assert all(0 <= larger[one] - count <= most for one in own for count in matched)
        assert all(larger[one] <= after + most for one in own)
        assert all(count <= before + most for count in matched)
        cases += bool(own)
    assert cases > 1000


def test_the_race_is_the_algorithm_of_the_enumeration():
    """Its rates at small counts are the weights whose exact law the certificate of Theorem 9 is checked on."""
    seen = 0
    for larger, _smaller, k_bar, _k, base, delta in gumbel_cases(1):
        with Ball(128) as A:
            at = {"epsilon": A.log(A.number(base)), "k_bar": k_bar, "delta": A.number(delta)}
            score = RACE.threshold(A, outside=count_at(larger, k_bar + 1), **at)
            assert A.number(RACE.rate(A, score=score, **at)).overlaps(
                A.number(bottom_weight(larger, k_bar, base, delta))
            )
            for _label, count in larger:
                assert A.number(RACE.rate(A, score=count, **at)).overlaps(A.number(base**count))
                seen += 1
    assert seen
