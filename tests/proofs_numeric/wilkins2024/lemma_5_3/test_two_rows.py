"""Lemma 5.3 and Theorem 5.4 from the law of one or two thresholded rows; the one-row proofs."""

from dataclasses import replace
from fractions import Fraction

import pytest

from auditor.engine.registry import registry
from mechanisms.gaussian_sparse_histogram.law import two_near_profile
from proofs_numeric.arithmetic import Ball, Float64, MpReal
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.arithmetic.special import gaussian_profile
from proofs_numeric.kernel.goals import TacticError
from proofs_numeric.kernel.prove import prove
from proofs_numeric.statements.neighbours import Direction
from proofs_numeric.wilkins2024.finite import hockey_stick, joint, probability
from proofs_numeric.wilkins2024.lemma_5_3 import one_row, two_rows
from tests.proofs_numeric.refuted import refuted

CLAIMS = {claim.id.removeprefix("wilkins2024."): claim for claim in two_rows.CLAIMS}
ONE_ROW = {claim.id.removeprefix("wilkins2024.lem5.3."): claim for claim in one_row.CLAIMS}
EQUAL = [("1", "1", -2), ("1/2", "3/2", 1), ("-1/2", "2", 30), ("1", "10", 0), ("0", "2", 3)]


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "sigma", "margin"), EQUAL)
@pytest.mark.parametrize(
    ("formula", "direction"), [(two_rows.forward_rows, Direction.FORWARD), (two_rows.backward_rows, Direction.BACKWARD)]
)
def test_two_equal_rows_agree_with_the_other_derivation(formula, direction, epsilon, sigma, margin):
    """The profile of the mechanism's own pair was derived apart; both agree to 12 digits."""
    point = {"epsilon": Fraction(epsilon), "sigma": Fraction(sigma), "margin_1": margin, "margin_2": margin}
    other = two_near_profile(
        Float64(), float(point["epsilon"]), direction, count=100, tau_star=100 - margin, sigma=point["sigma"]
    )
    for A in (Ball(128), MpReal(20), Float64()):
        assert float(evaluate_in(A, formula, point)) == pytest.approx(float(other), rel=1e-12, abs=1e-12)


def test_the_two_rows_may_be_swapped():
    """The rows are treated apart, one by its outcomes and one by its profile; the result is symmetric."""
    point = {"epsilon": Fraction(1, 3), "sigma": 2, "margin_1": -3, "margin_2": 4}
    turned = {**point, "margin_1": 4, "margin_2": -3}
    with Ball(160) as A:
        assert (two_rows.forward_rows(A, **point) - two_rows.forward_rows(A, **turned)).contains(0)
        assert two_rows.forward_rows(A, **point).rel_accuracy_bits() > 60


def _one_row(A, *, epsilon, sigma, **_margins):
    return gaussian_profile(A, A.number(epsilon), 1 / A.number(sigma))


@pytest.mark.slow
@pytest.mark.parametrize("where", ["ub2", "ub3"])
def test_two_rows_exceed_the_bound_of_one(where):
    """With mu(1) for mu(2) the bound is refuted by the law of two rows."""
    claim = CLAIMS[f"lem5.3.{where}.two"]
    assert refuted(replace(claim, kind=replace(claim.kind, formula=_one_row, proof=None)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lem5.3.tight.two", "thm5.4.exact"])
def test_a_bound_beyond_the_supremum_is_refuted(name):
    """No pair reaches a delta larger than stated by one percent."""
    claim = CLAIMS[name]

    def larger(A, **values):
        return A.number("1.01") * claim.kind.formula(A, **values)

    assert refuted(replace(claim, kind=replace(claim.kind, formula=larger)))


@pytest.mark.slow
def test_the_law_of_more_rows_without_the_shift_is_refuted():
    """With the second profile at the level itself the product formula fails."""
    kind = CLAIMS["lem5.3.product"].kind

    def unshifted(case):
        left, right, left_2, right_2, ratio = case
        return hockey_stick(joint(left, left_2), joint(right, right_2), ratio) == hockey_stick(left_2, right_2, ratio)

    assert all(map(kind.holds, kind.cases(2)))
    assert not all(map(unshifted, kind.cases(2)))


@pytest.mark.slow
def test_withholding_can_cost_its_whole_chance():
    """With half the chance in place of the whole, the lower bound fails."""
    kind = CLAIMS["lem5.3.withheld"].kind

    def halved(case):
        left, right, ratio, hidden = case
        shown = [
            {None: probability(law, hidden), **{o: p for o, p in law.items() if o not in hidden}}
            for law in (left, right)
        ]
        lost = probability(left, hidden) / 2
        return hockey_stick(left, right, ratio) - lost <= hockey_stick(*shown, ratio)

    assert all(map(kind.holds, kind.cases(2)))
    assert not all(map(halved, kind.cases(2)))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ub2", "ub3", "tight", "tight.reverse", "tight.forward", "tight.backward"])
def test_the_one_row_proofs_close_on_no_other_bound(name):
    """A thousandth less, or more where it bounds from above; that they close as they stand is in every audit."""
    claim, known = ONE_ROW[name], registry().claims
    kind = claim.kind

    def moved(A, **at):
        return one_row.row_bound(A, **at) * A.number("1.001" if name.startswith("tight") else "0.999")

    side = "formula" if name.startswith("ub") else "left" if name in {"tight", "tight.reverse"} else "right"
    with pytest.raises(TacticError):
        prove(replace(claim, kind=replace(kind, **{side: moved})), known)
