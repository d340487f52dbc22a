"""Lemma 20: half-integer noise passes a threshold below a half integer more often than one at it."""

from fractions import Fraction

import pytest

from proofs_numeric.arithmetic import Float64, MpReal
from proofs_numeric.arithmetic.enclosure import enclose
from proofs_numeric.arithmetic.formula import evaluate_in
from proofs_numeric.lebeda2025.discrete import delta_infinite, release_probability


@pytest.mark.parametrize("formula", [delta_infinite, release_probability])
@pytest.mark.parametrize("power", [1, 8, 10, 14, 40])
def test_release_is_a_step_function_of_the_threshold(formula, power):
    """Below 6 by any hair it is that of 5.5, in every arithmetic that tells the hair."""
    at = {"k": 4, "sigma": 2}
    half, near, whole = Fraction(11, 2), 6 - Fraction(1, 10**power), Fraction(6)
    enclosed = {gap: enclose(formula, {**at, "gap": gap}, 20) for gap in (half, near, whole)}
    assert enclosed[near].decimal(20) == enclosed[half].decimal(20)
    assert enclosed[whole].upper < enclosed[near].lower
    arithmetics = [MpReal(60), *([Float64()] if power < 15 else [])]
    for A in arithmetics:
        assert evaluate_in(A, formula, {**at, "gap": near}) == evaluate_in(A, formula, {**at, "gap": half})
