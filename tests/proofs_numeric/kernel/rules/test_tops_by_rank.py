"""Attacks on sorted counts, of tops: the distance of relabelled tops closes, nothing below it."""

from proofs_numeric.rogers2024.enumeration import count_at, top
from proofs_numeric.rogers2024.theorem_8.proof import own_labels, top_cases
from tests.proofs_numeric.kernel.attacks import refusals
from tests.proofs_numeric.kernel.rules.gaussians import (
    COUNTS,
    ROOMY,
    SIDES,
    SIDES_BY_TOP,
    TOPS,
    fixed,
    said,
    times,
    twice_named,
)

WRONG = {
    "sides: a little nearer": said(SIDES, proof=ROOMY, squared=times(COUNTS.squared, "0.999999999")),
    "sides: of one item less": said(
        SIDES, proof=ROOMY, squared=lambda A, *, delta_0, **at: COUNTS.squared(A, delta_0=delta_0 - 1, **at)
    ),
    "sides: of one item": said(SIDES, proof=ROOMY, squared=fixed(COUNTS.squared, delta_0=1)),
    "sides: of falls of one": said(SIDES, proof=ROOMY, squared=fixed(COUNTS.squared, delta_inf=1)),
    "sides: of falls without a square": said(
        SIDES, proof=ROOMY, squared=lambda A, *, delta_0, delta_inf, **_at: A.number(delta_0) * delta_inf
    ),
    "sides: counts that fall by twice as much": said(SIDES, proof=ROOMY, fall=times(COUNTS.fall, 2)),
    "sides: counts that rise": said(SIDES, proof=ROOMY, fall=times(COUNTS.fall, -1)),
    "sides: from no item on": said(SIDES, box={"delta_0": {"lower": 0}}),
    "sides: from an empty top on": said(SIDES, box={"k_bar": {"lower": 0}}),
    "sides: parts of items": said(SIDES, box={"delta_0": {"integer": False}}),
    "sides: of a place of the goals": said(SIDES, box={"delta_inf": {"name": "outside"}}),
    "sides: of a number of items that is also one": twice_named(
        SIDES, "delta_0", squared=fixed(COUNTS.squared, delta_0=1)
    ),
    "sides: of a top that has no size": said(
        SIDES, squared=lambda A, *, k_bar, **at: COUNTS.squared(A, **at) * (A.number(k_bar) - 2027) / (k_bar - 2027)
    ),
    "sides: of no number of items": said(SIDES, box={"delta_inf": {"lower": 2, "upper": 1}}),
    "sides: of no top": said(SIDES, top="people"),
    "sides: by the tactic of tops": said(SIDES, proof=TOPS.kind.proof),
    "sides by top: without the next count": said(
        SIDES_BY_TOP, squared=lambda A, *, k_bar, **at: SIDES_BY_TOP.kind.every.squared(A, k_bar=k_bar - 1, **at)
    ),
    "sides by top: of the top alone": said(
        SIDES_BY_TOP, squared=lambda A, *, k_bar, delta_inf, **_at: A.number(k_bar) * A.number(delta_inf) ** 2
    ),
}


test_a_statement_beside_the_theorem_is_refused = refusals(WRONG, ("",))


def test_what_is_used_of_tops_holds_on_small_histograms():
    """An own item has fallen, b falls by no more than a count; alone it falls only with an own item of the smaller."""
    alone = 0
    for larger, smaller, k_bar, _items, most in top_cases(2):
        before, after = dict(larger), dict(smaller)
        own, other = own_labels((larger, smaller, k_bar, _items, most))
        b, left = count_at(larger, k_bar + 1), count_at(smaller, k_bar + 1)
        fallen = {label for label in before if after.get(label, 0) < before[label]}
        both = fallen & top(larger, k_bar).keys() & top(smaller, k_bar).keys()
        assert len(other) <= len(own)
        assert set(own) <= fallen
        assert left <= b <= left + most
        assert all(after.get(d, 0) <= left and b <= before[d] for d in own)
        assert all(left <= after[e] <= before[e] <= b for e in other)
        if b > left and len(fallen) == len(own) + len(both):
            alone += 1
            assert any(after[e] == b for e in other)
    assert alone > 10
