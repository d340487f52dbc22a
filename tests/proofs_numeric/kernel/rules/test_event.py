"""Attacks on conditioning on an event and on half-spaces: Theorems 8 and 11 close, and nothing close to them does."""

from dataclasses import replace
from itertools import combinations, product

import pytest

from auditor.checks.formula_mutation import formula_mutants
from proofs_numeric.arithmetic import MpReal
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.rogers2024.enumeration import cells_of_event, cells_of_sum, levels
from proofs_numeric.statements.box import Box
from proofs_numeric.statements.tactics import ByClaim, Symbolic
from tests.proofs_numeric.kernel.attacks import of_tactics, refusals
from tests.proofs_numeric.kernel.rules.gaussians import (
    BOUND,
    BY_TOP,
    COUNTS,
    EVERY,
    HALF_SPACES,
    KNOWN,
    OF_TOPS,
    ROOMY,
    SIDES,
    SIDES_BY_TOP,
    STREAMS,
    TOPS,
    TOPS_BY_TOP,
    bounded,
    fixed,
    of_counts,
    parameters,
    said,
    times,
)

WRONG = {
    "tops: rho a little too small": said(TOPS, rho=times(OF_TOPS.rho, "0.999999999")),
    "tops: rho of one item": said(TOPS, rho=fixed(OF_TOPS.rho, delta_0=1)),
    "tops: rho of one item less": said(TOPS, rho=lambda A, *, delta_0, **at: OF_TOPS.rho(A, delta_0=delta_0 - 1, **at)),
    "tops: half of delta": said(TOPS, delta=times(OF_TOPS.delta, "1/2")),
    "tops: delta a little too small": said(TOPS, delta=times(OF_TOPS.delta, "0.999999999")),
    "tops: a threshold a little lower": said(TOPS, threshold=times(OF_TOPS.threshold, "0.999999999")),
    "tops: a threshold lower by a fall": said(
        TOPS, threshold=lambda A, **at: OF_TOPS.threshold(A, **at) - at["delta_inf"]
    ),
    "tops: a threshold of one item": said(TOPS, threshold=fixed(OF_TOPS.threshold, delta_0=1)),
    "tops: a threshold without noise": said(
        TOPS, threshold=lambda A, **at: at["delta_inf"] + (OF_TOPS.threshold(A, **at) - at["delta_inf"]) / A.sqrt(2)
    ),
    "tops: half of the noise": said(TOPS, noise=times(OF_TOPS.noise, "1/2")),
    "tops: twice the noise": said(TOPS, noise=times(OF_TOPS.noise, 2)),
    "tops: noise below zero": said(TOPS, noise=times(OF_TOPS.noise, -1)),
    "tops: an order of one": said(TOPS, box={"alpha": {"open_lower": False}}),
    "tops: an order of one half": said(TOPS, box={"alpha": {"lower": "1/2"}}),
    "tops: an order twice": said(TOPS, more=Box((*OF_TOPS.more.parameters, OF_TOPS.more.parameters[0]))),
    "tops: of a lemma on other counts": said(TOPS, relabelled=replace(COUNTS, fall=times(COUNTS.fall, 1))),
    "tops: of a lemma that says less": of_counts(squared=times(COUNTS.squared, 2)),
    "tops: counts that fall by twice as much": of_counts(fall=times(COUNTS.fall, 2)),
    "tops: counts without a constraint": of_counts(box=replace(COUNTS.box, constraint=lambda **_at: True)),
    "tops: by itself": said(TOPS, proof=replace(TOPS.kind.proof, counts=ByClaim(TOPS.id))),
    "tops: by the lemma with k_bar": said(TOPS, proof=replace(TOPS.kind.proof, counts=ByClaim(SIDES_BY_TOP.id))),
    "tops: by half of the bound on half-spaces": said(
        TOPS, proof=replace(TOPS.kind.proof, bound=times(BOUND, "1/2"), truncated=HALF_SPACES.kind.proof)
    ),
    "tops: by the tactic of streams": said(TOPS, proof=STREAMS.kind.proof),
    "tops by top: rho a little too small": said(TOPS_BY_TOP, rho=times(BY_TOP.rho, "0.999999999")),
    "tops by top: rho of the top alone": said(
        TOPS_BY_TOP, rho=lambda A, *, k_bar, **at: BY_TOP.rho(A, k_bar=k_bar - 1, **at)
    ),
    "tops by top: rho of one item": said(TOPS_BY_TOP, rho=fixed(BY_TOP.rho, delta_0=1)),
    "tops by top: rho of one item less": said(
        TOPS_BY_TOP, rho=lambda A, *, delta_0, **at: BY_TOP.rho(A, delta_0=delta_0 - 1, **at)
    ),
    "tops by top: half of delta": said(TOPS_BY_TOP, delta=times(BY_TOP.delta, "1/2")),
    "tops by top: a threshold a little lower": said(TOPS_BY_TOP, threshold=times(BY_TOP.threshold, "0.999999999")),
    "tops by top: half of the noise": said(TOPS_BY_TOP, noise=times(BY_TOP.noise, "1/2")),
    "tops by top: noise below zero": said(TOPS_BY_TOP, noise=times(BY_TOP.noise, -1)),
    "tops by top: an order of one": said(TOPS_BY_TOP, box={"alpha": {"open_lower": False}}),
    "tops by top: by the lemma without k_bar": said(TOPS_BY_TOP, proof=TOPS.kind.proof),
    "rho a little too small": said(STREAMS, rho=times(EVERY.rho, "0.999999999")),
    "rho of one item": said(STREAMS, rho=fixed(EVERY.rho, delta_0=1)),
    "rho of one cell": said(STREAMS, rho=fixed(EVERY.rho, digits=1)),
    "rho of one digit less": said(STREAMS, rho=lambda A, *, digits, **at: EVERY.rho(A, digits=digits - 1, **at)),
    "half of delta": said(STREAMS, delta=times(EVERY.delta, "1/2")),
    "delta a little too small": said(STREAMS, delta=times(EVERY.delta, "0.999999999")),
    "a threshold lower by a count": said(STREAMS, threshold=lambda A, **at: EVERY.threshold(A, **at) - 1),
    "a threshold a little lower": said(STREAMS, threshold=times(EVERY.threshold, "0.999999999")),
    "a threshold below the proof's": said(STREAMS, box={"above": {"lower": "-1e-9"}}),
    "a threshold of one round": said(STREAMS, threshold=fixed(EVERY.threshold, L=1)),
    "a threshold of one item": said(STREAMS, threshold=fixed(EVERY.threshold, delta_0=1)),
    "a threshold of one noise": said(STREAMS, threshold=fixed(EVERY.threshold, digits=1)),
    "half of the noise": said(STREAMS, noise=times(EVERY.noise, "1/2")),
    "noise below zero": said(STREAMS, noise=times(EVERY.noise, -1)),
    "no noise": said(STREAMS, noise=times(EVERY.noise, 0)),
    "twice the noise": said(STREAMS, noise=times(EVERY.noise, 2)),
    "rounds from none on": said(STREAMS, box={"L": {"lower": 0}}),
    "any number of digits": said(STREAMS, digits="above"),
    "items that are no parameter": said(STREAMS, items="people"),
    "an order of one": said(STREAMS, box={"alpha": {"open_lower": False}}),
    "an order of one half": said(STREAMS, box={"alpha": {"lower": "1/2"}}),
    "under a constraint": replace(
        STREAMS, kind=replace(STREAMS.kind, every=replace(EVERY, box=replace(EVERY.box, constraint=lambda **_at: True)))
    ),
    "another domain than the claim's": replace(STREAMS, domain=parameters(STREAMS.domain, L={"upper": 2**61})),
    "by half of the bound": bounded("1/2"),
    "by twice the bound": bounded(2),
    "by a lemma of another law": said(
        STREAMS, proof=replace(STREAMS.kind.proof, truncated=ByClaim("rogers2024.thm9.range"))
    ),
    "by half-spaces on a line": said(
        STREAMS, proof=replace(STREAMS.kind.proof, truncated=ByClaim("rogers2024.repair.thm11.half_space"))
    ),
    "by itself": said(STREAMS, proof=replace(STREAMS.kind.proof, truncated=ByClaim("rogers2024.thm11.rho"))),
    "by a tactic of comparisons": said(STREAMS, proof=Symbolic()),
    "by the tactic of the other": said(STREAMS, proof=HALF_SPACES.kind.proof),
    "half-spaces: half of the bound": said(HALF_SPACES, bound=times(BOUND, "1/2")),
    "half-spaces: a little less": said(HALF_SPACES, bound=times(BOUND, "0.999999999")),
    "half-spaces: of order one": said(HALF_SPACES, bound=fixed(BOUND, alpha=1)),
    "half-spaces: by the distance": said(
        HALF_SPACES, bound=lambda A, *, squared, **at: BOUND(A, squared=A.sqrt(A.number(squared)), **at)
    ),
    "half-spaces: of means that are near": said(HALF_SPACES, box={"squared": {"upper": 1}}),
    "half-spaces: of means that are apart": said(HALF_SPACES, box={"squared": {"lower": 1}}),
    "half-spaces: an order of one half": said(HALF_SPACES, box={"alpha": {"lower": "1/2"}}),
    "half-spaces: by the tactic of streams": said(HALF_SPACES, proof=STREAMS.kind.proof),
}


test_a_statement_beside_the_theorem_is_refused = refusals(WRONG, ("",))


@pytest.mark.slow
def test_what_is_weaker_is_proved_too():
    """More rho, and a larger bound on half-spaces with it: the attacks fail for what they say."""
    assert prove(said(STREAMS, rho=times(EVERY.rho, 2)), KNOWN).scope == ""
    assert prove(bounded(2, rho=times(EVERY.rho, 2)), KNOWN).scope == ""
    assert prove(said(TOPS, rho=times(OF_TOPS.rho, 2)), KNOWN).scope == ""
    twice = of_counts(squared=times(COUNTS.squared, 2)).kind
    assert (
        prove(said(TOPS, relabelled=twice.every.relabelled, rho=times(OF_TOPS.rho, 2), proof=twice.proof), KNOWN).scope
        == ""
    )
    assert prove(said(SIDES, squared=times(COUNTS.squared, 2), proof=ROOMY), KNOWN).scope == ""


@pytest.mark.slow
def test_of_changed_formulas_only_a_larger_rho_is_proved():
    """One node at a time, in the noise, the threshold, delta and rho, and in the bound on half-spaces."""
    tried, proved = 0, []
    for claim in (STREAMS, HALF_SPACES):
        for _change, mutant in formula_mutants(claim):
            tried += 1
            try:
                prove(made := replace(of_tactics(mutant()), evaluates=None), KNOWN)  # which ties rho to another formula
            except (TacticError, ArithmeticError, TypeError):
                continue
            proved.append(made.kind.every)
    assert tried > 30
    with MpReal(30) as A:
        at = {"digits": 3, "delta_0": 2, "epsilon": A.number("1/3")}
        assert [made.rho(A, **at) > EVERY.rho(A, **at) for made in proved] == [True, True]  # not halved, doubled


@pytest.mark.slow
def test_of_changed_formulas_of_tops_only_more_is_proved():
    """One node at a time, in what is said of counts, the noise, the threshold, delta and rho."""
    tried, proved = 0, []
    for _change, mutant in formula_mutants(TOPS):
        tried += 1
        made = of_tactics(mutant())
        beside = replace(made, kind=replace(made.kind, proof=replace(made.kind.proof, counts=ROOMY)))
        try:
            prove(beside, KNOWN)
        except (TacticError, ArithmeticError, TypeError):
            continue
        proved.append(made.kind.every)
    assert tried > 20
    with MpReal(30) as A:
        at = {"k_bar": 5, "delta_0": 4, "delta_inf": 3, "epsilon": A.number("1/3"), "delta": A.number("1/7")}
        here = [formula(A, **at) for formula in (OF_TOPS.noise, OF_TOPS.threshold, OF_TOPS.delta)]
        for made in proved:
            assert [formula(A, **at) for formula in (made.noise, made.threshold, made.delta)] == here
            assert made.rho(A, **at) > OF_TOPS.rho(A, **at)


def test_cells_are_of_as_many_levels_as_the_last_round_has_digits():
    """An event is in at most one cell of a level, and a sum adds up from one to so many that cover its rounds once."""
    for L in range(1, 130):
        digits = levels(L)
        assert 2 ** (digits - 1) <= L < 2**digits
        for round_ in range(1, L + 1):
            ends = cells_of_event(round_, L)
            assert len({end & -end for end in ends}) == len(ends) <= digits
            assert all(end - (end & -end) < round_ <= end for end in ends)
            cells = cells_of_sum(round_)
            assert 1 <= len(cells) == len({last - first for first, last in cells}) <= digits
            assert [l for first, last in cells for l in range(first, last + 1)] == list(range(1, round_ + 1))


def printed(cells, comes, bar):
    """(round, noisy count) of an item in the rounds from its first on, where the sum of its cells is above the bar."""
    sums = {l: sum(cells[last] for _first, last in cells_of_sum(l)) for l in range(1, len(cells) + 1)}
    return {l: total for l, total in sums.items() if comes and min(comes) <= l and total > bar}


def test_given_the_half_spaces_one_function_of_the_cells_is_printed():
    """Every table of small cells, every item of up to four rounds: what h and h' print is then the same function.

    The half-spaces are those of the rounds before which the item has come in h alone; there h counts it once.
    """
    bar, inside = 1, 0
    for L in (1, 2, 3, 4):
        streams = [set(rounds) for n in range(1, L + 1) for rounds in combinations(range(1, L + 1), n)]
        for comes, event in ((stream, event) for stream in streams for event in stream):
            without = comes - {event}
            hidden = [l for l in range(min(comes), L + 1) if not any(r <= l for r in without)]
            assert all(sum(r <= l for r in comes) == 1 for l in hidden)
            assert all(l in hidden or any(r <= l for r in without) for l in range(min(comes), L + 1))
            for values in product((-1, 0, 1, 2), repeat=L):
                cells = dict(enumerate(values, start=1))
                if all(sum(cells[last] for _first, last in cells_of_sum(l)) <= bar for l in hidden):
                    inside += 1
                    assert printed(cells, comes, bar) == printed(cells, without, bar)
    assert inside > 1000
