"""Laws with few outcomes: masses by hand."""

from fractions import Fraction

from proofs_numeric.arithmetic import MpReal
from proofs_numeric.arithmetic.finite_laws import binomial, joint, lattice, numbers, released, stick

HALF = Fraction(1, 2)


def test_a_released_count_below_tau_is_zero():
    """Two coins; counts below 2 add up in 0, and in a tuple each count has the same rule."""
    assert released(binomial(2, HALF), 2) == {0: Fraction(3, 4), 2: Fraction(1, 4)}
    law = released(joint((binomial(2, HALF), binomial(1, HALF))), 2)
    assert law == {(0, 0): Fraction(3, 4), (2, 0): Fraction(1, 4)}


def test_a_stick_adds_up_what_exceeds_the_factor_and_what_the_other_law_lacks():
    """(1/4, 1/2, 1/4) against (1/2, 1/2) at 1 and at 0; in another arithmetic."""
    left, right = binomial(2, HALF), binomial(1, HALF)
    assert stick(left, right, 1) == Fraction(1, 4)
    assert stick(left, right, 0) == 1
    A = MpReal(20)
    assert stick(numbers(A, left), numbers(A, right), A.number(1)) == A.number(Fraction(1, 4))


def test_a_law_on_the_lattice_has_masses_in_proportion():
    """Weights 1, 2, 1 at -1, 0, 1."""
    assert lattice(MpReal(20), lambda x: 2 - abs(x), 1) == {-1: 0.25, 0: 0.5, 1: 0.25}
