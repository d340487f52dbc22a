"""Section 5: the set-up of the exact analysis."""

from fractions import Fraction

from proofs_numeric.wilkins2024.finite import hockey_stick, joint, loss_law, loss_sum, output_law
from proofs_numeric.wilkins2024.section_5 import (
    loss_conditions_are_the_definition,
    loss_splits,
    other_rows_do_not_matter,
)


def test_a_row_at_tau_does_matter():
    """The independence of other rows is no accident: a further row at tau changes the hockey stick."""
    ratio = Fraction(2)
    alone = hockey_stick(output_law((2,), 2, 3, 1), output_law((1,), 2, 3, 1), ratio)
    beside = hockey_stick(output_law((2, 2), 2, 3, 1), output_law((1, 1), 2, 3, 1), ratio)
    assert other_rows_do_not_matter((ratio, 2, Fraction(3), (2, 3), 1, 4))
    assert beside > alone


def test_dependent_rows_would_break_the_sum():
    """The loss of two copies of one row is not the sum of two independent losses."""
    one, other = {0: Fraction(1, 4), 1: Fraction(3, 4)}, {0: Fraction(1, 2), 1: Fraction(1, 2)}
    copies = [{(o, o): p for o, p in law.items()} for law in (one, other)]
    assert loss_law(joint(one, one), joint(other, other)) == loss_sum(loss_law(one, other), loss_law(one, other))
    assert loss_law(*copies) != loss_sum(loss_law(one, other), loss_law(one, other))
    assert loss_splits((1, Fraction(2), 1, 1, 1))


def test_losses_over_touched_rows_give_the_definition():
    """(5.3) over rows at or above tau is Definition 2.2 over all histograms."""
    assert loss_conditions_are_the_definition((Fraction(3, 2), 2, 1, Fraction(2), 1))
